from __future__ import annotations

import numpy as np

import bakeoff
from bakeoff.evidence import Predictions
from bakeoff.figures import cost_curve_figure


def test_strip_and_envelopes(predictions: Predictions) -> None:
    curves, data = bakeoff.cost_curves(predictions), cost_curve_figure(predictions).to_dict()
    assert [(r["model"], r["low"], r["high"]) for r in data["ranges"]] == [
        (r.model, r.pc_low, r.pc_high) for r in curves.ranges(by="model")
    ]
    assert data["ranges"][0]["low"] == 0
    assert data["ranges"][-1]["high"] == 1
    for envelope in data["envelopes"]:
        pc, cost = np.array(envelope["pc"]), np.array(envelope["cost"])
        assert np.all(cost <= np.minimum(pc, 1 - pc) + 1e-5)


def test_a_curve_a_hull_and_predictions_give_the_same_envelopes() -> None:
    truth, rng = np.arange(60) % 2, np.random.default_rng(5)
    scores = {model: truth * 0.3 + rng.random(60) for model in ("a", "b")}
    predictions = Predictions.from_arrays(truth, y_score=scores, pos_label=1)
    analysis, known = bakeoff.roc(predictions), cost_curve_figure(predictions).envelopes
    assert cost_curve_figure(analysis.hull).envelopes == known
    assert cost_curve_figure(analysis.curves["b"]).envelopes == known[1:]
