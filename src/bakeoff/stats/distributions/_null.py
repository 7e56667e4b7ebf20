"""Distributions of test statistics where the null hypothesis holds: critical values, rejection regions, densities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.validation import FloatArray, check_number
from bakeoff.stats.distributions._studentized import (
    many_to_one_quantile,
    many_to_one_sf,
    studentized_range_quantile,
    studentized_range_sf,
)

Law = Literal["normal", "t", "chi2", "F", "signed-rank", "binomial", "mid-p", "range", "many-to-one"]
Tail = Literal["two-sided", "greater", "less", "upper", "lower"]


_SYMBOLS: dict[Law, str] = {
    "normal": "z", "t": "t", "chi2": "χ²", "F": "F", "signed-rank": "T", "binomial": "k", "mid-p": "k", "range": "q",
    "many-to-one": "t",
}  # fmt: skip


@dataclass(frozen=True)
class Null:
    """The distribution of a statistic under the null hypothesis, and which of its values reject it.

    Attributes
    ----------
    law, df
        The distribution and its numbers: degrees of freedom; for ``"signed-rank"`` the number of ranks, for
        ``"binomial"`` and ``"mid-p"`` the number of tosses of a fair coin, for ``"range"`` and ``"many-to-one"`` the
        number of means and the degrees of freedom of their spread.
    tail
        ``"two-sided"``, ``"greater"`` and ``"less"`` of a statistic with a sign; ``"upper"`` where large values
        reject, ``"lower"`` where small ones do (the smaller rank sum, the smaller count).
    sides
        Of a statistic that is the smaller of two: 2 where either side may be it.

    Examples
    --------
    >>> from bakeoff.stats.distributions import Null
    >>> round(Null("t", (29,)).critical(), 5), round(Null("chi2", (1,), "upper").critical(), 3)
    (2.04523, 3.841)
    """

    law: Law
    df: tuple[float, ...] = ()
    tail: Tail = "two-sided"
    sides: int = 2

    def critical(self, alpha: float = 0.05) -> float:
        """The value from which on the hypothesis is rejected; NaN where no value of so small a sample can do it."""
        alpha = check_number("alpha", alpha, low=0, high=1, closed="none")
        if self.tail == "lower":
            return _largest_small(self._lower_tail(), alpha / self.sides)
        # the largest of several |t| has one tail, though each t may be of either sign
        beyond = alpha / 2 if self.tail == "two-sided" and self.law != "many-to-one" else alpha
        value = self._upper_quantile(beyond)
        return -value if self.tail == "less" else value

    def rejects(self, statistic: float, alpha: float = 0.05) -> bool:
        """Whether a value of the statistic lies in the rejection region."""
        critical = self.critical(alpha)
        if self.tail == "lower":
            return bool(statistic <= critical)
        if self.tail == "less":
            return bool(statistic < critical)
        return bool((abs(statistic) if self.tail == "two-sided" else statistic) > critical)

    def density(self, x: ArrayLike) -> FloatArray:
        """Density at `x`, or for a statistic of whole or half numbers the probability of each value."""
        from scipy import stats

        at = np.asarray(x, dtype=np.float64)
        if self.law == "range":
            return _slope(lambda q: studentized_range_sf(q, int(self.df[0]), self.df[1]), at)
        if self.law == "many-to-one":
            return _slope(lambda q: many_to_one_sf(q, int(self.df[0]), self.df[1]), at)
        if self.law in ("signed-rank", "binomial", "mid-p"):
            chances = np.diff(self._lower_tail(), prepend=0.0)
            whole = np.clip(np.rint(at).astype(np.int64), 0, chances.size - 1)
            return np.asarray(np.where((at >= 0) & (at <= chances.size - 1), chances[whole], 0.0))
        made = {"normal": stats.norm, "t": stats.t, "chi2": stats.chi2, "F": stats.f}[self.law](*self.df)
        return np.asarray(made.pdf(at))

    @property
    def symbol(self) -> str:
        """The letter of the statistic: z, t, χ², F, T, k or q."""
        return "z" if self.law == "t" and np.isinf(self.df[0]) else _SYMBOLS[self.law]

    @property
    def largest(self) -> int:
        """The largest value whose probability is known, of a statistic that takes single values only."""
        return self._lower_tail().size - 1

    @property
    def discrete(self) -> bool:
        """Whether the statistic takes single values only."""
        return self.law in ("signed-rank", "binomial", "mid-p")

    def _upper_quantile(self, beyond: float) -> float:
        from scipy.special import chdtri, fdtri, ndtri, stdtrit

        if self.law == "normal":
            return float(-ndtri(beyond))
        if self.law == "t":
            return float(-ndtri(beyond)) if np.isinf(self.df[0]) else float(-stdtrit(self.df[0], beyond))
        if self.law == "chi2":
            return float(chdtri(self.df[0], beyond))
        if self.law == "F":
            return float(fdtri(*self.df, 1 - beyond))
        quantile = studentized_range_quantile if self.law == "range" else many_to_one_quantile
        return quantile(1 - beyond, int(self.df[0]), self.df[1])

    def _lower_tail(self) -> FloatArray:
        """P(statistic ≤ 0), P(statistic ≤ 1), …; with mid-p the last value counts half."""
        n = int(self.df[0])
        if self.law == "signed-rank":
            from bakeoff.stats.ranks import untied_cdf

            return np.asarray(untied_cdf(0, n))
        from scipy.special import bdtr

        upto = np.asarray(bdtr(np.arange(n + 1), n, 0.5))
        return (upto + np.concatenate(([0.0], upto[:-1]))) / 2 if self.law == "mid-p" else upto


def _largest_small(tail: FloatArray, share: float) -> float:
    """The largest whole number whose tail is at most `share`; a tail equal to it up to rounding counts."""
    found = int(np.searchsorted(tail, share * (1 + 1e-12), side="right")) - 1
    return float(found) if found >= 0 else float("nan")


def _slope(tail: Callable[[FloatArray], FloatArray], at: FloatArray) -> FloatArray:
    return np.asarray(np.clip((tail(at - 1e-3) - tail(at + 1e-3)) / 2e-3, 0.0, None))
