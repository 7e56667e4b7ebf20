"""Friedman's test on aligned ranks: scores minus their data set's mean, ranked all together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray
from bakeoff.stats._blocks import ALL_TIED, block_moments, check_blocks
from bakeoff.stats._tested import Tested
from bakeoff.stats.distributions import chi2_pvalue
from bakeoff.stats.multiplicity import PairsResult
from bakeoff.stats.ranks._quade import permutation_pairs
from bakeoff.stats.ranks._ranking import average_ranks, grid_keys


@dataclass(frozen=True, repr=False)
class AlignedFriedmanResult(Tested):
    """Answer of `aligned_friedman`.

    Attributes
    ----------
    statistic, df, pvalue
        The quadratic statistic of the mean aligned ranks, its degrees of freedom k − 1, and its χ² p-value.
    mean_ranks
        Mean aligned rank of each model, from 1 (best) to N·k.
    notes
        Choices made and weaknesses seen.
    """

    statistic: float
    df: int
    pvalue: float
    mean_ranks: FloatArray
    notes: tuple[Note, ...] = ()


def aligned_friedman(scores: ArrayLike, *, greater_is_better: bool = True) -> AlignedFriedmanResult:
    """Do several models differ over data sets, comparing sizes of differences across data sets? Aligned ranks.

    Parameters
    ----------
    scores
        Shape [N, k]: rows are data sets, columns are models.
    greater_is_better
        Whether the highest aligned score gets rank 1. It changes the mean ranks, not the p-value.

    Returns
    -------
    AlignedFriedmanResult
        With `statistic`, `df`, `pvalue` and `mean_ranks`.

    Notes
    -----
    Each data set's mean is subtracted and all N·k residuals are ranked together (rounded, so that ties in decimal are
    ties). The statistic is (k−1) N² Σⱼ (R̄ⱼ − R̄)² / Σᵢⱼ (rᵢⱼ − r̄ᵢ)²: exact conditional variance, as the R package coin.
    The formula printed in García et al. (2010) assumes no ties. Useful for few models, where ranks within a data set
    say little; scores must be comparable across data sets.

    References
    ----------
    Hodges, J. L. & Lehmann, E. L. (1962). Rank methods for combination of independent experiments in analysis of
    variance. Annals of Mathematical Statistics 33, 482–497. doi:10.1214/aoms/1177704575

    Examples
    --------
    >>> from bakeoff.stats import aligned_friedman
    >>> table = [[.80, .77, .76], [.62, .59, .60], [.97, .96, .95], [.66, .65, .60]]
    >>> result = aligned_friedman(table)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (5.6588, 0.059)
    """
    table = check_blocks(scores)
    ranks = _aligned_ranks(table, greater_is_better)
    moments = block_moments(ranks)
    df = table.shape[1] - 1
    notes = (ALL_TIED,) if np.isnan(moments.statistic) else ()
    made = AlignedFriedmanResult(moments.statistic, df, chi2_pvalue(moments.statistic, df), moments.means, notes)
    return made._keeping(ranks=ranks)


def aligned_posthoc(scores: ArrayLike, *, greater_is_better: bool = True) -> PairsResult:
    """Which pairs of models differ in mean aligned rank? A z-test for every pair, not adjusted.

    Parameters
    ----------
    scores, greater_is_better
        As in `aligned_friedman`.

    Returns
    -------
    PairsResult
        `statistic` is z, negative where the first model ranks better; `pvalue` is for `adjust` or `adjust_pairs`.

    Notes
    -----
    z = (R̄ᵢ − R̄ⱼ)/σ with the variance that permuting each data set's aligned ranks among the models gives exactly:
    σ² = 2 Σᵢⱼ (rᵢⱼ − r̄ᵢ)² / (N²(k−1)). The variance k(N+1)/6 of the literature treats all N·k ranks as one sample and
    does not hold the level.

    Examples
    --------
    >>> from bakeoff.stats import aligned_posthoc
    >>> table = [[.80, .77, .76], [.62, .59, .60], [.97, .96, .95], [.66, .65, .60]]
    >>> aligned_posthoc(table).pvalue.round(4).tolist()
    [0.1518, 0.0182, 0.3537]
    """
    ranks = _aligned_ranks(check_blocks(scores), greater_is_better)
    return permutation_pairs(ranks, "aligned ranks", "difference of mean aligned ranks")


def _aligned_ranks(table: FloatArray, greater_is_better: bool) -> FloatArray:
    residuals = table - table.mean(axis=1, keepdims=True)
    size = np.broadcast_to(np.abs(table).max(axis=1, keepdims=True), table.shape)
    keys = grid_keys(residuals.ravel(), np.ascontiguousarray(size).ravel())
    return average_ranks(-keys if greater_is_better else keys).reshape(table.shape)
