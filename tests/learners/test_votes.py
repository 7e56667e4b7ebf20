"""Votes as probabilities, and the error of many voters."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from bakeoff import ParameterError
from bakeoff.learners import VotesClassifier, ensemble_curve

X, Y = make_classification(300, n_features=6, n_informative=3, flip_y=0.1, random_state=2)


def test_the_probability_is_the_share_of_members_that_say_so() -> None:
    model = VotesClassifier(LinearSVC(), n_estimators=7, random_state=0).fit(X, Y)  # it has no predict_proba
    counted = np.mean([member.predict(X) == 1 for member in model.estimators_], axis=0)
    assert model.predict_proba(X)[:, 1].tolist() == pytest.approx(counted.tolist())
    assert (model.predict(X) == (counted > 0.5)).all()


def test_members_that_differ_by_rows_or_by_seed() -> None:
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    same = VotesClassifier(tree, n_estimators=3, vary="seed").fit(X, Y).predict_proba(X)
    assert set(np.unique(same)) == {0.0, 1.0}  # one seed, the same rows: they all agree
    other = VotesClassifier(
        DecisionTreeClassifier(max_features=1, max_depth=2), n_estimators=3, vary="seed", random_state=0
    )
    assert len(np.unique(other.fit(X, Y).predict_proba(X))) > 2
    with pytest.raises(ParameterError, match="vary"):
        VotesClassifier(tree, vary="luck").fit(X, Y)


def test_weights_draw_rows() -> None:
    weights = (Y == 1).astype(float)
    model = VotesClassifier(DecisionTreeClassifier(), n_estimators=5, random_state=0).fit(X, Y, sample_weight=weights)
    assert (model.predict(X) == 1).all()


def test_the_error_of_an_unstable_learner_falls_with_the_number_of_members() -> None:
    curve = ensemble_curve(DecisionTreeClassifier(), X, Y, sizes=[1, 25, 5], n_splits=5)
    assert curve.sizes == (1, 5, 25)
    assert curve.error[2] < curve.error[0]
    assert ((curve.low <= curve.error) & (curve.error <= curve.high)).all()
    figure = curve._figure()
    assert figure.curves[0]["y"] == pytest.approx(curve.error.tolist(), abs=1e-6)
    assert curve.plot().data.kind == "series"


def test_the_curve_is_that_of_the_classifier() -> None:
    """The last point is the error of a VotesClassifier of that size on the same splits."""
    curve = ensemble_curve(DecisionTreeClassifier(max_depth=2), X, Y, sizes=[3, 9], n_splits=3, random_state=5)
    errors = []
    for train, test in StratifiedShuffleSplit(3, test_size=1 / 3, random_state=5).split(X, Y):
        votes = VotesClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=9, random_state=5)
        errors.append((votes.fit(X[train], Y[train]).predict(X[test]) != Y[test]).mean())
    assert curve.error[1] == pytest.approx(np.mean(errors))
