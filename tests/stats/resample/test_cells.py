"""Bootstrap of tables: redrawing cells is resampling rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.stats.resample import _cells as cells_module
from bakeoff.stats.resample import cell_bootstrap, weighted_cell_bootstrap

TABLE = np.array([[30, 5, 2], [4, 20, 0], [1, 6, 12]])


def naive_tables(rng: np.random.Generator, table: np.ndarray, resamples: int) -> np.ndarray:
    rows = np.repeat(np.arange(table.size), table.reshape(-1))
    drawn = rows[rng.integers(0, rows.size, (resamples, rows.size))]
    return np.stack([np.bincount(sample, minlength=table.size) for sample in drawn]).reshape(-1, *table.shape)


def kappa(tables: np.ndarray) -> np.ndarray:
    share = tables / tables.sum(axis=(1, 2), keepdims=True)
    agree = np.trace(share, axis1=1, axis2=2)
    chance = (share.sum(axis=1) * share.sum(axis=2)).sum(axis=1)
    return (agree - chance) / (1 - chance)


def test_margins_covariances_and_measures_are_those_of_the_row_bootstrap(rng: np.random.Generator) -> None:
    draws = cell_bootstrap(TABLE, 20_000, rng)
    n = TABLE.sum()
    assert (draws.sum(axis=(1, 2)) == n).all()
    assert (draws[:, TABLE == 0] == 0).all()
    flat, share = draws.reshape(len(draws), -1), TABLE.reshape(-1) / n
    expected = n * (np.diag(share) - np.outer(share, share))
    variance = np.diag(expected)
    error = np.sqrt((np.outer(variance, variance) + expected**2) / len(draws))
    assert (np.abs(np.cov(flat.T) - expected) <= 6 * error + 1e-12).all()
    naive = naive_tables(rng, TABLE, 4000)
    jitter = 1e-9 * rng.random(4000)
    assert stats.ks_2samp(kappa(draws), kappa(naive) + jitter).pvalue > 1e-3


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_a_strata_axis_keeps_its_margin(axis: int) -> None:
    draws = cell_bootstrap(TABLE, 500, 1, strata_axis=axis)
    other = 2 if axis == 0 else 1
    assert (draws.sum(axis=other) == TABLE.sum(axis=other - 1)).all()
    assert draws.std(axis=0)[0, 0] == pytest.approx(np.sqrt(30 * (1 - 30 / TABLE.sum(axis=other - 1)[0])), rel=0.15)


def test_a_middle_axis_of_a_joint_table_can_be_the_strata() -> None:
    joint = np.arange(24).reshape(2, 3, 4)
    draws = cell_bootstrap(joint, 50, 1, strata_axis=1)
    assert draws.shape == (50, 2, 3, 4)
    assert (draws.sum(axis=(1, 3)) == joint.sum(axis=(0, 2))).all()


def test_one_stratum_without_cases_stays_empty() -> None:
    draws = cell_bootstrap([[3, 4], [0, 0]], 20, 1, strata_axis=0)
    assert (draws[:, 1] == 0).all()
    assert (draws[:, 0].sum(axis=1) == 7).all()


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([[1.5, 2.0]], "whole, non-negative counts: .* a weight is not a case"),
        ([[-1, 2]], "whole, non-negative counts"),
        ([[np.nan, 2.0]], "whole, non-negative counts"),
        ([[0, 0]], "at least one case"),
        (3, "table of counts"),
    ],
)
def test_what_is_not_a_table_of_counts_is_refused(cells: object, message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        cell_bootstrap(cells, 10, 0)


def test_a_missing_axis_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"strata_axis must be an axis of cells, which has 2\. Got 2"):
        cell_bootstrap(TABLE, 10, 0, strata_axis=2)


def test_weighted_rows_carry_their_weight_to_their_cell(rng: np.random.Generator) -> None:
    cell, weight = rng.integers(0, 4, 300), rng.random(300)
    draws = weighted_cell_bootstrap(cell, weight, 4, 6000, 1)
    columns = np.zeros((300, 4))
    columns[np.arange(300), cell] = weight
    expected = 300 * np.cov(columns.T, bias=True)
    error = np.sqrt((np.outer(np.diag(expected), np.diag(expected)) + expected**2) / 6000)
    assert (np.abs(np.cov(draws.T) - expected) < 5 * error).all()


def test_unit_weights_are_the_cell_bootstrap(rng: np.random.Generator) -> None:
    cell = np.repeat(np.arange(9), TABLE.reshape(-1))
    draws = weighted_cell_bootstrap(cell, np.ones(80), 9, 5000, 1).reshape(-1, 3, 3)
    assert stats.ks_2samp(kappa(draws), kappa(cell_bootstrap(TABLE, 5000, 2))).pvalue > 1e-3


@pytest.mark.parametrize("groups", [None, np.arange(500) // 3], ids=["rows", "clusters"])
def test_many_cells_are_summed_without_a_column_each(
    groups: np.ndarray | None, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator
) -> None:
    cell, weight = rng.integers(0, 20, 500), rng.random(500)
    dense = weighted_cell_bootstrap(cell, weight, 20, 150, 1, groups=groups)
    monkeypatch.setattr(cells_module, "_DENSE", 0)
    sparse = weighted_cell_bootstrap(cell, weight, 20, 150, 1, groups=groups)
    np.testing.assert_allclose(sparse, dense, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(("cell", "weight"), [([0, 4], [1.0, 1.0]), ([-1, 0], [1.0, 1.0])])
def test_cells_out_of_range_are_refused(cell: list[int], weight: list[float]) -> None:
    with pytest.raises(EvidenceError, match="between 0 and n_cells"):
        weighted_cell_bootstrap(cell, weight, 4, 10, 0)
    with pytest.raises(EvidenceError, match="one whole number per row"):
        weighted_cell_bootstrap(cell, weight[:1], 4, 10, 0)
