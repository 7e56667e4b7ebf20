"""Calibration validation and decision curves against R, dcurves and brute force; fits that converge or say why not."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff import EvidenceError, ParameterError, Predictions
from bakeoff.decision import OperatingContext, calibration_curve, decide, roc
from oracle import assert_case, cases


def of(procedure):
    return [pytest.param(c, id=c["id"]) for c in cases(procedure)]


@pytest.mark.parametrize("case", of("calibration_validation"))
def test_calibration_agrees_with_r(case):
    given = case["input"]
    found = bakeoff.calibration(Predictions.from_arrays(given["y"], y_score={"m": given["prob"]}, pos_label=1), rng=0)
    intercept, slope, ratio = (found["m", name] for name in ("intercept", "slope", "observed_expected"))
    got = {
        "calibration_in_the_large": intercept.estimate,
        "ci95_in_the_large": [intercept.low, intercept.high],
        "slope": slope.estimate,
        "ci95_slope_wald": [slope.low, slope.high],
        "oe_ratio": ratio.estimate,
        "ci95_oe_log": [ratio.low, ratio.high],
    }
    got |= {name: found["m", name].estimate for name in ("spiegelhalter_z", "ici", "e50", "e90")}
    assert_case(case, got)
    assert all(
        found["m", name].low < found["m", name].estimate < found["m", name].high for name in ("ici", "e50", "e90")
    )
    joint = found.curve("m", n_resamples=5)
    assert joint.intercept == pytest.approx(case["expected"]["intercept_joint"], rel=1e-7)
    assert list(found.to_frame().columns) == ["model", "measure", "estimate", "low", "high"]


@pytest.mark.parametrize("case", of("decision_curve"))
def test_decision_curves_agree_with_dcurves(case):
    given = case["input"]
    scores = {"a": given["prob_a"], "b": given["prob_b"]}
    found = bakeoff.decision_curves(
        Predictions.from_arrays(given["y"], y_score=scores, pos_label=1),
        thresholds=given["thresholds"],
        prevalence=given.get("prevalence"),
        rng=0,
    )
    benefit = {name: values.tolist() for name, values in found.net_benefit.items()}
    got = {"net_benefit_a": benefit["a"], "net_benefit_b": benefit["b"], "treat_all": benefit["treat all"]}
    assert_case(case, got | {"treat_none": benefit["treat none"]})
    gap = found.difference("a", "b")
    if "difference" in case["expected"]:
        np.testing.assert_allclose(gap.estimate, case["expected"]["difference"], atol=1e-12)
        spread = np.array(case["expected"]["se_difference"])
        np.testing.assert_allclose(gap.high - gap.low, 2 * 1.96 * spread, rtol=0.25, atol=0.004)
        reach = 2 * 1.96 * np.array(case["expected"]["se_a"])
        np.testing.assert_allclose(found.high["a"] - found.low["a"], reach, rtol=0.1)
    assert (found.low["treat none"] == found.high["treat none"]).all()
    frame = found.to_frame()
    assert list(frame.columns) == ["model", "threshold", "net_benefit", "low", "high", "standardized"]
    assert list(gap.to_frame().columns) == ["threshold", "estimate", "low", "high"]


def stated(multiple, shift=0.0, n=2000):
    rng = np.random.default_rng(5)
    logit = 3 * rng.normal(size=n)
    happened = (rng.random(n) < 1 / (1 + np.exp(-logit))).astype(int)
    return happened, 1 / (1 + np.exp(-(multiple * logit + shift)))


@pytest.mark.parametrize(("multiple", "shift"), [(3, 0), (1, -5), (1, 8), (-1, 0), (4, 0)])
def test_the_recalibration_slope_converges(multiple, shift):
    """Newton without step control gave 9e302, -8e303 or a crash here."""
    fit = calibration_curve(*stated(multiple, shift), n_resamples=2)
    assert fit.slope == pytest.approx(1 / multiple, rel=0.1)


def test_four_hundred_miscalibrated_models_get_a_slope():
    right = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        size = int(rng.integers(30, 600))
        true = rng.normal(size=size) * rng.uniform(0.5, 4)
        seen = (rng.random(size) < 1 / (1 + np.exp(-true))).astype(int)
        given = np.clip(1 / (1 + np.exp(-(rng.uniform(0.5, 4) * true + 3 * rng.normal()))), 1e-12, 1 - 1e-12)
        if 0 < seen.sum() < size:
            fit = calibration_curve(seen, given, method="bins", n_resamples=1)
            right += not fit.notes and abs(fit.slope) < 100
    assert right >= 390


def test_classes_that_separate_and_certain_probabilities_are_told():
    parted = np.r_[np.linspace(0.01, 0.4, 50), np.linspace(0.6, 0.99, 50)]
    fit = calibration_curve(np.repeat([0, 1], 50), parted, n_resamples=5)
    assert np.isnan(fit.slope)
    assert "separate the classes" in fit.notes[0].message
    y, p = stated(1, n=200)
    p[:3], y[:3] = (0.0, 1.0, 1.0), (1, 0, 1)
    fit = calibration_curve(y, p, n_resamples=5)
    assert np.isfinite(fit.slope)
    assert fit.notes[0].message.startswith("3 stated probabilities")


def test_groups_that_are_copies_widen_the_limits():
    y, p = stated(1, n=300)
    rows = np.tile(np.arange(300), 4)
    once = bakeoff.calibration(Predictions.from_arrays(y, y_score={"m": p}, pos_label=1), rng=0)
    copied = Predictions.from_arrays(y[rows], y_score={"m": p[rows]}, pos_label=1, groups=rows)
    again = bakeoff.calibration(copied, rng=0)
    for name in ("intercept", "slope", "observed_expected"):
        one, four = once["m", name], again["m", name]
        assert four.estimate == pytest.approx(one.estimate, rel=1e-6)
        assert four.high - four.low == pytest.approx(one.high - one.low, rel=0.2)


def test_scores_that_are_no_probabilities_are_refused():
    predictions = Predictions.from_arrays([0, 1, 0, 1], y_score={"m": [-3, 2, 0, 5]}, pos_label=1)
    with pytest.raises(EvidenceError, match="needs probabilities"):
        bakeoff.decision_curves(predictions)
    with pytest.raises(EvidenceError, match="needs probabilities"):
        bakeoff.calibration(predictions)
    fine = Predictions.from_arrays([0, 1, 0, 1], y_score={"m": [0.1, 0.8, 0.4, 0.6]}, pos_label=1)
    with pytest.raises(ParameterError, match="above 0 and below 1"):
        bakeoff.decision_curves(fine, thresholds=[0.5, 1.0])


def test_bands_repeat_and_the_simultaneous_one_holds_the_pointwise(rng):
    for n in (40, 100, 300):
        y = rng.random(n) < 0.4
        analysis = roc(Predictions.from_arrays(y.astype(int), y_score={"m": y + rng.normal(size=n)}, pos_label=1))
        point, again, whole = (analysis.band("m", kind=k) for k in ("pointwise", "pointwise", "simultaneous"))
        np.testing.assert_array_equal(point.low, again.low)
        assert (whole.low <= point.low).all()
        assert (whole.high >= point.high).all()


def test_one_answer_throughout_has_an_exact_area_and_trivial_rules_exact_costs(rng):
    y = np.repeat([0, 1], 40)
    predictions = Predictions.from_arrays(y, y_score={"m": np.zeros(80), "s": y + rng.normal(size=80)}, pos_label=1)
    area = roc(predictions).auc["m"]
    assert (area.low, area.estimate, area.high) == (0.5, 0.5, 0.5)
    found = decide(predictions, OperatingContext(prevalence=0.2, cost_fn=3), rng=0)
    costs = {a.model: a.expected_cost for a in (found.choice, *found.alternatives)}
    assert (costs["always 0"].low, costs["always 0"].high) == (pytest.approx(0.6), pytest.approx(0.6))
