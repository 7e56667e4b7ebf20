"""An undefined value is NaN with a reason that reaches the user, never a silent 0."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff import BakeoffWarning, Predictions


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
