"""Upper tails of test statistics, defined also where the statistic is 0/0 or infinite."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.validation import FloatArray


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
