"""Laws of the two paths of the rank tests: the same numbers from C as from NumPy, whatever the scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bakeoff.stats import _kernels
from bakeoff.stats.ranks import _pair_sums, _rank_kernels, _walsh

pytestmark = pytest.mark.skipif(_kernels._native is None, reason="no extension was built")

FLOATS = st.floats(-1e6, 1e6, allow_nan=False, allow_subnormal=False)
FEW_VALUES = st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.30000000000000004, 0.7, -0.1, 1 / 3, 2 / 3, 1e-9, 1e8, 5.0])
DECIMALS = st.integers(-2000, 2000).map(lambda whole: whole / 1000)
KINDS = st.sampled_from([FLOATS, FEW_VALUES, DECIMALS, st.one_of(FLOATS, FEW_VALUES, DECIMALS)])


@st.composite
def scores(draw: st.DrawFn, most_rows: int, columns: int) -> np.ndarray:
    n = draw(st.integers(1, most_rows))
    return draw(arrays(np.float64, (n, columns), elements=draw(KINDS)))


@settings(max_examples=150, deadline=None)
@given(scores(60, 3))
def test_rank_sums(table: np.ndarray) -> None:
    expected = _pair_sums.pair_sums_numpy(table)
    short = _pair_sums.integer_grid(table)
    for ours, other in zip(_rank_kernels.pair_sums(table if short is None else short, 1), expected, strict=True):
        assert np.array_equal(ours, other)


@settings(max_examples=150, deadline=None)
@given(scores(60, 1), st.lists(st.floats(0, 1), min_size=1, max_size=4))
def test_walsh_averages(table: np.ndarray, shares: list[float]) -> None:
    row = table[:, 0]
    first, second = np.triu_indices(row.size)
    averages = np.sort((row[first] + row[second]) / 2)
    positions = [int(share * (averages.size - 1)) for share in shares]
    expected = averages[positions]
    assert np.array_equal(_rank_kernels.walsh_rows(row[None, :], positions, 1)[0], expected)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_walsh, "_DIRECT_LIMIT", 1)
        assert np.array_equal(_walsh.walsh_rows_numpy(row[None, :], positions)[0], expected)
