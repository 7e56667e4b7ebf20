"""Scores in order, and counted at each distinct score."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff.stats.roc import sorted_order


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
