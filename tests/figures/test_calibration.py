from __future__ import annotations

import numpy as np
import pytest

from bakeoff.evidence import Predictions
from bakeoff.figures import calibration_figure


def test_points_lie_where_the_positives_are(predictions: Predictions) -> None:
    rows = predictions.table()
    for curve in calibration_figure(predictions).curves:
        assert sum(curve["count"]) == rows.n
        found = np.average(curve["observed"], weights=curve["count"])
        assert found == pytest.approx(rows.positives().mean(), abs=1e-3)
        stated = np.average(curve["mean"], weights=curve["count"])
        assert stated == pytest.approx(rows.scores(curve["model"]).mean(), abs=1e-3)


def test_of_several_classes_the_answer_is_checked(classes: Predictions) -> None:
    figure = calibration_figure(classes)
    rows = classes.table()
    assert "right" in figure.to_dict()["y_title"]
    for curve in figure.curves:
        right = rows.probabilities(curve["model"]).argmax(axis=1) == rows.truth
        weighted = np.average(curve["observed"], weights=curve["count"])
        assert weighted == pytest.approx(right.mean(), abs=1e-3)


def test_bands_for_one_or_two_models_only(predictions: Predictions) -> None:
    assert all("low" not in curve for curve in calibration_figure(predictions).curves)
    two = predictions.select(models=["a", "b"])
    for curve in calibration_figure(two).curves:
        low, observed, high = (np.array(curve[name]) for name in ("low", "observed", "high"))
        assert np.all((low <= observed) & (observed <= high))
