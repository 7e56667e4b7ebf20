"""Limits that hold for all pairs at once are given with those that hold one at a time."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff import Predictions, Scores
from bakeoff.stats import dunnett, mcnemar, tukey


@pytest.fixture
def table() -> np.ndarray:
    rng = np.random.default_rng(5)
    return rng.normal(0.8, 0.05, (12, 1)) + rng.normal(0, 0.02, (12, 4)) + [0, 0.01, 0.02, 0.05]


def _scores(table: np.ndarray) -> Scores:
    return Scores.from_wide(table, models=list("abcd"), measure="accuracy")


def test_bonferroni_intervals_are_the_test_s_own_at_a_higher_level() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 300)
    labels = {m: np.where(rng.random(300) < rate, truth, 1 - truth) for m, rate in (("a", 0.7), ("b", 0.8), ("c", 0.9))}
    result = bakeoff.compare(Predictions.from_arrays(truth, y_pred=labels), "accuracy", confidence_level=0.9)
    pair = result.pair("a", "c")
    alone = mcnemar(labels["a"] == truth, labels["c"] == truth).confidence_interval(0.9)
    together = mcnemar(labels["a"] == truth, labels["c"] == truth).confidence_interval(1 - 0.1 / 3)
    assert (pair.low, pair.high) == pytest.approx((alone.low, alone.high))
    assert (pair.simultaneous_low, pair.simultaneous_high) == pytest.approx((together.low, together.high))
    back = result.pair("c", "a")
    assert (back.simultaneous_low, back.simultaneous_high) == (-pair.simultaneous_high, -pair.simultaneous_low)
    note = next(n for n in result.notes if n.code == "intervals-simultaneous")
    assert "all 3 pairs" in note.message
    assert "96.67 %" in note.message


def test_tukey_and_dunnett_bring_their_own(table: np.ndarray) -> None:
    frame = bakeoff.compare(_scores(table), test="anova").to_frame()
    expected = tukey(table)
    assert frame["simultaneous_low"].to_numpy() == pytest.approx(expected.low)
    assert frame["simultaneous_high"].to_numpy() == pytest.approx(expected.high)
    against = bakeoff.compare(_scores(table), test="anova", posthoc="dunnett", control="b")
    assert [p.simultaneous_low for p in against.pairs] == pytest.approx(list(dunnett(table, 1).low))
    assert any("Dunnett's distribution" in n.message for n in against.notes)


def test_one_pair_has_one_interval(table: np.ndarray) -> None:
    result = bakeoff.compare(_scores(table).select(models=["a", "d"]))
    (pair,) = result.pairs
    assert (pair.simultaneous_low, pair.simultaneous_high) == (pair.low, pair.high)
    assert not any(n.code.startswith("intervals-") for n in result.notes)


@pytest.mark.slow
def test_all_pairs_are_covered_at_once() -> None:
    """Three equal models over 20 data sets: in at least 95 % of the tables no simultaneous interval misses zero."""
    rng = np.random.default_rng(8)
    missed = 0
    for _ in range(300):
        pairs = bakeoff.compare(_scores(rng.normal(0, 1, (20, 4)))).pairs
        missed += any(p.simultaneous_low > 0 or p.simultaneous_high < 0 for p in pairs)
    assert missed <= 300 * 0.05 + 2.6 * (300 * 0.05 * 0.95) ** 0.5
