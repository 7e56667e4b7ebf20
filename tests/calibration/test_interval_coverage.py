"""Do the intervals of `evaluate` cover the truth as often as they say?

A population of known cells (or of known scores and values) is sampled, evaluated, and the interval held against the
true value. The simulations return rows of the table; `make calibrate` runs the long version. All levels of a run share
one set of resamples, as nothing but the quantile differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.special import expit, ndtr
from scipy.stats import binom
from simulated import LEVELS, Row, coverage_of, coverage_row, percent

import bakeoff
from bakeoff import Predictions, stats
from bakeoff.intervals._closed_forms import ModelRows
from bakeoff.intervals._evaluate import _interval
from bakeoff.measures import for_rows, get

pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")

RESAMPLES = 400

# Cell probabilities, true classes in rows: an easy balanced problem, a rare positive class, three classes.
TABLES = {
    "balanced": np.array([[0.42, 0.08], [0.10, 0.40]]),
    "rare positives": np.array([[0.87, 0.03], [0.04, 0.06]]),
    "nearly perfect": np.array([[0.49, 0.01], [0.01, 0.49]]),
    "three classes": np.array([[0.28, 0.04, 0.02], [0.05, 0.25, 0.04], [0.02, 0.05, 0.25]]),
    "three classes, two rare": np.array([[0.80, 0.03, 0.02], [0.02, 0.06, 0.01], [0.01, 0.02, 0.03]]),
}


# ---- samples of a population ----------------------------------------------------------------------------------------


def sampled_labels(cells: np.ndarray, n: int, rng: np.random.Generator) -> Predictions:
    k = len(cells)
    flat = rng.choice(k * k, size=n, p=cells.ravel())
    return Predictions.from_arrays(flat // k, y_pred={"m": flat % k}, classes=list(range(k)))


def sampled_scores(n: int, prevalence: float, rng: np.random.Generator) -> Predictions:
    """Probabilities of a slightly overconfident model of AUC 0.86."""
    truth = (rng.random(n) < prevalence).astype(int)
    truth[:2] = (0, 1)
    logit = np.log(prevalence / (1 - prevalence))
    evidence = rng.normal(1.5 * truth - 0.75, 1.0)
    return Predictions.from_arrays(truth, y_score={"m": expit(1.2 * (1.5 * evidence + logit))}, pos_label=1)


def sampled_classes(n: int, rng: np.random.Generator) -> Predictions:
    truth = rng.choice(3, size=n, p=[0.5, 0.3, 0.2])
    truth[:3] = (0, 1, 2)
    odds = np.exp(rng.normal(size=(n, 3)) + 1.5 * np.eye(3)[truth])
    return Predictions.from_arrays(truth, y_score={"m": odds / odds.sum(axis=1, keepdims=True)}, classes=[0, 1, 2])


def sampled_values(n: int, rng: np.random.Generator) -> Predictions:
    truth = 10 + rng.normal(scale=2.0, size=n)
    return Predictions.from_arrays(truth, y_value={"m": truth + rng.normal(size=n)})


class Once(ModelRows):
    """Replicates of a measure are drawn once for all levels."""

    def replicates(self, measure: Any) -> np.ndarray:
        kept: dict[str, np.ndarray] = self.__dict__.setdefault("kept", {})
        if measure.name not in kept:
            kept[measure.name] = super().replicates(measure)
        return kept[measure.name]


# ---- coverage --------------------------------------------------------------------------------------------------------


def evaluated(predictions: Predictions, measures: Sequence[str], run: int, interval: str = "auto") -> dict[str, Any]:
    """For every measure the function level → interval that `evaluate` would give."""
    (rows,) = predictions
    resampler = Once(rows, "m", RESAMPLES, lambda: run)
    known = {name: for_rows(get(name), rows) for name in measures}
    return {name: lambda level, m=m: _interval(m, resampler, interval, level, "kind") for name, m in known.items()}


def coverage(
    design: str, truth: dict[str, float], draw: Callable[[np.random.Generator], Predictions], runs: int, seed: int,
    interval: str = "auto",
) -> list[Row]:  # fmt: skip
    """One row per measure: the share of intervals that hold the true value."""
    rng = np.random.default_rng(seed)
    found: dict[str, list[Any]] = {name: [] for name in truth}
    for run in range(runs):
        for name, function in evaluated(draw(rng), list(truth), run, interval).items():
            found[name].append(function)
    suffix = "" if interval == "auto" else f", {interval}"
    return [coverage_of(f"{name}{suffix}", design, truth[name], found[name]) for name in truth]


def label_coverage(
    table: str, measures: Sequence[str], n: int, runs: int, seed: int, interval: str = "auto"
) -> list[Row]:
    cells = TABLES[table]
    truth = {m: float(get(m).value(cells, 1 if len(cells) == 2 else None)) for m in measures}
    return coverage(f"{table}, n = {n}", truth, lambda rng: sampled_labels(cells, n, rng), runs, seed, interval)


@cache
def population(kind: str, measures: tuple[str, ...], prevalence: float = 0.5) -> dict[str, float]:
    """The measures on so many rows that their own error does not matter."""
    rng = np.random.default_rng(99)
    n = 100_000
    big = {
        "scores": lambda: sampled_scores(n, prevalence, rng),
        "classes": lambda: sampled_classes(n, rng),
        "values": lambda: sampled_values(n, rng),
    }[kind]()
    (rows,) = big
    return {m: float(bakeoff.measures.compute(for_rows(get(m), rows), rows, "m").value) for m in measures}


BINARY = ("accuracy", "error", "balanced_accuracy", "kappa", "mcc", "precision", "recall", "specificity", "fpr", "fnr",
          "npv", "f1", "jaccard", "g_mean", "lr_positive", "lr_negative", "expected_cost", "auc", "partial_auc",
          "average_precision", "h_measure", "auc_hull", "log_loss", "brier", "calibration_error")  # fmt: skip
CLASSES = ("accuracy", "balanced_accuracy", "kappa", "kappa_linear", "kappa_quadratic", "mcc", "precision_macro",
           "recall_macro", "f1_macro", "f1_micro", "f1_weighted", "hand_till_auc", "log_loss", "brier")  # fmt: skip
VALUES = ("mse", "rmse", "mae", "median_absolute_error", "mape", "r2", "relative_squared_error",
          "root_relative_squared_error", "relative_absolute_error")  # fmt: skip


DEAR = ("h_measure", "auc_hull", "partial_auc")  # a resample costs a whole curve


def score_coverage(measures: tuple[str, ...], n: int, prevalence: float, runs: int, seed: int) -> list[Row]:
    truth = population("scores", measures, prevalence)
    design = f"n = {n}, prevalence {prevalence:g}"
    return coverage(design, truth, lambda rng: sampled_scores(n, prevalence, rng), runs, seed)


def class_coverage(measures: tuple[str, ...], n: int, runs: int, seed: int) -> list[Row]:
    truth = population("classes", measures)
    return coverage(f"three classes, n = {n}", truth, lambda rng: sampled_classes(n, rng), runs, seed)


def value_coverage(measures: tuple[str, ...], n: int, runs: int, seed: int) -> list[Row]:
    truth = population("values", measures)
    return coverage(f"regression, n = {n}", truth, lambda rng: sampled_values(n, rng), runs, seed)


def auc_coverage(separation: float, n: int, prevalence: float, runs: int, seed: int) -> Row:
    """AUC of two normals: Φ(separation / √2)."""

    def draw(rng: np.random.Generator) -> Predictions:
        truth = (rng.random(n) < prevalence).astype(int)
        truth[:2] = (0, 1)
        return Predictions.from_arrays(truth, y_score={"m": rng.normal(separation * truth)}, pos_label=1)

    value = float(ndtr(separation / np.sqrt(2)))
    design = f"AUC {value:.2f}, n = {n}, prevalence {prevalence:g}"
    return coverage(design, {"auc": value}, draw, runs, seed)[0]


def binomial_coverage(method: str, n: int, rate: float) -> Row:
    """Not simulated: the binomial probabilities of all k whose interval holds the rate."""
    chance = binom.pmf(np.arange(n + 1), n, rate)
    row = {"procedure": f"binomial_interval, {method}", "design": f"n = {n}, rate {rate:g}", "runs": "exact"}
    for level in LEVELS:
        limits = [stats.binomial_interval(k, n, confidence_level=level, method=method) for k in range(n + 1)]
        row[percent(level)] = float(sum(c for c, i in zip(chance, limits, strict=True) if i.low <= rate <= i.high))
    short = min(row[percent(level)] - level for level in LEVELS)
    return {**row, "reads": "liberal" if short < -0.02 else "safe" if short >= 0 else "nominal"}


def effect_coverage(n: int, effect: float, runs: int, seed: int = 20) -> Row:
    rng = np.random.default_rng(seed)
    pairs = [(effect + rng.normal(size=n), np.zeros(n)) for _ in range(runs)]
    intervals = [lambda level, p=p: stats.cohen_d_interval(*p, confidence_level=level) for p in pairs]
    return coverage_of("cohen_d_interval (dz)", f"{n} pairs, d = {effect:g}", effect, intervals)


# ---- what must hold ------------------------------------------------------------------------------------------------


def short_of(row: Row, slack: float) -> bool:
    """Coverage below nominal by more than `slack` and three Monte-Carlo errors at some level."""
    return any(row[percent(p)] < p - slack - 3 * np.sqrt(p * (1 - p) / row["runs"]) for p in LEVELS)


# Small samples cost every interval for a non-linear measure some coverage; how much is allowed is stated here.
QUICK: list[tuple[Callable[..., Any], tuple[Any, ...], float]] = [
    (label_coverage, ("balanced", ("accuracy", "recall", "kappa"), 100, 150, 1), 0.02),
    (label_coverage, ("nearly perfect", ("accuracy", "kappa", "mcc"), 60, 100, 2), 0.05),
    (label_coverage, ("three classes", ("f1_macro", "balanced_accuracy"), 120, 100, 3), 0.03),
    (label_coverage, ("rare positives", ("balanced_accuracy", "kappa"), 30, 150, 3), 0.02),
    (value_coverage, (("mae",), 50, 300, 6), 0.02),
    (value_coverage, (("rmse",), 50, 100, 7), 0.05),
]


@pytest.mark.parametrize(
    ("simulate", "arguments", "slack"), QUICK, ids=lambda v: getattr(v, "__name__", None) or str(v)[:40]
)
def test_intervals_cover(simulate, arguments, slack):
    assert [row for row in simulate(*arguments) if short_of(row, slack)] == []


@pytest.mark.parametrize("design", [(1.5, 80, 0.4), (3.0, 40, 0.2), (3.0, 200, 0.05)])
def test_intervals_of_auc_cover(design):
    assert not short_of(auc_coverage(*design, 250, 4), 0.02)


def test_binomial_intervals_near_the_edge():
    rows = {m: binomial_coverage(m, 30, 0.95) for m in ("wald", "wilson", "clopper-pearson")}
    assert rows["wald"]["95 %"] < 0.80
    assert rows["wilson"]["95 %"] > 0.93
    assert rows["clopper-pearson"]["reads"] == "safe"


def all_rows(runs: int = 2000) -> list[Row]:
    """The long version, for the table of the guide."""
    two = ("accuracy", "precision", "recall", "f1", "kappa", "mcc", "balanced_accuracy", "g_mean")
    three = ("accuracy", "f1_macro", "f1_micro", "kappa", "balanced_accuracy", "g_mean")
    few, fewer, dear = max(runs // 3, 20), max(runs // 8, 10), max(runs // 25, 10)
    rows: list[Row] = []
    for seed, table in enumerate(("balanced", "rare positives", "nearly perfect")):
        for n in (30, 100, 500):
            rows += label_coverage(table, two, n, few, seed)
    for table in ("three classes", "three classes, two rare"):
        for n in (60, 300):
            rows += label_coverage(table, three, n, few, 9)
    for separation in (0.5, 1.5, 3.0):
        for n, prevalence in ((30, 0.5), (100, 0.5), (200, 0.05)):
            rows.append(auc_coverage(separation, n, prevalence, runs, 11))
    for n, prevalence in ((100, 0.3), (400, 0.1)):
        rows += score_coverage(tuple(m for m in BINARY if m not in DEAR), n, prevalence, fewer, 14)
        rows += score_coverage(tuple(m for m in BINARY if m in DEAR), n, prevalence, dear, 14)
    for n in (60, 300):
        rows += class_coverage(tuple(m for m in CLASSES if m not in DEAR), n, fewer, 15)
        rows += class_coverage(tuple(m for m in CLASSES if m in DEAR), n, dear, 15)
    for n in (20, 100):
        rows += value_coverage(VALUES, n, few // 2, 13)
    return rows


def method_rows(runs: int = 2000) -> list[Row]:
    """The methods that can be asked for by name, where `auto` takes another."""
    rows = [
        binomial_coverage(method, n, rate)
        for method in ("wilson", "wald", "clopper-pearson", "agresti-coull", "jeffreys")
        for n, rate in ((10, 0.5), (30, 0.95), (100, 0.9), (100, 0.99))
    ]
    for method in ("delta", "bca", "percentile", "basic", "normal"):
        rows += label_coverage("balanced", ("f1", "mcc"), 100, max(runs // 2, 20), 16, method)
    for n, effect in ((10, 0.5), (30, 0.5), (30, 2.0)):
        rows.append(effect_coverage(n, effect, max(runs // 4, 20)))
    return rows


@pytest.mark.slow
def test_intervals_cover_in_the_long_run():
    rows = [row for row in all_rows(1000) if row["procedure"] not in ("lr_negative", "lr_positive")]
    assert [row for row in rows if short_of(row, 0.06)] == []


def test_coverage_rows_read_their_own_numbers():
    assert coverage_row("x", "y", {0.95: 90}, 100)["reads"] == "nominal"
    assert coverage_row("x", "y", {0.95: 80}, 100)["reads"] == "liberal"
    assert coverage_row("x", "y", {0.80: 100}, 100)["reads"] == "safe"
