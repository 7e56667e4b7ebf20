"""Scorers of scikit-learn become measures, and measures scorers."""

from __future__ import annotations

import pytest
from sklearn import metrics
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bakeoff


def test_scorers_go_in_and_out():
    data = load_breast_cancer()
    model = make_pipeline(StandardScaler(), LogisticRegression())
    ours = cross_val_score(model, data.data, data.target, scoring=bakeoff.measures.get("log_loss").as_scorer())
    assert ours == pytest.approx(cross_val_score(model, data.data, data.target, scoring="neg_log_loss"))
    wrapped = bakeoff.Measure.from_scorer("neg_log_loss")
    assert not wrapped.greater_is_better
    truth, chance = [0, 1, 1, 0], [0.2, 0.7, 0.9, 0.4]
    assert wrapped(truth, chance) == pytest.approx(metrics.log_loss(truth, chance))
    f_two = bakeoff.Measure.from_scorer(metrics.make_scorer(metrics.fbeta_score, beta=2))
    assert f_two([0, 1, 1, 0], [1, 1, 0, 0]) == pytest.approx(metrics.fbeta_score([0, 1, 1, 0], [1, 1, 0, 0], beta=2))
    assert bakeoff.measures.f_beta(2)([0, 1, 1, 0], [1, 1, 0, 0]) == f_two([0, 1, 1, 0], [1, 1, 0, 0])
