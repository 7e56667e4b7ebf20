"""Plans: needed units, detectable differences, and what a pilot tells."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bakeoff import ParameterError, Predictions, plan, stats


def test_instances_for_a_difference_in_auc() -> None:
    result = plan(measure="auc", difference=0.02, baseline=0.9, prevalence=0.3, correlation=0.7)
    alone = stats.sample_size_delong(0.92, 0.9, prevalence=0.3, correlation=0.7)
    assert (result.test, result.unit, result.needed) == ("delong", "instances", alone)
    assert f"needs {alone:,}".replace(",", " ") in result.verdict


def test_instances_for_a_difference_in_accuracy() -> None:
    result = plan(measure="accuracy", difference=0.03, discordant=0.1)
    assert result.needed == stats.sample_size_mcnemar(0.065, 0.035)
    from_accuracies = plan(measure="accuracy", difference=0.03, baseline=0.87, correlation=0.5)
    assert from_accuracies.needed == stats.sample_size_mcnemar(*stats.discordant_rates(0.90, 0.87, 0.5))


def test_data_sets_and_splits() -> None:
    assert plan(difference=0.01, sd=0.02, n_datasets=14).needed == stats.sample_size_wilcoxon(0.01, 0.02)
    splits = plan(difference=0.04, sd=0.03, n_splits=10, n_train=900, n_test=100)
    assert splits.needed == stats.sample_size_corrected_t(0.04, 0.03, n_train=900, n_test=100)
    assert splits.test == "corrected-t"
    many = plan(difference=0.02, sd=0.02, n_datasets=14, n_models=4)
    assert (many.test, many.n_comparisons) == ("friedman", 1)
    losses = plan(measure="mae", difference=0.1, sd=1.0)
    assert (losses.test, losses.needed) == ("paired-t", stats.sample_size_paired_t(0.1, 1.0))


def test_what_can_be_seen_with_what_there_is() -> None:
    result = plan(measure="accuracy", n_rows=500, discordant=0.12)
    assert result.needed is None
    assert result.detectable == pytest.approx(stats.detectable_mcnemar(0.12, 500))
    assert stats.power_mcnemar(0.06 + result.detectable / 2, 0.06 - result.detectable / 2, 500) == pytest.approx(
        0.8, abs=0.01
    )
    both = plan(measure="accuracy", difference=0.02, n_rows=500, discordant=0.12)
    assert both.power_now == pytest.approx(stats.power_mcnemar(0.07, 0.05, 500))
    assert both.power_now < 0.8 < 1


def test_repeats_are_no_substitute_for_rows() -> None:
    result = plan(difference=0.01, sd=0.03, n_splits=100, n_train=900, n_test=100)
    assert result.needed is None
    assert "unreachable" in {n.code for n in result.notes}
    assert "only more data help" in result.verdict


def test_several_models_share_alpha() -> None:
    two, four = (plan(measure="auc", difference=0.02, baseline=0.9, n_models=k) for k in (2, 4))
    control = plan(measure="auc", difference=0.02, baseline=0.9, n_models=4, control=True)
    assert (two.n_comparisons, four.n_comparisons, control.n_comparisons) == (1, 6, 3)
    assert two.needed < control.needed < four.needed
    assert four.alpha == pytest.approx(0.05 / 6)


def test_the_curve_passes_through_the_plan() -> None:
    result = plan(measure="auc", difference=0.02, baseline=0.9)
    assert list(result.curve_n) == sorted(result.curve_n)
    assert result.curve_power[0] < 0.8 < result.curve_power[-1]
    assert np.interp(result.needed, result.curve_n, result.curve_power) == pytest.approx(0.8, abs=0.02)
    assert list(result.to_frame().columns) == ["n", "power"]


def test_pilot_of_labels(make) -> None:
    predictions = make.labelled(400, {"a": 2.0, "b": 1.6})
    rows = predictions.table()
    result = plan(predictions, difference=0.02)
    assert result.assumptions["discordant"] == np.mean(rows.correct("a") != rows.correct("b"))
    assert result.n == 400
    assert result.notes == ()


def test_pilot_of_scores(make) -> None:
    truth, scores = make.binary(4000, {"a": 2.0, "b": 1.6}, seed=5)
    result = plan(Predictions.from_arrays(truth, y_score=scores), difference=0.02)
    # Both scores share 0.7·z of noise of total variance 0.98: the correlation within a class is one half.
    assert result.assumptions["correlation"] == pytest.approx(0.5, abs=0.05)
    assert result.assumptions["prevalence"] == pytest.approx(truth.mean())
    assert result.assumptions["baseline"] == pytest.approx(stats.auc(truth, scores["a"]))


def test_a_plan_from_a_pilot_keeps_its_promise(make) -> None:
    """Simulate at the planned size: DeLong's test finds the difference about as often as the plan says."""
    baseline, difference, rng = 0.80, 0.05, np.random.default_rng(8)
    needed = plan(measure="auc", difference=difference, baseline=baseline, correlation=0.5).needed
    from scipy.special import ndtri

    found = 0
    for _ in range(300):
        truth = np.arange(needed) % 2
        shared = rng.normal(size=needed)
        scores = [
            np.sqrt(0.5) * (shared + rng.normal(size=needed)) + truth * np.sqrt(2) * ndtri(auc)
            for auc in (baseline + difference, baseline)
        ]
        found += stats.delong_test(truth, *scores).pvalue < 0.05
    assert found / 300 == pytest.approx(0.8, abs=0.08)


def test_pilot_over_data_sets_and_folds(make) -> None:
    demsar = make.demsar().select(models=["C4.5+m", "C4.5"])
    a, b = demsar.matrix().T
    result = plan(demsar, difference=0.02)
    assert (result.test, result.n) == ("wilcoxon", 14)
    assert result.assumptions["sd"] == pytest.approx((a - b).std(ddof=1))
    folds = plan(make.resampled({"a": 0.8, "b": 0.75}, 10, 10), difference=0.05)
    assert (folds.test, folds.n, folds.assumptions["n_test"]) == ("corrected-t", 100, 50)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "needs a difference to be shown, or a number"),
        ({"difference": 0.01, "n_datasets": 10}, "needs sd="),
        ({"measure": "mae", "difference": 0.1}, "needs sd="),
        ({"difference": 0.0, "measure": "auc"}, "difference must be"),
        ({"difference": 0.3, "measure": "auc", "baseline": 0.9}, "auc_a must be"),
        ({"difference": 0.1, "test": "ttest"}, "test must be one of"),
        ({"difference": 0.1, "power": 80}, "power must be between 0 and 1"),
    ],
)
def test_bad_plans(options: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        plan(**options)


def test_plan_is_data() -> None:
    result = plan(measure="auc", difference=0.01)
    document = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert document["needed"] == result.needed
    assert document["verdict"] == result.verdict
    assert "assumed" in {n.code for n in result.notes}


@pytest.mark.parametrize("difference", ["a", 5, -2, float("nan")])
def test_a_difference_that_cannot_be_is_named(difference: object) -> None:
    with pytest.raises(ParameterError, match=r"difference must be a finite number in \[-1, 1\]"):
        plan(measure="accuracy", difference=difference)  # type: ignore[arg-type]
