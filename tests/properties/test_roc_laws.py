"""Laws of ranking statistics: what must hold whatever the data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bakeoff.stats import (
    auc,
    auc_from_tally,
    auc_hull,
    average_precision,
    binomial_interval,
    cost_envelope,
    delong_interval,
    delong_test,
    envelope_of_points,
    h_measure,
    mcnemar,
    partial_auc,
    roc_curve,
    roc_hull,
    tally_scores,
)
from bakeoff.stats.roc import auc_covariance, ks_from_tally


def ks(y, s, sample_weight=None) -> float:
    tally = tally_scores(np.asarray(y, dtype=bool), np.asarray(s, dtype=float), sample_weight)
    return float(ks_from_tally(tally.positives, tally.negatives))


laws = settings(deadline=None, max_examples=50)


@st.composite
def ranked(draw: st.DrawFn, models: int = 1) -> tuple[np.ndarray, ...]:
    """Rows of both classes with scores that may tie, be infinite, or differ by one rounding."""
    n = draw(st.integers(2, 60))
    y = draw(hnp.arrays(bool, n))
    assume(0 < y.sum() < n)
    few = st.sampled_from([-np.inf, -2.0, -1e-300, -0.0, 0.0, 5e-324, 0.1, 0.1 + 2**-55, 1.0, 1e308, np.inf])
    values = draw(st.sampled_from([few, st.floats(allow_nan=False), st.floats(0, 1), st.integers(-3, 3).map(float)]))
    return (y, *(draw(hnp.arrays(np.float64, n, elements=values)) for _ in range(models)))


def _pairs(y: np.ndarray, s: np.ndarray) -> float:
    up, down = s[y][:, None], s[~y][None, :]
    return float(((up > down) + 0.5 * (up == down)).mean())


@laws
@given(ranked())
def test_auc_is_the_share_of_pairs_and_the_area(data: tuple[np.ndarray, np.ndarray]) -> None:
    y, s = data
    curve = roc_curve(y, s)
    assert auc(y, s) == pytest.approx(_pairs(y, s), abs=1e-12)
    assert float(np.trapezoid(curve.tpr, curve.fpr)) == pytest.approx(auc(y, s), abs=1e-12)


@laws
@given(ranked())
def test_curve_counts_what_a_threshold_calls_positive(data: tuple[np.ndarray, np.ndarray]) -> None:
    y, s = data
    curve = roc_curve(y, s)
    for x, t, threshold in zip(curve.fpr[1:], curve.tpr[1:], curve.thresholds[1:], strict=True):
        assert (x, t) == pytest.approx(((s >= threshold)[~y].mean(), (s >= threshold)[y].mean()))
    assert np.array_equal(curve.thresholds[1:], np.unique(s)[::-1])
    assert (curve.fpr[0], curve.tpr[0], curve.thresholds[0]) == (0.0, 0.0, np.inf)


@laws
@given(ranked(), st.randoms(use_true_random=False))
def test_order_of_rows_and_names_of_classes_do_not_matter(data: tuple[np.ndarray, np.ndarray], random: object) -> None:
    y, s = data
    shuffled = np.random.default_rng(random.getrandbits(32)).permutation(y.size)  # type: ignore[attr-defined]
    assert auc(y[shuffled], s[shuffled]) == auc(y, s)
    assert auc(np.where(y, "yes", "no"), s, pos_label="yes") == auc(y, s)
    assert auc(~y, s) == pytest.approx(1.0 - auc(y, s))
    assert auc(y, -s) == pytest.approx(1.0 - auc(y, s))


@laws
@given(ranked())
def test_only_the_order_of_scores_matters(data: tuple[np.ndarray, np.ndarray]) -> None:
    y, s = data
    ranks = np.unique(s, return_inverse=True)[1].astype(float)
    for transformed in (ranks, -np.exp(-ranks), ranks * 1e-300):
        assert auc(y, transformed) == auc(y, s)
        assert h_measure(y, transformed) == pytest.approx(h_measure(y, s), abs=1e-12)
        assert average_precision(y, transformed) == pytest.approx(average_precision(y, s))


@laws
@given(ranked(), st.data())
def test_weights_are_replication(data: tuple[np.ndarray, np.ndarray], more: st.DataObject) -> None:
    y, s = data
    w = more.draw(hnp.arrays(np.int64, y.size, elements=st.integers(0, 3)))
    assume(w[y].sum() > 0 and w[~y].sum() > 0)
    rows = np.repeat(np.arange(y.size), w)
    for measure in (auc, average_precision, ks, h_measure, auc_hull):
        assert measure(y, s, sample_weight=w) == pytest.approx(measure(y[rows], s[rows]), abs=1e-12)


@laws
@given(ranked(), st.integers(0, 60))
def test_tallies_merge_by_addition(data: tuple[np.ndarray, np.ndarray], cut: int) -> None:
    y, s = data
    parts = [tally_scores(y[part], s[part]) for part in (slice(cut), slice(cut, None))]
    scores = np.unique(np.concatenate([p.thresholds for p in parts]))[::-1]
    merged = np.zeros((2, scores.size), dtype=np.int64)
    for part in parts:
        place = scores.size - 1 - np.searchsorted(scores[::-1], part.thresholds)
        merged[0, place] += part.positives
        merged[1, place] += part.negatives
    assert auc_from_tally(merged[0], merged[1]) == auc(y, s)


@laws
@given(ranked(), st.floats(0.05, 0.95))
def test_partial_areas_add_up(data: tuple[np.ndarray, np.ndarray], cut: float) -> None:
    y, s = data
    left = partial_auc(y, s, max_fpr=cut, standardize=False)
    right = partial_auc(y, s, min_fpr=cut, standardize=False)
    assert left + right == pytest.approx(auc(y, s))
    assert 0.0 <= left <= cut + 1e-12
    assert partial_auc(y, s, min_tpr=0.0) == pytest.approx(auc(y, s))
    assert partial_auc(y, s) == pytest.approx(auc(y, s))
    # Turning the problem around (negatives sought, score reversed) swaps the two sides.
    assert partial_auc(~y, -s, max_fpr=1.0 - cut) == pytest.approx(partial_auc(y, s, min_tpr=cut))


@laws
@given(ranked())
def test_hull_is_above_concave_and_its_own_hull(data: tuple[np.ndarray, np.ndarray]) -> None:
    y, s = data
    curve = roc_curve(y, s)
    hull = roc_hull(curve.fpr, curve.tpr)
    run, rise = np.diff(hull.fpr), np.diff(hull.tpr)
    assert (run[1:] * rise[:-1] > run[:-1] * rise[1:]).all()
    for x, t in zip(curve.fpr, curve.tpr, strict=True):
        assert t <= np.interp(x, hull.fpr, hull.tpr) + 1e-12 or x == 0.0
    again = roc_hull(hull.fpr, hull.tpr)
    assert again.index.tolist() == list(range(hull.fpr.size))
    assert hull.area >= max(auc(y, s), 0.5) - 1e-12
    mirrored = roc_hull(1.0 - curve.tpr[::-1], 1.0 - curve.fpr[::-1])
    assert mirrored.area == pytest.approx(hull.area)


@laws
@given(ranked())
def test_hull_is_pooling_adjacent_violators(data: tuple[np.ndarray, np.ndarray]) -> None:
    from scipy.optimize import isotonic_regression

    y, s = data
    tally = tally_scores(y, s)
    sizes = tally.positives + tally.negatives
    fit = isotonic_regression(tally.positives / sizes, weights=sizes, increasing=False).x
    hull = roc_hull(*(np.concatenate(([0], np.cumsum(c))) / c.sum() for c in (tally.negatives, tally.positives)))
    shares = np.diff(hull.tpr) * y.sum() / (np.diff(hull.tpr) * y.sum() + np.diff(hull.fpr) * (~y).sum())
    assert np.repeat(shares, np.diff(hull.index)) == pytest.approx(fit, abs=1e-9)


@laws
@given(
    hnp.arrays(np.float64, st.integers(1, 25).map(lambda n: (n, 2)), elements=st.integers(0, 12).map(lambda k: k / 12)),
    hnp.arrays(np.float64, 7, elements=st.floats(0, 1)),
)
def test_hull_and_cost_envelope_are_dual(points: np.ndarray, pc: np.ndarray) -> None:
    x, y = points.T
    all_x, all_y = np.append(x, [0, 1]), np.append(y, [0, 1])
    brute = (np.outer(1 - pc, all_x) + np.outer(pc, 1 - all_y)).min(axis=1)
    assert cost_envelope(x, y, pc) == pytest.approx(brute, abs=1e-12)
    envelope, hull = envelope_of_points(x, y), roc_hull(x, y)
    assert set(envelope.index.tolist()) <= set(hull.index.tolist())
    middle = (envelope.pc[1:] + envelope.pc[:-1]) / 2
    costs = envelope.fpr * (1 - middle) + (1 - envelope.tpr) * middle
    assert envelope.at(middle) == pytest.approx(costs, abs=1e-12)
    assert 0.0 <= envelope.area <= 0.25 + 1e-12


@laws
@given(ranked())
def test_bounds_of_ranking_measures(data: tuple[np.ndarray, np.ndarray]) -> None:
    y, s = data
    assert -1e-12 <= h_measure(y, s) <= 1.0 + 1e-12
    assert 0.0 <= ks(y, s) <= 1.0
    assert y.mean() / y.size <= average_precision(y, s) <= 1.0 + 1e-12
    # The hull lies between the triangle through its farthest point and the band TPR <= FPR + KS.
    gap, area = ks(y, s), auc_hull(y, s)
    assert (1 + gap) / 2 - 1e-12 <= area <= 1 - (1 - gap) ** 2 / 2 + 1e-12


@laws
@given(ranked(models=2))
def test_delong_swaps_and_stays_in_bounds(data: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    y, a, b = data
    one = delong_interval(y, a)
    assert 0.0 <= one.low <= one.estimate <= one.high <= 1.0
    assert one.high > one.low
    forward, backward = delong_test(y, a, b), delong_test(y, b, a)
    assert forward.estimate == -backward.estimate
    assert forward.pvalue == pytest.approx(backward.pvalue, nan_ok=True)
    assert 0.0 <= forward.pvalue <= 1.0 or forward.notes
    interval = forward.confidence_interval()
    assert -1.0 <= interval.low <= forward.estimate <= interval.high <= 1.0
    assert interval.high > interval.low


@laws
@given(ranked(models=3))
def test_auc_covariance_is_positive_and_agrees_with_the_pairs(data: tuple[np.ndarray, ...]) -> None:
    y, scores = data[0], np.column_stack(data[1:])
    assume(min(y.sum(), (~y).sum()) > 1)
    aucs, covariance = auc_covariance(y, scores)
    assert aucs == pytest.approx([_pairs(y, s) for s in scores.T], abs=1e-12)
    assert np.linalg.eigvalsh(covariance).min() > -1e-12
    up = np.array([[(s[~y] < x).mean() + 0.5 * (s[~y] == x).mean() for x in s[y]] for s in scores.T])
    down = np.array([[(s[y] > x).mean() + 0.5 * (s[y] == x).mean() for x in s[~y]] for s in scores.T])
    assert covariance == pytest.approx(np.cov(up) / y.sum() + np.cov(down) / (~y).sum(), abs=1e-12)


@laws
@given(hnp.arrays(bool, st.integers(1, 60).map(lambda n: (n, 2))), st.sampled_from([0.8, 0.95, 0.99]))
def test_mcnemar_swaps_and_orders(correct: np.ndarray, level: float) -> None:
    a, b = correct.T
    forward, backward = mcnemar(a, b), mcnemar(b, a)
    assert (forward.pvalue, forward.estimate) == (backward.pvalue, -backward.estimate)
    exact, midp = mcnemar(a, b, method="exact").pvalue, mcnemar(a, b, method="midp").pvalue
    assert 0.0 < midp <= exact <= 1.0
    interval, mirror = forward.confidence_interval(level), backward.confidence_interval(level)
    assert -1.0 <= interval.low <= forward.estimate <= interval.high <= 1.0
    assert interval.high > interval.low
    assert (interval.low, interval.high) == pytest.approx((-mirror.high, -mirror.low), abs=1e-9)


@laws
@given(
    st.integers(1, 300),
    st.sampled_from(["wilson", "clopper-pearson", "agresti-coull", "jeffreys", "wald"]),
    st.floats(0.5, 0.999),
)
def test_binomial_limits_rise_and_mirror(n: int, method: str, level: float) -> None:
    got = binomial_interval(np.arange(n + 1), n, method=method, confidence_level=level)
    assert (got.low <= got.estimate + 1e-12).all()
    assert (got.high >= got.estimate - 1e-12).all()
    assert got.low == pytest.approx(1.0 - got.high[::-1], abs=1e-9)
    if method in ("wilson", "clopper-pearson", "jeffreys"):
        assert (np.diff(got.low) >= 0).all()
        assert (np.diff(got.high) >= 0).all()
