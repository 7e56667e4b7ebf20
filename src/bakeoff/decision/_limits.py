"""Confidence limits for costs: sums of error rates with known prices.

Newcombe's square-and-add method (MOVER) recovers the variance of each rate from its Wilson limits. It needs no
resampling, respects that costs are bounded, and its limits have width also where no error was seen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.validation import FloatArray


def normal_quantile(level: float) -> float:
    """Two-sided normal quantile of a confidence level."""
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))


def wilson(share: ArrayLike, n: ArrayLike, z: float) -> tuple[FloatArray, FloatArray]:
    """Wilson's limits of observed proportions with `z` standard errors on each side."""
    p, size = np.asarray(share, dtype=np.float64), np.asarray(n, dtype=np.float64)
    centre = (p + z * z / (2 * size)) / (1 + z * z / size)
    half = z / (1 + z * z / size) * np.sqrt(p * (1 - p) / size + z * z / (4 * size * size))
    return np.where(p <= 0, 0.0, centre - half), np.where(p >= 1, 1.0, centre + half)


def sum_of_rates(
    weights: tuple[ArrayLike, ArrayLike], rates: tuple[ArrayLike, ArrayLike], sizes: tuple[float, float], z: float
) -> tuple[FloatArray, FloatArray]:
    """Limits of w₁·p₁ + w₂·p₂ for two rates of independent samples and weights that are not negative.

    References
    ----------
    Newcombe, R. G. (1998). Interval estimation for the difference between independent proportions. Statistics in
    Medicine 17, 873–890. https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I
    Zou, G. Y. & Donner, A. (2008). Construction of confidence limits about effect measures: a general approach.
    Statistics in Medicine 27, 1693–1702. https://doi.org/10.1002/sim.3095
    """
    terms = []
    for weight, rate, size in zip(weights, rates, sizes, strict=True):
        w, p = np.asarray(weight, dtype=np.float64), np.asarray(rate, dtype=np.float64)
        low, high = wilson(p, size, z)
        terms.append((w * p, w * (p - low), w * (high - p)))
    (first, first_below, first_above), (second, second_below, second_above) = terms
    below, above = np.hypot(first_below, second_below), np.hypot(first_above, second_above)
    return np.asarray(first + second - below), np.asarray(first + second + above)


def mean_of_cells(prices: ArrayLike, shares: ArrayLike, n: float, z: float) -> tuple[float, float]:
    """Limits of Σ price·share over the cells of one multinomial sample of `n` (its shares are correlated).

    The cheapest cell serves as the base, so that the weights of the others are not negative.
    """
    w, p = np.asarray(prices, dtype=np.float64), np.asarray(shares, dtype=np.float64)
    weight = w - w.min()
    estimate = float(w @ p)
    low, high = wilson(p, n, z)
    spread = np.sqrt(p / np.where(p < 1, 1 - p, 1.0))
    correlation = -np.outer(spread, spread)
    np.fill_diagonal(correlation, 1.0)
    below, above = weight * (p - low), weight * (high - p)
    under, over = (max(float(d @ correlation @ d), 0.0) for d in (below, above))
    return estimate - float(np.sqrt(under)), estimate + float(np.sqrt(over))
