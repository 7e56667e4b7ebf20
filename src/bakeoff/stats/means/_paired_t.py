"""The paired t-test: is the mean difference of two models other than zero?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Interval, Note
from bakeoff._core.validation import as_paired, check_alternative, check_level
from bakeoff.stats._differences import IDENTICAL, Differences, constant_note, paired_differences
from bakeoff.stats._tested import Tested
from bakeoff.stats.distributions import tail_pvalue, two_sided_quantile

PAIRED_T = "paired-t"  # the name of the test


class TTested(Tested, law="t"):
    """A t-test of a mean difference: what its results have in common."""

    estimate: float
    standard_error: float
    df: float
    method: str
    notes: tuple[Note, ...]

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided t interval for the mean difference, whatever the alternative of the test."""
        return t_interval(self.estimate, self.standard_error, self.df, level, self.method, self.notes)


@dataclass(frozen=True, repr=False)
class TTestResult(TTested):
    """Answer of a t-test on paired differences.

    Attributes
    ----------
    statistic, df, pvalue
        t, its degrees of freedom and the p-value of the alternative asked for.
    estimate
        Mean difference a − b.
    standard_error
        The denominator of t.
    alternative
        ``"two-sided"``, ``"less"`` (a − b < 0) or ``"greater"`` (a − b > 0).
    method
        Name of the test: that of `paired_t` or of `corrected_t`.
    notes
        What was degenerate or doubtful.
    """

    statistic: float
    df: float
    pvalue: float
    estimate: float
    standard_error: float
    alternative: str = "two-sided"
    method: str = PAIRED_T
    notes: tuple[Note, ...] = ()


def paired_t(a: ArrayLike, b: ArrayLike | None = None, *, alternative: str = "two-sided") -> TTestResult:
    r"""Test whether two models differ on average over independent pairs (Student's paired t).

    .. math:: t = \bar d \,/\, \sqrt{S^2 / n}, \qquad d_i = a_i - b_i, \qquad n - 1 \text{ degrees of freedom}

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Scores of the two models on the same units, in the same order. With ``b=None``, `a` holds the differences.
    alternative : {"two-sided", "less", "greater"}
        ``"greater"``: a is larger than b on average.

    Returns
    -------
    TTestResult
        `statistic`, `df`, `pvalue`, `estimate` (mean of a − b) and ``confidence_interval(level)``.

    Notes
    -----
    The pairs must be *independent*: instances of one test set, or data sets. Folds and repeats of one data set share
    training rows, their differences are positively correlated, and this test then rejects far too often; use
    `corrected_t` there. Equal models give p = 1 with a note; a constant nonzero difference has no p-value (R stops
    with "data are essentially constant", SciPy answers p = 0), and the note says so.

    References
    ----------
    Student (1908). The probable error of a mean. *Biometrika* 6(1), 1–25. https://doi.org/10.1093/biomet/6.1.1

    Examples
    --------
    >>> from bakeoff.stats import paired_t
    >>> result = paired_t([0.80, 0.82, 0.87, 0.85, 0.83], [0.79, 0.80, 0.86, 0.80, 0.82])
    >>> print(f"{result.estimate:.3f}, t = {result.statistic:.3f}, p = {result.pvalue:.4f}")
    0.020, t = 2.582, p = 0.0612
    >>> result.confidence_interval(0.95).low < 0 < result.confidence_interval(0.95).high
    True
    """
    differences = paired_differences(a, b)
    n = differences.values.size
    made = t_test(differences, math.sqrt(1 / n) * differences.spread, n - 1, check_alternative(alternative), PAIRED_T)
    return made._keeping(differences=differences, **pair_of(a, b))


def pair_of(a: ArrayLike, b: ArrayLike | None) -> dict[str, Any]:
    """The two columns of scores, to be shown; nothing where differences were given."""
    if b is None:
        return {}
    first, second = as_paired(a, b)
    return {"first": first, "second": second}


def t_test(
    differences: Differences, error: float, df: float, alternative: str, method: str, notes: tuple[Note, ...] = ()
) -> TTestResult:
    """Divide the mean difference by its standard error and refer it to t."""
    mean = differences.mean
    if differences.all_zero:
        return TTestResult(0.0, df, 1.0, 0.0, 0.0, alternative, method, (*notes, IDENTICAL))
    if differences.constant or error == 0:
        # A constant nonzero difference is no proof: its spread is unknown, not zero. No p-value rather than p = 0.
        undefined = (*notes, constant_note(mean, differences.values.size))
        return TTestResult(math.nan, df, math.nan, mean, 0.0, alternative, method, undefined)
    pvalue = t_pvalue(mean / error, df, alternative)
    return TTestResult(mean / error, df, pvalue, mean, error, alternative, method, notes)


def t_pvalue(statistic: float, df: float, alternative: str) -> float:
    """Tail probability of Student's t."""
    return float(tail_pvalue(statistic, alternative, df))


def t_interval(
    estimate: float, standard_error: float, df: float, level: float, method: str, notes: tuple[Note, ...] = ()
) -> Interval:
    """Estimate ± t quantile · standard error; undefined where there is no spread to estimate the error from."""
    level = check_level(level, "level")
    if standard_error == 0:
        reason = note("no-spread")
        return Interval(estimate, math.nan, math.nan, level, method, (*notes, reason))
    half = two_sided_quantile(level, df) * standard_error
    return Interval(estimate, estimate - half, estimate + half, level, method, notes)
