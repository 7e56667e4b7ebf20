"""Signed-rank sums of all pairs of columns: the hot loop of `wilcoxon_pairs`.

The differences of a pair are sorted once, as 2·|difference| + sign, so that rank sums can be read from positions; ties
are corrected where they are. Pairs are worked on in chunks that fit the processor's cache, in buffers that are reused.
The C extension does the same, pair by pair (`_rank_kernels`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.stats._kernels import thread_count
from bakeoff.stats.ranks import _rank_kernels
from bakeoff.stats.ranks._ranking import COARSE_KEY, average_ranks, grid_factor, grid_keys, integer_grid

_CHUNK = 32_768  # differences worked on at a time
_THREADS_FROM = 1_000_000  # differences from which threads pay; NumPy lets go of the interpreter while it sorts
_LEADING_LEVELS = 2.0**30
_LEADING_FLOOR = 2**10  # a leading key below this is zero, or may have lost digits that count
_GIVE_UP = 0.25  # share of pairs in need of the full sort above which the leading one is not tried again

Positions = NDArray[np.intp]


class PairSums(NamedTuple):
    """Per pair: rank sum of the positive differences (zeros ranked too), counts, and Σ(t³ − t) over nonzero ties."""

    positive: FloatArray
    n_positive: FloatArray
    n_zero: FloatArray
    cubes: FloatArray


class Chunk(NamedTuple):
    """The pairs (first, j) for start <= j < stop, and where they stand among all pairs."""

    first: int
    start: int
    stop: int
    where: slice


def pair_sums(table: FloatArray, n_jobs: int | None = None) -> PairSums:
    """Return the rank sums of all pairs of columns, in lexicographic order."""
    threads = thread_count(n_jobs) if table.size * table.shape[1] / 2 > _THREADS_FROM else 1
    if _rank_kernels.in_c() and _rank_kernels.pair_sums_fit(table):
        short = integer_grid(table)
        return PairSums(*_rank_kernels.pair_sums(table if short is None else short, threads))
    return pair_sums_numpy(table, threads)


def pair_sums_numpy(table: FloatArray, threads: int) -> PairSums:
    """Return the same sums by NumPy alone."""
    n, k = table.shape
    sums = PairSums(*(np.empty(k * (k - 1) // 2) for _ in PairSums._fields))
    chunks = list(_chunks(n, k))
    short = integer_grid(table)

    def work(thread: int) -> None:
        worker = _FloatWorker(table) if short is None else _IntegerWorker(short)
        for chunk in chunks[thread::threads]:
            for whole, part in zip(sums, worker.sums(chunk), strict=True):
                whole[chunk.where] = part

    _run(work, threads)
    return sums


def _run(work: Any, threads: int) -> None:
    if threads == 1:
        work(0)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))


def _rows(n: int) -> int:
    return max(1, _CHUNK // n)


def _chunks(n: int, k: int) -> Iterator[Chunk]:
    place = 0
    for first in range(k - 1):
        for start in range(first + 1, k, _rows(n)):
            stop = min(start + _rows(n), k)
            yield Chunk(first, start, stop, slice(place, place + stop - start))
            place += stop - start


class _Sorter:
    """Buffers for one chunk of integer keys, and the sums read from them."""

    def __init__(self, rows: int, n: int, dtype: Any) -> None:
        self.keys = np.empty((rows, n), dtype=dtype)
        self.signs = np.empty((rows, n), dtype=dtype)
        self.flags = np.empty((rows, n), dtype=bool)
        self.equal = np.zeros((rows, n), dtype=bool)  # the last column stays False
        self.before = np.empty(rows * n, dtype=np.int32)
        # sums of positions below 2²⁴ are exact in single precision
        self.exact: Any = np.float32 if n < 5000 else np.float64
        self.ones = np.empty((rows, n), dtype=self.exact)
        self.positions = np.arange(1, n + 1, dtype=self.exact)
        self.each = np.ones(n, dtype=self.exact)

    def sort(self, rows: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Sort the first rows of the keys by magnitude, negative before positive; return magnitudes and signs."""
        keys, signs, flags = self.keys[:rows], self.signs[:rows], self.flags[:rows]
        np.greater(keys, 0, out=flags)
        if keys.dtype.kind == "i":
            np.abs(keys, out=keys)
        return self.sort_packed(keys, flags, signs)

    def sort_packed(
        self, keys: NDArray[Any], positive: BoolArray, signs: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Sort magnitudes with the sign in their last bit."""
        one = keys.dtype.type(1)
        np.left_shift(keys, one, out=keys)
        np.bitwise_or(keys, positive, out=keys)
        keys.sort(axis=1)
        np.bitwise_and(keys, one, out=signs)
        np.right_shift(keys, one, out=keys)
        return keys, signs

    def positions_and_count(self, signs: NDArray[Any]) -> tuple[FloatArray, FloatArray]:
        """Return per row the sum of the positions 1 … n of the ones, and their number."""
        ones = self.ones[: len(signs)]
        ones[...] = signs
        return (ones @ self.positions).astype(np.float64), (ones @ self.each).astype(np.float64)

    def equal_next(self, magnitudes: NDArray[Any]) -> BoolArray:
        """Return where a sorted magnitude equals the next one of its row."""
        equal: BoolArray = self.equal[: len(magnitudes)]
        np.equal(magnitudes[:, 1:], magnitudes[:, :-1], out=equal[:, :-1])
        return equal

    def sums(self, rows: int) -> PairSums:
        """Return the sums of the first rows of the keys.

        Within a group of t equal magnitudes the p positive ones come last, so positions overstate their average ranks
        by p(t − p)/2 in all: half the number of pairs of unlike sign in the group.
        """
        magnitudes, signs = self.sort(rows)
        positions, n_positive = self.positions_and_count(signs)
        first, last = _tie_groups(self.equal_next(magnitudes))
        if first.size == 0:
            n_zero = (magnitudes[:, 0] == 0).astype(np.float64)
            return PairSums(positions, n_positive, n_zero, np.zeros(rows))
        before = np.cumsum(signs.ravel(), out=self.before[: signs.size])
        positive = (before[last] - before[first] + signs.ravel()[first]).astype(np.float64)
        size = (last - first + 1).astype(np.float64)
        n = magnitudes.shape[1]
        unlike = _row_sums(positive * (size - positive), first, rows, n)
        cubes = _row_sums(size * (size * size - 1), first, rows, n)
        n_zero = _zeros(magnitudes)
        return PairSums(positions - unlike / 2, n_positive, n_zero, cubes - (n_zero**3 - n_zero))


def _zeros(magnitudes: NDArray[Any]) -> FloatArray:
    """Count the zeros of each sorted row."""
    found = np.zeros(len(magnitudes))
    rows = np.flatnonzero(magnitudes[:, 0] == 0)
    if rows.size:
        found[rows] = np.count_nonzero(magnitudes[rows] == 0, axis=1)
    return found


def _tie_groups(equal_next: BoolArray) -> tuple[Positions, Positions]:
    """Return the flat first and last positions of the groups of equal values (single values may be left out)."""
    tied = np.flatnonzero(equal_next)
    if tied.size == 0:
        return tied, tied
    if 2 * tied.size > equal_next.size:
        last = np.flatnonzero(~equal_next.ravel())
        return np.append(0, last[:-1] + 1), last
    gaps = np.flatnonzero(np.diff(tied) != 1)
    return tied[np.append(0, gaps + 1)], tied[np.append(gaps, tied.size - 1)] + 1


def _row_sums(values: FloatArray, position: Positions, rows: int, n: int) -> FloatArray:
    """Sum values at increasing flat positions row by row."""
    start = np.searchsorted(position, np.arange(rows) * n)
    filled = np.diff(start, append=position.size) > 0
    sums = np.zeros(rows)
    sums[filled] = np.add.reduceat(values, start[filled])
    return sums


class _IntegerWorker:
    """Sums for scores that are whole multiples of one unit: differences are exact."""

    def __init__(self, scores: NDArray[np.int32]) -> None:
        self.columns = np.ascontiguousarray(scores.T)
        self.sorter = _Sorter(_rows(len(scores)), len(scores), np.int32)

    def sums(self, chunk: Chunk) -> PairSums:
        rows = chunk.stop - chunk.start
        columns = self.columns
        np.subtract(columns[chunk.first], columns[chunk.start : chunk.stop], out=self.sorter.keys[:rows])
        return self.sorter.sums(rows)


class _FloatWorker:
    """Sums for other scores, on the keys of the decimal grid.

    These keys have 11 digits. A first sort of their 30 leading bits settles every pair whose leading keys are different
    unless both differences are zero; only the other pairs are sorted on the full key.
    """

    def __init__(self, scores: FloatArray) -> None:
        n = len(scores)
        self.columns = np.ascontiguousarray(scores.T)
        self.size = np.abs(self.columns).max(axis=1)
        self.differences = np.empty((_rows(n), n))
        self.keys = np.empty((_rows(n), n))
        self.leading = np.empty((_rows(n), n))
        self.short = _Sorter(_rows(n), n, np.uint32)
        self.full = _Sorter(_rows(n), n, np.int64)
        self.try_leading = True

    def sums(self, chunk: Chunk) -> PairSums:
        rows = chunk.stop - chunk.start
        scale = np.maximum(self.size[chunk.first], self.size[chunk.start : chunk.stop])
        factor = grid_factor(scale)
        differences, keys = self.differences[:rows], self.keys[:rows]
        np.subtract(self.columns[chunk.first], self.columns[chunk.start : chunk.stop], out=differences)
        np.multiply(differences, factor[:, None], out=keys)
        np.rint(keys, out=keys)
        if not self.try_leading:
            return self._full_sums(chunk, np.arange(rows))
        sums, doubtful = self._leading_sums(rows, _LEADING_LEVELS / (2 * np.where(scale > 0, scale, 1.0) * factor))
        self.try_leading = doubtful.size <= max(_GIVE_UP * rows, 2)
        if doubtful.size:
            for whole, part in zip(sums, self._full_sums(chunk, doubtful), strict=True):
                whole[doubtful] = part
        return sums

    def _leading_sums(self, rows: int, shrink: FloatArray) -> tuple[PairSums, Positions]:
        """Return sums on leading keys, and the rows they do not settle."""
        keys, short, leading = self.keys[:rows], self.short, self.leading[:rows]
        np.greater(keys, 0, out=short.flags[:rows])
        np.abs(keys, out=leading)
        np.multiply(leading, shrink[:, None], out=leading)
        short.keys[:rows] = leading
        magnitudes, signs = short.sort_packed(short.keys[:rows], short.flags[:rows], short.signs[:rows])
        positions, n_positive = short.positions_and_count(signs)
        equal = short.equal_next(magnitudes)
        small = np.flatnonzero(magnitudes[:, 0] < _LEADING_FLOOR)
        n_zero = np.zeros(rows)
        if small.size:
            # exact zeros may tie among themselves; they are at the start of the row
            n_zero[small] = self.columns.shape[1] - np.count_nonzero(self.differences[small], axis=1)
            for row in small:
                equal[row, : max(int(n_zero[row]) - 1, 0)] = False
        low = np.count_nonzero(magnitudes[small] < _LEADING_FLOOR, axis=1) != n_zero[small]
        doubtful = np.asarray(equal.any(axis=1))
        doubtful[small[low]] = True
        return PairSums(positions, n_positive, n_zero, np.zeros(rows)), np.flatnonzero(doubtful)

    def _full_sums(self, chunk: Chunk, rows: Positions) -> PairSums:
        """Return the sums of some rows on the full key; those that mix scales are ranked one by one."""
        keys, differences = self.keys[: chunk.stop - chunk.start], self.differences[: chunk.stop - chunk.start]
        if rows.size < len(keys):
            keys, differences = keys[rows], differences[rows]
        self.full.keys[: rows.size] = keys
        sums = self.full.sums(rows.size)
        mixed = _mixed_rows(keys, differences)
        if mixed.size:
            others = self.columns[chunk.start : chunk.stop][rows[mixed]]
            operands = np.maximum(np.abs(self.columns[chunk.first]), np.abs(others))
            for whole, part in zip(sums, _general_sums(grid_keys(differences[mixed], operands)), strict=True):
                whole[mixed] = part
        return sums


def _mixed_rows(keys: FloatArray, differences: FloatArray) -> Positions:
    """Return the rows in which the common grid is too coarse for a nonzero difference."""
    small = np.abs(keys) < COARSE_KEY
    if np.count_nonzero(small) == differences.size - np.count_nonzero(differences):
        return np.empty(0, dtype=np.intp)
    return np.flatnonzero((small & (differences != 0)).any(axis=1))


def _general_sums(keys: FloatArray) -> PairSums:
    """Return sums from any keys, by ranking each row."""
    ranks = average_ranks(np.abs(keys))
    positive, zero = keys > 0, keys == 0
    squares = np.where(zero, 0.0, ranks**2).sum(axis=1)
    n_zero = zero.sum(axis=1).astype(np.float64)
    untied = sum_of_squares(np.full(len(keys), float(keys.shape[1]))) - sum_of_squares(n_zero)
    cubes = np.rint(12 * (untied - squares))
    return PairSums((ranks * positive).sum(axis=1), positive.sum(axis=1).astype(np.float64), n_zero, cubes)


def sum_of_squares(n: FloatArray | IntArray) -> FloatArray:
    """Return 1² + 2² + … + n²."""
    return np.asarray(n * (n + 1) * (2 * n + 1) / 6, dtype=np.float64)
