"""Intervals: how sure we are of one number."""

from bakeoff._core.result import Interval
from bakeoff.intervals._evaluate import evaluate
from bakeoff.intervals._evaluation import Entry, Evaluation
from bakeoff.intervals._methods import METHODS, auto_method
from bakeoff.intervals._one import delta_standard_error, test_train_ratio
from bakeoff.intervals._replicates import Resampler

__all__ = [
    "METHODS",
    "Entry",
    "Evaluation",
    "Interval",
    "Resampler",
    "auto_method",
    "delta_standard_error",
    "evaluate",
    "test_train_ratio",
]
