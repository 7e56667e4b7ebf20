"""Columns of floats as whole numbers: what is exact, what is rounded and by how much."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from bakeoff.stats._kernels import LANES, WordColumns, count_plan, count_table, sum_blocks, word_columns

RNG = np.random.default_rng(20261116)
COLUMNS = {
    "losses": RNG.exponential(size=500),
    "both signs": RNG.normal(size=500),
    "counts": RNG.integers(0, 1000, 500).astype(float),
    "constant": np.full(500, 0.1),
    "zeros": np.zeros(500),
    "one large": np.where(np.arange(500) == 7, 30.0, 1e-12 * RNG.random(500)),
    "near the largest float": np.where(np.arange(500) % 2 == 0, 1.7e308, -1.7e308),
    "near the smallest float": 5e-324 * RNG.integers(0, 9, 500),
    "far apart": 10.0 ** -RNG.integers(0, 300, 500),
}


def exact_values(columns: WordColumns) -> list[Fraction]:
    """What the words of the first column stand for, as fractions."""
    k = columns.offset.size
    scale = Fraction(2) ** int(columns.exponent[0])
    return [
        Fraction(float(columns.offset[0]))
        + scale * sum(Fraction(int(word), 2 ** (24 * w)) for w, word in enumerate(line[::k]))
        for line in columns.words
    ]


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS.keys())
def test_words_stand_for_the_column(column: np.ndarray) -> None:
    words = word_columns(column[:, None])
    assert words.words.max() < 2**24
    most = float(np.abs(column).max())
    span = Fraction(float(column.max())) - min(Fraction(float(column.min())), 0)
    for value, stored in zip(column, exact_values(words), strict=True):
        # Rounded to 48 bits below the range; taking an offset off a float may cost its last bit.
        assert abs(stored - Fraction(float(value))) <= span / 2**48 + Fraction(most) / 2**52


def test_whole_numbers_take_one_word_and_tiny_values_more() -> None:
    assert word_columns(COLUMNS["counts"][:, None]).words.shape[1] == 1
    assert word_columns(COLUMNS["losses"][:, None]).words.shape[1] == 2
    assert word_columns(COLUMNS["one large"][:, None]).words.shape[1] == 4


def test_small_values_beside_a_large_one_keep_their_digits() -> None:
    """Replicates that miss the one large value must not be rounded relative to it."""
    column = COLUMNS["one large"]
    stored = exact_values(word_columns(column[:, None]))
    small = np.arange(500) != 7
    relative = [abs(float(s / Fraction(float(v)) - 1)) for s, v in zip(stored, column, strict=True) if v > 0]
    assert np.median(np.array(relative)[small]) < 1e-14


@pytest.mark.parametrize("column", [COLUMNS["losses"], COLUMNS["both signs"], COLUMNS["one large"]])
def test_sums_are_those_of_the_counts(column: np.ndarray) -> None:
    plan = count_plan(np.array([column.size]))
    columns = np.stack([column, column[::-1]], axis=1)
    sums, kept = sum_blocks(plan, 5, 0, 1, word_columns(columns))
    table, same = count_table(plan, 5, 0)
    assert sums.shape == (LANES, 2)
    assert np.array_equal(kept, same)
    expected = table[:-1].T.astype(float) @ columns
    np.testing.assert_allclose(sums[kept], expected[kept], rtol=1e-12, atol=1e-13 * np.abs(column).sum())


def test_whole_sums_are_exact() -> None:
    plan = count_plan(np.array([400, 101]))
    values = np.random.default_rng(3).integers(-1000, 2**30, (501, 3)).astype(float)
    sums, kept = sum_blocks(plan, 5, 0, 2, word_columns(values))
    table, _ = count_table(plan, 5, 1)
    expected = table[:-1].T.astype(float) @ values
    assert np.array_equal(sums[LANES:][kept[LANES:]], expected[kept[LANES:]])
