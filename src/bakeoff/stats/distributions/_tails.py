"""P-values: upper tails of statistics, defined also at 0/0 and infinity, and intervals turned round."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.validation import FloatArray

Limits = Callable[[float], tuple[float, float]]


def chi2_pvalue(statistic: float, df: int) -> float:
    """Return the upper tail of χ²; 1 for an undefined statistic of a table without differences."""
    from scipy.special import chdtrc

    return 1.0 if np.isnan(statistic) else float(chdtrc(df, statistic))


def f_pvalue(statistic: float, df1: float, df2: float) -> float:
    """Return the upper tail of F; 1 for an undefined statistic of a table without differences.

    An infinite F gets the tail at the largest ratio that double precision tells from infinity, so never 0.
    """
    from scipy.special import fdtrc

    if np.isnan(statistic):
        return 1.0
    return float(fdtrc(df1, df2, min(statistic, 1 / np.finfo(np.float64).eps)))


def two_sided_normal(z: FloatArray) -> FloatArray:
    """Return the two-sided normal p-values of z."""
    return tail_pvalue(z, "two-sided")


def tail_pvalue(statistic: ArrayLike, alternative: str, df: float = np.inf) -> FloatArray:
    """Return the p-values of normal statistics, or with `df` of Student's t, under an alternative."""
    from scipy.special import ndtr, stdtr

    values = np.asarray(statistic, dtype=np.float64)
    beyond = -np.abs(values) if alternative == "two-sided" else values if alternative == "less" else -values
    tail = ndtr(beyond) if np.isinf(df) else stdtr(df, beyond)
    return np.asarray(np.minimum(1.0, 2 * tail) if alternative == "two-sided" else tail)


def two_sided_quantile(level: float, df: float = np.inf) -> float:
    """Return the two-sided quantile of the normal (infinite df) or of Student's t."""
    from scipy.special import ndtri, stdtrit

    share = (1.0 + level) / 2.0
    return float(ndtri(share) if np.isinf(df) else stdtrit(df, share))


_STEPS = 40
_WIDEST = 0.499  # the largest α that is tried


def one_sided_pvalue(limits: Limits, bound: float, *, above: bool, smallest: float = 0.0) -> float:
    """Return the p-value of "the difference is not beyond `bound`", from the interval procedure itself.

    The one-sided test at level α rejects when the 1 − 2α interval lies beyond the bound; the p-value is the least
    such α. So the test and the interval always agree, whatever the procedure.

    Parameters
    ----------
    limits
        Confidence level → interval of the difference.
    bound
        The value the difference is tested against.
    above
        True: is the difference above the bound? False: below it?
    smallest
        Least p-value the procedure can give, such as 1/(B + 1) for a bootstrap.
    """

    def beyond(alpha: float, above: bool) -> bool | None:
        low, high = limits(1 - 2 * alpha)
        if np.isnan(low) or np.isnan(high):
            return None
        return low > bound if above else high < bound

    found = beyond(_WIDEST, above)
    if found is None:
        return float("nan")
    if found:
        return max(_least_alpha(lambda alpha: beyond(alpha, above)), smallest)
    # The estimate is on the wrong side of the bound: the p-value is above one half, found from the other side.
    mirrored = beyond(_WIDEST, not above)
    return 1.0 - (max(_least_alpha(lambda alpha: beyond(alpha, not above)), smallest) if mirrored else 0.5)


def inverted_pvalue(limits: Limits, alternative: str = "two-sided", *, smallest: float = 0.0) -> float:
    """The least α whose interval leaves out zero, so that p-value and interval cannot disagree."""
    if alternative != "two-sided":
        return one_sided_pvalue(limits, 0.0, above=alternative == "greater", smallest=smallest)
    low, high = limits(1 - 2 * _WIDEST)
    if np.isnan(low) or np.isnan(high):
        return float("nan")
    if low <= 0 <= high:  # zero lies in every wider interval too
        return 1.0
    return min(1.0, 2 * one_sided_pvalue(limits, 0.0, above=low > 0, smallest=smallest))


def _least_alpha(beyond: Callable[[float], bool | None]) -> float:
    """Bisect on the logarithm of α between 1e-12 and one half."""
    low, high = np.log(1e-12), np.log(_WIDEST)
    if beyond(float(np.exp(low))):
        return float(np.exp(low))
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if beyond(float(np.exp(middle))) else (middle, high)
    return float(np.exp(high))
