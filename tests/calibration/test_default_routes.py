"""Do the default routes of `evaluate` and `compare` cover and hold their level where evidence has structure?

Learners of scikit-learn on generated and bundled data (`learned.py`): rows alone, with few positives, in several
classes, in uneven groups, with weights, over folds with and without groups, leave-one-out. The nominal level is 95 %
for intervals, 5 % for differences and gates. `docs/calibration.md` has the long runs.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from learned import DESIGNS, REFITS, Refits, population, refitted, true_values
from simulated import Row, coverage_row, rejection_row

from bakeoff import Predictions, compare, evaluate
from bakeoff.measures import compute, for_rows, get

pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")

LEVEL = 0.95
RESAMPLES = 300


class Tally:
    """How often something held, among the runs in which it was defined."""

    def __init__(self) -> None:
        self.held, self.runs = 0, 0

    def add(self, low: float, high: float, truth: float) -> None:
        if np.isfinite([low, high]).all():
            self.runs += 1
            self.held += bool(low - 1e-12 <= truth <= high + 1e-12)


def one_model(name: str, runs: int, seed: int = 0) -> list[Row]:
    """Coverage of one model's value, measure by measure."""
    design = DESIGNS[name]
    truth, rng = true_values(design.population, design.one), np.random.default_rng([seed, 1])
    found = {m: Tally() for m in design.one}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(runs):
            result = evaluate(
                design.draw(rng, population(design.population)), list(design.one), n_resamples=RESAMPLES, rng=0
            )
            for m in design.one:
                interval = result["a", m]
                found[m].add(interval.low, interval.high, truth[m]["a"])
    return [coverage_row(m, name, {LEVEL: t.held}, t.runs) for m, t in found.items()]


def two_models(name: str, runs: int, seed: int = 0) -> list[Row]:
    """Coverage of the difference of two different models, measure by measure."""
    design = DESIGNS[name]
    truth, rng = true_values(design.population, design.two), np.random.default_rng([seed, 2])
    found = {m: Tally() for m in design.two}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(runs):
            evidence = design.draw(rng, population(design.population))
            for m in design.two:
                pair = compare(evidence, m, n_resamples=RESAMPLES, rng=0).pair("a", "b")
                found[m].add(pair.low, pair.high, truth[m]["a"] - truth[m]["b"])
    return [coverage_row(m, name, {LEVEL: t.held}, t.runs) for m, t in found.items()]


def gate(name: str, measure: str, runs: int, seed: int = 0) -> Row:
    """How often the worse model passes a margin that it misses by nothing: the true difference is the margin."""
    design = DESIGNS[name]
    truth, rng = true_values(design.population, (measure,))[measure], np.random.default_rng([seed, 3])
    sign = 1.0 if get(measure).greater_is_better else -1.0
    better, worse = ("a", "b") if sign * (truth["a"] - truth["b"]) > 0 else ("b", "a")
    margin, passed = abs(truth["a"] - truth["b"]), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(runs):
            evidence = design.draw(rng, population(design.population))
            pair = compare(evidence, measure, control=better, margin=margin, n_resamples=RESAMPLES, rng=0).pair(
                worse, better
            )
            passed += pair.closeness in ("equivalent", "not inferior")
    return rejection_row(measure, f"{name}, margin {margin:.3f}", {0.05: passed}, runs)


GATES = (
    ("moons, 9-NN and logistic regression, 120 rows", "accuracy"),
    ("screening, 6 % positive, forest and naive Bayes, 300 rows", "recall"),
    ("screening, 6 % positive, forest and naive Bayes, 300 rows", "auc"),
    ("tumours, logistic regression and LDA, 80 rows", "auc"),
    ("wine, three classes, logistic regression and tree, 100 rows", "f1_macro"),
    ("diabetes, ridge and boosting, 60 rows", "rmse"),
    ("patients, 25 uneven groups", "auc"),
    ("survey, weights 1 to 5, 250 rows", "f1"),
)


def over_folds(name: str, runs: int, seed: int = 0) -> list[Row]:
    """Coverage of what the kind of model reaches (the mean over all fitted models), and level of the comparison.

    The two models are exchangeable, so that each stands for the other's truth as well.
    """
    design, rng = REFITS[name], np.random.default_rng([seed, 4])
    limits: dict[str, list[tuple[float, float]]] = {m: [] for m in design.measures}
    reached: dict[str, list[float]] = {m: [] for m in design.measures}
    rejected, tested = dict.fromkeys(design.measures, 0), dict.fromkeys(design.measures, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(runs):
            evidence, new, truth = refitted(rng, design, 1000)
            result = evaluate(evidence, list(design.measures), n_resamples=RESAMPLES, rng=0)
            for m in design.measures:
                limits[m].append((result["a", m].low, result["a", m].high))
                reached[m].append(_reached(m, new["a"], truth, design))
                p = compare(evidence, m, n_resamples=RESAMPLES, rng=0).pair("a", "b").pvalue
                tested[m] += bool(np.isfinite(p))
                rejected[m] += bool(p <= 0.05)
    rows = []
    for m in design.measures:
        found, value = Tally(), float(np.mean(reached[m]))
        for low, high in limits[m]:
            found.add(low, high, value)
        rows.append(coverage_row(f"evaluate, {m}", name, {LEVEL: found.held}, found.runs))
        rows.append(rejection_row(f"compare, {m}", name, {0.05: rejected[m]}, tested[m]))
    return rows


def _reached(measure: str, answers: np.ndarray, truth: np.ndarray, design: Refits) -> float:
    """Mean over (at most five of) the fitted models of the measure on new rows."""
    values = []
    for p in answers[:: max(len(answers) // 5, 1)]:
        extra = {"pos_label": 1} if design.two_classes else {}
        score = p[:, 1] if design.two_classes else p
        (rows,) = Predictions.from_arrays(truth, y_score={"a": score}, classes=list(range(p.shape[1])), **extra)
        values.append(float(compute(for_rows(get(measure), rows), rows, "a").value))
    return float(np.mean(values))


# -- what must hold ---------------------------------------------------------------------------------------------------


def far_off(row: Row) -> bool:
    """Coverage below 92 %, or a level above 7 %, by more than three Monte-Carlo errors."""
    wrong, allowed = (1 - row["95 %"], 0.08) if "95 %" in row else (row["5 %"], 0.07)
    return bool(wrong > allowed + 3 * np.sqrt(allowed * (1 - allowed) / row["runs"]))


@pytest.mark.parametrize("name", DESIGNS)
def test_intervals_of_one_model_cover_small(name: str) -> None:
    assert [row for row in one_model(name, 30) if far_off(row)] == []


@pytest.mark.parametrize("name", ["patients, 8 uneven groups", "survey, weights 1 to 5, 250 rows"])
def test_intervals_of_a_difference_cover_small(name: str) -> None:
    assert [row for row in two_models(name, 15) if far_off(row)] == []


def test_gate_at_its_margin_small() -> None:
    assert not far_off(gate("tumours, logistic regression and LDA, 80 rows", "auc", 30))


def test_learners_over_folds_small() -> None:
    name = "naive Bayes, breast_cancer, 20 groups of 6, 1 x 5-fold of groups"
    assert [row for row in over_folds(name, 10) if far_off(row)] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_intervals_cover_in_the_long_run(name: str) -> None:
    assert [row for row in [*one_model(name, 1000), *two_models(name, 1000)] if far_off(row)] == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "measure"), GATES)
def test_gates_hold_in_the_long_run(name: str, measure: str) -> None:
    assert not far_off(gate(name, measure, 1000))


@pytest.mark.slow
@pytest.mark.parametrize("name", REFITS)
def test_learners_over_folds_in_the_long_run(name: str) -> None:
    assert [row for row in over_folds(name, 500) if far_off(row)] == []
