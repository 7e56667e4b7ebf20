"""Measures of scores: how well the positives are ranked above the negatives. All are functions of the score tally."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import label
from bakeoff._core.validation import FloatArray, check_number
from bakeoff.counts import ANSWERS, TALLY, Sample
from bakeoff.measures._measure import Measure, Trait
from bakeoff.stats import Tally

_ONE_CLASS = "only one class occurs in the truth"


def _auc(scores: FloatArray, positive: NDArray[Any], negative: NDArray[Any]) -> FloatArray:
    from bakeoff.stats import auc_from_tally

    return auc_from_tally(positive, negative)


def _average_precision(scores: FloatArray, positive: NDArray[Any], negative: NDArray[Any]) -> FloatArray:
    from bakeoff.stats import average_precision_from_tally

    return average_precision_from_tally(positive, negative)


def _auc_gradient(scores: FloatArray, up: FloatArray, down: FloatArray) -> tuple[FloatArray, FloatArray]:
    """DeLong's placements: a positive moves AUC by the share of negatives below it less AUC, a negative likewise."""
    p, n = up.sum(), down.sum()
    above, below = np.cumsum(up) - up / 2, n - np.cumsum(down) + down / 2
    area = float(above @ down) / (p * n)
    return below / (p * n) - area / p, above / (p * n) - area / n


def _average_precision_gradient(scores: FloatArray, up: FloatArray, down: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A row changes the precision at its own place and at every place below it."""
    hits, calls, p = np.cumsum(up), np.maximum(np.cumsum(up + down), 1e-300), up.sum()
    value = float(up @ (hits / calls)) / p
    diluted, raised = _from_here_down(up * hits / calls**2), _from_here_down(up / calls)
    return (hits / calls - value + raised - diluted) / p, -diluted / p


def _from_here_down(x: FloatArray) -> FloatArray:
    return np.asarray(np.cumsum(x[::-1])[::-1])


def _each(function: Callable[[Tally], float]) -> Callable[[FloatArray, NDArray[Any], NDArray[Any]], Any]:
    """Make a function of one tally work on replicates ``[B, m]``; NaN where a class is empty."""

    def over_replicates(scores: FloatArray, positive: NDArray[Any], negative: NDArray[Any]) -> Any:
        if np.ndim(positive) > 1:
            rows = zip(positive, negative, strict=True)
            return np.array([over_replicates(scores, p, n) for p, n in rows], dtype=np.float64)
        if not positive.sum() > 0 or not negative.sum() > 0:
            return float("nan")
        return function(Tally(scores, positive, negative))

    return over_replicates


def _auc_hull(tally: Tally) -> float:
    from bakeoff.stats import hull_of_tally

    false_positives, true_positives, _ = hull_of_tally(tally)
    return float(np.trapezoid(true_positives / true_positives[-1], false_positives / false_positives[-1]))


def _h_measure(tally: Tally) -> float:
    from bakeoff.stats import h_from_tally

    return h_from_tally(tally)


def partial_auc(*, max_fpr: float | None = None, min_tpr: float | None = None, standardize: bool = True) -> Measure:
    """Area under the part of the ROC curve with FPR ≤ `max_fpr` or TPR ≥ `min_tpr`, McClish-standardised by default.

    Examples
    --------
    >>> import bakeoff
    >>> measure = bakeoff.measures.partial_auc(max_fpr=0.2)
    >>> round(measure([0, 0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.7]), 3)
    1.0
    """
    if (max_fpr is None) == (min_tpr is None):
        raise ParameterError("partial_auc needs either max_fpr or min_tpr, not both.")

    low, high = (min_tpr, 1.0) if min_tpr is not None else (0.0, max_fpr)
    low, high = (
        check_number("min_tpr", low, low=0, high=1),
        check_number("max_fpr", high, low=0, high=1, closed="right"),
    )

    def function(tally: Tally) -> float:
        from bakeoff.stats import partial_area, roc_from_tally

        curve = roc_from_tally(tally)
        return partial_area(curve.fpr, curve.tpr, low, high, sensitivity=min_tpr is not None, standardize=standardize)

    side = f"FPR up to {max_fpr:g}" if max_fpr is not None else f"TPR from {min_tpr:g}"
    is_default = max_fpr == 0.1 and standardize
    name = "partial_auc" if is_default else f"partial_auc[{side}{'' if standardize else ', raw'}]"
    scale = "on AUC's scale (0.5 is chance)" if standardize else "as a plain area"
    return Measure(
        name, True, (0.0, 1.0), "scores", f"area under the ROC curve for {side}, {scale}", _ONE_CLASS,
        form=TALLY, value=_each(function), needs_positive=True, link="logit",
        label=label(name.replace("partial_auc", "partial AUC")),
    )  # fmt: skip


def _hand_till(sample: Sample, weights: FloatArray) -> FloatArray:
    """Hand & Till's M over the classes that occur, for every weighting ``[B, n]``: the mean AUC over ordered pairs.

    The AUC of the pair (i, j) is how well the probability of class i tells its rows from those of class j. One pass
    over the rows sorted by the probability of i gives the credit of every row (the weight of class i above it, ties
    by half); summed by class, that is the AUC of i against every other class at once.
    """
    truth, table = np.asarray(sample.truth, dtype=np.int64), np.asarray(sample.output, dtype=np.float64)
    if (table == table[:1]).all():
        return np.full(len(weights), 0.5)  # a constant rule ranks nothing, whatever rows are drawn
    member = np.equal.outer(truth, np.arange(table.shape[1])).astype(np.float64)
    total = weights @ member
    wins = np.stack([_credit(table[:, i], member[:, i], weights) @ member for i in range(table.shape[1])], axis=1)
    pairs = total[:, :, None] * total[:, None, :] * (1.0 - np.eye(table.shape[1]))
    counted = pairs > 0
    areas = np.divide(wins, pairs, out=np.zeros_like(wins), where=counted)
    n_pairs = counted.sum(axis=(1, 2))
    return np.where(n_pairs > 0, areas.sum(axis=(1, 2)) / np.maximum(n_pairs, 1), np.nan)


def _credit(scores: FloatArray, is_positive: FloatArray, weights: FloatArray) -> FloatArray:
    """Each row's weight times the weight of the positives that score above it (ties by half), ``[B, n]``."""
    order = np.argsort(scores, kind="stable")
    ranked = scores[order]
    first, last = np.searchsorted(ranked, ranked, side="left"), np.searchsorted(ranked, ranked, side="right")
    below = np.zeros((len(weights), scores.size + 1))
    np.cumsum((weights * is_positive)[:, order], axis=1, out=below[:, 1:])
    above = below[:, -1:] - (below[:, first] + below[:, last]) / 2
    credit = np.empty_like(weights)
    credit[:, order] = above
    return credit * weights


MEASURES: tuple[Measure, ...] = (
    Measure(
        "auc", True, (0.0, 1.0), "scores", "chance that a positive is scored above a negative (ties count half)",
        _ONE_CLASS, form=TALLY, value=_auc, gradient=_auc_gradient, needs_positive=True, link="logit",
        label=label("AUC"), unseen=0.5, traits=frozenset({Trait.AREA}), limits=("delong",),
    ),
    partial_auc(max_fpr=0.1),
    Measure(
        "auc_hull", True, (0.5, 1.0), "scores", "area under the convex hull of the ROC curve (best thresholds)",
        _ONE_CLASS, form=TALLY, value=_each(_auc_hull), smooth=False, needs_positive=True,
        label=label("AUC of the hull"),
    ),
    Measure(
        "average_precision", True, (0.0, 1.0), "scores", "precision averaged over recall (area under the PR steps)",
        "there are no positives", form=TALLY, value=_average_precision, gradient=_average_precision_gradient,
        needs_positive=True, link="logit",
    ),
    Measure(
        "hand_till_auc", True, (0.0, 1.0), "probabilities", "mean pairwise AUC over classes (Hand & Till's M)",
        _ONE_CLASS, form=ANSWERS, value=_hand_till, smooth=False, label=label("Hand–Till AUC"),
    ),
    Measure(
        "h_measure", True, (0.0, 1.0), "scores", "Hand's H: loss saved over Beta(2, 2) cost ratios, 1 is perfect",
        _ONE_CLASS, form=TALLY, value=_each(_h_measure), smooth=False, needs_positive=True, label=label("H measure"),
    ),
)  # fmt: skip
