"""The Bayesian sign test over data sets, with its probabilities computed rather than sampled."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note, Result
from bakeoff._core.validation import FloatArray, check_number
from bakeoff.stats._differences import paired_differences

ALL_EQUAL = note("identical-models:data-sets")


@dataclass(frozen=True, repr=False)
class BayesSignResult(Result):
    """Answer of the Bayesian sign test.

    Attributes
    ----------
    p_a_better, p_equivalent, p_b_better
        Posterior probability that on data sets like these, "a better by more than the rope", "practically equal" and
        "b better by more than the rope" is the most probable of the three.
    rope
        Half-width of the region of practical equivalence.
    n_a_better, n_equivalent, n_b_better
        Data sets observed in each region.
    prior_strength
        Weight of the prior pseudo-observation in the rope.
    """

    p_a_better: float
    p_equivalent: float
    p_b_better: float
    rope: float
    n_a_better: int
    n_equivalent: int
    n_b_better: int
    prior_strength: float
    notes: tuple[Note, ...] = ()


def bayes_sign(
    a: ArrayLike, b: ArrayLike | None = None, *, rope: float = 0.0, prior_strength: float = 1.0
) -> BayesSignResult:
    r"""Return how probable it is that a mostly wins, that both are mostly practically equal, or that b mostly wins.

    Each data set falls in one of three regions (a better by more than the rope, inside the rope, b better). With a
    Dirichlet prior their probabilities θ have the posterior

    .. math:: \theta \sim \mathrm{Dirichlet}(n_a,\; n_{rope} + s,\; n_b)

    and the answer is the probability that each θ is the largest, found by one-dimensional quadrature.

    Parameters
    ----------
    a, b : array_like, shape (N,)
        Score of each model on N data sets; with ``b=None``, `a` holds the differences a − b.
    rope : float
        Half-width of the region of practical equivalence. With 0, ties and the prior are shared evenly between both
        sides and `p_equivalent` is 0.
    prior_strength : float
        s above: the weight of one pseudo-observation placed in the rope, so the prior favours equality.

    Returns
    -------
    BayesSignResult
        `p_a_better`, `p_equivalent`, `p_b_better` and the three counts.

    References
    ----------
    Benavoli, Corani, Demšar & Zaffalon (2017). Time for a change: a tutorial for comparing multiple classifiers through
    Bayesian analysis. *JMLR* 18(77), 1–36. https://jmlr.org/papers/v18/16-305.html

    Examples
    --------
    >>> from bakeoff.stats import bayes_sign
    >>> result = bayes_sign([0.02, 0.03, -0.01, 0.05, 0.00, 0.04, 0.02], rope=0.01)
    >>> print(f"{result.p_a_better:.3f} {result.p_equivalent:.3f} {result.p_b_better:.3f}")
    0.773 0.227 0.000
    """
    rope = check_number("rope", rope, low=0)
    prior = check_number("prior_strength", prior_strength, low=0, closed="none")
    differences = paired_differences(a, b, minimum=1)
    n_a, n_b = count_regions(differences.values, rope)
    n_rope = differences.values.size - n_a - n_b
    if differences.all_zero:
        return BayesSignResult(0.0, 1.0, 0.0, rope, 0, n_rope, 0, prior, (ALL_EQUAL,))
    if rope == 0:
        # Without a rope nothing can be "practically equal": ties and the prior count half for each side.
        shared = (n_rope + prior) / 2
        p_a, p_rope, p_b = p_largest([n_a + shared, 0.0, n_b + shared])
    else:
        p_a, p_rope, p_b = p_largest([n_a, n_rope + prior, n_b])
    return BayesSignResult(p_a, p_rope, p_b, rope, n_a, n_rope, n_b, prior)


def count_regions(values: FloatArray, rope: float) -> tuple[int, int]:
    """Count values above the rope and below it; a value on the border in decimal (0.811 − 0.801 at 0.01) is inside."""
    edge = rope + 1e-10 * max(rope, float(np.abs(values).max(initial=0.0)))
    return int((values > edge).sum()), int((values < -edge).sum())


def p_largest(alpha: list[float]) -> tuple[float, float, float]:
    """Probability that each component of a Dirichlet vector is the largest; a component with α = 0 is zero itself.

    θᵢ is proportional to independent Gamma(αᵢ) variables, so P(θᵢ largest) = ∫ fᵢ(x) ∏ⱼ Fⱼ(x) dx.
    """
    wins = [_p_one_largest(alpha[i], alpha[:i] + alpha[i + 1 :]) for i in range(3)]
    total = sum(wins)  # 1 up to the error of the quadrature
    return wins[0] / total, wins[1] / total, wins[2] / total


def _p_one_largest(own: float, others: list[float]) -> float:
    from scipy.special import gammainc, gammaincinv, gammaln

    if own == 0:
        return 0.0
    rivals = [alpha for alpha in others if alpha > 0]
    low, high = (math.log(max(gammaincinv(own, p), 1e-300)) for p in (1e-15, 1 - 1e-15))
    # on the scale y = log x, where the density has no pole at 0 for α < 1
    y, weights = _panels(low, high, [own, *rivals])
    x = np.exp(y)
    density = np.exp(own * y - x - gammaln(own))
    return float(np.sum(weights * density * np.prod([gammainc(alpha, x) for alpha in rivals], axis=0)))


def _panels(low: float, high: float, alphas: list[float]) -> tuple[FloatArray, FloatArray]:
    """Gauss–Legendre nodes and weights on panels that narrow where any of the log-gamma variables has its mass."""
    steps = np.array([-12, -8, -5, -3, -1.5, 0, 1.5, 3, 5, 8, 12])
    edges = np.concatenate([[low, high], *(math.log(alpha) + steps / math.sqrt(alpha) for alpha in alphas)])
    edges = np.unique(np.clip(edges, low, high))
    nodes, weights = np.polynomial.legendre.leggauss(16)
    half = np.diff(edges)[:, None] / 2
    return (edges[:-1, None] + half * (nodes + 1)).ravel(), (half * weights).ravel()
