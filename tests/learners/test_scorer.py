"""Expected cost as a scikit-learn scorer."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV, cross_val_score
from sklearn.naive_bayes import GaussianNB

from bakeoff import EvidenceError, OperatingContext
from bakeoff.learners import ThresholdClassifier, make_cost_scorer
from oracle import worked_examples


class Answers(DummyClassifier):
    """Says what stands in the first column."""

    def predict(self, X):
        return np.asarray(X)[:, 0]


def score(scorer, truth, said, **kwargs):
    said = np.asarray(said)
    model = Answers().fit(said[:, None], truth)
    return scorer(model, said[:, None], np.asarray(truth), **kwargs)


def cancer(tp, fn, fp, tn):
    return [1] * (tp + fn) + [0] * (fp + tn), [1] * tp + [0] * fn + [1] * fp + [0] * tn


def test_the_lectures_cancer_example():
    example = worked_examples("roc_cost")["seed004_cancer"]
    truth, said = cancer(tp=90, fn=10, fp=40, tn=60)
    assert score(make_cost_scorer([[0, 10], [10_000, 0]]), truth, said) == -example["mean_cost"]["A"]
    for context in example["contexts"]:
        scorer = make_cost_scorer(
            OperatingContext(prevalence=context["prior_pos"], cost_fp=context["cFP"], cost_fn=context["cFN"])
        )
        assert score(scorer, truth, said) == pytest.approx(-context["expected_cost"]["A"])
        truth_b, said_b = cancer(tp=60, fn=40, fp=10, tn=90)
        assert score(scorer, truth_b, said_b) == pytest.approx(-context["expected_cost"]["B"])


def test_weka_credit_total():
    example = worked_examples("roc_cost")["weka_creditg_cost"]
    truth = ["bad"] * 300 + ["good"] * 700
    said = ["good"] * 183 + ["bad"] * 117 + ["bad"] * 112 + ["good"] * 588
    costs = {"good": {"good": 0, "bad": 1}, "bad": {"good": 5, "bad": 0}}
    assert score(make_cost_scorer(costs), truth, said) == pytest.approx(-example["mean_cost"])


def test_priors_weigh_the_classes_of_a_matrix():
    truth, said = ["a", "a", "b", "c"], ["a", "b", "b", "a"]
    costs = [[0, 1, 2], [3, 0, 4], [6, 5, 0]]
    assert score(make_cost_scorer(costs), truth, said) == pytest.approx(-(1 + 6) / 4)
    context = OperatingContext.multiclass(costs, [0.8, 0.15, 0.05])
    assert score(make_cost_scorer(context), truth, said) == pytest.approx(-(0.8 * 0.5 + 0.05 * 6))


def test_the_positive_class_is_named_or_clear():
    truth, said = ["sick", "well", "well"], ["well", "well", "sick"]
    context = OperatingContext(cost_fp=1, cost_fn=7)
    assert score(make_cost_scorer(context, pos_label="sick"), truth, said) == pytest.approx(-8 / 3)
    with pytest.raises(EvidenceError, match="pos_label"):
        score(make_cost_scorer(context), truth, said)


def test_a_missing_class_is_undefined_only_if_it_counts():
    context = OperatingContext(prevalence=0.3, cost_fn=5)
    with pytest.raises(EvidenceError, match="none of class 'positive'"):
        score(make_cost_scorer(context), [0, 0], [0, 1])
    assert score(make_cost_scorer(OperatingContext(cost_fn=5)), [0, 0], [0, 1]) == -0.5
    costs = [[0, 1, 2], [3, 0, 4], [6, 5, 0]]
    with pytest.raises(EvidenceError, match="labels="):
        score(make_cost_scorer(costs), ["a", "b"], ["a", "a"])
    assert score(make_cost_scorer(costs, labels=["a", "b", "c"]), ["a", "b"], ["a", "a"]) == -1.5


def test_weights_count():
    scorer = make_cost_scorer([[0, 1], [5, 0]])
    assert score(scorer, [0, 1], [1, 0], sample_weight=[3, 1]) == pytest.approx(-(3 * 1 + 1 * 5) / 4)


def test_it_serves_searches_and_scikit_learns_own_threshold_tuning():
    rng = np.random.default_rng(2)
    y = (rng.random(400) < 0.2).astype(int)
    X = rng.normal(size=(400, 2)) + y[:, None]
    context = OperatingContext(cost_fn=8)
    scorer = pickle.loads(pickle.dumps(make_cost_scorer(context)))
    search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 100.0]}, scoring=scorer, cv=3).fit(X, y)
    assert search.best_score_ < 0
    theirs = TunedThresholdClassifierCV(GaussianNB(), scoring=scorer, cv=3).fit(X, y)
    ours = ThresholdClassifier(GaussianNB(), context=context, cv=3).fit(X, y)
    plain, tuned = (cross_val_score(m, X, y, cv=5, scoring=scorer).mean() for m in (GaussianNB(), ours))
    assert tuned > plain
    assert theirs.best_threshold_ == pytest.approx(ours.threshold_, abs=0.05)
    assert -ours.expected_cost_ >= theirs.best_score_ - 0.02
