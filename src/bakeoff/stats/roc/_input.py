"""Input validation for everything that ranks instances by a score."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import BoolArray, FloatArray, as_binary_truth, as_floats


def as_score_vector(name: str, values: ArrayLike, *, n: int | None = None) -> FloatArray:
    """Return one score per row as float64; ±inf is a score like any other, NaN is an error located by row."""
    score = as_floats(name, values)
    if score.ndim != 1:
        raise EvidenceError(
            f"{name} must be one-dimensional, one score per row. Got shape {score.shape} instead.",
            hint="for probabilities of two classes, give the column of the positive class" if score.ndim == 2 else None,
        )
    if n is not None and score.size != n:
        raise EvidenceError(f"{name} must have one score per row of y_true. Got {score.size} scores and {n} rows.")
    check_no_nan(name, score)
    return score


def check_no_nan(name: str, score: FloatArray) -> None:
    """Raise with the row of the first NaN; the minimum carries a NaN along, so clean data cost one fast pass."""
    if score.size and np.isnan(score.min()):
        missing = np.isnan(score)
        where = np.argwhere(missing)[0]
        place = f"row {where[0]}" if score.ndim == 1 else f"row {where[0]}, column {where[1]}"
        raise EvidenceError(
            f"{name} must not have missing values, but has {int(missing.sum())} NaN (the first at {place}).",
            hint="drop those rows for every model alike, or give the model's lowest score to what it could not score",
        )


def as_weights(values: ArrayLike | None, n: int) -> FloatArray | None:
    """Return one non-negative finite weight per row, or None."""
    if values is None:
        return None
    weight = as_floats("sample_weight", values)
    if weight.shape != (n,):
        raise EvidenceError(f"sample_weight must have one weight per row. Got shape {weight.shape} for {n} rows.")
    bad = ~(np.isfinite(weight) & (weight >= 0))
    if bad.any():
        row = int(bad.argmax())
        raise EvidenceError(f"sample_weight must be finite and not negative. Got {weight[row]} at row {row}.")
    return weight


def as_binary_scores(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[BoolArray, FloatArray, FloatArray | None]:
    """Return (positive, score, weight) of equal lengths, with at least one row of each class."""
    positive = as_binary_truth(y_true, pos_label=pos_label)
    score = as_score_vector("y_score", y_score, n=positive.size)
    weight = as_weights(sample_weight, positive.size)
    check_both_classes(positive, weight)
    return positive, score, weight


def check_both_classes(positive: BoolArray, weight: FloatArray | None = None) -> None:
    """Raise unless both classes are there: without one of them there are no pairs to rank."""
    present = positive if weight is None else positive[weight > 0]
    n_positive = int(np.count_nonzero(present))
    if 0 < n_positive < present.size:
        return
    missing = "positive" if n_positive == 0 else "negative"
    raise EvidenceError(
        f"y_true must have rows of both classes, but there is no {missing} one among {present.size} rows.",
        hint="with one class only, ROC curve and AUC are undefined; use stratified folds",
    )
