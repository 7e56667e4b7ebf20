"""`roc` over predictions: folds averaged, classes one against the rest, areas with intervals, bands."""

from __future__ import annotations

import json

import numpy as np
import pytest

import bakeoff
from bakeoff import EvidenceError, OperatingContext, ParameterError, Predictions
from bakeoff.decision import RocCurve, average_roc, roc, roc_one_vs_rest
from oracle import assert_case, cases, worked_examples

EXAMPLES = worked_examples("roc_cost")


def asah(*markers):
    example = EXAMPLES["pROC_aSAH"]
    return Predictions.from_arrays(example["y_outcome_Poor"], y_score={m: example[m] for m in markers})


def test_areas_and_intervals_are_delongs():
    (case,) = cases("auc_delong")
    predictions = Predictions.from_arrays(case["input"]["y"], y_score=case["input"]["scores"])
    analysis = roc(predictions)
    assert_case(case, {m: {"auc": analysis[m].auc} for m in analysis.models})
    for model, interval in analysis.auc.items():
        assert interval.method.startswith("delong")
        assert interval.estimate == pytest.approx(case["expected"][model]["auc"])
        assert interval.low < interval.estimate < interval.high


def test_hull_over_three_markers():
    analysis = roc(asah("s100b", "ndka", "wfns"))
    assert analysis.average == "none"
    assert analysis.folds == {}
    for context in (OperatingContext(), OperatingContext(cost_fn=5), OperatingContext(prevalence=0.05, cost_fp=2)):
        best = analysis.best(context)
        resolved = context.at(analysis.hull.prevalence)
        least = min(curve.best(resolved).expected_cost for curve in analysis.curves.values())
        assert best.expected_cost == pytest.approx(least)
    assert analysis.ranges()[0].pc_low == 0
    assert analysis.ranges()[-1].pc_high == 1
    data = analysis.to_dict()
    json.dumps(data, allow_nan=False)
    assert data["hull"]["vertices"][0] == {"fpr": 0.0, "tpr": 0.0, "model": "always 0", "threshold": "Infinity"}
    json.dumps(bakeoff.cost_curves(asah("s100b")).to_dict(), allow_nan=False)
    frame = analysis.to_frame()
    assert list(frame.columns) == ["model", "auc", "low", "high", "method", "share_of_contexts", "dominated"]
    assert frame["share_of_contexts"].sum() <= 1 + 1e-12
    # ndka alone finds every poor outcome with one false alarm spared, so it wins where only misses cost.
    assert analysis.dominance("wfns", "ndka").winner == "neither"
    assert analysis.dominance("wfns", "ndka").ranges.at(0.5).model == "wfns"
    assert analysis.ranges(by="model").models == ("s100b", "wfns", "ndka")
    assert analysis.dominated == {}
    assert analysis.vertices[0].model == "always 0"


def folded(rng, n=400, k=5):
    y = rng.random(n) < 0.4
    score = y + rng.normal(size=n)
    fold = rng.permutation(np.arange(n) % k)
    return y, score, fold


def test_folds_are_averaged_not_pooled(rng):
    y, score, fold = folded(rng)
    score = score + 10 * fold  # every fit has its own scale: pooling would ruin the ranking
    predictions = Predictions.from_arrays(y.astype(int), y_score={"m": score}, fold=fold)
    analysis = roc(predictions)
    per_fold = [RocCurve.from_arrays(y[fold == f], score[fold == f]).auc for f in range(5)]
    assert analysis["m"].auc == pytest.approx(np.mean(per_fold), rel=1e-12)
    assert [curve.auc for curve in analysis.folds["m"]] == pytest.approx(per_fold)
    pairs = [int(y[fold == f].sum() * (~y[fold == f]).sum()) for f in range(5)]
    # The area that `evaluate` reports: concordant pairs within folds over all pairs within folds.
    assert analysis.auc["m"].estimate == pytest.approx(np.average(per_fold, weights=pairs))
    assert analysis["m"].kind == "vertical average"
    pooled = roc(predictions, average="pooled")
    assert pooled["m"].auc < analysis["m"].auc - 0.1
    assert pooled.auc["m"].estimate == pytest.approx(pooled["m"].auc)
    assert pooled.auc["m"].method == "delong"
    assert {n.code for n in pooled.notes} == {"folds-pooled"}
    assert roc(predictions, average="threshold")["m"].kind == "threshold average"


def test_vertical_average_by_hand():
    a = RocCurve.from_arrays([1, 1, 0, 0], [4, 2, 3, 1])
    b = RocCurve.from_arrays([1, 1, 0, 0], [4, 3, 2, 1])
    average = average_roc([a, b], grid=[0.0, 0.25, 0.5, 1.0])
    np.testing.assert_allclose(average.curve.fpr, [0, 0, 0.25, 0.5, 1])
    np.testing.assert_allclose(average.curve.tpr, [0, 0.75, 0.75, 1.0, 1.0])
    np.testing.assert_allclose(average.tpr_sd, np.array([0, 0.5, 0.5, 0, 0]) / np.sqrt(2))
    assert average.curve.auc == pytest.approx((0.75 + 1) / 2)


def test_threshold_average_is_the_mean_point(rng):
    y, score, fold = folded(rng)
    curves = [RocCurve.from_arrays(y[fold == f], score[fold == f]) for f in range(5)]
    average = average_roc(curves, method="threshold").curve
    for threshold in (-0.5, 0.0, 0.7):
        at = average.point_at(threshold)
        points = [c.point_at(threshold) for c in curves]
        assert at.fpr == pytest.approx(np.mean([p.fpr for p in points]))
        assert at.tpr == pytest.approx(np.mean([p.tpr for p in points]))
    with pytest.raises(EvidenceError, match="answers labels"):
        average_roc([RocCurve.from_point(0.1, 0.5)], method="threshold")
    with pytest.raises(EvidenceError, match="at least one"):
        average_roc([])


def test_hull_of_folds_has_thresholds_that_can_be_set(rng):
    y, score, fold = folded(rng)
    predictions = Predictions.from_arrays(y.astype(int), y_score={"m": score}, fold=fold)
    best = roc(predictions).best(OperatingContext(cost_fn=2))
    assert np.isfinite(best.threshold)
    assert best.threshold in score


def test_one_class_folds_are_told(rng):
    y, score, fold = folded(rng)
    fold = np.where(fold == 0, np.where(y, 0, 1), fold)
    predictions = Predictions.from_arrays(y.astype(int), y_score={"m": score}, fold=fold)
    with pytest.warns(bakeoff.BakeoffWarning, match="averaged over 4 of 5 folds"):
        analysis = roc(predictions)
    assert len(analysis.folds["m"]) == 4


def test_leave_one_out_is_pooled_with_a_warning():
    y = np.array([0, 1] * 10)
    constant = (y.sum() - y) / (y.size - 1)  # the share of positives in the training rows
    predictions = Predictions.from_arrays(y, y_score={"prior only": constant}, fold=np.arange(20))
    with pytest.warns(bakeoff.BakeoffWarning, match="constant model have AUC 0"):
        analysis = roc(predictions)
    assert analysis["prior only"].auc == 0.0
    assert analysis.average == "pooled"
    assert analysis.best(OperatingContext(cost_fn=2)).model == "always 1"


def test_labels_are_points(rng):
    y = rng.random(200) < 0.5
    answers = np.where(rng.random(200) < 0.8, y, ~y).astype(int)
    predictions = Predictions.from_arrays(y.astype(int), y_pred={"rule": answers}, fold=np.arange(200) % 4)
    analysis = roc(predictions)
    area = analysis.auc["rule"]
    tpr, fpr = answers[y].mean(), answers[~y].mean()
    assert area.estimate == pytest.approx((tpr + 1 - fpr) / 2, abs=0.02)
    assert area.method == "mover-wilson"
    assert area.low < area.estimate < area.high
    whole = roc(Predictions.from_arrays(y.astype(int), y_pred={"rule": answers}))
    assert whole.auc["rule"].estimate == pytest.approx((tpr + 1 - fpr) / 2)


def test_one_vs_rest_and_hand_till():
    example = EXAMPLES["hand_till_iris_lda_sepal"]
    rows = example["posterior"]
    chances = np.array([r[:3] for r in rows], dtype=float)
    chances /= chances.sum(axis=1, keepdims=True)
    species = np.array([r[3] for r in rows])
    found = roc_one_vs_rest(Predictions.from_arrays(species, y_score={"lda": chances}))
    assert found.hand_till["lda"] == pytest.approx(example["balanced_75"]["M"], rel=1e-9)
    assert found.macro_auc["lda"] == pytest.approx(example["balanced_75"]["macro_ovr"], rel=1e-9)
    some = np.array(example["imbalanced_10_25_15"]["rows_of_csv_0based"])
    part = roc_one_vs_rest(Predictions.from_arrays(species[some], y_score={"lda": chances[some]}))
    assert part.hand_till["lda"] == pytest.approx(example["imbalanced_10_25_15"]["M"], rel=1e-9)
    assert part.macro_auc["lda"] == pytest.approx(example["imbalanced_10_25_15"]["macro_ovr"], rel=1e-9)
    assert part["setosa"].hull.trivial == ("always not setosa", "always setosa")
    assert "macro_auc" in part.to_frame().columns


def test_one_vs_rest_golden():
    (case,) = cases("multiclass_auc")
    chances = np.array(case["input"]["P"])
    y = np.array(case["input"]["y_1based"])
    found = roc_one_vs_rest(Predictions.from_arrays(y, y_score={"m": chances / chances.sum(axis=1, keepdims=True)}))
    got = {
        "ovr_auc": [found[k]["m"].auc for k in (1, 2, 3)],
        "ovr_macro": found.macro_auc["m"],
        "hand_till_M": found.hand_till["m"],
    }
    assert_case(case, got)


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous", "ks"])
def test_bands_hold_the_curve(rng, kind):
    y, score, _ = folded(rng)
    predictions = Predictions.from_arrays(y.astype(int), y_score={"m": score})
    analysis = roc(predictions)
    band = analysis.band("m", kind=kind, n_resamples=200, rng=0)
    assert (band.low <= band.tpr + 1e-12).all()
    assert (band.tpr <= band.high + 1e-12).all()
    assert ((band.low >= 0) & (band.high <= 1)).all()
    assert list(band.to_frame().columns) == ["fpr", "tpr", "low", "high"]
    narrower = analysis.band("m", kind=kind, n_resamples=200, rng=0, confidence_level=0.5)
    assert (narrower.high - narrower.low).sum() < (band.high - band.low).sum()


def test_bands_order_and_edges(rng):
    y = np.repeat([True, False], 30)
    perfect = roc(Predictions.from_arrays(y.astype(int), y_score={"m": y + 0.1 * rng.random(60)}))
    for kind in ("pointwise", "simultaneous", "ks"):
        band = perfect.band("m", kind=kind, n_resamples=100, rng=0)
        assert (band.high[50] - band.low[50]) > 0.01  # never of zero width
    y, score, _ = folded(rng)
    analysis = roc(Predictions.from_arrays(y.astype(int), y_score={"m": score}))
    widths = {k: analysis.band("m", kind=k, n_resamples=300, rng=0) for k in ("pointwise", "simultaneous", "ks")}
    mean = {k: float((b.high - b.low)[5:-5].mean()) for k, b in widths.items()}
    assert mean["pointwise"] < mean["simultaneous"] < mean["ks"]
    with pytest.raises(ParameterError, match="kind must be one of"):
        analysis.band("m", kind="wide")


def test_scores_with_weights(rng):
    y, score, _ = folded(rng)
    times = rng.integers(0, 4, y.size)
    rows = np.repeat(np.arange(y.size), times)
    weighted = RocCurve.from_arrays(y, score, sample_weight=times)
    copied = RocCurve.from_arrays(y[rows], score[rows])
    assert weighted.auc == pytest.approx(copied.auc)
    np.testing.assert_allclose(weighted.fpr, copied.fpr)
    np.testing.assert_allclose(weighted.thresholds, copied.thresholds)


def test_infinite_scores_are_scores():
    curve = RocCurve.from_arrays([1, 0, 1, 0], [np.inf, 0.3, 0.3, -np.inf])
    assert curve.auc == pytest.approx(0.875)
    assert curve.hull().best(OperatingContext(prevalence=0.5)).expected_cost == pytest.approx(0.25)


def test_several_data_sets_must_be_named():
    two = Predictions.from_arrays([0, 1] * 20, y_score={"m": np.arange(40.0)}, dataset=["a"] * 20 + ["b"] * 20)
    with pytest.raises(EvidenceError, match="2 data sets"):
        roc(two)
    assert roc(two, dataset="b").dataset == "b"
    assert bakeoff.cost_curves(two, dataset="a").models == ("m",)
    with pytest.raises(ParameterError, match="average must be one of"):
        roc(two, dataset="a", average="mean")


@pytest.mark.parametrize(
    ("predictions", "message"),
    [
        (lambda: Predictions.from_arrays([1.0, 2.5], y_value={"a": [1.0, 2.0]}), "holds no classes"),
        (lambda: Predictions.from_outcomes({"a": [1, 0, 1]}), "holds no classes"),
        (lambda: Predictions.from_arrays(["a", "b", "c"], y_score={"m": np.eye(3)}), "has 3 .*OperatingContext.multi"),
        (lambda: Predictions.from_arrays(["a", "b"], y_pred={"m": ["a", "b"]}), "the positive class of 'data' is not"),
        (lambda: Predictions.from_arrays([1, 1], y_score={"m": [0.2, 0.4]}), "no negative rows.*rows of both classes"),
    ],
)
@pytest.mark.parametrize("verb", [bakeoff.roc, bakeoff.cost_curves, lambda p: bakeoff.decide(p, OperatingContext())])
def test_evidence_without_two_classes_is_told_what_it_lacks(predictions, message, verb):
    with pytest.raises(EvidenceError, match=message):
        verb(predictions())


def test_many_curves_are_read_at_the_same_rates_as_one_by_one(rng: np.random.Generator) -> None:
    from bakeoff.decision._curve import interpolate_all, interpolate_tpr

    fpr, tpr = (np.sort(rng.integers(0, 12, (40, 30)) / 12.0, axis=1) for _ in range(2))
    fpr[:, 0], tpr[:, 0], fpr[:, -1], tpr[:, -1] = 0.0, 0.0, 1.0, 1.0
    grid = np.linspace(0, 1, 25)
    expected = np.stack([interpolate_tpr(x, y, grid) for x, y in zip(fpr, tpr, strict=True)])
    assert (interpolate_all(fpr, tpr, grid) == expected).all()


def test_a_row_stands_in_the_bin_of_the_first_threshold_that_it_reaches(rng: np.random.Generator) -> None:
    from bakeoff.decision._rules import BinaryRows

    score = rng.integers(0, 40, 300) / 4.0
    rows = BinaryRows.from_arrays(rng.random(300) < 0.5, {"m": score})
    for cuts in (np.array([9.0, 4.1, 4.0, -1.0]), np.array([np.inf, 3.25, -np.inf]), np.array([20.0])):
        expected = [next((i for i, cut in enumerate(cuts) if s >= cut), cuts.size) for s in score]
        assert rows.bin_of("m", cuts).tolist() == expected
