"""Wilcoxon's signed-rank test: does one model score higher than another over data sets?"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import ParameterError
from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Interval, Note
from bakeoff._core.validation import FloatArray, as_paired, check_alternative, check_choice, check_level
from bakeoff.stats._differences import IDENTICAL
from bakeoff.stats._tested import Tested
from bakeoff.stats.distributions import Null, tail_pvalue
from bakeoff.stats.ranks._ranking import average_ranks, grid_keys
from bakeoff.stats.ranks._signed_rank import tail_probability, untied_cdf
from bakeoff.stats.ranks._walsh import hodges_lehmann, walsh_order_statistics

ZEROS = ("split", "wilcox", "pratt")
METHODS = ("auto", "exact", "normal")
EXACT_LIMIT = 100  # nonzero differences up to which "auto" is exact: a fraction of a millisecond a pair
_EXACT_MAXIMUM = 10_000
_INTERVAL_TABLE_LIMIT = 500


@dataclass(frozen=True, repr=False)
class WilcoxonResult(Tested):
    """Answer of `wilcoxon`.

    Attributes
    ----------
    statistic
        The smaller of the two rank sums.
    pvalue
        Probability, if neither model were better, of rank sums at least as far apart.
    r_plus, r_minus
        Sum of the ranks where a > b, and where a < b (with ``zeros="split"`` each has half of the zeros' ranks).
    n, n_zero
        Number of pairs, and of pairs without a difference.
    estimate
        Hodges–Lehmann estimate of the difference a − b: the median of the averages of all pairs of differences.
    zeros, method, alternative
        How it was computed; `method` is what ``"auto"`` chose.
    notes
        Choices made and weaknesses seen.
    """

    statistic: float
    pvalue: float
    r_plus: float
    r_minus: float
    n: int
    n_zero: int
    estimate: float
    zeros: str
    method: str
    alternative: str
    _differences: FloatArray = field(repr=False, compare=False)
    notes: tuple[Note, ...] = ()

    @property
    def null_distribution(self) -> Null:
        """Return the distribution of the statistic under the null hypothesis."""
        if self.method == "normal":
            return Null("normal", (), "two-sided" if self.alternative == "two-sided" else "less")
        sides = 2 if self.alternative == "two-sided" else 1
        return Null("signed-rank", (self.n if self.zeros != "wilcox" else self.n - self.n_zero,), "lower", sides)

    @property
    def _sum(self) -> float:
        """The smaller rank sum; with one side, that of the ranks that speak against it."""
        return {"greater": self.r_minus, "less": self.r_plus}.get(self.alternative, self.statistic)

    @property
    def _decisive(self) -> float:
        """That sum; by the normal distribution, in standard deviations from its mean."""
        if self.method != "normal":
            return self._sum
        sums = rank_sums(self._inputs["keys"], self.zeros)
        return (self._sum - sums.total / 2 - sums.share) / np.sqrt(sums.variance) if sums.variance > 0 else np.nan

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the interval of shifts that the signed-rank test at this level does not reject.

        The limits are Walsh averages at the positions that the exact null distribution gives (normal above 500 pairs).
        With ties they are conservative: the coverage is at least the level. One-sided alternatives give one limit.
        Zero lies within exactly where the test of it, exact with ties, does not reject at 1 − level.
        """
        level = check_level(level, "level")
        tail = (1 - level) / (2 if self.alternative == "two-sided" else 1)
        low, high, notes = shift_limits(self._differences, tail)
        if self.alternative == "less":
            low = -np.inf
        if self.alternative == "greater":
            high = np.inf
        largest = float(np.abs(self._differences).max())
        low, high = as_tested((low, high), self.estimate, self.pvalue < 1 - level, largest)
        return Interval(self.estimate, low, high, level, "signed-rank", notes)


def wilcoxon(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    zeros: str = "split",
    method: str = "auto",
    alternative: str = "two-sided",
) -> WilcoxonResult:
    """Is model `a` better than model `b` over data sets? Wilcoxon's signed-rank test.

    Parameters
    ----------
    a, b
        Scores of the two models, shape [n], one pair per data set; or the differences alone in `a`.
    zeros
        Pairs without a difference: ``"split"`` ranks them and gives half of their ranks to each side (Demšar);
        ``"pratt"`` ranks them, then leaves their ranks out; ``"wilcox"`` drops them before ranking.
    method
        ``"exact"`` (every sign pattern, the ranks as they are, ties included), ``"normal"`` (tie-corrected variance,
        no continuity correction), or ``"auto"``: exact up to 100 nonzero differences.
    alternative
        ``"two-sided"``, ``"greater"`` (a > b) or ``"less"``.

    Returns
    -------
    WilcoxonResult
        With `statistic`, `pvalue`, `r_plus`, `r_minus`, `n`, `estimate` and `confidence_interval(level)`.

    Notes
    -----
    Absolute differences are ranked from the smallest, after rounding to about ten decimals so that ties in decimal are
    ties; equal ones share their average rank. If the models do not differ, each difference is as likely positive as
    negative. A zero difference has no sign to flip, so given the data the zeros' ranks are a constant: under
    ``"split"`` both sums carry the same half of it, and the exact p-value equals Pratt's. (With an odd number of zeros
    Demšar ignores one; here none is ignored.) The normal approximation of ``"split"`` uses μ = n(n+1)/4 and
    σ² = Σ rank²/4 over all n, zeros included, which is a little conservative; those of ``"pratt"`` and ``"wilcox"``
    sum over the nonzero differences.

    References
    ----------
    Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1, 80–83. doi:10.2307/3001968

    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1–30.
    https://www.jmlr.org/papers/v7/demsar06a.html

    Examples
    --------
    Demšar's Table 2: C4.5 with the parameter m tuned against plain C4.5 (AUC on 14 data sets).

    >>> from bakeoff.stats import wilcoxon
    >>> plain = [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .940, .619, .972, .957]
    >>> tuned = [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978]
    >>> result = wilcoxon(tuned, plain)
    >>> result.r_plus, result.r_minus, result.pvalue
    (93.0, 12.0, 0.0078125)
    """
    first, second = as_paired(a, b)
    check_choice("zeros", zeros, ZEROS)
    check_choice("method", method, METHODS)
    check_alternative(alternative)
    differences = first - second
    keys = grid_keys(differences, np.maximum(np.abs(first), np.abs(second)))
    sums = rank_sums(keys, zeros)
    chosen = _chosen_method(method, sums.ranks.size)
    if chosen == "exact":
        pvalue = exact_pvalue(sums.ranks, sums.positive, sums.total, alternative)
    else:
        pvalue = _normal_pvalue(sums, alternative)
    return WilcoxonResult(
        statistic=min(sums.r_plus, sums.r_minus),
        pvalue=pvalue,
        r_plus=sums.r_plus,
        r_minus=sums.r_minus,
        n=int(keys.size),
        n_zero=sums.n_zero,
        estimate=hodges_lehmann(np.where(keys == 0, 0.0, differences)),
        zeros=zeros,
        method=chosen,
        alternative=alternative,
        _differences=np.where(keys == 0, 0.0, differences),
        notes=_notes(sums.ranks.size, alternative),
    )._keeping(first=first, second=None if b is None else second, keys=keys)


@dataclass(frozen=True)
class RankSums:
    """Ranks of the nonzero differences and what their signs sum to; `share` is each side's part of the zeros."""

    ranks: FloatArray
    positive: float
    n_zero: int
    share: float
    variance: float

    @property
    def total(self) -> float:
        """Sum of the ranks of the nonzero differences."""
        return float(self.ranks.sum())

    @property
    def r_plus(self) -> float:
        """Rank sum of a > b."""
        return self.positive + self.share

    @property
    def r_minus(self) -> float:
        """Rank sum of a < b."""
        return self.total - self.positive + self.share


def rank_sums(keys: FloatArray, zeros: str) -> RankSums:
    """Rank absolute keys and sum the ranks of the positive ones under a rule for zeros."""
    kept = keys[keys != 0] if zeros == "wilcox" else keys
    ranks = average_ranks(np.abs(kept))
    at_zero = kept == 0
    zero_ranks = ranks[at_zero]
    split = zeros == "split"
    # Each rank enters the sum by a fair coin, so the variance is Σ rank²/4; with average ranks it is already
    # corrected for ties.
    variance = float(((ranks if split else ranks[~at_zero]) ** 2).sum()) / 4
    return RankSums(
        ranks=ranks[~at_zero],
        positive=float(ranks[kept > 0].sum()),
        n_zero=int((keys == 0).sum()),
        share=float(zero_ranks.sum()) / 2 if split else 0.0,
        variance=variance,
    )


def exact_pvalue(ranks: FloatArray, positive: float, total: float, alternative: str) -> float:
    """Return the p-value over all sign patterns of the nonzero differences."""
    if ranks.size == 0:
        return 1.0
    if alternative == "two-sided":
        # The null distribution is symmetric: twice the smaller tail, cut at 1 where both tails share the middle.
        return min(1.0, 2 * tail_probability(ranks, min(positive, total - positive)))
    # P(T+ >= t) = P(T- <= total - t), and both sums have the same distribution
    return tail_probability(ranks, total - positive if alternative == "greater" else positive)


def _normal_pvalue(sums: RankSums, alternative: str) -> float:
    if sums.ranks.size == 0:
        return 1.0
    return float(tail_pvalue((sums.positive - sums.total / 2) / np.sqrt(sums.variance), alternative))


def _chosen_method(method: str, n_nonzero: int) -> str:
    if method == "auto":
        return "exact" if n_nonzero <= EXACT_LIMIT else "normal"
    if method == "exact":
        check_exact_size(n_nonzero)
    return method


def check_exact_size(n: int) -> None:
    """Refuse the exact distribution where it would take minutes."""
    if n > _EXACT_MAXIMUM:
        raise ParameterError(
            f"the exact distribution is computed for at most {_EXACT_MAXIMUM} differences. Got {n}.",
            hint="use method='normal', which is accurate at this size",
        )


def _notes(n_nonzero: int, alternative: str) -> tuple[Note, ...]:
    if n_nonzero == 0:
        return (IDENTICAL,)
    smallest = 0.5 ** (n_nonzero - (alternative == "two-sided"))
    if smallest > 0.05:
        return (note("few-pairs:signed-ranks", n_nonzero=n_nonzero, smallest=min(smallest, 1.0)),)
    return ()


def shift_limits(differences: FloatArray, tail: float) -> tuple[float, float, tuple[Note, ...]]:
    """Return the Walsh averages that bound the shifts not rejected with probability `tail` on each side."""
    n = differences.size
    count = n * (n + 1) // 2
    outside = walsh_positions(n, tail)
    if outside < 1:
        return -np.inf, np.inf, (note("interval-unbounded", n=n, coverage=1 - 0.5 ** (n - 1)),)
    low, high = walsh_order_statistics(differences, [outside - 1, count - outside])
    return low, high, ()


def as_tested(limits: tuple[float, float], estimate: float, rejected: bool, largest: float) -> tuple[float, float]:
    """Limits that leave zero out where zero is rejected, and hold it where it is not.

    Limits are those of untied ranks; p is exact with ties. They part where a limit is zero itself, in one of twenty
    tables of rounded scores, and there p is right.
    """
    low, high = limits
    if not rejected:
        return min(low, 0.0), max(high, 0.0)
    if estimate == 0 or low > 0 or high < 0:
        return limits
    beyond = float(np.finfo(np.float64).eps) * largest
    return (beyond, high) if estimate > 0 else (low, -beyond)


def walsh_positions(n: int, tail: float) -> int:
    """Return how many Walsh averages may lie beyond each limit, the limit included: P(T <= c - 1) <= tail."""
    if n <= _INTERVAL_TABLE_LIMIT:
        # Conservative with ties, because untied ranks have the widest spread. A tail that equals the level up to
        # rounding counts as reached.
        return int(np.searchsorted(untied_cdf(0, n), tail * (1 + 1e-12), side="right"))
    from scipy.special import ndtri

    spread = np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return int(np.floor(n * (n + 1) / 4 + ndtri(tail) * spread))
