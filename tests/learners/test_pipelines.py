"""Resampling inside pipelines: never a test row, and probabilities that can be brought back."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from imblearn.over_sampling import SMOTE
from imblearn.pipeline import Pipeline
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict, cross_validate
from sklearn.naive_bayes import GaussianNB

from bakeoff import MissingDependencyError
from bakeoff.learners import (
    CostSensitiveClassifier,
    MetaCostClassifier,
    PriorCorrectedClassifier,
    oversample_pipeline,
    smote_pipeline,
    smote_wilson_pipeline,
    undersample_pipeline,
)

PIPELINES = [smote_pipeline, smote_wilson_pipeline, oversample_pipeline, undersample_pipeline]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(11)
    y = np.repeat([0, 1], [270, 30])
    return rng.normal(size=(300, 2)) + y[:, None], y


class Spy(GaussianNB):
    """Keeps what it was taught and what it was asked."""

    taught: list = []  # noqa: RUF012
    asked: list = []  # noqa: RUF012

    def fit(self, X, y):
        Spy.taught.append((np.asarray(X).copy(), np.asarray(y).copy()))
        return super().fit(X, y)

    def predict(self, X):
        Spy.asked.append(np.asarray(X).copy())
        return super().predict(X)


class SpySMOTE(SMOTE):
    """Keeps the rows it was given."""

    given: list = []  # noqa: RUF012

    def _fit_resample(self, X, y):
        SpySMOTE.given.append(np.asarray(X).copy())
        return super()._fit_resample(X, y)


def rows(X):
    return {tuple(row) for row in np.asarray(X)}


def test_smote_never_meets_a_test_fold(data, monkeypatch):
    import imblearn.over_sampling

    monkeypatch.setattr(imblearn.over_sampling, "SMOTE", SpySMOTE)
    for spied in (Spy.taught, Spy.asked, SpySMOTE.given):
        spied.clear()
    X, y = data
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    model = smote_pipeline(Spy(), scale=False, random_state=0)
    cross_validate(model, X, y, cv=cv)
    assert len(SpySMOTE.given) == len(Spy.taught) == len(Spy.asked) == 5
    for (train, test), given, (taught, labels), asked in zip(
        cv.split(X, y), SpySMOTE.given, Spy.taught, Spy.asked, strict=True
    ):
        assert rows(given) == rows(X[train])  # the sampler saw the training fold, all of it and nothing else
        assert not rows(given) & rows(X[test])
        np.testing.assert_array_equal(asked, X[test])  # the test fold was asked about as it is, not resampled
        assert labels.mean() == pytest.approx(0.5)  # while training was balanced
        made = taught[~np.array([tuple(row) in rows(X[train]) for row in taught])]
        assert len(made) == len(taught) - len(train) > 0
        minority = X[train][y[train] == 1]
        assert (made >= minority.min(axis=0)).all()  # synthetic rows lie between training rows
        assert (made <= minority.max(axis=0)).all()


@pytest.mark.parametrize("make", PIPELINES)
def test_one_prediction_per_test_row(make, data):
    X, y = data
    for correct_prior in (False, True):
        model = make(GaussianNB(), random_state=0, correct_prior=correct_prior)
        P = cross_val_predict(model, X, y, cv=3, method="predict_proba")
        assert P.shape == (300, 2)


@pytest.mark.parametrize("make", [smote_pipeline, oversample_pipeline, undersample_pipeline])
def test_corrected_probabilities_have_the_mean_of_the_data(make):
    rng = np.random.default_rng(3)
    y = (rng.random(6000) < 0.08).astype(int)
    X = rng.normal(size=(6000, 2)) + 1.3 * y[:, None]
    biased = make(LogisticRegression(), random_state=0).fit(X, y).predict_proba(X)[:, 1]
    corrected = make(LogisticRegression(), random_state=0, correct_prior=True).fit(X, y)
    assert isinstance(corrected, PriorCorrectedClassifier)
    p = corrected.predict_proba(X)[:, 1]
    assert biased.mean() > 0.25
    assert p.mean() == pytest.approx(y.mean(), abs=0.012)
    assert (np.argsort(p, kind="stable") == np.argsort(biased, kind="stable")).mean() > 0.99  # the ranking is kept


def test_the_correction_follows_the_sampling_strategy():
    # The inner correction reads the resampled proportions, so that partial balancing is undone as exactly as full.
    rng = np.random.default_rng(3)
    y = (rng.random(6000) < 0.08).astype(int)
    X = rng.normal(size=(6000, 2)) + 1.3 * y[:, None]
    plain = LogisticRegression().fit(X, y).predict_proba(X)[:, 1]
    for ratio in (0.2, 0.5, 1.0):
        model = oversample_pipeline(LogisticRegression(), sampling_strategy=ratio, correct_prior=True, random_state=0)
        p = model.fit(X, y).predict_proba(X)[:, 1]
        assert np.abs(p - plain).mean() < 0.01


def test_steps_have_names_for_searches(data):
    X, y = data
    model = smote_wilson_pipeline(GaussianNB(), random_state=0)
    assert isinstance(model, Pipeline)
    grid = {"smote__k_neighbors": [3, 5], "edit__n_neighbors": [1, 3], "model__var_smoothing": [1e-9, 1e-3]}
    search = GridSearchCV(model, grid, cv=3, scoring="balanced_accuracy").fit(X, y)
    assert set(search.best_params_) == set(grid)


def test_pipelines_stand_inside_the_learners(data):
    X, y = data
    inner = smote_pipeline(GaussianNB(), random_state=0, correct_prior=True)
    model = CostSensitiveClassifier(inner, cost_matrix=[[0, 1], [9, 0]]).fit(X, y)
    assert 0 < model.predict(X).mean() < 1
    bagged = MetaCostClassifier(undersample_pipeline(GaussianNB()), cost_matrix=[[0, 1], [9, 0]], n_estimators=3)
    assert bagged.set_params(random_state=0).fit(X, y).predict(X).shape == y.shape
    with pytest.raises(ValueError, match="Pipeline cannot learn from weighted rows"):
        CostSensitiveClassifier(undersample_pipeline(GaussianNB()), cost_matrix=None, method="reweight").fit(X, y)


@pytest.mark.parametrize("make", PIPELINES)
def test_without_imbalanced_learn_the_extra_is_named(make, monkeypatch):
    monkeypatch.setitem(sys.modules, "imblearn", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'bakeoff\[learn\]'"):
        make(GaussianNB())
