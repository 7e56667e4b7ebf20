"""Measures agree with scikit-learn where it has them right, to the last digits."""

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
SCORE_PEERS = {
    "auc": metrics.roc_auc_score,
    "average_precision": metrics.average_precision_score,
    "partial_auc": lambda t, s, **w: metrics.roc_auc_score(t, s, max_fpr=0.1, **w),
    "log_loss": metrics.log_loss,
    "brier": metrics.brier_score_loss,
}
VALUE_PEERS = {
    "mse": metrics.mean_squared_error,
    "rmse": metrics.root_mean_squared_error,
    "mae": metrics.mean_absolute_error,
    "median_absolute_error": metrics.median_absolute_error,
    "mape": metrics.mean_absolute_percentage_error,
    "r2": metrics.r2_score,
}


@pytest.mark.parametrize("name", LABEL_PEERS)
@pytest.mark.parametrize("weighted", [False, True])
def test_label_measures(name, weighted, rng):
    truth, called = rng.integers(0, 4, 300), rng.integers(0, 4, 300)
    called = np.where(rng.random(300) < 0.6, truth, called)
    extra = {"sample_weight": rng.random(300)} if weighted else {}
    assert bakeoff.measures.get(name)(truth, called, **extra) == pytest.approx(
        LABEL_PEERS[name](truth, called, **extra), rel=1e-12
    )


@pytest.mark.parametrize("name", BINARY_PEERS)
def test_binary_measures(name, rng):
    truth = rng.integers(0, 2, 200)
    called = np.where(rng.random(200) < 0.7, truth, 1 - truth)
    assert bakeoff.measures.get(name)(truth, called) == pytest.approx(BINARY_PEERS[name](truth, called), rel=1e-12)


@pytest.mark.parametrize("name", SCORE_PEERS)
@pytest.mark.parametrize("weighted", [False, True])
def test_score_measures(name, weighted, rng):
    truth = rng.integers(0, 2, 200)
    score = np.round(np.clip(rng.normal(0.4 + 0.2 * truth, 0.2), 0.01, 0.99), 2)
    if name == "partial_auc" and weighted:
        pytest.skip("scikit-learn's weighted partial AUC standardises like ours; covered by the replication law")
    extra = {"sample_weight": rng.random(200)} if weighted else {}
    expected = SCORE_PEERS[name](truth, score, **extra)
    assert bakeoff.measures.get(name)(truth, score, **extra) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("name", VALUE_PEERS)
@pytest.mark.parametrize("weighted", [False, True])
def test_value_measures(name, weighted, rng):
    truth = rng.normal(1e3, 1, 151)
    value = truth + rng.normal(0, 0.3, 151)
    extra = {"sample_weight": rng.integers(1, 4, 151)} if weighted else {}
    if name == "median_absolute_error" and weighted:
        expected = np.median(np.repeat(np.abs(value - truth), extra["sample_weight"]))  # weights are replication
    else:
        expected = VALUE_PEERS[name](truth, value, **extra)
    assert bakeoff.measures.get(name)(truth, value, **extra) == pytest.approx(expected, rel=1e-9)


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
    ours = bakeoff.measures.get("recall_macro")(y[1::2], called)
    assert ours == metrics.recall_score(y[1::2], called, average="macro")


def test_scorers_go_in_and_out():
    from sklearn.model_selection import cross_val_score

    data = load_breast_cancer()
    model = make_pipeline(StandardScaler(), LogisticRegression())
    ours = cross_val_score(model, data.data, data.target, scoring=bakeoff.measures.get("log_loss").as_scorer())
    assert ours == pytest.approx(cross_val_score(model, data.data, data.target, scoring="neg_log_loss"))
    wrapped = bakeoff.Measure.from_scorer("neg_log_loss")
    assert not wrapped.greater_is_better
    truth, chance = [0, 1, 1, 0], [0.2, 0.7, 0.9, 0.4]
    assert wrapped(truth, chance) == pytest.approx(metrics.log_loss(truth, chance))
    f_two = bakeoff.Measure.from_scorer(metrics.make_scorer(metrics.fbeta_score, beta=2))
    assert f_two([0, 1, 1, 0], [1, 1, 0, 0]) == pytest.approx(metrics.fbeta_score([0, 1, 1, 0], [1, 1, 0, 0], beta=2))
    assert bakeoff.measures.f_beta(2)([0, 1, 1, 0], [1, 1, 0, 0]) == f_two([0, 1, 1, 0], [1, 1, 0, 0])
