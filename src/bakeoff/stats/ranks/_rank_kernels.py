"""The C path of the rank tests: what the extension does for `_pair_sums`, `_walsh` and `_signed_rank`.

Its answers are those of the NumPy path bit by bit; it is held to them once per process before it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.stats import _kernels
from bakeoff.stats.ranks._ranking import grid_factor

_KERNELS: Any = _kernels  # whose extension may be missing
MOST_ROWS = 100_000  # sums of cubes of ranks are then whole numbers that a float holds
_LARGEST = 1e290  # scores beyond this do not fit the grid's 2⁵¹ steps


def in_c() -> bool:
    """Return whether the extension is there, switched on and right."""
    return _kernels.active_path() == "C" and _right()


@cache
def _right() -> bool:
    from bakeoff.stats.ranks import _pair_sums, _signed_rank, _walsh

    if not hasattr(_KERNELS._native, "pair_sums"):  # a binary from before
        return False
    waves = np.sin(np.arange(300.0)).reshape(60, 5)
    tables = (waves, waves.round(1), np.minimum(waves, 0.3) * 10.0 ** (np.arange(60) % 12)[:, None])
    ranks = np.arange(2, 100, 3)
    pairs: list[tuple[Any, Any]] = [
        *((pair_sums(t, 1), _pair_sums.pair_sums_numpy(t)) for t in tables),
        *((walsh_rows(t.T.copy(), [0, 700, 915], 1), _walsh.walsh_rows_numpy(t.T, [0, 700, 915])) for t in tables),
        (sign_patterns(ranks, 500, 20), _signed_rank.sign_patterns_numpy(ranks, 500, 20)),
    ]
    return all(np.array_equal(ours, expected) for ours, expected in pairs)


def pair_sums(scores: NDArray[Any], threads: int) -> tuple[FloatArray, ...]:
    """Return the fields of `PairSums` for floats, or for the whole numbers of `integer_grid`; ``[n, k]``."""
    n, k = scores.shape
    sums = tuple(np.empty((4, k * (k - 1) // 2)))
    columns = np.ascontiguousarray(scores.T)
    if columns.dtype == np.int32:
        _KERNELS._native.pair_sums(threads, n, k, True, columns, None, None, None, *sums)
        return sums
    sizes = np.abs(columns)
    size = sizes.max(axis=1)
    grids = grid_factor(sizes), size, grid_factor(size)
    _KERNELS._native.pair_sums(threads, n, k, False, columns, *grids, *sums)
    return sums


def pair_sums_fit(scores: FloatArray) -> bool:
    """Return whether the sums are exact in C."""
    return len(scores) <= MOST_ROWS and float(np.abs(scores).max()) < _LARGEST


def walsh_rows(values: FloatArray, positions: Sequence[int], threads: int) -> FloatArray:
    """Return the Walsh averages of every row at some positions of their sorted list, ``[rows, positions]``."""
    rows, n = values.shape
    answer = np.empty((rows, len(positions)))
    places = np.asarray(positions, dtype=np.int64)
    _KERNELS._native.walsh_rows(threads, rows, n, np.ascontiguousarray(values), places, answer)
    return answer


def sign_patterns(ranks: IntArray, target: int, rescale_every: int) -> FloatArray:
    """Return the number of sign patterns reaching each sum 0 … target, scaled now and then."""
    patterns = np.zeros(target + 1)
    patterns[0] = 1.0
    _KERNELS._native.add_ranks(np.ascontiguousarray(ranks, dtype=np.int64), rescale_every, patterns)
    return patterns
