"""The tally of scores: how many positives and negatives have each distinct score.

It is the sufficient statistic of everything that ranks: ROC and precision–recall curves, AUC, Kolmogorov–Smirnov,
H-measure, cost curves. Tallies of two pieces of evidence merge by addition.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.stats.roc._ranked_keys import sorted_labels


class Tally(NamedTuple):
    """Positives and negatives at each distinct score.

    Attributes
    ----------
    thresholds
        The distinct scores, from the highest to the lowest, ``[m]``.
    positives, negatives
        Rows of each class with that score, ``[m]``: whole numbers, or sums of weights.

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.stats import tally_scores
    >>> tally = tally_scores(np.array([True, False, True]), np.array([0.9, 0.5, 0.5]))
    >>> tally.thresholds.tolist(), tally.positives.tolist(), tally.negatives.tolist()
    ([0.9, 0.5], [1, 1], [0, 1])
    """

    thresholds: FloatArray
    positives: NDArray[Any]
    negatives: NDArray[Any]


def tally_scores(positive: BoolArray, score: FloatArray, weight: FloatArray | None = None) -> Tally:
    """Count positives and negatives at each distinct score, the highest score first.

    Parameters
    ----------
    positive
        True for rows of the positive class, ``[n]``.
    score
        float64 scores without NaN, ``[n]``; infinities allowed.
    weight
        Non-negative weights, ``[n]``; rows of weight zero are left out.

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.stats import tally_scores
    >>> tally_scores(np.array([True, False, True]), np.array([0.9, 0.5, 0.5])).positives.tolist()
    [1, 1]
    """
    if weight is not None:
        return _weighted_tally(positive, score, weight)
    thresholds, true_positives, rows = sorted_labels(positive, score)
    positives = np.diff(true_positives, prepend=0)
    return Tally(thresholds, positives, np.diff(rows, prepend=0) - positives)


def _weighted_tally(positive: BoolArray, score: FloatArray, weight: FloatArray) -> Tally:
    used = weight > 0
    values, place = np.unique(score[used], return_inverse=True)
    truth, heavy = positive[used], weight[used]
    positives = np.bincount(place[truth], heavy[truth], minlength=values.size)
    negatives = np.bincount(place[~truth], heavy[~truth], minlength=values.size)
    return Tally(values[::-1].copy(), positives[::-1].copy(), negatives[::-1].copy())


def auc_from_tally(positives: NDArray[Any], negatives: NDArray[Any]) -> Any:
    """Return P(score⁺ > score⁻) + ½ P(tie) from counts in order of falling score, ``[..., m]``.

    Leading axes are replicates (bootstrap, folds). Whole counts are added as whole numbers, so the result is exact
    up to the last division; NaN where a class is empty.

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.stats import auc_from_tally
    >>> float(auc_from_tally(np.array([1, 1, 0]), np.array([0, 1, 1])))
    0.875
    """
    positives, negatives = _wide(positives), _wide(negatives)
    below = negatives.sum(axis=-1, keepdims=True) - np.cumsum(negatives, axis=-1)
    doubled = (positives * (2 * below + negatives)).sum(axis=-1)
    pairs = positives.sum(axis=-1).astype(np.float64) * negatives.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = doubled / (2.0 * pairs)
    return float(ratio) if ratio.ndim == 0 else ratio


def _wide(counts: NDArray[Any]) -> NDArray[Any]:
    """Small integer counts (bytes of a bootstrap) must not overflow in products."""
    counts = np.asarray(counts)
    return counts.astype(np.int64) if counts.dtype.kind in "iub" else counts
