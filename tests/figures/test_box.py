from __future__ import annotations

import numpy as np

from bakeoff.evidence import Predictions, Scores
from bakeoff.figures import box_figure


def test_over_data_sets(scores: Scores) -> None:
    figure = box_figure(scores)
    np.testing.assert_allclose(np.transpose([g["values"] for g in figure.groups]), scores.matrix())
    assert figure.labels == tuple(scores.datasets)
    assert figure.title == "AUC over data sets"


def test_over_folds(predictions: Predictions) -> None:
    over_folds = predictions.scores("auc")
    figure = box_figure(over_folds)
    np.testing.assert_allclose(np.transpose([g["values"] for g in figure.groups]), over_folds.folds("d"))
    assert figure.labels[0] == "fold 0"
    assert figure.title == "AUC over folds"
