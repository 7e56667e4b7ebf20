"""Walsh averages: the means of all pairs of differences, from which Wilcoxon's estimate and interval are read.

There are n(n+1)/2 of them, but the one at a position is found without listing them all: in sorted differences the sums
of two ascend along rows and columns, so those up to a bound are counted in one pass, and a narrow bracket is listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.stats._kernels import thread_count
from bakeoff.stats.ranks import _rank_kernels

_DIRECT_LIMIT = 100  # up to here all averages are listed
_ASIDE = 0.025  # half of the first bracket, as a share of all averages
_MOST_LISTED = 30  # times n: brackets are narrowed to this, a few times
_NARROWINGS = 6
_LIST_LIMIT = 4_000_000  # sums listed at most; where ties make even a narrow bracket longer, values are bisected
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


class _Bracket(NamedTuple):
    """Sums of two sorted values between two bounds: row i has the columns start[i] … stop[i] − 1, i <= column.

    The bounds may be missed by a rounding error. What lies inside by more than that has exactly `under` sums below it.
    """

    low: float
    high: float
    start: IntArray
    stop: IntArray
    under: int
    size: int


def _bracket(values: FloatArray, low: float, high: float) -> _Bracket:
    index = np.arange(values.size)
    start = np.maximum(np.searchsorted(values, low - values, side="left"), index)
    stop = np.maximum(np.searchsorted(values, high - values, side="right"), start)
    return _Bracket(low, high, start, stop, int((start - index).sum()), int((stop - start).sum()))


def _selected(values: FloatArray, positions: Sequence[int]) -> list[float]:
    found: list[float] = []
    bracket, sums = _bracket(values, np.inf, np.inf), np.empty(0)
    for position in positions:
        if not _holds(bracket, sums, position, values):
            bracket = _bracket_around(values, position)
            sums = _sums(values, bracket) if bracket.size <= _LIST_LIMIT else np.empty(0)
        place = position - bracket.under
        found.append(float(np.partition(sums, place)[place]) if sums.size else _among_ties(values, position))
    return found


def _holds(bracket: _Bracket, sums: FloatArray, position: int, values: FloatArray) -> bool:
    """Return whether the sum at a position is inside the bracket, by more than a rounding error."""
    place = position - bracket.under
    if not 0 <= place < sums.size:
        return False
    margin = 8 * np.finfo(np.float64).eps * float(np.abs(values[[0, -1]]).max())
    return bool(bracket.low + margin < np.partition(sums, place)[place] < bracket.high - margin)


def _bracket_around(values: FloatArray, position: int) -> _Bracket:
    """Bracket the sum at a position: guess, narrow while there are too many, widen until it is inside for sure."""
    bracket = _bracket(values, *_guess(values, position))
    for _ in range(_NARROWINGS):
        if _misses(bracket, position):
            bracket = _bracket(values, *_widened(bracket, values))
        elif bracket.size > _MOST_LISTED * values.size and np.isfinite(bracket.high - bracket.low):
            closer = _bracket(values, *_narrowed(bracket, position))
            bracket = bracket if _misses(closer, position) else closer
    while bracket.size <= _LIST_LIMIT and not _holds(bracket, _sums(values, bracket), position, values):
        bracket = _bracket(values, *_widened(bracket, values))
    return bracket


def _misses(bracket: _Bracket, position: int) -> bool:
    return bracket.under > position or bracket.under + bracket.size <= position


def _guess(values: FloatArray, position: int) -> tuple[float, float]:
    """Sums of two spread √2 as wide as the values, around twice their middle."""
    n, middle = values.size, values[values.size // 2]
    share = position / (n * (n + 1) / 2) + np.array([-_ASIDE, _ASIDE])
    near = values[np.clip(share * n, 0, n - 1).astype(np.intp)]
    low, high = 2 * middle + np.sqrt(2) * (near - middle)
    return float(low), float(high)


def _widened(bracket: _Bracket, values: FloatArray) -> tuple[float, float]:
    """Go as far again on both sides, at least a fiftieth of the way; beyond the last sum there is no bound."""
    smallest, largest = 2 * float(values[0]), 2 * float(values[-1])
    step = max(bracket.high - bracket.low, (largest - smallest) / 50)
    low, high = bracket.low - step, bracket.high + step
    return low if low > smallest else -np.inf, high if high < largest else np.inf


def _narrowed(bracket: _Bracket, position: int) -> tuple[float, float]:
    """Take an eighth of the bracket, around where the counts point to."""
    reach = bracket.high - bracket.low
    at = bracket.low + reach * (position - bracket.under) / bracket.size
    return max(bracket.low, at - reach / 16), min(bracket.high, at + reach / 16)


def _sums(values: FloatArray, bracket: _Bracket) -> FloatArray:
    """List the sums inside."""
    length = bracket.stop - bracket.start
    before = np.cumsum(length) - length
    columns = np.arange(bracket.size) + np.repeat(bracket.start - before, length)
    return np.asarray(np.repeat(values, length) + values[columns])


def _among_ties(values: FloatArray, position: int) -> float:
    """Return the sum at a position where ties make the bracket too long: list the sums of distinct values."""
    distinct, times = np.unique(values, return_counts=True)
    if distinct.size * (distinct.size + 1) // 2 > _LIST_LIMIT:
        return 2 * _select(values, position)
    first, second = np.triu_indices(distinct.size)
    sums = distinct[first] + distinct[second]
    count = np.where(first == second, times[first] * (times[first] + 1) // 2, times[first] * times[second])
    order = np.argsort(sums)
    return float(sums[order][np.searchsorted(np.cumsum(count[order]), position, side="right")])


def _select(values: FloatArray, position: int) -> float:
    """Bisect for the smallest value with more than `position` Walsh averages at or below it, up to rounding.

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
