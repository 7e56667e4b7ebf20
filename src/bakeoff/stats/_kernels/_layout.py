"""A model's rows sorted by score, once: what a replicate's AUC is read from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

RUN = 16  # rows per run of the AUC pass: 8 positives × 8 negatives × 31² < 2¹⁶, so 16-bit sums cannot overflow


@dataclass(frozen=True)
class RankLayout:
    """Rows in ascending order of score, negatives first among equals.

    Attributes
    ----------
    units
        Unit of each row in that order, ``[n]``.
    positive
        Class of each row in that order, 0 or 1, ``[n]``.
    ties
        Start, first positive and end of every score that both classes share, ``[ties, 3]``.
    n_units
        Number of units, which is also the number of the table's line of zeros.
    """

    units: NDArray[np.int32]
    positive: NDArray[np.uint8]
    ties: IntArray
    n_units: int

    @cached_property
    def steps(self) -> tuple[IntArray, IntArray]:
        """Units of the positives and of the negatives, 16 rows to a column, other places on the line of zeros."""
        columns = -(-self.units.size // RUN)
        sides = []
        for side in (1, 0):
            padded = np.full(columns * RUN, self.n_units, dtype=np.int64)
            padded[: self.units.size][self.positive == side] = self.units[self.positive == side]
            sides.append(np.ascontiguousarray(padded.reshape(columns, RUN).T))
        return sides[0], sides[1]


def rank_layout(positive: BoolArray, score: FloatArray, unit: IntArray, n_units: int) -> RankLayout:
    """Sort a model's rows by score: O(n log n), and then never again."""
    order, is_positive = _merge_by_score(positive, score)
    return RankLayout(
        units=unit[order].astype(np.int32),
        positive=is_positive.astype(np.uint8),
        ties=_mixed_ties(score[order], is_positive),
        n_units=n_units,
    )


def _merge_by_score(positive: BoolArray, score: FloatArray) -> tuple[IntArray, BoolArray]:
    """Sort each class by itself and merge: the order of rows and their classes in it."""
    down, up = np.flatnonzero(~positive), np.flatnonzero(positive)
    down, up = down[np.argsort(score[down])], up[np.argsort(score[up])]
    place = np.searchsorted(score[down], score[up], side="right") + np.arange(up.size)
    is_positive = np.zeros(score.size, dtype=np.bool_)
    is_positive[place] = True
    order = np.empty(score.size, dtype=np.int64)
    order[place] = up
    order[~is_positive] = down
    return order, is_positive


def _mixed_ties(ascending: FloatArray, is_positive: BoolArray) -> IntArray:
    """Find the runs of equal scores that hold both classes: start, first positive, end."""
    start = np.flatnonzero(np.concatenate([[True], ascending[1:] != ascending[:-1]]))
    end = np.append(start[1:], ascending.size)
    n_positive = np.add.reduceat(is_positive.astype(np.int64), start)
    mixed = (n_positive > 0) & (n_positive < end - start)
    return np.stack([start, end - n_positive, end], axis=1)[mixed]
