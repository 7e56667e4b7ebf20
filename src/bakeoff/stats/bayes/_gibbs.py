r"""A blocked Gibbs sampler for Student-t measurements of Student-t effects.

The model, after the folds of each data set are reduced to a t likelihood (see `_hierarchical`):

.. math:: m_i \sim t_{df}(\delta_i, v_i), \qquad \delta_i \sim t_\nu(\delta_0, \sigma_0)

Both t distributions are normals with a gamma-distributed precision: :math:`m_i \sim N(\delta_i, v_i/\kappa_i)` and
:math:`\delta_i \sim N(\delta_0, \sigma_0^2/\lambda_i)`. Each sweep draws three blocks, every one of them exactly:

1. ν with λ integrated out, then λ given ν;
2. κ;
3. σ₀ with δ₀ and all δᵢ integrated out, then δ₀, then all δᵢ.

Nothing that is strongly correlated is left to be explored one coordinate at a time (the "funnel" of σ₀ and the δᵢ, the
pair ν and λ), so the chains mix in a few steps. All chains advance together as rows of arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from bakeoff._core.validation import FloatArray

_WARM_UP = 200  # sweeps; blocks are drawn exactly, so the starting points are soon forgotten
_NU_GRID = np.geomspace(1e-3, 1e3, 400)


@dataclass(frozen=True)
class Evidence:
    """What the folds tell of each data set: Student t with `mean`, squared scale `variance` and `df`.

    `largest` bounds |δ₀|; `scale` is the unit all of these are in.
    """

    mean: FloatArray
    variance: FloatArray
    df: float
    largest: float
    scale: float


@dataclass(frozen=True)
class ChainDraws:
    """Posterior draws, shape (n_chains, n_draws), and the posterior mean of each δᵢ."""

    delta0: FloatArray
    sigma0: FloatArray
    nu: FloatArray
    delta_mean: FloatArray


def sample_posterior(evidence: Evidence, n_draws: int, n_chains: int, rng: np.random.Generator) -> ChainDraws:
    """Run all chains from scattered starting points and keep what follows the warm-up."""
    n_datasets = evidence.mean.size
    # The upper bound of the flat prior of σ₀, as wide as in Corani et al. (2017).
    ceiling = 1000 * max(float(evidence.mean.std()), float(np.sqrt(evidence.variance.mean())))
    delta = evidence.mean + rng.normal(size=(n_chains, n_datasets)) * np.sqrt(evidence.variance)
    delta0 = delta.mean(axis=1)
    sigma0 = np.geomspace(0.1, 10, n_chains) * (delta.std(axis=1) + 1e-6)
    nu = np.geomspace(2, 50, n_chains)
    kept = np.empty((3, n_chains, n_draws))
    total = np.zeros(n_datasets)
    for step in range(-_WARM_UP, n_draws):
        nu = _draw_nu((delta - delta0[:, None]) / sigma0[:, None], nu, rng)
        lam = _draw_precision((delta - delta0[:, None]) / sigma0[:, None], nu[:, None], rng)
        kappa = _draw_precision((delta - evidence.mean) / np.sqrt(evidence.variance), evidence.df, rng)
        sigma0 = _draw_sigma0(evidence, lam, kappa, sigma0, ceiling, rng)
        delta0 = _draw_delta0(evidence, lam, kappa, sigma0, rng)
        delta = _draw_delta(evidence, lam, kappa, sigma0, delta0, rng)
        if step >= 0:
            kept[:, :, step] = delta0, sigma0, nu
            total += delta.mean(axis=0)
    return ChainDraws(kept[0], kept[1], kept[2], total / n_draws)


def _draw_precision(z: FloatArray, df: FloatArray | float, rng: np.random.Generator) -> FloatArray:
    """Gamma precision of each normal given its standardised residual: shape (df+1)/2, rate (df + z²)/2."""
    return np.asarray(rng.standard_gamma((np.asarray(df) + 1) / 2, size=z.shape) * 2 / (df + z**2))


def _draw_nu(z: FloatArray, nu: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Degrees of freedom given the standardised effects, their precisions integrated out; by slice on log(ν − 1)."""
    from scipy.special import gammaln

    count, squares = z.shape[1], z**2

    def log_density(y: FloatArray) -> FloatArray:
        v = 1 + np.exp(y)
        norm = gammaln((v + 1) / 2) - gammaln(v / 2) - np.log(v) / 2
        body = count * norm - (v + 1) / 2 * np.log1p(squares / v[:, None]).sum(axis=1)
        return np.asarray(body + np.interp(y, *_log_prior_nu()) + y)

    bounds = np.log(_NU_GRID[[0, -1]])
    return np.asarray(1 + np.exp(slice_step(log_density, np.log(nu - 1), 2.0, bounds[0], bounds[1], rng)))


@cache
def _log_prior_nu() -> tuple[FloatArray, FloatArray]:
    """Log density of ν − 1 ~ Gamma(α, β) with α ~ U(0.5, 5), β ~ U(0.05, 0.15) integrated out, over log(ν − 1)."""
    from scipy.special import gammaln

    nodes, weights = np.polynomial.legendre.leggauss(40)
    alpha, beta = 2.75 + 2.25 * nodes[:, None, None], 0.10 + 0.05 * nodes[None, :, None]
    log_gamma = alpha * np.log(beta) - gammaln(alpha) + (alpha - 1) * np.log(_NU_GRID) - beta * _NU_GRID
    density = np.einsum("i,j,ijk->k", weights / 2, weights / 2, np.exp(log_gamma))
    return np.log(_NU_GRID), np.log(np.maximum(density, 1e-300))


def _draw_sigma0(
    evidence: Evidence, lam: FloatArray, kappa: FloatArray, sigma0: FloatArray, ceiling: float, rng: np.random.Generator
) -> FloatArray:
    """Scale of the effects with δ₀ and every δᵢ integrated out: mᵢ ~ N(δ₀, vᵢ/κᵢ + σ₀²/λᵢ); flat prior, by slice."""
    from scipy.special import ndtr

    noise = evidence.variance / kappa

    def log_density(y: FloatArray) -> FloatArray:
        variance = noise + np.exp(2 * y)[:, None] / lam
        centre, error = _weighted_mean(evidence.mean, variance)
        residual = ((evidence.mean - centre[:, None]) ** 2 / variance).sum(axis=1)
        inside = ndtr((evidence.largest - centre) / error) - ndtr((-evidence.largest - centre) / error)
        marginal = np.log(error) - np.log(variance).sum(axis=1) / 2 - residual / 2
        return np.asarray(marginal + np.log(np.maximum(inside, 1e-300)) + y)

    floor = np.log(1e-6)
    return np.exp(slice_step(log_density, np.log(sigma0), 1.0, floor, np.log(ceiling), rng))


def _weighted_mean(values: FloatArray, variance: FloatArray) -> tuple[FloatArray, FloatArray]:
    precision = 1 / variance
    total = precision.sum(axis=1)
    return (values * precision).sum(axis=1) / total, 1 / np.sqrt(total)


def _draw_delta0(
    evidence: Evidence, lam: FloatArray, kappa: FloatArray, sigma0: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """Mean over data sets: normal, cut at ± the largest difference observed."""
    from scipy.special import ndtr, ndtri

    centre, error = _weighted_mean(evidence.mean, evidence.variance / kappa + sigma0[:, None] ** 2 / lam)
    low, high = ndtr((-evidence.largest - centre) / error), ndtr((evidence.largest - centre) / error)
    return np.asarray(centre + error * ndtri(low + rng.uniform(size=centre.size) * (high - low)))


def _draw_delta(
    evidence: Evidence,
    lam: FloatArray,
    kappa: FloatArray,
    sigma0: FloatArray,
    delta0: FloatArray,
    rng: np.random.Generator,
) -> FloatArray:
    """Difference of each data set: the precision-weighted middle of what it shows and what the others suggest."""
    own, shared = kappa / evidence.variance, lam / sigma0[:, None] ** 2
    total = own + shared
    centre = (own * evidence.mean + shared * delta0[:, None]) / total
    return np.asarray(centre + rng.normal(size=centre.shape) / np.sqrt(total))


def slice_step(
    log_density: Callable[[FloatArray], FloatArray],
    x: FloatArray,
    width: float,
    low: float,
    high: float,
    rng: np.random.Generator,
) -> FloatArray:
    """Make one slice-sampling update of every chain (Neal 2003: stepping out, then shrinking), bounded by [low, high].

    References
    ----------
    Neal (2003). Slice sampling. *Annals of Statistics* 31(3), 705–767. https://doi.org/10.1214/aos/1056562461
    """
    level = log_density(x) - rng.standard_exponential(x.size)
    left = x - width * rng.uniform(size=x.size)
    right = left + width
    left = _step_out(log_density, np.maximum(left, low), -width, low, high, level)
    right = _step_out(log_density, np.minimum(right, high), width, low, high, level)
    new, pending = x.copy(), np.ones(x.size, dtype=bool)
    while pending.any():
        trial = np.where(pending, left + rng.uniform(size=x.size) * (right - left), new)
        accepted = log_density(trial) >= level
        new = np.where(pending & accepted, trial, new)
        pending &= ~accepted
        left = np.where(pending & (trial < x), trial, left)
        right = np.where(pending & (trial >= x), trial, right)
    return new


def _step_out(
    log_density: Callable[[FloatArray], FloatArray],
    edge: FloatArray,
    step: float,
    low: float,
    high: float,
    level: FloatArray,
) -> FloatArray:
    while True:
        inside = (log_density(edge) > level) & (edge > low) & (edge < high)
        if not inside.any():
            return edge
        edge = np.where(inside, np.clip(edge + step, low, high), edge)
