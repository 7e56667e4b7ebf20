"""Measures of scores: how well the positives are ranked above the negatives. All are functions of the score tally."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import FloatArray
from bakeoff.measures._measure import Measure
from bakeoff.measures._sample import Sample

_ONE_CLASS = "only one class occurs in the truth"


def _auc(scores: FloatArray, positive: NDArray[Any], negative: NDArray[Any]) -> Any:
    from bakeoff.stats import auc_from_tally

    return auc_from_tally(positive, negative)


def _average_precision(scores: FloatArray, positive: NDArray[Any], negative: NDArray[Any]) -> Any:
    from bakeoff.stats import average_precision_from_tally

    return average_precision_from_tally(positive, negative)


def _auc_hull(scores: FloatArray, positive: NDArray[Any], negative: NDArray[Any]) -> Any:
    from bakeoff.stats import auc_hull_from_tally

    return auc_hull_from_tally(positive, negative)


def _h_measure(scores: FloatArray, positive: NDArray[Any], negative: NDArray[Any]) -> Any:
    from bakeoff.stats import h_measure_from_tally

    return h_measure_from_tally(positive, negative)


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

    def function(scores: FloatArray, positive: NDArray[Any], negative: NDArray[Any]) -> Any:
        from bakeoff.stats import partial_auc_from_tally

        return partial_auc_from_tally(positive, negative, max_fpr=max_fpr, min_tpr=min_tpr, standardize=standardize)

    side = f"FPR up to {max_fpr:g}" if max_fpr is not None else f"TPR from {min_tpr:g}"
    is_default = max_fpr == 0.1 and standardize
    name = "partial_auc" if is_default else f"partial_auc[{side}{'' if standardize else ', raw'}]"
    scale = "on AUC's scale (0.5 is chance)" if standardize else "as a plain area"
    return Measure(
        name, True, (0.0, 1.0), "scores", f"area under the ROC curve for {side}, {scale}", _ONE_CLASS,
        from_tally=function, needs_positive=True,
    )  # fmt: skip


def _hand_till(sample: Sample) -> float:
    """Hand & Till's M over the classes that occur; binary: the AUC."""
    from bakeoff.stats import hand_till_auc

    truth = np.asarray(sample.truth, dtype=np.int64)
    weight = None if sample.weight is None else sample.weight
    present = np.unique(truth if weight is None else truth[weight > 0])
    if present.size < 2:
        return float("nan")
    return float(hand_till_auc(truth, np.asarray(sample.output, float), sample_weight=weight, classes=present))


MEASURES: tuple[Measure, ...] = (
    Measure(
        "auc", True, (0.0, 1.0), "scores", "chance that a positive is scored above a negative (ties count half)",
        _ONE_CLASS, from_tally=_auc, needs_positive=True,
    ),
    partial_auc(max_fpr=0.1),
    Measure(
        "auc_hull", True, (0.5, 1.0), "scores", "area under the convex hull of the ROC curve (best thresholds)",
        _ONE_CLASS, from_tally=_auc_hull, needs_positive=True,
    ),
    Measure(
        "average_precision", True, (0.0, 1.0), "scores", "precision averaged over recall (area under the PR steps)",
        "there are no positives", from_tally=_average_precision, needs_positive=True,
    ),
    Measure(
        "hand_till_auc", True, (0.0, 1.0), "probabilities", "mean pairwise AUC over classes (Hand & Till's M)",
        _ONE_CLASS, from_rows=_hand_till,
    ),
    Measure(
        "h_measure", True, (0.0, 1.0), "scores", "Hand's H: loss saved over Beta(2, 2) cost ratios, 1 is perfect",
        _ONE_CLASS, from_tally=_h_measure, needs_positive=True,
    ),
)  # fmt: skip
