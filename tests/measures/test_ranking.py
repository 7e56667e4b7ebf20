"""Measures of scores against scikit-learn, R (pROC) and their definitions, and where they are undefined."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from bakeoff import measures
from bakeoff.counts import Sample
from oracle import assert_case, cases

PEERS = {
    "auc": metrics.roc_auc_score,
    "average_precision": metrics.average_precision_score,
    "partial_auc": lambda t, s, **w: metrics.roc_auc_score(t, s, max_fpr=0.1, **w),
}


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("weighted", [False, True])
def test_against_scikit_learn(name, weighted, rng):
    truth = rng.integers(0, 2, 200)
    score = np.round(np.clip(rng.normal(0.4 + 0.2 * truth, 0.2), 0.01, 0.99), 2)
    extra = {"sample_weight": rng.random(200)} if weighted else {}
    expected = PEERS[name](truth, score, **extra)
    assert measures.get(name)(truth, score, **extra) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("case", cases("precision_recall"), ids=lambda c: c["id"])
def test_average_precision(case):
    got = measures.get("average_precision")(case["input"]["y"], case["input"]["score"])
    assert_case(case, {"average_precision_step": got})


def hand_till_by_pairs(truth, table, weight):
    """The definition: the mean over ordered pairs of classes of one AUC each, rows counted `weight` times."""
    present = [c for c in range(table.shape[1]) if weight[truth == c].sum() > 0]
    areas = []
    for i in present:
        for j in present:
            if i != j:
                rows = np.isin(truth, (i, j)) & (weight > 0)
                areas.append(metrics.roc_auc_score(truth[rows] == i, table[rows, i], sample_weight=weight[rows]))
    return np.mean(areas) if areas else np.nan


@pytest.mark.parametrize("decimals", [1, 8], ids=["ties", "no ties"])
def test_hand_till_of_many_weightings_is_the_mean_over_pairs(rng, decimals):
    truth = np.array([0] * 12 + [1] * 10 + [2] * 8 + [3] * 2)
    table = np.round(rng.dirichlet(np.ones(4), truth.size), decimals)
    weights = rng.multinomial(truth.size, np.full(truth.size, 1 / truth.size), size=40).astype(float)
    weights[0, truth != 1] = 0.0  # one class only: undefined
    weights[1, truth == 3] = 0.0  # a class that is not drawn
    measure = measures.get("hand_till_auc")
    sample = Sample(truth, table, classes=(0, 1, 2, 3))
    found = measure.value(sample, weights)
    assert np.isnan(found[0])
    np.testing.assert_allclose(found[1:], [hand_till_by_pairs(truth, table, w) for w in weights[1:]], rtol=1e-12)


@pytest.mark.parametrize("decimals", [1, 8], ids=["ties", "no ties"])
def test_hand_till_knows_what_a_row_moves(rng, decimals):
    """A row seen, and a row of any class at any place, against adding a little of it; an absent class moves nothing."""
    n, k = 50, 5
    truth = rng.choice([0, 1, 2, 3], n, p=[0.4, 0.3, 0.2, 0.1])
    table, weight = np.round(rng.dirichlet(np.ones(k), n), decimals), rng.random(n) + 0.5
    measure, little = measures.get("hand_till_auc"), 1e-6
    moves = measure.gradient(Sample(truth, table), weight)
    (before,) = measure.value(Sample(truth, table), weight[None])
    for place, label in ((0, 0), (1, 3), (2, 1), (3, truth[3])):
        more = Sample(np.append(truth, label), np.vstack([table, table[place]]))
        (after,) = measure.value(more, np.append(weight, little)[None])
        assert (after - before) / little == pytest.approx(moves[place, label], abs=1e-5)
    assert not moves[:, 4].any()
    assert weight @ moves[np.arange(n), truth] == pytest.approx(0, abs=1e-12)


def test_hand_till_of_plain_rows_is_scikit_learns(rng):
    truth, table = rng.integers(0, 3, 200), rng.dirichlet(np.ones(3), 200)
    expected = metrics.roc_auc_score(truth, table, multi_class="ovo", average="macro")
    assert measures.get("hand_till_auc")(truth, table, labels=[0, 1, 2]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", ["auc", "average_precision", "h_measure"])
def test_one_class_leaves_a_ranking_undefined(name):
    assert np.isnan(measures.get(name)([0, 0, 0], [0.2, 0.8, 0.5], labels=[0, 1]))
