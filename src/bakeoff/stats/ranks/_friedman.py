"""Friedman's test: do several models differ over data sets?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import ParameterError
from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray, IntArray, check_choice
from bakeoff.stats._blocks import ALL_TIED, block_moments, check_blocks, smallest_pvalue
from bakeoff.stats._tested import Tested
from bakeoff.stats.distributions import chi2_pvalue, f_pvalue
from bakeoff.stats.ranks._ranking import block_ranks

METHODS = ("chi2", "exact")
_BUDGET = 6_000_000  # sums of ranks looked at in one step


@dataclass(frozen=True, repr=False)
class FriedmanResult(Tested):
    """Answer of `friedman`.

    Attributes
    ----------
    statistic, df, pvalue
        Friedman's χ² corrected for ties, its degrees of freedom k − 1, and the p-value by `method`.
    ff_statistic, ff_df, ff_pvalue
        Iman and Davenport's F, its degrees of freedom (k − 1, (k − 1)(N − 1)), and its p-value: the better
        approximation of the two.
    mean_ranks
        Mean rank of each model; 1 is the best.
    kendalls_w
        Kendall's coefficient of concordance, 0 (no agreement of the data sets on the order) to 1; corrected for ties.
    n, k
        Number of data sets and of models.
    method
        ``"chi2"`` or ``"exact"``.
    notes
        Choices made and weaknesses seen.
    """

    statistic: float
    df: int
    pvalue: float
    ff_statistic: float
    ff_df: tuple[int, int]
    ff_pvalue: float
    mean_ranks: FloatArray
    kendalls_w: float
    n: int
    k: int
    method: str
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Sequence[Any]]:
        return {
            "test": [f"friedman ({self.method})", "iman-davenport F"],
            "statistic": [self.statistic, self.ff_statistic],
            "df": [str(self.df), f"{self.ff_df[0]}, {self.ff_df[1]}"],
            "pvalue": [self.pvalue, self.ff_pvalue],
            "kendalls_w": [self.kendalls_w, self.kendalls_w],
        }


def friedman(scores: ArrayLike, *, greater_is_better: bool = True, method: str = "chi2") -> FriedmanResult:
    """Do several models differ over data sets? Friedman's rank test.

    Parameters
    ----------
    scores
        Shape [N, k]: rows are data sets, columns are models.
    greater_is_better
        Whether the highest score gets rank 1. It changes the mean ranks, not the p-values.
    method
        ``"chi2"``: the χ² approximation. ``"exact"``: all ways to arrange each data set's ranks among the models,
        ties included; feasible for small tables (such as 3 × 60, 4 × 25, 5 × 10, 6 × 5 models × data sets).

    Returns
    -------
    FriedmanResult
        With `statistic`, `df`, `pvalue`, `ff_statistic`, `ff_df`, `ff_pvalue`, `mean_ranks` and `kendalls_w`.

    Notes
    -----
    With ranks r (rank 1 the best, ties sharing), R̄ the mean ranks:
    χ² = (k−1) N² Σ (R̄ⱼ − (k+1)/2)² / Σᵢⱼ (rᵢⱼ − (k+1)/2)², and F = (N−1) χ² / (N(k−1) − χ²).
    Demšar (2006) prints the value without the correction for ties, from scores with more decimals than his table.

    References
    ----------
    Friedman, M. (1937). The use of ranks to avoid the assumption of normality implicit in the analysis of variance.
    JASA 32, 675–701. doi:10.1080/01621459.1937.10503522

    Iman, R. L. & Davenport, J. M. (1980). Approximations of the critical region of the Friedman statistic.
    Communications in Statistics 9, 571–595. doi:10.1080/03610928008827904

    Examples
    --------
    >>> from bakeoff.stats import friedman
    >>> result = friedman([[.80, .77, .76], [.57, .59, .60], [.97, .96, .95], [.66, .66, .63], [.90, .89, .88]])
    >>> result.mean_ranks.tolist()
    [1.5, 1.9, 2.6]
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (3.2632, 0.1956)
    """
    table = check_blocks(scores)
    check_choice("method", method, METHODS)
    n, k = table.shape
    ranks = block_ranks(table, greater_is_better=greater_is_better)
    moments = block_moments(ranks)
    statistic = moments.statistic
    ff_statistic, ff_pvalue = _iman_davenport(statistic, n, k)
    return FriedmanResult(
        statistic=statistic,
        df=k - 1,
        pvalue=exact_friedman_pvalue(ranks) if method == "exact" else chi2_pvalue(statistic, k - 1),
        ff_statistic=ff_statistic,
        ff_df=(k - 1, (k - 1) * (n - 1)),
        ff_pvalue=ff_pvalue,
        mean_ranks=moments.means,
        kendalls_w=statistic / (n * (k - 1)),
        n=n,
        k=k,
        method=method,
        notes=_notes(statistic, ff_statistic, n, k, method),
    )._keeping(ranks=ranks)


def _iman_davenport(statistic: float, n: int, k: int) -> tuple[float, float]:
    """Return Iman and Davenport's F and its p-value; infinite when all data sets rank the models alike."""
    # χ² has its maximum N(k − 1) when all data sets agree; rounding must not make a huge F of an infinite one.
    below_maximum = n * (k - 1) - statistic
    if np.isnan(statistic):
        ff = np.nan
    elif below_maximum <= 1e-10 * n * (k - 1):
        ff = np.inf
    else:
        ff = (n - 1) * statistic / below_maximum
    return float(ff), f_pvalue(ff, k - 1, (k - 1) * (n - 1))


def _notes(statistic: float, ff_statistic: float, n: int, k: int, method: str) -> tuple[Note, ...]:
    if np.isnan(statistic):
        return (ALL_TIED,)
    if np.isinf(ff_statistic):
        return (note("perfect-agreement:friedman", n=smallest_pvalue(n, k)),)
    if method != "exact" and n < 10 and k < 6:
        return (note("small-table", n=n, k=k),)
    return ()


def exact_friedman_pvalue(ranks: FloatArray) -> float:
    """Return P(statistic >= observed) when each row's ranks may stand in any order among the models.

    The statistic grows with Σⱼ Sⱼ², Sⱼ the rank sums. Rows are added one at a time to the distribution of the rank
    sums; since every order is equally likely, only the sorted sums matter, which leaves k! times fewer of them.
    """
    # Average ranks are multiples of ½: doubled they are whole numbers, and sums compare exactly.
    doubled = np.rint(2 * ranks).astype(np.int64)
    rows = doubled - doubled.min(axis=1, keepdims=True)  # a constant per row shifts all sums alike
    rows = rows[np.argsort(rows.max(axis=1) > 0, kind="stable")]
    observed = _spread(rows.sum(axis=0)[None, :])[0]
    if rows.max() == 0:
        return 1.0
    sums, weight = np.zeros((1, ranks.shape[1]), dtype=np.int64), np.ones(1)
    for row in rows[rows.max(axis=1) > 0][:-1]:
        sums, weight = _merge(*_add_row(sums, weight, row))
    sums, weight = _add_row(sums, weight, rows[-1])
    return float(min(1.0, weight[_spread(sums) >= observed].sum()))


def _spread(sums: IntArray) -> IntArray:
    """Return k Σ S² − (Σ S)², an integer that orders tables as Friedman's statistic does."""
    return np.asarray(sums.shape[1] * (sums**2).sum(axis=1) - sums.sum(axis=1) ** 2)


def _add_row(sums: IntArray, weight: FloatArray, row: IntArray) -> tuple[IntArray, FloatArray]:
    """Add every arrangement of a row to every vector of sums."""
    arrangements = _arrangements(row, len(sums))
    added = (sums[:, None, :] + arrangements[None, :, :]).reshape(-1, row.size)
    return added, np.repeat(weight / len(arrangements), len(arrangements))


def _arrangements(row: IntArray, n_states: int) -> IntArray:
    found = np.zeros((0, row.size), dtype=np.int64)
    if row.size <= 9 and factorial(row.size) * n_states <= 50 * _BUDGET:
        found = np.unique(np.array(list(permutations(row.tolist())), dtype=np.int64), axis=0)
    if not 0 < len(found) * n_states <= _BUDGET:
        raise ParameterError(
            f"the exact distribution of Friedman's statistic is out of reach for this table of {row.size} models.",
            hint="use method='chi2'; ff_pvalue is accurate for tables of this size",
        )
    return found


def _merge(sums: IntArray, weight: FloatArray) -> tuple[IntArray, FloatArray]:
    """Sort each vector of sums and add up the weights of equal ones."""
    ordered = np.sort(sums, axis=1)
    ordered -= ordered[:, :1]
    base = int(ordered.max()) + 1
    if base ** (ordered.shape[1] - 1) < 2**62:
        codes = ordered[:, 1:] @ (base ** np.arange(ordered.shape[1] - 1, dtype=np.int64))
        _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
        return ordered[first], np.asarray(np.bincount(inverse, weight), dtype=np.float64)
    distinct, inverse = np.unique(ordered, axis=0, return_inverse=True)
    return distinct, np.asarray(np.bincount(inverse.ravel(), weight), dtype=np.float64)
