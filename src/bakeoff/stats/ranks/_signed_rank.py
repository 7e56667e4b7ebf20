"""The null distribution of signed-rank sums: every sign pattern equally likely, whatever the ranks and their ties."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.stats.ranks import _rank_kernels

_TABLE_LIMIT = 500  # untied ranks up to here have a remembered table
_RESCALE_EVERY = 900  # counts double with every rank; scaling by 2^-900 now and then keeps them below the float limit


def tail_probability(ranks: FloatArray, total: float) -> float:
    """Return P(sum of the ranks with positive sign <= total) when each sign is a fair coin.

    Exact also with ties: the distribution is over the ranks as they are. Average ranks are multiples of one half, so
    their doubles are integers, and the number of sign patterns reaching each sum follows by adding one rank at a time.
    Only sums up to `total` are kept.
    """
    doubled = np.sort(np.rint(2 * np.asarray(ranks)).astype(np.int64))
    whole, target = int(doubled.sum()), int(np.floor(2 * total + 1e-6))
    if target < 0:
        return 0.0
    if target >= whole:
        return 1.0
    if 2 * target >= whole:  # the longer tail is what the shorter one leaves
        return 1.0 - _shorter_tail(doubled, whole - target - 1)
    return _shorter_tail(doubled, target)


def _shorter_tail(doubled: IntArray, target: int) -> float:
    """Return P(sum <= target) for integer ranks (the doubled average ranks), target below half of their sum."""
    if target < 0:
        return 0.0
    first, n = int(doubled[0]), doubled.size
    if n <= _TABLE_LIMIT and first % 2 == 0 and np.array_equal(doubled, np.arange(first, first + 2 * n, 2)):
        return float(untied_cdf(first // 2 - 1, first // 2 - 1 + n)[target // 2])
    unit = int(np.gcd.reduce(doubled))
    patterns, scale = _patterns(doubled // unit, target // unit)
    # beyond 1022 ranks a tail may be below the smallest float; it is never nothing
    return max(float(patterns.sum() * scale), float(np.finfo(np.float64).tiny))


def _patterns(ranks: IntArray, target: int) -> tuple[FloatArray, float]:
    """Return the number of sign patterns reaching each sum 0 … target, and the factor that makes them probabilities."""
    run = _rank_kernels.sign_patterns if _rank_kernels.in_c() else sign_patterns_numpy
    return run(ranks, target, _RESCALE_EVERY), 2.0 ** -(ranks.size % _RESCALE_EVERY)


def sign_patterns_numpy(ranks: IntArray, target: int, rescale_every: int) -> FloatArray:
    """Add one rank at a time: a sum is reached with it or without it."""
    patterns = np.zeros(target + 1)
    patterns[0] = 1.0
    for number, rank in enumerate(ranks.tolist(), start=1):
        patterns[rank:] += patterns[: max(target + 1 - rank, 0)].copy()
        if number % rescale_every == 0:
            patterns *= 2.0**-rescale_every
    return patterns


@lru_cache(maxsize=64)
def untied_cdf(n_zero: int, n: int) -> FloatArray:
    """Return P(T <= t) for t = 0, 1, …, half of the total, where T sums the ranks n_zero+1 … n of positive sign.

    Without zeros (``n_zero=0``) this is Wilcoxon's table for `n` differences; with them, Pratt's.
    """
    ranks = np.arange(n_zero + 1, n + 1)
    patterns, scale = _patterns(ranks, int(ranks.sum()) // 2)
    cdf = np.cumsum(patterns) * scale
    cdf.setflags(write=False)
    return cdf
