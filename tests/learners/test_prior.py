"""Probabilities moved to other class proportions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from bakeoff import EvidenceError, ParameterError
from bakeoff.decision import shift_prevalence
from bakeoff.learners import PriorCorrectedClassifier, correct_prior


def population(n, prevalence, seed):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < prevalence).astype(int)
    return rng.normal(size=(n, 2)) + y[:, None], y


def test_two_classes_agree_with_the_decision_room():
    p = np.linspace(0, 1, 11)
    got = correct_prior(np.column_stack([1 - p, p]), [0.7, 0.3], [0.95, 0.05])[:, 1]
    np.testing.assert_allclose(got, shift_prevalence(p, 0.3, 0.05), atol=1e-12)


def test_the_correction_calibrates_where_prevalence_changed():
    X, y = population(20_000, 0.5, 0)
    X_new, y_new = population(20_000, 0.05, 1)
    model = PriorCorrectedClassifier(LogisticRegression(), priors=[0.95, 0.05]).fit(X, y)
    corrected, plain = model.predict_proba(X_new)[:, 1], model.estimator_.predict_proba(X_new)[:, 1]
    assert corrected.mean() == pytest.approx(y_new.mean(), abs=0.005)
    assert plain.mean() > 0.2
    assert brier_score_loss(y_new, corrected) < 0.6 * brier_score_loss(y_new, plain)


def test_several_classes_by_bayes():
    P, old, new = np.array([[0.2, 0.3, 0.5]]), np.array([0.5, 0.25, 0.25]), np.array([0.1, 0.1, 0.8])
    likelihood = P / old
    np.testing.assert_allclose(correct_prior(P, old, new), likelihood * new / (likelihood * new).sum())


def test_the_same_priors_change_nothing():
    X, y = population(300, 0.3, 2)
    model = PriorCorrectedClassifier(GaussianNB(), priors="data").fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), GaussianNB().fit(X, y).predict_proba(X), atol=1e-12)


def test_training_priors_may_be_told():
    X, y = population(300, 0.3, 2)
    told = PriorCorrectedClassifier(GaussianNB(priors=[0.5, 0.5]), priors="data", training_priors="uniform").fit(X, y)
    np.testing.assert_allclose(told.predict_proba(X), GaussianNB().fit(X, y).predict_proba(X), atol=1e-12)


def test_a_class_of_prior_zero_is_never_predicted():
    X, y = population(300, 0.3, 2)
    model = PriorCorrectedClassifier(GaussianNB(), priors=[1, 0]).fit(X, y)
    assert model.predict(X).tolist() == [0] * 300
    np.testing.assert_array_equal(correct_prior([[0.0, 1.0]], [0.5, 0.5], [1, 0]), [[1, 0]])


@pytest.mark.parametrize(
    ("priors", "message"),
    [
        ([0.5, 0.4], "must sum to 1. Got a sum of 0.9"),
        ([0.2, 0.3, 0.5], "must be 2 proportions"),
        ([1.5, -0.5], "must be 2 proportions"),
        ("unifrom", "did you mean 'uniform'"),
        ({"no": 0.5, "yes": 0.5}, "must name the classes"),
        (None, "must be 2 proportions"),
    ],
)
def test_mistakes_are_said_plainly(priors, message):
    X, y = population(50, 0.4, 3)
    with pytest.raises(ParameterError, match=message):
        PriorCorrectedClassifier(GaussianNB(), priors=priors).fit(X, y)


def test_what_cannot_be_corrected():
    X, y = population(50, 0.4, 3)
    with pytest.raises(ParameterError, match="LinearSVC has no predict_proba"):
        PriorCorrectedClassifier(LinearSVC(), priors="uniform").fit(X, y)
    with pytest.raises(ParameterError, match="training_priors must be positive"):
        PriorCorrectedClassifier(GaussianNB(), priors="data", training_priors=[1, 0]).fit(X, y)
    with pytest.raises(EvidenceError, match="class 1 has no weight"):
        PriorCorrectedClassifier(GaussianNB(), priors="uniform").fit(X, y, sample_weight=1.0 - y)
