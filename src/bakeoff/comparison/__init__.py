"""Comparison: how sure we are of a difference. The verbs `compare`, `advise` and `plan`, and the catalogue of tests."""

from bakeoff.comparison._advise import Advice, advise
from bakeoff.comparison._catalogue import Choice, catalogue, choose, plannable, register
from bakeoff.comparison._compare import compare
from bakeoff.comparison._comparison import Comparison, PairComparison
from bakeoff.comparison._conditions import Condition, DesignFacts
from bakeoff.comparison._entry import PostHoc, Reference, Test
from bakeoff.comparison._finish import add_pairs
from bakeoff.comparison._flips import Flips, FlipSlices, flips
from bakeoff.comparison._gate import Gate, GateSlices, gate, refuse_wide_margin
from bakeoff.comparison._guide import Answer, Guide, Leaf, Question, guide
from bakeoff.comparison._jobs import (
    BayesPair,
    Check,
    DatasetJob,
    Finding,
    FoldJob,
    InstanceJob,
    Job,
    Omnibus,
    Outcome,
    Pair,
)
from bakeoff.comparison._plan import Plan, plan
from bakeoff.comparison._planners import CannotPlan, PlanFacts, Planner, Planning
from bakeoff.comparison._posthocs import POSTHOCS
from bakeoff.comparison._protocol_advice import protocol_for
from bakeoff.comparison._rank_measures import rank_measures

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
    "FlipSlices",
    "Flips",
    "FoldJob",
    "Gate",
    "GateSlices",
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
    "add_pairs",
    "advise",
    "catalogue",
    "choose",
    "compare",
    "flips",
    "gate",
    "guide",
    "plan",
    "plannable",
    "protocol_for",
    "rank_measures",
    "refuse_wide_margin",
    "register",
]
