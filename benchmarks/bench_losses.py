"""Bootstrap of log loss and Brier score of one model, against loops and scipy.stats.bootstrap."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks._timing import Peer, Row, race, ways

REPLICATES = 2000


def data(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    p = rng.beta(2, 3, n)
    return rng.random(n) < p, p


def row_losses(y: np.ndarray, p: np.ndarray, measure: str) -> np.ndarray:
    return -np.log(np.where(y, p, 1 - p)) if measure == "log loss" else (y - p) ** 2


def ours(y: np.ndarray, p: np.ndarray, measure: str, replicates: int, threads: int) -> np.ndarray:
    from bakeoff.stats.resample import mean_bootstrap

    return mean_bootstrap(row_losses(y, p, measure), replicates, 0, n_jobs=threads)


def sklearn_loop(y: np.ndarray, p: np.ndarray, measure: str, replicates: int) -> np.ndarray:
    from sklearn.metrics import brier_score_loss, log_loss

    score: Callable[..., float] = log_loss if measure == "log loss" else brier_score_loss
    rng = np.random.default_rng(0)
    values = np.empty(replicates)
    for b in range(replicates):
        rows = rng.integers(0, y.size, y.size)
        values[b] = score(y[rows], p[rows])
    return values


def numpy_loop(y: np.ndarray, p: np.ndarray, measure: str, replicates: int) -> np.ndarray:
    """Do what a careful person writes: losses once, then the mean of drawn rows."""
    rng = np.random.default_rng(0)
    losses = row_losses(y, p, measure)
    return np.array([losses[rng.integers(0, y.size, y.size)].mean() for _ in range(replicates)])


def scipy_bootstrap(y: np.ndarray, p: np.ndarray, measure: str, replicates: int) -> object:
    from scipy.stats import bootstrap

    losses = row_losses(y, p, measure)
    return bootstrap((losses,), np.mean, n_resamples=replicates, vectorized=True, method="percentile", batch=20)


def run() -> list[Row]:
    rows: list[Row] = []
    for measure in ("log loss", "Brier"):
        for n, few, goals in ((10**3, 100, {}), (10**5, 10, {"C": 350}), (10**6, 2, {})):
            y, p = data(n)
            mine, loop = ours(y, p, measure, 500, 1), numpy_loop(y, p, measure, 100)
            assert abs(mine.mean() - loop.mean()) < 5 * loop.std() / 10
            theirs = [
                Peer("scikit-learn loop", lambda b, y=y, p=p, m=measure: sklearn_loop(y, p, m, b), few),
                Peer("NumPy loop over row losses", lambda b, y=y, p=p, m=measure: numpy_loop(y, p, m, b), 10 * few),
                Peer(
                    "scipy.stats.bootstrap of row losses",
                    lambda b, y=y, p=p, m=measure: scipy_bootstrap(y, p, m, b),
                    10 * few,
                ),
            ]
            ways_of_ours = ways(
                lambda b, threads, y=y, p=p, m=measure: ours(y, p, m, b, threads), goals, 128 if n == 10**6 else None
            )
            rows += race(f"{measure} of 1 model, n = {n:,}, B = {REPLICATES:,}", REPLICATES, ways_of_ours, theirs)
    return rows
