"""Sorted rows drawn many at a time, and rows counted by bin: the replicates of the slow ways, to rounding."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

from bakeoff import measures
from bakeoff.counts import Draws, Tally
from bakeoff.evidence import Units
from bakeoff.stats import resample

ROWS = 400


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(2)
    y = rng.random(ROWS) < 0.4
    return y, np.stack([rng.normal(size=ROWS) + y, np.round(rng.normal(size=ROWS) + y, 1)], axis=1)


@pytest.mark.parametrize("how", ["rows", "stratified", "groups"])
@pytest.mark.parametrize(
    "measure",
    [
        measures.get("average_precision"),
        measures.partial_auc(max_fpr=0.2),
        measures.partial_auc(min_tpr=0.8),
        measures.partial_auc(max_fpr=0.5, standardize=False),
        measures.get("auc_hull"),
        measures.get("h_measure"),
    ],
    ids=lambda m: m.name,
)
def test_replicates_are_those_of_the_tallies(data: tuple[np.ndarray, np.ndarray], measure: Any, how: str) -> None:
    y, scores = data
    groups = np.random.default_rng(3).integers(0, 50, ROWS) if how == "groups" else None
    units, draws = Units.of(ROWS, groups=groups), Draws(150, 4, stratified=how == "stratified")
    fast = Tally(scores, y).resample(measure, units, draws)
    chunks = resample.tally_bootstrap(y, scores, 150, draws.rng, stratified=draws.stratified, groups=units.of_row)
    slow = []
    for chunk in chunks:
        each = zip(resample.distinct_scores(scores), chunk.positives, chunk.negatives, strict=True)
        slow.append(np.stack([measure.value(t, p, n) for t, p, n in each], axis=1))
    np.testing.assert_allclose(fast, np.concatenate(slow), rtol=1e-12)


@pytest.mark.parametrize("jobs", [1, 2])
def test_threads_do_not_change_replicates(data: tuple[np.ndarray, np.ndarray], jobs: int) -> None:
    y, scores = data
    first, second = (resample.ranked_draws(y, scores, 300, 5, n_jobs=n) for n in (1, jobs))
    assert first is not None
    assert second is not None
    np.testing.assert_array_equal(first.average_precision(), second.average_precision())


def test_hulls_in_numpy_are_those_in_c(data: tuple[np.ndarray, np.ndarray], monkeypatch: pytest.MonkeyPatch) -> None:
    y, scores = np.tile(data[0], 5), np.concatenate([data[1] + shift for shift in (0, 1e-3, -0.1, 0.02, 0.5)])
    draws = resample.ranked_draws(y, scores, 100, 5, n_jobs=1)
    assert draws is not None
    vertices = []
    for path in ("c", "numpy"):
        monkeypatch.setenv("BAKEOFF_KERNELS", path)
        found = draws.of_hulls(lambda x, y: x.size + float(np.trapezoid(y, x)))
        vertices.append(found.tolist())
    assert vertices[0] == vertices[1]


def test_few_distinct_scores_are_left_to_tallies() -> None:
    y = np.arange(4000) % 3 == 0
    assert resample.ranked_draws(y, (np.arange(4000) % 2).astype(float), 100, 0) is None


@pytest.mark.parametrize("stratified", [False, True])
def test_binned_draws_count_the_rows_of_the_same_draws(stratified: bool) -> None:
    rng = np.random.default_rng(6)
    bin_of_row, strata = rng.integers(0, 7, 500), rng.integers(0, 2, 500) if stratified else None
    weight = rng.random(500)
    bins = [resample.Bins.of(bin_of_row, 7, None), resample.Bins.of(bin_of_row, 7, None, weight)]
    blocks = resample.binned_draws(bins, 500, 100, 9, strata=strata, absent=True)
    found = [[[side[:, lanes].T for side in sides] for sides in each] for lanes, each in blocks]
    drawn = np.concatenate(list(resample.row_weights(500, 100, 9, strata=strata)))
    member = bin_of_row[:, None] == np.arange(7)
    for way, worth in enumerate((np.ones(500), weight)):
        inside, outside = (np.concatenate([block[way][side] for block in found]) for side in (0, 1))
        np.testing.assert_allclose(inside, (drawn * worth) @ member)
        np.testing.assert_allclose(outside, ((drawn == 0) * worth) @ member)


def test_counts_of_many_ways_of_binning_need_the_memory_of_one() -> None:
    bins = [resample.Bins.of(np.arange(20_000), 20_000, None)] * 12
    of_one = 20_000 * 64 * 4
    tracemalloc.start()
    for _, each in resample.binned_draws(bins, 20_000, 50, 0):
        drawn = sum(int(counts.sum(dtype=np.int64)) for (counts,) in each)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert drawn >= 12 * 20_000 * 50
    assert peak < 6 * of_one


@pytest.mark.parametrize("strata", [None, "classes"])
def test_columns_of_bins_are_summed_as_any_columns(strata: str | None) -> None:
    """A row that adds to one column only takes the pass by cell; a second column on one row, the pass by column."""
    rng = np.random.default_rng(7)
    columns = np.zeros((600, 8))
    columns[np.arange(600), rng.integers(0, 8, 600)] = rng.normal(size=600)
    split = None if strata is None else rng.integers(0, 2, 600)
    fast = resample.sum_bootstrap(columns, 200, 1, strata=split)
    columns[0, :2] += 1e-300
    slow = resample.sum_bootstrap(columns, 200, 1, strata=split)
    np.testing.assert_allclose(fast, slow, atol=1e-9)
