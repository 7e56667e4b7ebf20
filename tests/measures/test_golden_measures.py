"""Measures against R (caret, vcd, pROC, Metrics), formulas and scikit-learn: tests/golden."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import measures
from bakeoff.counts import Cells, Counted
from bakeoff.evidence import Units
from oracle import assert_case, cases, worked_examples


@pytest.mark.parametrize("case", cases("confusion_metrics"), ids=lambda c: c["id"])
def test_confusion_measures_equal_caret(case):
    given = case["input"]
    truth, called, labels = given["y_true"], given["y_pred"], given["labels"]
    positives = [given["positive"]] if given["positive"] is not None else labels

    def value(name, positive=None):
        return measures.get(name)(truth, called, labels=labels, pos_label=positive)

    got = {name: value(name) for name in ("accuracy", "kappa", "mcc")}
    for key, name in {
        "sensitivity": "recall",
        "specificity": "specificity",
        "precision": "precision",
        "npv": "npv",
        "f1": "f1",
    }.items():
        got[key] = [value(name, p) for p in positives]
    halves = [(value("recall", p) + value("specificity", p)) / 2 for p in positives]
    got["balanced_accuracy"] = halves
    assert_case(case, got)


@pytest.mark.parametrize("case", cases("confusion_metrics"), ids=lambda c: c["id"])
def test_one_against_the_rest_agrees_with_the_binary_balanced_accuracy(case):
    given = case["input"]
    if given["positive"] is None:
        return
    got = measures.get("balanced_accuracy")(given["y_true"], given["y_pred"], labels=given["labels"])
    assert_case(case, {"balanced_accuracy": [got]})


def delta_error(measure, table):
    """Standard error by the delta method, from influence values of a table of counts."""
    filled = np.flatnonzero(table)
    cells = Cells(filled[:, None], len(table), None)
    units = Units.of(filled.size, frequency=table.ravel()[filled].astype(np.int64))
    influence = Counted(cells, units).influence(measure)
    return float(np.sqrt((units.n - 1) / units.n) * influence.standard_error()[0])


@pytest.mark.parametrize("case", cases("cohen_kappa"), ids=lambda c: c["id"])
def test_kappa_and_its_asymptotic_error_equal_vcd(case):
    table = np.array(case["input"]["table"], dtype=float)
    for name, error in (("kappa", "ase"), ("kappa_linear", "ase_linear"), ("kappa_quadratic", "ase_quadratic")):
        measure = measures.get(name)
        assert_case(case, {name: float(measure.value(table, None))})
        assert delta_error(measure, table) == pytest.approx(case["expected"][error], rel=1e-8)


def test_kappa_of_the_lecture():
    example = worked_examples("roc_cost")["seed_kappa_3class"]
    kappa = float(measures.get("kappa").value(np.array(example["matrix"]), None))
    assert kappa == pytest.approx(example["recomputed"]["kappa"], abs=1e-9)
    assert round(kappa, 2) == example["published"]["kappa"] == 0.94


@pytest.mark.parametrize("case", cases("probability_scores"), ids=lambda c: c["id"])
def test_probability_measures(case):
    truth, chance = case["input"]["y"], case["input"]["p"]
    names = {"brier": "brier", "log_loss": "log_loss", "ece_10_equal_width": "calibration_error", "auc": "auc"}
    assert_case(case, {key: measures.get(name)(truth, chance) for key, name in names.items()})


@pytest.mark.parametrize("case", cases("probability_scores_edges"), ids=lambda c: c["id"])
def test_probability_measures_on_the_edges(case):
    truth, chance = case["input"]["y"], case["input"]["p"]
    names = {"brier": "brier", "log_loss_clip_eps64": "log_loss", "ece_right_closed": "calibration_error"}
    assert_case(case, {key: measures.get(name)(truth, chance) for key, name in names.items()})


@pytest.mark.parametrize("case", cases("multiclass_auc"), ids=lambda c: c["id"])
def test_multiclass_probability_measures(case):
    truth, table = case["input"]["y_1based"], case["input"]["P"]
    names = {"hand_till_M": "hand_till_auc", "log_loss": "log_loss", "brier_sum": "brier"}
    assert_case(case, {key: measures.get(name)(truth, table) for key, name in names.items()})
    called = np.array(table).argmax(axis=1) + 1
    assert_case(case, {"accuracy": measures.get("accuracy")(truth, called)})


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


@pytest.mark.parametrize("case", cases("precision_recall"), ids=lambda c: c["id"])
def test_average_precision(case):
    got = measures.get("average_precision")(case["input"]["y"], case["input"]["score"])
    assert_case(case, {"average_precision_step": got})


def test_cost_of_the_cancer_classifiers_of_the_lecture():
    example = worked_examples("roc_cost")["seed004_cancer"]
    cost = measures.expected_cost([[0, 10], [10_000, 0]])
    tables = {"A": [[60, 40], [10, 90]], "B": [[90, 10], [40, 60]]}
    for name, table in tables.items():
        assert float(cost.value(np.array(table, float), 1)) == pytest.approx(example["mean_cost"][name])
    at_one_percent = measures.expected_cost([[0, 10], [10_000, 0]], priors=[0.99, 0.01])
    values = {name: float(at_one_percent.value(np.array(t, float), 1)) for name, t in tables.items()}
    assert values == pytest.approx({"A": 13.96, "B": 40.99})
    always_positive = float(at_one_percent.value(np.array([[0.0, 100], [0, 100]]), 1))
    assert always_positive == pytest.approx(9.90)


def test_cost_of_weka_on_credit_g():
    example = worked_examples("roc_cost")["weka_creditg_cost"]
    cells = np.array([[700 - 112.0, 112], [183, 300 - 183]])  # good, bad; a bad loan called good costs 5
    value = float(measures.expected_cost([[0, 1], [5, 0]]).value(cells, None))
    assert value == pytest.approx(example["mean_cost"])
    assert float(measures.get("error").value(cells, None)) == pytest.approx(example["error_rate"])
