"""Counts: the sufficient statistics of rows. Counts of two pieces of evidence merge by addition.

Every measure that can be is a function of one of these, so it can be computed in memory, by a columnar engine over
files larger than memory, or piece by piece on a cluster, with the same result.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import FloatArray


@dataclass(frozen=True)
class ConfusionCounts:
    """How often each true class (rows) was called each class (columns).

    Cells are whole numbers, or sums of weights when the evidence is weighted.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_arrays(["no", "yes", "yes"], y_pred={"a": ["no", "yes", "no"]}, pos_label="yes")
    >>> rows = p.table()
    >>> rows.confusion("a").cells.tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """

    classes: tuple[Hashable, ...]
    cells: FloatArray

    def __add__(self, other: ConfusionCounts) -> ConfusionCounts:
        _same(self.classes, other.classes, "classes")
        return ConfusionCounts(self.classes, self.cells + other.cells)

    @property
    def n(self) -> float:
        """Total count (or weight)."""
        return float(self.cells.sum())


@dataclass(frozen=True)
class JointCounts:
    """How often each pattern (true class, class by model 1, class by model 2, …) occurred.

    Attributes
    ----------
    patterns
        Class codes, ``[m, 1 + k]``, sorted; only patterns that occurred.
    counts
        Count (or weight) of each pattern, ``[m]``.

    Examples
    --------
    >>> import bakeoff
    >>> rows = bakeoff.Predictions.from_arrays([0, 1, 1], y_pred={"a": [0, 1, 0], "b": [0, 0, 1]}).table()
    >>> rows.joint(["a", "b"]).counts.tolist()
    [1.0, 1.0, 1.0]
    """

    classes: tuple[Hashable, ...]
    models: tuple[str, ...]
    patterns: NDArray[np.int32]
    counts: FloatArray

    def __add__(self, other: JointCounts) -> JointCounts:
        _same(self.classes, other.classes, "classes")
        _same(self.models, other.models, "models")
        stacked = np.concatenate([self.patterns, other.patterns])
        return tally_patterns(self.classes, self.models, stacked, np.concatenate([self.counts, other.counts]))

    @property
    def n(self) -> float:
        """Total count (or weight)."""
        return float(self.counts.sum())

    def correct(self) -> NDArray[np.bool_]:
        """Which models are right in each pattern, ``[m, k]``."""
        return np.asarray(self.patterns[:, 1:] == self.patterns[:, :1])

    def confusion(self, model: str, counts: FloatArray | None = None) -> FloatArray:
        """Marginal confusion cells of one model; `counts` may be replicates ``[B, m]``, giving ``[B, K, K]``."""
        counts = self.counts if counts is None else counts
        k = len(self.classes)
        column = 1 + self.models.index(model)
        flat = self.patterns[:, 0].astype(np.int64) * k + self.patterns[:, column]
        membership = np.zeros((flat.size, k * k))
        membership[np.arange(flat.size), flat] = 1.0
        cells: FloatArray = (counts @ membership).reshape(*counts.shape[:-1], k, k)
        return cells


def tally_patterns(
    classes: tuple[Hashable, ...], models: tuple[str, ...], codes: NDArray[np.integer], weight: FloatArray | None
) -> JointCounts:
    """Count distinct rows of class codes ``[n, 1 + k]``."""
    k = max(len(classes), 1)
    if k ** codes.shape[1] < 2**62:  # the pattern fits one integer: a single fast sort
        key = np.zeros(codes.shape[0], dtype=np.int64)
        for column in codes.T:
            key = key * k + column
        distinct, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        patterns = codes[first]
    else:
        patterns, inverse = np.unique(codes, axis=0, return_inverse=True)
        distinct = patterns
    counts = np.bincount(np.ravel(inverse), weights=weight, minlength=len(distinct)).astype(np.float64)
    return JointCounts(classes, models, np.asarray(patterns, dtype=np.int32), counts)


@dataclass(frozen=True)
class ScoreTally:
    """How many positives and negatives have each distinct score; scores descend.

    It is sufficient for every measure of a binary scorer: ROC, AUC, average precision, log loss, Brier, calibration.

    Examples
    --------
    >>> import bakeoff
    >>> rows = bakeoff.Predictions.from_arrays([0, 1, 1, 0], y_score={"a": [0.1, 0.8, 0.5, 0.5]}).table()
    >>> tally = rows.tally("a")
    >>> tally.scores.tolist(), tally.positive.tolist(), tally.negative.tolist()
    ([0.8, 0.5, 0.1], [1, 1, 0], [0, 1, 1])
    """

    scores: FloatArray
    positive: FloatArray
    negative: FloatArray

    def __add__(self, other: ScoreTally) -> ScoreTally:
        # Both sides are sorted: a stable sort merges them in one pass, and equal neighbours are then added.
        order = np.argsort(np.concatenate([-self.scores, -other.scores]), kind="stable")
        scores = np.concatenate([self.scores, other.scores])[order]
        starts = np.flatnonzero(np.concatenate([[True], scores[1:] != scores[:-1]]))
        positive = np.add.reduceat(np.concatenate([self.positive, other.positive])[order], starts)
        negative = np.add.reduceat(np.concatenate([self.negative, other.negative])[order], starts)
        return ScoreTally(scores[starts], positive, negative)

    @property
    def n_positive(self) -> float:
        """Number (or weight) of positives."""
        return float(self.positive.sum())

    @property
    def n_negative(self) -> float:
        """Number (or weight) of negatives."""
        return float(self.negative.sum())


@dataclass(frozen=True)
class LossSums:
    """Moments of per-instance losses: enough for means and their standard errors.

    Attributes
    ----------
    weight, weight_squared
        Σw and Σw²; without weights both are the number of rows.
    total, total_squared
        Σwℓ and Σwℓ² for each column of losses.

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.evidence import LossSums
    >>> both = LossSums.of(np.array([0.0, 1.0])) + LossSums.of(np.array([1.0, 1.0]))
    >>> both.mean.tolist()
    [0.75]
    """

    weight: float
    weight_squared: float
    total: FloatArray
    total_squared: FloatArray

    def __add__(self, other: LossSums) -> LossSums:
        return LossSums(
            self.weight + other.weight,
            self.weight_squared + other.weight_squared,
            self.total + other.total,
            self.total_squared + other.total_squared,
        )

    @classmethod
    def of(cls, losses: FloatArray, weight: FloatArray | None = None) -> LossSums:
        """Sum the losses ``[n]`` or ``[n, m]``."""
        columns = losses.reshape(losses.shape[0], -1)
        w = np.ones(columns.shape[0]) if weight is None else weight
        return cls(float(w.sum()), float((w * w).sum()), w @ columns, w @ (columns * columns))

    @property
    def mean(self) -> FloatArray:
        """Weighted mean of each column."""
        return self.total / self.weight


def _same(mine: object, others: object, what: str) -> None:
    if mine != others:
        raise EvidenceError(f"counts add up only over the same {what}. Got {mine} and {others}.")
