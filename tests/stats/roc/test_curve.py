from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.stats import auc, auc_from_tally, partial_auc, roc_curve, roc_from_tally, tally_scores
from oracle import assert_case, cases, worked_examples


@pytest.mark.parametrize("case", cases("roc_hull"), ids=lambda c: c["id"])
def test_golden_curves_from_rocr(case: dict[str, Any]) -> None:
    curve = roc_curve(case["input"]["y"], case["input"]["score"])
    got = {
        "thresholds": curve.thresholds,
        "fpr": curve.fpr,
        "tpr": curve.tpr,
        "auc": auc(case["input"]["y"], case["input"]["score"]),
        "n_roc_points": curve.fpr.size,
    }
    assert_case(case, got)


def test_golden_partial_areas_from_proc() -> None:
    (case,) = cases("partial_auc")
    y, got = case["input"]["y"], {}
    for name, s in case["input"]["scores"].items():
        got[name] = {
            "pauc_fpr_0_0.1": partial_auc(y, s, max_fpr=0.1, standardize=False),
            "pauc_fpr_0_0.1_mcclish": partial_auc(y, s, max_fpr=0.1),
            "pauc_fpr_0_0.25": partial_auc(y, s, max_fpr=0.25, standardize=False),
            "pauc_fpr_0_0.25_mcclish": partial_auc(y, s, max_fpr=0.25),
            "pauc_fpr_0.1_0.3": partial_auc(y, s, min_fpr=0.1, max_fpr=0.3, standardize=False),
            "pauc_sens_0.8_1": partial_auc(y, s, min_tpr=0.8, standardize=False),
        }
    assert_case(case, got)


def test_partial_area_on_the_sensitivity_side_standardised() -> None:
    asah = worked_examples("roc_cost")["pROC_aSAH"]
    for marker, expected in asah["per_marker"].items():
        got = partial_auc(asah["y_outcome_Poor"], asah[marker], min_tpr=0.9)
        if expected["pauc_sens_1_90_corrected"] is None:  # pROC gives none below chance; McClish's formula does
            assert got < 0.5
        else:
            assert got == pytest.approx(expected["pauc_sens_1_90_corrected"], rel=1e-9)


@pytest.mark.parametrize("example", ["fawcett2006_20", "seed000_20_as_printed"])
def test_twenty_instances(example: str) -> None:
    e = worked_examples("roc_cost")[example]
    curve = roc_curve(e["y"], e["score"])
    assert auc(e["y"], e["score"]) == pytest.approx(e["auc"], rel=1e-14)
    points = [
        [x, y, None if np.isinf(t) else t] for x, y, t in zip(curve.fpr, curve.tpr, curve.thresholds, strict=True)
    ]
    assert len(points) == len(e["roc_points_fpr_tpr_thr"])
    for got, expected in zip(points, e["roc_points_fpr_tpr_thr"], strict=True):
        assert got[:2] == pytest.approx(expected[:2])
        assert got[2] == expected[2]


def test_rocr_and_fawcett_areas() -> None:
    examples = worked_examples("roc_cost")
    simple = examples["ROCR_simple"]
    assert auc(simple["y"], simple["score"]) == pytest.approx(simple["auc"], rel=1e-11)
    stop = partial_auc(simple["y"], simple["score"], max_fpr=0.5, standardize=False)
    assert stop == pytest.approx(simple["auc_fpr_stop_.5_unstandardised"], rel=1e-11)
    perfect = examples["fawcett2006_fig4_auc1_acc80"]
    assert auc(perfect["y"], perfect["score"]) == 1.0


def test_ties_make_one_diagonal_step() -> None:
    curve = roc_curve([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5])
    assert curve.fpr.tolist() == [0.0, 1.0]
    assert curve.tpr.tolist() == [0.0, 1.0]
    assert auc([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5]) == 0.5


def test_a_backward_score_is_not_flipped() -> None:
    assert auc([0, 0, 1, 1], [4, 3, 2, 1]) == 0.0


def test_infinite_scores_are_ordered() -> None:
    curve = roc_curve([0, 1, 1, 0], [-np.inf, np.inf, 0.0, 1.0])
    assert curve.thresholds.tolist() == [np.inf, np.inf, 1.0, 0.0, -np.inf]
    assert auc([0, 1, 1, 0], [-np.inf, np.inf, 0.0, 1.0]) == 0.75


SCORES = {
    "continuous": lambda r, n: r.normal(size=n),
    "unit": lambda r, n: r.random(n),
    "few": lambda r, n: r.integers(-2, 3, n) / 2.0,
    "huge range": lambda r, n: r.choice([-1e300, -1e-308, -0.0, 0.0, 5e-324, 1e-308, 1.0, 1e300], n),
    "negative": lambda r, n: -r.random(n) * 1e6,
    "constant": lambda r, n: np.full(n, 0.3),
    "neighbours": lambda r, n: np.nextafter(1.0, 2.0) ** r.integers(0, 3, n) - r.integers(0, 2, n),
}


@pytest.mark.parametrize("kind", SCORES)
@pytest.mark.parametrize("n", [2, 7, 1000])
def test_curve_and_area_against_sklearn(kind: str, n: int, rng: np.random.Generator) -> None:
    from sklearn import metrics

    for _ in range(5):
        y, s = rng.random(n) < 0.4, SCORES[kind](rng, n)
        y[:2] = [True, False]
        curve = roc_curve(y, s)
        fpr, tpr, thresholds = metrics.roc_curve(y, s, drop_intermediate=False)
        assert np.array_equal(curve.thresholds, thresholds)
        assert curve.fpr == pytest.approx(fpr, abs=1e-15)
        assert curve.tpr == pytest.approx(tpr, abs=1e-15)
        assert auc(y, s) == pytest.approx(metrics.roc_auc_score(y, s), abs=1e-14)


@pytest.mark.parametrize("chunk", [1, 2, 7])
@pytest.mark.parametrize("kind", SCORES)
def test_rows_are_counted_right_across_chunks(
    kind: str, chunk: int, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bakeoff.stats.roc._tally.CHUNK", chunk)
    for n in (2, 13, 28, 60):
        y, s = np.arange(n) % 2 == 0, SCORES[kind](rng, n)
        tally = tally_scores(y, s)
        distinct = np.unique(s)[::-1]
        assert np.array_equal(tally.thresholds, distinct)
        assert tally.positives.tolist() == [int((s[y] == t).sum()) for t in distinct]
        assert tally.negatives.tolist() == [int((s[~y] == t).sum()) for t in distinct]
        curve = roc_curve(y, s)
        assert curve.tpr[1:] == pytest.approx(np.cumsum(tally.positives) / y.sum())
        assert auc(y, s) == pytest.approx(curve.area, abs=1e-14)


@pytest.mark.parametrize(
    "score",
    [
        np.random.default_rng(0).random(3000),
        np.random.default_rng(0).normal(size=3000),
        np.random.default_rng(0).normal(size=3000).round(1),
        np.where(np.arange(3000) % 3 == 0, -0.0, np.arange(3000) - 1500.0),
        np.where(np.arange(3000) % 7 == 0, np.inf, -np.arange(3000.0)),
        np.array([1e-300, -1e300, 1.0] * 1000),
    ],
    ids=["probabilities", "log odds", "ties", "zeros of both signs", "infinite", "far apart"],
)
def test_both_kernel_paths_trace_the_same_curve(score: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    y = np.random.default_rng(1).random(score.size) < 0.4
    monkeypatch.delenv("BAKEOFF_KERNELS", raising=False)
    best = roc_curve(y, score)
    monkeypatch.setenv("BAKEOFF_KERNELS", "numpy")
    plain = roc_curve(y, score)
    for ours, expected in zip(
        (best.fpr, best.tpr, best.thresholds), (plain.fpr, plain.tpr, plain.thresholds), strict=True
    ):
        assert np.array_equal(ours, expected)
        assert np.array_equal(np.signbit(ours), np.signbit(expected))


def test_weights_against_sklearn_and_replication(rng: np.random.Generator) -> None:
    y, s, w = rng.random(60) < 0.5, rng.integers(0, 9, 60) / 3.0, rng.integers(0, 4, 60)
    curve = roc_curve(y, s, sample_weight=w)
    rows = np.repeat(np.arange(60), w)
    copied = roc_curve(y[rows], s[rows])
    assert curve.fpr == pytest.approx(copied.fpr)
    assert curve.tpr == pytest.approx(copied.tpr)
    assert np.array_equal(curve.thresholds, copied.thresholds)
    assert auc(y, s, sample_weight=w) == pytest.approx(auc(y[rows], s[rows]), rel=1e-14)


def test_everything_from_the_tally(rng: np.random.Generator) -> None:
    y, s = rng.random(100) < 0.5, rng.integers(0, 9, 100) / 3.0
    tally, curve = tally_scores(y, s), roc_curve(y, s)
    assert (np.diff(tally.thresholds) < 0).all()
    assert int(tally.positives.sum()) == int(y.sum())
    again = roc_from_tally(tally)
    for name in ("fpr", "tpr", "thresholds"):
        assert np.array_equal(getattr(curve, name), getattr(again, name))
    assert auc_from_tally(tally.positives, tally.negatives) == auc(y, s)


def test_auc_of_many_tallies_at_once(rng: np.random.Generator) -> None:
    positives, negatives = (rng.integers(0, 200, (6, 9), dtype=np.uint8) for _ in range(2))
    together = auc_from_tally(positives, negatives)
    alone = [float(auc_from_tally(p.astype(float), n.astype(float))) for p, n in zip(positives, negatives, strict=True)]
    assert together == pytest.approx(alone, rel=1e-14)
    assert np.isnan(auc_from_tally(np.array([0, 0]), np.array([1, 2])))


def test_labels_need_a_positive_class() -> None:
    with pytest.raises(EvidenceError, match="positive class"):
        roc_curve(["no", "yes"], [0.1, 0.2])
    assert auc(["no", "yes"], [0.1, 0.2], pos_label="yes") == 1.0
    assert auc(["no", "yes"], [0.1, 0.2], pos_label="no") == 0.0


def test_bad_input_is_named() -> None:
    with pytest.raises(EvidenceError, match=r"2 NaN .the first at row 1"):
        roc_curve([0, 1, 1], [0.1, np.nan, np.nan])
    with pytest.raises(EvidenceError, match="no negative one among 2 rows"):
        auc([1, 1], [0.1, 0.2])
    with pytest.raises(EvidenceError, match="Got 3 scores and 2 rows"):
        auc([1, 0], [0.1, 0.2, 0.3])
    with pytest.raises(EvidenceError, match="column of the positive class"):
        auc([1, 0], [[0.1, 0.9], [0.2, 0.8]])
    with pytest.raises(EvidenceError, match=r"Got -1\.0 at row 1"):
        auc([1, 0], [0.1, 0.2], sample_weight=[1, -1])
    with pytest.raises(EvidenceError, match="no positive one"):
        auc([1, 0, 0], [0.1, 0.2, 0.3], sample_weight=[0, 1, 1])
    with pytest.raises(ParameterError, match="not both"):
        partial_auc([1, 0], [0.1, 0.2], max_fpr=0.1, min_tpr=0.9)
    with pytest.raises(ParameterError, match="max_fpr"):
        partial_auc([1, 0], [0.1, 0.2], max_fpr=0.0)
    with pytest.raises(ParameterError, match="below max_fpr"):
        partial_auc([1, 0], [0.1, 0.2], min_fpr=0.3, max_fpr=0.2)


def test_prints_small() -> None:
    curve = roc_curve([0, 1], [0.1, 0.2])
    assert repr(curve) == "RocCurveResult(3 points, n_positive=1, n_negative=1)"
    assert str(curve).splitlines()[0].split() == ["threshold", "fpr", "tpr"]
    assert curve.to_dict()["thresholds"][0] == "Infinity"
