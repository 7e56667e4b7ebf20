"""Paired permutation of the AUC of two models: swap their scores on random rows, 10,000 times."""

from __future__ import annotations

import contextlib
import io

import numpy as np

from benchmarks._timing import Peer, Row, race, ways
from benchmarks.bench_auc import data

PERMUTATIONS = 10_000


def ours(y: np.ndarray, scores: np.ndarray, permutations: int, threads: int) -> np.ndarray:
    from bakeoff.stats.resample import auc_swap_contributions, sign_flip

    return sign_flip(auc_swap_contributions(y, *scores.T), permutations, 0, n_jobs=threads)


def sklearn_loop(y: np.ndarray, scores: np.ndarray, permutations: int) -> np.ndarray:
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(0)
    a, b = scores.T
    values = np.empty(permutations)
    for p in range(permutations):
        swap = rng.random(y.size) < 0.5
        values[p] = roc_auc_score(y, np.where(swap, b, a)) - roc_auc_score(y, np.where(swap, a, b))
    return values


def mlstatkit(y: np.ndarray, scores: np.ndarray, permutations: int) -> object:
    from MLstatkit import Permutation_test

    with contextlib.redirect_stderr(io.StringIO()):
        return Permutation_test(y.astype(int), *scores.T, metric_str="roc_auc", n_bootstraps=permutations)


def run() -> list[Row]:
    rows: list[Row] = []
    for n, few, goals in ((10**3, 40, {}), (10**5, 3, {"C": 5000, "NumPy": 1500})):
        y, scores = data(n, 2)
        theirs = [
            Peer("scikit-learn loop", lambda b, y=y, s=scores: sklearn_loop(y, s, b), few),
            Peer("MLstatkit Permutation_test", lambda b, y=y, s=scores: mlstatkit(y, s, b), few),
        ]
        mine = ways(lambda b, threads, y=y, s=scores: ours(y, s, b, threads), goals)
        rows += race(f"permutation of AUC, n = {n:,}, {PERMUTATIONS:,} times", PERMUTATIONS, mine, theirs)
    return rows
