"""McNemar's test: do two models make different numbers of errors on the same instances?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Interval, Note
from bakeoff._core.validation import as_correctness, as_floats, check_alternative, check_choice, check_level
from bakeoff._core.view import Table, View, word
from bakeoff.stats._tested import Tested
from bakeoff.stats.distributions import Null, two_sided_quantile

METHODS = ("auto", "exact", "midp", "chi2", "chi2_corrected")
FEW_DISCORDANT = 100
"""Below this many discordant pairs ``auto`` takes mid-p, from it on chi-square; there the two agree to two digits."""


@dataclass(frozen=True, repr=False)
class McNemarResult(Tested):
    """Answer of McNemar's test.

    Attributes
    ----------
    statistic
        Chi-square for the chi-square methods; for ``exact`` and ``midp`` the smaller discordant count.
    pvalue
        For equal chances of an "a only" and a "b only" instance.
    n_a_only, n_b_only
        Discordant instances: only a right, only b right.
    n
        All instances.
    estimate
        Accuracy of a minus accuracy of b.
    method, alternative
        What was computed (``auto`` is resolved).
    notes
        Choices made.
    """

    statistic: float
    pvalue: float
    n_a_only: int
    n_b_only: int
    n: int
    estimate: float
    method: str
    alternative: str = "two-sided"
    notes: tuple[Note, ...] = ()

    @property
    def null_distribution(self) -> Null:
        """Return the distribution of the statistic under the null hypothesis."""
        if self.method in ("exact", "midp"):
            law: Literal["binomial", "mid-p"] = "mid-p" if self.method == "midp" else "binomial"
            return Null(law, (self.n_a_only + self.n_b_only,), "lower", 2 if self.alternative == "two-sided" else 1)
        if self.alternative == "two-sided":
            return Null("chi2", (1,), "upper")
        return Null("normal", (), "greater" if self.alternative == "greater" else "less")

    @property
    def _decisive(self) -> float:
        """With one side: the count of the cases that speak against it, or the root of chi-square with its sign."""
        if self.alternative == "two-sided":
            return self.statistic
        if self.method in ("exact", "midp"):
            return float(self.n_b_only if self.alternative == "greater" else self.n_a_only)
        return math.copysign(math.sqrt(self.statistic), self.n_a_only - self.n_b_only)

    def _view(self) -> View:
        tables = [Table(self._shown())]
        if "both_right" in self._inputs:
            right = self._inputs["both_right"]
            tables.insert(0, Table({
                "": [word("a right"), word("a wrong")],
                word("b right"): [right, self.n_b_only],
                word("b wrong"): [self.n_a_only, self.n - right - self.n_a_only - self.n_b_only],
            }))  # fmt: skip
        return View((), tables, (), self._notes())

    def confidence_interval(self, level: float = 0.95, *, method: str = "tango") -> Interval:
        """Interval for the accuracy of a minus that of b, never of zero width.

        ``"tango"``: the score interval. ``"bonett-price"``: Wald's after adding one to each discordant count; simpler,
        and a little liberal at a margin (docs/calibration.md).
        """
        limits = {"tango": tango_limits, "bonett-price": bonett_price_limits}[
            check_choice("method", method, ("tango", "bonett-price"))
        ]
        low, high = limits(self.n_a_only, self.n_b_only, self.n, check_level(level, "level"))
        return Interval(self.estimate, low, high, level, method, self.notes)


def mcnemar(
    correct_a: ArrayLike, correct_b: ArrayLike | None = None, *, method: str = "auto", alternative: str = "two-sided"
) -> McNemarResult:
    """Is one of two models right more often than the other on the same instances?

    Only instances where exactly one model is right can tell; under the null hypothesis they are tosses of a fair coin.
    Right or wrong may come from any number of classes.

    Parameters
    ----------
    correct_a, correct_b
        Right (True, 1) or wrong (False, 0) on each instance, ``[n]``, in the same order.
    method
        ``"exact"``: binomial. ``"midp"``: the exact p-value less half the probability of the observed count; keeps
        its level closely where exact is conservative. ``"chi2"``: (b − c)² / (b + c). ``"chi2_corrected"``: with
        Edwards' correction, ``(|b − c| − 1)² / (b + c)``, and 0 when b = c. ``"auto"``: mid-p for fewer than 100
        discordant pairs, else chi-square.
    alternative
        ``"greater"``: a is right more often than b.

    Notes
    -----
    Assumes independent instances. It compares these two trained models, not the learning algorithms behind them.

    References
    ----------
    M. Fagerland, S. Lydersen, P. Laake (2013), "The McNemar test for binary matched-pairs data: mid-p and asymptotic
    are better than exact conditional", BMC Medical Research Methodology 13, https://doi.org/10.1186/1471-2288-13-91

    D. Bonett, R. Price (2012), "Adjusted Wald confidence interval for a difference of binomial proportions based on
    paired data", Journal of Educational and Behavioral Statistics 37, https://doi.org/10.3102/1076998611411915

    T. Tango (1998), "Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design", Statistics in Medicine 17, https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B

    Examples
    --------
    >>> result = mcnemar([1] * 9 + [0] * 13, [1] + [0] * 8 + [1] + [0] * 12)
    >>> result.n_a_only, result.n_b_only, round(result.pvalue, 4)
    (8, 1, 0.0215)
    >>> interval = result.confidence_interval(0.95)
    >>> interval.low > 0
    True
    """
    if correct_b is None:
        raise EvidenceError(
            "mcnemar needs the right and wrong answers of two models, correct_a and correct_b.",
            hint="of counts: mcnemar_from_table([[both right, only a], [only b, both wrong]])",
        )
    right_a, right_b = as_correctness("correct_a", correct_a), as_correctness("correct_b", correct_b)
    if right_a.ndim != 1 or right_a.shape != right_b.shape or right_a.size == 0:
        raise EvidenceError(
            f"correct_a and correct_b must be paired, one value per instance. Got shapes {right_a.shape} and "
            f"{right_b.shape}.",
            hint="both models must answer the same rows, in the same order",
        )
    a_only = int(np.count_nonzero(right_a & ~right_b))
    b_only = int(np.count_nonzero(~right_a & right_b))
    both = int(np.count_nonzero(right_a & right_b))
    return _test(a_only, b_only, right_a.size, method, alternative)._keeping(both_right=both)


def mcnemar_from_table(
    table: ArrayLike, *, method: str = "auto", alternative: str = "two-sided", layout: str = "right-first"
) -> McNemarResult:
    """McNemar's test from a table of counts; see `mcnemar`.

    Parameters
    ----------
    table
        2 × 2 counts; in rows what a did, in columns what b did.
    method, alternative
        As in `mcnemar`.
    layout : {"right-first", "wrong-first"}
        ``[[both right, only a], [only b, both wrong]]``, or, as n₀₀, n₀₁, n₁₀, n₁₁ are often printed,
        ``[[both wrong, only b], [only a, both right]]``. The two give opposite answers: print the result, it shows
        the table with its names.

    Examples
    --------
    >>> round(mcnemar_from_table([[101, 59], [121, 33]], method="exact").pvalue, 8)
    4.43e-06
    >>> mcnemar_from_table([[20, 25], [10, 145]], method="chi2_corrected", layout="wrong-first").estimate
    -0.075
    """
    counts = as_floats("table", table)
    if check_choice("layout", layout, ("right-first", "wrong-first")) == "wrong-first":
        counts = counts[::-1, ::-1]
    whole = bool((np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts))).all())
    if counts.shape != (2, 2) or not whole or counts.sum() == 0:
        raise EvidenceError("table must be 2 × 2 counts: [[both right, only a], [only b, both wrong]].")
    made = _test(int(counts[0, 1]), int(counts[1, 0]), int(counts.sum()), method, alternative)
    return made._keeping(both_right=int(counts[0, 0]))


def _test(a_only: int, b_only: int, n: int, method: str, alternative: str) -> McNemarResult:
    check_choice("method", method, METHODS)
    check_alternative(alternative)
    chosen, notes = _resolve(method, a_only + b_only)
    if a_only + b_only == 0:
        statistic, pvalue, notes = 0.0, 1.0, (*notes, note("no-discordant-pairs"))
    elif chosen in ("exact", "midp"):
        statistic, pvalue = float(min(a_only, b_only)), _binomial_pvalue(a_only, b_only, chosen == "midp", alternative)
    else:
        statistic, pvalue = _chi2(a_only, b_only, chosen == "chi2_corrected", alternative)
    return McNemarResult(statistic, pvalue, a_only, b_only, n, (a_only - b_only) / n, chosen, alternative, notes)


def _resolve(method: str, discordant: int) -> tuple[str, tuple[Note, ...]]:
    if method != "auto":
        return method, ()
    if discordant < FEW_DISCORDANT:
        return "midp", (note("mcnemar-midp", discordant=discordant),)
    return "chi2", (note("mcnemar-chi2", discordant=discordant),)


def _binomial_pvalue(a_only: int, b_only: int, midp: bool, alternative: str) -> float:
    """Tail of Binomial(b + c, ½); mid-p takes half of the observed point's probability."""
    if alternative == "greater":
        return _tail(b_only, a_only + b_only, midp)
    if alternative == "less":
        return _tail(a_only, a_only + b_only, midp)
    fewer, total = min(a_only, b_only), a_only + b_only
    # With b = c the two tails share the middle point, so the doubled tail is cut at 1; mid-p takes that point half.
    return min(2.0 * _tail(fewer, total, midp), 1.0) if a_only != b_only or not midp else _midp_of_equal(fewer)


def _tail(count: int, total: int, midp: bool) -> float:
    """P(X ≤ count), or P(X < count) + ½ P(X = count), for X ~ Binomial(total, ½)."""
    from scipy.special import bdtr

    upto = float(bdtr(count, total, 0.5))
    before = float(bdtr(count - 1, total, 0.5)) if count > 0 else 0.0
    return (upto + before) / 2.0 if midp else upto


def _midp_of_equal(count: int) -> float:
    """1 − ½ P(X = count) for 2·count tosses (Fagerland et al. 2013)."""
    return 1.0 - (_tail(count, 2 * count, False) - _tail(count, 2 * count, True))


def _chi2(a_only: int, b_only: int, corrected: bool, alternative: str) -> tuple[float, float]:
    from scipy.special import ndtr

    # Not below 0: with b = c Edwards' formula read literally gives 1/(b + c) instead of 0.
    gap = max(abs(a_only - b_only) - (1 if corrected else 0), 0)
    z = gap / (a_only + b_only) ** 0.5
    if alternative == "two-sided":
        return z * z, float(2.0 * ndtr(-z))
    toward = a_only > b_only if alternative == "greater" else b_only > a_only
    return z * z, float(ndtr(-z if toward else z))


def bonett_price_limits(a_only: int, b_only: int, n: int, level: float) -> tuple[float, float]:
    """Wald limits of the difference of paired proportions (b + 1)/(n + 2) and (c + 1)/(n + 2), within [−1, 1]."""
    first, second = (a_only + 1) / (n + 2), (b_only + 1) / (n + 2)
    half = two_sided_quantile(level) * ((first + second - (first - second) ** 2) / (n + 2)) ** 0.5
    return max(first - second - half, -1.0), min(first - second + half, 1.0)


def tango_limits(a_only: int, b_only: int, n: int, level: float) -> tuple[float, float]:
    """Return the differences Δ not rejected by the score test of paired proportions.

    The test divides ``b − c − nΔ`` by ``√(n (2q + Δ(1 − Δ)))`` where q is the chance of "b only" fitted under Δ.
    """
    z = two_sided_quantile(level)
    upper = _tango_upper(a_only, b_only, n, z)
    return -_tango_upper(b_only, a_only, n, z), upper


def _tango_upper(a_only: int, b_only: int, n: int, z: float) -> float:
    from scipy.optimize import brentq

    def excess(delta: float) -> float:
        """Score statistic plus z: positive while Δ is not yet rejected."""
        linear = -(a_only + b_only) + (2 * n - a_only + b_only) * delta
        constant = -b_only * delta * (1.0 - delta)
        # Where one model is never right alone, what is under the root is a square with a zero: rounding may pass it.
        fitted = (np.sqrt(max(linear * linear - 8.0 * n * constant, 0.0)) - linear) / (4.0 * n)
        variance = n * (2.0 * fitted + delta * (1.0 - delta))
        return float(a_only - b_only - n * delta + z * np.sqrt(max(variance, 0.0)))

    if a_only + b_only == 0:  # the score test solved by hand: no discordant pair is no proof of equality
        return z * z / (n + z * z)
    estimate = (a_only - b_only) / n
    if estimate == 1.0:
        return 1.0
    # All pairs discordant one way: the variance is 0 at the estimate itself, so the search starts just next to it.
    return float(brentq(excess, estimate + 1e-12, 1.0, xtol=1e-14, rtol=8.9e-16))
