"""What a procedure is given and what it hands back: the uniform shape between the families of tests and the verb."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bakeoff._core.language import tr
from bakeoff._core.notes import Note
from bakeoff._core.result import Interval, Result
from bakeoff._core.validation import FloatArray
from bakeoff.comparison._catalogue import title
from bakeoff.comparison._situation import Situation
from bakeoff.evidence import Rows

if TYPE_CHECKING:
    from bakeoff.measures import Measure

Limits = Callable[[float], tuple[float, float]]
"""Confidence level → low and high of the difference a − b."""


def limits_of(interval_at: Callable[[float], Interval]) -> Limits:
    """Turn a result's ``confidence_interval`` into limits at any level."""

    def limits(level: float) -> tuple[float, float]:
        interval = interval_at(level)
        return float(interval.low), float(interval.high)

    return limits


@dataclass(frozen=True)
class MeasureInfo:
    """What is known of a measure whose numbers were given: its name, direction and bounds."""

    name: str
    greater_is_better: bool
    bounds: tuple[float, float] = (-np.inf, np.inf)


@dataclass(frozen=True)
class Job:
    """A comparison to be made.

    Attributes
    ----------
    models, pairs
        Names, and the pairs (a, b) of their positions; with a control, every pair is (model, control).
    measure
        The measure, or what is known of it.
    rows, matrix
        The evidence: rows of one test set, or scores ``[units, models]`` of folds or data sets.
    n_train, n_test
        Mean sizes of training and test sets of the folds.
    folds
        Data set → its fold scores ``[J, models]``, where there are several data sets with folds.
    rope
        Half-width of the region of practical equivalence.
    """

    models: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    measure: Measure | MeasureInfo
    situation: Situation
    control: int | None = None
    rows: Rows | None = None
    matrix: FloatArray | None = None
    units: tuple[str, ...] = ()
    n_train: float | None = None
    n_test: float | None = None
    folds: tuple[FloatArray, ...] = ()
    overlap: tuple[float, ...] = ()
    alternative: str = "two-sided"
    level: float = 0.95
    n_resamples: int = 2000
    rng: np.random.Generator = field(default_factory=np.random.default_rng)
    rope: float = 0.0
    posthoc: str = "auto"

    @property
    def sign(self) -> int:
        """+1 when more is better, −1 when less is."""
        return 1 if self.measure.greater_is_better else -1

    def table(self) -> FloatArray:
        """Return the scores ``[units, models]``."""
        assert self.matrix is not None
        return self.matrix

    def evidence_rows(self) -> Rows:
        """Return the rows of the test set."""
        assert self.rows is not None
        return self.rows


@dataclass(frozen=True, repr=False)
class BayesPair(Result):
    """Posterior probabilities about one pair.

    Attributes
    ----------
    p_a_better, p_equivalent, p_b_better
        That a is better by more than `rope`, that the two are within it, that b is better by more.
    test
        Name of the Bayesian test.

    Examples
    --------
    >>> import bakeoff
    >>> scores = {"a": [0.81, 0.84, 0.79, 0.86, 0.83], "b": [0.80, 0.81, 0.80, 0.82, 0.80]}
    >>> evidence = bakeoff.Scores.from_cv_results(scores, measure="accuracy", n_train=80, n_test=20)
    >>> belief = bakeoff.compare(evidence, rng=0).bayes[0]
    >>> round(belief.p_a_better + belief.p_equivalent + belief.p_b_better, 6)
    1.0
    """

    model_a: str
    model_b: str
    p_a_better: float
    p_equivalent: float
    p_b_better: float
    rope: float
    test: str
    notes: tuple[Note, ...] = ()

    def flipped(self) -> BayesPair:
        """The same, with a and b exchanged."""
        return BayesPair(
            self.model_b, self.model_a, self.p_b_better, self.p_equivalent, self.p_a_better, self.rope, self.test,
            self.notes,
        )  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """What a test says about one pair, before allowing for the other pairs.

    Attributes
    ----------
    limits
        Interval of the difference at any level; the test against a margin inverts it.
    signed
        Whether the statistic changes its sign when a and b change places.
    simultaneous, joint
        The p-value that allows for all pairs by construction, and the limits that do, for procedures that have them.
    direction
        Sign of the difference the test saw, where it may differ from that of the estimate (rank tests).
    smallest_pvalue
        Least p-value the procedure can give.
    posterior
        For a Bayesian test: what decides instead of a p-value.
    """

    a: int
    b: int
    estimate: float
    statistic: float
    pvalue: float
    limits: Limits
    effect_size: float
    effect: str
    method: str
    signed: bool = True
    simultaneous: float | None = None
    joint: tuple[float, float] | None = None
    direction: float | None = None
    smallest_pvalue: float = 0.0
    posterior: BayesPair | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, repr=False)
class Omnibus(Result):
    """The test of all models together.

    Attributes
    ----------
    test
        Its name in the catalogue; `title` is its name in a sentence, in the active language.
    statistic, df, pvalue
        The answer; `df` has one or two numbers.
    statistic_name
        ``"chi2"`` or ``"F"``.
    details
        Further numbers of the test (Iman–Davenport's F beside Friedman's χ², epsilon and corrected p-values …).

    Examples
    --------
    >>> import bakeoff
    >>> right = {"a": [1] * 90 + [0] * 10, "b": [1] * 75 + [0] * 20 + [1] * 5, "c": [0] * 30 + [1] * 70}
    >>> omnibus = bakeoff.compare(bakeoff.Predictions.from_outcomes(right), rng=0).omnibus
    >>> omnibus.test, round(omnibus.statistic, 3)
    ('cochran-q', 10.909)
    """

    test: str
    statistic: float
    df: tuple[float, ...]
    pvalue: float
    statistic_name: str = "chi2"
    details: dict[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    @property
    def title(self) -> str:
        """The test as named in a sentence."""
        if self.test == "friedman" and self.statistic_name == "F":
            return tr("Friedman's test with Iman–Davenport's F")
        if self.test == "friedman":
            return tr("Friedman's test, exact")
        if self.test == "anova":
            return tr("repeated-measures analysis of variance with Greenhouse–Geisser's correction")
        return title(self.test)

    def _columns(self) -> dict[str, Sequence[Any]]:
        df = ", ".join(f"{d:g}" for d in self.df)
        row = {"test": self.test, "statistic": self.statistic, "df": df, "pvalue": self.pvalue}
        return {name: [value] for name, value in row.items()}


@dataclass(frozen=True, repr=False)
class Check(Result):
    """One assumption, looked at.

    Attributes
    ----------
    code
        Stable identifier: ``"normality"``, ``"sphericity"``, ``"outliers"`` …
    subject
        What was checked: a pair of models, a fold, all models.
    passed
        Whether nothing speaks against the assumption; None when it cannot be judged.
    statistic, pvalue
        Of the check, where it has them (NaN where not).
    message
        The sentence shown to the user.

    Examples
    --------
    >>> import bakeoff
    >>> scores = {"a": [0.81, 0.84, 0.79, 0.86, 0.83], "b": [0.80, 0.81, 0.80, 0.82, 0.80]}
    >>> evidence = bakeoff.Scores.from_cv_results(scores, measure="accuracy", n_train=80, n_test=20)
    >>> [check.code for check in bakeoff.compare(evidence, rng=0).checks]
    ['normality', 'outliers']
    """

    code: str
    subject: str
    passed: bool | None
    message: str
    statistic: float = float("nan")
    pvalue: float = float("nan")


@dataclass(frozen=True)
class Outcome:
    """What a procedure hands back."""

    findings: tuple[Finding, ...]
    values: FloatArray
    omnibus: Omnibus | None = None
    ranks: FloatArray | None = None
    bayes: tuple[BayesPair, ...] = ()
    checks: tuple[Check, ...] = ()
    critical_difference: float | None = None
    posthoc: str = ""
    notes: tuple[Note, ...] = ()
