"""What to do in a context: operating contexts, ROC curves and hulls, isocost lines, cost curves, decisions."""

from __future__ import annotations

from bakeoff.decision._context import OperatingContext, shift_prevalence
from bakeoff.decision._multiclass import MulticlassContext

__all__ = ["MulticlassContext", "OperatingContext", "shift_prevalence"]
