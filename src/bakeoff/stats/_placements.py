"""Placement values: what DeLong's variance, and every closed form around AUC, is made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bakeoff._core.validation import BoolArray, FloatArray


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

    One sort per column: with m rows of score at most s, the mid-rank among all rows minus the mid-rank within the own
    class counts the other class below.
    """
    n_positive = int(np.count_nonzero(positive))
    n_negative = positive.size - n_positive
    n_models = scores.shape[1]
    of_positives = np.empty((n_models, n_positive))
    of_negatives = np.empty((n_models, n_negative))
    aucs = np.empty(n_models)
    for j in range(n_models):
        below, doubled = _negatives_below_twice(positive, np.ascontiguousarray(scores[:, j]))
        aucs[j] = doubled / (2.0 * n_positive * n_negative)
        of_positives[j] = below[positive] / (2.0 * n_negative)
        of_negatives[j] = 1.0 - below[~positive] / (2.0 * n_positive)
    return Placements(aucs, of_positives, of_negatives)


def _negatives_below_twice(positive: BoolArray, score: FloatArray) -> tuple[FloatArray, float]:
    """Twice the rows of the other class below each row (ties one half), and its sum over the positives."""
    order = np.argsort(score)
    ranked, truth = score[order], positive[order]
    starts = np.flatnonzero(np.concatenate(([True], ranked[1:] != ranked[:-1])))
    sizes = np.diff(np.append(starts, ranked.size))
    positives = np.add.reduceat(truth, starts, dtype=np.int64)
    negatives = sizes - positives
    other_p = np.repeat(2 * (np.cumsum(negatives) - negatives) + negatives, sizes)
    other_n = np.repeat(2 * (np.cumsum(positives) - positives) + positives, sizes)
    below = np.empty(score.size)
    below[order] = np.where(truth, other_p, other_n)
    return below, float((other_p[truth]).sum())
