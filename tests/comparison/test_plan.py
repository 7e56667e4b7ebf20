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
    assert f"needs {alone:,}" in result.verdict


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
    assert (many.test, many.n_comparisons) == ("wilcoxon", 6)  # the verdict is about pairs
    assert many.needed == stats.sample_size_wilcoxon(0.02, 0.02, alpha=0.05 / 6)
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
    assert result.assumptions["baseline"] == pytest.approx(
        stats.auc(truth, scores["b"])
    )  # a is the difference above it


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
        ({"difference": 0.3, "measure": "auc", "baseline": 0.9}, "as no AUC is more"),
        (
            {"difference": 0.3, "measure": "accuracy", "baseline": 0.85},
            r"baseline \+ difference must be between",
        ),
        ({"difference": 0.3, "discordant": 0.15}, "at most the share of instances where exactly one model is right"),
        ({"difference": 0.05, "measure": "f1", "sd": 0.3}, "needs a pilot"),
        ({"difference": 0.05, "measure": "rmse", "sd": 1.0}, "needs a pilot"),
        ({"difference": 0.05, "measure": "precision"}, "needs a pilot"),
        ({"difference": 0.05, "measure": "auc_hull"}, "no power calculation"),
        ({"difference": 0.05, "sd": 0.02, "n_datasets": 10, "test": "friedman"}, "decided by pairs"),
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


# -- a promise is about the verdict ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("models", "least"), [(2, 6), (3, 7), (4, 8), (5, 9)])
def test_sizes_at_which_no_pair_can_be_shown_are_refused(models: int, least: int) -> None:
    """The smallest p of the signed ranks is 2/2ᴺ; times m pairs it must be below the level."""
    options = {"difference": 0.05, "sd": 0.02, "n_models": models}
    with pytest.raises(ParameterError, match=rf"nothing can be shown: .* takes {least} data sets for {models} models"):
        plan(**options, n_datasets=least - 1)
    assert plan(**options, n_datasets=least).power_now > 0
    assert plan(**options, n_datasets=20).needed >= least


def test_a_control_needs_fewer_data_sets() -> None:
    assert plan(difference=0.05, sd=0.02, n_models=5, n_datasets=8, control=True).n_comparisons == 4


def test_power_of_auc_on_few_rows_is_simulated() -> None:
    """DeLong's formula promises 15 % on ten rows; the interval that `compare` gives shows next to nothing there."""
    few = plan(measure="auc", difference=0.10, baseline=0.85, n_rows=10)
    assert few.power_now < 0.05
    assert few.detectable is None
    many = plan(measure="auc", difference=0.10, baseline=0.85, n_rows=200)
    assert many.power_now == stats.power_delong(0.95, 0.85, 100, 100)


def test_recall_is_planned_within_its_class() -> None:
    every = plan(measure="accuracy", difference=0.1, discordant=0.3)
    recall = plan(measure="recall", difference=0.1, discordant=0.3, prevalence=0.2)
    assert (recall.test, recall.needed) == ("mcnemar", 5 * every.needed)
    specificity = plan(measure="specificity", difference=0.1, discordant=0.3, prevalence=0.2)
    assert specificity.needed == pytest.approx(every.needed / 0.8, abs=1)


@pytest.mark.parametrize("measure", ["f1", "precision", "kappa"])
def test_a_pilot_of_any_smooth_measure_tells_its_standard_error(make, measure: str) -> None:
    from bakeoff import compare

    predictions = make.labelled(600, {"a": 2.0, "b": 1.6})
    result = plan(predictions, measure=measure, difference=0.05)
    pair = compare(predictions, measure, test="rule").pairs[0]
    assert (result.test, result.unit, result.n) == ("rule", "instances", 600)
    assert result.assumptions["pilot_se"] == pytest.approx(pair.estimate / pair.statistic)
    double = plan(predictions, measure=measure, difference=0.05, n_rows=2400)
    assert double.detectable == pytest.approx(result.detectable / 2, rel=0.03)
    assert "standard error" in result.verdict


def test_groups_of_a_pilot_count_as_what_they_are_worth() -> None:
    """Every row three times over: the design effect is three, and three times the rows are needed."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 200)
    calls = {m: np.where(rng.random(200) < p, truth, 1 - truth) for m, p in (("a", 0.9), ("b", 0.7))}
    alone = Predictions.from_arrays(truth, y_pred=calls, groups=np.arange(200))
    thrice = Predictions.from_arrays(
        np.repeat(truth, 3), y_pred={m: np.repeat(c, 3) for m, c in calls.items()}, groups=np.repeat(np.arange(200), 3)
    )
    one, three = (plan(p, measure="accuracy", difference=0.1) for p in (alone, thrice))
    assert one.assumptions["design_effect"] == pytest.approx(1, abs=0.01)
    assert three.assumptions["design_effect"] == pytest.approx(3, rel=0.01)
    assert three.needed == pytest.approx(3 * one.needed, abs=3)
    assert "variances are 3" in three.verdict


def test_the_difference_of_a_pilot_can_be_planned_for() -> None:
    """The better of two AUCs and their difference came to more than 1."""
    rng = np.random.default_rng(7)
    truth = np.tile([0, 1], 150)
    scores = {m: truth * s + rng.normal(size=300) for m, s in (("a", 3.0), ("b", 1.2))}
    pilot = Predictions.from_arrays(truth, y_score=scores)
    gap = stats.auc(truth, scores["a"]) - stats.auc(truth, scores["b"])
    assert plan(pilot, measure="auc", difference=gap, n_rows=60).power_now > 0.6


def test_power_is_of_the_interval_not_of_a_t_test() -> None:
    """One run of folds, and a row not seen, widen intervals without making the difference vary more."""
    rng = np.random.default_rng(3)
    truth = (rng.random(100) < 0.4).astype(int)
    common = rng.normal(size=100)
    scores = {m: s * truth + 0.6 * common + 0.8 * rng.normal(size=100) for m, s in (("a", 1.8), ("b", 1.2))}
    calls = {m: (x > 0.7).astype(int) for m, x in scores.items()}
    found = []
    for extra in ({}, {"fold": np.arange(100) % 5}):
        pilot = Predictions.from_arrays(truth, y_score=scores, y_pred=calls, pos_label=1, **extra)
        one = plan(pilot, measure="f1", difference=0.08)
        # With nothing to show, power is the level that the interval keeps. AUC over 5 folds promised 31 % for 18.
        found.append(plan(pilot, measure="f1", difference=1e-6).power_now)
        assert plan(pilot, measure="f1", difference=0.08, n_rows=one.needed).power_now >= 0.8
        assert plan(pilot, measure="f1", difference=one.detectable, n_rows=100).power_now == pytest.approx(
            0.8, abs=1e-3
        )
    rows, folds = found
    assert 0.04 < rows < 0.05
    assert 0.005 < folds < 0.02


def test_a_pilot_over_folds_is_planned_by_rows() -> None:
    rng = np.random.default_rng(4)
    truth = np.tile([0, 1], 100)
    scores = {m: truth * s + rng.normal(size=200) for m, s in (("a", 2.0), ("b", 1.0))}
    pilot = Predictions.from_arrays(truth, y_score=scores, fold=np.arange(200) % 5, instance=np.arange(200))
    result = plan(pilot, measure="auc", difference=0.05)
    assert (result.test, result.unit, result.n) == ("cv-rows", "instances", 200)
