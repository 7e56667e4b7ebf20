"""What to do in a context: operating contexts, ROC curves and hulls, isocost lines, cost curves, decisions."""

from __future__ import annotations

from bakeoff.decision._context import OperatingContext, shift_prevalence
from bakeoff.decision._cost_bands import CostBand, CostDifference
from bakeoff.decision._cost_curve import CostCurve, ExpectedCosts, LowerEnvelope
from bakeoff.decision._curve import RocCurve
from bakeoff.decision._dominance import Dominance, Dominated, Envelope, dominance
from bakeoff.decision._hull import HullVertex, RocHull, Vertices
from bakeoff.decision._instance_costs import InstanceCosts, Savings
from bakeoff.decision._isocost import IsocostLine, Tangent, isocost_line, tangent
from bakeoff.decision._multiclass import MulticlassContext
from bakeoff.decision._point import OperatingPoint
from bakeoff.decision._ranges import ContextRange, ContextRanges
from bakeoff.decision._uncertain import UncertainContext

__all__ = [
    "ContextRange",
    "ContextRanges",
    "CostBand",
    "CostCurve",
    "CostDifference",
    "Dominance",
    "Dominated",
    "Envelope",
    "ExpectedCosts",
    "HullVertex",
    "InstanceCosts",
    "IsocostLine",
    "LowerEnvelope",
    "MulticlassContext",
    "OperatingContext",
    "OperatingPoint",
    "RocCurve",
    "RocHull",
    "Savings",
    "Tangent",
    "UncertainContext",
    "Vertices",
    "dominance",
    "isocost_line",
    "shift_prevalence",
    "tangent",
]
