"""The sign test: on how many data sets does one model win?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Interval, Note
from bakeoff._core.validation import as_paired, check_alternative, check_choice, check_level
from bakeoff.stats._differences import IDENTICAL
from bakeoff.stats._tested import Tested
from bakeoff.stats.distributions import Null
from bakeoff.stats.ranks._ranking import grid_keys


@dataclass(frozen=True, repr=False)
class SignTestResult(Tested):
    """Answer of `sign_test`.

    Attributes
    ----------
    wins, losses, ties
        Pairs with a > b, a < b and a = b.
    pvalue
        Binomial probability, if wins and losses were equally likely, of a result at least as one-sided.
    estimate
        Share of wins among the pairs that decide; NaN if there is none.
    alternative
        As asked.
    notes
        Choices made and weaknesses seen.
    """

    wins: int
    losses: int
    ties: int
    pvalue: float
    estimate: float
    alternative: str
    _decided: tuple[int, int] = (0, 0)
    notes: tuple[Note, ...] = ()

    @property
    def null_distribution(self) -> Null:
        """Return the distribution of the statistic under the null hypothesis."""
        sides = 2 if self.alternative == "two-sided" else 1
        return Null("binomial", (sum(self._decided),), "lower", sides)

    @property
    def _decisive(self) -> float:
        """The fewer of wins and losses; with one side, those that speak against it."""
        wins, losses = self._decided
        return float({"greater": losses, "less": wins}.get(self.alternative, min(wins, losses)))

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the exact (Clopper–Pearson) interval of the probability that a wins a decided pair."""
        level = check_level(level, "level")
        tail = (1 - level) / (2 if self.alternative == "two-sided" else 1)
        low, high = _clopper_pearson(*self._decided, tail)
        if self.alternative == "less":
            low = 0.0
        if self.alternative == "greater":
            high = 1.0
        return Interval(self.estimate, low, high, level, "clopper-pearson", self.notes)


def sign_test(
    a: ArrayLike, b: ArrayLike | None = None, *, ties: str = "drop", alternative: str = "two-sided"
) -> SignTestResult:
    """Does model `a` win on more data sets than model `b`? The sign test.

    Parameters
    ----------
    a, b
        Scores of the two models, shape [n], one pair per data set; or the differences alone in `a`.
    ties
        ``"drop"``: pairs without a difference decide nothing. ``"split"``: they are shared evenly, one being dropped
        if their number is odd (Demšar).
    alternative
        ``"two-sided"``, ``"greater"`` (a wins more often) or ``"less"``.

    Returns
    -------
    SignTestResult
        With `wins`, `losses`, `ties`, `pvalue`, and `confidence_interval(level)` for the probability of a win.

    Notes
    -----
    Exact binomial test of wins against losses. It asks nothing of the sizes of the differences, and has less power than
    `wilcoxon` for it. Table 3 of Demšar (2006), labelled two-tailed, holds the one-tailed critical values.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1–30.
    https://www.jmlr.org/papers/v7/demsar06a.html

    Examples
    --------
    >>> from bakeoff.stats import sign_test
    >>> result = sign_test([3, -1, 4, 4, -2, 6, 3, 0, 7, 1])
    >>> result.wins, result.losses, result.ties, round(result.pvalue, 4)
    (7, 2, 1, 0.1797)
    """
    first, second = as_paired(a, b)
    check_choice("ties", ties, ("drop", "split"))
    check_alternative(alternative)
    keys = grid_keys(first - second, np.maximum(np.abs(first), np.abs(second)))
    wins, losses, tied = int((keys > 0).sum()), int((keys < 0).sum()), int((keys == 0).sum())
    shared = tied // 2 if ties == "split" else 0  # of an odd number one is left out, as in Demšar (2006)
    decided = (wins + shared, losses + shared)
    return SignTestResult(
        wins=wins,
        losses=losses,
        ties=tied,
        pvalue=_binomial_pvalue(*decided, alternative),
        estimate=decided[0] / sum(decided) if sum(decided) else np.nan,
        alternative=alternative,
        _decided=decided,
        notes=_notes(wins + losses, sum(decided), alternative),
    )


def _binomial_pvalue(wins: int, losses: int, alternative: str) -> float:
    from scipy.special import bdtr

    n = wins + losses
    if alternative == "two-sided":
        return min(1.0, 2 * float(bdtr(min(wins, losses), n, 0.5))) if n else 1.0
    return float(bdtr(losses if alternative == "greater" else wins, n, 0.5)) if n else 1.0


def _clopper_pearson(wins: int, losses: int, tail: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    low = float(betaincinv(wins, losses + 1, tail)) if wins else 0.0
    high = float(betaincinv(wins + 1, losses, 1 - tail)) if losses else 1.0
    return low, high


def _notes(n_different: int, n_decided: int, alternative: str) -> tuple[Note, ...]:
    if n_different == 0:
        return (IDENTICAL,)
    # All decided pairs won by one side: the least p-value there can be.
    smallest = 0.5 ** (n_decided - (alternative == "two-sided"))
    if smallest > 0.05:
        return (note("few-pairs:signs", n_decided=n_decided, smallest=min(smallest, 1.0)),)
    return ()
