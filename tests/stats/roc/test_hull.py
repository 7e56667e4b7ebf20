from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bakeoff._core.errors import EvidenceError
from bakeoff.stats import auc_hull, hull_of_tally, roc_curve, roc_hull, tally_scores
from bakeoff.stats.roc._hull import SHORT, _pooled, upper_hull
from oracle import assert_case, cases, worked_examples


def _brute_force(x: np.ndarray, y: np.ndarray) -> list[tuple[float, float]]:
    """Vertices that maximise some direction strictly, by SciPy's qhull on the region under the points."""
    from scipy.spatial import ConvexHull

    points = np.column_stack([np.append(x, [0, 1, 1]), np.append(y, [0, 1, 0])])
    vertices = {tuple(p) for p in points[ConvexHull(points).vertices]}
    return sorted(p for p in vertices if p != (1.0, 0.0))


@pytest.mark.parametrize("case", cases("roc_hull"), ids=lambda c: c["id"])
def test_golden_hulls_from_rocr(case: dict[str, Any]) -> None:
    curve = roc_curve(case["input"]["y"], case["input"]["score"])
    hull = roc_hull(curve.fpr, curve.tpr)
    got = {
        "hull_fpr": hull.fpr,
        "hull_tpr": hull.tpr,
        "auc_hull": hull.area,
        "n_hull_vertices": hull.fpr.size,
    }
    assert_case(case, got)
    assert np.array_equal(curve.fpr[hull.index], hull.fpr)
    assert auc_hull(case["input"]["y"], case["input"]["score"]) == pytest.approx(hull.area, rel=1e-14)


@pytest.mark.parametrize("example", ["fawcett2006_20", "seed000_20_as_printed"])
def test_twenty_instances(example: str) -> None:
    e = worked_examples("roc_cost")[example]
    curve = roc_curve(e["y"], e["score"])
    hull = roc_hull(curve.fpr, curve.tpr)
    assert np.column_stack([hull.fpr, hull.tpr]) == pytest.approx(np.array(e["hull"]))
    assert hull.area == pytest.approx(e["auch"])


def test_rocr_and_asah_hulls() -> None:
    examples = worked_examples("roc_cost")
    simple = examples["ROCR_simple"]
    curve = roc_curve(simple["y"], simple["score"])
    hull = roc_hull(curve.fpr, curve.tpr)
    assert hull.fpr == pytest.approx(simple["rch"]["x"], abs=1e-12)
    assert hull.tpr == pytest.approx(simple["rch"]["y"], abs=1e-12)
    assert hull.area == pytest.approx(simple["auch"], rel=1e-12)
    asah = examples["pROC_aSAH"]
    for marker, expected in asah["AUCH"].items():
        assert auc_hull(asah["y_outcome_Poor"], asah[marker]) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("n", [3, 30, 400])
def test_cloud_against_qhull(n: int, rng: np.random.Generator) -> None:
    for _ in range(20):
        x, y = rng.random(n), rng.random(n)
        hull = roc_hull(x, y)
        assert list(zip(hull.fpr.tolist(), hull.tpr.tolist(), strict=True)) == _brute_force(x, y)
        given = hull.index >= 0
        assert np.array_equal(x[hull.index[given]], hull.fpr[given])
        assert hull.index[0] == -1 == hull.index[-1]


def test_trivial_classifiers_stand_in_every_hull() -> None:
    below = roc_hull([0.6], [0.3])
    assert (below.fpr.tolist(), below.index.tolist()) == ([0.0, 1.0], [-1, -1])
    perfect = roc_hull([0.0], [1.0])
    assert (perfect.fpr.tolist(), perfect.tpr.tolist(), perfect.index.tolist()) == ([0, 0, 1], [0, 1, 1], [-1, 0, -1])


def test_points_on_an_edge_and_copies_are_dropped() -> None:
    grid = np.arange(11) / 10
    assert roc_hull(grid, grid).index.tolist() == [0, 10]
    assert roc_hull([0, 0, 0, 0.5, 1, 1], [0, 0.25, 0.5, 0.75, 1, 1]).index.tolist() == [0, 2, 4]
    thirds = np.array([0, 1, 2, 3, 3, 3]) / 3
    assert roc_hull(np.zeros(6), thirds).index.tolist() == [0, 3, -1]


@pytest.mark.parametrize("kind", ["normal", "heavy ties", "chance", "perfect", "one hull point each"])
def test_long_curves_equal_the_exact_chain(kind: str, rng: np.random.Generator) -> None:
    n = 60_000
    y = rng.random(n) < 0.3
    score = {
        "normal": rng.normal(size=n) + y,
        "heavy ties": np.round(rng.normal(size=n) + y, 1),
        "chance": rng.random(n),
        "perfect": y + rng.random(n),
        "one hull point each": rng.random(n) + 0.001 * y,
    }[kind]
    tally = tally_scores(y, score)
    false_positives, true_positives, places = hull_of_tally(tally)
    slopes = np.diff(true_positives) / np.maximum(np.diff(false_positives), 1e-300)
    assert (np.diff(slopes) < 0).all()
    every_x, every_y = (np.concatenate(([0], np.cumsum(c))) for c in (tally.negatives, tally.positives))
    assert (np.interp(every_x, false_positives, true_positives) >= every_y - 1e-9)[every_x > 0].all()
    curve = roc_curve(y, score)
    assert np.array_equal(roc_hull(curve.fpr, curve.tpr).index, places)


def test_when_every_point_is_a_vertex() -> None:
    angle = np.linspace(0.0, np.pi / 2, 3 * SHORT)
    x, y = 1.0 - np.cos(angle), np.sin(angle)
    x[0] = y[0] = 0.0
    x[-1] = y[-1] = 1.0
    assert upper_hull(x, y).size == x.size
    assert _pooled(x, y).size == x.size


def test_bad_input_is_named() -> None:
    with pytest.raises(EvidenceError, match="Got 2 and 3 values"):
        roc_hull([0, 1], [0, 0.5, 1])
    with pytest.raises(EvidenceError, match=r"within \[0, 1\]. Got values from 0.0 to 1.5"):
        roc_hull([0, 1.5], [0, 1])
    with pytest.raises(EvidenceError, match="fpr must be finite"):
        roc_hull([0, np.nan, 1], [0, 0.5, 1])
    with pytest.raises(EvidenceError, match="at least 1 value"):
        roc_hull([], [])
