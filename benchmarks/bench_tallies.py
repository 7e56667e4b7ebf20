"""Bootstrap of average precision: a measure of the whole ranking that has no pass of its own, over tallies in NumPy."""

from __future__ import annotations

import numpy as np

from benchmarks._timing import Ours, Peer, Row, race
from benchmarks.bench_auc import data

REPLICATES = 2000


def ours(y: np.ndarray, scores: np.ndarray, replicates: int) -> np.ndarray:
    from bakeoff.stats import average_precision_from_tally
    from bakeoff.stats.resample import map_tallies

    return map_tallies(average_precision_from_tally, y, scores, replicates, 0)


def sklearn_loop(y: np.ndarray, scores: np.ndarray, replicates: int) -> np.ndarray:
    from sklearn.metrics import average_precision_score

    rng = np.random.default_rng(0)
    values = np.empty((replicates, scores.shape[1]))
    for b in range(replicates):
        rows = rng.integers(0, y.size, y.size)
        values[b] = [average_precision_score(y[rows], column[rows]) for column in scores.T]
    return values


def run() -> list[Row]:
    rows: list[Row] = []
    for n, few, own in ((10**3, 40, None), (10**5, 2, 64)):
        y, scores = data(n, 2)
        theirs = [Peer("scikit-learn loop", lambda b, y=y, s=scores: sklearn_loop(y, s, b), few)]
        mine = [Ours("tallies, 1 thread", lambda b, y=y, s=scores: ours(y, s, b), own)]
        rows += race(f"average precision of 2 models, n = {n:,}, B = {REPLICATES:,}", REPLICATES, mine, theirs)
    return rows
