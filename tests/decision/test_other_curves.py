"""Calibration, Brier decomposition and curve, DET; uncertain contexts; costs by case."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from bakeoff import EvidenceError, ParameterError
from bakeoff.decision import (
    InstanceCosts,
    OperatingContext,
    RocCurve,
    UncertainContext,
    brier_curve,
    brier_decomposition,
    calibration_curve,
    det_curve,
)
from bakeoff.decision._context import resampled_cost
from oracle import assert_case, cases


def test_murphy_and_recalibration_golden():
    (case,) = cases("probability_scores")
    y, p = case["input"]["y"], case["input"]["p"]
    parts = brier_decomposition(y, p, method="bins")
    curve = calibration_curve(y, p, n_resamples=20)
    got = {
        "brier": parts.brier,
        "murphy_reliability_10bins": parts.miscalibration,
        "murphy_resolution_10bins": parts.discrimination,
        "uncertainty": parts.uncertainty,
        "brier_skill": parts.skill,
        "calibration_intercept": curve.intercept,
        "calibration_slope": curve.slope,
    }
    assert_case(case, got)


def test_isotonic_decomposition_adds_up_and_sees_monotone_distortion(rng):
    p = rng.random(2000)
    y = rng.random(2000) < p
    honest, bent = brier_decomposition(y, p), brier_decomposition(y, p**3)
    for parts in (honest, bent):
        assert parts.within == pytest.approx(0, abs=1e-12)
        assert parts.brier == pytest.approx(parts.miscalibration - parts.discrimination + parts.uncertainty)
    assert bent.discrimination == pytest.approx(honest.discrimination)
    assert bent.miscalibration > 5 * honest.miscalibration


def test_calibration_groups(rng):
    p = rng.random(3000)
    y = rng.random(3000) < p
    for method in ("isotonic", "bins"):
        curve = calibration_curve(y, p, method=method, n_resamples=200)
        assert curve.count.sum() == 3000
        assert (np.diff(curve.stated) > 0).all()
        inside = (curve.calibrated_low <= curve.observed) & (curve.observed <= curve.calibrated_high)
        assert inside.mean() >= 0.8
        assert curve.slope == pytest.approx(1, abs=0.15)
    isotonic = calibration_curve(y, p, n_resamples=20)
    assert (np.diff(isotonic.observed) > 0).all()
    bent = calibration_curve(y, p**3, method="bins", n_resamples=200)
    outside = (bent.observed < bent.calibrated_low) | (bent.observed > bent.calibrated_high)
    assert outside.mean() > 0.5
    assert "bins" in repr(bent)


def test_calibration_cannot_be_read_off_scores():
    with pytest.raises(EvidenceError, match="Got 2 at row 1"):
        calibration_curve([0, 1], [0.5, 2.0])
    with pytest.raises(EvidenceError, match="one value per row"):
        brier_curve([0, 1], [0.5])
    certain = calibration_curve([0, 1, 1, 0], [0.0, 1.0, 0.7, 0.2], n_resamples=5)
    assert np.isnan(certain.slope)
    assert certain.notes[0].code == "certain-probabilities"
    separated = calibration_curve([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], n_resamples=5)
    assert separated.notes[0].code == "no-recalibration"


def test_brier_curve_lies_above_the_optimal_one(rng):
    p = np.round(rng.random(300), 2)
    y = rng.random(300) < p**2
    curve = brier_curve(y, p)
    assert curve.area == pytest.approx(np.mean((p - y) ** 2), rel=1e-12)
    assert (curve.loss >= curve.optimal - 1e-12).all()
    calibrated = brier_curve(y, p**2)
    assert np.trapezoid(calibrated.optimal, calibrated.cost_proportion) == pytest.approx(
        np.trapezoid(curve.optimal, curve.cost_proportion), abs=2e-3
    )
    share = np.mean(y)
    middle = np.argmin(np.abs(curve.cost_proportion - 0.5))
    c = curve.cost_proportion[middle]
    called = p >= c
    by_hand = 2 * (c * np.mean(~y & called) + (1 - c) * np.mean(y & ~called))
    assert curve.loss[middle] == pytest.approx(by_hand, abs=0.03)
    assert share > 0


def test_det_curve_of_a_binormal_model_is_straight():
    x = stats.norm.ppf((np.arange(20_000) + 0.5) / 20_000)
    curve = RocCurve.from_arrays(np.repeat([0, 1], 20_000), np.concatenate([x, x + 2]))
    det = det_curve(curve)
    inner = (det.fpr > 0.01) & (det.fpr < 0.99) & (det.fnr > 0.01) & (det.fnr < 0.99)
    slope, intercept = np.polyfit(det.x[inner], det.y[inner], 1)
    assert (slope, intercept) == pytest.approx((-1, -2), abs=0.02)
    assert det.equal_error_rate == pytest.approx(stats.norm.cdf(-1), abs=1e-3)
    assert det_curve(RocCurve.from_point(0.2, 0.8)).equal_error_rate == pytest.approx(0.2)


def test_uncertain_context_draws_and_means():
    context = UncertainContext(prevalence=stats.beta(2, 98), cost_fp=10, cost_fn=(5000, 15_000))
    mean = context.mean()
    assert mean.prevalence == pytest.approx(0.02)
    assert mean.cost_fn == 10_000
    drawn = context.draw(4000, rng=1)
    assert drawn.prevalence.mean() == pytest.approx(0.02, rel=0.05)
    assert set(drawn.cost_fp) == {10.0}
    each = [
        OperatingContext(prevalence=p, cost_fp=10, cost_fn=c)
        for p, c in zip(drawn.prevalence, drawn.cost_fn, strict=True)
    ]
    assert drawn.pc == pytest.approx([one.pc for one in each])
    costs = resampled_cost(drawn, np.full(4000, 0.4), np.full(4000, 0.9), np.full(4000, 0.5))
    assert costs == pytest.approx([one.expected_cost(0.4, 0.9) for one in each])
    assert costs.mean() == pytest.approx(mean.expected_cost(0.4, 0.9), rel=0.05)
    assert UncertainContext(cost_fn=(1, 2)).at(0.3).prevalence == 0.3


def test_an_impossible_draw_of_a_context_is_named():
    wide = UncertainContext(prevalence=stats.norm(0.2, 0.06))  # reasonable in all but one draw of ten thousand
    with pytest.raises(ParameterError, match="prevalence"):
        wide.draw(1_000_000, rng=0)


@pytest.mark.parametrize(
    "arguments",
    [
        {"prevalence": (0.5, 0.1)},
        {"prevalence": (0.1, 1.5)},
        {"cost_fn": (0.5, 2), "cost_tp": 1},
        {"cost_fp": "dear"},
        {"cost_fp": (1, 2, 3)},
    ],
)
def test_unreasonable_uncertainty_is_refused(arguments):
    with pytest.raises(ParameterError):
        UncertainContext(**arguments)


def test_costs_by_case():
    y, called = np.array([1, 1, 0, 0, 1]), np.array([1, 0, 0, 1, 1])
    amounts = np.array([100.0, 20, 3, 50, 400])
    costs = InstanceCosts(cost_fp=5, cost_fn=amounts, cost_tp=5)
    assert costs.per_case(y, called).tolist() == [5, 20, 0, 5, 5]
    found = costs.savings(y, called)
    assert found.baseline == "always positive"
    assert found.baseline_cost == 25
    assert found.savings == pytest.approx(1 - 35 / 25)
    assert found.mean_cost.estimate == pytest.approx(7)
    assert found.mean_saved.estimate == pytest.approx(-2)
    assert found.mean_cost.low < 7 < found.mean_cost.high
    np.testing.assert_allclose(costs.thresholds()[:2], [5 / 100, 5 / 20])
    assert costs.thresholds()[2] == np.inf  # looking costs more than the fraud
    assert list(costs.to_frame().columns) == ["cost_fp", "cost_fn", "cost_tp", "cost_tn"]


def test_costs_by_case_agree_with_the_context_when_equal(rng):
    y, called = rng.random(300) < 0.3, rng.random(300) < 0.4
    context = OperatingContext(prevalence=float(y.mean()), cost_fp=2, cost_fn=7, cost_tp=1)
    costs = InstanceCosts(cost_fp=np.full(300, 2.0), cost_fn=7, cost_tp=1)
    mean = costs.savings(y, called).mean_cost.estimate
    assert mean == pytest.approx(context.expected_cost(called[~y].mean(), called[y].mean()))
    assert costs.thresholds()[0] == pytest.approx(context.threshold)


def test_bad_costs_by_case():
    with pytest.raises(ParameterError, match="finite"):
        InstanceCosts(cost_fn=[1, np.nan])
    with pytest.raises(EvidenceError, match="cost_fn must be numbers"):
        InstanceCosts(cost_fn=["dear", "cheap"])
    with pytest.raises(EvidenceError, match="Got 2 costs for 3 cases"):
        InstanceCosts(cost_fn=[1, 2]).per_case([0, 1, 1], [0, 1, 1])
    with pytest.raises(ParameterError, match="case 0 are unreasonable"):
        InstanceCosts(cost_tn=3).per_case([0, 1], [0, 1])
    with pytest.raises(EvidenceError, match="equal lengths"):
        InstanceCosts().per_case([0, 1], [0, 1, 1])
    free = InstanceCosts(cost_fp=0).savings([0, 1, 0], [0, 1, 0])
    assert np.isnan(free.savings)
    assert free.notes[0].code == "free-baseline"


def test_costs_that_are_one_number_for_every_case_are_written_as_one() -> None:
    written = InstanceCosts(cost_fp=5, cost_fn=[100.0, 20.0], cost_tp=1).to_dict()
    assert (written["cost_fp"], written["cost_fn"], written["cost_tn"]) == (5.0, [100.0, 20.0], 0.0)
    assert json.dumps(written)
