from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff.evidence import Predictions
from bakeoff.figures import roc_figure


def test_curves_and_hull_are_those_of_the_analysis(predictions: Predictions) -> None:
    analysis, data = bakeoff.roc(predictions), roc_figure(predictions, bands=False).to_dict()
    for curve in data["curves"]:
        known = analysis.curves[curve["model"]]
        assert curve["auc"] == pytest.approx(analysis.auc[curve["model"]].estimate)
        assert curve["low"] <= curve["auc"] <= curve["high"]
        assert len(curve["fpr"]) <= known.fpr.size
        assert np.trapezoid(curve["tpr"], curve["fpr"]) == pytest.approx(np.trapezoid(known.tpr, known.fpr), abs=2e-3)
    assert [(v["fpr"], v["tpr"], v["model"]) for v in data["hull"]] == [
        (v.fpr, v.tpr, v.model) for v in analysis.vertices
    ]


def test_bands_hold_the_curve_and_labels_have_none(predictions: Predictions) -> None:
    figure = roc_figure(predictions)
    assert set(figure.bands) == {"a", "b", "c"}
    for band in figure.bands.values():
        assert np.all(np.array(band["low"]) <= np.array(band["high"]))
    labels = Predictions.from_arrays([0, 1] * 30, y_pred={"a": [0, 1] * 30, "b": [0, 1, 1, 1] * 15}, pos_label=1)
    assert roc_figure(labels).bands == {}
