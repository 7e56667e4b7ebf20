"""Bad and degenerate evidence: an answer with a note, or an error with a hint; never a silent NaN or p = 0."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff
from bakeoff import EvidenceError, Predictions, Scores, compare

IDENTICAL = ("identical-models", "no-discordant-pairs")


def codes(result) -> set[str]:
    return {n.code for n in result.notes}


@pytest.mark.parametrize("measure", ["accuracy", "auc", "f1", "log_loss", "brier", "average_precision", "error"])
def test_identical_models_on_a_test_set(make, measure: str) -> None:
    truth, scores = make.binary(200, {"a": 1.5})
    same = Predictions.from_arrays(truth, y_score={"a": scores["a"], "b": scores["a"].copy()})
    result = compare(same, measure, rng=0)
    pair = result.pair("a", "b")
    assert (pair.pvalue, pair.estimate, pair.effect_size) == (1.0, 0.0, 0.0)
    assert codes(result) & set(IDENTICAL)
    assert "did the same throughout" in result.verdict
    assert result.groups == (("a", "b"),)


@pytest.mark.parametrize("repeats_folds", [(10, 10), (5, 2), (30, 1)])
def test_identical_models_over_folds(make, repeats_folds: tuple[int, int]) -> None:
    scores = make.resampled({"a": 0.8}, *repeats_folds)
    cells = np.repeat(scores.cells["data"], 2, axis=1)
    result = compare(Scores(("a", "b"), {"data": cells}, scores.splits, "accuracy", True))
    assert result.pair("a", "b").pvalue == 1.0
    assert "identical-models" in codes(result)
    assert math.isnan(result.pair("a", "b").low)


def test_identical_models_over_data_sets(make) -> None:
    values = make.demsar().matrix()[:, [0, 0, 1]]
    result = compare(Scores.from_wide(values, models=["a", "b", "c"]), rng=0)
    pair = result.pair("a", "b")
    assert (pair.pvalue, pair.pvalue_adjusted, pair.estimate) == (1.0, 1.0, 0.0)
    assert "identical-models" in codes(result)


def test_all_models_the_same_everywhere() -> None:
    values = np.tile(np.linspace(0.6, 0.9, 8)[:, None], (1, 3))
    result = compare(Scores.from_wide(values, models=["a", "b", "c"]), rng=0)
    assert result.omnibus.pvalue == 1.0
    assert all(p.pvalue_adjusted == 1.0 for p in result.pairs)
    assert result.groups == (("a", "b", "c"),)


@pytest.mark.parametrize("repeats_folds", [(1, 10), (5, 2)])
def test_constant_difference_is_undefined_and_says_why(make, repeats_folds: tuple[int, int]) -> None:
    scores = make.resampled({"a": 0.8}, *repeats_folds)
    one = scores.cells["data"][:, 0]
    constant = Scores(("a", "b"), {"data": np.stack([one, one - 0.1], axis=1)}, scores.splits, "accuracy", True)
    with pytest.warns(bakeoff.BakeoffWarning, match="division by zero"):
        result = compare(constant)
    pair = result.pair("a", "b")
    assert math.isnan(pair.pvalue)
    assert pair.estimate == pytest.approx(0.1)
    assert (pair.conclusion, pair.better) == ("undefined", "")
    assert "cannot be tested here" in result.verdict
    assert "division by zero" in result.verdict


def test_constant_difference_over_data_sets_still_has_ranks() -> None:
    base = np.linspace(0.6, 0.9, 8)
    result = compare(Scores.from_wide(np.stack([base + 0.05, base], axis=1), models=["a", "b"]), rng=0)
    assert result.pair("a", "b").pvalue == pytest.approx(2 / 2**8)
    assert result.pair("a", "b").better == "a"


def test_an_undefined_pair_does_not_spoil_the_others(make) -> None:
    scores = make.resampled({"a": 0.8, "c": 0.6}, 1, 10)
    a, c = scores.cells["data"].T
    three = Scores(("a", "b", "c"), {"data": np.stack([a, a - 0.1, c], axis=1)}, scores.splits, "accuracy", True)
    with pytest.warns(bakeoff.BakeoffWarning, match="division by zero"):
        result = compare(three)
    assert math.isnan(result.pair("a", "b").pvalue_adjusted)
    assert result.pair("a", "c").pvalue_adjusted >= result.pair("a", "c").pvalue
    assert result.pair("a", "c").better == "a"


def test_measure_undefined_on_the_test_set() -> None:
    truth = [0, 1, 0, 1] * 10
    never = Predictions.from_arrays(truth, y_pred={"a": [0] * 40, "b": [0, 1, 0, 0] * 10})
    with pytest.warns(bakeoff.BakeoffWarning, match="precision undefined"):
        result = compare(never, "precision", rng=0)
    assert math.isnan(result.pair("a", "b").pvalue)
    assert "undefined" in codes(result)


def test_one_class_only() -> None:
    one = Predictions.from_arrays(
        [1] * 40, y_score={"a": np.linspace(0, 1, 40), "b": np.linspace(1, 0, 40)}, classes=[0, 1]
    )
    with pytest.warns(bakeoff.BakeoffWarning, match="auc undefined"):
        result = compare(one, "auc")
    assert math.isnan(result.pair("a", "b").estimate)


def test_few_instances_warn_with_what_plan_asks_for() -> None:
    few = Predictions.from_arrays([0, 1] * 10, y_pred={"a": [0, 1] * 10, "b": [0, 0] * 10})
    with pytest.warns(bakeoff.BakeoffWarning, match=r"only 20 instances.*bakeoff\.plan asks for about \d+"):
        result = compare(few)
    assert "few-instances" in codes(result)
    assert result.pair("a", "b").pvalue > 0


def test_perfect_models_have_intervals() -> None:
    truth = np.array([0, 1] * 30)
    both = Predictions.from_arrays(truth, y_score={"a": truth * 1.0, "b": truth * 0.9 + 0.05})
    result = compare(both)
    pair = result.pair("a", "b")
    assert pair.pvalue == 1.0
    assert pair.low < 0 < pair.high


@pytest.mark.parametrize(
    ("measure", "hint"),
    [("auc", "give y_score"), ("log_loss", "probabilities"), ("rmse", "regression")],
)
def test_a_measure_the_evidence_cannot_give(make, measure: str, hint: str) -> None:
    with pytest.raises(EvidenceError, match=hint):
        compare(make.labelled(100, {"a": 1, "b": 2}), measure)


def test_times_of_a_single_run(make) -> None:
    with pytest.raises(EvidenceError, match="measured once for each model"):
        compare(make.labelled(100, {"a": 1, "b": 2}), "fit_time")


def test_two_tied_models_everywhere_but_one() -> None:
    base = np.full(10, 0.8)
    other = base.copy()
    other[0] = 0.9
    with pytest.warns(bakeoff.BakeoffWarning, match="1 nonzero difference"):
        result = compare(Scores.from_wide(np.stack([other, base], axis=1), models=["a", "b"]), rng=0)
    assert result.pair("a", "b").pvalue == 1.0
    ties = next(c for c in result.checks if c.code == "ties")
    assert ties.passed is False


def test_two_data_sets_and_many_models() -> None:
    values = [[0.9, 0.8, 0.7], [0.85, 0.8, 0.6]]
    with pytest.warns(bakeoff.BakeoffWarning, match="only 2 data sets"):
        result = compare(Scores.from_wide(values, models=["a", "b", "c"]), rng=0)
    assert result.omnibus.details["method"] == "exact"
    assert result.omnibus.pvalue == pytest.approx(1 / 6)


def test_fifty_models_are_grouped_by_runs() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(40, 50)) + np.linspace(0, 3, 50)
    result = compare(Scores.from_wide(values), rng=0)
    assert "groups-are-runs" in codes(result)
    assert sum(len(g) for g in result.groups) >= 50
    assert {m for g in result.groups for m in g} == set(result.models)
