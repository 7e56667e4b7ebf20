"""Scores in order, and counted at each distinct score."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff.stats.roc import code_order, sorted_order


@pytest.mark.parametrize(
    "score",
    [
        np.array([3.0]),
        np.array([0.0, -0.0, np.inf, -np.inf, -1.5, 1e-300, -1e-300]),
        1.0 + np.arange(5000)[::-1] * 2.0**-52,  # differ in the last bits only
        np.random.default_rng(0).normal(size=70_000),
        np.random.default_rng(0).normal(size=3000).round(1),
    ],
    ids=["one", "signs and infinities", "last bits", "many", "ties"],
)
def test_rows_are_put_in_order_of_their_scores(score: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    for widest in (24, 0):
        monkeypatch.setattr("bakeoff.stats.roc._tally._WIDEST", widest)
        order, ranked = sorted_order(score)
        assert np.array_equal(np.sort(order), np.arange(score.size))
        assert np.array_equal(ranked, score[order])
        assert np.array_equal(ranked, np.sort(score))


@pytest.mark.parametrize("most", [1, 200, 2**16 - 1, 2**16, 2**33])
def test_codes_sorted_by_counting_are_a_stable_sort(most: int, rng: np.random.Generator) -> None:
    code = rng.integers(0, most, 5000, endpoint=True)
    code[:3] = most, 0, most
    assert (code_order(code) == np.argsort(code, kind="stable")).all()
    assert code_order(code[:0]).size == 0
