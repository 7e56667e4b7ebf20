"""Five measures of a confusion matrix with their bootstrap, against loops over rows."""

from __future__ import annotations

import numpy as np

from benchmarks._timing import Ours, Peer, Row, race

REPLICATES, CLASSES = 2000, 3


def five_measures(tables: np.ndarray) -> np.ndarray:
    """Accuracy, balanced accuracy, kappa, MCC and macro F1 of confusion matrices ``[B, K, K]`` → ``[5, B]``."""
    total = tables.sum(axis=(1, 2)).astype(float)
    hits = np.diagonal(tables, axis1=1, axis2=2).astype(float)
    true, called = tables.sum(axis=2).astype(float), tables.sum(axis=1).astype(float)
    accuracy = hits.sum(axis=1) / total
    chance = (true * called).sum(axis=1) / total**2
    covariance = accuracy - chance
    spread = np.sqrt((1 - (true**2).sum(axis=1) / total**2) * (1 - (called**2).sum(axis=1) / total**2))
    return np.stack(
        [
            accuracy,
            (hits / true).mean(axis=1),
            covariance / (1 - chance),
            covariance / spread,
            (2 * hits / (true + called)).mean(axis=1),
        ]
    )


def labels(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, n)
    return y, np.where(rng.random(n) < 0.8, y, rng.integers(0, CLASSES, n))


def ours(y: np.ndarray, called: np.ndarray, replicates: int) -> np.ndarray:
    from bakeoff.stats.resample import cell_bootstrap

    cells = np.bincount(CLASSES * y + called, minlength=CLASSES**2).reshape(CLASSES, CLASSES)
    return five_measures(cell_bootstrap(cells, replicates, 0))


def sklearn_loop(y: np.ndarray, called: np.ndarray, replicates: int) -> np.ndarray:
    from sklearn import metrics

    rng = np.random.default_rng(0)
    values = np.empty((5, replicates))
    for b in range(replicates):
        rows = rng.integers(0, y.size, y.size)
        true, said = y[rows], called[rows]
        values[:, b] = (
            metrics.accuracy_score(true, said),
            metrics.balanced_accuracy_score(true, said),
            metrics.cohen_kappa_score(true, said),
            metrics.matthews_corrcoef(true, said),
            metrics.f1_score(true, said, average="macro"),
        )
    return values


def bincount_loop(y: np.ndarray, called: np.ndarray, replicates: int) -> np.ndarray:
    """Do what a careful person writes: encode once, draw rows, count cells, then all measures at once."""
    rng = np.random.default_rng(0)
    cell = CLASSES * y + called
    tables = np.empty((replicates, CLASSES**2), dtype=np.int64)
    for b in range(replicates):
        tables[b] = np.bincount(cell[rng.integers(0, y.size, y.size)], minlength=CLASSES**2)
    return five_measures(tables.reshape(-1, CLASSES, CLASSES))


def scipy_bootstrap(y: np.ndarray, called: np.ndarray, replicates: int) -> object:
    from scipy.stats import bootstrap

    cell = CLASSES * y + called

    def accuracy(rows: np.ndarray) -> float:
        table = np.bincount(rows.astype(np.int64), minlength=CLASSES**2).reshape(1, CLASSES, CLASSES)
        return float(five_measures(table)[0, 0])

    return bootstrap((cell,), accuracy, n_resamples=replicates, vectorized=False, method="percentile", batch=1)


def confidenceinterval_bootstrap(y: np.ndarray, called: np.ndarray, replicates: int) -> object:
    from confidenceinterval import accuracy_score

    return accuracy_score(y, called, method="bootstrap_percentile", n_resamples=replicates)


def run() -> list[Row]:
    rows: list[Row] = []
    for n, few, goal, loop_goal in ((10**3, 40, 1500, None), (10**5, 4, None, None), (10**6, 2, 50_000, 2000)):
        y, called = labels(n)
        assert np.allclose(five_measures(np.array([[[5, 1], [2, 4]]]))[0], 0.75)
        theirs = [
            Peer("scikit-learn loop", lambda b, y=y, c=called: sklearn_loop(y, c, b), few),
            Peer("NumPy bincount loop", lambda b, y=y, c=called: bincount_loop(y, c, b), 20 * few),
            Peer("scipy.stats.bootstrap (one measure)", lambda b, y=y, c=called: scipy_bootstrap(y, c, b), 10 * few),
        ]
        if n <= 10**5:
            theirs.append(
                Peer(
                    "confidenceinterval (accuracy only)",
                    lambda b, y=y, c=called: confidenceinterval_bootstrap(y, c, b),
                    few,
                )
            )
        mine = [Ours("cells", lambda b, y=y, c=called: ours(y, c, b), goal=goal)]
        part = race(f"5 confusion measures, n = {n:,}, B = {REPLICATES:,}", REPLICATES, mine, theirs)
        if loop_goal:
            part[1]["goal"] = f"≥ {loop_goal:,}"
        rows += part
    return rows
