"""An undefined value is NaN with a reason that reaches the user, never a silent 0."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff import BakeoffWarning, Predictions

ONE_CLASS = {"recall": 0, "fnr": 0, "specificity": 1, "fpr": 1, "auc": 0, "average_precision": 0, "h_measure": 0}


@pytest.mark.parametrize(("name", "label"), ONE_CLASS.items())
def test_one_class_leaves_rates_undefined(name, label):
    output = [0.2, 0.8, 0.5] if bakeoff.measures.get(name).needs == "scores" else [0, 1, 1]
    assert np.isnan(bakeoff.measures.get(name)([label] * 3, output, labels=[0, 1]))


def test_precision_of_a_class_never_predicted_is_undefined_but_its_f1_is_zero():
    truth, called = [0, 0, 1, 1], [0, 0, 0, 0]
    assert np.isnan(bakeoff.measures.get("precision")(truth, called))
    assert np.isnan(bakeoff.measures.get("precision_macro")(truth, called))
    assert bakeoff.measures.get("f1")(truth, called) == 0.0


def test_reason_reaches_the_evaluation():
    predictions = Predictions.from_arrays([0, 0, 1, 1], y_pred={"shy": [0, 0, 0, 0]})
    with pytest.warns(BakeoffWarning, match="precision undefined: no row is predicted positive in 'data'"):
        evaluation = bakeoff.evaluate(predictions, ["precision"], rng=0)
    interval = evaluation["shy", "precision"]
    assert np.isnan(interval.estimate)
    assert "no row is predicted positive" in evaluation.to_frame()["note"][0]


def test_summary_over_folds_says_how_many():
    truth = [0, 1, 0, 1, 0, 0]
    predictions = Predictions.from_arrays(truth, y_score={"m": [0.1, 0.9, 0.2, 0.3, 0.4, 0.3]}, fold=[0, 0, 1, 1, 2, 2])
    with pytest.warns(BakeoffWarning, match="mean over 2 of 3 folds"):
        evaluation = bakeoff.evaluate(predictions, ["auc"], interval="corrected-t", rng=0)
    assert evaluation["m", "auc"].estimate == 1.0


def test_constant_truth_has_no_r2():
    assert np.isnan(bakeoff.measures.get("r2")([3.0, 3.0, 3.0], [3.0, 2.0, 4.0]))


def test_kappa_of_one_class_everywhere_is_undefined():
    assert np.isnan(bakeoff.measures.get("kappa")([1, 1], [1, 1], labels=[0, 1]))


def test_mape_with_zero_truth_is_infinite_unless_predicted_exactly():
    mape = bakeoff.measures.get("mape")
    assert mape([0.0, 2.0], [0.0, 1.0]) == 0.25
    assert np.isinf(mape([0.0, 2.0], [0.1, 1.0]))
