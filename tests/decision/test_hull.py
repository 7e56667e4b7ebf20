"""Hulls, ranges, dominance and isocost lines: Fawcett, ROCR, the lectures' classifiers, and brute force."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import EvidenceError, ParameterError
from bakeoff.decision import (
    CostCurve,
    OperatingContext,
    RocCurve,
    RocHull,
    dominance,
    isocost_line,
    tangent,
)
from bakeoff.decision._dominance import cheaper_of
from bakeoff.decision._ranges import ContextRange
from oracle import assert_case, cases, worked_examples

EXAMPLES = worked_examples("roc_cost")
CLASSIFIERS = {"C1": (0.3, 0.4), "C2": (0.5, 0.7), "C3": (0.2, 0.6)}
CANCER = {"A": (0.4, 0.9), "B": (0.1, 0.6)}
PLAIN = {"always negative": "always_negative", "always positive": "always_positive"}


def as_rows(ranges):
    return [{"from": r.pc_low, "to": r.pc_high, "best": PLAIN.get(r.model, r.model)} for r in ranges]


def assert_ranges(got, expected):
    got = as_rows(got)
    assert [r["best"] for r in got] == [r["best"] for r in expected]
    for mine, theirs in zip(got, expected, strict=True):
        assert mine["from"] == pytest.approx(theirs["from"], abs=1e-12)
        assert mine["to"] == pytest.approx(theirs["to"], abs=1e-12)


@pytest.mark.parametrize("case", cases("roc_hull"), ids=lambda c: c["id"])
def test_golden_curve_and_hull(case):
    curve = RocCurve.from_arrays(case["input"]["y"], case["input"]["score"])
    hull = curve.hull()
    assert_case(
        case,
        {
            "fpr": curve.fpr,
            "tpr": curve.tpr,
            "thresholds": curve.thresholds,
            "auc": curve.auc,
            "hull_fpr": hull.fpr,
            "hull_tpr": hull.tpr,
            "auc_hull": hull.auc,
            "n_roc_points": curve.fpr.size,
            "n_hull_vertices": len(hull.vertices),
        },
    )


@pytest.mark.parametrize("name", ["fawcett2006_20", "seed000_20_as_printed"])
def test_twenty_instances(name):
    example = EXAMPLES[name]
    curve = RocCurve.from_arrays(example["y"], example["score"], model="m")
    points = example["roc_points_fpr_tpr_thr"]
    np.testing.assert_allclose(curve.fpr, [p[0] for p in points], atol=1e-12)
    np.testing.assert_allclose(curve.tpr, [p[1] for p in points], atol=1e-12)
    assert curve.thresholds.tolist() == [np.inf, *(p[2] for p in points[1:])]
    assert curve.auc == pytest.approx(example["auc"], rel=1e-12)
    hull = curve.hull()
    np.testing.assert_allclose(np.stack([hull.fpr, hull.tpr], axis=1), example["hull"], atol=1e-12)
    assert hull.auc == pytest.approx(example["auch"], rel=1e-12)
    expected = example["cost_curve_lower_envelope_ranges"]
    got = list(hull.ranges())
    assert [f"thr={r.threshold:g}" for r in got] == [e["best"] for e in expected]
    np.testing.assert_allclose([r.pc_low for r in got], [e["from"] for e in expected], atol=1e-12)
    np.testing.assert_allclose([r.pc_high for r in got], [e["to"] for e in expected], atol=1e-12)


@pytest.mark.parametrize("case", EXAMPLES["fawcett2006_20"]["optimal_for_context"])
def test_best_of_twenty_instances(case):
    example = EXAMPLES["fawcett2006_20"]
    context = OperatingContext(prevalence=case["prior_pos"], cost_fp=case["cFP"], cost_fn=case["cFN"])
    hull = RocHull.from_arrays(example["y"], {"m": example["score"]})
    best = hull.best(context)
    assert context.slope == pytest.approx(case["slope"])
    assert [best.fpr, best.tpr] == pytest.approx(case["point"])
    assert [best.threshold, *(t for _, t in best.tied)] == case["thresholds_tied"]
    assert best.expected_cost == pytest.approx(case["expected_cost"])


def test_the_lecture_classifiers():
    example = EXAMPLES["seed004_cost_curves_C1_C2_C3"]
    hull = RocHull.from_points(CLASSIFIERS)
    assert_ranges(hull.ranges(), example["ranges_with_trivial"])
    assert_ranges(hull.ranges(trivial=False), example["ranges_models_only"])
    assert set(hull.dominated) == {"C1", "C2"}
    assert "C3" in hull.dominated["C1"].alone
    assert hull.dominated["C2"].by == ("always negative", "C3", "always positive")
    assert hull.dominated["C2"].alone == ("C3",)
    for a, b in (("C1", "C2"), ("C2", "C3"), ("C1", "C3")):
        expected = example["crossings"][f"{a}-{b}"]
        found = dominance(hull.curves[a], hull.curves[b], trivial=False).ranges
        assert (found[0].pc_high if len(found) > 1 else None) == (expected and pytest.approx(expected))
    for model, above in example["each_beats_always_negative_for_x_gt"].items():
        beats_nothing = cheaper_of(model, "always negative", hull.hulls)
        assert beats_nothing[-1].model == model
        assert beats_nothing[-1].pc_low == pytest.approx(above)
    for model, below in example["each_beats_always_positive_for_x_lt"].items():
        beats_all = cheaper_of(model, "always positive", hull.hulls)
        assert beats_all[0].model == model
        assert beats_all[0].pc_high == pytest.approx(below)


def test_the_cancer_models():
    example = EXAMPLES["seed004_cancer"]
    hull = RocHull.from_points(CANCER)
    assert_ranges(hull.ranges(), example["ranges_with_trivial"])
    assert_ranges(hull.ranges(trivial=False), example["ranges_models_only"])
    assert hull.dominated == {}
    for case in example["contexts"]:
        context = OperatingContext(prevalence=case["prior_pos"], cost_fp=case["cFP"], cost_fn=case["cFN"])
        best = hull.best(context)
        assert PLAIN.get(best.model, best.model) == case["best"]
        assert best.expected_cost == pytest.approx(case["expected_cost"][case["best"]], rel=1e-12)


def test_ranges_as_cost_ratios_and_prevalences():
    hull = RocHull.from_points(CANCER)
    ranges = hull.ranges(prevalence=0.01)
    middle = ranges.at(0.7)
    assert middle.model == "A"
    low, high = middle.cost_ratios(0.01)
    assert OperatingContext(prevalence=0.01, cost_fn=low).pc == pytest.approx(middle.pc_low)
    assert OperatingContext(prevalence=0.01, cost_fn=high).pc == pytest.approx(middle.pc_high)
    costs = OperatingContext(cost_fp=10, cost_fn=10_000)
    low, high = middle.prevalences(costs)
    assert costs.at(low).pc == pytest.approx(middle.pc_low)
    assert costs.at(high).pc == pytest.approx(middle.pc_high)
    assert costs.at(0.001) in middle
    assert costs.at(0.01) not in middle
    columns = [
        "model",
        "threshold",
        "pc_low",
        "pc_high",
        "slope_low",
        "slope_high",
        "cost_ratio_low",
        "cost_ratio_high",
    ]
    assert list(ranges.to_frame().columns) == columns
    assert ranges[-1].cost_ratios(0.01)[1] == np.inf
    assert ranges[0].slopes == (pytest.approx(6.0), np.inf)
    with pytest.raises(ParameterError, match="prevalence"):
        ranges[0].cost_ratios(0.0)


def test_rocr_hull():
    example = EXAMPLES["ROCR_simple"]
    curve = RocCurve.from_arrays(example["y"], example["score"])
    hull = curve.hull()
    np.testing.assert_allclose(hull.fpr, example["rch"]["x"], atol=1e-12)
    np.testing.assert_allclose(hull.tpr, example["rch"]["y"], atol=1e-12)
    assert curve.auc == pytest.approx(example["auc"], abs=1e-12)
    assert hull.auc == pytest.approx(example["auch"], rel=1e-12)
    best = hull.best(OperatingContext(cost_fp=1, cost_fn=2))
    assert best.expected_cost == pytest.approx(example["min_mean_cost_cFP1_cFN2"]["cost"])
    assert best.threshold == pytest.approx(example["min_mean_cost_cFP1_cFN2"]["cutoff"], abs=1e-12)
    unscaled = curve.partial_auc(max_fpr=0.5, standardize=False)
    assert unscaled == pytest.approx(example["auc_fpr_stop_.5_unstandardised"], abs=1e-12)


def test_asah_areas_and_points():
    example = EXAMPLES["pROC_aSAH"]
    for marker, expected in example["per_marker"].items():
        curve = RocCurve.from_arrays(example["y_outcome_Poor"], example[marker], model=marker)
        assert curve.auc == pytest.approx(expected["auc"], abs=1e-12)
        assert curve.hull().auc == pytest.approx(example["AUCH"][marker], abs=1e-10)
        youden = curve.best(OperatingContext(prevalence=0.5))  # slope 1 maximises TPR − FPR
        assert 1 - youden.fpr == pytest.approx(expected["youden"][0]["specificity"], abs=1e-12)
        assert youden.tpr == pytest.approx(expected["youden"][0]["sensitivity"], abs=1e-12)
        weighted = curve.best(OperatingContext(prevalence=0.2, cost_fn=5))
        assert weighted.tpr == pytest.approx(expected["youden_cost5_prev0.2"][0]["sensitivity"], abs=1e-12)
        spec, sens = curve.partial_auc(max_fpr=0.1), curve.partial_auc(min_tpr=0.9)
        assert spec == pytest.approx(expected["pauc_spec_1_90_corrected"], abs=1e-10)
        if expected["pauc_sens_1_90_corrected"] is not None:
            assert sens == pytest.approx(expected["pauc_sens_1_90_corrected"], abs=1e-10)


def test_partial_auc_golden():
    (case,) = cases("partial_auc")
    for marker, scores in case["input"]["scores"].items():
        curve = RocCurve.from_arrays(case["input"]["y"], scores)
        got = {
            "pauc_fpr_0_0.1": curve.partial_auc(max_fpr=0.1, standardize=False),
            "pauc_fpr_0_0.1_mcclish": curve.partial_auc(max_fpr=0.1),
            "pauc_fpr_0_0.25_mcclish": curve.partial_auc(max_fpr=0.25),
            "pauc_sens_0.8_1": curve.partial_auc(min_tpr=0.8, standardize=False),
        }
        assert_case(case, {marker: got})
    with pytest.raises(ParameterError, match="max_fpr or min_tpr"):
        curve.partial_auc()


def test_perfect_ranking_with_a_poor_threshold():
    example = EXAMPLES["fawcett2006_fig4_auc1_acc80"]
    curve = RocCurve.from_arrays(example["y"], example["score"])
    assert curve.auc == example["auc"]
    at_half = curve.point_at(0.5)
    wrong = at_half.fpr * curve.n_negative + (1 - at_half.tpr) * curve.n_positive
    assert 1 - wrong / 10 == pytest.approx(example["accuracy_at_0.5"])
    assert curve.best(OperatingContext()).expected_cost == 0


def test_discrete_classifier_is_one_point():
    example = EXAMPLES["seed004_discrete_auc"]["example"]
    assert RocCurve.from_point(example["FPR"], example["TPR"]).auc == pytest.approx(example["auc"])
    curve = RocCurve.from_labels([1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 1, 0], model="rule")
    assert (curve.fpr[1], curve.tpr[1]) == (0.5, 0.75)
    assert curve.auc == pytest.approx((0.75 + 0.5) / 2)
    named = RocCurve.from_labels(["y", "n", "n"], ["y", "y", "n"], pos_label="y")
    assert named.fpr[1] == 0.5
    assert np.isnan(curve.best(OperatingContext(cost_fn=3)).threshold)
    with pytest.raises(ParameterError, match="no thresholds"):
        curve.point_at(0.5)


def test_interpolation_reads_the_top_of_steps():
    curve = RocCurve.from_arrays([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1])
    assert curve.tpr_at(0.0) == pytest.approx(2 / 3)
    assert curve.tpr_at([0.25, 0.5, 1.0]).tolist() == pytest.approx([2 / 3, 1.0, 1.0])


def test_fawcett_interpolation_between_two_classifiers():
    example = EXAMPLES["fawcett2006_rocch_interpolation"]
    hull = RocHull.from_points({"A": tuple(example["A"]), "B": tuple(example["B"])})
    a, b = (hull.curves[m] for m in ("A", "B"))
    selected = [240 * c.tpr[1] + 3760 * c.fpr[1] for c in (a, b)]
    assert selected == pytest.approx([example["A_selected"], example["B_selected"]])
    k = (800 - selected[0]) / (selected[1] - selected[0])
    assert k == pytest.approx(example["exact_k"])
    point = (a.fpr[1] + k * (b.fpr[1] - a.fpr[1]), a.tpr[1] + k * (b.tpr[1] - a.tpr[1]))
    assert point == pytest.approx(example["exact_point"])


def test_isocost_line_of_the_lecture():
    example = EXAMPLES["seed004_isocost"]
    context = OperatingContext(prevalence=example["prior_pos"], cost_fp=example["cFP"], cost_fn=example["cFN"])
    line = isocost_line(context, expected_cost=0.1)
    assert (line.slope, line.intercept) == pytest.approx((0.5, 0.9))
    for point in ((0.0, 0.9), (0.2, 1.0)):
        assert context.expected_cost(*point) == pytest.approx(0.1)
        assert line.tpr_at(point[0]) == pytest.approx(point[1])
    assert isocost_line(context, through=(0.2, 1.0)).intercept == pytest.approx(0.9)
    with pytest.raises(ParameterError, match="one of them"):
        isocost_line(context)
    with pytest.raises(ParameterError, match="vertical"):
        isocost_line(OperatingContext(prevalence=0.0), expected_cost=0.1).tpr_at(0.0)


def test_tangent_and_second_best():
    hull = RocHull.from_points(CANCER)
    found = tangent(hull, OperatingContext(prevalence=0.01, cost_fp=10, cost_fn=10_000))
    assert found.point.model == "always positive"
    assert found.runner_up.model == "A"
    assert found.regret == pytest.approx(13.96 - 9.90)
    even = tangent(hull, OperatingContext(prevalence=0.001, cost_fp=10, cost_fn=10_000))
    assert (even.point.model, even.runner_up.model) == ("A", "B")
    assert even.regret == pytest.approx(4.999 - 4.996)
    assert even.line.tpr_at(even.point.fpr) == pytest.approx(even.point.tpr)


def test_shared_corners_have_several_owners():
    y, score = [1, 0, 1, 0, 1, 0], np.array([0.9, 0.8, 0.7, 0.4, 0.3, 0.1])
    hull = RocHull.from_arrays(y, {"a": score, "b": score * 10})
    assert all(names[:2] == ("a", "b") for names in hull.owners[1:-1])
    assert hull.dominated == {}
    assert hull.best(OperatingContext()).model == "a"


def test_tied_with_trivial_prefers_the_trivial_rule():
    hull = RocHull.from_points({"coin": (0.5, 0.5)})
    best = hull.best(OperatingContext(prevalence=0.5))
    assert best.model == "always negative"
    assert set(hull.dominated) == {"coin"}


def test_dominance_between_two_curves():
    better, worse = RocCurve.from_point(0.2, 0.6, model="C3"), RocCurve.from_point(0.3, 0.4, model="C1")
    found = dominance(better, worse)
    assert found.winner == "C3"
    assert dominance(worse, better).winner == "C3"
    crossing = dominance(RocCurve.from_point(0.4, 0.9, model="A"), RocCurve.from_point(0.1, 0.6, model="B"))
    assert crossing.winner == "neither"
    assert crossing.ranges.models == ("equal", "B", "A", "equal")  # equal where neither is worth using
    assert [r.pc_low for r in crossing.ranges] == pytest.approx([0, 1 / 7, 0.5, 6 / 7])
    assert dominance(better, RocCurve.from_point(0.2, 0.6, model="again")).winner == "equal"


def test_unknown_prevalence_needs_rows():
    hull = RocHull.from_points(CANCER)
    with pytest.raises(ParameterError, match="only rates were given"):
        hull.best(OperatingContext())


def test_names_must_differ():
    with pytest.raises(EvidenceError, match="two curves are named 'A'"):
        RocHull.from_curves([RocCurve.from_point(0.1, 0.2, model="A"), RocCurve.from_point(0.1, 0.3, model="A")])
    with pytest.raises(EvidenceError, match="at least one curve"):
        RocHull.from_curves([])


def test_one_class_is_refused():
    with pytest.raises(EvidenceError, match="both classes"):
        RocCurve.from_arrays([1, 1], [0.1, 0.2])
    with pytest.raises(EvidenceError, match="both classes"):
        RocCurve.from_counts(3, 2, 0, 0)
    with pytest.raises(EvidenceError, match="needs rows of both classes"):
        RocCurve.from_tally(np.array([1.0]), np.array([2.0]), np.array([0.0]))


def test_results_print_and_export():
    hull = RocHull.from_points(CLASSIFIERS)
    assert repr(hull).startswith("RocHull(3 vertices of always negative, C3, always positive; auc=")
    assert "\n" not in repr(hull)
    assert list(hull.to_frame().columns) == ["model", "threshold", "fpr", "tpr", "pc_low", "pc_high"]
    assert hull.to_dict()["kind"] == "RocHull"
    assert "C3" in str(hull)
    assert 0.5 in ContextRange("a", 1.0, 0.2, 0.6)


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ({"a": ([0, 0.5, 1], [0, 0.7, 1])}, "one fpr and one tpr"),
        ({"a": ([0.1], [0.5])}, "one fpr and one tpr"),
        ({"a": ([0, 0.5], [[0, 1], [1]])}, "must be numbers"),
        ({"a": (0.1, 0.2, 0.3)}, r"the point of 'a' must be \(fpr, tpr\)"),
        ({"a": 0.5}, r"the point of 'a' must be \(fpr, tpr\)"),
        ({"a": (float("nan"), 0.5)}, "between 0 and 1"),
        ([(0.1, 0.5)], "must be a mapping"),
    ],
)
def test_points_that_are_none_are_refused_in_a_sentence(points, said) -> None:
    for make in (RocHull.from_points, CostCurve.from_points):
        with pytest.raises((EvidenceError, ParameterError), match=said):
            make(points)
    assert RocHull.from_points({"a": np.array([0.1, 0.5])}).auc == RocHull.from_points({"a": ("0.1", "0.5")}).auc
