"""Columns of floats as columns of whole numbers, whose sums are exact in any order.

A column is cut in *words* of 24 bits below its largest value, the first word the most significant. A replicate's sum of
a word is a whole number below 2⁵³, exact on either kernel path, in bytes as in floats; so are the sums of columns, put
together at the end, bit for bit the same on both.

Two words, 48 bits, round a value by at most 2⁻⁴⁸ of the range, and replicates by less than adding floats one by
one does. Columns in which most values are tiny beside the largest get more words, whole numbers as few as they need.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

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
