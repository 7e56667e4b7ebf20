"""Covariance of several AUCs measured on the same instances, rows independent or clustered."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.validation import BoolArray, FloatArray, as_groups
from bakeoff.stats.roc._placements import Placements, placements


def auc_covariance(
    positive: BoolArray, scores: FloatArray, groups: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the AUC of each column of `scores` ``[n, k]`` and their covariance ``[k, k]``.

    DeLong's for independent rows; Obuchowski's for rows in `groups`. NaN where a class has one row (or cluster).

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.stats import auc_covariance
    >>> positive = np.array([False, False, True, False, True, True])
    >>> aucs, covariance = auc_covariance(positive, np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]))
    >>> aucs.round(4).tolist(), covariance.shape
    ([0.8889], (1, 1))
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
    (up, down), (i_up, i_down) = sums, counts
    cross = up @ down.T
    covariance: FloatArray = (
        i_up / (i_up - 1.0) * (up @ up.T)
        + i_down / (i_down - 1.0) * (down @ down.T)
        + n_clusters / (n_clusters - 1.0) * (cross + cross.T)
    )
    return covariance
