"""How large is the difference, in units that do not depend on the measure: Cohen's d, Cliff's delta and kin."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.result import Interval
from bakeoff._core.validation import FloatArray, as_float_vector, as_paired, check_choice, check_level
from bakeoff.stats._differences import paired_differences
from bakeoff.stats.distributions import noncentral_t_cdf
from bakeoff.stats.ranks import average_ranks, grid_keys

KINDS = ("dz", "av", "pooled")


def cohen_d(a: ArrayLike, b: ArrayLike, *, kind: str = "dz") -> float:
    r"""Return the standardised mean difference of a and b.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Scores of two models; positive d means that a is larger. For ``kind="pooled"`` the lengths may differ.
    kind : {"dz", "av", "pooled"}
        Which standard deviation the mean difference is divided by. ``"dz"``: that of the paired differences (what a
        paired test sees); ``"av"``: the root of the mean of the two variances, √((s²ₐ + s²_b)/2) (comparable with
        unpaired studies); ``"pooled"``: that of two independent groups, with n_a + n_b − 2 degrees of freedom.

    Returns
    -------
    float
        d; 0 for equal scores. Constant, unequal scores have no d, and raise `EvidenceError`.

    Notes
    -----
    Packages disagree on "the paired d": effectsize reports dz, pingouin d_av. On the sleep data they are 1.28 and 0.83.

    References
    ----------
    Lakens (2013). Calculating and reporting effect sizes. *Frontiers in Psychology* 4, 863.
    https://doi.org/10.3389/fpsyg.2013.00863

    Examples
    --------
    >>> from bakeoff.stats import cohen_d
    >>> a = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    >>> b = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    >>> print(f"dz = {cohen_d(a, b):.3f}, d_av = {cohen_d(a, b, kind='av'):.3f}")
    dz = 1.285, d_av = 0.832
    """
    difference, deviation, _ = _mean_and_deviation(a, b, check_choice("kind", kind, KINDS))
    if difference == 0:
        return 0.0
    if deviation == 0:
        raise EvidenceError(
            f"cohen_d(kind={kind!r}) divides by a standard deviation, but here it is 0 while the means differ by "
            f"{difference:.6g}: the standardised difference is undefined.",
            hint="report the difference itself",
        )
    return difference / deviation


def hedges_g(a: ArrayLike, b: ArrayLike, *, kind: str = "dz") -> float:
    r"""Return Cohen's d freed of its small-sample bias (Hedges' exact gamma correction).

    .. math:: g = d \cdot \frac{\Gamma(m/2)}{\sqrt{m/2}\;\Gamma((m-1)/2)}

    with m the degrees of freedom of the standard deviation: n − 1 for ``"dz"`` and ``"av"``, n_a + n_b − 2 for
    ``"pooled"``. Arguments as in `cohen_d`.

    References
    ----------
    Hedges (1981). Distribution theory for Glass's estimator of effect size. *Journal of Educational Statistics* 6(2),
    107–128. https://doi.org/10.3102/10769986006002107

    Examples
    --------
    >>> from bakeoff.stats import cohen_d, hedges_g
    >>> a, b = [0.82, 0.85, 0.88, 0.84], [0.80, 0.84, 0.83, 0.82]
    >>> hedges_g(a, b) < cohen_d(a, b)
    True
    """
    _, _, df = _mean_and_deviation(a, b, check_choice("kind", kind, KINDS))
    if df < 2:
        raise EvidenceError(f"hedges_g needs at least 2 degrees of freedom. Got {df}.", hint="give one more pair")
    return cohen_d(a, b, kind=kind) * math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2) - 0.5 * math.log(df / 2))


def glass_delta(a: ArrayLike, b: ArrayLike) -> float:
    """Return the mean difference in units of the standard deviation of `b`, the reference model."""
    first, second = as_float_vector("a", a, minimum=1), as_float_vector("b", b, minimum=2)
    deviation = math.sqrt(_variance(second))
    if deviation == 0:
        raise EvidenceError("glass_delta divides by the standard deviation of b, but b is constant.")
    return float(first.mean() - second.mean()) / deviation


def cohen_d_interval(a: ArrayLike, b: ArrayLike, *, kind: str = "dz", confidence_level: float = 0.95) -> Interval:
    """Return Cohen's d with its confidence interval, by inverting the noncentral t distribution.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Scores of two models.
    kind : {"dz", "pooled"}
        As in `cohen_d`; the distribution of d_av depends on the unknown correlation and has no exact interval.
    confidence_level : float
        Nominal coverage, exact for normal differences.

    References
    ----------
    Cumming & Finch (2001). A primer on the understanding, use, and calculation of confidence intervals that are based
    on central and noncentral distributions. *Educational and Psychological Measurement* 61(4), 532–574.
    https://doi.org/10.1177/0013164401614002

    Examples
    --------
    >>> from bakeoff.stats import cohen_d_interval
    >>> a = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    >>> b = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    >>> interval = cohen_d_interval(a, b)
    >>> print(f"{interval.estimate:.2f} [{interval.low:.2f}, {interval.high:.2f}]")
    1.28 [0.41, 2.12]
    """
    level = check_level(confidence_level)
    _, _, df = _mean_and_deviation(a, b, check_choice("kind", kind, ("dz", "pooled")))
    estimate = cohen_d(a, b, kind=kind)
    # t = d / scale, and the noncentrality of t is (true d) / scale
    scale = math.sqrt(1 / np.size(a)) if kind == "dz" else math.sqrt(1 / np.size(a) + 1 / np.size(b))
    low = _noncentrality(estimate / scale, df, 0.5 + level / 2) * scale
    high = _noncentrality(estimate / scale, df, 0.5 - level / 2) * scale
    return Interval(estimate, low, high, level, "noncentral-t")


def _noncentrality(t: float, df: int, probability: float) -> float:
    """Noncentrality at which P(T <= t) is the probability given."""
    from scipy.optimize import brentq

    # the standard error of T around its noncentrality is about √(1 + t²/2df); ten of them bracket any usual level
    reach = 10 * math.sqrt(1 + t * t / (2 * df))
    return float(brentq(lambda ncp: noncentral_t_cdf(t, df, ncp) - probability, t - reach, t + reach, xtol=1e-12))


def _mean_and_deviation(a: ArrayLike, b: ArrayLike, kind: str) -> tuple[float, float, int]:
    """Mean difference, the standard deviation that standardises it, and its degrees of freedom."""
    if kind == "dz":
        differences = paired_differences(a, b)
        return differences.mean, differences.spread, differences.values.size - 1
    if kind == "av":
        # The mean of two dependent variances has between n − 1 and 2(n − 1) degrees of freedom: the fewer are safe.
        first, second = as_paired(a, b, minimum=2)
        return paired_differences(a, b).mean, math.sqrt((_variance(first) + _variance(second)) / 2), first.size - 1
    first, second = as_float_vector("a", a, minimum=2), as_float_vector("b", b, minimum=2)
    df = first.size + second.size - 2
    pooled = (_variance(first) * (first.size - 1) + _variance(second) * (second.size - 1)) / df
    return float(first.mean() - second.mean()), math.sqrt(pooled), df


def _variance(values: FloatArray) -> float:
    """Sample variance; 0 exactly for constant values, which the rounding of their mean would make 1e-33."""
    return 0.0 if np.ptp(values) == 0 else float(values.var(ddof=1))


def vargha_delaney_a(a: ArrayLike, b: ArrayLike) -> float:
    """Return the probability that a score of `a` beats a score of `b`: P(a > b) + ½ P(a = b), all pairs counted.

    Parameters
    ----------
    a, b : array_like, shapes (n,) and (m,)
        Two independent groups of scores; O((n + m) log m).

    References
    ----------
    Vargha & Delaney (2000). A critique and improvement of the CL common language effect size statistics of McGraw and
    Wong. *Journal of Educational and Behavioral Statistics* 25(2), 101–132. https://doi.org/10.3102/10769986025002101

    Examples
    --------
    >>> from bakeoff.stats import vargha_delaney_a
    >>> vargha_delaney_a([1, 2, 3], [1, 1, 2])
    0.7222222222222222
    """
    wins, losses, pairs = _dominance(a, b)
    return (pairs + wins - losses) / (2 * pairs)


def cliffs_delta(a: ArrayLike, b: ArrayLike) -> float:
    """Return P(a > b) − P(a < b) over all pairs of two independent groups; −1 to 1, 0 for no dominance.

    Parameters
    ----------
    a, b : array_like, shapes (n,) and (m,)
        Two independent groups of scores; O((n + m) log m).

    References
    ----------
    Cliff (1993). Dominance statistics: ordinal analyses to answer ordinal questions. *Psychological Bulletin* 114(3),
    494–509. https://doi.org/10.1037/0033-2909.114.3.494

    Examples
    --------
    >>> from bakeoff.stats import cliffs_delta
    >>> cliffs_delta([1, 2, 3], [1, 1, 2])
    0.4444444444444444
    """
    wins, losses, pairs = _dominance(a, b)
    return (wins - losses) / pairs


def _dominance(a: ArrayLike, b: ArrayLike) -> tuple[int, int, int]:
    """Count pairs with a > b, with a < b, and all pairs, by looking each a up in the sorted b."""
    first, second = as_float_vector("a", a), np.sort(as_float_vector("b", b))
    wins = int(np.searchsorted(second, first, side="left").sum())
    at_least = int(np.searchsorted(second, first, side="right").sum())
    pairs = first.size * second.size
    return wins, pairs - at_least, pairs


def rank_biserial(a: ArrayLike, b: ArrayLike | None = None, *, zeros: str = "wilcox") -> float:
    """Return the matched-pairs rank-biserial correlation: (R⁺ − R⁻) / (R⁺ + R⁻), −1 to 1.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Paired scores, or differences with ``b=None``; 1 means that a wins every pair.
    zeros : {"wilcox", "split"}
        Pairs that are equal are dropped (``"wilcox"``, as R's effectsize), or ranked first and shared evenly between
        both sides (``"split"``), which draws the value towards 0.

    Returns
    -------
    float
        The effect size that belongs to Wilcoxon's signed-rank test; 0 when every pair is equal.

    Notes
    -----
    Differences are rounded to the decimal grid of their scores before ranking, so that ties in decimal are ties.

    References
    ----------
    Kerby (2014). The simple difference formula. *Comprehensive Psychology* 3, 11.IT.3.1.
    https://doi.org/10.2466/11.IT.3.1

    Examples
    --------
    >>> from bakeoff.stats import rank_biserial
    >>> rank_biserial([0.8, 0.9, 0.7, 0.6], [0.7, 0.7, 0.7, 0.9])
    0.0
    """
    check_choice("zeros", zeros, ("wilcox", "split"))
    first, second = as_paired(a, b)
    keys = grid_keys(first - second, np.maximum(np.abs(first), np.abs(second)))
    kept = keys if zeros == "split" else keys[keys != 0]
    if kept.size == 0:
        return 0.0
    # "split" ranks the zeros too; their sign is 0, so half of their ranks goes to each side.
    ranks = average_ranks(np.abs(kept))
    return float((ranks * np.sign(kept)).sum() / ranks.sum())
