"""Comparison: how sure we are of a difference. The verbs `compare`, `advise` and `plan`, and the catalogue of tests."""

from bakeoff.comparison._advise import Advice, advise
from bakeoff.comparison._catalogue import catalogue, plannable, register
from bakeoff.comparison._choose import Choice, choose
from bakeoff.comparison._compare import compare
from bakeoff.comparison._comparison import Comparison, PairComparison
from bakeoff.comparison._conditions import Condition
from bakeoff.comparison._entry import PostHoc, Reference, Test
from bakeoff.comparison._facts import DesignFacts
from bakeoff.comparison._guide import Answer, Guide, Leaf, Question, guide
from bakeoff.comparison._jobs import DatasetJob, FoldJob, InstanceJob, Job
from bakeoff.comparison._outcome import BayesPair, Check, Finding, Omnibus, Outcome, Pair
from bakeoff.comparison._plan import Plan, plan
from bakeoff.comparison._planners import CannotPlan, PlanFacts, Planner, Planning
from bakeoff.comparison._posthocs import POSTHOCS

__all__ = [
    "POSTHOCS",
    "Advice",
    "Answer",
    "BayesPair",
    "CannotPlan",
    "Check",
    "Choice",
    "Comparison",
    "Condition",
    "DatasetJob",
    "DesignFacts",
    "Finding",
    "FoldJob",
    "Guide",
    "InstanceJob",
    "Job",
    "Leaf",
    "Omnibus",
    "Outcome",
    "Pair",
    "PairComparison",
    "Plan",
    "PlanFacts",
    "Planner",
    "Planning",
    "PostHoc",
    "Question",
    "Reference",
    "Test",
    "advise",
    "catalogue",
    "choose",
    "compare",
    "guide",
    "plan",
    "plannable",
    "register",
]
