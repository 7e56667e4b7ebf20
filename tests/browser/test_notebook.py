"""What a notebook shows of each result, drawn in a cell of 860 pixels: the answer in view, no table cut."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff

_PAGE = "<!doctype html><meta charset=utf-8><body style='width:860px;margin:8px'>{body}"


def _results() -> dict[str, object]:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 200)
    names = ["logistic regression", "random_forest", "gradient_boosting_with_a_long_name", "nb", "svm", "knn", "tree"]
    scores = {m: 1 / (1 + np.exp(-rng.normal((7 - i) / 2 * (y - 0.5)))) for i, m in enumerate(names)}
    p = bakeoff.Predictions.from_arrays(y, y_score=scores)
    table = bakeoff.Scores.from_wide(rng.uniform(0.6, 0.9, (12, 4)), models=list("abcd"), measure="auc")
    evaluation = bakeoff.evaluate(p, rng=0, baselines=True)
    return {
        "evaluation": evaluation, "per class": evaluation.per_class, "confusion": evaluation.confusion,
        "comparison": bakeoff.compare(p, rng=0), "over data sets": bakeoff.compare(table, rng=0), "scores": table,
        "decision": bakeoff.decide(p, cost_fp=1, cost_fn=5, rng=0), "predictions": p, "roc": bakeoff.roc(p),
        "plan": bakeoff.plan(measure="auc", difference=0.02, baseline=0.9), "hull": bakeoff.roc(p).hull,
        "advice": bakeoff.advise(n_models=3, n_datasets=1, n_rows=300, task="binary"),
        "calibration": bakeoff.calibration(p, rng=0), "curves": bakeoff.decision_curves(p, n_resamples=100, rng=0),
    }  # fmt: skip


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_every_result_fits_its_cell_and_shows_its_answer_first(watched, tmp_path) -> None:
    for name, result in _results().items():
        file = tmp_path / f"{name}.html"
        file.write_text(_PAGE.format(body=result._repr_html_()), encoding="utf-8")
        watched.page.goto(file.as_uri())
        cut = watched.page.evaluate(
            "[...document.querySelectorAll('table')].filter(t => t.scrollWidth > t.parentElement.clientWidth).length"
        )
        assert cut == 0, name
        if hasattr(result, "verdict"):
            box = watched.page.locator("strong").first.bounding_box()
            assert box["y"] < 60, name
    assert not watched.errors
