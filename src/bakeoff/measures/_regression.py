"""Measures of predicted values, functions of the errors h − f."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bakeoff._core.language import label
from bakeoff._core.validation import FloatArray
from bakeoff.counts import ANSWERS, RowTerms, Sample, SumsKind
from bakeoff.measures._confusion import ratio
from bakeoff.measures._measure import Measure, Trait, first_mean

_TASKS = ("regression",)
_CONSTANT = "the true values are all the same"


def _error(sample: Sample) -> FloatArray:
    return np.asarray(sample.output, dtype=np.float64) - np.asarray(sample.truth, dtype=np.float64)


def squared(sample: Sample) -> FloatArray:
    """Squared errors, ``[n, 1]``."""
    return _error(sample)[:, None] ** 2


def absolute(sample: Sample) -> FloatArray:
    """Absolute errors, ``[n, 1]``."""
    return np.abs(_error(sample))[:, None]


def relative(sample: Sample) -> FloatArray:
    """Absolute errors over the size of the true value, ``[n, 1]``; infinite where it is zero."""
    truth = np.abs(np.asarray(sample.truth, dtype=np.float64))
    # 0/0 is a perfect prediction of a zero, not an error.
    return np.where((truth == 0) & (_error(sample) == 0), 0.0, ratio(np.abs(_error(sample)), truth))[:, None]


def squared_and_spread(sample: Sample) -> FloatArray:
    """(h − f)², f and f², ``[n, 3]``, with f measured from its mean, which loses no digits in the variance."""
    truth = np.asarray(sample.truth, dtype=np.float64)
    centred = truth - np.average(truth, weights=sample.weight if sample.weight is not None else None)
    return np.stack([_error(sample) ** 2, centred, centred**2], axis=1)


def relative_squared(means: FloatArray) -> FloatArray:
    """Σ(h−f)² / Σ(f−f̄)²: a ratio of sums, with f̄ the mean of the test rows."""
    spread = np.maximum(means[..., 2] - means[..., 1] ** 2, 0.0)
    return ratio(means[..., 0], np.where(spread > 0, spread, np.nan))


def _relative_absolute(sample: Sample, weights: FloatArray) -> FloatArray:
    truth = np.asarray(sample.truth, dtype=np.float64)
    centred = truth - truth.mean()
    means = ratio(weights @ centred, weights.sum(axis=1))
    spread = np.einsum("bn,bn->b", weights, np.abs(centred - means[:, None]))
    return ratio(weights @ np.abs(_error(sample)), np.where(spread > 0, spread, np.nan))


def _median_absolute(sample: Sample, weights: FloatArray) -> FloatArray:
    return weighted_medians(np.abs(_error(sample)), weights)


def weighted_medians(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Medians of values repeated ``weights[b]`` times: where the cumulative weight passes half, or the mean of both
    neighbours where it is exactly half."""
    order = np.argsort(values, kind="stable")
    values, cumulative = values[order], np.cumsum(weights[:, order], axis=1)
    half = cumulative[:, -1:] / 2
    below = (cumulative < half).sum(axis=1)
    above = np.minimum((cumulative <= half).sum(axis=1), values.size - 1)
    return np.asarray((values[below] + values[above]) / 2)


def _of_means(
    name: str, meaning: str, terms: RowTerms, value: Callable[[FloatArray], FloatArray], **more: Any
) -> Measure:
    how: dict[str, Any] = {"bounds": (0.0, np.inf), "greater": False, "undefined": "there are no rows"} | more
    bounds, greater, undefined = how.pop("bounds"), how.pop("greater"), how.pop("undefined")
    return Measure(
        name, greater, bounds, "values", meaning, undefined, tasks=_TASKS, form=SumsKind(terms), value=value, **how
    )


_LOSS: dict[str, Any] = {"traits": frozenset({Trait.MEAN}), "link": "log"}

MEASURES: tuple[Measure, ...] = (
    _of_means("mse", "mean squared error", squared, first_mean, label=label("MSE"), **_LOSS),
    _of_means(
        "rmse", "root mean squared error, in the target's units", squared, lambda m: np.sqrt(m[..., 0]),
        label=label("RMSE"), link="square", loss=("mse", np.sqrt),
    ),
    _of_means(
        "mae", "mean absolute error, in the units of the target", absolute, first_mean, label=label("MAE"), **_LOSS
    ),
    Measure(
        "median_absolute_error", False, (0.0, np.inf), "values", "the error that half of the predictions stay below",
        "there are no rows", tasks=_TASKS, form=ANSWERS, value=_median_absolute, smooth=False,
    ),
    _of_means(
        "mape", "mean absolute error as a fraction of the true value", relative, first_mean,
        label=label("MAPE"), **_LOSS,
    ),
    _of_means(
        "r2", "share of the target's variance explained: 1 − Σ(h−f)²/Σ(f−f̄)²", squared_and_spread,
        lambda m: 1.0 - relative_squared(m), bounds=(-np.inf, 1.0), greater=True, undefined=_CONSTANT,
        label=label("R²"), link="square_share",
    ),
    _of_means(
        "relative_squared_error", "squared error relative to predicting the test rows' mean: Σ(h−f)²/Σ(f−f̄)²",
        squared_and_spread, relative_squared, undefined=_CONSTANT, link="log",
    ),
    _of_means(
        "root_relative_squared_error", "root of the relative squared error", squared_and_spread,
        lambda m: np.sqrt(relative_squared(m)), undefined=_CONSTANT, link="square",
    ),
    Measure(
        "relative_absolute_error", False, (0.0, np.inf), "values",
        "absolute error relative to predicting the test rows' mean: Σ|h−f|/Σ|f−f̄|", _CONSTANT, tasks=_TASKS,
        form=ANSWERS, value=_relative_absolute, smooth=False, link="log",
    ),
)  # fmt: skip
