"""Do the intervals of `evaluate` cover the truth as often as they say?

A population of known cells (or known score distributions) is sampled, evaluated, and the interval held against the
true value. The simulation returns rows (dicts), ready for a table; `make calibrate` runs the long version.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import bakeoff
from bakeoff import Predictions

pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")

LEVELS = (0.80, 0.90, 0.95, 0.99)
Row = dict[str, Any]

# Cell probabilities, true classes in rows: an easy balanced problem, a rare positive class, three classes.
TABLES = {
    "balanced": np.array([[0.42, 0.08], [0.10, 0.40]]),
    "rare positives": np.array([[0.87, 0.03], [0.04, 0.06]]),
    "nearly perfect": np.array([[0.49, 0.01], [0.01, 0.49]]),
    "three classes": np.array([[0.28, 0.04, 0.02], [0.05, 0.25, 0.04], [0.02, 0.05, 0.25]]),
}


def sampled_labels(cells: np.ndarray, n: int, rng: np.random.Generator) -> Predictions:
    k = len(cells)
    flat = rng.choice(k * k, size=n, p=cells.ravel())
    return Predictions.from_arrays(flat // k, y_pred={"m": flat % k}, classes=list(range(k)))


def true_value(measure: str, cells: np.ndarray) -> float:
    return float(bakeoff.measures.get(measure).from_confusion(cells, 1 if len(cells) == 2 else None))


def label_coverage(
    table: str, measures: tuple[str, ...], n: int, runs: int, seed: int, interval: str = "auto"
) -> Iterator[Row]:
    cells = TABLES[table]
    rng = np.random.default_rng(seed)
    hits = {(m, level): 0 for m in measures for level in LEVELS}
    defined = dict.fromkeys(measures, 0)
    for run in range(runs):
        predictions = sampled_labels(cells, n, rng)
        for level in LEVELS:
            evaluation = bakeoff.evaluate(
                predictions, measures, interval=interval, confidence_level=level, n_resamples=400, rng=run
            )
            for m in measures:
                got = evaluation["m", m]
                if np.isnan(got.low):
                    continue
                defined[m] += level == LEVELS[0]
                hits[m, level] += got.low - 1e-12 <= true_value(m, cells) <= got.high + 1e-12
    for (m, level), count in hits.items():
        yield {
            "case": f"{m}, {table}, n = {n}",
            "level": level,
            "coverage": count / max(defined[m], 1),
            "runs": defined[m],
        }


def score_coverage(separation: float, n: int, prevalence: float, runs: int, seed: int) -> Iterator[Row]:
    """AUC of two normals: Φ(separation / √2)."""
    from scipy.special import ndtr

    truth_value = float(ndtr(separation / np.sqrt(2)))
    rng = np.random.default_rng(seed)
    hits = dict.fromkeys(LEVELS, 0)
    done = 0
    for _ in range(runs):
        truth = (rng.random(n) < prevalence).astype(int)
        if not 0 < truth.sum() < n:
            continue
        done += 1
        predictions = Predictions.from_arrays(truth, y_score={"m": rng.normal(separation * truth)})
        for level in LEVELS:
            got = bakeoff.evaluate(predictions, "auc", confidence_level=level)["m", "auc"]
            hits[level] += got.low <= truth_value <= got.high
    for level, count in hits.items():
        yield {
            "case": f"auc {truth_value:.2f}, n = {n}, prevalence {prevalence:g}",
            "level": level,
            "coverage": count / done,
            "runs": done,
        }


def loss_coverage(measure: str, n: int, runs: int, seed: int) -> Iterator[Row]:
    rng = np.random.default_rng(seed)
    hits = dict.fromkeys(LEVELS, 0)
    expected = {"mae": np.sqrt(2 / np.pi), "mse": 1.0, "rmse": 1.0, "r2": 0.75}[measure]
    for run in range(runs):
        truth = rng.normal(scale=2.0, size=n)
        predictions = Predictions.from_arrays(truth, y_value={"m": truth + rng.normal(size=n)})
        for level in LEVELS:
            got = bakeoff.evaluate(predictions, measure, confidence_level=level, n_resamples=400, rng=run)["m", measure]
            hits[level] += got.low <= expected <= got.high
    for level, count in hits.items():
        yield {"case": f"{measure}, n = {n}", "level": level, "coverage": count / runs, "runs": runs}


def held(row: Row, slack: float) -> bool:
    """Within Monte-Carlo error (3 standard errors) of nominal, allowing `slack` of small-sample undercoverage."""
    error = np.sqrt(row["level"] * (1 - row["level"]) / row["runs"])
    return bool(row["coverage"] >= row["level"] - slack - 3 * error)


# Small samples cost every interval for a non-linear measure some coverage; how much is allowed is stated here.
QUICK = [
    (label_coverage, ("balanced", ("accuracy", "recall", "kappa"), 100, 150, 1), 0.02),
    (label_coverage, ("nearly perfect", ("accuracy", "kappa", "mcc"), 60, 100, 2), 0.05),
    (label_coverage, ("three classes", ("f1_macro", "balanced_accuracy"), 120, 100, 3), 0.03),
    (score_coverage, (1.5, 80, 0.4, 300, 4), 0.02),
    (score_coverage, (3.0, 40, 0.2, 300, 5), 0.03),
    (loss_coverage, ("mae", 50, 300, 6), 0.02),
    (loss_coverage, ("rmse", 50, 100, 7), 0.05),
]


@pytest.mark.parametrize(
    ("simulate", "arguments", "slack"), QUICK, ids=lambda v: getattr(v, "__name__", None) or str(v)[:40]
)
def test_intervals_cover(simulate, arguments, slack):
    missed = [row for row in simulate(*arguments) if not held(row, slack)]
    assert not missed


def all_rows(runs: int = 2000) -> list[Row]:
    """The long version, for the table of the guide."""
    measures = ("accuracy", "precision", "recall", "f1", "kappa", "mcc", "balanced_accuracy", "g_mean")
    rows = []
    for seed, table in enumerate(("balanced", "rare positives", "nearly perfect")):
        for n in (30, 100, 500):
            rows += label_coverage(table, measures, n, runs // 4, seed)
    for n in (60, 300):
        rows += label_coverage(
            "three classes", ("accuracy", "f1_macro", "f1_micro", "kappa", "balanced_accuracy"), n, runs // 4, 9
        )
    for separation in (0.5, 1.5, 3.0):
        for n, prevalence in ((30, 0.5), (100, 0.5), (200, 0.05)):
            rows += score_coverage(separation, n, prevalence, runs, 11)
    for measure in ("mae", "mse", "rmse", "r2"):
        for n in (20, 100):
            rows += loss_coverage(measure, n, runs // 4, 13)
    return rows


@pytest.mark.slow
def test_intervals_cover_in_the_long_run():
    assert [row for row in all_rows() if not held(row, 0.06)] == []
