"""Precision–recall curve and what else is read from the ranking: average precision, KS, best F1, gain and lift."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.notes import Note
from bakeoff._core.result import Result
from bakeoff._core.validation import FloatArray
from bakeoff.stats.roc._input import as_binary_scores
from bakeoff.stats.roc._tally import Tally, tally_scores


@dataclass(frozen=True, repr=False)
class PrecisionRecallResult(Result):
    """Precision and recall at each threshold.

    Attributes
    ----------
    precision, recall
        At ``score >= threshold``, ``[m]``.
    thresholds
        The distinct scores, falling, ``[m]``.
    prevalence
        Share of positives: the precision of "always positive".
    notes
        Choices made.
    """

    precision: FloatArray
    recall: FloatArray
    thresholds: FloatArray
    prevalence: float
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Any]:
        return {"threshold": self.thresholds, "precision": self.precision, "recall": self.recall}

    def _headline(self) -> str:
        return f"{self.precision.size} points, prevalence={self.prevalence:.4g}"


def precision_recall_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> PrecisionRecallResult:
    """Of what is called positive, how much is; and of the positives, how many are found?

    One point per distinct score; no point is invented at recall 0. Between points the curve is not a straight line
    (Davis and Goadrich 2006), so areas are taken by steps: `average_precision`.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in `roc_curve`.

    References
    ----------
    J. Davis, M. Goadrich (2006), "The relationship between precision–recall and ROC curves", ICML,
    https://doi.org/10.1145/1143844.1143874

    Examples
    --------
    >>> curve = precision_recall_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.precision.round(3).tolist(), curve.recall.tolist()
    ([1.0, 0.5, 0.667, 0.5], [0.5, 0.5, 1.0, 1.0])
    """
    return precision_recall_from_tally(_tally(y_true, y_score, pos_label, sample_weight))


def precision_recall_from_tally(tally: Tally) -> PrecisionRecallResult:
    """Return the precision–recall curve of counted scores."""
    found = np.cumsum(tally.positives)
    called = found + np.cumsum(tally.negatives)
    return PrecisionRecallResult(found / called, found / found[-1], tally.thresholds, float(found[-1] / called[-1]))


def average_precision(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean precision over the positives, each at the threshold that finds it: Σ (R_i − R_{i−1}) P_i.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in `roc_curve`.

    Examples
    --------
    >>> round(average_precision([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.8333
    """
    tally = _tally(y_true, y_score, pos_label, sample_weight)
    return float(average_precision_from_tally(tally.positives, tally.negatives))


def average_precision_from_tally(positives: NDArray[Any], negatives: NDArray[Any]) -> FloatArray:
    """Return average precision from counts in order of falling score, ``[..., m]``; leading axes are replicates."""
    found = np.cumsum(positives, axis=-1)
    called = found + np.cumsum(negatives, axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        # Above the first row that was drawn nothing is called positive: 0/0, but nothing is found there either.
        precision = np.where(called > 0, found / called, 0.0)
        return np.asarray((precision * positives).sum(axis=-1) / found[..., -1])


def kolmogorov_smirnov(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Largest TPR − FPR over all thresholds (Youden's J at its best): how far apart the classes' scores are.

    Zero when no threshold is better than chance; the direction is not flipped.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in `roc_curve`.
    """
    tally = _tally(y_true, y_score, pos_label, sample_weight)
    return float(ks_from_tally(tally.positives, tally.negatives))


def ks_from_tally(positives: NDArray[Any], negatives: NDArray[Any]) -> FloatArray:
    """Return max(TPR − FPR, 0) from counts in order of falling score, ``[..., m]``; NaN where a class is empty."""
    with np.errstate(invalid="ignore", divide="ignore"):
        tpr = np.cumsum(positives, axis=-1) / positives.sum(axis=-1, keepdims=True)
        fpr = np.cumsum(negatives, axis=-1) / negatives.sum(axis=-1, keepdims=True)
    return np.asarray(np.maximum((tpr - fpr).max(axis=-1), 0.0))


def _tally(y_true: ArrayLike, y_score: ArrayLike, pos_label: object, sample_weight: ArrayLike | None) -> Tally:
    return tally_scores(*as_binary_scores(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight))
