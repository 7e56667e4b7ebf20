"""Measures of probabilities against scikit-learn and R, at the edges 0 and 1 too."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn import metrics

import bakeoff
from bakeoff import measures
from oracle import assert_case, cases

PEERS = {
    "log_loss": metrics.log_loss,
    "brier": metrics.brier_score_loss,
}


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("weighted", [False, True])
def test_against_scikit_learn(name, weighted, rng):
    truth = rng.integers(0, 2, 200)
    score = np.round(np.clip(rng.normal(0.4 + 0.2 * truth, 0.2), 0.01, 0.99), 2)
    extra = {"sample_weight": rng.random(200)} if weighted else {}
    expected = PEERS[name](truth, score, **extra)
    assert measures.get(name)(truth, score, **extra) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("case", cases("probability_scores"), ids=lambda c: c["id"])
def test_probability_measures(case):
    truth, chance = case["input"]["y"], case["input"]["p"]
    names = {"brier": "brier", "log_loss": "log_loss", "ece_10_equal_width": "calibration_error", "auc": "auc"}
    assert_case(case, {key: measures.get(name)(truth, chance) for key, name in names.items()})


@pytest.mark.parametrize("case", cases("probability_scores_edges"), ids=lambda c: c["id"])
def test_probability_measures_on_the_edges(case):
    truth, chance = case["input"]["y"], case["input"]["p"]
    names = {"brier": "brier", "log_loss_clip_eps64": "log_loss", "ece_right_closed": "calibration_error"}
    assert_case(case, {key: measures.get(name)(truth, chance) for key, name in names.items()})


@pytest.mark.parametrize("case", cases("multiclass_auc"), ids=lambda c: c["id"])
def test_multiclass_probability_measures(case):
    truth, table = case["input"]["y_1based"], case["input"]["P"]
    names = {"hand_till_M": "hand_till_auc", "log_loss": "log_loss", "brier_sum": "brier"}
    assert_case(case, {key: measures.get(name)(truth, table) for key, name in names.items()})
    called = np.array(table).argmax(axis=1) + 1
    assert_case(case, {"accuracy": measures.get("accuracy")(truth, called)})


def test_certain_answers_that_were_all_right_are_told_too():
    """What one wrong one would cost is not in the rows: gates at their margin passed 31 % on log loss."""
    y, p = np.array([0, 0, 1, 1] * 10), np.array([0.0, 0.2, 0.7, 0.9] * 10)
    evidence = bakeoff.Predictions.from_arrays(y, y_score={"m": p, "soft": np.clip(p, 0.013, 0.987)}, pos_label=1)
    with pytest.warns(bakeoff.BakeoffWarning, match="A class was given no chance on 10 rows, rightly each time"):
        found = bakeoff.evaluate(evidence, "log_loss")
    assert "clipped-probabilities" not in [note.code for note in found["soft", "log_loss"].notes]


@pytest.mark.parametrize(("digits", "n", "told"), [(1, 40, True), (2, 40, True), (3, 40, False), (2, 20, False)])
def test_chances_rounded_so_that_0_may_be_given_are_told(digits, n, told):
    """None is 0 on these rows, and the sample looks harmless; a few rows are multiples of 0.01 by accident."""
    y, p = np.arange(n) % 2, np.round(np.linspace(0.111, 0.888, n), digits)
    evidence = bakeoff.Predictions.from_arrays(y, y_score={"m": p}, pos_label=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        notes = bakeoff.evaluate(evidence, "log_loss")["m", "log_loss"].notes
    found = [str(note.text) for note in notes if note.code == "clipped-probabilities"]
    assert [f"multiples of {10**-digits:g}" in text for text in found] == [True] * told
