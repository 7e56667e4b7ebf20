"""Comparison: how sure we are of a difference. The verbs `compare`, `advise` and `plan`, and what they return."""

from bakeoff.comparison._advise import Advice, advise
from bakeoff.comparison._catalogue import POSTHOCS, TESTS
from bakeoff.comparison._choose import Choice, choose
from bakeoff.comparison._compare import compare
from bakeoff.comparison._comparison import Comparison, PairComparison
from bakeoff.comparison._finding import BayesPair, Check, Omnibus
from bakeoff.comparison._guide import Answer, Guide, Leaf, Question, guide
from bakeoff.comparison._plan import Plan, plan
from bakeoff.comparison._situation import Situation
from bakeoff.comparison._words import measure_word as measure_word

__all__ = [
    "POSTHOCS",
    "TESTS",
    "Advice",
    "Answer",
    "BayesPair",
    "Check",
    "Choice",
    "Comparison",
    "Guide",
    "Leaf",
    "Omnibus",
    "PairComparison",
    "Plan",
    "Question",
    "Situation",
    "advise",
    "choose",
    "compare",
    "guide",
    "plan",
]
