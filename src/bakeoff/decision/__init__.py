"""What to do in a context: operating contexts, ROC curves and hulls, isocost lines, cost curves, decisions.

What is imported ``as`` itself and not in ``__all__`` is for the packages above, not for users.
"""

from __future__ import annotations

from bakeoff.decision._analysis import RocAnalysis, cost_curves, roc, roc_one_vs_rest
from bakeoff.decision._averaging import average_roc
from bakeoff.decision._brier import brier_curve, brier_decomposition
from bakeoff.decision._calibration import calibration_curve
from bakeoff.decision._context import OperatingContext, shift_prevalence
from bakeoff.decision._context import as_context as as_context
from bakeoff.decision._cost_curve import CostCurve
from bakeoff.decision._curve import RocCurve
from bakeoff.decision._decide import decide
from bakeoff.decision._decision import Decision
from bakeoff.decision._decision_curves import DecisionCurves, decision_curves
from bakeoff.decision._det import det_curve
from bakeoff.decision._dominance import dominance
from bakeoff.decision._every_context import EveryContext as EveryContext
from bakeoff.decision._hull import HullVertex as HullVertex
from bakeoff.decision._hull import RocHull
from bakeoff.decision._instance_costs import InstanceCosts
from bakeoff.decision._isocost import IsocostLine as IsocostLine
from bakeoff.decision._isocost import isocost_line, tangent
from bakeoff.decision._multiclass import MulticlassContext
from bakeoff.decision._rules import BinaryRows as BinaryRows
from bakeoff.decision._rules import Rates as Rates
from bakeoff.decision._rules import RuleTable as RuleTable
from bakeoff.decision._rules import binary_rows as binary_rows
from bakeoff.decision._uncertain import UncertainContext
from bakeoff.decision._validation import Calibration, calibration

__all__ = [
    "Calibration", "CostCurve", "Decision", "DecisionCurves", "InstanceCosts", "MulticlassContext", "OperatingContext",
    "RocAnalysis", "RocCurve", "RocHull", "UncertainContext", "average_roc", "brier_curve", "brier_decomposition",
    "calibration", "calibration_curve", "cost_curves", "decide", "decision_curves", "det_curve", "dominance",
    "isocost_line", "roc", "roc_one_vs_rest", "shift_prevalence", "tangent",
]  # fmt: skip
