"""Minimum expected cost decisions against R, Weka, Elkan and Domingos."""

from __future__ import annotations

import diabetes
import numpy as np
import pytest
from sklearn.svm import LinearSVC

from bakeoff import EvidenceError, ParameterError
from bakeoff.learners import CostSensitiveClassifier, correct_prior, cost_class_weight, decide_min_cost
from oracle import assert_case, cases, worked_examples

ELKAN = worked_examples("roc_cost")["elkan2001"]


def test_decisions_as_r_and_weka():
    (case,) = cases("min_expected_cost")
    P, C = np.array(case["input"]["P"]), np.array(case["input"]["cost_rows_true_cols_pred"])
    assert_case(case, {"decision_1based": (decide_min_cost(P, C) + 1).tolist(), "expected_costs": P @ C})


def test_cost_sensitive_classifier_as_weka_on_diabetes():
    (case,) = cases("min_expected_cost_on_data")
    X_train, y_train, X_test, y_test = diabetes.split(case["input"]["csv"])
    costs = np.array(case["input"]["cost_rows_true_cols_pred"])
    model = CostSensitiveClassifier(diabetes.logistic(tol=1e-8), cost_matrix=costs).fit(X_train, y_train)
    positive = case["input"]["positive"]
    truth = (y_test == positive).astype(int)
    decided = (model.predict(X_test) == positive).astype(int)
    plain = (model.estimator_.predict(X_test) == positive).astype(int)
    got = {
        "n_test": len(y_test),
        "p_positive_test": model.predict_proba(X_test)[:, list(model.classes_).index(positive)],
        "pred_min_expected": decided.tolist(),
        "cost_min_expected": costs[truth, decided].sum(),
        "pred_plain": plain.tolist(),
        "cost_plain": costs[truth, plain].sum(),
    }
    assert_case(case, got)


def test_relabelling_rule_of_domingos():
    example = worked_examples("roc_cost")["metacost_relabel_rule"]
    costs = np.array(example["C_rows_pred_cols_true"]).T
    P = np.array(example["P"])
    np.testing.assert_allclose(P @ costs, example["expected_costs"], atol=1e-12)
    assert decide_min_cost(P, costs).tolist() == example["relabel"]


@pytest.mark.parametrize("case", ELKAN["cases"], ids=lambda c: f"p*={c['p_star']:.3g}")
def test_elkan_threshold(case):
    # Elkan writes C[predicted][true]. Decisions depend on differences within a true class only, so that a row with a
    # negative entry (a benefit) may be shifted.
    costs = np.array([[case["C00"], case["C10"]], [case["C01"], case["C11"]]], dtype=float)
    costs -= costs.min(axis=1, keepdims=True)
    p = case["p_star"] + np.array([-1e-9, 1e-9])
    assert decide_min_cost(np.column_stack([1 - p, p]), costs).tolist() == [0, 1]


@pytest.mark.parametrize("case", ELKAN["theorem1_cases"], ids=lambda c: f"p*={c['p_star']:.3g}")
def test_elkan_theorem_1_weights(case):
    # A learner that decides at p0 = 1/2 decides at p* if negatives weigh p*/(1 − p*) times as much as positives.
    p = case["p_star"]
    weights = cost_class_weight([0, 0, 0, 1], [[0, p], [1 - p, 0]])
    assert weights[0] / weights[1] == pytest.approx(case["multiplier"], rel=1e-12)


@pytest.mark.parametrize("case", ELKAN["base_rate_cases"], ids=lambda c: f"{c['b']}→{c['b_new']}")
def test_elkan_theorem_2_base_rate(case):
    p, old, new = case["p"], case["b"], case["b_new"]
    got = correct_prior([[1 - p, p]], [1 - old, old], [1 - new, new])
    assert got[0, 1] == pytest.approx(case["p_new"], rel=1e-12)
    assert got.sum() == pytest.approx(1)


def test_a_tie_goes_to_the_first_class():
    assert decide_min_cost([[0.5, 0.5], [0.5, 0.5]], [[0, 1], [1, 0]]).tolist() == [0, 0]


def test_probabilities_are_checked():
    with pytest.raises(EvidenceError, match="NaN"):
        decide_min_cost([[np.nan, 1]], [[0, 1], [1, 0]])
    with pytest.raises(EvidenceError, match="one row per case"):
        decide_min_cost([0.5, 0.5], [[0, 1], [1, 0]])
    with pytest.raises(ParameterError, match="2 × 2 costs for 3 classes"):
        decide_min_cost([[0.2, 0.3, 0.5]], [[0, 1], [1, 0]])


def test_expected_cost_needs_probabilities():
    with pytest.raises(ParameterError, match="LinearSVC has no predict_proba") as caught:
        CostSensitiveClassifier(LinearSVC(), cost_matrix=None).fit([[0.0], [1.0]], [0, 1])
    assert "CalibratedClassifierCV" in str(caught.value)


@pytest.mark.parametrize("method", ["reweight", "resample"])
def test_weighted_learning_moves_the_decisions(method):
    X_train, y_train, X_test, y_test = diabetes.split()
    costs = [[0, 1], [5, 0]]
    plain = CostSensitiveClassifier(diabetes.logistic(), cost_matrix=None).fit(X_train, y_train)
    wary = CostSensitiveClassifier(diabetes.logistic(), cost_matrix=costs, method=method, random_state=0)
    wary.fit(X_train, y_train)
    truth = (y_test == "tested_positive").astype(int)

    def cost(model):
        return np.array(costs)[truth, (model.predict(X_test) == "tested_positive").astype(int)].sum()

    assert cost(plain) == 183  # Weka's plain cost on these rows
    assert cost(wary) < 130


def test_unknown_method_is_explained():
    with pytest.raises(ParameterError, match="did you mean 'reweight'"):
        CostSensitiveClassifier(diabetes.logistic(), cost_matrix=None, method="reweigh").fit([[0.0], [1.0]], [0, 1])
