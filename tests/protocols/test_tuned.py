"""Tuning inside the training rows: no leak, scikit-learn's manners, chosen parameters kept."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import randint
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier, is_regressor
from sklearn.datasets import load_iris
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from bakeoff import ParameterError
from bakeoff.protocols import HoldOut, KFold, LeaveGroupOut, Tuned

X, Y = load_iris(return_X_y=True)
GRID = {"n_neighbors": [1, 5, 25]}


def test_it_chooses_what_a_grid_search_on_the_same_splits_chooses():
    tuned = Tuned(KNeighborsClassifier(), GRID, inner=KFold(4), random_state=3).fit(X, Y)
    splits = list(KFold(4).split(X, Y, seed=3))
    oracle = GridSearchCV(KNeighborsClassifier(), GRID, cv=splits).fit(X, Y)
    assert tuned.best_params_ == oracle.best_params_
    assert tuned.best_score_ == oracle.best_score_
    assert np.array_equal(tuned.predict_proba(X), oracle.predict_proba(X))


def test_it_has_the_manners_of_its_estimator():
    tuned = Tuned(KNeighborsClassifier(), GRID, inner=HoldOut(0.25), random_state=1)
    assert clone(tuned).get_params()["estimator__n_neighbors"] == 5
    assert is_classifier(tuned)
    assert is_regressor(Tuned(Ridge(), {"alpha": [1.0]}))
    assert not hasattr(tuned, "decision_function")
    assert hasattr(Tuned(SVC(), {"C": [1.0]}), "decision_function")
    assert tuned.fit(X, Y).classes_.tolist() == [0, 1, 2]


def test_train_validation_test_and_random_search_and_groups():
    tuned = Tuned(DecisionTreeClassifier(random_state=0), {"max_depth": randint(1, 6)}, inner=HoldOut(), n_iter=4)
    assert len(tuned.fit(X, Y).cv_results_["params"]) == 4
    groups = np.arange(150) % 3
    by_group = Tuned(KNeighborsClassifier(), GRID, inner=LeaveGroupOut()).fit(X, Y, groups=groups)
    assert sum(k.startswith("split") for k in by_group.cv_results_) == 3


def test_weights_reach_the_last_step_of_a_pipeline_and_are_refused_where_they_cannot():
    pipe = make_pipeline(StandardScaler(), SVC())
    weight = np.where(Y == 0, 100.0, 1.0)
    plain = Tuned(pipe, {"svc__C": [0.01]}, inner=HoldOut()).fit(X[:, :1], Y)
    heavy = Tuned(pipe, {"svc__C": [0.01]}, inner=HoldOut()).fit(X[:, :1], Y, sample_weight=weight)
    assert (heavy.predict(X[:, :1]) == 0).sum() > (plain.predict(X[:, :1]) == 0).sum()
    with pytest.raises(ParameterError, match="KNeighborsClassifier takes no sample_weight"):
        Tuned(KNeighborsClassifier(), GRID).fit(X, Y, sample_weight=weight)


def test_regression_is_not_stratified():
    y = np.repeat(np.arange(75.0), 2)
    assert Tuned(Ridge(), {"alpha": [0.1, 10.0]}).fit(X, y.astype(int)).best_params_["alpha"] in (0.1, 10.0)


class SignOf(ClassifierMixin, BaseEstimator):
    """Predicts class 1 where one feature is positive: on noise, choosing that feature is all there is to overfit."""

    def __init__(self, feature: int = 0) -> None:
        self.feature = feature

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return (X[:, self.feature] > 0).astype(int)


def nested_and_not(n_sets: int) -> tuple[np.ndarray, np.ndarray]:
    """Accuracy on pure-noise data sets: nested, and the best score that the search itself reports."""
    nested, best = [], []
    for seed in range(n_sets):
        rng = np.random.default_rng(seed)
        noise, coin = rng.normal(size=(60, 15)), np.tile([0, 1], 30)
        tuned = Tuned(SignOf(), {"feature": range(15)}, inner=KFold(2), random_state=seed)
        nested.append(np.mean(cross_val_score(tuned, noise, coin, cv=KFold(3))))
        best.append(tuned.fit(noise, coin).best_score_)
    return np.array(nested), np.array(best)


def check_leakage(n_sets: int) -> None:
    nested, best = nested_and_not(n_sets)
    error = nested.std(ddof=1) / np.sqrt(n_sets)
    assert abs(nested.mean() - 0.5) < 2.5 * error, "the nested estimate covers chance"
    assert best.mean() - 0.5 > 5 * best.std(ddof=1) / np.sqrt(n_sets), "the search's own score does not"


def test_on_pure_noise_the_nested_estimate_covers_chance_and_the_score_of_the_search_does_not():
    check_leakage(10)


@pytest.mark.slow
def test_on_much_pure_noise_too():
    check_leakage(200)


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        (["n_neighbors"], "grid must map parameter names to lists of values"),
        ({"n_neighbors": 5}, r"grid\['n_neighbors'\] must be a list of values to try"),
        ({"n_neighbors": "5"}, r"grid\['n_neighbors'\] must be a list of values to try"),
        ({}, "grid must map parameter names"),
    ],
)
def test_a_bad_grid_says_what_is_wrong(grid, message):
    with pytest.raises(ParameterError, match=message):
        Tuned(KNeighborsClassifier(), grid).fit(X, Y)
