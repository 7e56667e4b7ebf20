"""Wilcoxon's signed-rank test for all pairs of models at once.

The differences of each pair are sorted once, with the sign carried in the last bit of the key, so that the rank sums
follow from positions; ties cost only where they are. Every pair gets the result that `wilcoxon` gives it alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.notes import Note, warning_note
from bakeoff._core.validation import FloatArray, IntArray, as_float_matrix, check_alternative, check_choice
from bakeoff.stats._pairs import PairsResult, all_pairs, pair_indices
from bakeoff.stats._ranking import average_ranks, grid_factor, grid_keys, integer_grid
from bakeoff.stats._signed_rank import tail_probability
from bakeoff.stats._wilcoxon import EXACT_LIMIT, METHODS, ZEROS, check_exact_size, exact_pvalue, rank_sums

_COARSE_LEVELS = 2.0**30
_COARSE_FLOOR = 2**10  # a coarse key below this is zero, or may have lost digits that count
_GIVE_UP = 0.1  # share of pairs in need of the fine sort above which the coarse one is not tried again
_MANY_TIES = 0.25  # share of equal neighbours above which ties are summed group by group


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
    sums = _pair_sums(table).under(zeros)
    r_plus, r_minus = sums.positive + sums.share, sums.total - sums.positive + sums.share
    pvalue, chosen = _pvalues(table, sums, zeros, method, alternative)
    return WilcoxonPairsResult(
        pairs=all_pairs(k),
        statistic=np.minimum(r_plus, r_minus),
        pvalue=pvalue,
        estimate=(r_plus - r_minus) / np.maximum(r_plus + r_minus, 1),
        estimate_kind="rank-biserial correlation",
        method=f"wilcoxon ({chosen})",
        adjusted=False,
        r_plus=r_plus,
        r_minus=r_minus,
        n=n,
        n_zero=sums.n_zero,
        zeros=zeros,
        alternative=alternative,
        notes=_notes(n, sums.n_zero),
    )


class _PairSums(NamedTuple):
    """Per pair: rank sum of the positive differences (zeros ranked too), counts, and Σ(t³ − t) over nonzero ties."""

    n: int
    positive: FloatArray
    n_positive: FloatArray
    n_zero: IntArray
    cubes: FloatArray

    def under(self, zeros: str) -> _RankedPairs:
        """Apply a rule for zeros."""
        z = self.n_zero.astype(np.float64)
        nonzero = self.n - z
        offset = np.zeros_like(z) if zeros == "wilcox" else z
        total = nonzero * (nonzero + 1) / 2 + nonzero * offset
        top = nonzero + offset
        squares = _sum_of_squares(top) - _sum_of_squares(offset) - self.cubes / 12
        if zeros == "split":
            squares = squares + z * ((z + 1) / 2) ** 2
        return _RankedPairs(
            positive=self.positive - (self.n_positive * z if zeros == "wilcox" else 0),
            total=total,
            share=z * (z + 1) / 4 if zeros == "split" else np.zeros_like(z),
            variance=squares / 4,
            n_zero=self.n_zero,
            n_nonzero=self.n - self.n_zero,
            tied=self.cubes > 0,
            offset=offset.astype(np.int64),
        )


class _RankedPairs(NamedTuple):
    """What the p-values need, per pair; ranks of untied pairs are offset + 1, offset + 2, …"""

    positive: FloatArray
    total: FloatArray
    share: FloatArray
    variance: FloatArray
    n_zero: IntArray
    n_nonzero: IntArray
    tied: NDArray[np.bool_]
    offset: IntArray


def _sum_of_squares(n: FloatArray) -> FloatArray:
    return n * (n + 1) * (2 * n + 1) / 6


def _pair_sums(table: FloatArray) -> _PairSums:
    """Sum the ranks of every pair, first model by first model; each block of pairs fits the processor's cache."""
    n, k = table.shape
    short = integer_grid(table)
    block = _FloatBlocks(table) if short is None else _IntegerBlocks(short)
    parts = [block(i) for i in range(k - 1)]
    positive, n_positive, n_zero, cubes = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _PairSums(n, positive, n_positive, n_zero.astype(np.int64), cubes)


_Sums = tuple[FloatArray, FloatArray, NDArray[Any], FloatArray]


def _integer_sums(keys: NDArray[Any]) -> _Sums:
    """Sum ranks from integer keys [pairs, n]: sort 2|key| + sign, then read sums from positions, correcting for ties.

    Within a group of t equal magnitudes the p positive ones come last, so positions overstate their average ranks by
    p(t − p)/2 in all: half the number of pairs of unlike sign in the group.
    """
    packed = np.abs(keys)
    packed <<= 1
    packed |= keys > 0
    packed.sort(axis=1)
    signs = packed & 1
    packed >>= 1
    n_zero = np.count_nonzero(packed == 0, axis=1) if not packed[:, 0].all() else np.zeros(len(keys), dtype=np.int64)
    unlike, cubes = _tie_terms(packed, signs)
    zeros = n_zero.astype(np.float64)
    positive = _positions_of(signs) - unlike / 2
    return positive, signs.sum(axis=1, dtype=np.float64), n_zero, cubes - (zeros**3 - zeros)


def _positions_of(signs: NDArray[Any]) -> FloatArray:
    """Sum the positions 1 … n of the ones in each row."""
    return np.asarray(signs.astype(np.float64) @ np.arange(1.0, signs.shape[1] + 1))


def _tie_terms(magnitudes: NDArray[Any], signs: NDArray[Any]) -> tuple[FloatArray, FloatArray]:
    """Return per row the pairs of unlike sign within ties, and Σ(t³ − t) over the groups of equal magnitudes."""
    equal = np.zeros(magnitudes.shape, dtype=bool)
    np.equal(magnitudes[:, 1:], magnitudes[:, :-1], out=equal[:, :-1])
    neighbours = np.flatnonzero(equal)
    if neighbours.size > _MANY_TIES * equal.size:
        return _tie_terms_by_group(equal, signs)
    return _tie_terms_by_lag(magnitudes, signs, neighbours)


def _tie_terms_by_lag(
    magnitudes: NDArray[Any], signs: NDArray[Any], starts: NDArray[np.intp]
) -> tuple[FloatArray, FloatArray]:
    """Few ties: follow the positions equal to the one 1, 2, … further on (t³ − t = 6 Σ lag·(t − lag))."""
    rows, n = magnitudes.shape
    unlike, cubes = np.zeros(rows), np.zeros(rows)
    flat, sign = magnitudes.ravel(), signs.ravel()
    lag = 1
    while starts.size:
        row = starts // n
        unlike += np.bincount(row[sign[starts] != sign[starts + lag]], minlength=rows)
        cubes += 6 * lag * np.bincount(row, minlength=rows)
        lag += 1
        starts = starts[starts - row * n < n - lag]
        starts = starts[flat[starts] == flat[starts + lag]]
    return unlike, cubes


def _tie_terms_by_group(equal_next: NDArray[np.bool_], signs: NDArray[Any]) -> tuple[FloatArray, FloatArray]:
    """Many ties: few groups, summed one by one."""
    rows, n = signs.shape
    starts = np.append(0, np.flatnonzero(~equal_next.ravel())[:-1] + 1)
    size = np.diff(starts, append=signs.size).astype(np.float64)
    positive = np.add.reduceat(signs.ravel(), starts, dtype=np.float64)
    row = starts // n
    unlike = np.bincount(row, positive * (size - positive), minlength=rows)
    cubes = np.bincount(row, size**3 - size, minlength=rows)
    return np.asarray(unlike, dtype=np.float64), np.asarray(cubes, dtype=np.float64)


class _IntegerBlocks:
    """Rank sums of the pairs (i, i+1), (i, i+2), … for scores that are whole multiples of one unit."""

    def __init__(self, scores: NDArray[np.int32]) -> None:
        self.columns = np.ascontiguousarray(scores.T)

    def __call__(self, i: int) -> _Sums:
        return _integer_sums(self.columns[i] - self.columns[i + 1 :])


class _FloatBlocks:
    """Rank sums of the pairs (i, i+1), (i, i+2), … for scores that are not short decimals.

    The keys of the decimal grid have 11 digits. A first sort of their 30 leading bits settles every pair whose coarse
    keys are all different; only pairs with equal or very small ones are sorted on the full key.
    """

    def __init__(self, scores: FloatArray) -> None:
        self.columns = np.ascontiguousarray(scores.T)
        self.size = np.abs(self.columns).max(axis=1)
        self.try_coarse = True

    def __call__(self, i: int) -> _Sums:
        differences = self.columns[i] - self.columns[i + 1 :]
        scale = np.maximum(self.size[i], self.size[i + 1 :])
        factor = grid_factor(scale)
        keys = differences * factor[:, None]
        np.rint(keys, out=keys)
        if not self.try_coarse:
            return self._fine(i, np.arange(len(keys)), keys, differences)
        sums, doubtful = _coarse_sums(keys, _COARSE_LEVELS / (2 * np.where(scale > 0, scale, 1.0) * factor))
        rows = np.flatnonzero(doubtful)
        self.try_coarse = rows.size <= max(_GIVE_UP * len(keys), 5)
        if rows.size:
            for whole, part in zip(sums, self._fine(i, rows, keys[rows], differences[rows]), strict=True):
                whole[rows] = part
        return sums

    def _fine(self, i: int, rows: NDArray[np.intp], keys: FloatArray, differences: FloatArray) -> _Sums:
        """Sum the ranks of some pairs on the full key; those that mix scales take the general road."""
        sums = _integer_sums(keys.astype(np.int64))
        mixed = np.flatnonzero(((np.abs(keys) < 1e4) & (differences != 0)).any(axis=1))
        if mixed.size:
            operands = np.maximum(np.abs(self.columns[i]), np.abs(self.columns[i + 1 :][rows[mixed]]))
            for whole, part in zip(sums, _general_sums(grid_keys(differences[mixed], operands)), strict=True):
                whole[mixed] = part
        return sums


def _coarse_sums(keys: FloatArray, shrink: FloatArray) -> tuple[_Sums, NDArray[np.bool_]]:
    """Sum ranks on 30-bit keys; also say which rows have equal or very small keys and so are not settled."""
    packed = np.abs(keys)
    packed *= shrink[:, None]
    packed32 = packed.astype(np.uint32)
    packed32 <<= np.uint32(1)
    packed32 |= keys > 0
    packed32.sort(axis=1)
    signs = packed32 & np.uint32(1)
    packed32 >>= np.uint32(1)
    doubtful = (packed32[:, 1:] == packed32[:, :-1]).any(axis=1) | (packed32[:, 0] < _COARSE_FLOOR)
    none = np.zeros(len(keys))
    return (_positions_of(signs), signs.sum(axis=1, dtype=np.float64), none.astype(np.int64), none), doubtful


def _general_sums(keys: FloatArray) -> _Sums:
    """Sum ranks from any keys, by ranking each row."""
    ranks = average_ranks(np.abs(keys))
    positive, zero = keys > 0, keys == 0
    squares = np.where(zero, 0.0, ranks**2).sum(axis=1)
    n_zero = zero.sum(axis=1)
    untied = _sum_of_squares(np.full(len(keys), float(keys.shape[1]))) - _sum_of_squares(n_zero.astype(np.float64))
    cubes = np.rint(12 * (untied - squares))
    return (ranks * positive).sum(axis=1), positive.sum(axis=1).astype(np.float64), n_zero, cubes


def _pvalues(
    table: FloatArray, sums: _RankedPairs, zeros: str, method: str, alternative: str
) -> tuple[FloatArray, str]:
    exact = sums.n_nonzero <= (EXACT_LIMIT if method == "auto" else table.shape[0] if method == "exact" else -1)
    if method == "exact":
        check_exact_size(table.shape[0])
    pvalue = np.empty(exact.size)
    if not exact.all():
        pvalue[~exact] = _normal_pvalues(sums, alternative)[~exact]
    for index in np.flatnonzero(exact & ~sums.tied):
        pvalue[index] = _untied_pvalue(sums, int(index), alternative)
    first, second = pair_indices(table.shape[1])
    for index in np.flatnonzero(exact & sums.tied):
        a, b = table[:, first[index]], table[:, second[index]]
        keys = grid_keys(a - b, np.maximum(np.abs(a), np.abs(b)))
        pvalue[index] = exact_pvalue(rank_sums(keys, zeros), alternative)
    return pvalue, "exact" if exact.all() else "normal" if not exact.any() else "exact or normal"


def _untied_pvalue(sums: _RankedPairs, index: int, alternative: str) -> float:
    offset, m = int(sums.offset[index]), int(sums.n_nonzero[index])
    if m == 0:
        return 1.0
    ranks = np.arange(offset + 1.0, offset + m + 1)
    positive, total = float(sums.positive[index]), float(sums.total[index])
    if alternative == "two-sided":
        return min(1.0, 2 * tail_probability(ranks, min(positive, total - positive)))
    return tail_probability(ranks, total - positive if alternative == "greater" else positive)


def _normal_pvalues(sums: _RankedPairs, alternative: str) -> FloatArray:
    from scipy.special import ndtr

    spread = np.sqrt(np.where(sums.n_nonzero > 0, sums.variance, 1.0))
    z = np.where(sums.n_nonzero > 0, (sums.positive - sums.total / 2) / spread, 0.0)
    if alternative == "two-sided":
        return np.asarray(np.minimum(1.0, 2 * ndtr(-np.abs(z))))
    pvalue = ndtr(-z) if alternative == "greater" else ndtr(z)
    return np.asarray(np.where(sums.n_nonzero > 0, pvalue, 1.0))


def _notes(n: int, n_zero: IntArray) -> tuple[Note, ...]:
    notes = []
    identical = int((n_zero == n).sum())
    if identical:
        plural = "s of models are" if identical != 1 else " of models is"
        notes.append(Note("identical-models", f"{identical} pair{plural} equal on every data set: the p-value is 1."))
    if 0.5 ** (n - 1) > 0.05:
        notes.append(
            warning_note(
                "few-pairs",
                f"with {n} data set{'s' * (n != 1)} no exact signed-rank test can give a two-sided p-value below "
                f"{0.5 ** (n - 1):.3g}, whatever the scores.",
            )
        )
    return tuple(notes)
