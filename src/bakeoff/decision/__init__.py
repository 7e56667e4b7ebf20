"""What to do in a context: operating contexts, ROC curves and hulls, isocost lines, cost curves, decisions."""

from __future__ import annotations

from bakeoff.decision._analysis import OneVsRest, RocAnalysis, cost_curves, roc, roc_one_vs_rest
from bakeoff.decision._averaging import AverageRoc, average_roc
from bakeoff.decision._brier import BrierCurve, BrierDecomposition, brier_curve, brier_decomposition
from bakeoff.decision._calibration import CalibrationCurve, calibration_curve
from bakeoff.decision._context import OperatingContext, shift_prevalence
from bakeoff.decision._cost_bands import CostBand, CostDifference
from bakeoff.decision._cost_curve import CostCurve, ExpectedCosts, LowerEnvelope
from bakeoff.decision._curve import RocCurve
from bakeoff.decision._decide import decide
from bakeoff.decision._decision import Alternative, Decision, HoldsFor
from bakeoff.decision._det import DetCurve, det_curve, equal_error_rate
from bakeoff.decision._dominance import Dominance, Dominated, Envelope, dominance
from bakeoff.decision._hull import HullVertex, RocHull, Vertices
from bakeoff.decision._instance_costs import InstanceCosts, Savings
from bakeoff.decision._isocost import IsocostLine, Tangent, isocost_line, tangent
from bakeoff.decision._multiclass import MulticlassContext
from bakeoff.decision._point import OperatingPoint
from bakeoff.decision._ranges import ContextRange, ContextRanges
from bakeoff.decision._roc_bands import RocBand, roc_band
from bakeoff.decision._rules import Judged, RuleTable, judged_rows
from bakeoff.decision._uncertain import UncertainContext
from bakeoff.decision._uncertain import as_context as as_context

__all__ = [
    "Alternative",
    "AverageRoc",
    "BrierCurve",
    "BrierDecomposition",
    "CalibrationCurve",
    "ContextRange",
    "ContextRanges",
    "CostBand",
    "CostCurve",
    "CostDifference",
    "Decision",
    "DetCurve",
    "Dominance",
    "Dominated",
    "Envelope",
    "ExpectedCosts",
    "HoldsFor",
    "HullVertex",
    "InstanceCosts",
    "IsocostLine",
    "Judged",
    "LowerEnvelope",
    "MulticlassContext",
    "OneVsRest",
    "OperatingContext",
    "OperatingPoint",
    "RocAnalysis",
    "RocBand",
    "RocCurve",
    "RocHull",
    "RuleTable",
    "Savings",
    "Tangent",
    "UncertainContext",
    "Vertices",
    "average_roc",
    "brier_curve",
    "brier_decomposition",
    "calibration_curve",
    "cost_curves",
    "decide",
    "det_curve",
    "dominance",
    "equal_error_rate",
    "isocost_line",
    "judged_rows",
    "roc",
    "roc_band",
    "roc_one_vs_rest",
    "shift_prevalence",
    "tangent",
]
