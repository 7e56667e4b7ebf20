"""MetaCost against Weka's, and against what Domingos wrote."""

from __future__ import annotations

import diabetes
import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from bakeoff import BakeoffWarning, ParameterError
from bakeoff.learners import MetaCostClassifier, decide_min_cost
from oracle import assert_case, cases


@pytest.mark.filterwarnings("ignore:The inner solver")  # relabelled rows are separable: the optimum is far away
def test_mean_cost_over_seeds_as_weka():
    (case,) = cases("metacost")
    X_train, y_train, X_test, y_test = diabetes.split(case["input"]["csv"])
    costs = np.array(case["input"]["cost_rows_true_cols_pred"])
    positive, truth = case["input"]["positive"], (y_test == case["input"]["positive"]).astype(int)
    logistic = diabetes.logistic(solver="newton-cholesky")
    test_costs, called = [], []
    for seed in range(30):
        model = MetaCostClassifier(logistic, cost_matrix=costs, n_estimators=case["input"]["bags"], random_state=seed)
        said = (model.fit(X_train, y_train).predict(X_test) == positive).astype(int)
        test_costs.append(costs[truth, said].sum())
        called.append(said.sum())
    assert np.std(test_costs) > 0  # 30 different runs
    assert_case(case, {"mean_test_cost": np.mean(test_costs), "mean_n_predicted_positive": np.mean(called)})


class Recorder(GaussianNB):
    """A classifier that says the same of every bag, so that the bagged probabilities are known."""

    def predict_proba(self, X):
        p = np.asarray(X)[:, 0]
        return np.column_stack([1 - p, p])


def test_rows_are_relabelled_by_minimum_expected_cost():
    X = np.linspace(0, 1, 101)[:, None]
    y = (X[:, 0] > 0.7).astype(int)
    costs = [[0, 1], [4, 0]]
    model = MetaCostClassifier(Recorder(), cost_matrix=costs, n_estimators=3, random_state=0).fit(X, y)
    P = np.column_stack([1 - X[:, 0], X[:, 0]])
    sure = np.abs(X[:, 0] - 0.2) > 1e-9  # exactly at p* = 1/5, rounding decides
    np.testing.assert_array_equal(model.y_relabelled_[sure], decide_min_cost(P, costs)[sure])
    assert model.y_relabelled_[X[:, 0] > 0.205].min() == 1
    assert model.y_relabelled_[X[:, 0] < 0.195].max() == 0


def test_the_final_model_is_one_classifier_of_the_same_kind():
    X_train, y_train, X_test, _ = diabetes.split()
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    model = MetaCostClassifier(tree, cost_matrix=[[0, 1], [5, 0]], n_estimators=10, random_state=0).fit(
        X_train, y_train
    )
    assert isinstance(model.estimator_, DecisionTreeClassifier)
    again = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X_train, model.y_relabelled_)
    np.testing.assert_array_equal(model.predict(X_test), again.predict(X_test))


def test_out_of_bag_members_see_what_all_members_have_memorised():
    # A full tree is certain of the rows it has learned: with all members, about 63 % of the votes are memory.
    X_train, y_train, _, _ = diabetes.split()
    costs, tree = [[0, 1], [5, 0]], DecisionTreeClassifier()

    def relabelled(use_all_members):
        model = MetaCostClassifier(
            tree, cost_matrix=costs, n_estimators=30, use_all_members=use_all_members, random_state=0
        )
        return (model.fit(X_train, y_train).y_relabelled_ != y_train).sum()

    assert relabelled(False) > 1.2 * relabelled(True)


def test_rows_in_every_bag_fall_back_on_all_members():
    X, y = np.arange(12.0)[:, None], np.arange(12) % 2
    model = MetaCostClassifier(GaussianNB(), cost_matrix=None, n_estimators=1, use_all_members=False, random_state=0)
    with pytest.warns(BakeoffWarning, match="no out-of-bag estimate"):
        model.fit(X, y)


def test_votes_serve_classifiers_without_probabilities():
    X_train, y_train, X_test, _ = diabetes.split()
    model = MetaCostClassifier(Perceptron(), cost_matrix=[[0, 1], [5, 0]], n_estimators=15, random_state=0)
    model.fit(X_train, y_train)
    plain = Perceptron(random_state=0).fit(X_train, y_train)
    assert (model.predict(X_test) == "tested_positive").sum() > (plain.predict(X_test) == "tested_positive").sum()
    assert not hasattr(model, "predict_proba")
    with pytest.raises(ParameterError, match="voting='hard'"):
        MetaCostClassifier(Perceptron(), cost_matrix=None, voting="soft").fit(X_train, y_train)


def test_soft_and_hard_votes_differ():
    X_train, y_train, _, _ = diabetes.split()
    kinds = [
        MetaCostClassifier(diabetes.logistic(), cost_matrix=[[0, 1], [5, 0]], n_estimators=5, voting=v, random_state=0)
        for v in ("soft", "hard", "auto")
    ]
    soft, hard, auto = (model.fit(X_train, y_train).y_relabelled_ for model in kinds)
    assert (soft != hard).any()
    np.testing.assert_array_equal(soft, auto)


def test_a_constant_answer_comes_with_a_warning():
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2
    model = MetaCostClassifier(GaussianNB(), cost_matrix=[[0, 1], [1000, 0]], n_estimators=5, random_state=0)
    with pytest.warns(BakeoffWarning, match="relabelled every row as 1"):
        model.fit(X, y)
    assert model.predict(X).tolist() == [1] * 40
    np.testing.assert_array_equal(model.predict_proba(X), [[0, 1]] * 40)


def test_bags_may_be_smaller():
    X_train, y_train, _, _ = diabetes.split()
    for max_samples in (0.5, 100):
        model = MetaCostClassifier(GaussianNB(), cost_matrix=None, max_samples=max_samples, n_estimators=3)
        assert model.fit(X_train, y_train)._bag_size(512) == (256 if max_samples == 0.5 else 100)
    with pytest.raises(ParameterError, match="max_samples"):
        MetaCostClassifier(GaussianNB(), cost_matrix=None, max_samples=1.5).fit(X_train, y_train)


def test_the_same_seed_gives_the_same_model_also_in_parallel():
    from joblib import parallel_config

    X_train, y_train, _, _ = diabetes.split()
    forest = RandomForestClassifier(n_estimators=3)
    with parallel_config("threading"):
        first, second = (
            MetaCostClassifier(forest, cost_matrix=[[0, 1], [5, 0]], n_estimators=4, random_state=7, n_jobs=n)
            .fit(X_train, y_train)
            .y_relabelled_
            for n in (None, 2)
        )
    np.testing.assert_array_equal(first, second)
