"""Wilcoxon's signed-rank test for all pairs of models at once; every pair gets what `wilcoxon` gives it alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note
from bakeoff._core.validation import BoolArray, FloatArray, IntArray, as_float_matrix, check_alternative, check_choice
from bakeoff.stats.distributions import tail_pvalue
from bakeoff.stats.multiplicity import PairsResult, all_pairs, pair_indices
from bakeoff.stats.ranks._pair_sums import PairSums, pair_sums, sum_of_squares
from bakeoff.stats.ranks._ranking import average_ranks, grid_keys
from bakeoff.stats.ranks._wilcoxon import EXACT_LIMIT, METHODS, ZEROS, check_exact_size, exact_pvalue

_RANKED_AT_ONCE = 200_000  # differences


@dataclass(frozen=True, repr=False, kw_only=True)
class WilcoxonPairsResult(PairsResult):
    """Answer of `wilcoxon_pairs`: `statistic` is the smaller rank sum, `estimate` the rank-biserial correlation.

    Attributes
    ----------
    r_plus, r_minus
        Rank sums of first > second and of first < second, per pair.
    n, n_zero
        Number of data sets, and per pair the number without a difference.
    zeros, alternative
        As asked.
    """

    r_plus: FloatArray
    r_minus: FloatArray
    n: int
    n_zero: IntArray
    zeros: str
    alternative: str


def wilcoxon_pairs(
    scores: ArrayLike, *, zeros: str = "split", method: str = "auto", alternative: str = "two-sided"
) -> WilcoxonPairsResult:
    """Which pairs of models differ over data sets? Wilcoxon's signed-rank test for every pair.

    Parameters
    ----------
    scores
        Shape [N, k]: rows are data sets, columns are models.
    zeros, method, alternative
        As in `wilcoxon`; ``"greater"`` asks whether the first model of a pair has the higher scores.

    Returns
    -------
    WilcoxonPairsResult
        With `pairs`, `statistic`, `pvalue` (not adjusted: give them to `adjust` or `adjust_pairs`), `r_plus`,
        `r_minus` and `estimate`, the matched-pairs rank-biserial correlation (R⁺ − R⁻)/(R⁺ + R⁻).

    Notes
    -----
    A test of a pair looks at these two models only, so its answer does not depend on which other models are in the
    table; post hocs on mean ranks do not have that property.

    References
    ----------
    Benavoli, A., Corani, G. & Mangili, F. (2016). Should we really use post-hoc tests based on mean-ranks? JMLR 17,
    1–10. https://www.jmlr.org/papers/v17/benavoli16a.html

    Examples
    --------
    >>> from bakeoff.stats import adjust, wilcoxon_pairs
    >>> table = [[.76, .77, .80], [.60, .59, .57], [.95, .97, .97], [.63, .66, .66],
    ...          [.88, .89, .90], [.94, .93, .93], [.66, .67, .69], [.58, .59, .63]]
    >>> result = wilcoxon_pairs(table)
    >>> result.pairs
    [(0, 1), (0, 2), (1, 2)]
    >>> adjust(result.pvalue, "holm").round(4).tolist()
    [0.3594, 0.3281, 0.3594]
    """
    table = as_float_matrix("scores", scores)
    check_choice("zeros", zeros, ZEROS)
    check_choice("method", method, METHODS)
    check_alternative(alternative)
    n, k = table.shape
    sums = _under_rule(pair_sums(table), n, zeros)
    r_plus, r_minus = sums.positive + sums.share, sums.total - sums.positive + sums.share
    pvalue, chosen = _pvalues(table, sums, zeros, method, alternative)
    return WilcoxonPairsResult(
        pairs=all_pairs(k),
        statistic=np.minimum(r_plus, r_minus),
        pvalue=pvalue,
        estimate=(r_plus - r_minus) / np.maximum(r_plus + r_minus, 1),
        estimate_kind="rank-biserial correlation",
        method=f"wilcoxon ({chosen})",
        r_plus=r_plus,
        r_minus=r_minus,
        n=n,
        n_zero=sums.n_zero,
        zeros=zeros,
        alternative=alternative,
        notes=_notes(n, sums.n_zero),
    )


class _RankedPairs(NamedTuple):
    """What the p-values need, per pair; ranks of untied pairs are offset + 1, offset + 2, …"""

    positive: FloatArray
    total: FloatArray
    share: FloatArray
    variance: FloatArray
    n_zero: IntArray
    n_nonzero: IntArray
    tied: BoolArray
    offset: IntArray


def _under_rule(sums: PairSums, n: int, zeros: str) -> _RankedPairs:
    """Apply a rule for zeros to rank sums in which zeros hold the first ranks."""
    z = sums.n_zero
    nonzero = n - z
    offset = np.zeros_like(z) if zeros == "wilcox" else z
    squares = sum_of_squares(nonzero + offset) - sum_of_squares(offset) - sums.cubes / 12
    if zeros == "split":
        squares = squares + z * ((z + 1) / 2) ** 2
    return _RankedPairs(
        positive=sums.positive - (sums.n_positive * z if zeros == "wilcox" else 0),
        total=nonzero * (nonzero + 1) / 2 + nonzero * offset,
        share=z * (z + 1) / 4 if zeros == "split" else np.zeros_like(z),
        variance=squares / 4,
        n_zero=z.astype(np.int64),
        n_nonzero=nonzero.astype(np.int64),
        tied=sums.cubes > 0,
        offset=offset.astype(np.int64),
    )


def _pvalues(
    table: FloatArray, sums: _RankedPairs, zeros: str, method: str, alternative: str
) -> tuple[FloatArray, str]:
    exact = sums.n_nonzero <= (EXACT_LIMIT if method == "auto" else table.shape[0] if method == "exact" else -1)
    if method == "exact":
        check_exact_size(table.shape[0])
    pvalue = np.empty(exact.size)
    if not exact.all():
        pvalue[~exact] = _normal_pvalues(sums, alternative)[~exact]
    for index, ranks in chain(_untied_ranks(sums, exact), _tied_ranks(table, np.flatnonzero(exact & sums.tied), zeros)):
        positive, total = float(sums.positive[index]), float(sums.total[index])
        pvalue[index] = exact_pvalue(ranks, positive, total, alternative)
    return pvalue, "exact" if exact.all() else "normal" if not exact.any() else "exact or normal"


def _untied_ranks(sums: _RankedPairs, chosen: BoolArray) -> Iterator[tuple[int, FloatArray]]:
    for index in np.flatnonzero(chosen & ~sums.tied).tolist():
        yield index, np.arange(sums.offset[index] + 1.0, sums.offset[index] + sums.n_nonzero[index] + 1)


def _tied_ranks(table: FloatArray, pairs: NDArray[np.intp], zeros: str) -> Iterator[tuple[int, FloatArray]]:
    """Yield the ranks of the nonzero differences of some pairs, ranked many pairs at a time."""
    first, second = pair_indices(table.shape[1])
    at_once = max(1, _RANKED_AT_ONCE // len(table))
    for start in range(0, pairs.size, at_once):
        some = pairs[start : start + at_once]
        a, b = table.T[first[some]], table.T[second[some]]
        keys = grid_keys(a - b, np.maximum(np.abs(a), np.abs(b)))
        ranks = average_ranks(np.abs(keys))
        for index, row, at_zero in zip(some.tolist(), ranks, keys == 0, strict=True):
            # dropped zeros leave their ranks, which are the first, to the others
            yield index, row[~at_zero] - (at_zero.sum() if zeros == "wilcox" else 0)


def _normal_pvalues(sums: _RankedPairs, alternative: str) -> FloatArray:
    spread = np.sqrt(np.where(sums.n_nonzero > 0, sums.variance, 1.0))
    z = np.where(sums.n_nonzero > 0, (sums.positive - sums.total / 2) / spread, 0.0)
    return np.where(sums.n_nonzero > 0, tail_pvalue(z, alternative), 1.0)


def _notes(n: int, n_zero: IntArray) -> tuple[Note, ...]:
    notes = []
    identical = int((n_zero == n).sum())
    if identical:
        notes.append(note("identical-models:pairs", identical=identical))
    if 0.5 ** (n - 1) > 0.05:
        notes.append(note("few-pairs:data-sets", n=n, least=0.5 ** (n - 1)))
    return tuple(notes)
