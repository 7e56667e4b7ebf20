"""Walsh averages: the means of all pairs of differences, from which Wilcoxon's estimate and interval are read.

There are n(n+1)/2 of them, but the one at a position is found without listing them all: in sorted differences the sums
of two ascend along rows and columns, so those up to a bound are counted in one pass, and a narrow bracket is listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.stats._kernels import thread_count
from bakeoff.stats.ranks import _rank_kernels

_DIRECT_LIMIT = 100  # up to here all averages are listed
_MOST_LISTED = 8  # times n: brackets are narrowed to this
_THREADS_FROM = 20_000  # differences from which threads pay


def walsh_order_statistics(differences: FloatArray, positions: Sequence[int]) -> list[float]:
    """Return the Walsh averages (d_i + d_j)/2, i <= j, at the given positions of their sorted list (from 0)."""
    return [float(value) for value in walsh_rows(differences[None, :], positions)[0]]


def walsh_rows(differences: FloatArray, positions: Sequence[int], n_jobs: int | None = None) -> FloatArray:
    """Return the same for every row of differences ``[rows, n]``: ``[rows, positions]``."""
    if _rank_kernels.in_c():
        threads = thread_count(n_jobs) if differences.size > _THREADS_FROM else 1
        return _rank_kernels.walsh_rows(differences, positions, threads)
    return walsh_rows_numpy(differences, positions)


def walsh_rows_numpy(differences: FloatArray, positions: Sequence[int]) -> FloatArray:
    """Return the same by NumPy alone."""
    run = _listed if differences.shape[1] <= _DIRECT_LIMIT else _selected
    return np.array([run(np.sort(row), positions) for row in differences]) / 2


def hodges_lehmann(differences: FloatArray) -> float:
    """Return the median of the Walsh averages."""
    count = differences.size * (differences.size + 1) // 2
    low, high = walsh_order_statistics(differences, [(count - 1) // 2, count // 2])
    return (low + high) / 2


def _listed(values: FloatArray, positions: Sequence[int]) -> list[float]:
    first, second = _pairs_of(values.size)
    sums = values[first] + values[second]
    sums.partition(sorted(set(positions)))
    return [float(sums[p]) for p in positions]


@lru_cache(maxsize=2)
def _pairs_of(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Indices i <= j of all pairs; kept, because all pairs of models share one number of data sets."""
    first, second = np.triu_indices(n)
    return first, second


def _selected(values: FloatArray, positions: Sequence[int]) -> list[float]:
    distinct, times = np.unique(values, return_counts=True)
    return [_between(distinct, times, position, *_bracket(distinct, times, position)) for position in positions]


def _upto(values: FloatArray, bound: float, side: Literal["left", "right"]) -> IntArray:
    """Where, for every i, the partners from i on end whose sum with it is below the bound, or (right) not above."""
    return np.maximum(np.searchsorted(values, bound - values, side), np.arange(values.size))


def _pairs_upto(times: IntArray, stop: IntArray) -> int:
    """Count the pairs that distinct values make with partners from themselves on up to where each stops."""
    before = np.concatenate([[0], np.cumsum(times)])
    own = times * (times + 1) // 2
    return int(np.where(stop > np.arange(times.size), own + times * (before[stop] - before[1:]), 0).sum())


def _bracket(values: FloatArray, times: IntArray, position: int) -> tuple[float, float]:
    """Bisect for bounds of the sum at a position, until few sums are between; wider than them by rounding errors."""
    low, high = 2 * float(values[0]), 2 * float(values[-1])
    margin = 8 * np.finfo(np.float64).eps * max(abs(low), abs(high))
    while int((_upto(values, high, "right") - _upto(values, low, "left")).sum()) > _MOST_LISTED * values.size:
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if _pairs_upto(times, _upto(values, middle, "right")) > position else (middle, high)
    return low - margin, high + margin


def _between(values: FloatArray, times: IntArray, position: int, low: float, high: float) -> float:
    """List the sums between two bounds, and return the one at a position of all."""
    start, stop = _upto(values, low, "left"), _upto(values, high, "right")
    first = np.repeat(np.arange(values.size), stop - start)
    second = np.arange(first.size) + np.repeat(stop - np.cumsum(stop - start), stop - start)
    sums = values[first] + values[second]
    count = np.where(first == second, times[first] * (times[first] + 1) // 2, times[first] * times[second])
    order = np.argsort(sums)
    place = np.searchsorted(np.cumsum(count[order]), position - _pairs_upto(times, start), side="right")
    return float(sums[order[place]])
