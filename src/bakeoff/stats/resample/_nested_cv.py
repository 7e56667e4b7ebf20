"""Nested cross-validation: an interval of the error of a kind of model that covers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.result import Result
from bakeoff._core.validation import check_level


@dataclass(frozen=True, repr=False)
class NestedCVResult(Result):
    """Answer of nested cross-validation.

    Attributes
    ----------
    estimate, low, high
        Mean loss of a model trained on all rows, corrected for bias, and its interval.
    inflation
        Standard error over the one that takes losses as independent, kept between 1 and √folds.
    bias
        What was taken off the mean of the inner losses, whose models were trained on fewer rows.
    """

    estimate: float
    low: float
    high: float
    inflation: float
    bias: float


def nested_cv(
    outer_losses: ArrayLike,
    inner_losses: Sequence[Sequence[Sequence[ArrayLike | None]]],
    plain_losses: ArrayLike,
    folds: ArrayLike,
    *,
    confidence_level: float = 0.95,
) -> NestedCVResult:
    r"""Estimate the error of a kind of model, with the mean squared error of cross-validation itself.

    Parameters
    ----------
    outer_losses
        ``[repeats, n]``: loss of each row, by the model trained without its fold.
    inner_losses
        ``[repeats][i][j]``: losses of the rows of fold i when folds i and j are left out; None for i = j.
    plain_losses
        ``[repeats, n]`` of plain cross-validation, for the bias.
    folds
        ``[repeats, n]``: fold of each row.
    confidence_level
        Of the interval.

    Notes
    -----
    For each fold left out, a = mean of the inner losses − mean of its outer losses, and b = variance of its outer
    losses over their number. Mean of a² − b is the mean squared error of cross-validation on n(K − 1)/K rows. The bias
    is (1 + (K − 2)/K) times the excess of the inner losses over plain cross-validation, as in the paper; the authors'
    package takes the power 1.5 of (K − 2)/K.

    References
    ----------
    Bates, Hastie & Tibshirani (2024). Cross-validation: what does it estimate and how well does it do it? *Journal of
    the American Statistical Association* 119, 1434–1445. https://doi.org/10.1080/01621459.2023.2197686

    Examples
    --------
    >>> from bakeoff.stats import nested_cv
    >>> outer, folds = [[0.0, 1.0, 1.0, 0.0]], [[0, 0, 1, 1]]
    >>> inner = [[[None, [0.0, 1.0]], [[1.0, 1.0], None]]]
    >>> result = nested_cv(outer, inner, outer, folds)
    >>> round(result.estimate, 3), round(result.inflation, 3)
    (0.5, 1.0)
    """
    from scipy.special import ndtri

    level = check_level(confidence_level)
    outer, fold = np.asarray(outer_losses, dtype=float), np.asarray(folds)
    names = np.unique(fold)
    k, n = names.size, fold.shape[1]
    errors, every = [], []
    for losses, places, inner in zip(outer, fold, inner_losses, strict=True):
        for i, name in enumerate(names):
            mine = losses[places == name]
            without = np.concatenate([np.asarray(inner[j][i], dtype=float) for j in range(k) if j != i])
            # (cross-validation error − its hold-out error)² is the MSE of the former plus the variance of the latter.
            errors.append((without.mean() - mine.mean()) ** 2 - mine.var(ddof=1) / mine.size)
            every.append(without)
    pooled = np.concatenate(every)
    plain = float(pooled.std(ddof=1)) / math.sqrt(n)
    error = math.sqrt(max(float(np.mean(errors)), 0.0) * (k - 1) / k)
    # Bates, Hastie and Tibshirani (2023): never below the plain error, nor above what one fold alone would give.
    inflation = min(max(error / plain, 1.0), math.sqrt(k)) if plain > 0 else 1.0
    bias = (1 + (k - 2) / k) * float(pooled.mean() - np.mean(np.asarray(plain_losses, dtype=float)))
    estimate, half = float(pooled.mean()) - bias, float(ndtri((1 + level) / 2)) * inflation * plain
    return NestedCVResult(estimate, estimate - half, estimate + half, inflation, bias)
