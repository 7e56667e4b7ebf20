"""Passes over tables of counts: the same answers in C and in NumPy, and those of the measures they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff.stats import _kernels, average_precision, partial_auc
from bakeoff.stats._kernels import FallingRows, _passes
from bakeoff.stats.roc._hull import _chain

SEED = 7
KINDS = {"no ties": None, "many ties": 1, "some ties": 2}


def ranking(decimals: int | None, n: int = 900) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    positive = rng.random(n) < 0.3
    score = rng.normal(size=n) + positive
    table, _ = _kernels.count_table(_kernels.count_plan(np.array([n])), SEED, 0)
    return positive, score if decimals is None else np.round(score, decimals), table


@pytest.mark.parametrize("decimals", KINDS.values(), ids=KINDS.keys())
def test_average_precision_of_every_lane(decimals: int | None) -> None:
    positive, score, table = ranking(decimals)
    rows = FallingRows.of(positive, score, np.arange(score.size))
    expected = [average_precision(positive, score, sample_weight=table[:-1, lane].astype(float)) for lane in range(6)]
    for found in (_kernels.precision_pass(table, rows), _passes.precision_pass(table, rows)):
        np.testing.assert_allclose(found[:6], expected, rtol=1e-13)


@pytest.mark.parametrize("decimals", KINDS.values(), ids=KINDS.keys())
@pytest.mark.parametrize("share", [0.1, 0.4, 1.0])
def test_partial_area_of_every_lane_from_both_ends(decimals: int | None, share: float) -> None:
    positive, score, table = ranking(decimals)
    rows = FallingRows.of(positive, score, np.arange(score.size))
    down, up = _kernels.bin_counts(table, *rows.by_class)[0].astype(float)
    weights = table[:-1, :4].T.astype(float)
    ends = (rows, share * down, {"max_fpr": share}), (rows.mirrored(), share * up, {"min_tpr": 1 - share})
    for part, limit, side in ends:
        expected = [partial_auc(positive, score, standardize=False, sample_weight=w, **side) for w in weights]
        for found in (_kernels.partial_pass(table, part, limit), _passes.partial_pass(table, part, limit)):
            np.testing.assert_allclose((found / (up * down))[:4], expected, rtol=1e-12)


def test_a_lane_without_positives_has_no_average_precision() -> None:
    rows = FallingRows.of(np.array([True, False, False]), np.array([3.0, 2.0, 1.0]), np.arange(3))
    table = np.ones((4, 64), dtype=np.uint8)
    table[0, 5] = 0
    table[-1] = 0  # the line of no unit
    for found in (_kernels.precision_pass(table, rows), _passes.precision_pass(table, rows)):
        assert np.flatnonzero(np.isnan(found)).tolist() == [5]
        assert found[0] == 1.0


@pytest.mark.parametrize("weighted", [False, True])
def test_counts_by_bin_are_the_same_on_both_paths(weighted: bool) -> None:
    _, _, table = ranking(None)
    rng = np.random.default_rng(5)
    starts = np.sort(np.concatenate([[0, 0], rng.integers(0, 900, 30), [900, 900]]))  # some bins are empty
    units, weight = _kernels.padded(rng.permutation(900)), rng.random(900) if weighted else None
    found = _kernels.bin_counts(table, units, starts, weight, absent=True)
    for ours, expected in zip(found, _passes.bin_counts(table, units, starts, weight, absent=True), strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-13 if weighted else 0)
    first = units[starts[2] : starts[3]]
    one = np.ones(first.size) if weight is None else weight[starts[2] : starts[3]]
    np.testing.assert_allclose(found[0][2], one @ table[first])
    np.testing.assert_allclose(found[1][2], one @ (table[first] == 0))


@pytest.mark.parametrize("sizes", [[900], [600, 280, 20], [30]], ids=str)
def test_sums_by_cell_are_exact_on_both_paths(sizes: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    rng, n = np.random.default_rng(6), sum(sizes)
    plan, cell = _kernels.count_plan(np.array(sizes)), rng.integers(0, 5, n) * 2
    columns = _kernels.word_columns(rng.exponential(size=(n, 1)))
    sums, kept = _kernels.cell_sum_blocks(plan, SEED, 0, 3, columns, cell, 9, 2)
    monkeypatch.setenv("BAKEOFF_KERNELS", "numpy")
    plain, plain_kept = _kernels.cell_sum_blocks(plan, SEED, 0, 3, columns, cell, 9)
    np.testing.assert_array_equal(sums, plain)
    np.testing.assert_array_equal(kept, plain_kept)


def test_a_crowded_cell_with_a_unit_drawn_often_is_added_up_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts above nine take the slow loop: in some sixty blocks of 248 equal units there are a few."""
    plan, columns = _kernels.count_plan(np.array([248])), _kernels.word_columns(np.full((248, 1), 0.999))
    sums, _ = _kernels.cell_sum_blocks(plan, 1, 0, 60, columns, np.zeros(248, dtype=np.int64), 1)
    monkeypatch.setenv("BAKEOFF_KERNELS", "numpy")
    plain, _ = _kernels.cell_sum_blocks(plan, 1, 0, 60, columns, np.zeros(248, dtype=np.int64), 1)
    np.testing.assert_array_equal(sums, plain)


def test_the_chain_in_c_is_the_chain_in_python() -> None:
    rng = np.random.default_rng(8)
    for chance in (0.1, 0.5, 0.95):
        up = rng.random(3000) < chance
        x, y = (np.concatenate([[0], np.cumsum(side)]).astype(np.int64) for side in (~up, up))
        found = _kernels.hull_chain(x, y)
        assert found is None or found.tolist() == _chain(x, y).tolist()
    assert _kernels.active_path() == "NumPy" or _kernels.hull_chain(x, y) is not None


def test_an_older_extension_leaves_the_new_passes_to_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    positive, score, table = ranking(2)
    rows = FallingRows.of(positive, score, np.arange(score.size))
    monkeypatch.setattr(_kernels, "_entry", lambda name: None)
    np.testing.assert_array_equal(_kernels.precision_pass(table, rows), _passes.precision_pass(table, rows))


@pytest.mark.parametrize("constant", [False, True], ids=["scale-free", "with a constant"])
def test_sums_and_powers_by_slice_are_those_of_the_rows_on_both_paths(constant: bool) -> None:
    rng = np.random.default_rng(11)
    n, slices = 1003, 7  # not a multiple of what is done at once
    code, terms = rng.integers(0, slices, n), rng.gamma(2.0, size=(3, n))
    slope, moved = rng.normal(size=(3, slices + 1)), constant * rng.normal(size=slices + 1)
    own, whole = (slope[:, code] * terms).sum(axis=0) - moved[code], slope[:, -1] @ terms - moved[-1]
    expected = [[(own[code == s] ** p).sum() for p in (2, 4)] for s in range(slices)]
    expected.append([(whole**p).sum() for p in (2, 4)])
    for path in (_kernels, _passes):
        sums, powers = np.zeros((slices, 3)), np.zeros((slices + 1, 2))
        for part in (slice(400), slice(400, n)):
            path.slice_sums(terms[:, part], code[part], sums)
            path.slice_powers(terms[:, part], code[part], slope, moved, powers)
        np.testing.assert_allclose(sums, [terms[:, code == s].sum(axis=1) for s in range(slices)], rtol=1e-13)
        np.testing.assert_allclose(powers, expected, rtol=1e-12)
