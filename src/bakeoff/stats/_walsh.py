"""Walsh averages: the means of all pairs of differences, from which Wilcoxon's estimate and interval are read."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray

_DIRECT_LIMIT = 1500  # up to here all n(n+1)/2 averages fit comfortably in memory


def walsh_order_statistics(differences: FloatArray, positions: list[int]) -> list[float]:
    """Return the Walsh averages (d_i + d_j)/2, i <= j, at the given positions of their sorted list (from 0)."""
    values = np.sort(differences)
    if values.size <= _DIRECT_LIMIT:
        first, second = _pairs_of(values.size)
        averages = (values[first] + values[second]) / 2
        averages.partition(sorted(set(positions)))
        return [float(averages[p]) for p in positions]
    return [_select(values, position) for position in positions]


@lru_cache(maxsize=2)
def _pairs_of(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Indices i <= j of all pairs; kept, because all pairs of models share one number of data sets."""
    first, second = np.triu_indices(n)
    return first, second


def hodges_lehmann(differences: FloatArray) -> float:
    """Return the median of the Walsh averages."""
    count = differences.size * (differences.size + 1) // 2
    low, high = walsh_order_statistics(differences, [(count - 1) // 2, count // 2])
    return (low + high) / 2


def _select(values: FloatArray, position: int) -> float:
    """Bisect for the smallest value with more than `position` Walsh averages at or below it, then snap to an average.

    Counting the averages up to a value takes one pass over the sorted differences, so no list of n²/2 is made.
    """
    low, high = float(values[0]), float(values[-1])
    while True:
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if _count(values, middle) > position else (middle, high)
    return low if _count(values, low) > position else high


def _count(values: FloatArray, bound: float) -> int:
    """Count the Walsh averages (i <= j) not above the bound."""
    below = np.searchsorted(values, 2 * bound - values, side="right")
    index = np.arange(values.size)
    return int(np.maximum(below - index, 0).sum())
