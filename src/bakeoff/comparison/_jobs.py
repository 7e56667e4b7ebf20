"""What a test is given and what it hands back.

A job is a comparison to be made, by design; a test names the kind it reads, and `prepare` makes them from evidence. An
outcome has findings about pairs, the test of all models together, posteriors and checks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.language import Text
from bakeoff._core.result import Interval, Note, Result, Written
from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.comparison._conditions import (
    HAS_FOLDS,
    MEAN_OF_ROWS,
    ON_ROWS,
    ON_SCORES,
    PAIRS,
    ROWS_OVER_FOLDS,
    Condition,
    DesignFacts,
)
from bakeoff.evidence import Rows, Split
from bakeoff.intervals import Claim
from bakeoff.measures import Measure, Trait, Value, compute, losses_of

Limits = Callable[[float], tuple[float, float]]
"""Confidence level → low and high of the difference a − b."""


class Pair(NamedTuple):
    """Two models by their positions; with a control, b is the control."""

    a: int
    b: int


def limits_of(interval_at: Callable[[float], Interval]) -> Limits:
    """Turn a result's ``confidence_interval`` into limits at any level."""

    def limits(level: float) -> tuple[float, float]:
        interval = interval_at(level)
        return float(interval.low), float(interval.high)

    return limits


@dataclass(frozen=True, repr=False, kw_only=True)
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
    >>> posterior = bakeoff.compare(evidence, rng=0).bayes[0]
    >>> round(posterior.p_a_better + posterior.p_equivalent + posterior.p_b_better, 6)
    1.0
    """

    model_a: str
    model_b: str
    p_a_better: float
    p_equivalent: float
    p_b_better: float
    rope: float
    test: str = ""
    notes: tuple[Note, ...] = ()

    def flipped(self) -> BayesPair:
        """The same, with a and b exchanged."""
        return replace(
            self,
            model_a=self.model_b,
            model_b=self.model_a,
            p_a_better=self.p_b_better,
            p_b_better=self.p_a_better,
        )


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What a test says about one pair, before allowing for the other pairs.

    Attributes
    ----------
    limits
        Interval of the difference at any level; the test against a margin inverts it.
    effect_size, effect
        Size of the effect with the sign of a − b, and which effect size it is.
    method
        The test, and the interval where it is another's.
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
    quotient
        a / b with its limits, where a quotient of the measure means something.
    values
        The measure of a and of b on the items of this pair, where pairs share other items than all models do.
    working
        The answer of `bakeoff.stats` behind it, or what makes it when it is called: what `steps` tells.
    """

    pair: Pair
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
    quotient: tuple[float, float, float] | None = None
    values: tuple[float, float] | None = None
    working: Any = None
    notes: tuple[Note, ...] = ()

    @classmethod
    def of(cls, answer: Any, **more: Any) -> Finding:
        """A finding from an answer of `bakeoff.stats`; what differs from the answer's own fields is given."""
        own = {name: getattr(answer, name) for name in ("estimate", "statistic", "pvalue", "notes") if name not in more}
        return cls(**{"limits": limits_of(answer.confidence_interval), "working": answer, **own, **more})


@dataclass(frozen=True, repr=False, kw_only=True)
class Omnibus(Result):
    """The test of all models together.

    Attributes
    ----------
    test
        Its name in the catalogue; `title` is its name in a sentence, in the reader's language.
    statistic, df, pvalue
        The answer; `df` has one or two numbers.
    statistic_name
        ``"chi2"`` or ``"F"``.
    details
        Further numbers of the test (Iman–Davenport's F with Friedman's χ², epsilon and corrected p-values …).

    Examples
    --------
    >>> import bakeoff
    >>> right = {"a": [1] * 90 + [0] * 10, "b": [1] * 75 + [0] * 20 + [1] * 5, "c": [0] * 30 + [1] * 70}
    >>> omnibus = bakeoff.compare(bakeoff.Predictions.from_outcomes(right), rng=0).omnibus
    >>> omnibus.test, round(omnibus.statistic, 3)
    ('cochran-q', 10.909)
    """

    test: str = ""
    statistic: float
    df: tuple[float, ...]
    pvalue: float
    statistic_name: str = "chi2"
    details: dict[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    _label: Text | str = ""
    _working: Any = field(default=None, compare=False)

    @property
    def title(self) -> str:
        """The test as named in a sentence."""
        return str(self._label)

    @classmethod
    def of(cls, answer: Any, **more: Any) -> Omnibus:
        """An answer of `bakeoff.stats` on all models; what differs from the answer's own fields is given."""
        own = {name: getattr(answer, name) for name in ("statistic", "pvalue", "notes")}
        df = tuple(float(d) for d in np.atleast_1d(answer.df))
        return cls(**{**own, "df": df, "_working": answer, **more})

    def named(self, test: str, label: Text) -> Omnibus:
        """The same as the answer of a test of the catalogue."""
        return replace(self, test=test, _label=label)

    def _columns(self) -> dict[str, Sequence[Any]]:
        df = ", ".join(f"{d:g}" for d in self.df)
        row = {"test": self.test, "statistic": self.statistic, "df": df, "pvalue": self.pvalue}
        return {name: [value] for name, value in row.items()}


@dataclass(frozen=True, repr=False)
class Check(Written, Result):
    """One assumption, looked at.

    Attributes
    ----------
    code
        Stable identifier: ``"normality"``, ``"sphericity"``, ``"outliers"`` …
    subject
        What was checked: a pair of models, a fold, all models.
    passed
        Whether there is no evidence against the assumption; None when it cannot be evaluated.
    text, message
        What was seen: the sentence, which follows the reader's language, and the same in English.
    statistic, pvalue
        Of the check, where it has them (NaN where not).

    Examples
    --------
    >>> import bakeoff
    >>> scores = {"a": [0.81, 0.84, 0.79, 0.86, 0.83], "b": [0.80, 0.81, 0.80, 0.82, 0.80]}
    >>> evidence = bakeoff.Scores.from_cv_results(scores, measure="accuracy", n_train=80, n_test=20)
    >>> [check.code for check in bakeoff.compare(evidence, rng=0).checks]
    ['normality', 'outliers']
    """

    _written = ("code", "subject", "passed", "message", "statistic", "pvalue")

    code: str
    subject: str
    passed: bool | None
    text: Text
    statistic: float = float("nan")
    pvalue: float = float("nan")

    @property
    def message(self) -> str:
        """What was seen, in English."""
        return self.text.english


@dataclass(frozen=True)
class Outcome:
    """What a test hands back.

    Attributes
    ----------
    findings
        One per pair of the job; none where another test or a post hoc compares the pairs.
    values
        The measure of each model, ``[k]``.
    ranks
        Mean rank of each model, ``[k]``, 1 is best.
    bayes
        Posterior of each pair, from a Bayesian test.
    """

    findings: tuple[Finding, ...]
    values: FloatArray
    omnibus: Omnibus | None = None
    ranks: FloatArray | None = None
    bayes: tuple[BayesPair, ...] = ()
    checks: tuple[Check, ...] = ()
    critical_difference: float | None = None
    notes: tuple[Note, ...] = ()


# -- jobs -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GivenMeasure:
    """A measure whose numbers were given: nothing is known of how it is computed."""

    name: str
    greater_is_better: bool
    bounds: tuple[float, float] = (-np.inf, np.inf)


@dataclass(frozen=True, kw_only=True)
class Request:
    """What was asked, apart from the evidence and the measure.

    Attributes
    ----------
    control
        The model that every other is compared with; None: all pairs.
    level
        Confidence level of the intervals; 1 − level is the level of the tests.
    margin
        The largest difference that does not matter; None: not asked.
    over
        Over data sets: whether a margin is on the ``"mean"`` or the ``"median"`` difference.
    claim
        Over folds: about this ``"kind"`` of model, or the ``"fitted"`` models.
    asked_rope
        Half-width of the region of practical equivalence as given; see `Job.rope`.
    """

    control: str | None = None
    alternative: str = "two-sided"
    level: float = 0.95
    margin: float | None = None
    n_resamples: int = 2000
    rng: np.random.Generator = field(default_factory=np.random.default_rng)
    claim: Claim = "kind"
    over: Literal["mean", "median"] = "mean"
    asked_rope: float | None = None


@dataclass(frozen=True, kw_only=True)
class Job:
    """A comparison to be made: what every design has. A test that reads this is given the job of the design.

    Attributes
    ----------
    models, pairs
        Names, and the pairs (a, b) of their positions; with a control, every pair is (model, control).
    measure, facts, question
        What is compared, on what design, and what was asked.
    """

    needs: ClassVar[tuple[Condition, ...]] = (PAIRS,)

    models: tuple[str, ...]
    pairs: tuple[Pair, ...]
    measure: Measure | GivenMeasure
    facts: DesignFacts
    question: Request

    @property
    def sign(self) -> int:
        """+1 when more is better, −1 when less is."""
        return 1 if self.measure.greater_is_better else -1

    @property
    def against_control(self) -> bool:
        """Whether every model is compared with one control only."""
        return self.question.control is not None

    @property
    def alternative(self) -> str:
        """Side of the tests: a − b > 0 is ``"greater"``, in the measure's own units."""
        return self.question.alternative

    @property
    def level(self) -> float:
        """Confidence level."""
        return self.question.level

    @property
    def rope(self) -> float:
        """Half-width of the region of practical equivalence: as asked, else the margin, else 0.01 of a 0–1 scale."""
        if self.question.asked_rope is not None:
            return self.question.asked_rope
        if self.question.margin is not None:
            return float(self.question.margin)
        return 0.01 if tuple(self.measure.bounds) == (0.0, 1.0) else 0.0

    def unit_values(self) -> FloatArray:
        """A value for every unit and model, ``[units, k]``, whose means are compared."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class InstanceJob(Job):
    """Models on the same instances: rows with truth and every model's answers."""

    needs: ClassVar[tuple[Condition, ...]] = ON_ROWS

    measure: Measure
    rows: Rows

    def values(self) -> list[Value]:
        """The measure of each model over all rows."""
        return [compute(self.measure, self.rows, m) for m in self.models]

    def counted(self) -> BoolArray:
        """What the measure counts on each row, ``[n, k]``: right answers for accuracy, wrong ones for error.

        Of items it is what their outcomes mark, which may be something of which less is better (crashes, refusals).
        """
        if self.measure.has(Trait.OF_ITEMS):
            return np.asarray(losses_of(self.measure, self.rows, self.models) > 0)
        right = np.stack([self.rows.correct(m) for m in self.models], axis=1)
        return np.asarray(right if self.measure.greater_is_better else ~right)

    def in_class(self) -> BoolArray:
        """The rows that a share of right answers is about: all, or those of one class."""
        if self.measure.within in (None, "all"):
            return np.ones(self.rows.n, dtype=bool)
        return np.asarray(self.rows.positives() == (self.measure.within == "positive"))

    def groups(self) -> IntArray:
        """Unit of each row: its group, or the instance it answers; every row is its own where there are neither."""
        units = self.rows.units
        return np.arange(units.rows) if units.of_row is None else units.of_row

    def unit_values(self) -> FloatArray:
        """The value on each instance whose mean is the measure."""
        if not MEAN_OF_ROWS.holds(self.facts):
            raise EvidenceError(
                f"the test {MEAN_OF_ROWS.reason(self.facts)}.", hint="test='auto' takes a test for this measure"
            )
        if self.measure.has(Trait.RIGHT_OR_WRONG):
            return self.counted().astype(np.float64)
        return losses_of(self.measure, self.rows, self.models)


@dataclass(frozen=True, kw_only=True)
class RowsOverFoldsJob(Job):
    """Models on the same rows over the folds of one data set: every row with every model's answer, once a repeat."""

    needs: ClassVar[tuple[Condition, ...]] = (ROWS_OVER_FOLDS,)

    measure: Measure
    rows: Rows


@dataclass(frozen=True, kw_only=True)
class ScoreJob(Job):
    """Models on the same units, one score each.

    Attributes
    ----------
    scores
        ``[units, k]``.
    units
        Name of each unit.
    """

    scores: FloatArray
    units: tuple[str | Text, ...]

    def unit_values(self) -> FloatArray:
        """The scores."""
        return self.scores


@dataclass(frozen=True, kw_only=True)
class FoldJob(ScoreJob):
    """Models on the train/test splits of one data set, whose training sets overlap."""

    needs: ClassVar[tuple[Condition, ...]] = (HAS_FOLDS,)

    splits: tuple[Split, ...]


@dataclass(frozen=True, kw_only=True)
class DatasetJob(ScoreJob):
    """Models on several data sets. A test asked for by name may also read splits as if they were data sets.

    Attributes
    ----------
    folds
        The fold scores of each data set, ``[J, k]`` each.
    overlap
        Share of a data set's rows that are in one test set, by data set: the correlation of its folds.
    """

    needs: ClassVar[tuple[Condition, ...]] = ON_SCORES

    folds: tuple[FloatArray, ...] = ()
    overlap: tuple[float, ...] = ()


@dataclass(frozen=True)
class SplitSizes:
    """Mean sizes of the training and test sets of several splits."""

    n_train: float
    n_test: float


def split_sizes(splits: Sequence[Split]) -> SplitSizes | None:
    """Mean sizes, where they are known of every split."""
    sized = [(s.n_train, s.n_test) for s in splits if s.n_train and s.n_test]
    if not sized or len(sized) < len(splits):
        return None
    return SplitSizes(float(np.mean([train for train, _ in sized])), float(np.mean([test for _, test in sized])))


J = TypeVar("J", bound=Job)


@dataclass(frozen=True)
class Jobs:
    """The evidence in every way a test may read it; the first is the way of its design.

    `apart` is there where models did not answer the same items: a pair's own jobs, on the items that it shares.
    `of_scores` are the notes for tests that read fold scores; `no_scores` says why there are none to read.
    """

    every: tuple[Job, ...]
    notes: tuple[Note, ...] = ()
    apart: Callable[[Pair], Jobs] | None = None
    of_scores: tuple[Note, ...] = ()
    no_scores: EvidenceError | None = None

    @property
    def first(self) -> Job:
        """The job of the design."""
        return self.every[0]

    def of(self, kind: type[J]) -> J:
        """Return the job of a kind; `choose` has seen to it that there is one, unless folds have no scores."""
        if self.no_scores is not None and not self.has(kind):
            raise self.no_scores
        return next(job for job in self.every if isinstance(job, kind))

    def has(self, kind: type[J]) -> bool:
        """Whether there is a job of a kind."""
        return any(isinstance(job, kind) for job in self.every)
