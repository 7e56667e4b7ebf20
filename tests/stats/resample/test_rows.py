"""Bootstrap of anything: weights by chunks, row numbers one sample at a time."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff.stats.resample import map_rows, map_weights, mean_bootstrap, row_weights


def test_weights_count_the_rows_of_each_sample() -> None:
    weights = np.concatenate(list(row_weights(130, 300, 0)))
    assert weights.shape == (300, 130)
    assert weights.dtype == np.float64
    assert (weights.sum(axis=1) == 130).all()


def test_chunks_hold_no_more_than_asked() -> None:
    sizes = [len(w) for w in row_weights(100, 250, 0, chunk=20)]
    assert max(sizes) <= 20
    assert sum(sizes) == 250


def test_strata_and_groups_are_respected() -> None:
    strata = np.arange(90) % 3
    for weights in row_weights(90, 100, 0, strata=strata):
        for s in range(3):
            assert (weights[:, strata == s].sum(axis=1) == 30).all()
    groups = np.arange(90) // 5
    for weights in row_weights(90, 100, 0, groups=groups):
        assert (weights.reshape(-1, 18, 5) == weights.reshape(-1, 18, 5)[:, :, :1]).all()
        assert (weights[:, ::5].sum(axis=1) == 18).all()


def test_groups_within_strata_are_drawn_within_them() -> None:
    groups, strata = np.arange(80) // 4, np.arange(80) // 40
    for weights in row_weights(80, 100, 0, groups=groups, strata=strata):
        assert (weights[:, :40].sum(axis=1) == 40).all()


def test_indices_are_the_same_samples_as_the_weights() -> None:
    weights = np.concatenate(list(row_weights(75, 90, 5)))
    counts = map_rows(lambda rows: np.bincount(rows, minlength=75), 75, 90, 5)
    assert np.array_equal(counts, weights)


def test_the_last_resort_gives_what_the_fast_way_gives(rng: np.random.Generator) -> None:
    loss = rng.normal(size=60)
    slow = map_rows(lambda rows: loss[rows].mean(), 60, 80, 9)
    by_weights = map_weights(lambda w: w @ loss / w.sum(axis=1), 60, 80, 9, chunk=7)
    fast = mean_bootstrap(loss, 80, 9)[:, 0]
    np.testing.assert_allclose(slow, fast, rtol=1e-12)
    np.testing.assert_allclose(by_weights, fast, rtol=1e-12)


def test_a_chunk_of_many_rows_holds_few_replicates() -> None:
    first = next(row_weights(1_000_000, 2000, 0))
    assert first.nbytes <= 64 * 2**20
    assert (first.sum(axis=1) == 1_000_000).all()


@pytest.mark.parametrize("bad", [0, -3, 2.5])
def test_a_wrong_number_of_replicates_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="n_resamples must be a whole number"):
        next(row_weights(10, bad, 0))
