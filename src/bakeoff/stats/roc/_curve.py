"""ROC and precision–recall curves, and the areas under them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import ParameterError
from bakeoff._core.result import Note, Result
from bakeoff._core.validation import BoolArray, FloatArray, check_number
from bakeoff.stats._kernels import roc_points
from bakeoff.stats.roc._tally import (
    RankedScores,
    Tally,
    as_binary_scores,
    auc_from_tally,
    average_precision_from_tally,
    rank_scores,
    tally_scores,
    wins_twice,
)


@dataclass(frozen=True, repr=False)
class RocCurveResult(Result):
    """The points of an ROC curve, from "always negative" (0, 0) to "always positive" (1, 1).

    Attributes
    ----------
    fpr, tpr
        False and true positive rate at each threshold, ``[m + 1]``.
    thresholds
        ``score >= threshold`` is called positive; the first is +inf, then each distinct score, falling.
    n_positive, n_negative
        Rows (or sums of weights) of each class.
    notes
        Choices made.
    """

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray
    n_positive: float
    n_negative: float
    notes: tuple[Note, ...] = ()

    @property
    def area(self) -> float:
        """Area under the curve (AUC), by trapezoids."""
        return float(np.trapezoid(self.tpr, self.fpr))

    def _columns(self) -> dict[str, Any]:
        return {"threshold": self.thresholds, "fpr": self.fpr, "tpr": self.tpr}

    def _headline(self) -> str:
        return f"{self.fpr.size} points, n_positive={self.n_positive:g}, n_negative={self.n_negative:g}"


def roc_curve(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: object = None, sample_weight: ArrayLike | None = None
) -> RocCurveResult:
    """Trade-off between true and false alarms over every threshold of a score.

    A row is called positive when ``score >= threshold``. There is one point per distinct score, plus (0, 0) at
    threshold +inf: tied rows of both classes make one slanted step, never a staircase in the order of the rows.

    Parameters
    ----------
    y_true
        True classes ``[n]``: 0/1, -1/1 or False/True, or anything with `pos_label`.
    y_score
        Scores ``[n]``, high = positive; ±inf allowed, NaN is an error.
    pos_label
        The positive class, when the labels do not tell.
    sample_weight
        Non-negative weights ``[n]``.

    References
    ----------
    T. Fawcett (2006), "An introduction to ROC analysis", Pattern Recognition Letters 27,
    https://doi.org/10.1016/j.patrec.2005.10.010

    Examples
    --------
    >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> curve.fpr.tolist(), curve.tpr.tolist(), curve.thresholds.tolist()
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], [inf, 0.8, 0.4, 0.1])
    """
    positive, score, weight = as_binary_scores(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    if weight is not None:
        return roc_from_tally(tally_scores(positive, score, weight))
    return _curve_of_rows(positive, score)


def _curve_of_rows(positive: BoolArray, score: FloatArray) -> RocCurveResult:
    """Fill the curve while walking down the sorted scores; no other array of the rows' length is made."""
    n_positive = int(np.count_nonzero(positive))
    n_negative = positive.size - n_positive
    ranked = rank_scores(positive, score)
    size = ranked.n_distinct() + 1
    fpr, tpr, thresholds = np.empty(size), np.empty(size), np.empty(size)
    fpr[0], tpr[0], thresholds[0] = 0.0, 0.0, np.inf
    points = fpr[1:], tpr[1:], thresholds[1:]
    if ranked.table is not None or not roc_points(ranked.keys, ranked.gap, n_positive, n_negative, points):
        _fill(ranked, n_positive, n_negative, *points)
    return RocCurveResult(fpr, tpr, thresholds, float(n_positive), float(n_negative))


def _fill(
    ranked: RankedScores, n_positive: int, n_negative: int, fpr: FloatArray, tpr: FloatArray, thresholds: FloatArray
) -> None:
    done = 0
    for step in ranked.steps():
        part = slice(done, done + step.rows.size)
        thresholds[part] = step.scores
        np.divide(step.positives, n_positive, out=tpr[part])
        np.divide(step.rows - step.positives, n_negative, out=fpr[part])
        done = part.stop


def roc_from_tally(tally: Tally) -> RocCurveResult:
    """Return the ROC curve of counted scores: no row is needed once they are counted."""
    return _curve(tally.thresholds, np.cumsum(tally.positives), np.cumsum(tally.negatives))


def _curve(thresholds: FloatArray, true_positives: NDArray[Any], false_positives: NDArray[Any]) -> RocCurveResult:
    n_positive, n_negative = float(true_positives[-1]), float(false_positives[-1])
    return RocCurveResult(
        fpr=_from_zero(false_positives, n_negative),
        tpr=_from_zero(true_positives, n_positive),
        thresholds=np.concatenate(([np.inf], thresholds)),
        n_positive=n_positive,
        n_negative=n_negative,
    )


def _from_zero(cumulative: NDArray[Any], total: float) -> FloatArray:
    rate = np.empty(cumulative.size + 1)
    rate[0] = 0.0
    np.divide(cumulative, total, out=rate[1:])
    return rate


def auc(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: object = None, sample_weight: ArrayLike | None = None
) -> float:
    """Chance that a random positive is scored above a random negative, a tie counting one half.

    This is the area under the ROC curve, and the Mann–Whitney statistic divided by the number of pairs. The direction
    is never flipped: a score that ranks backwards has an AUC below one half.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in `roc_curve`.

    References
    ----------
    J. Hanley, B. McNeil (1982), "The meaning and use of the area under a ROC curve", Radiology 143,
    https://doi.org/10.1148/radiology.143.1.7063747

    Examples
    --------
    >>> auc([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    0.875
    """
    positive, score, weight = as_binary_scores(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    if weight is None:
        return auc_of_rows(positive, score)
    tally = tally_scores(positive, score, weight)
    return float(auc_from_tally(tally.positives, tally.negatives))


def auc_of_rows(positive: BoolArray, score: FloatArray) -> float:
    """Return the AUC of checked rows: both classes present, no NaN."""
    n_positive = int(np.count_nonzero(positive))
    return wins_twice(rank_scores(positive, score)) / (2 * n_positive * (positive.size - n_positive))


def partial_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    standardize: bool = True,
    min_fpr: float = 0.0,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Area under the part of the ROC curve where the model would be used.

    With `max_fpr`, the area below the curve for false positive rates in [min_fpr, max_fpr]. With `min_tpr`, the area
    to the right of the curve for true positive rates in [min_tpr, 1] (specificity integrated over sensitivity). The
    curve is interpolated linearly at the cuts. With neither, the whole AUC.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in `roc_curve`.
    max_fpr, min_tpr
        Give one of them.
    standardize
        McClish's scale, ½ (1 + (A − min) / (max − min)): one half for chance, 1 for a perfect model. Below chance it
        falls under one half.
    min_fpr
        Lower end of the range of false positive rates.

    References
    ----------
    D. McClish (1989), "Analyzing a portion of the ROC curve", Medical Decision Making 9,
    https://doi.org/10.1177/0272989X8900900307

    Examples
    --------
    >>> round(partial_auc([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8], max_fpr=0.5), 4)
    0.8333
    """
    low, high = _range_of_rates(max_fpr, min_tpr, min_fpr)
    curve = roc_curve(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return partial_area(curve.fpr, curve.tpr, low, high, sensitivity=min_tpr is not None, standardize=standardize)


def _range_of_rates(max_fpr: float | None, min_tpr: float | None, min_fpr: float) -> tuple[float, float]:
    if max_fpr is not None and min_tpr is not None:
        raise ParameterError(
            "partial_auc takes a range of false positive rates (max_fpr) or of true positive rates (min_tpr), not both."
        )
    if min_tpr is not None:
        return check_number("min_tpr", min_tpr, low=0, high=1, closed="left"), 1.0
    low = check_number("min_fpr", min_fpr, low=0, high=1, closed="left")
    high = 1.0 if max_fpr is None else check_number("max_fpr", max_fpr, low=0, high=1, closed="right")
    if low >= high:
        raise ParameterError(f"min_fpr must be below max_fpr. Got {low:g} and {high:g}.")
    return low, high


def partial_area(
    fpr: FloatArray, tpr: FloatArray, low: float, high: float, *, sensitivity: bool = False, standardize: bool = True
) -> float:
    """Return the area of a curve over a range of FPR, or (`sensitivity`) of specificity over a range of TPR."""
    if sensitivity:
        # Seen from the right-hand side: x = 1 - TPR, height = specificity, both read backwards.
        fpr, tpr, low, high = 1.0 - tpr[::-1], 1.0 - fpr[::-1], 1.0 - high, 1.0 - low
    area = _area_to(fpr, tpr, high) - _area_to(fpr, tpr, low)
    return float(standardized_area(np.asarray(area), low, high)) if standardize else area


def standardized_area(area: FloatArray, low: float, high: float) -> FloatArray:
    """Put areas over a range of rates on the scale of AUC."""
    # McClish (1989): the area under the diagonal and under the perfect curve over this range map to ½ and 1.
    chance, perfect = (high**2 - low**2) / 2.0, high - low
    return np.asarray(0.5 * (1.0 + (area - chance) / (perfect - chance))) if perfect > chance else area


def _area_to(x: FloatArray, y: FloatArray, end: float) -> float:
    """Trapezoids from 0 to `end`; the curve is cut by linear interpolation, on top of a vertical step."""
    if end >= x[-1]:
        return float(np.trapezoid(y, x))
    last = int(np.searchsorted(x, end, side="right"))
    run = x[last] - x[last - 1]
    height = y[last - 1] + (y[last] - y[last - 1]) * (end - x[last - 1]) / run
    return float(np.trapezoid(y[:last], x[:last]) + (end - x[last - 1]) * (height + y[last - 1]) / 2.0)


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
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: object = None, sample_weight: ArrayLike | None = None
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
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: object = None, sample_weight: ArrayLike | None = None
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


def _tally(y_true: ArrayLike, y_score: ArrayLike, pos_label: object, sample_weight: ArrayLike | None) -> Tally:
    return tally_scores(*as_binary_scores(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight))
