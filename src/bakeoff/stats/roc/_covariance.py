"""Placement values and the covariance of AUCs made of them, for independent rows or rows in clusters.

The placement of a positive is the share of negatives scored below it. An AUC is the mean of its positives' placements
(and of its negatives'), so DeLong's covariance of several AUCs is that of two means of placements.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.validation import BoolArray, FloatArray, IntArray, as_groups
from bakeoff.stats._kernels import sorted_order


class Placements(NamedTuple):
    """Placement values of k score columns.

    Attributes
    ----------
    aucs
        AUC of each column, ``[k]``.
    of_positives
        For each positive, the share of negatives below it, a tie counting one half, ``[k, n_positive]``.
    of_negatives
        For each negative, the share of positives above it, a tie counting one half, ``[k, n_negative]``.
    """

    aucs: FloatArray
    of_positives: FloatArray
    of_negatives: FloatArray


def placements(positive: BoolArray, scores: FloatArray) -> Placements:
    """Return the placement values of each column of `scores` ``[n, k]``, in the order of the rows.

    One sort per column; counts are whole numbers until the last division.
    """
    n_positive = int(np.count_nonzero(positive))
    n_negative = positive.size - n_positive
    n_models = scores.shape[1]
    of_positives, of_negatives = np.empty((n_models, n_positive)), np.empty((n_models, n_negative))
    aucs, rows_of = np.empty(n_models), (np.flatnonzero(positive), np.flatnonzero(~positive))
    for j in range(n_models):
        doubled = others_below_twice(positive, np.ascontiguousarray(scores[:, j]))
        won, lost = doubled[rows_of[0]], doubled[rows_of[1]]
        aucs[j] = int(won.sum()) / (2 * n_positive * n_negative)
        np.divide(won, 2.0 * n_negative, out=of_positives[j])
        np.divide(2 * n_positive - lost, 2.0 * n_positive, out=of_negatives[j])
    return Placements(aucs, of_positives, of_negatives)


def others_below_twice(positive: BoolArray, score: FloatArray) -> IntArray:
    """Twice the number of rows of the other class below each row, a tie counting one half."""
    order, ranked = sorted_order(score)
    truth = positive[order]
    if (ranked[1:] == ranked[:-1]).any():
        counts = _with_ties(ranked, truth)
    else:
        # A positive has as many negatives below as its place less the positives up to it.
        positives = np.cumsum(truth)
        counts = 2 * np.where(truth, np.arange(1, score.size + 1) - positives, positives)
    doubled = np.empty(score.size, dtype=np.int64)
    doubled[order] = counts
    return doubled


def _with_ties(ranked: FloatArray, truth: BoolArray) -> IntArray:
    """Return the same for one sorted column by its groups of equal scores: below once, tied half."""
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))
    sizes = np.diff(ends, prepend=-1)
    positives_to = np.cumsum(truth)[ends]
    positives = np.diff(positives_to, prepend=0)
    for_positives = 2 * (ends + 1 - positives_to) - (sizes - positives)
    for_negatives = 2 * positives_to - positives
    return np.where(truth, np.repeat(for_positives, sizes), np.repeat(for_negatives, sizes))


def auc_covariance(
    positive: BoolArray, scores: FloatArray, groups: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the AUC of each column of `scores` ``[n, k]`` and their covariance ``[k, k]``.

    DeLong's for independent rows; Obuchowski's for rows in `groups`. NaN where a class has one row (or cluster).
    """
    placed = placements(positive, scores)
    if groups is None:
        covariance = _class_covariance(placed.of_positives, placed.aucs) + _class_covariance(
            placed.of_negatives, placed.aucs
        )
    else:
        covariance = _clustered(placed, positive, groups)
    return placed.aucs, covariance


def _class_covariance(values: FloatArray, means: FloatArray) -> FloatArray:
    """Covariance of the means of `values` ``[k, m]`` over the m rows of a class."""
    m = values.shape[1]
    if m < 2:
        return np.full((values.shape[0],) * 2, np.nan)
    # The unbiased covariance of the placements (m − 1), over m for that of their means: DeLong et al.'s S₁₀/m or S₀₁/n.
    covariance: FloatArray = _gram(values - means[:, None]) / (m * (m - 1.0))
    return covariance


def _gram(centred: FloatArray) -> FloatArray:
    """Return ``centred @ centred.T`` in pieces small enough for BLAS to stay on one thread, where k is small.

    Waking threads costs more than a 20 × 20 result, and on a busy machine a hundred times more.
    """
    k, m = centred.shape
    step = max(2**18 // (k * k), 256)
    total = np.zeros((k, k))
    for start in range(0, m, step):
        piece = centred[:, start : start + step]
        total += piece @ piece.T
    return total


def _clustered(placed: Placements, positive: BoolArray, groups: ArrayLike) -> FloatArray:
    """Obuchowski (1997): sums of centred placements per cluster take the place of single rows."""
    cluster, n_clusters = as_groups(groups, positive.size)
    sums, counts = [], []
    for values, rows in ((placed.of_positives, positive), (placed.of_negatives, ~positive)):
        centred = (values - placed.aucs[:, None]) / values.shape[1]
        sums.append(np.array([np.bincount(cluster[rows], row, minlength=n_clusters) for row in centred]))
        counts.append(np.unique(cluster[rows]).size)
    if min(counts) < 2:
        return np.full((placed.aucs.size,) * 2, np.nan)
    # A cluster may hold rows of both classes, hence the cross terms; the factors I/(I − 1) are Obuchowski's.
    (up, down), (i_up, i_down) = sums, counts
    cross = up @ down.T
    covariance: FloatArray = (
        i_up / (i_up - 1.0) * (up @ up.T)
        + i_down / (i_down - 1.0) * (down @ down.T)
        + n_clusters / (n_clusters - 1.0) * (cross + cross.T)
    )
    return covariance
