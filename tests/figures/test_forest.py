from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff.evidence import Predictions
from bakeoff.figures import forest_figure
from bakeoff.intervals import Evaluation


def test_rows_are_the_evaluation_best_first(evaluation: Evaluation) -> None:
    figure = forest_figure(evaluation)
    estimates = [row["estimate"] for row in figure.rows]
    assert estimates == sorted(estimates, reverse=True)
    for row in figure.rows:
        known = evaluation["d", row["model"], "auc"]
        assert (row["estimate"], row["low"], row["high"]) == pytest.approx((known.estimate, known.low, known.high))


def test_baselines_are_a_line_not_rows(evaluation: Evaluation) -> None:
    figure = forest_figure(evaluation, "accuracy")
    assert {row["model"] for row in figure.rows} == {"a", "b", "c"}
    best = max(evaluation["d", model, "accuracy"].estimate for model in evaluation.baselines)
    assert figure.reference == pytest.approx(best)
    assert "95 %" in figure.caption


def test_a_trivial_rule_far_away_does_not_squeeze_the_models_together() -> None:
    truth = np.arange(400) % 2
    noise = np.random.default_rng(0).normal(0, 1, 400)
    near = Predictions.from_arrays(truth, y_score={"a": truth + 5 * noise}, pos_label=1)
    far = Predictions.from_arrays(truth, y_score={"a": truth + 0.3 * noise}, pos_label=1)
    made = [forest_figure(bakeoff.evaluate(p, ["auc"], baselines=True), "auc") for p in (near, far)]
    assert [f.off_scale for f in made] == [False, True]
    assert "0.5, is off the scale" in made[1].caption
