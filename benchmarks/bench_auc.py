"""Bootstrap of AUC: 2 and 20 models, a thousand to a million rows, either kernel path, one and two threads."""

from __future__ import annotations

import contextlib
import io

import numpy as np

from benchmarks._timing import Peer, Row, race, ways

REPLICATES = 2000


def data(n: int, k: int, decimals: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.random(n) < 0.3
    scores = rng.normal(size=(n, k)) + rng.normal(size=(n, 1)) + y[:, None]
    return y, scores if decimals is None else np.round(scores, decimals)


def ours(y: np.ndarray, scores: np.ndarray, replicates: int, threads: int) -> np.ndarray:
    from bakeoff.stats.resample import auc_bootstrap

    return auc_bootstrap(y, scores, replicates, 0, n_jobs=threads)


def sklearn_loop(y: np.ndarray, scores: np.ndarray, replicates: int) -> np.ndarray:
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(0)
    values = np.empty((replicates, scores.shape[1]))
    for b in range(replicates):
        rows = rng.integers(0, y.size, y.size)
        values[b] = [roc_auc_score(y[rows], column[rows]) for column in scores.T]
    return values


def numpy_loop(y: np.ndarray, scores: np.ndarray, replicates: int) -> np.ndarray:
    """Do what a careful person writes for scores without ties: sort once, then counts and a cumulative sum."""
    rng = np.random.default_rng(0)
    orders = [np.argsort(column) for column in scores.T]
    truths = [y[order] for order in orders]
    values = np.empty((replicates, scores.shape[1]))
    for b in range(replicates):
        counts = np.bincount(rng.integers(0, y.size, y.size), minlength=y.size)
        for m, (order, truth) in enumerate(zip(orders, truths, strict=True)):
            drawn = counts[order]
            below = np.cumsum(np.where(truth, 0, drawn))
            up = np.where(truth, drawn, 0)
            values[b, m] = (up @ below) / (float(up.sum()) * below[-1])
    return values


def scipy_bootstrap(y: np.ndarray, scores: np.ndarray, replicates: int) -> object:
    from scipy.stats import bootstrap
    from sklearn.metrics import roc_auc_score

    def difference(rows: np.ndarray) -> float:
        rows = rows.astype(np.int64)
        return float(roc_auc_score(y[rows], scores[rows, 0]) - roc_auc_score(y[rows], scores[rows, 1]))

    rows = np.arange(y.size)
    return bootstrap((rows,), difference, n_resamples=replicates, vectorized=False, method="percentile", batch=1)


def confidenceinterval_bootstrap(y: np.ndarray, scores: np.ndarray, replicates: int) -> object:
    from confidenceinterval import roc_auc_score

    return [roc_auc_score(y, column, method="bootstrap_percentile", n_resamples=replicates) for column in scores.T]


def mlstatkit_bootstrap(y: np.ndarray, scores: np.ndarray, replicates: int) -> object:
    from MLstatkit import Bootstrapping

    with contextlib.redirect_stderr(io.StringIO()):
        return [Bootstrapping(y.astype(int), column, "roc_auc", n_bootstraps=replicates) for column in scores.T]


def run() -> list[Row]:
    check()
    rows: list[Row] = []
    goals = {10**3: {"C": 5000, "NumPy": 100}, 10**5: {"C": 1000, "NumPy": 50}, 10**6: {"C": 1000, "NumPy": 50}}
    for n, few, numpy_few in ((10**3, 40, None), (10**5, 3, 512), (10**6, 2, 128)):
        y, scores = data(n, 2)
        theirs = [
            Peer("scikit-learn loop", lambda b, y=y, s=scores: sklearn_loop(y, s, b), few),
            Peer("NumPy loop, sorted once", lambda b, y=y, s=scores: numpy_loop(y, s, b), 8 * few),
        ]
        if n < 10**6:
            theirs += [
                Peer("scipy.stats.bootstrap", lambda b, y=y, s=scores: scipy_bootstrap(y, s, b), few),
                Peer(
                    "confidenceinterval (not paired)",
                    lambda b, y=y, s=scores: confidenceinterval_bootstrap(y, s, b),
                    few,
                ),
                Peer("MLstatkit (not paired)", lambda b, y=y, s=scores: mlstatkit_bootstrap(y, s, b), few),
            ]
        mine = ways(lambda b, threads, y=y, s=scores: ours(y, s, b, threads), goals[n], numpy_few)
        rows += race(f"AUC of 2 models, n = {n:,}, B = {REPLICATES:,}", REPLICATES, mine, theirs)
    rows += twenty_models() + heavy_ties()
    return rows


def twenty_models() -> list[Row]:
    y, scores = data(10**5, 20)
    theirs = [Peer("scikit-learn loop", lambda b: sklearn_loop(y, scores, b), 1)]
    mine = ways(lambda b, threads: ours(y, scores, b, threads), {}, 128)
    return race(f"AUC of 20 models, n = 100,000, B = {REPLICATES:,}", REPLICATES, mine, theirs)


def heavy_ties() -> list[Row]:
    """Forests and nearest neighbours: few distinct scores, so cells are drawn instead of rows."""
    y, scores = data(10**6, 2, decimals=0)
    theirs = [Peer("scikit-learn loop", lambda b: sklearn_loop(y, scores, b), 2)]
    mine = ways(lambda b, threads: ours(y, scores, b, threads), {})[:1]
    return race(f"AUC of 2 models, n = 1,000,000, 10 distinct scores, B = {REPLICATES:,}", REPLICATES, mine, theirs)


def check() -> None:
    """Ours and the loop must agree in distribution before their times are worth comparing."""
    y, scores = data(300, 2)
    mine, loop = ours(y, scores, 3000, 1), numpy_loop(y, scores, 3000)
    assert np.allclose(mine.mean(axis=0), loop.mean(axis=0), atol=0.004)
    assert np.allclose(mine.std(axis=0), loop.std(axis=0), rtol=0.1)
