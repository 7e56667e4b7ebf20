"""What the kernels are handed: the law of a draw, values as whole words, and the rows of a ranking in order."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.stats.roc._tally import sorted_order

LANES = 64
AHEAD = 64  # the C passes look this far ahead for lines to fetch from memory, so their units are padded
MAX_COUNT = 31  # a unit drawn 32 times or more has probability below 1e-35; the kernels' sums rely on this cap
N_CUTS = 5  # bytes coding 0 … 4 and the residual; a Poisson(λ ≤ 1) count of 5 has no byte of its own
N_RESIDUAL = 24  # P(count > 24) < 2⁻⁶⁴
SMALLEST_CODED = 64  # smaller strata are drawn unit by unit
DROP_RATE = 0.0228  # chance that a lane is dropped: one-sided 2 sigma, shared among the strata


@dataclass(frozen=True)
class CountPlan:
    """Strata and their coded Poisson laws, ready for either kernel path.

    Attributes
    ----------
    starts
        First unit of each stratum and the total, ``[S + 1]``.
    law
        Index of each stratum's law, −1 where units are drawn one by one, ``[S]``.
    cuts
        Byte cut-offs, ``[laws, 5]``: a signed random byte above ``cuts[k]`` has a count of at least k + 1; above the
        last it is residual.
    residual
        64-bit cut-offs of the residual law, ``[laws, 24]``.
    """

    starts: NDArray[np.int64]
    law: NDArray[np.int64]
    cuts: NDArray[np.int8]
    residual: NDArray[np.uint64]

    @property
    def n_units(self) -> int:
        """Number of units over all strata."""
        return int(self.starts[-1])

    @cached_property
    def guide(self) -> NDArray[np.uint8]:
        """Residual count by the first byte of a 64-bit word, 255 where more of the word is needed, ``[laws, 256]``."""
        first = np.arange(256, dtype=np.uint64) << np.uint64(56)
        last = first | np.uint64(2**56 - 1)
        low, high = (
            np.stack([np.searchsorted(cuts, w, side="right") for cuts in self.residual]) for w in (first, last)
        )
        return np.where(low == high, low, 255).astype(np.uint8)


def count_plan(sizes: NDArray[np.int64]) -> CountPlan:
    """Plan the draw of `sizes[s]` units with replacement within each stratum s."""
    return _planned(sizes.astype(np.int64).tobytes())


@lru_cache(maxsize=4)  # every measure of the same rows draws by the same plan
def _planned(wanted: bytes) -> CountPlan:
    from statistics import NormalDist

    sizes = np.frombuffer(wanted, dtype=np.int64)
    coded = sizes >= SMALLEST_CODED
    z = -NormalDist().inv_cdf(DROP_RATE / max(int(coded.sum()), 1))
    distinct, index = np.unique(sizes[coded], return_inverse=True)
    laws = [poisson_code(1.0 - z / math.sqrt(size)) for size in distinct.tolist()] or [poisson_code(1.0)]
    law = np.full(sizes.size, -1, dtype=np.int64)
    law[coded] = index
    return CountPlan(
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        law=law,
        cuts=np.array([cuts for cuts, _ in laws], dtype=np.int8),
        residual=np.array([residual for _, residual in laws], dtype=np.uint64),
    )


@lru_cache(maxsize=4096)
def poisson_code(rate: float) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the byte cut-offs and the residual's 64-bit cut-offs of Poisson(rate), rate in [0, 1]."""
    from decimal import Decimal, localcontext

    rate = max(rate, 0.0)
    with localcontext() as context:
        context.prec = 60
        probability = [(-Decimal(rate)).exp()]
        for k in range(1, N_RESIDUAL + 1):
            probability.append(probability[-1] * Decimal(rate) / k)
        whole = [int(256 * p) for p in probability]
        left = 256 - sum(whole)
        rest = [256 * p - q for p, q in zip(probability, whole, strict=True)]
        below = [sum(rest[: k + 1]) / left if left else Decimal(1) for k in range(N_RESIDUAL)]
        residual = tuple(min(int(b * 2**64), 2**64 - 1) for b in below)
    cuts = tuple(sum(whole[: k + 1]) - 129 for k in range(N_CUTS))  # signed byte r > cut  <=>  r + 128 >= codes so far
    return cuts, residual


BITS = 24
MOST_WORDS = 4
_CHUNK = 1 << 13
_SPARE = 8  # bits: most values lie within 2⁻⁸ of the largest, or another word is added


@dataclass(frozen=True)
class WordColumns:
    """Columns in whole numbers.

    Attributes
    ----------
    words
        Numbers below 2²⁴, ``[units, W·k]``: the first words of all columns, then their second words.
    exponent
        Power of two that the first word of each column is a multiple of, ``[k]``.
    offset
        What was subtracted from each column to make it non-negative, ``[k]``.
    """

    words: NDArray[np.uint32]
    exponent: NDArray[np.int64]
    offset: FloatArray

    def sums(self, totals: FloatArray) -> FloatArray:
        """Put sums of words ``[B, W·k]`` over as many units as there are together: sums of the columns, ``[B, k]``."""
        parts = np.split(totals, totals.shape[1] // self.offset.size, axis=1)
        sums = parts[-1]
        for part in parts[-2::-1]:
            sums = part + sums * 2.0**-BITS
        return np.asarray(np.ldexp(sums, self.exponent) + self.words.shape[0] * self.offset)


def word_columns(columns: FloatArray) -> WordColumns:
    """Cut finite columns ``[units, k]`` in words."""
    scaled = [_Scaled.of(np.ascontiguousarray(column)) for column in columns.T]
    n_words = max(column.n_words() for column in scaled)
    words = np.empty((columns.shape[0], n_words * len(scaled)), dtype=np.uint32)
    for c, column in enumerate(scaled):
        column.cut(words[:, c :: len(scaled)])
    return WordColumns(words, np.array([c.exponent for c in scaled]), np.array([c.offset for c in scaled]))


@dataclass(frozen=True)
class _Scaled:
    """A column, and how to make it non-negative numbers below 2²⁴: ``(column − offset) / 2^exponent``."""

    column: FloatArray
    offset: float
    exponent: int

    @classmethod
    def of(cls, column: FloatArray) -> _Scaled:
        low, high = float(column.min()), float(column.max())
        offset = min(low, 0.0)
        # In halves, for a difference must not overflow.
        return cls(column, offset, int(np.frexp(0.5 * high - 0.5 * offset)[1]) + 1 - BITS)

    def chunks(self) -> Iterator[tuple[slice, FloatArray]]:
        """Yield the scaled numbers, some thousand at a time so that several passes over them stay in the cache."""
        half = self.exponent // 2  # in two steps: 2^exponent itself may lie outside the range of floats
        first, second = float(np.ldexp(1.0, -half)), float(np.ldexp(1.0, half - self.exponent))
        for start in range(0, self.column.size, _CHUNK):
            part = slice(start, start + _CHUNK)
            numbers = self.column[part] * first
            if self.offset:
                numbers -= self.offset * first
            numbers *= second
            yield part, numbers

    def n_words(self) -> int:
        """Count the words that leave nothing out, or only what is far below most values."""
        exact, tiny = 1, np.zeros(MOST_WORDS + 1, dtype=np.int64)
        for _, numbers in self.chunks():
            for n in range(2, MOST_WORDS):
                tiny[n] += np.count_nonzero((numbers > 0) & (numbers < 2.0 ** (BITS * (3 - n) - _SPARE)))
                if not tiny[n]:
                    break
            while exact < MOST_WORDS and not _whole(numbers * 2.0 ** (BITS * (exact - 1))):
                exact += 1
        enough = next(n for n in range(2, MOST_WORDS + 1) if 2 * tiny[n] <= self.column.size)
        return min(exact, enough)

    def cut(self, words: NDArray[np.uint32]) -> None:
        """Fill in the words ``[n, W]``, the last one rounded."""
        for part, rest in self.chunks():
            for w in range(words.shape[1] - 1):
                whole = np.floor(rest)
                words[part, w] = whole
                rest -= whole
                rest *= 2.0**BITS
            words[part, -1] = np.minimum(np.rint(rest), 2.0**BITS - 1)


def _whole(numbers: FloatArray) -> bool:
    return bool((np.floor(numbers[:64]) == numbers[:64]).all() and (np.floor(numbers) == numbers).all())


def padded(units: NDArray[np.integer]) -> NDArray[np.int32]:
    """Units with as many zeros behind them as the C passes look ahead."""
    out = np.zeros(units.size + AHEAD, dtype=np.int32)
    out[: units.size] = units
    return out


Ranking = tuple[IntArray, FloatArray]

RUN = 16  # rows per run of the AUC pass: 8 positives × 8 negatives × 31² < 2¹⁶, so 16-bit sums cannot overflow


@dataclass(frozen=True)
class RankLayout:
    """Rows in ascending order of score, negatives first among equals.

    Attributes
    ----------
    units
        Unit of each row in that order, ``[n]``.
    positive
        Class of each row in that order, 0 or 1, ``[n]``.
    ties
        Start, first positive and end of every score that both classes share, ``[ties, 3]``.
    n_units
        Number of units, which is also the number of the table's line of zeros.
    """

    units: NDArray[np.int32]
    positive: NDArray[np.uint8]
    ties: IntArray
    n_units: int

    @cached_property
    def steps(self) -> tuple[IntArray, IntArray]:
        """Units of the positives and of the negatives, 16 rows to a column, other places on the line of zeros."""
        columns = -(-self.units.size // RUN)
        sides = []
        for side in (1, 0):
            padded = np.full(columns * RUN, self.n_units, dtype=np.int64)
            padded[: self.units.size][self.positive == side] = self.units[self.positive == side]
            sides.append(np.ascontiguousarray(padded.reshape(columns, RUN).T))
        return sides[0], sides[1]


def rank_layout(
    positive: BoolArray, score: FloatArray, unit: IntArray, n_units: int, ranking: Ranking | None = None
) -> RankLayout:
    """Sort a model's rows by score (or take its `sorted_order`): O(n log n), and then never again."""
    order, ranked = sorted_order(score) if ranking is None else ranking
    is_positive = positive[order]
    same = ranked[1:] == ranked[:-1]
    if same.any():
        order, is_positive = _negatives_first(order, is_positive, same)
        ties = _mixed_ties(np.flatnonzero(np.concatenate([[True], ~same])), is_positive)
    else:
        ties = np.empty((0, 3), dtype=np.int64)
    return RankLayout(unit[order].astype(np.int32), is_positive.astype(np.uint8), ties, n_units)


def _negatives_first(order: IntArray, is_positive: BoolArray, same: BoolArray) -> tuple[IntArray, BoolArray]:
    """Put the negatives of every tie before its positives."""
    tied = np.concatenate([same, [False]]) | np.concatenate([[False], same])
    places = np.flatnonzero(tied)
    group = np.cumsum(np.concatenate([[True], ~same]))[places]
    by = np.argsort(2 * group + is_positive[places], kind="stable")
    order, is_positive = order.copy(), is_positive.copy()
    order[places], is_positive[places] = order[places[by]], is_positive[places[by]]
    return order, is_positive


def _mixed_ties(start: IntArray, is_positive: BoolArray) -> IntArray:
    """Find the runs of equal scores that hold both classes: start, first positive, end."""
    end = np.append(start[1:], is_positive.size)
    n_positive = np.add.reduceat(is_positive.astype(np.int64), start)
    mixed = (n_positive > 0) & (n_positive < end - start)
    return np.stack([start, end - n_positive, end], axis=1)[mixed]
