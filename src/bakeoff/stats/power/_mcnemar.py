"""Power of McNemar's test: how many test instances tell two accuracies apart?"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import FloatArray, check_alternative, check_choice, check_count, check_level, check_number
from bakeoff.stats.power._search import check_sides, check_target, smallest_count, smallest_effect
from bakeoff.stats.tables import FEW_DISCORDANT

_METHODS = ("auto", "midp", "exact", "chi2")


def discordant_rates(accuracy_a: float, accuracy_b: float, correlation: float = 0.0) -> tuple[float, float]:
    r"""Return P(only a right) and P(only b right) for two accuracies and the correlation of being right.

    .. math:: p_{a\,only} = \pi_a (1 - \pi_b) - r \sqrt{\pi_a (1-\pi_a) \pi_b (1-\pi_b)}

    Parameters
    ----------
    accuracy_a, accuracy_b : float
        Between 0 and 1.
    correlation : float
        Phi coefficient of "a is right" and "b is right" over instances. Models trained on the same data mostly fail on
        the same instances: 0.3 to 0.8 is common, and the higher it is, the fewer instances are needed.

    Examples
    --------
    >>> from bakeoff.stats import discordant_rates
    >>> a_only, b_only = discordant_rates(0.90, 0.87, correlation=0.5)
    >>> print(f"{a_only:.3f} {b_only:.3f}")
    0.067 0.037
    """
    a = check_number("accuracy_a", accuracy_a, low=0, high=1)
    b = check_number("accuracy_b", accuracy_b, low=0, high=1)
    shared = check_number("correlation", correlation, low=-1, high=1) * math.sqrt(a * (1 - a) * b * (1 - b))
    a_only, b_only = a * (1 - b) - shared, b * (1 - a) - shared
    if min(a_only, b_only, a * b + shared, (1 - a) * (1 - b) + shared) < -1e-12:
        spread = math.sqrt(a * (1 - a) * b * (1 - b))
        low, high = -min(a * b, (1 - a) * (1 - b)) / spread, min(a * (1 - b), b * (1 - a)) / spread
        raise ParameterError(
            f"correlation must be between {low:.4g} and {high:.4g} for accuracies {a:g} and {b:g}. "
            f"Got {correlation:g} instead.",
            hint="two models of different accuracy cannot be right on exactly the same instances",
        )
    return max(a_only, 0.0), max(b_only, 0.0)


def power_mcnemar(
    p_a_only: float,
    p_b_only: float,
    n: int,
    *,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    method: str = "auto",
) -> float:
    """Return the chance that McNemar's test on n instances finds the difference of two accuracies.

    Parameters
    ----------
    p_a_only, p_b_only : float
        Probability that only a, and only b, is right on an instance; their difference is that of the accuracies. See
        `discordant_rates` to get them from two accuracies.
    n : int
        Test instances.
    alpha : float
        Level of the test.
    alternative : {"two-sided", "less", "greater"}
        ``"greater"``: a is more often right.
    method : {"auto", "midp", "exact", "chi2"}
        As in `mcnemar`: ``"auto"`` is mid-p for fewer than 100 discordant instances, else chi-square.

    Notes
    -----
    Exact: sums the binomial probability of each number of discordant instances times that of a rejection given it.

    References
    ----------
    Fagerland, Lydersen & Laake (2013). The McNemar test for binary matched-pairs data: mid-p and asymptotic are better
    than exact conditional. *BMC Medical Research Methodology* 13, 91. https://doi.org/10.1186/1471-2288-13-91

    Examples
    --------
    Accuracies 0.90 and 0.87, right on mostly the same instances:

    >>> from bakeoff.stats import discordant_rates, power_mcnemar
    >>> round(power_mcnemar(*discordant_rates(0.90, 0.87, correlation=0.5), n=1000), 2)
    0.85
    """
    a_only, b_only = _check_rates(p_a_only, p_b_only)
    n, alpha = check_count("n", n), check_level(alpha, "alpha")
    check_alternative(alternative)
    check_choice("method", method, _METHODS)
    discordant, weight = _discordant_counts(n, a_only + b_only)
    tail = alpha / 2 if alternative == "two-sided" else alpha
    few = _critical_count(discordant, tail, method)
    # a wins significantly when at most `few` of the discordant instances are b's, and the other way round
    share = a_only / (a_only + b_only) if a_only + b_only else 0.5
    a_found, b_found = _at_most(few, discordant, 1 - share), _at_most(few, discordant, share)
    found = {"two-sided": a_found + b_found, "greater": a_found, "less": b_found}[alternative]
    return min(1.0, float(np.sum(weight * found)))


_MOST_INSTANCES = 1e10


def sample_size_mcnemar(
    p_a_only: float,
    p_b_only: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    alternative: str = "two-sided",
    method: str = "auto",
) -> int:
    """Return how many test instances McNemar's test needs to find the difference; see `power_mcnemar`.

    Examples
    --------
    >>> from bakeoff.stats import discordant_rates, sample_size_mcnemar
    >>> sample_size_mcnemar(*discordant_rates(0.90, 0.87, correlation=0.5))
    887
    """
    alpha, power = check_target(alpha, power)
    a_only, b_only = _check_rates(p_a_only, p_b_only)
    check_sides("p_a_only and p_b_only", a_only, b_only, alternative)
    if a_only + b_only > _MOST_INSTANCES * (a_only - b_only) ** 2:  # the size is a few times this ratio
        raise ParameterError(
            f"a difference of {abs(a_only - b_only):.3g} takes more than {_MOST_INSTANCES:.0e} instances to show.",
            hint="plan for a larger difference",
        )
    power_at = partial(power_mcnemar, a_only, b_only, alpha=alpha, alternative=alternative, method=method)
    return smallest_count(power_at, power, "instances", minimum=1)


def detectable_mcnemar(
    p_discordant: float, n: int, *, alpha: float = 0.05, power: float = 0.8, alternative: str = "two-sided"
) -> float:
    """Return the smallest difference of accuracies that n test instances show with the power asked for.

    Parameters
    ----------
    p_discordant : float
        Share of instances on which exactly one of the two models is right.
    n : int
        Test instances.
    """
    alpha, power = check_target(alpha, power)
    total = check_number("p_discordant", p_discordant, low=0, high=1, closed="right")
    sign = -1 if check_alternative(alternative) == "less" else 1

    def power_at(difference: float) -> float:
        a_only, b_only = (total + sign * difference) / 2, (total - sign * difference) / 2
        return power_mcnemar(max(a_only, 0.0), max(b_only, 0.0), n, alpha=alpha, alternative=alternative)

    return smallest_effect(power_at, power, start=total / 4, limit=total, what="difference of accuracies")


def _check_rates(p_a_only: float, p_b_only: float) -> tuple[float, float]:
    a_only = check_number("p_a_only", p_a_only, low=0, high=1)
    b_only = check_number("p_b_only", p_b_only, low=0, high=1)
    if a_only + b_only > 1 + 1e-12:
        raise ParameterError(f"p_a_only + p_b_only must be at most 1. Got {a_only + b_only:g}.")
    return a_only, b_only


def _discordant_counts(n: int, rate: float) -> tuple[FloatArray, FloatArray]:
    """Likely numbers of discordant instances and their probabilities (all but 1e-15 of them)."""
    from scipy.special import gammaln, xlog1py, xlogy

    reach = 9 * math.sqrt(n * rate * (1 - rate)) + 40
    low, high = max(0, math.floor(n * rate - reach)), min(n, math.ceil(n * rate + reach))
    m = np.arange(low, high + 1, dtype=np.float64)
    log_choose = gammaln(n + 1) - gammaln(m + 1) - gammaln(n - m + 1)
    return m, np.exp(log_choose + xlogy(m, rate) + xlog1py(n - m, -rate))


def _critical_count(m: FloatArray, tail: float, method: str) -> FloatArray:
    """Largest count of the losing side, among m discordant, that rejects at one-sided level `tail`; −1 if none does."""
    from scipy.special import ndtri

    # (m − 2k)²/m ≥ z² where k is the count of the losing side
    by_chi2 = np.floor((m + float(ndtri(tail)) * np.sqrt(m)) / 2)
    if method == "chi2":
        return np.where(m > 0, by_chi2, -1.0)
    by_binomial = _critical_binomial(m, tail, method != "exact")
    return by_binomial if method != "auto" else np.where(m >= FEW_DISCORDANT, by_chi2, by_binomial)


def _critical_binomial(m: FloatArray, tail: float, midp: bool) -> FloatArray:
    from scipy.special import ndtri

    # Start two above the normal approximation and step down while the tail is too large; six steps reach any m.
    guess = np.floor(m / 2 + ndtri(tail) * np.sqrt(m) / 2) + 2
    guess = np.minimum(guess, m)
    for _ in range(6):
        upper = _at_most(guess, m, 0.5)
        size = (upper + _at_most(guess - 1, m, 0.5)) / 2 if midp else upper
        guess = np.where((size > tail) & (guess >= 0), guess - 1, guess)
    return np.asarray(guess)


def _at_most(k: FloatArray, m: FloatArray, p: float) -> FloatArray:
    """Binomial P(X ≤ k), 0 for negative k, by the incomplete beta function."""
    from scipy.special import betainc

    inside = np.clip(k, 0, m)
    cdf = np.where(inside >= m, 1.0, betainc(np.maximum(m - inside, 1e-9), inside + 1, 1 - p))
    return np.asarray(np.where(k < 0, 0.0, cdf))
