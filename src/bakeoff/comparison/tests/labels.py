"""Labels of two models on the same rows, by name: predictive values by a score test; do they give the classes alike?"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text
from bakeoff._core.result import Note
from bakeoff._core.validation import BoolArray
from bakeoff.comparison._conditions import ACCURACY, BY_NAME, ON_ROWS, PREDICTIVE, UNGROUPED, UNWEIGHTED
from bakeoff.comparison._entry import Reference, Test
from bakeoff.comparison._jobs import Finding, InstanceJob, Outcome, Pair
from bakeoff.comparison._planners import CannotPlan
from bakeoff.comparison.tests._t import STANDARDISED, standardised
from bakeoff.comparison.tests.instances import mcnemar_pair
from bakeoff.comparison.tests.resampling import where_defined
from bakeoff.comparison.tests.rule import rule_finding, rule_of
from bakeoff.stats import bowker, stuart_maxwell
from bakeoff.stats.tables import SymmetryResult

# -- predictive values ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Calls:
    """Rows that each of two models calls, and which of them are right.

    Attributes
    ----------
    n_a, n_b, right_a, right_b
        Calls and right calls of each model.
    both_right, both_wrong
        Rows called by both.
    """

    n_a: int
    n_b: int
    right_a: int
    right_b: int
    both_right: int
    both_wrong: int

    @classmethod
    def of(cls, target: BoolArray, called: BoolArray) -> _Calls:
        (a, b), both = called.T, called.all(axis=1)
        counts = (a, b, a & target, b & target, both & target, both & ~target)
        return cls(*(int(rows.sum()) for rows in counts))

    @property
    def gap(self) -> float:
        """Difference of the two shares of right calls."""
        return self.right_a / self.n_a - self.right_b / self.n_b

    def variance(self, gap: float) -> float:
        """Of the difference if it were `gap`: both shares moved from the pooled one in proportion to the other's calls.

        At zero it is Kosinski's, at the observed difference the sandwich variance.
        """
        n = self.n_a + self.n_b
        pooled = (self.right_a + self.right_b) / n
        a, b = pooled + gap * self.n_b / n, pooled - gap * self.n_a / n
        shared = self.both_right * (1 - a) * (1 - b) + self.both_wrong * a * b
        return a * (1 - a) / self.n_a + b * (1 - b) / self.n_b - 2 * shared / (self.n_a * self.n_b)

    def limits(self, level: float) -> tuple[float, float]:
        """Differences that the score test does not reject: (gap − δ)² ≤ z² V(δ), a quadratic in δ."""
        from scipy.special import ndtri

        z2 = float(ndtri((1 + level) / 2)) ** 2
        below, at, above = (self.variance(d) for d in (-1.0, 0.0, 1.0))
        square, slope = (above + below) / 2 - at, (above - below) / 2
        a, b, c = 1 - z2 * square, -2 * self.gap - z2 * slope, self.gap**2 - z2 * at
        root = math.sqrt(max(b * b - 4 * a * c, 0.0))
        return max((-b - root) / (2 * a), -1.0), min((-b + root) / (2 * a), 1.0)


def _generalized_score(job: InstanceJob) -> Outcome:
    only_true_negatives = np.array([[1.0, 0.0], [0.0, 0.0]])
    turned = job.measure.has_share and float(job.measure.share(only_true_negatives, 1)[0]) > 0  # NPV
    positive = np.asarray(job.rows.positives())
    called = np.stack([job.rows.labels(m) == job.rows.positive for m in job.models], axis=1)
    target, called = (~positive, ~called) if turned else (positive, called)

    def of_pair(pair: Pair, gap: float) -> Finding:
        return _score_finding(job, pair, _Calls.of(target, called[:, list(pair)]))

    return where_defined(job, "generalised score", of_pair)


def _score_finding(job: InstanceJob, pair: Pair, calls: _Calls) -> Finding:
    from scipy.special import ndtr

    variance = calls.variance(0.0)
    if calls.variance(calls.gap) <= 1e-15 or variance <= 1e-15:  # alike, or never wrong: rows not seen decide
        return rule_finding(rule_of(job), pair, job.models, job.alternative, "generalised score")
    z = calls.gap / math.sqrt(variance)
    one_sided = {"greater": float(ndtr(-z)), "less": float(ndtr(z))}
    return Finding(
        pair=pair, estimate=calls.gap, statistic=z * z, limits=calls.limits, signed=False,
        pvalue=one_sided.get(job.alternative, 2 * float(ndtr(-abs(z)))), method="weighted generalised score",
        effect_size=standardised(calls.gap, math.sqrt(variance), job.rows.n), effect=STANDARDISED,
    )  # fmt: skip


# -- the labels themselves --------------------------------------------------------------------------------------------


def _label_test(procedure: Callable[[ArrayLike, ArrayLike], SymmetryResult], method: str) -> Callable[..., Outcome]:
    def run(job: InstanceJob) -> Outcome:
        if not job.rows.classes:
            raise EvidenceError(
                "a test of labels needs the labels that the models gave; there are only outcomes.",
                hint="give y_pred=, or compare how often they are right with test='auto'",
            )
        if job.alternative != "two-sided":
            raise ParameterError(f"a test of labels is two-sided. Got alternative={job.alternative!r}.")
        counted = job.counted()
        found = []
        for pair in job.pairs:
            result = procedure(*(job.rows.labels(job.models[i]) for i in pair))
            own: dict[str, Any] = {name: getattr(result, name) for name in ("statistic", "pvalue", "notes")}
            made = mcnemar_pair(job, counted, pair)
            found.append(replace(made, method=method, direction=0.0, **own))  # no direction: nobody is shown better
        return Outcome(tuple(found), counted.mean(axis=0), notes=(_ABOUT_LABELS,))

    return run


_ABOUT_LABELS = Note(
    "about-labels",
    Text(
        "The p-value asks whether the two models give the classes alike, not which of them is right more often; the "
        "interval is of the accuracy."
    ),
)
_NO_PLAN = CannotPlan(Text("it is about labels; plan for accuracy with mcnemar"))

TESTS = (
    Test(
        name="generalized-score",
        label=Text("the weighted generalised score test"),
        reads=InstanceJob,
        run=_generalized_score,
        needs=(*ON_ROWS, PREDICTIVE, UNWEIGHTED, UNGROUPED, BY_NAME),
        also=Text("valid here too, for precision and NPV of plain rows"),
        plan=CannotPlan(Text("plan for rule, from a pilot")),
        references=(
            Reference(
                "Kosinski (2013), A weighted generalized score statistic for comparison of predictive values of "
                "diagnostic tests",
                "10.1002/sim.5587",
            ),
            Reference(
                "Leisenring, Alonzo and Pepe (2000), Comparisons of predictive values of binary medical diagnostic "
                "tests for paired designs",
                "10.1111/j.0006-341X.2000.00345.x",
            ),
        ),
    ),
    Test(
        name="stuart-maxwell",
        label=Text("the Stuart–Maxwell test"),
        reads=InstanceJob,
        run=_label_test(stuart_maxwell, "Stuart–Maxwell of the labels, Tango score interval of the accuracy"),
        needs=(*ON_ROWS, ACCURACY, UNWEIGHTED, UNGROUPED, BY_NAME),
        also=Text("asks whether the models give each class equally often, not how often they are right"),
        plan=_NO_PLAN,
        references=(
            Reference(
                "Stuart (1955), A test for homogeneity of the marginal distributions in a two-way classification",
                "10.1093/biomet/42.3-4.412",
            ),
        ),
    ),
    Test(
        name="bowker",
        label=Text("Bowker's test"),
        reads=InstanceJob,
        run=_label_test(bowker, "Bowker of the labels, Tango score interval of the accuracy"),
        needs=(*ON_ROWS, ACCURACY, UNWEIGHTED, UNGROUPED, BY_NAME),
        also=Text("asks whether the models exchange classes evenly, not how often they are right"),
        plan=_NO_PLAN,
        references=(
            Reference("Bowker (1948), A test for symmetry in contingency tables", "10.1080/01621459.1948.10483284"),
        ),
    ),
)
