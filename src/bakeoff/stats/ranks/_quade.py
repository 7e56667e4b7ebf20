"""Quade's test: Friedman's ranks, with data sets weighted by how much the models differ on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray
from bakeoff.stats._blocks import ALL_TIED, block_moments, check_blocks, smallest_pvalue
from bakeoff.stats._tested import Tested
from bakeoff.stats.distributions import f_pvalue, two_sided_normal
from bakeoff.stats.multiplicity import PairsResult, all_pairs, pair_differences
from bakeoff.stats.ranks._ranking import average_ranks, block_ranks, grid_keys


@dataclass(frozen=True, repr=False)
class QuadeResult(Tested, law="F"):
    """Answer of `quade`.

    Attributes
    ----------
    statistic, df, pvalue
        Quade's F, its degrees of freedom (k − 1, (k − 1)(N − 1)), and its p-value.
    mean_ranks
        Mean rank of each model, weighted by the data sets' ranks; 1 is the best.
    notes
        Choices made and weaknesses seen.
    """

    statistic: float
    df: tuple[int, int]
    pvalue: float
    mean_ranks: FloatArray
    notes: tuple[Note, ...] = ()


def quade(scores: ArrayLike, *, greater_is_better: bool = True) -> QuadeResult:
    """Do several models differ over data sets, data sets with larger differences counting more? Quade's test.

    Parameters
    ----------
    scores
        Shape [N, k]: rows are data sets, columns are models.
    greater_is_better
        Whether the highest score gets rank 1. It changes the mean ranks, not the p-value.

    Returns
    -------
    QuadeResult
        With `statistic`, `df`, `pvalue` and `mean_ranks`.

    Notes
    -----
    Sᵢⱼ = Qᵢ·(rᵢⱼ − (k+1)/2), with r the ranks within a data set and Qᵢ the rank of its range max − min among the data
    sets. F = (N−1)·B / (A − B), A = Σ S², B = Σⱼ (Σᵢ Sᵢⱼ)²/N; ties enter through A. Scores must be comparable across
    data sets. When all data sets agree F is infinite and the p-value is that of the permutations, (1/k!)^(N−1).

    References
    ----------
    Quade, D. (1979). Using weighted rankings in the analysis of complete blocks with additive block effects. JASA 74,
    680–683. doi:10.1080/01621459.1979.10481670

    Examples
    --------
    Conover (1999), p. 375: sales of five brands of lotion in seven stores.

    >>> from bakeoff.stats import quade
    >>> sales = [[5, 4, 7, 10, 12], [1, 3, 1, 0, 2], [16, 12, 22, 22, 35], [5, 4, 3, 5, 4], [10, 9, 7, 13, 10],
    ...          [19, 18, 28, 37, 58], [10, 7, 6, 8, 7]]
    >>> result = quade(sales)
    >>> round(result.statistic, 4), result.df, round(result.pvalue, 5)
    (3.8293, (4, 24), 0.01519)
    """
    table = check_blocks(scores)
    n, k = table.shape
    weights, centred = _weighted_ranks(table, greater_is_better)
    total = float((centred**2).sum())
    between = float((centred.sum(axis=0) ** 2).sum()) / n
    df = (k - 1, (k - 1) * (n - 1))
    mean_ranks = (k + 1) / 2 + centred.sum(axis=0) / weights.sum()
    if total == 0:
        return QuadeResult(np.nan, df, 1.0, mean_ranks, (ALL_TIED,))
    # All data sets agree up to rounding: F has no finite value, but the permutations within data sets can be counted.
    if total - between <= 1e-10 * total:
        return QuadeResult(np.inf, df, smallest_pvalue(n, k), mean_ranks, (_AGREEMENT,))
    statistic = (n - 1) * between / (total - between)
    made = QuadeResult(statistic, df, f_pvalue(statistic, *df), mean_ranks)
    return made._keeping(weights=weights, centred=centred)


QUADE = "quade"  # the name of the test, and of its post hoc
_AGREEMENT = note("perfect-agreement:quade")


def quade_posthoc(scores: ArrayLike, *, greater_is_better: bool = True) -> PairsResult:
    """Which pairs of models differ in Quade's weighted ranks? A z-test for every pair, not adjusted.

    Parameters
    ----------
    scores, greater_is_better
        As in `quade`.

    Returns
    -------
    PairsResult
        `statistic` is z, negative where the first model ranks better; `pvalue` is for `adjust` or `adjust_pairs`.

    Notes
    -----
    z = (S̄ᵢ − S̄ⱼ)/σ with the variance that permuting each data set's scores among the models gives exactly:
    σ² = 2 Σ S² / (N²(k−1)). The variance printed in García et al. (2010) belongs to another scale and does not hold the
    level.

    Examples
    --------
    >>> from bakeoff.stats import quade_posthoc
    >>> table = [[.80, .77, .76], [.62, .59, .60], [.97, .96, .95], [.66, .65, .60]]
    >>> quade_posthoc(table).pvalue.round(4).tolist()
    [0.1213, 0.0201, 0.4386]
    """
    _, centred = _weighted_ranks(check_blocks(scores), greater_is_better)
    return permutation_pairs(centred, QUADE, "difference of mean weighted ranks")


def permutation_pairs(values: FloatArray, method: str, kind: str) -> PairsResult:
    """Compare the column means of values exchangeable within rows, by their permutation variance."""
    moments = block_moments(values)
    estimate = pair_differences(moments.means)
    spread = np.sqrt(moments.difference_variance)
    z = estimate / spread if spread > 0 else np.zeros_like(estimate)
    return PairsResult(
        pairs=all_pairs(values.shape[1]),
        statistic=z,
        pvalue=two_sided_normal(z),
        estimate=estimate,
        estimate_kind=kind,
        method=method,
        notes=() if spread > 0 else (ALL_TIED,),
    )._keeping(values=values, spread=float(spread))


def _weighted_ranks(table: FloatArray, greater_is_better: bool) -> tuple[FloatArray, FloatArray]:
    """Return the weight of each data set and its weighted, centred ranks."""
    ranges = table.max(axis=1) - table.min(axis=1)
    weights = average_ranks(grid_keys(ranges, np.abs(table).max(axis=1)))
    ranks = block_ranks(table, greater_is_better=greater_is_better)
    return weights, weights[:, None] * (ranks - (table.shape[1] + 1) / 2)
