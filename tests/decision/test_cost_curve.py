"""Cost curves: R's brute force and Weka, ROCR's envelope, the lectures' lines, bands and differences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bakeoff import EvidenceError, ParameterError
from bakeoff.decision import BinaryRows, CostCurve, OperatingContext
from bakeoff.evidence import Units
from oracle import assert_case, cases, worked_examples

EXAMPLES = worked_examples("roc_cost")


@pytest.mark.parametrize("case", cases("cost_curve"), ids=lambda c: c["id"])
def test_golden_cost_curve(case):
    y = case["input"]["y"]
    curves = CostCurve.from_arrays(y, {"m": case["input"]["score"]})
    grid = case["expected"]["pc_grid"]
    got = {
        "lower_envelope": curves.at(grid),
        "lines_fpr_fnr": curves.lines("m"),
        "area_under_envelope": curves.area,
    }
    for key, costs in (("at_cost_fn5_fp1", {"cost_fn": 5}), ("at_cost_fn1_fp3", {"cost_fp": 3})):
        context = OperatingContext(prevalence=float(np.mean(y)), **costs)
        best = curves.best(context)
        got[key] = {
            "pc_plus": context.pc,
            "min_nec": curves.at(context.pc),
            "min_expected_cost_per_case": best.expected_cost,
        }
    assert_case(case, got)
    assert (curves.areas["always negative"] + curves.areas["always positive"]) / 4 == case["expected"]["area_trivial"]


def test_rocr_envelope():
    example = EXAMPLES["ROCR_simple"]
    curves = CostCurve.from_arrays(example["y"], {"m": example["score"]})
    envelope = curves.envelope
    np.testing.assert_allclose(envelope.pc, example["ecost_envelope"]["x"], atol=1e-12)
    np.testing.assert_allclose(envelope.cost, example["ecost_envelope"]["y"], atol=1e-12)
    assert curves.area == pytest.approx(example["envelope_area"], rel=1e-12)
    assert envelope.area == pytest.approx(curves.area, rel=1e-12)
    assert list(envelope.to_frame().columns) == ["pc", "cost", "model", "threshold"]


@pytest.mark.parametrize("name", ["fawcett2006_20", "seed000_20_as_printed"])
def test_area_of_twenty_instances(name):
    example = EXAMPLES[name]
    curves = CostCurve.from_arrays(example["y"], {"m": example["score"]})
    assert curves.area == pytest.approx(example["cost_curve_envelope_area"], rel=1e-12)


def test_lecture_lines_and_areas():
    example = EXAMPLES["seed004_cost_curves_C1_C2_C3"]
    curves = CostCurve.from_points({"C1": (0.3, 0.4), "C2": (0.5, 0.7), "C3": (0.2, 0.6)})
    for model, ends in example["lines_x0_x1"].items():
        assert curves.at([0, 1], model=model).tolist() == pytest.approx(ends)
        assert curves.lines(model)[1].tolist() == pytest.approx(ends)
    assert curves.lines("always positive").tolist() == [[1, 0]]
    assert curves.area == pytest.approx(example["area_with_trivial"], rel=1e-12)
    cancer = CostCurve.from_points({"A": (0.4, 0.9), "B": (0.1, 0.6)})
    assert cancer.area == pytest.approx(EXAMPLES["seed004_cancer"]["area_with_trivial"], rel=1e-12)
    assert cancer.envelope.models[:-1] == ("always negative", "B", "A", "always positive")


def test_expected_costs_in_money():
    cancer = CostCurve.from_points({"A": (0.4, 0.9), "B": (0.1, 0.6)})
    costs = OperatingContext(cost_fp=10, cost_fn=10_000)
    found = cancer.expected(costs, [0.001, 0.01, 0.5])
    for i, case in enumerate(reversed(EXAMPLES["seed004_cancer"]["contexts"])):
        expected = case["expected_cost"]
        assert found.costs["A"][i] == pytest.approx(expected["A"])
        assert found.costs["always negative"][i] == pytest.approx(expected["always_negative"])
        assert found.least[i] == pytest.approx(min(expected.values()))
    assert list(found.to_frame().columns) == ["prevalence", "always negative", "always positive", "A", "B", "least"]
    assert cancer.expected(costs).prevalence.size == 101


def test_unknown_model_and_bad_pc():
    curves = CostCurve.from_points({"C1": (0.3, 0.4)})
    with pytest.raises(ParameterError, match="did you mean 'C1'"):
        curves.at(0.5, model="c1")
    with pytest.raises(ParameterError, match="between 0 and 1"):
        curves.at(1.5)
    with pytest.raises(EvidenceError, match="band needs the rows"):
        curves.band
    with pytest.raises(EvidenceError, match="difference needs the rows"):
        curves.difference("C1", "C1")


@pytest.fixture
def two_models(rng):
    y = rng.random(600) < 0.4
    signal = y + rng.normal(size=600)
    return y, {"good": signal, "noisy": signal + 2 * rng.normal(size=600)}


def test_bands_hold_the_curve_and_widen_simultaneously(two_models):
    y, scores = two_models
    curves = CostCurve.from_arrays(y, scores, n_resamples=400)
    band = curves.band
    assert band.method == "mover-wilson"
    for model in scores:
        np.testing.assert_allclose(band.cost[model], curves.at(band.pc, model=model), atol=1e-12)
        assert (band.low[model] <= band.cost[model]).all()
        assert (band.cost[model] <= band.high[model]).all()
        assert (band.low_simultaneous[model] <= band.low[model] + 1e-12).all()
        assert (band.high_simultaneous[model] >= band.high[model] - 1e-12).all()
    assert curves.band is band
    assert list(band.to_frame().columns)[:5] == ["model", "pc", "cost", "low", "high"]


def test_mover_and_bootstrap_bands_agree_in_the_middle(two_models):
    """Every row as a group of its own takes the bootstrap; it must find the same spread as the closed form."""
    y, scores = two_models
    plain = CostCurve.from_arrays(y, scores, n_resamples=2000).band
    rows = replace(BinaryRows.from_arrays(np.asarray(y), scores), units=Units.of(y.size, groups=np.arange(y.size)))
    grouped = CostCurve.from_rows(rows, n_resamples=2000).band
    assert grouped.method == "bootstrap"
    middle = slice(20, 81)
    for model in scores:
        closed = (plain.high[model] - plain.low[model])[middle]
        drawn = (grouped.high[model] - grouped.low[model])[middle]
        np.testing.assert_allclose(drawn, closed, rtol=0.12, atol=0.006)


def test_difference_finds_where_the_better_model_wins(two_models):
    y, scores = two_models
    curves = CostCurve.from_arrays(y, scores, n_resamples=1000)
    found = curves.difference("good", "noisy")
    np.testing.assert_allclose(found.estimate, curves.at(found.pc, "good") - curves.at(found.pc, "noisy"), atol=1e-12)
    assert set(found.significant.models) == {"good"}
    assert 0.5 in found.significant.at(0.5)
    assert found.area.high < 0
    swapped = curves.difference("noisy", "good")
    np.testing.assert_allclose(swapped.estimate, -found.estimate, atol=1e-12)
    assert set(swapped.significant.models) == {"good"}
    assert "good on" in repr(found)


def test_a_model_does_not_differ_from_its_copy(two_models):
    y, scores = two_models
    curves = CostCurve.from_arrays(y, {"a": scores["good"], "b": scores["good"].copy()}, n_resamples=200)
    found = curves.difference("a", "b")
    assert not found.estimate.any()
    assert not found.high.any()
    assert len(found.significant) == 0


def test_perfect_model_has_a_band_of_some_width():
    y = np.repeat([0, 1], 20)
    band = CostCurve.from_arrays(y, {"m": y.astype(float)}, n_resamples=100).band
    assert (band.cost["m"] == 0).all()
    assert (band.high["m"] > 0.01).all()


@pytest.mark.parametrize("pc", [-0.1, [0.5, 1.2]])
def test_a_pc_outside_is_named(pc):
    with pytest.raises(ParameterError, match=r"^pc must be between 0 and 1"):
        CostCurve.from_points({"A": (0.4, 0.9)}).at(pc)
