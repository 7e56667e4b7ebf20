"""Measures of values against scikit-learn and R (Metrics), and where they are undefined."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from bakeoff import measures
from bakeoff.counts import Sample
from oracle import assert_case, cases, worked_examples

PEERS = {
    "mse": metrics.mean_squared_error,
    "rmse": metrics.root_mean_squared_error,
    "mae": metrics.mean_absolute_error,
    "median_absolute_error": metrics.median_absolute_error,
    "mape": metrics.mean_absolute_percentage_error,
    "r2": metrics.r2_score,
}


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("weighted", [False, True])
def test_against_scikit_learn(name, weighted, rng):
    truth = rng.normal(1e3, 1, 151)
    value = truth + rng.normal(0, 0.3, 151)
    extra = {"sample_weight": rng.integers(1, 4, 151)} if weighted else {}
    if name == "median_absolute_error" and weighted:
        expected = np.median(np.repeat(np.abs(value - truth), extra["sample_weight"]))  # weights are replication
    else:
        expected = PEERS[name](truth, value, **extra)
    assert measures.get(name)(truth, value, **extra) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("case", cases("regression_measures"), ids=lambda c: c["id"])
def test_regression_measures(case):
    truth, value = case["input"]["y"], case["input"]["pred"]
    names = {
        "mae": "mae", "mse": "mse", "rmse": "rmse", "medae": "median_absolute_error", "mape": "mape",
        "rae": "relative_absolute_error", "rse": "relative_squared_error", "rrse": "root_relative_squared_error",
        "r2_1_minus_sse_sst": "r2",
    }  # fmt: skip
    assert_case(case, {key: measures.get(name)(truth, value) for key, name in names.items()})


def test_relative_errors_are_ratios_of_sums():
    example = worked_examples("roc_cost")["regression_relative"]
    for key, name in {
        "rse": "relative_squared_error",
        "rae": "relative_absolute_error",
        "mse": "mse",
        "mae": "mae",
    }.items():
        assert measures.get(name)(example["actual"], example["pred"]) == pytest.approx(example[key], rel=1e-9)


@pytest.mark.parametrize("name", ["median_absolute_error", "relative_absolute_error"])
def test_errors_of_many_weightings_are_those_of_repeated_rows(rng, name):
    truth, output = rng.normal(size=30), rng.normal(size=30)
    weights = rng.multinomial(30, np.full(30, 1 / 30), size=25).astype(float)
    measure = measures.get(name)
    repeated = [np.repeat(np.arange(30), w.astype(int)) for w in weights]
    expected = [measure(truth[r], output[r]) for r in repeated]
    np.testing.assert_allclose(measure.value(Sample(truth, output), weights), expected, rtol=1e-12)


def test_median_of_even_and_odd_numbers_of_rows(rng):
    for n in (1, 2, 7, 8):
        truth, output = rng.normal(size=n), rng.normal(size=n)
        expected = metrics.median_absolute_error(truth, output)
        assert measures.get("median_absolute_error")(truth, output) == pytest.approx(expected, rel=1e-14)


def test_constant_truth_has_no_r2():
    assert np.isnan(measures.get("r2")([3.0, 3.0, 3.0], [3.0, 2.0, 4.0]))


def test_mape_with_zero_truth_is_infinite_unless_predicted_exactly():
    mape = measures.get("mape")
    assert mape([0.0, 2.0], [0.0, 1.0]) == 0.25
    assert np.isinf(mape([0.0, 2.0], [0.1, 1.0]))
