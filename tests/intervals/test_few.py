"""A class with few rows: the interval is stretched, says so, and holds the truth."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff import Predictions
from bakeoff.intervals._few import FEW_ROWS
from bakeoff.stats.roc._delong import newcombe_limits

pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")


def labels(n_positive: int, n_negative: int, missed: int) -> Predictions:
    truth = np.repeat([1, 0], [n_positive, n_negative])
    called = truth.copy()
    called[:missed] = 0
    called[-2:] = 1
    return Predictions.from_arrays(truth, y_pred={"m": called}, pos_label=1)


def codes(interval: bakeoff.Interval) -> set[str]:
    return {note.code for note in interval.notes}


@pytest.mark.parametrize("measure", ["balanced_accuracy", "g_mean", "mcc", "f1", "kappa"])
def test_few_positives_stretch_the_interval_and_say_so(measure: str) -> None:
    few = bakeoff.evaluate(labels(3, 60, 1), measure, rng=0)["m", measure]
    named = bakeoff.evaluate(labels(3, 60, 1), measure, interval="bca", rng=0)["m", measure]
    many = bakeoff.evaluate(labels(FEW_ROWS, 60, 5), measure, rng=0)["m", measure]
    assert "few-in-class" in codes(few)
    assert "few-in-class" not in codes(named) | codes(many)
    assert few.low <= few.estimate <= few.high
    assert few.high - few.low > many.high - many.low


def test_proportions_keep_their_own_interval() -> None:
    found = bakeoff.evaluate(labels(3, 60, 1), "recall", rng=0)["m", "recall"]
    assert found.method == "wilson"
    assert "few-in-class" not in codes(found)


def test_auc_of_few_positives_is_at_least_as_wide_as_newcombes() -> None:
    rng = np.random.default_rng(3)
    truth = np.arange(200) < 8
    predictions = Predictions.from_arrays(truth, y_score={"m": rng.normal(size=200) + 3 * truth}, pos_label=True)
    found = bakeoff.evaluate(predictions, "auc")["m", "auc"]
    low, high = newcombe_limits(found.estimate, 8, 192, 0.95)
    assert "few-in-class" in codes(found)
    assert found.low <= low
    assert found.high >= high
    assert bakeoff.evaluate(predictions, "auc", interval="delong")["m", "auc"].low > low


@pytest.mark.parametrize("auc", [0.0, 0.3, 0.5, 0.98, 1.0])
def test_newcombe_is_symmetric_and_solves_its_equation(auc: float) -> None:
    low, high = newcombe_limits(auc, 12, 30, 0.9)
    mirrored = newcombe_limits(1 - auc, 12, 30, 0.9)
    assert (1 - high, 1 - low) == pytest.approx(mirrored, abs=1e-8)
    assert 0 <= low <= auc <= high <= 1
    for limit in {low, high} - {0.0, 1.0}:
        half = 20  # (12 + 30)/2 − 1
        spread = 1 + half * (1 - limit) / (2 - limit) + half * limit / (1 + limit)
        assert abs(limit - auc) == pytest.approx(1.6448536 * np.sqrt(limit * (1 - limit) / 360 * spread), rel=1e-6)
