"""Influence values against a jackknife that really leaves cases out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bakeoff._core.errors import EvidenceError
from bakeoff.stats import auc
from bakeoff.stats.resample import (
    acceleration_from_influence,
    auc_influence,
    cell_influence,
    cluster_influence,
    mean_influence,
)


def mcc(tables: np.ndarray) -> np.ndarray:
    a, b, c, d = (tables[:, i, j] for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)))
    return (a * d - b * c) / np.sqrt((a + b) * (a + c) * (d + b) * (d + c))


def jackknife_acceleration(left_out: np.ndarray) -> float:
    gap = left_out.mean() - left_out
    return float((gap**3).sum() / (6 * (gap**2).sum() ** 1.5))


def test_cells_give_the_acceleration_of_the_full_jackknife() -> None:
    table = np.array([[40, 9], [6, 25]])
    cases = np.repeat(np.arange(4), table.reshape(-1))
    left_out = np.array(
        [mcc(np.bincount(np.delete(cases, i), minlength=4).reshape(1, 2, 2))[0] for i in range(cases.size)]
    )
    influence = cell_influence(mcc, table)
    assert acceleration_from_influence(influence, table) == pytest.approx(jackknife_acceleration(left_out), rel=1e-9)
    # Influence values estimate the variance as well: Σ n_c l_c² / n².
    assert (table * influence**2).sum() / 80**2 == pytest.approx(((left_out - left_out.mean()) ** 2).sum(), rel=0.05)


def test_empty_cells_have_no_influence() -> None:
    influence = cell_influence(lambda t: np.trace(t, axis1=1, axis2=2) / t.sum(axis=(1, 2)), [[5, 0], [0, 5]])
    assert influence.tolist() == [[0, 0], [0, 0]]
    assert acceleration_from_influence(influence, [[5, 0], [0, 5]]) == 0.0


def test_clusters_are_left_out_whole(rng: np.random.Generator) -> None:
    tables = rng.poisson(5, (20, 2, 2)).astype(float)
    influence = cluster_influence(mcc, tables)
    left_out = np.array([mcc(np.delete(tables, g, axis=0).sum(axis=0)[None])[0] for g in range(20)])
    np.testing.assert_allclose(influence, 19 * (left_out.mean() - left_out), rtol=1e-10)


@pytest.mark.parametrize("decimals", [9, 0])
def test_auc_influence_predicts_leaving_a_row_out(decimals: int, rng: np.random.Generator) -> None:
    y = rng.random(300) < 0.3
    score = (rng.normal(size=300) + y).round(decimals)
    influence = auc_influence(y, score)[:, 0]
    left_out = np.array([auc(np.delete(y, i), np.delete(score, i)) for i in range(300)])
    np.testing.assert_allclose(influence, 299 * (auc(y, score) - left_out), rtol=0.02, atol=1e-3)
    assert influence.mean() == pytest.approx(0, abs=1e-12)
    assert acceleration_from_influence(influence) == pytest.approx(jackknife_acceleration(left_out), rel=0.05)


def test_mean_influence_is_the_deviation(rng: np.random.Generator) -> None:
    loss = rng.exponential(size=(50, 2))
    np.testing.assert_allclose(mean_influence(loss), loss - loss.mean(axis=0), rtol=1e-12)
    assert acceleration_from_influence(mean_influence(loss)[:, 0]) == pytest.approx(
        stats.skew(loss[:, 0]) / (6 * np.sqrt(50)), rel=1e-10
    )
    weight = rng.random(50)
    influence = mean_influence(loss, weight)
    mean = weight @ loss / weight.sum()
    left_out = np.stack([np.delete(weight, i) @ np.delete(loss, i, 0) / np.delete(weight, i).sum() for i in range(50)])
    np.testing.assert_allclose(influence, 49 * (mean - left_out), rtol=0.15, atol=0.02)


def test_weights_count_cases() -> None:
    values, counts = np.array([0.5, -1.0, 2.0]), np.array([3, 4, 2])
    assert acceleration_from_influence(values, counts) == pytest.approx(
        acceleration_from_influence(np.repeat(values, counts)), rel=1e-12
    )


def test_undefined_influence_is_refused_unless_no_case_has_it() -> None:
    assert acceleration_from_influence([1.0, 2.0, np.nan], [1, 1, 0]) == pytest.approx(0.0)
    with pytest.raises(EvidenceError, match="influence values must be finite"):
        acceleration_from_influence([1.0, np.nan])
