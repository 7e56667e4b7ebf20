"""Signed-rank sums of all pairs of columns: the hot loop of `wilcoxon_pairs`.

The differences of a pair are sorted once, as 2·|difference| + sign, so that rank sums can be read from positions; ties
are corrected where they are. Pairs are worked on in chunks that fit the processor's cache. The C extension does the
same, pair by pair (`_rank_kernels`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.stats._kernels import thread_count
from bakeoff.stats.multiplicity import pair_indices
from bakeoff.stats.ranks import _rank_kernels
from bakeoff.stats.ranks._ranking import COARSE_KEY, average_ranks, grid_factor, grid_keys, integer_grid

_CHUNK = 12_000  # differences worked on at a time: arrays of 96 KB stay in the cache, and are not asked of the system
_THREADS_FROM = 1_000_000  # differences from which threads pay

Positions = NDArray[np.intp]


class PairSums(NamedTuple):
    """Per pair: rank sum of the positive differences (zeros ranked too), counts, and Σ(t³ − t) over nonzero ties."""

    positive: FloatArray
    n_positive: FloatArray
    n_zero: FloatArray
    cubes: FloatArray


def pair_sums(table: FloatArray, n_jobs: int | None = None) -> PairSums:
    """Return the rank sums of all pairs of columns, in lexicographic order."""
    if not (_rank_kernels.in_c() and _rank_kernels.pair_sums_fit(table)):
        return pair_sums_numpy(table)
    threads = thread_count(n_jobs) if table.size * table.shape[1] / 2 > _THREADS_FROM else 1
    short = integer_grid(table)
    return PairSums(*_rank_kernels.pair_sums(table if short is None else short, threads))


def pair_sums_numpy(table: FloatArray) -> PairSums:
    """Return the same sums by NumPy alone."""
    columns = np.ascontiguousarray(table.T)
    first, second = pair_indices(len(columns))
    step = max(1, _CHUNK // len(table))
    chunks = [slice(start, start + step) for start in range(0, max(first.size, 1), step)]
    parts = [_chunk_sums(columns[first[chunk]], columns[second[chunk]]) for chunk in chunks]
    return PairSums(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def _chunk_sums(first: FloatArray, second: FloatArray) -> PairSums:
    """Sums of some pairs ``[pairs, n]`` on the keys of the decimal grid; those that mix scales are ranked alone."""
    scale = np.maximum(np.abs(first).max(axis=1), np.abs(second).max(axis=1))
    differences = first - second
    keys = np.rint(differences * grid_factor(scale)[:, None])
    sums = _sorted_sums(keys)
    # Where the common grid is too coarse for a nonzero difference.
    mixed = np.flatnonzero(((np.abs(keys) < COARSE_KEY) & (differences != 0)).any(axis=1))
    if mixed.size:
        operands = np.maximum(np.abs(first[mixed]), np.abs(second[mixed]))
        for whole, part in zip(sums, _general_sums(grid_keys(differences[mixed], operands)), strict=True):
            whole[mixed] = part
    return sums


def _sorted_sums(keys: FloatArray) -> PairSums:
    """Sums from keys that are whole numbers: sorted by magnitude, with the sign in the last bit."""
    rows, n = keys.shape
    packed = np.abs(keys).astype(np.int64) << 1
    packed |= keys > 0
    packed.sort(axis=1)
    magnitudes, signs = packed >> 1, packed & 1
    exact: Any = np.float32 if n < 5000 else np.float64  # sums of positions below 2²⁴ are exact in single precision
    positions = (signs.astype(exact) @ np.arange(1, n + 1, dtype=exact)).astype(np.float64)
    equal_next = np.zeros(keys.shape, dtype=bool)
    np.equal(magnitudes[:, 1:], magnitudes[:, :-1], out=equal_next[:, :-1])
    first, last = _tie_groups(equal_next)
    before = np.cumsum(signs.ravel())
    positive = (before[last] - before[first] + signs.ravel()[first]).astype(np.float64)
    size = (last - first + 1).astype(np.float64)
    unlike = np.bincount(first // n, positive * (size - positive), rows)
    cubes = np.bincount(first // n, size * (size * size - 1), rows)
    n_zero = (magnitudes == 0).sum(axis=1).astype(np.float64)
    return PairSums(positions - unlike / 2, signs.sum(axis=1).astype(np.float64), n_zero, cubes - (n_zero**3 - n_zero))


def _tie_groups(equal_next: BoolArray) -> tuple[Positions, Positions]:
    """Return the flat first and last positions of the groups of two and more equal values."""
    tied = np.flatnonzero(equal_next)
    if tied.size == 0:
        return tied, tied
    gaps = np.flatnonzero(np.diff(tied) != 1)
    return tied[np.append(0, gaps + 1)], tied[np.append(gaps, tied.size - 1)] + 1


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
