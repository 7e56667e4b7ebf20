"""Do intervals made from the engine's replicates cover the truth, and do its permutations keep their level?

Populations with known answers are sampled; each sample gets its bootstrap (or permutation) and is held against the
truth. The simulations return rows (dicts), ready for a table; `make calibrate` runs the long version.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from bakeoff.stats import auc, bootstrap_interval
from bakeoff.stats.resample import (
    acceleration_from_influence,
    auc_bootstrap,
    auc_swap_contributions,
    cell_bootstrap,
    mean_bootstrap,
    permutation_pvalue,
    sign_flip,
)
from bakeoff.stats.roc import placements

Row = dict[str, Any]
Replicates = tuple[float, np.ndarray, float]  # estimate, replicates, acceleration
LEVEL = 0.95


def coverage(case: str, truth: float, draw: Callable[[int], Replicates], runs: int) -> list[Row]:
    """Share of runs whose interval holds the truth, by method, with its simulation error."""
    hits = {"percentile": 0, "bca": 0, "normal": 0}
    for run in range(runs):
        estimate, replicates, acceleration = draw(run)
        for method in hits:
            interval = bootstrap_interval(
                estimate, replicates, method=method, confidence_level=LEVEL, acceleration=acceleration
            )
            hits[method] += interval.low <= truth <= interval.high
    error = np.sqrt(LEVEL * (1 - LEVEL) / runs)
    return [{"case": case, "method": m, "coverage": h / runs, "error": error} for m, h in hits.items()]


def binormal(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Two correlated models, AUC Φ(1/√2) and Φ(1.5/√2)."""
    y = rng.random(n) < 0.4
    common = rng.normal(size=n)
    own = rng.normal(size=(n, 2))
    return y, np.sqrt(0.5) * (common[:, None] + own) + y[:, None] * [1.0, 1.5]


def auc_influence(y: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """What each row moves in the AUC of each model: its placement among the rows of the other class."""
    placed = placements(y, scores)
    influence = np.empty_like(scores)
    influence[y] = (placed.of_positives.T - placed.aucs) * y.size / y.sum()
    influence[~y] = (placed.of_negatives.T - placed.aucs) * y.size / (~y).sum()
    return influence


def auc_of_one(run: int) -> Replicates:
    y, scores = binormal(np.random.default_rng(run), 150)
    influence = auc_influence(y, scores[:, :1])
    replicates = auc_bootstrap(y, scores[:, 0], 600, run, n_jobs=1)[:, 0]
    return auc(y, scores[:, 0]), replicates, acceleration_from_influence(influence)


def auc_difference(run: int) -> Replicates:
    y, scores = binormal(np.random.default_rng(run), 150)
    influence = auc_influence(y, scores)
    aucs = auc_bootstrap(y, scores, 600, run, n_jobs=1)
    estimate = auc(y, scores[:, 1]) - auc(y, scores[:, 0])
    return estimate, aucs[:, 1] - aucs[:, 0], acceleration_from_influence(influence[:, 1] - influence[:, 0])


CELLS = np.array([[0.45, 0.10], [0.08, 0.37]])


def kappa(tables: np.ndarray) -> np.ndarray:
    share = tables / tables.sum(axis=(1, 2), keepdims=True)
    chance = (share.sum(axis=1) * share.sum(axis=2)).sum(axis=1)
    return (np.trace(share, axis1=1, axis2=2) - chance) / (1 - chance)


def kappa_influence(table: np.ndarray) -> np.ndarray:
    """Jackknife value of a case in each cell."""
    left_out = kappa(np.maximum(table - np.eye(4).reshape(4, 2, 2), 0))
    return (np.average(left_out, weights=table.reshape(-1)) - left_out).reshape(2, 2)


def kappa_of_cells(run: int) -> Replicates:
    table = np.random.default_rng(run).multinomial(120, CELLS.reshape(-1)).reshape(2, 2)
    acceleration = acceleration_from_influence(kappa_influence(table), table)
    return float(kappa(table[None])[0]), kappa(cell_bootstrap(table, 600, run)), acceleration


def skewed_loss(run: int) -> Replicates:
    loss = np.random.default_rng(run).exponential(size=150)  # as log losses are
    acceleration = acceleration_from_influence(loss - loss.mean())
    return float(loss.mean()), mean_bootstrap(loss, 600, run, n_jobs=1)[:, 0], acceleration


def clustered_loss(run: int) -> Replicates:
    rng = np.random.default_rng(run)
    groups = np.repeat(np.arange(60), 5)
    loss = rng.normal(size=60)[groups] + 0.5 * rng.normal(size=300)
    return float(loss.mean()), mean_bootstrap(loss, 600, run, groups=groups, n_jobs=1)[:, 0], 0.0


CASES = {
    "AUC of one model": (float(ndtr(1 / np.sqrt(2))), auc_of_one),
    "difference of two AUCs": (float(ndtr(1.5 / np.sqrt(2)) - ndtr(1 / np.sqrt(2))), auc_difference),
    "kappa of a confusion table": (float(kappa(CELLS[None])[0]), kappa_of_cells),
    "mean of a skewed loss": (1.0, skewed_loss),
    "mean of clustered losses": (0.0, clustered_loss),
}


def check_coverage(case: str, runs: int) -> list[Row]:
    truth, draw = CASES[case]
    rows = coverage(case, truth, draw, runs)
    for row in rows:
        # A bootstrap of some hundred rows misses its level by a point or two (Efron and Tibshirani 1993, ch. 14).
        assert LEVEL - 0.025 - 3.5 * row["error"] < row["coverage"] < LEVEL + 0.015 + 3.5 * row["error"], row
    return rows


@pytest.mark.parametrize("case", CASES)
def test_intervals_cover(case: str) -> None:
    check_coverage(case, 200)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_intervals_cover_in_many_runs(case: str) -> None:
    for row in check_coverage(case, 5000):
        print(f"{row['case']:28} {row['method']:10} {row['coverage']:.4f} ± {row['error']:.4f}")


def test_rows_of_a_cluster_are_not_independent() -> None:
    """Drawing rows where clusters should be drawn covers far too rarely: what `groups` is there for."""

    def naive(run: int) -> Replicates:
        rng = np.random.default_rng(run)
        loss = np.repeat(rng.normal(size=60), 5) + 0.5 * rng.normal(size=300)
        return float(loss.mean()), mean_bootstrap(loss, 600, run, n_jobs=1)[:, 0], 0.0

    assert coverage("rows", 0.0, naive, 150)[0]["coverage"] < 0.8


def permutation_level(runs: int, alpha: float) -> float:
    """Two exchangeable models: how often their AUCs are called different at level alpha."""
    rejected = 0
    for run in range(runs):
        rng = np.random.default_rng(run)
        y = rng.random(80) < 0.4
        quality = rng.normal(size=80) + y
        a, b = quality + rng.normal(size=80), quality + rng.normal(size=80)
        contributions = auc_swap_contributions(y, a, b)
        replicates = sign_flip(contributions, 199, run, n_jobs=1)[:, 0]
        rejected += permutation_pvalue(float(contributions.sum()), replicates) <= alpha
    return rejected / runs


@pytest.mark.parametrize(("runs", "alpha"), [(600, 0.05), pytest.param(10_000, 0.05, marks=pytest.mark.slow)])
def test_permutation_of_auc_keeps_its_level(runs: int, alpha: float) -> None:
    level = permutation_level(runs, alpha)
    assert abs(level - alpha) < 3.5 * np.sqrt(alpha * (1 - alpha) / runs), level
