"""Counts: the sufficient statistics of rows. Counts of two pieces of evidence merge by addition.

Every measure that can be is a function of one of these, so it can be computed in memory, by a columnar engine over
files larger than memory, or piece by piece on a cluster, with the same result.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np

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
class FineTallies:
    """Each model's own tally, where scores of several models together are rounded to fewer bits.

    Or where only placements are known (`placed`): of each line, the mean share of the other class that its rows are
    ranked rightly against, model by model.
    """

    of: Mapping[str, ScoreTally]
    bits: int
    placed: Mapping[str, FloatArray] | None = None


def _same(mine: object, others: object, what: str) -> None:
    if mine != others:
        raise EvidenceError(f"counts add up only over the same {what}. Got {mine} and {others}.")
