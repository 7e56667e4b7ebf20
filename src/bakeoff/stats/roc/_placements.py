"""Placement values: what DeLong's variance, and every closed form around AUC, is made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bakeoff._core.validation import BoolArray, FloatArray, IntArray
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
        doubled = _others_below_twice(positive, np.ascontiguousarray(scores[:, j]))
        won, lost = doubled[rows_of[0]], doubled[rows_of[1]]
        aucs[j] = int(won.sum()) / (2 * n_positive * n_negative)
        np.divide(won, 2.0 * n_negative, out=of_positives[j])
        np.divide(2 * n_positive - lost, 2.0 * n_positive, out=of_negatives[j])
    return Placements(aucs, of_positives, of_negatives)


def _others_below_twice(positive: BoolArray, score: FloatArray) -> IntArray:
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
