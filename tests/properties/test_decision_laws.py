"""Laws of decisions on random curves: dualities, brute force, isotonic regression, rank statistics, area identities."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import optimize
from scipy import stats as sps

from bakeoff.decision import (
    CostCurve,
    OperatingContext,
    RocCurve,
    RocHull,
    brier_curve,
    brier_decomposition,
    calibration_curve,
    dominance,
    isocost_line,
    tangent,
)

SETTINGS = settings(max_examples=40, deadline=None)


@st.composite
def rows(draw, models=2, levels=8):
    """Labels with both classes, and integer scores with many ties."""
    n = draw(st.integers(4, 30))
    y = draw(hnp.arrays(np.bool_, n))
    assume(0 < y.sum() < n)
    table = draw(hnp.arrays(np.int64, (models, n), elements=st.integers(0, levels)))
    return y, {f"m{i}": row.astype(float) for i, row in enumerate(table)}


contexts = st.builds(
    OperatingContext,
    prevalence=st.floats(0.01, 0.99),
    cost_fp=st.floats(0.5, 20),
    cost_fn=st.floats(0.5, 20),
    cost_tp=st.floats(-1, 0.25),
    cost_tn=st.floats(-1, 0.25),
)
pcs = st.floats(0, 1)


def every_rule(y, scores):
    """(model, threshold, fpr, tpr) of all thresholds of all models and the two trivial rules."""
    rules = [("always negative", np.inf, 0.0, 0.0), ("always positive", -np.inf, 1.0, 1.0)]
    for model, s in scores.items():
        rules += [(model, t, np.mean(s[~y] >= t), np.mean(s[y] >= t)) for t in np.unique(s)]
    return rules


@SETTINGS
@given(rows(models=3), contexts)
def test_best_is_brute_force_over_all_thresholds_and_trivial_rules(data, context):
    y, scores = data
    best = RocHull.from_arrays(y, scores).best(context)
    least = min(context.expected_cost(fpr, tpr) for _, _, fpr, tpr in every_rule(y, scores))
    assert best.expected_cost == pytest.approx(least, rel=1e-9, abs=1e-12)
    if best.model in scores:
        called = scores[best.model] >= best.threshold
        assert context.expected_cost(called[~y].mean(), called[y].mean()) == pytest.approx(least, rel=1e-9, abs=1e-12)


@SETTINGS
@given(rows(), st.lists(pcs, min_size=1, max_size=8))
def test_lower_envelope_is_the_minimum_of_all_lines(data, grid):
    y, scores = data
    curves = CostCurve.from_arrays(y, scores)
    x = np.array(grid)
    lines = np.array([x * (1 - tpr) + (1 - x) * fpr for _, _, fpr, tpr in every_rule(y, scores)])
    np.testing.assert_allclose(curves.at(x), lines.min(axis=0), atol=1e-12)


@SETTINGS
@given(rows(models=3))
def test_hull_vertices_are_the_pieces_of_the_envelope(data):
    """Duality: a vertex of the hull is a line of the envelope, an edge is the point where two lines cross."""
    y, scores = data
    curves = CostCurve.from_arrays(y, scores)
    ranges = list(curves.ranges())
    assert ranges[0].pc_low == 0
    assert ranges[-1].pc_high == 1
    for left, right in itertools.pairwise(ranges):
        assert left.pc_high == right.pc_low
        assert left.pc_low < left.pc_high
    slopes = np.diff(curves.envelope.cost) / np.diff(curves.envelope.pc)
    assert (np.diff(slopes) < 1e-9).all()  # a lower envelope of lines is concave
    vertices = {(v.model, v.threshold): v for v in curves.hull.vertices}
    for r in ranges:
        v = vertices[r.model, r.threshold]
        middle = (r.pc_low + r.pc_high) / 2
        assert curves.at(middle) == pytest.approx(middle * (1 - v.tpr) + (1 - middle) * v.fpr, abs=1e-12)


@SETTINGS
@given(st.floats(0, 1), st.floats(0, 1), pcs, contexts)
def test_a_point_is_a_line(fpr, tpr, pc, context):
    curves = CostCurve.from_points({"m": (fpr, tpr)})
    assert curves.at(0.0, model="m") == pytest.approx(fpr)
    assert curves.at(1.0, model="m") == pytest.approx(1 - tpr)
    assert curves.at(pc, model="m") == pytest.approx(pc * (1 - tpr) + (1 - pc) * fpr, abs=1e-12)
    low, high = context.expected_cost(0.0, 1.0), context.expected_cost(1.0, 0.0)
    normalised = curves.at(context.pc, model="m")
    assert low + normalised * (high - low) == pytest.approx(context.expected_cost(fpr, tpr), rel=1e-9, abs=1e-9)


@SETTINGS
@given(rows(models=1))
def test_hull_is_isotonic_regression(data):
    """The slopes of the hull's edges are the likelihood ratios of the pooled adjacent violators."""
    y, scores = data
    s = scores["m0"]
    hull = RocCurve.from_arrays(y, s).hull()
    order = np.argsort(s, kind="stable")
    values, place = np.unique(s[order], return_inverse=True)
    size = np.bincount(place).astype(float)
    share = np.bincount(place, y[order]) / size
    fitted = optimize.isotonic_regression(share, weights=size).x
    levels = np.unique(np.round(fitted, 10))[::-1]
    n_positive, n_negative = y.sum(), (~y).sum()
    steps = np.diff(np.stack([hull.fpr * n_negative, hull.tpr * n_positive]), axis=1)
    pooled = steps[1] / steps.sum(axis=0)
    np.testing.assert_allclose(pooled, levels, atol=1e-9)
    assert values.size >= levels.size
    curve = calibration_curve(y, (s + 1) / 10, n_resamples=1)
    np.testing.assert_allclose(curve.observed[::-1], levels, atol=1e-9)


@SETTINGS
@given(rows(models=1))
def test_auc_is_the_rank_statistic(data):
    y, scores = data
    s = scores["m0"]
    u = sps.mannwhitneyu(s[y], s[~y], method="asymptotic").statistic
    curve = RocCurve.from_arrays(y, s)
    assert curve.auc == pytest.approx(u / (y.sum() * (~y).sum()), rel=1e-12)
    assert RocCurve.from_arrays(y, -s).auc == pytest.approx(1 - curve.auc, abs=1e-12)
    assert RocCurve.from_arrays(y, np.exp(s)).auc == pytest.approx(curve.auc, abs=1e-12)
    assert curve.hull().auc >= curve.auc - 1e-12


@SETTINGS
@given(rows(models=1, levels=10))
def test_area_of_the_brier_curve_is_the_brier_score(data):
    y, scores = data
    p = scores["m0"] / 10
    brier = np.mean((p - y) ** 2)
    curve = brier_curve(y, p)
    assert curve.area == pytest.approx(brier, rel=1e-12, abs=1e-12)
    parts = brier_decomposition(y, p)
    assert parts.brier == pytest.approx(brier, rel=1e-12, abs=1e-12)
    assert parts.miscalibration >= -1e-12
    assert parts.discrimination >= -1e-12
    assert parts.miscalibration - parts.discrimination + parts.uncertainty == pytest.approx(brier, abs=1e-12)


@SETTINGS
@given(st.integers(4, 30).flatmap(lambda n: st.tuples(hnp.arrays(np.bool_, n), st.permutations(range(n)))))
def test_rate_driven_cost_is_a_function_of_the_auc(data):
    """With uniform predicted-positive rate and uniform cost proportion the expected loss is π₀π₁(1 − 2 AUC) + ½."""
    y, s = data[0], np.array(data[1], dtype=float)
    assume(0 < y.sum() < y.size)
    n, share = y.size, y.mean()
    ranked = y[np.argsort(-s)]
    # Rates k/n, the k best called positive, weighted so that the rate is uniform; costs 2c and 2(1 − c), c uniform.
    hits, alarms = np.append(0, np.cumsum(ranked)), np.append(0, np.cumsum(~ranked))
    loss = alarms / n + (y.sum() - hits) / n  # ∫ 2[c·fp + (1 − c)·fn] dc
    expected = np.trapezoid(loss, dx=1 / n)
    assert expected == pytest.approx(share * (1 - share) * (1 - 2 * RocCurve.from_arrays(y, s).auc) + 0.5, abs=1e-12)


@SETTINGS
@given(rows(models=2), contexts)
def test_tangent_line_leaves_the_hull_below(data, context):
    y, scores = data
    hull = RocHull.from_arrays(y, scores)
    found = tangent(hull, context)
    line = isocost_line(context, through=(found.point.fpr, found.point.tpr))
    assert (hull.tpr <= line.tpr_at(hull.fpr) + 1e-9).all()
    assert found.regret >= -1e-9


@SETTINGS
@given(rows(models=2), st.lists(pcs, min_size=5, max_size=5))
def test_dominance_agrees_with_the_curves(data, grid):
    y, scores = data
    a, b = (RocCurve.from_arrays(y, s, model=m) for m, s in scores.items())
    found = dominance(a, b)
    pair = {c.model: CostCurve.from_curves([c]) for c in (a, b)}
    for pc in grid:
        gap = pair["m0"].at(pc) - pair["m1"].at(pc)
        said = found.ranges.at(pc).model
        if abs(gap) > 1e-9:
            assert said == ("m0" if gap < 0 else "m1")
    if found.winner in scores:
        other = ({"m0", "m1"} - {found.winner}).pop()
        assert all(pair[found.winner].at(pc) <= pair[other].at(pc) + 1e-12 for pc in grid)


@SETTINGS
@given(rows(models=2), contexts, st.permutations([0, 1]))
def test_renaming_and_reordering_change_nothing(data, context, order):
    y, scores = data
    shuffle = np.random.default_rng(0).permutation(y.size)
    again = {f"m{i}": scores[f"m{i}"][shuffle] for i in order}
    one, two = RocHull.from_arrays(y, scores), RocHull.from_arrays(y[shuffle], again)
    np.testing.assert_array_equal(one.fpr, two.fpr)
    np.testing.assert_array_equal(one.tpr, two.tpr)
    assert one.best(context).expected_cost == two.best(context).expected_cost


@SETTINGS
@given(rows(models=1))
def test_weights_are_copies(data):
    y, scores = data
    s = scores["m0"]
    times = np.random.default_rng(1).integers(1, 4, y.size)
    copied = np.repeat(np.arange(y.size), times)
    one, two = RocCurve.from_arrays(y, s, sample_weight=times), RocCurve.from_arrays(y[copied], s[copied])
    np.testing.assert_allclose(one.fpr, two.fpr, atol=1e-12)
    np.testing.assert_allclose(one.hull().tpr, two.hull().tpr, atol=1e-12)
    assert one.auc == pytest.approx(two.auc)


@SETTINGS
@given(contexts)
def test_slope_pc_and_threshold_tell_the_same_story(context):
    assert context.pc == pytest.approx(1 / (1 + context.slope), rel=1e-9)
    assert context.threshold_on(context.prevalence) == pytest.approx(context.threshold, rel=1e-9)
    # A model that knows P(positive) exactly at the threshold does not care which way the case goes.
    p = context.threshold
    positive = p * context.cost_tp + (1 - p) * context.cost_fp
    negative = p * context.cost_fn + (1 - p) * context.cost_tn
    assert positive == pytest.approx(negative, rel=1e-9, abs=1e-9)


def test_hull_is_exact_under_ties_at_a_million_rows():
    """Every threshold of a coarse score at 10⁶ rows: the hull's corners are those of exact integer arithmetic."""
    rng = np.random.default_rng(3)
    y = rng.random(1_000_000) < 0.3
    s = np.round(y + rng.normal(size=y.size), 1)
    hull = RocCurve.from_arrays(y, s, model="m").hull()
    values = np.unique(s)[::-1]
    points = [(0, 0), *((int((s[~y] >= t).sum()), int((s[y] >= t).sum())) for t in values)]
    chain: list[tuple[int, int]] = []
    for x, h in points:
        while len(chain) > 1:
            (ax, ah), (bx, bh) = chain[-2], chain[-1]
            if (bx - ax) * (h - ah) - (bh - ah) * (x - ax) < 0:
                break
            chain.pop()
        chain.append((x, h))
    n_positive, n_negative = int(y.sum()), int((~y).sum())
    got = [(round(v.fpr * n_negative), round(v.tpr * n_positive)) for v in hull.vertices]
    assert got == chain
