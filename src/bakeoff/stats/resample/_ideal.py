"""The ideal bootstrap of the AUC: its variance for B → ∞, in closed form."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.stats.resample._tallies import as_labelled_scores
from bakeoff.stats.roc import placements


def ideal_auc_variance(positive: ArrayLike, score: ArrayLike, *, stratified: bool = False) -> float:
    """Return the variance that the bootstrap of one AUC has with infinitely many replicates.

    See `ideal_auc_covariance`. O(n log n).

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.stats.resample import auc_bootstrap, ideal_auc_variance
    >>> rng = np.random.default_rng(1)
    >>> y = rng.random(300) < 0.5
    >>> score = rng.normal(size=300) + y
    >>> simulated = auc_bootstrap(y, score, 20_000, rng=0).var()
    >>> bool(abs(simulated / ideal_auc_variance(y, score) - 1) < 0.05)
    True
    """
    return float(
        ideal_auc_covariance(positive, np.asarray(score, dtype=np.float64).reshape(-1, 1), stratified=stratified)[0, 0]
    )


def ideal_auc_covariance(positive: ArrayLike, scores: ArrayLike, *, stratified: bool = False) -> FloatArray:
    """Return the covariance of several AUCs under the bootstrap with infinitely many replicates, ``[k, k]``.

    Given that a replicate has p positives and q negatives, the counts of the two classes are independent multinomials,
    and the second moment of two replicate AUCs is

    .. math::

        (1-\\tfrac1p)(1-\\tfrac1q)\\,A_aA_b + (1-\\tfrac1p)\\tfrac1q\\,\\overline{V^-_aV^-_b}
        + \\tfrac1p(1-\\tfrac1q)\\,\\overline{V^+_aV^+_b} + \\tfrac1{pq}\\,\\overline{ψ_aψ_b}

    with A the AUCs, V⁺ and V⁻ the placements of positives and negatives, and the last mean over all pairs. The mean
    AUC is A whatever p is, so only 1/p, 1/q and 1/(pq) need averaging over p ~ Binomial(n, P/n), 0 < p < n; when
    `stratified`, p = P and q = N.

    Notes
    -----
    The mean of ψₐψ_b over all P·N pairs of two models is counted in O(n log n) by splitting on the bits of ranks.
    """
    truth, columns = as_labelled_scores(positive, scores)
    aucs, of_positives, of_negatives = placements(truth, columns)
    n_positive, n_negative = of_positives.shape[1], of_negatives.shape[1]
    among_positives = of_positives @ of_positives.T / n_positive
    among_negatives = of_negatives @ of_negatives.T / n_negative
    per_p, per_q, per_pq = _inverse_moments(n_positive, n_negative, stratified)
    square = np.outer(aucs, aucs)
    return np.asarray(
        (per_pq - per_p - per_q) * square
        + (per_q - per_pq) * among_negatives
        + (per_p - per_pq) * among_positives
        + per_pq * _pair_means(truth, columns)
    )


def _inverse_moments(n_positive: int, n_negative: int, stratified: bool) -> tuple[float, float, float]:
    """Return E[1/p], E[1/q] and E[1/(pq)] for the numbers of positives and negatives in a replicate."""
    if stratified:
        return 1 / n_positive, 1 / n_negative, 1 / (n_positive * n_negative)
    from scipy.stats import binom

    n = n_positive + n_negative
    spread = 12 * np.sqrt(n_positive * n_negative / n) + 40  # beyond 12 sigma nothing is left at double precision
    p = np.arange(max(1, int(n_positive - spread)), min(n - 1, int(n_positive + spread)) + 1)
    probability = binom.pmf(p, n, n_positive / n)
    probability /= probability.sum()
    per_p, per_q = float(probability @ (1 / p)), float(probability @ (1 / (n - p)))
    return per_p, per_q, (per_p + per_q) / n  # 1/(pq) = (1/p + 1/q)/n


def _pair_means(truth: BoolArray, columns: FloatArray) -> FloatArray:
    """Mean of ψₐψ_b over all pairs of a positive and a negative, ``[k, k]``."""
    k = columns.shape[1]
    means = np.empty((k, k))
    for a in range(k):
        for b in range(a + 1):
            means[a, b] = means[b, a] = _joint_wins(truth, columns[:, a], columns[:, b])
    return means / (int(truth.sum()) * int((~truth).sum()))


def _joint_wins(truth: BoolArray, a: FloatArray, b: FloatArray) -> float:
    """Σ ψₐψ_b: ψ is the mean of "above" and "not below", so four counts of dominated pairs make it up."""
    total = 0
    for a_ranks in (_class_ranks(truth, a, first) for first in (False, True)):
        for b_ranks in (_class_ranks(truth, b, first) for first in (False, True)):
            total += _dominated_pairs(truth, a_ranks, b_ranks)
    return total / 4


def _class_ranks(truth: BoolArray, score: FloatArray, positives_first: bool) -> IntArray:
    """Ranks 0 … n − 1, ties between classes broken for or against the positives."""
    order = np.lexsort((truth if not positives_first else ~truth, score))
    ranks = np.empty(score.size, dtype=np.int64)
    ranks[order] = np.arange(score.size)
    return ranks


def _dominated_pairs(truth: BoolArray, first: IntArray, second: IntArray) -> int:
    """Count pairs (positive, negative) where the positive has the higher rank in both orders.

    Walk the bits of the first rank from the top. Rows sit in order of the second rank within equal leading bits; where
    the next bit tells two rows apart, the one with 1 is above in the first order, and the ones before it are below in
    the second. Then rows are parted by that bit, keeping their order.
    """
    by_second = np.empty_like(second)
    by_second[second] = np.arange(second.size)
    rank, positive = first[by_second], truth[by_second]
    total = 0
    for bit in range(max(rank.size - 1, 1).bit_length() - 1, -1, -1):
        one = (rank >> bit) & 1 == 1
        beaten = np.cumsum(~one & ~positive)
        prefix = rank >> (bit + 1)
        start = np.flatnonzero(np.concatenate([[True], prefix[1:] != prefix[:-1]]))
        before = np.concatenate([[0], beaten])[start]
        total += int(beaten[one & positive].sum())
        per_block = np.add.reduceat((one & positive).astype(np.int64), start)
        total -= int((before * per_block).sum())
        part = np.argsort((prefix << 1) | one, kind="stable")
        rank, positive = rank[part], positive[part]
    return total
