"""Every defect of the audit of the default routes, S1 to S28: its reproduction, and what must be answered instead.

`docs/data/defects.csv` tells what was answered before, what is answered now, and which test here holds it.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bakeoff
from bakeoff import Predictions, Scores

pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")


def two_class(rng, n, prevalence=0.4, distance=1.2):
    y = (rng.random(n) < prevalence).astype(int)
    return y, 1 / (1 + np.exp(-(distance * y + rng.normal(size=n) - distance / 2)))


def codes(result):
    return {note.code for note in result.notes}


def test_s01_a_weight_is_not_a_number_of_rows():
    rng = np.random.default_rng(5)
    y, p = two_class(rng, 200)
    found = {}
    for weight in (None, 0.5, 1.0, 3.0, 100.0):
        rows = Predictions.from_arrays(
            y, y_score={"m": p}, pos_label=1, sample_weight=None if weight is None else np.full(200, weight)
        )
        one = bakeoff.evaluate(rows, "accuracy", rng=0)["m", "accuracy"]
        found[weight] = one.low, one.high
    assert len(set(found.values())) == 1
    uneven = Predictions.from_arrays(y, y_score={"m": p}, pos_label=1, sample_weight=rng.integers(1, 10, 200))
    one = bakeoff.evaluate(uneven, "accuracy")["m", "accuracy"]
    low, high = found[None]
    assert one.high - one.low > high - low


def test_s02_the_class_mix_counts_over_stratified_folds():
    y = np.repeat([0, 1], [210, 90])
    fold = np.concatenate([np.arange(210) % 10, np.arange(90) % 10])
    rows = Predictions.from_arrays(y, y_pred={"never": np.zeros(300, int)}, pos_label=1, fold=fold)
    one = bakeoff.evaluate(rows, "accuracy")["never", "accuracy"]
    wilson = bakeoff.stats.binomial_interval(210, 300)
    assert one.low <= wilson.low
    assert one.high >= wilson.high


def test_s03_groups_cut_by_folds_are_the_unit():
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(15), 20)
    y = rng.integers(0, 2, 300)
    lean = rng.normal(size=15)[groups]
    pred = {m: np.where(rng.normal(size=300) + s * lean > -0.5, y, 1 - y) for m, s in (("a", 1), ("b", -1))}
    rows = Predictions.from_arrays(y, y_pred=pred, groups=groups, fold=rng.permutation(300) % 10)
    plain = Predictions.from_arrays(y, y_pred=pred, fold=rng.permutation(300) % 10)
    with_groups, without = (bakeoff.compare(r, "accuracy").pair("a", "b") for r in (rows, plain))
    assert with_groups.high - with_groups.low > 1.5 * (without.high - without.low)
    assert "folds-cut-groups" in codes(bakeoff.compare(rows, "accuracy"))


def test_s04_a_margin_holds_at_its_boundary():
    """AUC 0.99 less 0.02 with ten positives of 100 passed 24 % of such samples."""
    from scipy.special import ndtri

    rng, passed = np.random.default_rng(4), 0
    d = np.sqrt(2) * ndtri(np.array([0.99, 0.97]))
    for _ in range(25):
        y = np.repeat([0, 1], [90, 10])
        common = rng.normal(size=100)
        old, new = (k * y + np.sqrt(0.5) * common + np.sqrt(0.5) * rng.normal(size=100) for k in d)
        rows = Predictions.from_arrays(y, y_score={"old": old, "new": new}, pos_label=1)
        passed += bakeoff.compare(rows, "auc", control="old", margin=0.02).pair("new", "old").closeness in (
            "equivalent",
            "not inferior",
        )
    assert passed <= 2  # 24 % of 25 would be 6


def test_s05_models_that_answered_alike_do_not_pass_on_five_rows(tmp_path):
    (tmp_path / "same.csv").write_text("y,old,new\n0,1,1\n1,1,1\n0,0,0\n1,1,1\n0,0,0\n")
    names = "--truth y --baseline old --candidate new --measure accuracy --margin 0.001 --positive 1"
    call = [sys.executable, "-m", "bakeoff", "gate", str(tmp_path / "same.csv"), *names.split(" ")]
    assert subprocess.run(call, capture_output=True, check=False).returncode == 1
    assert subprocess.run([*call, "--identical-passes"], capture_output=True, check=False).returncode == 0


def test_s06_equal_precision_at_other_call_rates_is_not_a_difference():
    rng, rejected = np.random.default_rng(6), 0
    for _ in range(30):
        y = (rng.random(1000) < 0.2).astype(int)
        a = np.where(y == 1, rng.random(1000) < 0.9, rng.random(1000) < 0.15).astype(int)
        b = np.where(y == 1, rng.random(1000) < 0.15, rng.random(1000) < 0.025).astype(int)
        pair = bakeoff.compare(Predictions.from_arrays(y, y_pred={"a": a, "b": b}, pos_label=1), "precision").pair(
            "a", "b"
        )
        assert (pair.pvalue < 0.05) == (not pair.low <= 0 <= pair.high)
        rejected += pair.pvalue < 0.05
    assert rejected <= 4  # 18 % of 30 would be 5 or 6


def test_s07_the_cost_of_a_choice_is_paid_on_other_rows():
    from scipy.special import ndtr

    rng = np.random.default_rng(7)
    off = []
    for run in range(4):
        y = (rng.random(200) < 0.3).astype(int)
        common = rng.normal(size=200)
        scores = {f"m{j:02d}": 1.2 * y + 0.7 * common + 0.7 * rng.normal(size=200) for j in range(20)}
        context = bakeoff.OperatingContext(cost_fp=1, cost_fn=5)
        rows = Predictions.from_arrays(y, y_score=scores, pos_label=1)
        found = bakeoff.decide(rows, context, n_resamples=100, rng=run)

        cut, width = found.threshold, np.sqrt(0.98)
        truth = 0.7 * (1 - ndtr(cut / width)) + 0.3 * 5 * ndtr((cut - 1.2) / width)
        if not found.model.startswith("always"):
            off.append(found.expected_cost.estimate / truth - 1)
    assert np.mean(off) > -0.1  # was 30 % too low
    assert found.expected_cost.estimate > found.apparent_cost


def test_s08_power_that_is_zero_is_refused():
    with pytest.raises(bakeoff.ParameterError, match="9 data sets"):
        bakeoff.plan(difference=0.05, sd=0.02, n_models=5, n_datasets=6)
    with pytest.raises(bakeoff.ParameterError, match="between 0 and 1"):
        bakeoff.plan(measure="accuracy", difference=0.3, baseline=0.85)
    assert bakeoff.plan(measure="auc", difference=0.1, baseline=0.85, n_rows=10).power_now < 0.05


def test_s09_no_conclusion_from_two_groups():
    y, g = np.tile([0, 1], 40), np.repeat([0, 1], 40)
    a, b = y.copy(), y.copy()
    for k in (0, 40):
        a[k : k + 3], b[k : k + 5] = 1 - y[k : k + 3], 1 - y[k : k + 5]
    found = bakeoff.compare(Predictions.from_arrays(y, y_pred={"a": a, "b": b}, groups=g), "accuracy")
    assert "few-groups" in codes(found)
    pair = found.pair("a", "b")  # it was 0.050 to 0.050 with p = 3e-16: two equal groups say nothing of a third
    assert pair.conclusion == "no difference shown"
    assert pair.low < 0 < pair.high
    assert pair.pvalue > 0.05


@pytest.mark.parametrize(("groups", "decided"), [(3, False), (4, False), (5, True)])
def test_s09_fewer_than_five_effective_groups_decide_nothing(groups, decided):
    """A difference that is plain in every group: the interval stands, the verdict waits for the fifth group."""
    rng = np.random.default_rng(0)
    y, g = rng.integers(0, 2, 100 * groups), np.arange(100 * groups) % groups
    a, b = (np.where(rng.random(y.size) < right, y, 1 - y) for right in (0.9, 0.6))
    p = Predictions.from_arrays(y, y_pred={"a": a, "b": b}, groups=g, pos_label=1)
    found = bakeoff.compare(p, "accuracy")
    gated = bakeoff.gate(p, baseline="b", candidate="a", measure="accuracy", superior=True)
    assert found.pairs[0].low > 0
    assert found.verdict.startswith("Undecided") is not decided
    assert gated.outcome == ("passed" if decided else "undecided")


def test_s09_groups_over_folds_keep_their_few_degrees_of_freedom():
    """Six groups, accuracy over folds: as wide as the rule on one test set, where Wilson's formula was too short."""
    rng = np.random.default_rng(9)
    groups = np.repeat(np.arange(6), 30)
    y = rng.integers(0, 2, 180)
    pred = np.where(rng.random(180) < 0.5 + 0.08 * groups, y, 1 - y)
    plain, folds = (
        bakeoff.evaluate(Predictions.from_arrays(y, y_pred={"m": pred}, groups=groups, fold=fold), "accuracy")
        for fold in (None, np.arange(180) % 10)
    )
    one, other = plain["m", "accuracy"], folds["m", "accuracy"]
    assert [other.low, other.high] == pytest.approx([one.low, one.high], abs=0.02)


def test_s10_a_choice_holds_where_it_is_told_to_hold():
    rng = np.random.default_rng(10)
    y = (rng.random(300) < 0.4).astype(int)
    scores = {m: d * y + rng.normal(size=300) for m, d in (("a", 1.3), ("b", 1.1), ("c", 0.9))}
    rows = Predictions.from_arrays(y, y_score=scores, pos_label=1, fold=rng.permutation(300) % 10)

    def ask(prevalence):
        context = bakeoff.OperatingContext(prevalence=float(prevalence), cost_fp=1, cost_fn=1)
        return bakeoff.decide(rows, context, n_resamples=50, rng=0)

    first = ask(0.3)
    low, high = first.holds_for.prevalence
    assert 0 < low <= 0.3 <= high < 1
    assert {ask(p).model for p in np.linspace(low, high, 7)[1:-1]} == {first.model}
    low, high = first.holds_for.threshold_prevalence
    assert {ask(p).threshold for p in np.linspace(low, high, 5)[1:-1]} == {first.threshold}


def test_s11_rows_have_the_power_that_folds_waste():
    rng = np.random.default_rng(11)
    y = rng.integers(0, 2, 400)
    pred = {m: np.where(rng.random(400) < right, y, 1 - y) for m, right in (("a", 0.85), ("b", 0.74))}
    rows = Predictions.from_arrays(y, y_pred=pred, fold=np.arange(400) % 5)
    found = bakeoff.compare(rows, "accuracy")
    assert found.choice.chosen == "cv-rows"
    assert found.pair("a", "b").pvalue < bakeoff.compare(rows, "accuracy", test="corrected-t").pair("a", "b").pvalue
    again = Predictions.from_arrays(
        np.tile(y, 5), y_pred={m: np.tile(v, 5) for m, v in pred.items()}, fold=np.tile(np.arange(400) % 5, 5),
        repeat=np.repeat(np.arange(5), 400), instance=np.tile(np.arange(400), 5),
    )  # fmt: skip
    once, five = (bakeoff.evaluate(r, "accuracy")["a", "accuracy"] for r in (rows, again))
    assert (once.low, once.high) == (five.low, five.high)  # identical repeats are no news


def test_s12_few_rows_that_carry_a_result_are_told():
    rng = np.random.default_rng(12)
    y = rng.normal(size=100)
    error = rng.normal(size=100)
    error[0] = 8.0
    rows = Predictions.from_arrays(y, y_value={"a": y + rng.normal(size=100), "b": y + error})
    found = bakeoff.compare(rows, "rmse")
    assert "few-rows-carry" in codes(found)
    error[0], error[1:3] = 5.0, -5.0
    found = bakeoff.compare(Predictions.from_arrays(y, y_value={"a": y + 0.1, "b": y + 0.1 * error}), "mse")
    assert "3 of 100 rows carry" in " ".join(map(str, found.notes))
    skewed = Predictions.from_arrays(y, y_value={"m": y + rng.lognormal(sigma=1.5, size=100)})
    assert "heavy-tails" in codes(bakeoff.evaluate(skewed, "rmse")["m", "rmse"])


def test_s13_losses_of_a_nearly_perfect_model_allow_for_an_error_not_seen():
    rng = np.random.default_rng(13)
    misses = 0
    for _ in range(40):  # AUC 0.9998; the true Brier score is 0.0047
        y = (rng.random(100) < 0.4).astype(int)
        p = 1 / (1 + np.exp(-(5.0 * (5.0 * y + rng.normal(size=100)) - 12.5 + np.log(2 / 3))))
        one = bakeoff.evaluate(Predictions.from_arrays(y, y_score={"m": p}), "brier")["m", "brier"]
        misses += not one.low <= 0.0047 <= one.high
    assert misses <= 4  # 41 % of 40 would be 16


@pytest.mark.parametrize(
    "measure",
    [
        "precision",
        "npv",
        "recall",
        "specificity",
        "f1",
        "kappa",
        "mcc",
        "balanced_accuracy",
        "auc",
        "average_precision",
        "brier",
        "gain",
    ],
)
def test_s14_p_value_and_interval_agree(measure):
    rng = np.random.default_rng(14)
    for run in range(4):
        y, p = two_class(rng, 60)
        rows = Predictions.from_arrays(
            y, y_score={"a": p, "b": np.clip(p + 0.3 * rng.normal(size=60) * (run % 3), 0.01, 0.99)}
        )
        pair = bakeoff.compare(rows, measure, rng=run).pair("a", "b")
        if np.isfinite(pair.pvalue) and np.isfinite(pair.low):
            assert (pair.pvalue < 0.05) == (not pair.low <= 0 <= pair.high)


def test_s15_the_calibration_fit_converges_or_says_why_not():
    slopes = []
    for seed in (0, 3, 61):  # 61 stopped the report
        g = np.random.default_rng(seed)
        n = int(g.integers(30, 600))
        z = g.normal(size=n) * g.uniform(0.5, 4)
        y = (g.random(n) < 1 / (1 + np.exp(-z))).astype(int)
        p = np.clip(1 / (1 + np.exp(-(g.uniform(0.5, 4) * z + 3 * g.normal()))), 1e-12, 1 - 1e-12)
        found = bakeoff.calibration(Predictions.from_arrays(y, y_score={"m": p}), rng=0)["m", "slope"]
        slopes.append(found.estimate)
        assert np.isfinite(found.estimate) or found.notes
    assert np.nanmax(np.abs(slopes)) < 30
    separate = Predictions.from_arrays([0] * 20 + [1] * 20, y_score={"m": [0.1] * 20 + [0.9] * 20})
    assert "separa" in str(bakeoff.calibration(separate, rng=0))


def test_s16_the_same_seed_gives_the_same_report():
    rng = np.random.default_rng(16)
    y, p = two_class(rng, 80)
    rows = Predictions.from_arrays(y, y_score={"a": p, "b": rng.random(80)})
    context = bakeoff.OperatingContext(cost_fp=1, cost_fn=5)
    first, second = (bakeoff.report(rows, context, rng=0, title="t").html for _ in range(2))
    assert first == second


def test_s17_few_positives_take_the_rule_and_a_warning():
    rng = np.random.default_rng(17)
    y = np.repeat([0, 1], [192, 8])
    rows = Predictions.from_arrays(y, y_score={m: y + rng.normal(size=200) for m in "ab"}, pos_label=1)
    found = bakeoff.compare(rows, "auc")
    assert found.choice.chosen == "rule"
    assert "few-in-class" in codes(bakeoff.evaluate(rows, "auc")["a", "auc"])


@pytest.mark.parametrize("scale", [1e-40, 1e-13, 1e-11, 1e12, 1e60])
def test_s18_no_threshold_is_absolute(scale):
    rng = np.random.default_rng(18)
    y, a, b = (rng.normal(size=60) for _ in range(3))
    rows = Predictions.from_arrays(scale * y, y_value={"a": scale * (y + a), "b": scale * (y + 1.2 * b)})
    unit = Predictions.from_arrays(y, y_value={"a": y + a, "b": y + 1.2 * b})
    for measure in ("rmse", "mae", "median_absolute_error"):
        one, other = (bakeoff.evaluate(r, measure, rng=0)["a", measure] for r in (rows, unit))
        assert [one.low / scale, one.high / scale] == pytest.approx([other.low, other.high], rel=1e-6)
        pair, plain = (bakeoff.compare(r, measure, rng=0).pair("a", "b") for r in (rows, unit))
        assert pair.pvalue == pytest.approx(plain.pvalue, rel=1e-5)
    values = scale * (np.array([[2.0, 1.0]]) + 0.1 * rng.normal(size=(12, 2)))
    folds = Scores.from_wide(values, models=["a", "b"], greater_is_better=True)
    assert np.isfinite(bakeoff.compare(folds).pair("a", "b").pvalue)


def test_s18_values_whose_powers_are_no_floats_are_refused():
    with pytest.raises(bakeoff.EvidenceError, match="larger unit"):
        Predictions.from_arrays([1.0, 2.0], y_value={"a": [1.0, 1e80]})


@pytest.mark.parametrize("scale", [1e-200, 1e-14, 1e200])
def test_s18_tests_of_differences_have_no_unit(scale):
    from bakeoff import stats

    a, b = np.array([0.1, 0.2, 0.35, 0.4, 0.55, 0.7]), np.array([0.12, 0.15, 0.36, 0.3, 0.5, 0.6])
    for test in (
        lambda k: stats.paired_t(k * a, k * b).pvalue,
        lambda k: stats.corrected_t(k * a, k * b, n_train=9, n_test=1).pvalue,
        lambda k: stats.tost(k * a, k * b, margin=k).pvalue,
        lambda k: stats.bayes_correlated_t(k * (a - b), rho=0.1).p_a_better,
        lambda k: stats.cohen_d(k * a, k * b),
        lambda k: bakeoff.compare(
            Scores.from_wide(k * np.stack([a, b], axis=1), models=["a", "b"], greater_is_better=True)
        ).pair("a", "b").effect_size,
    ):  # fmt: skip
        assert test(scale) == pytest.approx(test(1.0), rel=1e-9)


def test_s18_scores_of_1e_11_rank_like_others():
    rng = np.random.default_rng(19)
    y, p = two_class(rng, 100)
    q = rng.random(100)
    one, tiny = (Predictions.from_arrays(y, y_score={"a": k * p, "b": k * q}, pos_label=1) for k in (1.0, 1e-11))
    for measure in ("auc", "average_precision", "ks"):
        first, second = (bakeoff.evaluate(r, measure, rng=0)["a", measure] for r in (one, tiny))
        assert [second.estimate, second.low, second.high] == pytest.approx([first.estimate, first.low, first.high])
    tied = Predictions.from_arrays(y, y_score={"a": np.round(p, 1) * 1e-11, "b": q * 1e-11}, pos_label=1)
    plain = Predictions.from_arrays(y, y_score={"a": np.round(p, 1), "b": q}, pos_label=1)
    first, second = (bakeoff.compare(r, "auc").pair("a", "b") for r in (plain, tied))
    assert second.estimate == pytest.approx(first.estimate, abs=1e-12)


def test_s19_trivial_rules_have_exact_values():
    y = np.tile([0, 0, 1], 40)
    rows = Predictions.from_arrays(y, y_score={"m": y * 0.5 + 0.2}, pos_label=1).with_baselines()
    found = bakeoff.evaluate(rows, ["auc", "recall", "accuracy"])
    for model, measure, value in (("always 0", "recall", 0.0), ("prior", "auc", 0.5), ("always 1", "auc", 0.5)):
        one = found[model, measure]
        assert (one.estimate, one.low, one.high) == (value, value, value)
    assert found["always 0", "accuracy"].low < 2 / 3 < found["always 0", "accuracy"].high


def test_s20_folds_add_no_bias():
    """Average precision over ten folds is that of the rows of a repeat, not the mean of ten small ones."""
    rng = np.random.default_rng(20)
    y = (rng.random(300) < 0.1).astype(int)
    s = y + rng.normal(size=300)
    whole = Predictions.from_arrays(y, y_score={"m": s}, pos_label=1)
    folds = Predictions.from_arrays(y, y_score={"m": s}, pos_label=1, fold=np.arange(300) % 10)
    for measure in ("average_precision", "ks", "auc_hull"):
        one, other = (bakeoff.evaluate(r, measure, rng=0)["m", measure].estimate for r in (whole, folds))
        assert other == pytest.approx(one)


def test_s21_a_margin_over_data_sets_is_on_the_mean():
    rng = np.random.default_rng(0)
    old = 0.85 + 0.03 * rng.normal(size=20)
    new = old + 0.002 * rng.normal(size=20)
    new[:3] -= 0.25
    s = Scores.from_wide(np.column_stack([new, old]), models=["new", "old"], measure="accuracy")
    assert bakeoff.compare(s, margin=0.02, control="old", rng=0).pair("new", "old").closeness not in (
        "equivalent",
        "not inferior",
    )
    median = bakeoff.compare(s, margin=0.02, control="old", rng=0, over="median")
    assert median.pair("new", "old").closeness == "equivalent"
    assert "3 of 20" in str(median.verdict) + " ".join(map(str, median.notes))


def test_s22_copies_are_tied():
    rng = np.random.default_rng(22)
    y, p = two_class(rng, 150)
    rows = Predictions.from_arrays(y, y_score={"a": p, "b": p, "c": p})
    found = bakeoff.decide(rows, bakeoff.OperatingContext(cost_fp=1, cost_fn=5), n_resamples=200, rng=0)
    assert "tie" in str(found.verdict).lower()


def test_s23_one_rule_for_a_class_that_is_absent_from_the_truth():
    rows = Predictions.from_arrays([0, 0, 1, 1, 1, 0], y_pred={"m": [0, 0, 1, 1, 2, 0]}, classes=[0, 1, 2])
    found = bakeoff.evaluate(rows, ["recall_macro", "balanced_accuracy", "precision_macro", "f1_macro"])
    assert found["m", "recall_macro"].estimate == pytest.approx(found["m", "balanced_accuracy"].estimate)
    assert np.isfinite([found["m", name].estimate for name in ("precision_macro", "f1_macro")]).all()


def test_s24_cut_log_losses_are_told():
    rows = Predictions.from_arrays([0, 1, 1, 0], y_score={"m": [1.0, 0.9, 0.8, 0.1]})
    note = next(
        n for n in bakeoff.evaluate(rows, "log_loss")["m", "log_loss"].notes if n.code == "clipped-probabilities"
    )
    assert "1 rows" in str(note) or "1 row" in str(note)


def test_s25_simultaneous_bands_contain_the_pointwise_ones():
    rng = np.random.default_rng(25)
    y = np.repeat([0, 1], [200, 20])
    rows = Predictions.from_arrays(y, y_score={"m": 1.2 * y + rng.normal(size=220)}, pos_label=1)
    wide, near = (bakeoff.roc(rows).band("m", kind=k, rng=0) for k in ("simultaneous", "pointwise"))
    assert (wide.low <= near.low + 1e-12).all()
    assert (wide.high >= near.high - 1e-12).all()


def test_s26_equal_weights_are_no_weights():
    rng = np.random.default_rng(26)
    y, p = two_class(rng, 120)
    q = np.clip(p + 0.2 * rng.normal(size=120), 0.01, 0.99)
    plain, ones = (
        bakeoff.compare(Predictions.from_arrays(y, y_score={"a": p, "b": q}, sample_weight=w), "accuracy").pair(
            "a", "b"
        )
        for w in (None, np.ones(120))
    )
    assert (plain.pvalue, plain.low, plain.high, plain.method) == (ones.pvalue, ones.low, ones.high, ones.method)


@pytest.mark.parametrize("measure", ["f1", "ks", "h_measure"])
def test_s27_names_do_not_move_limits(measure):
    rng = np.random.default_rng(27)
    y, p = two_class(rng, 80)
    q = rng.random(80)

    def limits(names):
        rows = Predictions.from_arrays(y, y_score={names[0]: p, names[1]: q})
        pair = bakeoff.compare(rows, measure, rng=0, n_resamples=200).pair(*names)
        one = bakeoff.evaluate(rows, measure, rng=0, n_resamples=200)[names[0], measure]
        return [pair.low, pair.high, pair.pvalue, one.low, one.high]

    assert limits("ab") == limits("xy")


def test_s28_632_tells_its_limits():
    from sklearn.neighbors import KNeighborsClassifier

    rng = np.random.default_rng(28)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 3)) + y[:, None]
    results = bakeoff.run(
        {"1nn": KNeighborsClassifier(1)}, {"d": (X, y)}, bakeoff.protocols.Bootstrap(50), progress=False
    )
    assert "memorised" in codes(results.evaluate("accuracy")["1nn", "accuracy"])


def test_the_table_of_defects_names_these_tests():
    with (Path(__file__).parents[2] / "docs/data/defects.csv").open(encoding="utf-8") as file:
        named = [row["test"] for row in csv.DictReader(file)]
    assert sorted(set(named)) == sorted(name for name in globals() if name.startswith("test_s"))
