"""Jobs: a comparison to be made, by design. A test names the kind it reads; `prepare` makes them from evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol, TypeVar

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.notes import Note
from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.comparison._conditions import (
    HAS_FOLDS,
    MEAN_OF_ROWS,
    ON_ROWS,
    ON_SCORES,
    PAIRS,
    ROWS_OVER_FOLDS,
    Condition,
)
from bakeoff.comparison._facts import DesignFacts
from bakeoff.comparison._outcome import Pair
from bakeoff.counts import Sums
from bakeoff.evidence import Rows, Split
from bakeoff.intervals import Claim
from bakeoff.measures import Measure, Value, compute


class MeasureFacts(Protocol):
    """What a comparison asks of any measure, whether it is computed here or its numbers were given."""

    @property
    def name(self) -> str:
        """As in the catalogue of measures."""

    @property
    def greater_is_better(self) -> bool:
        """Its direction."""

    @property
    def bounds(self) -> tuple[float, float]:
        """Its smallest and largest value."""


@dataclass(frozen=True)
class GivenMeasure:
    """A measure whose numbers were given: nothing is known of how it is computed."""

    name: str
    greater_is_better: bool
    bounds: tuple[float, float] = (-np.inf, np.inf)


@dataclass(frozen=True, kw_only=True)
class Question:
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
    measure: MeasureFacts
    facts: DesignFacts
    question: Question

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
        """What the measure counts on each row, ``[n, k]``: right answers for accuracy, wrong ones for error."""
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
        form = self.measure.form.of(self.rows, self.models, self.measure.needs)
        return form.terms[:, :, 0] if isinstance(form, Sums) else self.counted().astype(np.float64)


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
    units: tuple[str, ...]

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
    """The evidence in every way a test may read it; the first is the way of its design."""

    every: tuple[Job, ...]
    notes: tuple[Note, ...] = ()

    @property
    def first(self) -> Job:
        """The job of the design."""
        return self.every[0]

    def of(self, kind: type[J]) -> J:
        """Return the job of a kind; `choose` has seen to it that there is one."""
        return next(job for job in self.every if isinstance(job, kind))
