"""Comparison: how sure we are of a difference. The verbs `compare`, `advise` and `plan`, and what they return."""

from bakeoff.comparison._catalogue import POSTHOCS, TESTS
from bakeoff.comparison._choose import Choice, choose
from bakeoff.comparison._compare import compare
from bakeoff.comparison._comparison import Comparison, PairComparison
from bakeoff.comparison._finding import BayesPair, Check, Omnibus
from bakeoff.comparison._situation import Situation

__all__ = [
    "POSTHOCS",
    "TESTS",
    "BayesPair",
    "Check",
    "Choice",
    "Comparison",
    "Omnibus",
    "PairComparison",
    "Situation",
    "choose",
    "compare",
]
