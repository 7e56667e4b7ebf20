"""bakeoff: which model should I use, by how much is it better, can I trust that, and does it change with my costs?

Rows become counts, counts add up, and every answer is a function of counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:  # a type checker reads the real names, each with its signature
    from bakeoff import (
        comparison,
        decision,
        evidence,
        figures,
        integrations,
        intervals,
        learners,
        measures,
        protocols,
        runner,
        stats,
    )
    from bakeoff._core.errors import (
        BakeoffError,
        BakeoffWarning,
        EvidenceError,
        MissingDependencyError,
        ParameterError,
    )
    from bakeoff._core.language import Text, language, set_language
    from bakeoff._core.result import Interval, Note
    from bakeoff.comparison import Comparison, Flips, Gate, advise, compare, flips, gate, plan
    from bakeoff.decision import (
        Calibration,
        CostCurve,
        Decision,
        DecisionCurves,
        OperatingContext,
        RocCurve,
        RocHull,
        calibration,
        cost_curves,
        decide,
        decision_curves,
        roc,
    )
    from bakeoff.evidence import Counts, Design, Predictions, Scores, read
    from bakeoff.intervals import Evaluation, evaluate
    from bakeoff.measures import Measure
    from bakeoff.report import Report, report
    from bakeoff.runner import Experiment, Results, run

    __all__ = [
        # packages
        "comparison", "decision", "evidence", "figures", "integrations", "intervals", "learners", "measures",
        "protocols", "runner", "stats",
        # errors, notes and sentences
        "BakeoffError", "BakeoffWarning", "EvidenceError", "MissingDependencyError", "Note", "ParameterError", "Text",
        # nouns
        "Calibration", "Comparison", "CostCurve", "Counts", "Decision", "DecisionCurves", "Design", "Evaluation",
        "Experiment", "Flips", "Gate", "Interval", "Measure", "OperatingContext", "Predictions", "Report", "Results",
        "RocCurve", "RocHull", "Scores",
        # verbs
        "advise", "calibration", "compare", "cost_curves", "decide", "decision_curves", "evaluate", "flips", "gate",
        "plan", "read", "report", "roc", "run",
        # the reader's language
        "language", "set_language",
    ]  # fmt: skip
else:  # at run time each is imported on first use, so that `import bakeoff` stays light
    from bakeoff._core.hooks import set_providers
    from bakeoff._core.lazy import lazy_exports

    # Which package answers what a package below it asks; imported, as the names are, on first use.
    set_providers(dict.fromkeys(("score_predictions", "known_quantity", "needs_of"), "bakeoff.measures"))
    set_providers({"run_in_store": "bakeoff.runner._results"})

    __getattr__, __dir__, __all__ = lazy_exports(
        __name__,
        {
            "_core.errors": "BakeoffError BakeoffWarning EvidenceError MissingDependencyError ParameterError",
            "_core.language": "Text language set_language",
            "_core.result": "Interval Note",
            "evidence": "Counts Design Predictions Scores read",
            "measures": "Measure",
            "intervals": "Evaluation evaluate",
            "comparison": "Comparison Flips Gate advise compare flips gate plan",
            "decision": "Calibration CostCurve Decision DecisionCurves OperatingContext RocCurve RocHull calibration"
            " cost_curves decide decision_curves roc",
            "runner": "Experiment Results run",
            "report": "Report report",
        },
        packages="comparison decision evidence figures integrations intervals learners measures protocols runner stats",
    )
