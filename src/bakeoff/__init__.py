"""bakeoff: which model should I use, by how much is it better, can I trust that, and does it change with my costs?

Rows become counts, counts add up, and every answer is a function of counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bakeoff._core.lazy import lazy_door

__version__ = "0.1.0"

if TYPE_CHECKING:
    from bakeoff import decision, evidence, figures, intervals, learners, measures, protocols, runner, stats
    from bakeoff._core.errors import (
        BakeoffError,
        BakeoffWarning,
        EvidenceError,
        MissingDependencyError,
        ParameterError,
    )
    from bakeoff._core.notes import Note
    from bakeoff._core.result import Interval
    from bakeoff.evidence import Design, Predictions, Scores

# Public name → the module it lives in; imported on first use, so that `import bakeoff` stays light.
_EXPORTS = {
    # rooms
    "decision": ".decision",
    "evidence": ".evidence",
    "figures": ".figures",
    "intervals": ".intervals",
    "learners": ".learners",
    "measures": ".measures",
    "protocols": ".protocols",
    "runner": ".runner",
    "stats": ".stats",
    # errors and notes
    "BakeoffError": "_core.errors",
    "BakeoffWarning": "_core.errors",
    "EvidenceError": "_core.errors",
    "MissingDependencyError": "_core.errors",
    "ParameterError": "_core.errors",
    "Note": "_core.notes",
    # nouns
    "Interval": "_core.result",
    "Design": "evidence",
    "Predictions": "evidence",
    "Scores": "evidence",
    "Measure": "measures",
    "Evaluation": "intervals",
    "Comparison": "comparison",
    "OperatingContext": "decision",
    "RocCurve": "decision",
    "RocHull": "decision",
    "CostCurve": "decision",
    "Decision": "decision",
    "Experiment": "runner",
    "Results": "runner",
    "Report": "report",
    # verbs
    "evaluate": "intervals",
    "compare": "comparison",
    "advise": "comparison",
    "plan": "comparison",
    "decide": "decision",
    "roc": "decision",
    "cost_curves": "decision",
    "run": "runner",
    "report": "report",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _EXPORTS)
