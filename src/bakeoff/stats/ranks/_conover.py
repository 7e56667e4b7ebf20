"""Conover's post hoc of Friedman's test: t-tests on rank sums."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.note_catalogue import note
from bakeoff._core.notes import Note
from bakeoff._core.validation import FloatArray
from bakeoff.stats._blocks import ALL_TIED, check_blocks
from bakeoff.stats.multiplicity import PairsResult, all_pairs, pair_indices
from bakeoff.stats.ranks._ranking import block_ranks


def conover(scores: ArrayLike, *, greater_is_better: bool = True) -> PairsResult:
    """Which pairs of models differ in mean rank? Conover's t-tests, not adjusted.

    Parameters
    ----------
    scores
        Shape [N, k]: rows are data sets, columns are models.
    greater_is_better
        Whether the highest score gets rank 1.

    Returns
    -------
    PairsResult
        `statistic` is ``|t|`` with `df` = (N−1)(k−1); `estimate` is R̄ᵢ − R̄ⱼ (negative: the first is better); `pvalue`
        is for `adjust` or `adjust_pairs`.

    Notes
    -----
    ``t = |Rᵢ − Rⱼ| / √(2N(A − B)/((N−1)(k−1)))``, with R rank sums, A = Σ r², B = Σⱼ Rⱼ²/N: the residual of the two-way
    layout of the ranks, ties included. That residual shrinks as soon as *any* models differ, whether or not the pair in
    question does: it makes the test powerful, and makes it miss its family-wise level. In simulations with two of five
    models far better than the rest, Conover with Holm told equal models apart in 11 % of the tables at the 5 % level
    (``tests/calibration/test_rank_levels.py``); `wilcoxon_pairs` with Holm holds it.

    References
    ----------
    Conover, W. J. (1999). Practical Nonparametric Statistics, 3rd ed., p. 371. Wiley.

    Examples
    --------
    >>> from bakeoff.stats import conover
    >>> table = [[.80, .77, .76], [.62, .59, .60], [.97, .96, .95], [.66, .65, .63]]
    >>> conover(table).pvalue.round(4).tolist()
    [0.0123, 0.0026, 0.207]
    """
    ranks = block_ranks(check_blocks(scores), greater_is_better=greater_is_better)
    n, k = ranks.shape
    means = ranks.mean(axis=0)
    first, second = pair_indices(k)
    estimate = means[first] - means[second]
    df = (n - 1) * (k - 1)
    squares = float((ranks**2).sum())
    residual = squares - n * float((means**2).sum())
    # Rounding of a difference of large sums: all data sets agree on the order.
    if residual <= 1e-10 * squares:
        residual = 0.0
    statistic = _ratios(np.abs(estimate), np.sqrt(2 * residual / (df * n)))
    return PairsResult(
        pairs=all_pairs(k),
        statistic=statistic,
        pvalue=_pvalues(statistic, df, n),
        estimate=estimate,
        estimate_kind="difference of mean ranks",
        method="conover",
        adjusted=False,
        df=df,
        notes=_notes(statistic, n),
    )


def _ratios(size: FloatArray, spread: float) -> FloatArray:
    """Divide, with 0/0 = 0 (models that never differ) and x/0 = ∞ (data sets that all agree)."""
    if spread > 0:
        return size / spread
    return np.where(size > 0, np.inf, 0.0)


def _pvalues(statistic: FloatArray, df: int, n: int) -> FloatArray:
    """Return two-sided t p-values; where t is infinite, the probability that n data sets agree on a pair by chance."""
    from scipy.special import stdtr

    finite = np.where(np.isinf(statistic), 0.0, statistic)
    return np.asarray(np.where(np.isinf(statistic), 0.5 ** (n - 1), np.minimum(1.0, 2 * stdtr(df, -finite))))


def _notes(statistic: FloatArray, n: int) -> tuple[Note, ...]:
    if not statistic.any():
        return (ALL_TIED,)
    if np.isinf(statistic).any():
        return (note("perfect-agreement:conover", n=n),)
    return ()
