"""What every learner promises beside scikit-learn's checks: frames, strings, several classes, weights, copies."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_iris, make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from bakeoff import OperatingContext, ParameterError
from bakeoff.learners import (
    CostSensitiveClassifier,
    HullClassifier,
    MetaCostClassifier,
    PriorCorrectedClassifier,
    ThresholdClassifier,
)

BAYES, TREE = GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)


def learners(inner=BAYES, *, several=False):
    names = ["setosa", "versicolor", "virginica"] if several else ["no", "yes"]
    costs = {t: {p: float(t != p) * (5 if t == names[-1] else 1) for p in names} for t in names}
    context = OperatingContext.multiclass(costs)
    return {
        "metacost": MetaCostClassifier(inner, cost_matrix=costs, n_estimators=5, random_state=0),
        "expected": CostSensitiveClassifier(inner, cost_matrix=costs),
        "reweight": CostSensitiveClassifier(inner, cost_matrix=costs, method="reweight"),
        "resample": CostSensitiveClassifier(inner, cost_matrix=costs, method="resample", random_state=0),
        "threshold": ThresholdClassifier(inner, context=context, cv=3),
        "hull": HullClassifier([("a", inner), ("tree", TREE)], context=context, cv=3),
        "prior": PriorCorrectedClassifier(inner, priors="uniform"),
    }


NAMES = list(learners())


@pytest.fixture(scope="module")
def two():
    X, y = make_blobs(n_samples=[150, 50], centers=[[0, 0, 0], [1.5, 1, 1]], random_state=3)
    return X, np.where(y == 1, "yes", "no")


@pytest.fixture(scope="module")
def three():
    X, y = load_iris(return_X_y=True)
    return X[:, :2], np.array(["setosa", "versicolor", "virginica"])[y]


@pytest.mark.parametrize("name", NAMES)
def test_string_classes_and_probabilities(name, two):
    X, y = two
    model = learners()[name].fit(X, y)
    assert model.classes_.tolist() == ["no", "yes"]
    assert set(model.predict(X)) == {"no", "yes"}
    P = model.predict_proba(X)
    assert P.shape == (200, 2)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    # A miss costs five false alarms (or the prior was raised): more is called "yes" than the plain classifier does.
    assert (model.predict(X) == "yes").sum() > (GaussianNB().fit(X, y).predict(X) == "yes").sum()


@pytest.mark.parametrize("name", NAMES)
def test_three_classes(name, three):
    X, y = three
    model = learners(several=True)[name].fit(X, y)
    assert model.predict_proba(X).shape == (150, 3)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert (model.predict(X) == y).mean() > 0.6
    if name != "prior":  # missing a virginica costs five times any other error
        assert (model.predict(X) == "virginica").sum() > (GaussianNB().fit(X, y).predict(X) == "virginica").sum()


@pytest.mark.parametrize("name", NAMES)
def test_clone_and_pickle_keep_the_model(name, two):
    X, y = two
    model = learners()[name].fit(X, y)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    copy = clone(model)
    assert not hasattr(copy, "classes_")
    np.testing.assert_array_equal(copy.fit(X, y).predict(X), model.predict(X))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("name", NAMES)
def test_frames_in_and_feature_names(name, frame, two):
    X, y = two
    table = frame({f"x{j}": X[:, j] for j in range(3)})
    labels = pd.Series(y) if frame is pd.DataFrame else pl.Series(y)
    model = learners()[name].fit(table, labels)
    assert model.feature_names_in_.tolist() == ["x0", "x1", "x2"]
    assert model.n_features_in_ == 3
    np.testing.assert_array_equal(model.predict(table), learners()[name].fit(X, y).predict(X))


@pytest.mark.parametrize("name", NAMES)
def test_weights_reach_a_pipeline(name, two):
    X, y = two
    weight = np.where(y == "yes", 30.0, 1.0)
    inner = make_pipeline(StandardScaler(), GaussianNB())
    light, heavy = learners(inner)[name].fit(X, y), learners(inner)[name].fit(X, y, sample_weight=weight)
    assert (heavy.predict(X) == "yes").sum() != (light.predict(X) == "yes").sum() or name == "prior"
    if name == "prior":  # the prior taught is known, so it is taken out again
        assert heavy.training_priors_[1] > 0.9


@pytest.mark.parametrize("name", ["metacost", "expected", "reweight", "threshold", "hull", "prior"])
def test_weights_are_refused_where_they_cannot_be_used(name, two):
    X, y = two
    with pytest.raises(ParameterError, match="KNeighborsClassifier cannot learn from weighted rows"):
        learners(KNeighborsClassifier())[name].fit(X, y, sample_weight=np.ones(len(y)))


def test_reweighting_needs_weights_and_resampling_does_not(two):
    X, y = two
    with pytest.raises(ParameterError, match="method='resample'"):
        learners(KNeighborsClassifier())["reweight"].fit(X, y)
    assert learners(KNeighborsClassifier())["resample"].fit(X, y).predict(X).shape == (200,)


@pytest.mark.parametrize("name", NAMES)
def test_metadata_routing(name, two):
    X, y = two
    weight = np.where(y == "yes", 30.0, 1.0)
    with config_context(enable_metadata_routing=True):
        asks = GaussianNB().set_fit_request(sample_weight=True)
        model = learners(asks)[name].set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        if name == "hull":
            model.set_params(tree=clone(TREE).set_fit_request(sample_weight=True))
        routed = model.fit(X, y, sample_weight=weight).predict(X)
        scores = cross_val_score(model, X, y, params={"sample_weight": weight}, cv=3)
    np.testing.assert_array_equal(routed, learners()[name].fit(X, y, sample_weight=weight).predict(X))
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("name", ["threshold", "hull"])
def test_groups_reach_the_splitter(name, two):
    from sklearn.model_selection import GroupKFold

    X, y = two
    groups = np.arange(len(y)) % 10
    with config_context(enable_metadata_routing=True):
        model = learners()[name].set_params(cv=GroupKFold(5))
        assert model.fit(X, y, groups=groups).predict(X).shape == (200,)


def test_grid_search_reaches_inside(two):
    X, y = two
    search = GridSearchCV(learners()["hull"], {"a__var_smoothing": [1e-9, 1.0], "cv": [2, 3]}, cv=3).fit(X, y)
    assert set(search.best_params_) == {"a__var_smoothing", "cv"}


def test_the_data_are_left_to_the_wrapped_classifier(two):
    # Learners do not convert X: text columns go to whoever can read them.
    from sklearn.compose import make_column_transformer
    from sklearn.preprocessing import OneHotEncoder

    X, y = two
    table = pd.DataFrame({"size": X[:, 0], "colour": np.where(X[:, 1] > 0.5, "red", "blue")})
    inner = make_pipeline(
        make_column_transformer((OneHotEncoder(), ["colour"]), remainder="passthrough"), LogisticRegression()
    )
    for name in ("metacost", "resample", "threshold"):
        assert set(learners(inner)[name].fit(table, y).predict(table)) == {"no", "yes"}


@pytest.mark.parametrize("name", NAMES)
def test_wrong_number_of_features_is_refused(name, two):
    X, y = two
    model = learners()[name].fit(X, y)
    with pytest.raises(ValueError, match="features"):
        model.predict(X[:, :2])


@pytest.mark.parametrize("name", ["threshold", "hull"])
def test_moved_thresholds_still_classify_well(name):
    # What scikit-learn's check_classifiers_train, from which these two are exempt, asks beside the argmax.
    X, y = make_blobs(n_samples=300, random_state=0)
    X = StandardScaler().fit_transform(X)
    model = (
        ThresholdClassifier(LogisticRegression(), cv=3)
        if name == "threshold"
        else HullClassifier([("linear", LogisticRegression()), ("bayes", GaussianNB())], cv=3)
    ).fit(X, y)
    assert (model.predict(X) == y).mean() > 0.85
    agreement = (model.classes_[model.predict_proba(X).argmax(axis=1)] == model.predict(X)).mean()
    assert agreement > 0.95


@pytest.mark.parametrize("name", NAMES)
def test_missing_labels_and_wrong_lengths_are_refused(name, two):
    X, y = two
    broken = y.astype(object)
    broken[3] = None
    with pytest.raises(ValueError, match="missing labels, but 1 are"):
        learners()[name].fit(X, broken)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        learners()[name].fit(X, y[:-1])
    with pytest.raises(ValueError, match="sample_weight must have one value per row"):
        learners()[name].fit(X, y, sample_weight=[1.0, 2.0])
    with pytest.raises(ValueError, match="not negative"):
        learners()[name].fit(X, y, sample_weight=np.full(len(y), -1.0))
