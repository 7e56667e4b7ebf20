from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bakeoff._core.errors import EvidenceError
from bakeoff.stats import cost_envelope, envelope_of_points, roc_curve
from oracle import assert_case, cases, worked_examples


@pytest.mark.parametrize("case", cases("cost_curve"), ids=lambda c: c["id"])
def test_golden_envelopes_from_weka_and_r(case: dict[str, Any]) -> None:
    y = np.array(case["input"]["y"])
    curve = roc_curve(y, case["input"]["score"])
    got: dict[str, Any] = {
        "lower_envelope": cost_envelope(curve.fpr, curve.tpr, case["expected"]["pc_grid"]),
        "lines_fpr_fnr": np.column_stack([curve.fpr, 1 - curve.tpr]),
        "area_under_envelope": envelope_of_points(curve.fpr, curve.tpr).area,
    }
    for key, cost_fn, cost_fp in (("at_cost_fn5_fp1", 5, 1), ("at_cost_fn1_fp3", 1, 3)):
        expected = case["expected"][key]
        got[key] = {"min_nec": float(cost_envelope(curve.fpr, curve.tpr, expected["pc_plus"]))}
        worst = y.mean() * cost_fn + (1 - y.mean()) * cost_fp
        got[key]["min_expected_cost_per_case"] = got[key]["min_nec"] * worst
    assert_case(case, got)


def test_lecture_classifiers() -> None:
    examples = worked_examples("roc_cost")
    three = examples["seed004_cost_curves_C1_C2_C3"]
    envelope = envelope_of_points([0.3, 0.5, 0.2], [0.4, 0.7, 0.6])
    assert envelope.area == pytest.approx(three["area_with_trivial"])
    assert envelope.pc[1:] == pytest.approx([r["to"] for r in three["ranges_with_trivial"]])
    assert envelope.index.tolist() == [-1, 2, -1]
    cancer = examples["seed004_cancer"]
    envelope = envelope_of_points([0.4, 0.1], [0.9, 0.6])
    assert envelope.area == pytest.approx(cancer["area_with_trivial"])
    assert envelope.pc[1:] == pytest.approx([r["to"] for r in cancer["ranges_with_trivial"]])
    assert envelope.index.tolist() == [-1, 1, 0, -1]


@pytest.mark.parametrize("example", ["fawcett2006_20", "seed000_20_as_printed"])
def test_twenty_instances(example: str) -> None:
    e = worked_examples("roc_cost")[example]
    curve = roc_curve(e["y"], e["score"])
    envelope = envelope_of_points(curve.fpr, curve.tpr)
    ranges = e["cost_curve_lower_envelope_ranges"]
    assert envelope.area == pytest.approx(e["cost_curve_envelope_area"])
    assert envelope.pc[1:] == pytest.approx([r["to"] for r in ranges])
    assert [f"thr={curve.thresholds[i]:g}" for i in envelope.index] == [r["best"] for r in ranges]


def test_rocr_envelope() -> None:
    simple = worked_examples("roc_cost")["ROCR_simple"]
    curve = roc_curve(simple["y"], simple["score"])
    envelope = envelope_of_points(curve.fpr, curve.tpr)
    assert envelope.pc == pytest.approx(simple["ecost_envelope"]["x"], abs=1e-12)
    assert envelope.cost == pytest.approx(simple["ecost_envelope"]["y"], abs=1e-12)
    assert envelope.area == pytest.approx(simple["envelope_area"], rel=1e-12)


def test_envelope_is_the_minimum_over_all_lines(rng: np.random.Generator) -> None:
    for size in (1, 4, 60):
        x, y, pc = rng.random(size), rng.random(size), rng.random((3, 50))
        lines = np.append(x, [0, 1])[:, None] * (1 - pc.ravel()) + (1 - np.append(y, [0, 1]))[:, None] * pc.ravel()
        assert cost_envelope(x, y, pc) == pytest.approx(lines.min(axis=0).reshape(3, 50), abs=1e-14)


def test_only_trivial_rules_and_a_perfect_one() -> None:
    useless, perfect = envelope_of_points([0.5], [0.2]), envelope_of_points([0.0], [1.0])
    assert (useless.pc.tolist(), useless.cost.tolist(), useless.area) == ([0, 0.5, 1], [0, 0.5, 0], 0.25)
    assert (perfect.pc.tolist(), perfect.area, perfect.index.tolist()) == ([0, 1], 0.0, [0])


def test_bad_context_is_named() -> None:
    with pytest.raises(EvidenceError, match=r"pc must be within \[0, 1\]"):
        cost_envelope([0.5], [0.5], 1.2)
