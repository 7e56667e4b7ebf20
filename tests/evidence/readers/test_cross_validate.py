"""What scikit-learn's `cross_validate` returned."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB

from bakeoff import EvidenceError, run
from bakeoff.evidence.readers import read_cross_validate


def data(n=60, classes=2):
    y = np.arange(n) % classes
    return np.random.default_rng(0).normal(size=(n, 3)) + y[:, None], y


def test_cross_validate_gives_the_predictions_of_a_run():
    X, y = data()
    cv = list(StratifiedKFold(4, shuffle=True, random_state=0).split(X, y))
    keep = {"return_estimator": True, "return_indices": True, "cv": cv}
    results = {
        "nb": cross_validate(GaussianNB(), X, y, **keep),
        "line": cross_validate(LogisticRegression(), X, y, **keep),
    }
    theirs = read_cross_validate(results, X, y).table()
    ours = run({"nb": GaussianNB(), "line": LogisticRegression()}, (X, y), cv).predictions().table()
    for model in results:
        for index in range(4):
            mine = ours.instance[ours.split_index == index]
            assert np.array_equal(np.sort(mine), np.sort(theirs.instance[theirs.split_index == index]))
        order_a, order_b = np.argsort(theirs.instance), np.argsort(ours.instance)
        assert np.array_equal(theirs.scores(model)[order_a], ours.scores(model)[order_b])
    assert theirs.splits[0].n_train == 45
    with pytest.raises(EvidenceError, match="return_estimator=True and return_indices=True"):
        read_cross_validate({"nb": cross_validate(GaussianNB(), X, y)}, X, y)
    other = cross_validate(LogisticRegression(), X, y, cv=4, return_estimator=True, return_indices=True)
    with pytest.raises(EvidenceError, match="'line' was validated on other splits"):
        read_cross_validate({"nb": results["nb"], "line": other}, X, y)


def test_cross_validate_of_regressors_and_several_classes():
    X, y = data(90, classes=3)
    keep = {"return_estimator": True, "return_indices": True, "cv": 3}
    rows = read_cross_validate({"line": cross_validate(LinearRegression(), X, X[:, 0] + 0.5, **keep)}, X, X[:, 0] + 0.5)
    assert rows.table().task == "regression"
    many = read_cross_validate({"nb": cross_validate(GaussianNB(), X, y, **keep)}, X, y).table()
    assert many.probabilities("nb").shape == (90, 3)


def test_features_and_truth_must_have_the_same_rows():
    X, y = data()
    kept = cross_validate(GaussianNB(), X, y, return_estimator=True, return_indices=True)
    with pytest.raises(EvidenceError, match=r"data set 'data': X must have as many rows as y \(60\). Got 59"):
        read_cross_validate({"nb": kept}, X[:-1], y)
