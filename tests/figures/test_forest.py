from __future__ import annotations

import pytest

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
