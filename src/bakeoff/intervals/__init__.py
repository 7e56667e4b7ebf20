"""Intervals: how sure we are of one number."""

from bakeoff._core.result import Interval
from bakeoff.intervals._closed_forms import METHODS, auto_method
from bakeoff.intervals._evaluate import evaluate
from bakeoff.intervals._evaluation import Entry, Evaluation

__all__ = ["METHODS", "Entry", "Evaluation", "Interval", "auto_method", "evaluate"]
