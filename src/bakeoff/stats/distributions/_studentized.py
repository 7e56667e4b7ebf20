"""Two simultaneous distributions by quadrature: the studentised range (Tukey) and the many-to-one maximum (Dunnett).

Both are an outer integral over the estimate of the standard deviation of an inner integral over one normal variable.
Upper tails are integrated as such, every term positive, so that small p-values keep their digits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.validation import FloatArray

_NORMAL_HALF_WIDTH = 8.5  # beyond this the normal density holds less than 1e-17
_NORMAL_NODES = 192
_SPREAD_NODES = 96
_SPREAD_NODES_FEW_DF = 200  # with few degrees of freedom the spread ranges over many powers of ten
_CHUNK = 2_000_000

TailOfNormal = Callable[[FloatArray], FloatArray]


def studentized_range_sf(q: ArrayLike, k: int, df: float = np.inf) -> FloatArray:
    """Return P(range of k independent standard normals / s > q), where df·s² is χ² with `df` degrees of freedom."""
    return _averaged_over_spread(lambda x: _range_tail(x, k), np.asarray(q, dtype=np.float64), df)


def many_to_one_sf(t: ArrayLike, m: int, df: float = np.inf) -> FloatArray:
    """Return P(max |Tᵢ| > t) for m Student ratios that share one control of equal size (correlation 1/2)."""
    return _averaged_over_spread(lambda x: _many_to_one_tail(x, m), np.asarray(t, dtype=np.float64), df)


def studentized_range_quantile(probability: float, k: int, df: float = np.inf) -> float:
    """Return q with P(studentised range <= q) = probability."""
    return _quantile(lambda q: float(studentized_range_sf(q, k, df)), 1 - probability)


def many_to_one_quantile(probability: float, m: int, df: float = np.inf) -> float:
    """Return t with P(max |Tᵢ| <= t) = probability."""
    return _quantile(lambda t: float(many_to_one_sf(t, m, df)), 1 - probability)


def _quantile(tail: Callable[[float], float], level: float) -> float:
    from scipy.optimize import brentq

    high = 4.0
    while tail(high) > level:
        high *= 2
    return float(brentq(lambda x: tail(x) - level, 0.0, high, xtol=1e-12, rtol=1e-13))


@lru_cache(maxsize=8)
def _legendre(count: int) -> tuple[FloatArray, FloatArray]:
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return nodes, weights


def panel(low: float, high: float, count: int) -> tuple[FloatArray, FloatArray]:
    """Gauss–Legendre nodes and weights between two bounds."""
    nodes, weights = _legendre(count)
    return low + (high - low) * (nodes + 1) / 2, weights * (high - low) / 2


def _normal_grid() -> tuple[FloatArray, FloatArray]:
    """Nodes and weights for integrals against the standard normal density."""
    nodes, weights = _legendre(_NORMAL_NODES)
    z = _NORMAL_HALF_WIDTH * nodes
    return z, weights * _NORMAL_HALF_WIDTH * np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi)


def _range_tail(x: FloatArray, k: int) -> FloatArray:
    """Return P(range > x) for standard normals: k ∫ φ(z) {Φ(z)^(k−1) − [Φ(z) − Φ(z−x)]^(k−1)} dz."""
    from scipy.special import log_ndtr

    z, weight = _normal_grid()
    upper = log_ndtr(z)
    ratio = np.exp(np.minimum(log_ndtr(z - x[:, None]) - upper, 0.0))
    with np.errstate(divide="ignore"):
        missed = -np.expm1((k - 1) * np.log1p(-ratio))
    return np.asarray(np.clip(missed @ (k * weight * np.exp((k - 1) * upper)), 0.0, 1.0))


def _many_to_one_tail(x: FloatArray, m: int) -> FloatArray:
    """Return P(max |Zᵢ − Z₀|/√2 > x): ∫ φ(z) {1 − [Φ(z + √2 x) − Φ(z − √2 x)]^m} dz."""
    from scipy.special import ndtr

    z, weight = _normal_grid()
    shift = np.sqrt(2) * x[:, None]
    outside = np.minimum(ndtr(-z - shift) + ndtr(z - shift), 1.0)
    with np.errstate(divide="ignore"):
        missed = -np.expm1(m * np.log1p(-outside))
    return np.asarray(np.clip(missed @ weight, 0.0, 1.0))


def _averaged_over_spread(tail: TailOfNormal, x: FloatArray, df: float) -> FloatArray:
    flat = np.atleast_1d(x).ravel()
    spread, weight = _spread_grid(df)
    rows = max(1, _CHUNK // (_NORMAL_NODES * spread.size))
    parts = [_one_chunk(tail, flat[i : i + rows], spread, weight) for i in range(0, flat.size, rows)]
    averaged = np.concatenate(parts) if parts else flat
    averaged = np.where(flat <= 0, 1.0, np.clip(averaged, np.finfo(np.float64).tiny, 1.0))
    return np.asarray(np.where(np.isnan(flat), np.nan, averaged).reshape(x.shape))


def _one_chunk(tail: TailOfNormal, x: FloatArray, spread: FloatArray, weight: FloatArray) -> FloatArray:
    products = np.nan_to_num(x[:, None] * spread, posinf=1e3)
    return np.asarray(tail(products.ravel()).reshape(products.shape) @ weight)


def _spread_grid(df: float) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights for the average over s, df·s² ~ χ²(df); one node when the variance is known.

    Integrated over log s, where the density is smooth and nearly symmetric for any degrees of freedom. A second panel
    reaches far into small s: they are rare, but all that counts for ratios so large that p is below 1e-15.
    """
    if np.isinf(df):
        return np.ones(1), np.ones(1)
    low, far_low = _log_spread(df, 1e-17), _log_spread(df, 1e-60)
    u, weight = panel(low, _log_spread(df, 1e-17, upper=True), _SPREAD_NODES if df >= 10 else _SPREAD_NODES_FEW_DF)
    u_far, weight_far = panel(far_low, low, _SPREAD_NODES)
    log_density = df * u - df / 2 * np.exp(2 * u)
    log_density_far = df * u_far - df / 2 * np.exp(2 * u_far)
    peak = log_density.max()
    mass = float((weight * np.exp(log_density - peak)).sum())
    density = np.concatenate([weight_far * np.exp(log_density_far - peak), weight * np.exp(log_density - peak)])
    return np.exp(np.concatenate([u_far, u])), density / mass


def _log_spread(df: float, tail: float, *, upper: bool = False) -> float:
    """Return log s at a tail of the distribution of s."""
    from scipy.special import gammainccinv, gammaincinv

    half_chi2 = gammainccinv(df / 2, tail) if upper else gammaincinv(df / 2, tail)
    return float(np.log(max(2 * half_chi2, 1e-300) / df)) / 2
