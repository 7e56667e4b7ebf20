"""Power of DeLong's test: how many positives and negatives tell two AUCs apart?"""

from __future__ import annotations

import math

import numpy as np

from bakeoff._core.validation import check_alternative, check_count, check_level, check_number
from bakeoff.stats.power._search import check_sides, check_target, smallest_count, smallest_effect


def power_delong(
    auc_a: float,
    auc_b: float,
    n_pos: int,
    n_neg: int,
    *,
    correlation: float = 0.5,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> float:
    r"""Return the chance that DeLong's paired test finds the difference of two AUCs on one test set.

    Parameters
    ----------
    auc_a, auc_b : float
        True AUCs, between 0 and 1.
    n_pos, n_neg : int
        Positives and negatives in the test set.
    correlation : float
        Correlation of the two models' scores within a class (Pearson, after a transformation to normal scores). Models
        trained on the same data are often at 0.5 to 0.9; the higher it is, the fewer instances are needed.
    alpha : float
        Level of the test.
    alternative : {"two-sided", "less", "greater"}
        ``"greater"``: a has the larger AUC.

    Notes
    -----
    Scores are taken as binormal: N(0, 1) for negatives, N(μ, 1) for positives, with AUC = Φ(μ/√2). The variance of the
    difference is then exact to first order, as DeLong's estimator is: with Φ₂ the bivariate normal distribution,

    .. math:: \mathrm{Var}(\hat A_a - \hat A_b) \approx (c_{aa} + c_{bb} - 2 c_{ab}) (1/n_{pos} + 1/n_{neg}), \quad
              c_{ab} = \Phi_2(\mu_a/\sqrt2, \mu_b/\sqrt2; r_{ab}/2) - A_a A_b

    where r is 1 for a model with itself and `correlation` between the two.

    References
    ----------
    Obuchowski & McClish (1997). Sample size determination for diagnostic accuracy studies involving binormal ROC curve
    indices. *Statistics in Medicine* 16(13), 1529–1542.
    https://doi.org/10.1002/(SICI)1097-0258(19970715)16:13<1529::AID-SIM565>3.0.CO;2-H

    Examples
    --------
    >>> from bakeoff.stats import power_delong
    >>> round(power_delong(0.85, 0.82, 300, 700, correlation=0.7), 2)
    0.75
    """
    from scipy.special import ndtr, ndtri

    a, b, r = _check_areas(auc_a, auc_b, correlation)
    alpha = check_level(alpha, "alpha")
    check_alternative(alternative)
    n_pos, n_neg = check_count("n_pos", n_pos, minimum=2), check_count("n_neg", n_neg, minimum=2)
    error = math.sqrt(_unit_variance(a, b, r) * (1 / n_pos + 1 / n_neg))
    if error == 0:  # one model with itself
        return alpha
    critical = -float(ndtri(alpha / 2 if alternative == "two-sided" else alpha))
    above, below = float(ndtr((a - b) / error - critical)), float(ndtr((b - a) / error - critical))
    return min(1.0, {"two-sided": above + below, "greater": above, "less": below}[alternative])


def sample_size_delong(
    auc_a: float,
    auc_b: float,
    *,
    prevalence: float = 0.5,
    correlation: float = 0.5,
    alpha: float = 0.05,
    power: float = 0.8,
    alternative: str = "two-sided",
) -> int:
    """Return how many test instances, positives and negatives together, DeLong's test needs; see `power_delong`.

    Parameters
    ----------
    auc_a, auc_b : float
        True AUCs.
    prevalence : float
        Share of positives in the test set.

    Examples
    --------
    >>> from bakeoff.stats import sample_size_delong
    >>> sample_size_delong(0.85, 0.82, prevalence=0.3, correlation=0.7)
    1140
    """
    alpha, power = check_target(alpha, power)
    prevalence = check_number("prevalence", prevalence, low=0, high=1, closed="none")
    auc_a, auc_b, correlation = _check_areas(auc_a, auc_b, correlation)
    check_sides("auc_a and auc_b", auc_a, auc_b, alternative)

    def power_at(n: int) -> float:
        n_pos = min(max(round(n * prevalence), 2), n - 2)
        return power_delong(
            auc_a, auc_b, n_pos, n - n_pos, correlation=correlation, alpha=alpha, alternative=alternative
        )

    return smallest_count(power_at, power, "instances", minimum=4)


def detectable_delong(
    auc: float,
    n_pos: int,
    n_neg: int,
    *,
    correlation: float = 0.5,
    alpha: float = 0.05,
    power: float = 0.8,
    alternative: str = "two-sided",
) -> float:
    """Return the smallest improvement over an AUC that a test set shows with the power asked for; see `power_delong`.

    Parameters
    ----------
    auc : float
        AUC of the model to beat (with ``alternative="less"``, to fall short of).
    """
    alpha, power = check_target(alpha, power)
    falls = check_alternative(alternative) == "less"
    largest = (auc if falls else 1 - auc) - 1e-6

    def power_at(difference: float) -> float:
        other = auc - difference if falls else auc + difference
        return power_delong(other, auc, n_pos, n_neg, correlation=correlation, alpha=alpha, alternative=alternative)

    return smallest_effect(power_at, power, start=largest / 8, limit=largest, what="difference of AUCs")


def _check_areas(auc_a: float, auc_b: float, correlation: float) -> tuple[float, float, float]:
    a = check_number("auc_a", auc_a, low=0, high=1, closed="none")
    b = check_number("auc_b", auc_b, low=0, high=1, closed="none")
    return a, b, check_number("correlation", correlation, low=-1, high=1)


def _unit_variance(auc_a: float, auc_b: float, correlation: float) -> float:
    """Variance of the difference of two placement values (the chance that an instance is ordered rightly)."""
    if correlation == 1 and auc_a == auc_b:
        return 0.0
    own = _placement_covariance(auc_a, auc_a, 1.0) + _placement_covariance(auc_b, auc_b, 1.0)
    return max(own - 2 * _placement_covariance(auc_a, auc_b, correlation), 0.0)


def _placement_covariance(auc_a: float, auc_b: float, correlation: float) -> float:
    """Cov(Φ(X_a), Φ(X_b)) for scores with N(μ, 1) margins: Φ₂(h, k; r/2) − Φ(h)Φ(k), an integral over the correlation.

    d/dρ Φ₂(h, k; ρ) is the bivariate normal density at (h, k) (Plackett), so the covariance is its integral from 0.
    """
    from scipy.special import ndtri

    h, k = float(ndtri(auc_a)), float(ndtri(auc_b))
    nodes, weights = np.polynomial.legendre.leggauss(24)  # ρ ≤ ½: the integrand is smooth
    rho = correlation / 4 * (nodes + 1)
    density = np.exp(-(h * h - 2 * rho * h * k + k * k) / (2 * (1 - rho**2))) / (2 * math.pi * np.sqrt(1 - rho**2))
    return float(correlation / 4 * np.sum(weights * density))
