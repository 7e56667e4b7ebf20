"""DeLong one column at a time is DeLong of the table."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import Predictions, compare
from bakeoff.stats import delong_many, delong_test
from bakeoff.stats.roc._delong_many import delong_columns


@pytest.fixture
def table(rng):
    y = rng.random(400) < 0.3
    scores = rng.normal(size=(400, 4)) + y[:, None] * [0.5, 1.0, 1.0, 2.0]
    scores[:, 1] = np.round(scores[:, 1])  # ties
    return y, scores


def test_pairs_and_the_test_of_all_agree_with_the_table(table):
    y, scores = table
    every = delong_columns(y, scores.T)
    oracle = delong_many(y, scores, groups=np.arange(y.size))  # rows as clusters of one: Obuchowski's sums
    np.testing.assert_allclose(every.aucs, oracle.aucs, rtol=1e-14)
    np.testing.assert_allclose(every.covariance, oracle.covariance, rtol=1e-9)
    assert every.homogeneity().pvalue == pytest.approx(oracle.pvalue, rel=1e-9)
    for a, b in ((0, 1), (1, 3), (2, 0)):
        mine, theirs = every.pair(a, b, "greater"), delong_test(y, scores[:, a], scores[:, b], alternative="greater")
        assert (mine.estimate, mine.pvalue) == pytest.approx((theirs.estimate, theirs.pvalue), rel=1e-9)
        assert mine.confidence_interval(0.9).low == pytest.approx(theirs.confidence_interval(0.9).low, rel=1e-9)


def test_blocks_do_not_change_the_answer(table, monkeypatch):
    y, scores = np.tile(table[0], 20), np.tile(table[1], (20, 1))
    whole = delong_columns(y, scores.T)
    monkeypatch.setattr("bakeoff.stats.roc._delong._BLOCK", 7)
    np.testing.assert_allclose(delong_columns(y, scores.T).covariance, whole.covariance, rtol=1e-12)


def test_compare_gives_the_same_either_way(table, monkeypatch):
    y, scores = table
    predictions = Predictions.from_arrays(y.astype(int), y_score={f"m{i}": scores[:, i] for i in range(4)})
    as_table = compare(predictions, "auc", rng=0).to_frame()
    monkeypatch.setattr("bakeoff.comparison.tests.areas._TABLE_CELLS", 0)
    by_column = compare(predictions, "auc", rng=0).to_frame()
    assert as_table["method"].tolist() == by_column["method"].tolist()
    for name in ("estimate", "low", "high", "pvalue", "pvalue_adjusted", "effect_size"):
        np.testing.assert_allclose(as_table[name], by_column[name], rtol=1e-9)
