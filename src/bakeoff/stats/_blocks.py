"""Scores in blocks: what the rank tests over data sets have in common.

If the models do not differ, the scores of a data set could stand in any order among them. Given the ranks (or weighted
ranks, or aligned ranks) of each block, this makes the mean and the variance of every rank sum exact, ties included.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.note_catalogue import note
from bakeoff._core.validation import FloatArray, as_float_matrix

ALL_TIED = note("identical-models:blocks")


class BlockMoments(NamedTuple):
    """Moments of block ranks under permutation within blocks.

    Attributes
    ----------
    means
        Mean rank of each model.
    difference_variance
        Variance of the difference of two models' mean ranks.
    statistic
        Quadratic statistic of all mean ranks, asymptotically χ² with k − 1 degrees of freedom; NaN if all is tied.
    """

    means: FloatArray
    difference_variance: float
    statistic: float


def check_blocks(scores: ArrayLike) -> FloatArray:
    """Return a table of at least two data sets and two models."""
    return as_float_matrix("scores", scores, min_rows=2, min_columns=2)


def block_moments(ranks: FloatArray) -> BlockMoments:
    """Return means, variance and quadratic statistic of values exchangeable within the rows.

    A row with values v has, for any two models, Var(v_i − v_j) = 2 Σ(v − v̄)² / (k − 1); rows are independent.
    """
    n, k = ranks.shape
    means = ranks.mean(axis=0)
    within = float(((ranks - ranks.mean(axis=1, keepdims=True)) ** 2).sum())
    between = float(((means - means.mean()) ** 2).sum())
    # The spread of k exchangeable means over its expectation, times k − 1. Ties enter through `within`: of plain ranks
    # this is Friedman's statistic with its tie correction, of aligned ranks the aligned one.
    statistic = (k - 1) * n**2 * between / within if within > 0 else np.nan
    return BlockMoments(means, 2 * within / (n**2 * (k - 1)), statistic)


def smallest_pvalue(n: int, k: int) -> float:
    """Return the probability that all rows agree by chance, when rows have no ties: (k!)^(1 − n)."""
    # The first row may have any order; each of the others must have the same one of the k!.
    return float(np.exp((1 - n) * math.lgamma(k + 1)))
