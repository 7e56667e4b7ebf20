"""The ROC convex-hull hybrid: vertices, mixtures, probabilities."""

from __future__ import annotations

import diabetes
import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from bakeoff import OperatingContext, ParameterError
from bakeoff.decision import HullVertex, RocHull
from bakeoff.learners import HullClassifier, Mixture
from bakeoff.learners._hull_rules import HullRules, mix
from bakeoff.learners._rules import parse_target
from oracle import worked_examples

CV = StratifiedKFold(5)
MODELS = [
    ("bayes", GaussianNB()),
    ("tree", DecisionTreeClassifier(max_depth=4, random_state=0)),
    ("linear", make_pipeline(StandardScaler(), LogisticRegression())),
]


@pytest.fixture(scope="module")
def data():
    X, y, X_test, y_test = diabetes.split()
    return X, (y == "tested_positive").astype(int), X_test, (y_test == "tested_positive").astype(int)


@pytest.fixture(scope="module")
def out_of_fold(data):
    X, y, _, _ = data
    return {name: cross_val_predict(model, X, y, cv=CV, method="predict_proba")[:, 1] for name, model in MODELS}


@pytest.mark.parametrize("cost_fn", [0.2, 1, 3, 10, 100])
def test_the_vertex_is_the_cheapest_of_all_models_and_thresholds(cost_fn, data, out_of_fold):
    X, y, _, _ = data
    context = OperatingContext(cost_fn=cost_fn).at(y.mean())
    model = HullClassifier(MODELS, context=context, cv=CV).fit(X, y)
    everything = [
        context.expected_cost((s >= t)[y == 0].mean(), (s >= t)[y == 1].mean())
        for s in out_of_fold.values()
        for t in [np.inf, *np.unique(s)]
    ]
    assert context.expected_cost(model.vertex_.fpr, model.vertex_.tpr) == pytest.approx(min(everything), rel=1e-12)


def test_predict_is_the_owner_at_its_threshold(data):
    X, y, X_test, _ = data
    model = HullClassifier(MODELS, context=OperatingContext(cost_fn=3), cv=CV).fit(X, y)
    owner = dict(MODELS)[model.vertex_.model].fit(X, y)
    p = owner.predict_proba(X_test)[:, 1]
    said = model.predict(X_test)
    assert said[p >= model.vertex_.threshold].all()  # the cut lies in the gap below the threshold seen
    assert said.sum() >= (p >= model.vertex_.threshold).sum()
    assert p[said == 1].min() > p[said == 0].max()


def test_only_owners_of_vertices_are_kept(data):
    X, y, _, _ = data
    noise = DecisionTreeClassifier(max_depth=1, max_features=1, splitter="random", random_state=5)
    model = HullClassifier([*MODELS, ("noise", noise)], cv=CV).fit(X, y)
    owners = {v.model for v in model.hulls_[1].vertices} - set(model.hulls_[1].trivial)
    assert set(model.estimators_) == owners
    assert "noise" in model.dominated_
    assert set(model.dominated_) | owners == {"bayes", "tree", "linear", "noise"}


def test_a_trivial_rule_can_win(data):
    X, _, X_test, _ = data
    coin = np.random.default_rng(0).integers(0, 2, size=len(X))
    model = HullClassifier(MODELS, context=OperatingContext(cost_fn=1e6), cv=CV).fit(X, coin)
    assert model.vertex_.model == "always positive"
    assert model.predict(X_test - 1000).all()


def test_fawcett_insurance_example():
    # 4000 clients, 240 responders, a budget of 800: no vertex selects 800, a mixture of two does.
    example = worked_examples("roc_cost")["fawcett2006_rocch_interpolation"]
    goal, prevalence = parse_target("selected = 0.2"), 240 / 4000
    a, b = HullVertex(*example["A"], "A", np.nan), HullVertex(*example["B"], "B", np.nan)
    mixture = mix(a, b, goal, prevalence)
    assert mixture.share == pytest.approx(example["exact_k"])
    assert (mixture.fpr, mixture.tpr) == pytest.approx(tuple(example["exact_point"]))
    # A lies below the hull of B and "always negative": mixing those two reaches more responders on the same budget.
    hull = RocHull.from_points({"A": tuple(example["A"]), "B": tuple(example["B"])})
    better = HullRules(hull).between(goal, OperatingContext(prevalence=prevalence))
    assert (better.low.model, better.high.model) == ("always negative", "B")
    assert better.share == pytest.approx(800 / example["B_selected"], abs=1e-3)
    assert better.tpr > mixture.tpr


@pytest.mark.parametrize(("target", "rate"), [("fpr = 0.15", "fpr"), ("tpr = 0.8", "tpr"), ("selected = 0.3", "")])
def test_a_target_between_vertices_is_reached_by_chance(target, rate, data):
    X, y, _, _ = data
    model = HullClassifier(MODELS, target=target, cv=CV, random_state=0).fit(X, y)
    mixture = model.vertex_
    assert isinstance(mixture, Mixture)
    value = float(target.split()[-1])
    reached = {"fpr": mixture.fpr, "tpr": mixture.tpr}.get(rate, y.mean() * mixture.tpr + (1 - y.mean()) * mixture.fpr)
    assert reached == pytest.approx(value)
    draws = np.array([model.set_params(random_state=seed).predict(X) for seed in range(200)])
    ends = []
    for share in (0.0, 1.0):
        model.vertex_ = mixture._replace(share=share)
        ends.append(model.predict(X))
    low, high = ends
    assert (low != high).any()
    expected = (1 - mixture.share) * low + mixture.share * high
    np.testing.assert_allclose(draws.mean(axis=0), expected, atol=5 * 0.5 / np.sqrt(200))


def test_the_same_seed_tosses_the_same_coins(data):
    X, y, X_test, _ = data
    model = HullClassifier(MODELS, target="fpr = 0.15", cv=CV, random_state=3).fit(X, y)
    np.testing.assert_array_equal(model.predict(X_test), model.predict(X_test))


def test_the_probability_of_one_model_is_isotonic_calibration(data, out_of_fold):
    # Fawcett & Niculescu-Mizil: the slopes of the hull are PAV's calibrated odds.
    X, y, _, _ = data
    rules = HullClassifier(MODELS[:1], cv=CV).fit(X, y)._rules[1]
    s = out_of_fold["bayes"]
    isotonic = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(s, y)
    got = rules.probability({"bayes": s}, len(s))
    np.testing.assert_allclose(got, isotonic.predict(s), atol=1e-9)


def test_the_hybrid_curve_follows_the_hull(data, out_of_fold):
    # Ranked by the hybrid probability, out-of-fold rows have nearly the area of the hull, above every member's.
    from bakeoff.stats import auc

    X, y, _, _ = data
    model = HullClassifier(MODELS, cv=CV).fit(X, y)
    hybrid = auc(y, model._rules[1].probability(out_of_fold, len(y)))
    assert hybrid > max(auc(y, s) for s in out_of_fold.values())
    assert hybrid > model.hulls_[1].auc - 0.02


def test_several_classes_have_one_hull_each():
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    X = X[:, :3]
    names = np.array(["barolo", "grignolino", "barbera"])[y]
    costs = {t: {p: float(t != p) for p in set(names)} for t in set(names)}
    model = HullClassifier(MODELS, context=OperatingContext.multiclass(costs), cv=CV).fit(X, names)
    assert set(model.hulls_) == set(names)
    assert (model.predict(X) == names).mean() > 0.75
    costs["barbera"] = dict.fromkeys(set(names), 50.0) | {"barbera": 0.0}
    wary = HullClassifier(MODELS, context=OperatingContext.multiclass(costs), cv=CV).fit(X, names)
    assert (wary.predict(X) == "barbera").sum() > (model.predict(X) == "barbera").sum()
    rare = OperatingContext.multiclass(costs, {"barolo": 0.5, "grignolino": 0.4999, "barbera": 0.0001})
    assert (HullClassifier(MODELS, context=rare, cv=CV).fit(X, names).predict(X) == "barbera").sum() < (
        wary.predict(X) == "barbera"
    ).sum()


def test_a_mapping_of_models_is_accepted(data):
    X, y, X_test, _ = data
    by_pairs = HullClassifier(MODELS, cv=CV).fit(X, y)
    by_name = HullClassifier(dict(MODELS), cv=CV).fit(X, y)
    np.testing.assert_array_equal(by_pairs.predict(X_test), by_name.predict(X_test))


def test_mistakes_are_said_plainly(data):
    X, y, _, _ = data
    with pytest.raises(ParameterError, match=r"list of \(name, classifier\) pairs"):
        HullClassifier([GaussianNB()], cv=3).fit(X, y)
    with pytest.raises(ParameterError, match="distinct names"):
        HullClassifier([("a", GaussianNB()), ("a", GaussianNB())], cv=3).fit(X, y)
    with pytest.raises(ParameterError, match="target must be"):
        HullClassifier(MODELS, target="precision = 0.5", cv=3).fit(X, y)
    with pytest.raises(ParameterError, match="target is about a positive class"):
        HullClassifier(MODELS, target="fpr = 0.5", cv=3).fit(X, np.arange(len(y)) % 3)
