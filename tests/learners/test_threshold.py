"""The tuned threshold: the cheapest on out-of-fold rows, by brute force."""

from __future__ import annotations

import diabetes
import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import Perceptron
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from bakeoff import EvidenceError, OperatingContext, ParameterError
from bakeoff.learners import ThresholdClassifier

CV = StratifiedKFold(5)


@pytest.fixture(scope="module")
def data():
    X, y, _, _ = diabetes.split()
    return X, (y == "tested_positive").astype(int)


def brute_force(y, scores, context):
    """Least expected cost over every way of cutting the scores."""
    cuts = np.concatenate([[np.inf], np.unique(scores)])
    rates = [((scores >= t)[y == 0].mean(), (scores >= t)[y == 1].mean()) for t in cuts]
    return min(context.at(y.mean()).expected_cost(fpr, tpr) for fpr, tpr in rates)


@pytest.mark.parametrize(
    "context",
    [
        OperatingContext(cost_fn=5),
        OperatingContext(cost_fp=4),
        OperatingContext(prevalence=0.05, cost_fn=10),
        OperatingContext(cost_fn=8, cost_tp=2, cost_tn=-1),
    ],
)
def test_no_threshold_is_cheaper_out_of_fold(context, data):
    X, y = data
    model = ThresholdClassifier(GaussianNB(), context=context, cv=CV).fit(X, y)
    scores = cross_val_predict(GaussianNB(), X, y, cv=CV, method="predict_proba")[:, 1]
    assert model.expected_cost_ == pytest.approx(brute_force(y, scores, context), rel=1e-12)
    called = scores >= model.threshold_
    assert (called[y == 0].mean(), called[y == 1].mean()) == pytest.approx((model.fpr_, model.tpr_))


def test_predict_uses_the_threshold(data):
    X, y = data
    model = ThresholdClassifier(GaussianNB(), context=OperatingContext(cost_fn=5)).fit(X, y)
    p = GaussianNB().fit(X, y).predict_proba(X)[:, 1]
    np.testing.assert_array_equal(model.predict(X), (p >= model.threshold_).astype(int))
    np.testing.assert_array_equal(model.predict_proba(X)[:, 1], p)


def test_a_decision_function_will_do(data):
    X, y = data
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    model = ThresholdClassifier(LinearSVC(), context=OperatingContext(cost_fn=5), cv=CV).fit(X, y)
    scores = cross_val_predict(LinearSVC(), X, y, cv=CV, method="decision_function")
    assert model.expected_cost_ == pytest.approx(brute_force(y, scores, OperatingContext(cost_fn=5)))
    assert model.threshold_ < 0
    np.testing.assert_array_equal(model.predict(X), (model.decision_function(X) >= model.threshold_).astype(int))


def test_the_positive_class_may_sort_first(data):
    X, y = data
    labels = np.where(y == 1, "a positive", "b negative")
    context = OperatingContext(cost_fn=5)
    named = ThresholdClassifier(GaussianNB(), context=context, pos_label="a positive").fit(X, labels)
    plain = ThresholdClassifier(GaussianNB(), context=context).fit(X, y)
    assert named.threshold_ == pytest.approx(plain.threshold_)
    np.testing.assert_array_equal(named.predict(X) == "a positive", plain.predict(X) == 1)
    by_matrix = OperatingContext.multiclass(
        {"a positive": {"a positive": 0, "b negative": 5}, "b negative": {"a positive": 1, "b negative": 0}}
    )
    matrix = ThresholdClassifier(GaussianNB(), context=by_matrix).fit(X, labels)
    np.testing.assert_array_equal(matrix.predict(X), named.predict(X))


def test_the_positive_class_is_never_guessed(data):
    X, y = data
    labels = np.where(y == 1, "sick", "well")
    for model in (
        ThresholdClassifier(GaussianNB(), context=OperatingContext(cost_fn=5)),
        ThresholdClassifier(GaussianNB(), context=OperatingContext(prevalence=0.1)),
        ThresholdClassifier(GaussianNB(), constraint="recall >= 0.9"),
    ):
        with pytest.raises(EvidenceError, match="positive class is not clear: the classes are 'sick', 'well'"):
            model.fit(X, labels)
    assert ThresholdClassifier(GaussianNB()).fit(X, labels).predict(X).shape == y.shape  # equal costs: no matter
    with pytest.raises(ParameterError, match="pos_label must be one of"):
        ThresholdClassifier(GaussianNB(), pos_label="ill").fit(X, labels)


@pytest.mark.parametrize(
    ("constraint", "rate"),
    [
        ("recall >= 0.9", lambda fpr, tpr, b: tpr >= 0.9),
        ("fpr <= 0.1", lambda fpr, tpr, b: fpr <= 0.1),
        ("specificity ≥ 0.8", lambda fpr, tpr, b: 1 - fpr >= 0.8),
        ("precision >= 0.7", lambda fpr, tpr, b: b * tpr >= 0.7 * (b * tpr + (1 - b) * fpr)),
        ("selected <= 0.2", lambda fpr, tpr, b: b * tpr + (1 - b) * fpr <= 0.2),
    ],
)
def test_constraints_are_kept_at_least_cost(constraint, rate, data):
    X, y = data
    model = ThresholdClassifier(GaussianNB(), constraint=constraint, cv=CV).fit(X, y)
    scores = cross_val_predict(GaussianNB(), X, y, cv=CV, method="predict_proba")[:, 1]
    assert rate(model.fpr_, model.tpr_, y.mean())
    context = OperatingContext().at(y.mean())
    points = [((scores >= t)[y == 0].mean(), (scores >= t)[y == 1].mean()) for t in [np.inf, *np.unique(scores)]]
    kept = [context.expected_cost(*point) for point in points if rate(*point, y.mean())]
    assert model.expected_cost_ == pytest.approx(min(kept))


def test_an_impossible_constraint_says_how_far_one_gets(data):
    X, y = data
    with pytest.raises(EvidenceError, match=r"no threshold keeps the constraint 'precision >= 0\.999'.*at best"):
        ThresholdClassifier(GaussianNB(), constraint="precision >= 0.999").fit(X, y)


@pytest.mark.parametrize("text", ["recall", "recall = 0.9", "recall >= 2", "recal >= 0.9", 0.9, "accuracy > 0.5"])
def test_a_constraint_must_be_readable(text, data):
    with pytest.raises(ParameterError, match="constraint"):
        ThresholdClassifier(GaussianNB(), constraint=text).fit(*data)


def test_where_the_data_cannot_tell_theory_decides():
    X = np.array([[0.0], [0.1], [0.2], [0.3], [0.9], [1.0], [1.1], [1.2]])
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])  # every threshold in the gap is free of error
    model = ThresholdClassifier(GaussianNB(), context=OperatingContext(cost_fn=4), cv=2).fit(X, y)
    assert model.threshold_ == pytest.approx(1 / 5)  # Elkan's
    moved = ThresholdClassifier(GaussianNB(), context=OperatingContext(prevalence=0.2, cost_fn=4), cv=2).fit(X, y)
    assert moved.threshold_ == pytest.approx(0.5)  # ... moved by the change of prevalence


def test_a_trivial_rule_can_win():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.arange(60) % 2
    model = ThresholdClassifier(GaussianNB(), context=OperatingContext(cost_fn=1000)).fit(X, y)
    assert model.predict(rng.normal(size=(50, 2)) * 9).tolist() == [1] * 50
    assert model.expected_cost_ == pytest.approx(0.5)


def test_several_classes_are_at_least_as_cheap_as_theory():
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    X = X[:, :3]
    costs = np.array([[0, 2, 9], [1, 0, 3], [5, 1, 0]], dtype=float)
    forest = RandomForestClassifier(n_estimators=15, max_depth=2, random_state=0)
    model = ThresholdClassifier(forest, context=OperatingContext.multiclass(costs), cv=CV).fit(X, y)
    P = cross_val_predict(forest, X, y, cv=CV, method="predict_proba")

    def mean_cost(weights):
        return costs[y, np.argmin((P * weights) @ costs, axis=1)].mean()

    assert model.expected_cost_ == pytest.approx(mean_cost(model.class_weights_))
    assert model.expected_cost_ < mean_cost(np.ones(3))
    np.testing.assert_array_equal(
        model.predict(X), np.argmin((model.predict_proba(X) * model.class_weights_) @ costs, axis=1)
    )
    rare = ThresholdClassifier(forest, context=OperatingContext.multiclass(costs, [0.01, 0.01, 0.98]), cv=CV).fit(X, y)
    assert (rare.predict(X) == 2).sum() > (model.predict(X) == 2).sum()


def test_what_several_classes_cannot_do():
    X, y = np.arange(30.0)[:, None], np.arange(30) % 3
    with pytest.raises(ParameterError, match="the context is of two classes, but the data has 3"):
        ThresholdClassifier(GaussianNB(), context=OperatingContext(cost_fn=5), cv=3).fit(X, y)
    with pytest.raises(ParameterError, match="constraint is about a positive class"):
        ThresholdClassifier(GaussianNB(), constraint="recall >= 0.9", cv=3).fit(X, y)
    with pytest.raises(ParameterError, match="must be an OperatingContext"):
        ThresholdClassifier(GaussianNB(), context=[[0, 1], [1, 0]], cv=3).fit(X, y % 2)


def test_labels_only_have_no_threshold(data):
    class Oracle(Perceptron):
        decision_function = property()

    with pytest.raises(ParameterError, match="Oracle answers labels only"):
        ThresholdClassifier(Oracle()).fit(*data)
