"""Hodges–Lehmann estimates and intervals of all pairs of columns at once, as `wilcoxon` gives each alone."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray
from bakeoff.stats.multiplicity import pair_indices
from bakeoff.stats.ranks._ranking import grid_keys
from bakeoff.stats.ranks._walsh import walsh_rows
from bakeoff.stats.ranks._wilcoxon import shift_limits, walsh_positions


class PairShifts:
    """Shift of every pair of columns (i < j) of a table ``[n, k]``, and its limits.

    Attributes
    ----------
    estimate
        Median of the Walsh averages of the differences, per pair.
    largest
        Largest absolute difference, per pair.
    """

    def __init__(self, table: FloatArray, level: float) -> None:
        self._columns = np.ascontiguousarray(table.T)
        self._pairs = pair_indices(table.shape[1])
        self._level = level
        count = self._pairs[0].size
        self.estimate, self.largest, self._limits = np.empty(count), np.empty(count), np.empty((count, 2))
        for start, stop in _runs(self._pairs[0]):
            first, second = (self._columns[index[start:stop]] for index in self._pairs)
            self.largest[start:stop] = np.abs(first - second).max(axis=1)
            rows = _decimal_differences(first, second)
            self.estimate[start:stop], self._limits[start:stop] = _medians_and_limits(rows, (1 - level) / 2)

    def limits(self, pair: int, level: float) -> tuple[float, float]:
        """Return the two-sided limits of one pair; those of the level given at the start are at hand."""
        if level == self._level:
            return float(self._limits[pair, 0]), float(self._limits[pair, 1])
        first, second = (self._columns[index[pair]] for index in self._pairs)
        low, high, _ = shift_limits(_decimal_differences(first, second), (1 - level) / 2)
        return low, high


def _decimal_differences(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return first − second; what is zero in decimal is zero."""
    differences = first - second
    differences[grid_keys(differences, np.maximum(np.abs(first), np.abs(second))) == 0] = 0.0
    return differences


def _runs(first: NDArray[np.intp]) -> list[tuple[int, int]]:
    """Pairs that share their first column, from where to where."""
    edges = np.flatnonzero(np.diff(first, prepend=-1, append=-1)).tolist()
    return list(pairwise(edges))


def _medians_and_limits(rows: FloatArray, tail: float) -> tuple[FloatArray, FloatArray]:
    """Return the Hodges–Lehmann estimate of every row, and its limits ``[rows, 2]``."""
    n = rows.shape[1]
    count, outside = n * (n + 1) // 2, walsh_positions(n, tail)
    found = walsh_rows(rows, [(count - 1) // 2, count // 2, max(outside, 1) - 1, count - max(outside, 1)])
    limits = found[:, 2:] if outside >= 1 else np.array([-np.inf, np.inf])
    return (found[:, 0] + found[:, 1]) / 2, limits
