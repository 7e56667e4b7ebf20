"""Gini, KS, gains and net benefit: against pROC, ROCR and dcurves, and what their intervals promise."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff import measures
from oracle import assert_case, cases


def of(procedure):
    return [pytest.param(case, id=case["id"]) for case in cases(procedure)]


def evidence(given):
    return bakeoff.Predictions.from_arrays(
        given["y"], y_score={"a": given["score_a"], "b": given["score_b"]}, pos_label=1
    )


@pytest.mark.parametrize("case", of("credit"))
def test_credit_measures_agree_with_r(case):
    rows, expected = evidence(case["input"]), case["expected"]
    found = bakeoff.evaluate(rows, ["auc", "gini", "ks"], rng=0)
    assert_case(
        case,
        {
            "auc": found["a", "auc"].estimate,
            "gini": found["a", "gini"].estimate,
            "gini_b": found["b", "gini"].estimate,
            "ks": found["a", "ks"].estimate,
            "ks_b": found["b", "ks"].estimate,
        },
    )
    told = " ".join(str(note) for note in found["a", "ks"].notes)
    assert f"threshold {expected['ks_threshold']:.6g}." in told
    shared = expected.get("gain_expected_under_ties") or [decile["gain"] for decile in expected["gains"]]
    got = [measures.gain(k / 10)(case["input"]["y"], case["input"]["score_a"]) for k in range(1, 10)]
    assert got == pytest.approx(shared[:9], rel=1e-12)


@pytest.mark.parametrize("case", of("credit"))
def test_delong_serves_gini(case):
    rows, expected = evidence(case["input"]), case["expected"]
    wald = bakeoff.evaluate(rows, "gini", interval="delong-wald")["a", "gini"]
    assert (wald.high - wald.low) / 2 / 1.959963984540054 == pytest.approx(expected["se_gini_delong"], rel=1e-9)
    pair = bakeoff.compare(rows, "gini", test="delong").pair("a", "b")
    half = (pair.high - pair.low) / 2 / 1.959963984540054
    assert pair.estimate == pytest.approx(expected["gini_difference"], rel=1e-9)
    assert half == pytest.approx(expected["se_gini_difference_delong"], rel=1e-9)


@pytest.mark.filterwarnings("ignore:.*near-chance")
@pytest.mark.parametrize("shape", ["plain", "weights", "groups", "folds", "perfect"])
def test_gini_is_the_auc_stretched(shape, rng):
    """Interval, difference, p-value and margins of 2·AUC − 1 are those of AUC, to the last digits."""
    n = 90
    y = (rng.random(n) < 0.4).astype(int)
    a, b = (d * y + rng.normal(size=n) for d in (1.5, 1.0))
    extra = {
        "weights": {"sample_weight": rng.random(n) + 0.1},
        "groups": {"groups": rng.integers(0, 12, n)},
        "folds": {"fold": np.arange(n) % 5},
    }.get(shape, {})
    rows = bakeoff.Predictions.from_arrays(
        y, y_score={"a": y + 0.1 * rng.random(n) if shape == "perfect" else a, "b": b}, pos_label=1, **extra
    )
    one = bakeoff.evaluate(rows, ["auc", "gini"], rng=0)
    for model in "ab":
        auc, gini = one[model, "auc"], one[model, "gini"]
        assert gini.method == auc.method
        assert [gini.estimate, gini.low, gini.high] == pytest.approx(
            [2 * x - 1 for x in (auc.estimate, auc.low, auc.high)], abs=1e-9
        )
    for options in ({}, {"test": "rule"}, {"test": "bootstrap", "rng": 0}, {"test": "permutation", "rng": 0}):
        if shape == "folds" and options:
            continue
        first = bakeoff.compare(rows, "auc", margin=0.05, **options).pair("a", "b")
        second = bakeoff.compare(rows, "gini", margin=0.1, **options).pair("a", "b")
        assert [second.estimate, second.low, second.high] == pytest.approx(
            [2 * x for x in (first.estimate, first.low, first.high)], abs=1e-7
        )
        assert second.pvalue == pytest.approx(first.pvalue, abs=1e-6)
        assert second.closeness == first.closeness


def test_planning_for_gini_is_planning_for_auc():
    auc = bakeoff.plan(measure="auc", difference=0.05, baseline=0.8)
    gini = bakeoff.plan(measure="gini", difference=0.1, baseline=0.6)
    assert gini.needed == auc.needed


@pytest.mark.parametrize("case", of("decision_curve"))
def test_net_benefit_agrees_with_dcurves(case):
    given = case["input"]
    if "prevalence" in given:  # the measure is of the rows as they are; decision_curves takes another prevalence
        return
    got = [measures.net_benefit(t)(given["y"], given["prob_a"]) for t in given["thresholds"]]
    assert_case(case, {"net_benefit_a": got})
    rows = bakeoff.Predictions.from_arrays(given["y"], y_score={"a": given["prob_a"], "b": given["prob_b"]})
    for t, error in zip(given["thresholds"], case["expected"]["se_a"], strict=True):
        found = bakeoff.evaluate(rows, measures.net_benefit(t), interval="linearized").entries[0]
        assert found.standard_error == pytest.approx(error, rel=1e-9)


def test_standardized_net_benefit_is_over_the_prevalence(rng):
    y = (rng.random(200) < 0.3).astype(int)
    p = np.clip(0.3 + 0.3 * (y - 0.3) + 0.1 * rng.normal(size=200), 0.01, 0.99)
    plain, scaled = measures.net_benefit(0.4), measures.net_benefit(0.4, standardized=True)
    assert scaled(y, p) == pytest.approx(plain(y, p) / y.mean())
    assert scaled.name == "net_benefit[0.4, standardized]"
    assert np.isnan(scaled([0, 0, 0], [0.1, 0.5, 0.9], labels=[0, 1], pos_label=1))


@pytest.mark.parametrize("bad", [0, 1, -0.1, "half"])
def test_shares_and_thresholds_lie_between_0_and_1(bad):
    for factory in (measures.gain, measures.net_benefit):
        with pytest.raises(bakeoff.ParameterError, match="finite number in"):
            factory(bad)


def test_the_order_of_tied_rows_does_not_matter_for_a_gain(rng):
    y, score = rng.integers(0, 2, 60), np.round(rng.random(60), 1)
    order = rng.permutation(60)
    assert measures.gain(0.25)(y, score) == pytest.approx(measures.gain(0.25)(y[order], score[order]), rel=1e-14)


@pytest.mark.parametrize("name", ["ks", "auc_hull", "calibration_error"])
def test_what_few_rows_make_too_large_has_a_lower_limit_that_allows_for_it(name, rng):
    """Of 40 samples of a calibrated model of 60 rows, with true KS 0.38, hull AUC 0.76 and calibration error 0."""
    truth, misses = {"ks": 0.3829, "auc_hull": 0.7602, "calibration_error": 0.0}[name], 0
    for run in range(40):
        y = (rng.random(60) < 0.5).astype(int)
        p = 1 / (1 + np.exp(-(y + rng.normal(size=60) - 0.5)))
        found = bakeoff.evaluate(bakeoff.Predictions.from_arrays(y, y_score={"m": p}), name, rng=run, n_resamples=100)
        one = found["m", name]
        assert one.method == "debiased"
        assert one.low <= one.estimate <= one.high
        misses += not one.low <= truth <= one.high
    assert misses <= 5  # 5 % of 40 are 2; BCa missed some 15 (KS), 8 (hull) and 40 (calibration error)


def test_a_perfect_ks_allows_for_rows_not_seen():
    rows = bakeoff.Predictions.from_arrays([0] * 20 + [1] * 20, y_score={"m": [0.1] * 20 + [0.9] * 20})
    found = bakeoff.evaluate(rows, ["ks", "auc_hull"], rng=0)
    for name in ("ks", "auc_hull"):
        assert 0.5 < found["m", name].low < 0.95
        assert found["m", name].high == 1.0


def test_ks_over_folds_comes_from_rows_pooled_within_a_repeat(rng):
    y = np.tile([0, 1], 60)
    score = y + rng.normal(size=120)
    whole = bakeoff.evaluate(bakeoff.Predictions.from_arrays(y, y_score={"m": score}), "ks", rng=0)["m", "ks"]
    folds = bakeoff.Predictions.from_arrays(y, y_score={"m": score}, fold=np.arange(120) // 2 % 10)
    found = bakeoff.evaluate(folds, "ks", rng=0)["m", "ks"]
    assert found.estimate == pytest.approx(whole.estimate)  # the mean over folds of 12 rows would be far larger
    assert found.low < whole.low < whole.high < found.high
