"""Measures of labels against scikit-learn, R (caret, vcd) and the literature, and where they are undefined."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bakeoff
from bakeoff import measures
from bakeoff.counts import Cells, Counted
from bakeoff.evidence import Units
from oracle import assert_case, cases, worked_examples

LABEL_PEERS = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "kappa": metrics.cohen_kappa_score,
    "kappa_linear": lambda t, p, **w: metrics.cohen_kappa_score(t, p, weights="linear", **w),
    "kappa_quadratic": lambda t, p, **w: metrics.cohen_kappa_score(t, p, weights="quadratic", **w),
    "mcc": metrics.matthews_corrcoef,
    **{
        f"{kind}_{how}": lambda t, p, kind=kind, how=how, **w: getattr(metrics, f"{kind}_score")(t, p, average=how, **w)
        for kind in ("precision", "recall", "f1")
        for how in ("macro", "micro", "weighted")
    },
}
BINARY_PEERS = {
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "f1": metrics.f1_score,
    "jaccard": metrics.jaccard_score,
    "specificity": lambda t, p, **w: metrics.recall_score(t, p, pos_label=0, **w),
    "npv": lambda t, p, **w: metrics.precision_score(t, p, pos_label=0, **w),
    "lr_positive": lambda t, p, **w: metrics.class_likelihood_ratios(t, p, **w)[0],
    "lr_negative": lambda t, p, **w: metrics.class_likelihood_ratios(t, p, **w)[1],
}


@pytest.mark.parametrize("name", LABEL_PEERS)
@pytest.mark.parametrize("weighted", [False, True])
def test_label_measures(name, weighted, rng):
    truth, called = rng.integers(0, 4, 300), rng.integers(0, 4, 300)
    called = np.where(rng.random(300) < 0.6, truth, called)
    extra = {"sample_weight": rng.random(300)} if weighted else {}
    assert measures.get(name)(truth, called, **extra) == pytest.approx(
        LABEL_PEERS[name](truth, called, **extra), rel=1e-12
    )


@pytest.mark.parametrize("name", BINARY_PEERS)
def test_binary_measures(name, rng):
    truth = rng.integers(0, 2, 200)
    called = np.where(rng.random(200) < 0.7, truth, 1 - truth)
    assert measures.get(name)(truth, called) == pytest.approx(BINARY_PEERS[name](truth, called), rel=1e-12)


def test_classification_report_and_evaluate_agree_to_the_last_digit():
    data = load_breast_cancer()
    X_train, X_test, y_train, y_test = train_test_split(data.data, data.target, random_state=0)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    called = model.predict(X_test)
    report = metrics.classification_report(y_test, called, output_dict=True)
    evaluation = bakeoff.evaluate(
        bakeoff.Predictions.from_arrays(y_test, y_pred={"logistic": called}),
        ["accuracy", "precision", "recall", "f1", "precision_macro", "recall_macro", "f1_macro", "f1_weighted"],
        rng=0,
    )
    expected = {
        "accuracy": report["accuracy"],
        "precision": report["1"]["precision"],
        "recall": report["1"]["recall"],
        "f1": report["1"]["f1-score"],
        "precision_macro": report["macro avg"]["precision"],
        "recall_macro": report["macro avg"]["recall"],
        "f1_macro": report["macro avg"]["f1-score"],
        "f1_weighted": report["weighted avg"]["f1-score"],
    }
    for name, value in expected.items():
        assert evaluation["logistic", name].estimate == pytest.approx(value, rel=1e-15, abs=0)


def test_macro_recall_of_naive_bayes_on_iris_is_mean_of_class_recalls():
    X, y = load_iris(return_X_y=True)
    called = GaussianNB().fit(X[::2], y[::2]).predict(X[1::2])
    ours = measures.get("recall_macro")(y[1::2], called)
    assert ours == metrics.recall_score(y[1::2], called, average="macro")


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


# -- undefined ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "label"), {"recall": 0, "fnr": 0, "specificity": 1, "fpr": 1}.items())
def test_one_class_leaves_rates_undefined(name, label):
    assert np.isnan(measures.get(name)([label] * 3, [0, 1, 1], labels=[0, 1]))


def test_precision_of_a_class_never_predicted_is_undefined_but_its_f1_is_zero():
    truth, called = [0, 0, 1, 1], [0, 0, 0, 0]
    assert np.isnan(measures.get("precision")(truth, called))
    assert np.isnan(measures.get("precision_macro")(truth, called))
    assert measures.get("f1")(truth, called) == 0.0


def test_kappa_of_one_class_everywhere_is_undefined():
    assert np.isnan(measures.get("kappa")([1, 1], [1, 1], labels=[0, 1]))
