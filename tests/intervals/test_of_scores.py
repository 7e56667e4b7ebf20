"""evaluate of scores that are already numbers: the same answer as from the predictions they were made of."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import bakeoff
from bakeoff import BakeoffWarning, EvidenceError, ParameterError, Predictions, Scores


def folds(rng):
    truth = np.arange(120) % 2
    called = {m: np.where(rng.random(120) < share, truth, 1 - truth) for m, share in (("a", 0.8), ("b", 0.6))}
    return Predictions.from_arrays(truth, y_pred=called, fold=np.arange(120) // 24)


def test_equal_to_the_evaluation_of_the_predictions(rng):
    predictions = folds(rng)
    of_rows = bakeoff.evaluate(predictions, "accuracy", interval="corrected-t")
    of_scores = bakeoff.evaluate(predictions.scores("accuracy"))
    for model in ("a", "b"):
        expected, found = of_rows[model, "accuracy"], of_scores[model, "accuracy"]
        assert (found.estimate, found.low, found.high) == pytest.approx(
            (expected.estimate, expected.low, expected.high)
        )
        assert found.method == "corrected-t"


def test_corrected_t_by_hand():
    values = np.array([0.71, 0.78, 0.74, 0.80, 0.69])
    table = pd.DataFrame({"model": "m", "fold": range(5), "value": values})
    scores = Scores.from_frame(table, model="model", value="value", fold="fold", measure="auc", n_train=80, n_test=20)
    found = bakeoff.evaluate(scores, "roc_auc")["m", "auc"]
    half = stats.t.ppf(0.975, 4) * np.sqrt((1 / 5 + 20 / 80) * values.var(ddof=1))
    assert (found.low, found.high) == pytest.approx((values.mean() - half, values.mean() + half))
    with pytest.warns(BakeoffWarning, match="too narrow"):
        plain = bakeoff.evaluate(scores, interval="t")["m", "auc"]
    assert (plain.low, plain.high) == pytest.approx(stats.t.interval(0.95, 4, values.mean(), stats.sem(values)))


def test_one_score_per_data_set_has_no_interval_and_says_so():
    with pytest.warns(BakeoffWarning, match="a single score does not show how sure it is"):
        found = bakeoff.evaluate(Scores.from_wide([[0.8, 0.7], [0.9, 0.6]], models=["a", "b"]))
    frame = found.to_frame()
    assert frame["estimate"].tolist() == [0.8, 0.7, 0.9, 0.6]
    assert frame["low"].isna().all()
    assert frame["note"].str.len().min() > 0


def test_what_scores_cannot_answer_is_refused(rng):
    scores = folds(rng).scores("accuracy")
    with pytest.raises(EvidenceError, match="'auc' cannot be computed from them"):
        bakeoff.evaluate(scores, "auc")
    with pytest.raises(ParameterError, match="needs predictions row by row"):
        bakeoff.evaluate(scores, interval="wilson")


def test_the_overlap_of_folds_without_sizes_is_that_of_compare():
    values = [0.71, 0.78, 0.74, 0.80, 0.69]
    table = pd.DataFrame({"model": "m", "fold": range(5), "value": values})
    sized, bare = (
        Scores.from_frame(table, model="model", value="value", fold="fold", measure="auc", **sizes)
        for sizes in ({"n_train": 80, "n_test": 20}, {})
    )
    expected, found = (bakeoff.evaluate(scores)["m", "auc"] for scores in (sized, bare))
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert [note.code for note in found.notes] == ["overlap-from-folds"]
