"""The Bayesian signed-rank test over data sets: a Dirichlet process on the differences."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note, Result
from bakeoff._core.validation import FloatArray, RngLike, as_generator, check_count, check_number
from bakeoff.stats._differences import paired_differences
from bakeoff.stats.bayes._sign import ALL_EQUAL

_CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True, repr=False)
class BayesSignedRankResult(Result):
    """Answer of the Bayesian signed-rank test.

    Attributes
    ----------
    p_a_better, p_equivalent, p_b_better
        Posterior probability that the mean of two random differences is most probably above, inside and below the rope.
    rope
        Half-width of the region of practical equivalence.
    monte_carlo_error
        Standard error of the probabilities due to sampling (the largest of the three).
    n_samples
        Posterior draws.
    prior_strength
        Weight of the pseudo-observation at zero difference.
    """

    p_a_better: float
    p_equivalent: float
    p_b_better: float
    rope: float
    monte_carlo_error: float
    n_samples: int
    prior_strength: float
    notes: tuple[Note, ...] = ()


def bayes_signed_rank(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    rope: float = 0.0,
    n_samples: int = 50_000,
    prior_strength: float = 0.5,
    rng: RngLike = None,
) -> BayesSignedRankResult:
    r"""Return how probable it is that a is better, practically equal or worse, over data sets (Bayesian Wilcoxon).

    The differences have a Dirichlet-process posterior: random weights :math:`w \sim \mathrm{Dirichlet}(s, 1, …, 1)` on
    a pseudo-observation :math:`z_0 = 0` and on the N differences. Each draw gives the probabilities

    .. math:: \theta_a = \sum_{i,j} w_i w_j \, [z_i + z_j > 2r], \quad
              \theta_b = \sum_{i,j} w_i w_j \, [z_i + z_j < -2r], \quad \theta_e = 1 - \theta_a - \theta_b

    and the answer is how often each of the three is the largest.

    Parameters
    ----------
    a, b : array_like, shape (N,)
        Score of each model on N data sets; with ``b=None``, `a` holds the differences a − b.
    rope : float
        r, the half-width of the region of practical equivalence. With 0 only a and b compete (sums of exactly zero
        count half for each) and `p_equivalent` is 0.
    n_samples : int
        Draws from the posterior; `monte_carlo_error` tells how exact they make the answer.
    prior_strength : float
        s, the weight of the pseudo-observation at zero.
    rng : int, Generator or None
        Seed for reproducible draws.

    Returns
    -------
    BayesSignedRankResult
        `p_a_better`, `p_equivalent`, `p_b_better` and `monte_carlo_error`.

    Notes
    -----
    A sum that lies on the border of the rope in decimal counts half inside, half outside, whatever its last bits.

    References
    ----------
    Benavoli, Mangili, Corani, Zaffalon & Ruggeri (2014). A Bayesian Wilcoxon signed-rank test based on the Dirichlet
    process. *ICML*, PMLR 32(2), 1026–1034. https://proceedings.mlr.press/v32/benavoli14.html

    Benavoli, Corani, Demšar & Zaffalon (2017). Time for a change: a tutorial for comparing multiple classifiers through
    Bayesian analysis. *JMLR* 18(77), 1–36. https://jmlr.org/papers/v18/16-305.html

    Examples
    --------
    >>> from bakeoff.stats import bayes_signed_rank
    >>> result = bayes_signed_rank([0.02, 0.03, -0.01, 0.05, 0.00, 0.04, 0.02], rope=0.01, rng=0)
    >>> print(f"{result.p_a_better:.2f} ± {result.monte_carlo_error:.3f}")
    0.92 ± 0.001
    """
    rope = check_number("rope", rope, low=0)
    prior = check_number("prior_strength", prior_strength, low=0, closed="none")
    n_samples = check_count("n_samples", n_samples, minimum=100)
    differences = paired_differences(a, b, minimum=1)
    if differences.all_zero:
        return BayesSignedRankResult(0.0, 1.0, 0.0, rope, 0.0, n_samples, prior, (ALL_EQUAL,))
    above, below = _draw_regions(differences.values, rope, prior, n_samples, as_generator(rng))
    p_a, p_b = _share_of_wins(above, below, rope)
    # a probability of 0 or 1 among n draws is known to about 1/n
    error = max(math.sqrt(max(p * (1 - p) for p in (p_a, p_b, 1 - p_a - p_b)) / n_samples), 1 / n_samples)
    return BayesSignedRankResult(
        p_a, max(0.0, 1 - p_a - p_b), p_b, rope, error, n_samples, prior, (note("monte-carlo", error=error),)
    )


def _share_of_wins(above: FloatArray, below: FloatArray, rope: float) -> tuple[float, float]:
    """How often a's region, and b's, is the largest of the three (of the two, without a rope)."""
    inside = 1 - above - below if rope > 0 else np.zeros_like(above)
    a_wins = (above > below) & (above > inside)
    b_wins = (below > above) & (below > inside)
    tied = (above == below) & (above > inside)
    return float(a_wins.mean() + tied.mean() / 2), float(b_wins.mean() + tied.mean() / 2)


def _draw_regions(
    values: FloatArray, rope: float, prior: float, n_samples: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Posterior draws of θ_a and θ_b.

    With z sorted, the partners j of each i with z_i + z_j beyond a limit are a prefix or a suffix, so θ is a sum over i
    of w_i times a cumulative weight: N steps a draw instead of N².
    """
    z = np.append(values, 0.0)
    order = np.argsort(z, kind="stable")
    shapes = np.append(np.ones(values.size), prior)[order]
    limits = _partner_limits(z[order], rope)
    above, below = np.empty(n_samples), np.empty(n_samples)
    step = max(1, _CELLS_AT_ONCE // z.size)
    for start in range(0, n_samples, step):
        rows = slice(start, min(start + step, n_samples))
        weights = rng.standard_gamma(shapes, size=(rows.stop - rows.start, z.size))
        weights /= weights.sum(axis=1, keepdims=True)
        above[rows], below[rows] = _regions(weights, limits)
    return above, below


def _partner_limits(z: FloatArray, rope: float) -> tuple[NDArray[np.intp], ...]:
    """For each sorted z: how many partners end below −2r, at or below −2r, below 2r, at or below 2r."""
    tolerance = 1e-10 * max(rope, float(np.abs(z).max()))
    edges = [-2 * rope - tolerance, -2 * rope + tolerance, 2 * rope - tolerance, 2 * rope + tolerance]
    return tuple(np.searchsorted(z, edge - z) for edge in edges)


def _regions(weights: FloatArray, limits: tuple[NDArray[np.intp], ...]) -> tuple[FloatArray, FloatArray]:
    mass = np.zeros((weights.shape[0], weights.shape[1] + 1))
    np.cumsum(weights, axis=1, out=mass[:, 1:])
    # weight of partners up to each limit, summed over i; a sum on the border counts half
    below, to_below, under, to_under = (np.einsum("si,si->s", weights, mass[:, limit]) for limit in limits)
    return 1 - (under + to_under) / 2, (below + to_below) / 2
