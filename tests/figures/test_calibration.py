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


def test_curves_never_fall(predictions: Predictions) -> None:
    for curve in calibration_figure(predictions).curves:
        assert np.all(np.diff(curve["observed"]) >= 0)
        assert np.all(np.diff(curve["mean"]) > 0)


def test_the_strip_is_where_a_calibrated_model_lies() -> None:
    rng = np.random.default_rng(0)
    stated = rng.random(3000)
    answers = {"calibrated": stated, "overconfident": np.clip(2 * stated - 0.5, 0, 1)}
    predictions = Predictions.from_arrays(rng.random(3000) < stated, y_score=answers, pos_label=True)
    inside = {}
    for model in answers:
        figure = calibration_figure(predictions, shaded=model)
        assert model in figure.caption
        [curve] = [c for c in figure.curves if "low" in c]
        assert curve["model"] == model
        low, observed, high = (np.array(curve[name]) for name in ("low", "observed", "high"))
        inside[model] = np.mean((low <= observed) & (observed <= high))
    assert inside["calibrated"] > 0.9
    assert inside["overconfident"] < 0.3


def test_one_model_has_its_strip(predictions: Predictions) -> None:
    assert all("low" not in curve for curve in calibration_figure(predictions).curves)
    assert "low" in calibration_figure(predictions.select(models=["a"])).curves[0]
