"""A model's rows sorted by score, once: what a replicate's AUC is read from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bakeoff.stats._kernels._order import sorted_order

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Ranking = tuple[IntArray, FloatArray]

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


def rank_layout(
    positive: BoolArray, score: FloatArray, unit: IntArray, n_units: int, ranking: Ranking | None = None
) -> RankLayout:
    """Sort a model's rows by score (or take its `sorted_order`): O(n log n), and then never again."""
    order, ranked = sorted_order(score) if ranking is None else ranking
    is_positive = positive[order]
    same = ranked[1:] == ranked[:-1]
    if same.any():
        order, is_positive = _negatives_first(order, is_positive, same)
        ties = _mixed_ties(np.flatnonzero(np.concatenate([[True], ~same])), is_positive)
    else:
        ties = np.empty((0, 3), dtype=np.int64)
    return RankLayout(unit[order].astype(np.int32), is_positive.astype(np.uint8), ties, n_units)


def _negatives_first(order: IntArray, is_positive: BoolArray, same: BoolArray) -> tuple[IntArray, BoolArray]:
    """Put the negatives of every tie before its positives."""
    tied = np.concatenate([same, [False]]) | np.concatenate([[False], same])
    places = np.flatnonzero(tied)
    group = np.cumsum(np.concatenate([[True], ~same]))[places]
    by = np.argsort(2 * group + is_positive[places], kind="stable")
    order, is_positive = order.copy(), is_positive.copy()
    order[places], is_positive[places] = order[places[by]], is_positive[places[by]]
    return order, is_positive


def _mixed_ties(start: IntArray, is_positive: BoolArray) -> IntArray:
    """Find the runs of equal scores that hold both classes: start, first positive, end."""
    end = np.append(start[1:], is_positive.size)
    n_positive = np.add.reduceat(is_positive.astype(np.int64), start)
    mixed = (n_positive > 0) & (n_positive < end - start)
    return np.stack([start, end - n_positive, end], axis=1)[mixed]
