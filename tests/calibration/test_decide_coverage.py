"""Does the cost that `decide` states hold for the choice it makes, and do its values without bias cover?

Scores are normal, so that the true cost of any model at any threshold is known. Model and threshold are chosen on the
rows that the cost is estimated from.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, ndtr
from simulated import Row, coverage_row

from bakeoff import OperatingContext, Predictions, decide, evaluate

pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")

RESAMPLES = 200
# Rows, models, share of positives, costs of a false positive and a false negative, folds.
DESIGNS: dict[str, tuple[int, int, float, float, float, int]] = {
    "100 rows, 1 model, 30 % positives, costs 1 and 5": (100, 1, 0.3, 1, 5, 0),
    "100 rows, 5 models, 30 % positives, costs 1 and 5": (100, 5, 0.3, 1, 5, 0),
    "60 rows, 10 models, 30 % positives, costs 1 and 1": (60, 10, 0.3, 1, 1, 0),
    "300 rows, 10 models, 5 % positives, costs 1 and 20": (300, 10, 0.05, 1, 20, 0),
    "200 rows, 5 models over 5 folds, 30 % positives, costs 1 and 5": (200, 5, 0.3, 1, 5, 5),
}
# Rows, share of positives and distance of the classes of a calibrated model.
BIASED = {
    "60 rows, half positive": (60, 0.5, 1.0),
    "200 rows, 30 % positive": (200, 0.3, 1.0),
    "300 rows, 5 % positive": (300, 0.05, 1.5),
}


def true_cost(model: str, threshold: float, prevalence: float, fp: float, fn: float, distance: float = 1.2) -> float:
    if model.startswith("always"):
        return prevalence * fn if model == "always 0" else (1 - prevalence) * fp
    return float((1 - prevalence) * fp * ndtr(-threshold) + prevalence * fn * ndtr(threshold - distance))


def cost_of_the_choice(name: str, runs: int, seed: int = 0) -> list[Row]:
    """Coverage of the true cost of what was chosen; all models are equally good, so the best looks too good."""
    n, models, prevalence, fp, fn, folds = DESIGNS[name]
    rng, held, counted = np.random.default_rng([seed, 17]), 0, 0
    context = OperatingContext(cost_fp=fp, cost_fn=fn)
    for run in range(runs):
        y = (rng.random(n) < prevalence).astype(int)
        if not 2 <= y.sum() <= n - 2:
            continue
        common = rng.normal(size=n)
        scores = {f"m{j}": 1.2 * y + np.sqrt(0.5) * (common + rng.normal(size=n)) for j in range(models)}
        extra = {"fold": rng.permutation(n) % folds} if folds else {}
        rows = Predictions.from_arrays(y, y_score=scores, pos_label=1, classes=[0, 1], **extra)
        found = decide(rows, context, n_resamples=RESAMPLES, rng=run)
        truth = true_cost(found.model, found.threshold, prevalence, fp, fn)
        held, counted = held + (found.expected_cost.low <= truth <= found.expected_cost.high), counted + 1
    return [coverage_row("decide: cost of the choice", name, {0.95: held}, counted)]


def without_bias(name: str, runs: int, seed: int = 0) -> list[Row]:
    """Coverage of values that few rows make too large, and of the smooth ones of the same tally."""
    n, prevalence, distance = BIASED[name]
    rng = np.random.default_rng([seed, 20])
    truth = {
        "ks": 2 * ndtr(distance / 2) - 1, "auc_hull": ndtr(distance / np.sqrt(2)), "calibration_error": 0.0,
        "gini": 2 * ndtr(distance / np.sqrt(2)) - 1, "gain": caught(0.1, prevalence, distance),
        "h_measure": saved(prevalence, distance),
    }  # fmt: skip
    held = dict.fromkeys(truth, 0)
    for run in range(runs):
        y = (rng.random(n) < prevalence).astype(int)
        y[:2] = (0, 1)
        logit = np.log(prevalence / (1 - prevalence)) + distance * (distance * y + rng.normal(size=n)) - distance**2 / 2
        found = evaluate(Predictions.from_arrays(y, y_score={"m": expit(logit)}), list(truth), n_resamples=200, rng=run)
        for measure, value in truth.items():
            held[measure] += found["m", measure].low - 1e-12 <= value <= found["m", measure].high
    return [coverage_row(measure, f"calibrated model, {name}", {0.95: k}, runs) for measure, k in held.items()]


def caught(share: float, prevalence: float, distance: float) -> float:
    """Share of the positives above the threshold that the top `share` of all rows reach."""
    from scipy.optimize import brentq

    def called(t: float) -> float:
        return float(prevalence * ndtr(distance - t) + (1 - prevalence) * ndtr(-t) - share)

    return float(ndtr(distance - brentq(called, -10, 10)))


def saved(prevalence: float, distance: float) -> float:
    """H of a calibrated model: at cost c of a false positive it is best to call who has more than the chance c."""
    c = (np.arange(20_000) + 0.5) / 20_000
    cut = (np.log(c / (1 - c)) - np.log(prevalence / (1 - prevalence)) + distance**2 / 2) / distance
    false, missed = (1 - prevalence) * c, prevalence * (1 - c)
    loss, trivial = false * ndtr(-cut) + missed * ndtr(cut - distance), np.minimum(false, missed)
    density = c * (1 - c)
    return float(1 - (density * loss).sum() / (density * trivial).sum())


def test_the_cost_of_a_choice_covers():
    (row,) = cost_of_the_choice("60 rows, 10 models, 30 % positives, costs 1 and 1", 30)
    assert row["95 %"] >= 0.8


def test_values_that_few_rows_make_too_large_cover():
    for row in without_bias("60 rows, half positive", 25):
        assert row["95 %"] >= 0.76, row


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_the_cost_of_a_choice_covers_closely(name):
    (row,) = cost_of_the_choice(name, 300)
    assert row["95 %"] >= 0.92
