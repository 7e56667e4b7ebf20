"""A row of weight k stands for k rows: exactly where nothing is random, on average where rows are drawn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.model_selection import PredefinedSplit
from sklearn.naive_bayes import GaussianNB

from bakeoff import OperatingContext
from bakeoff.learners import (
    CostSensitiveClassifier,
    HullClassifier,
    MetaCostClassifier,
    PriorCorrectedClassifier,
    ThresholdClassifier,
)

COSTS = [[0, 1], [3, 0]]


@pytest.fixture(scope="module")
def data():
    X, y = make_blobs(n_samples=[90, 40], centers=[[0, 0], [1.5, 1]], random_state=1)
    weights = np.random.default_rng(0).integers(0, np.where(y == 1, 7, 3))
    return X, y, weights, np.repeat(np.arange(len(y)), weights)


@pytest.mark.parametrize(
    "model",
    [
        CostSensitiveClassifier(GaussianNB(), cost_matrix=COSTS),
        CostSensitiveClassifier(GaussianNB(), cost_matrix=COSTS, method="reweight"),
        PriorCorrectedClassifier(GaussianNB(), priors=[0.9, 0.1]),
    ],
)
def test_weights_are_repetitions(model, data):
    X, y, weights, rows = data
    weighted = model.fit(X, y, sample_weight=weights).predict_proba(X)
    repeated = model.fit(X[rows], y[rows]).predict_proba(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-8)


@pytest.mark.parametrize("kind", ["threshold", "hull"])
def test_weights_are_repetitions_within_folds(kind, data):
    X, y, weights, rows = data
    fold = np.arange(len(y)) % 4
    context = OperatingContext(cost_fn=3)

    def fitted(cv, *fit_arguments, **weight):
        if kind == "threshold":
            return ThresholdClassifier(GaussianNB(), context=context, cv=cv).fit(*fit_arguments, **weight)
        return HullClassifier([("bayes", GaussianNB())], context=context, cv=cv).fit(*fit_arguments, **weight)

    weighted = fitted(PredefinedSplit(fold), X, y, sample_weight=weights)
    repeated = fitted(PredefinedSplit(fold[rows]), X[rows], y[rows])
    np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-8)


@pytest.mark.parametrize(
    "model",
    [
        CostSensitiveClassifier(GaussianNB(), cost_matrix=COSTS, method="resample"),
        MetaCostClassifier(GaussianNB(), cost_matrix=COSTS, n_estimators=5),
    ],
)
def test_drawn_rows_follow_the_weights_on_average(model, data):
    X, y, weights, rows = data

    def mean_positives(*arguments, **weight):
        fits = (model.set_params(random_state=seed).fit(*arguments, **weight) for seed in range(25))
        called = [float(fit.predict(X).mean()) for fit in fits]
        return np.mean(called), np.std(called) / np.sqrt(len(called))

    weighted, error_a = mean_positives(X, y, sample_weight=weights)
    repeated, error_b = mean_positives(X[rows], y[rows])
    unweighted, _ = mean_positives(X, y)
    assert abs(weighted - repeated) < 4 * np.hypot(error_a, error_b)
    assert abs(weighted - unweighted) > 4 * np.hypot(error_a, error_b)  # else the test could not fail
