"""Evidence that the figures are made of, and one figure of every kind."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

import bakeoff
from bakeoff import figures, stats
from bakeoff.comparison import Comparison, guide
from bakeoff.evidence import Predictions, Scores
from bakeoff.figures import FigureData
from bakeoff.figures._base import styles_of
from bakeoff.figures._time_quality import TimeQualityFigure
from bakeoff.intervals import Evaluation


@pytest.fixture(scope="session")
def predictions() -> Predictions:
    rng = np.random.default_rng(11)
    truth = rng.random(300) < 0.4
    scores = {m: np.clip(k * truth + rng.random(300) * (1 - k), 0, 1) for m, k in (("a", 0.3), ("b", 0.5), ("c", 0.4))}
    return Predictions.from_arrays(truth.astype(int), y_score=scores, pos_label=1, dataset="d", fold=np.arange(300) % 5)


@pytest.fixture(scope="session")
def scores() -> Scores:
    rng = np.random.default_rng(12)
    base = rng.uniform(0.6, 0.9, 12)
    shift = (("old", 0.0), ("new", 0.06), ("odd", 0.01), ("far", -0.05))
    return Scores.from_wide(pl.DataFrame({m: base + d + rng.normal(0, 0.01, 12) for m, d in shift}), measure="auc")


@pytest.fixture(scope="session")
def evaluation(predictions: Predictions) -> Evaluation:
    return bakeoff.evaluate(predictions, ["auc", "accuracy"], baselines=True, rng=0)


@pytest.fixture(scope="session")
def over_folds(predictions: Predictions) -> Comparison:
    return bakeoff.compare(predictions, "auc", rng=0)


@pytest.fixture(scope="session")
def over_sets(scores: Scores) -> Comparison:
    return bakeoff.compare(scores, rng=0)


def _teaching() -> tuple[FigureData, ...]:
    hull = bakeoff.RocHull.from_points({"C1": (0.3, 0.4), "C3": (0.2, 0.6)})
    return (
        figures.null_figure(stats.paired_t([0.1, 0.3, 0.2, -0.1])),
        figures.replicates_figure(stats.bootstrap_interval(0.5, np.arange(40) / 40, method="percentile")),
        figures.roc_space_figure(hull, context=bakeoff.OperatingContext(prevalence=0.5)),
        figures.figure_of(stats.simulate_errors(["sign"], n=8, n_samples=100)),
    )


@pytest.fixture(scope="session")
def classes() -> Predictions:
    rng = np.random.default_rng(13)
    truth = rng.choice(["ant", "bee", "cat"], 200, p=[0.5, 0.3, 0.2])
    chances = {}
    for model, strength in (("near", 2.0), ("far", 0.5)):
        logits = rng.normal(0, 1, (200, 3)) + strength * (truth[:, None] == np.array(["ant", "bee", "cat"]))
        chances[model] = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return Predictions.from_arrays(truth, y_score=chances, classes=["ant", "bee", "cat"])


@pytest.fixture(scope="session")
def values() -> Predictions:
    rng = np.random.default_rng(14)
    truth = rng.gamma(3, 50, 1500)
    return Predictions.from_arrays(truth, y_value={"near": truth + rng.normal(3, 5, 1500), "far": truth * 0.8})


@pytest.fixture(scope="session")
def items() -> Predictions:
    return Predictions.from_outcomes({"a": [1, 0, 1, 1, 0, 0], "b": [1, 1, 0, 0, 0, 0], "c": [1, 0, 0, 1, 0, 0]})


@pytest.fixture(scope="session")
def make_every(
    predictions: Predictions,
    scores: Scores,
    evaluation: Evaluation,
    over_folds: Comparison,
    over_sets: Comparison,
    classes: Predictions,
    values: Predictions,
    items: Predictions,
) -> Callable[[], dict[str, FigureData]]:
    plan = bakeoff.plan(measure="accuracy", difference=0.05, baseline=0.8)

    def made() -> dict[str, FigureData]:
        times = TimeQualityFigure(
            styles=styles_of(("a", "b")), measure="balanced_accuracy",
            points=tuple(
                {"model": m, "time": t, "value": 0.8, "low": 0.7, "high": 0.9} for m, t in (("a", 0.1), ("b", 9))
            ),
        )  # fmt: skip
        one_of_each = (
            figures.roc_figure(predictions, bands=False), figures.precision_recall_figure(predictions),
            figures.calibration_figure(predictions), figures.cost_curve_figure(predictions),
            figures.score_distribution_figure(predictions, "a", threshold=0.5), figures.forest_figure(evaluation),
            figures.difference_forest_figure(over_folds), figures.critical_difference_figure(over_sets),
            figures.confusion_figure(predictions, "a"), figures.pair_heatmap_figure(over_sets),
            figures.box_figure(scores), times,
            figures.posterior_figure(np.array([0.01, 0.03, -0.01, 0.02]), rho=0.2, rope=0.01, measure="accuracy"),
            figures.figure_of(plan), figures.advice_tree_figure(guide()),
            figures.explorer_data(predictions, n_resamples=20),
            figures.predicted_figure(values, "near"), figures.residuals_figure(values, "near"),
            figures.error_distribution_figure(values), figures.items_figure(items),
            figures.class_recall_figure(bakeoff.evaluate(classes, ["accuracy"], rng=0)),
            figures.class_roc_figure(classes, "near"),
            *_teaching(),
            figures.LeadFigure("a", "AUC", ({"label": "a", "leader": True, "estimate": 0.0, "text": "0.9"},)),
        )  # fmt: skip
        return {f.kind: f for f in one_of_each}

    return made


@pytest.fixture(scope="session")
def every(make_every: Callable[[], dict[str, FigureData]]) -> dict[str, FigureData]:
    return make_every()
