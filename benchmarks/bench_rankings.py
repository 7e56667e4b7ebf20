"""Bootstrap of measures of the whole ranking: average precision, partial AUC, AUC of the hull."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks._timing import Peer, Row, race, ways
from benchmarks.bench_auc import data

REPLICATES = 2000


def average_precision(y: np.ndarray, score: np.ndarray) -> float:
    from sklearn.metrics import average_precision_score

    return average_precision_score(y, score)


def partial_auc(y: np.ndarray, score: np.ndarray) -> float:
    from sklearn.metrics import roc_auc_score

    return roc_auc_score(y, score, max_fpr=0.1)


def auc_hull(y: np.ndarray, score: np.ndarray) -> float:
    """The points of scikit-learn's curve that turn, and the area under SciPy's hull of them."""
    from scipy.spatial import ConvexHull
    from sklearn.metrics import roc_curve

    fpr, tpr, _ = roc_curve(y, score)
    return ConvexHull(np.column_stack([np.append(fpr, 1.0), np.append(tpr, 0.0)])).volume


GOALS = {"C": 1000.0, "NumPy": 50.0}
MEASURES: dict[str, tuple[Callable[[np.ndarray, np.ndarray], float], dict[str, float]]] = {
    "average_precision": (average_precision, GOALS),
    "partial_auc": (partial_auc, {"C": 300.0}),
    "auc_hull": (auc_hull, {"C": 300.0}),
}


def sklearn_loop(measure: Callable[[np.ndarray, np.ndarray], float], y: np.ndarray, scores: np.ndarray, b: int) -> None:
    rng = np.random.default_rng(0)
    for _ in range(b):
        rows = rng.integers(0, y.size, y.size)
        for column in scores.T:
            measure(y[rows], column[rows])


def ours(name: str, y: np.ndarray, scores: np.ndarray, replicates: int, threads: int) -> None:
    from bakeoff.measures import get
    from bakeoff.stats.resample import ranked_draws

    get(name).drawn(ranked_draws(y, scores, replicates, 0, n_jobs=threads))


def run() -> list[Row]:
    rows: list[Row] = []
    for n, few, own in ((10**3, 40, None), (10**5, 2, 496)):
        y, scores = data(n, 2)
        for name, (peer, goals) in MEASURES.items():
            theirs = [Peer("scikit-learn loop", lambda b, p=peer, y=y, s=scores: sklearn_loop(p, y, s, b), few)]
            mine = ways(lambda b, t, m=name, y=y, s=scores: ours(m, y, s, b, t), goals if n == 10**5 else {}, own)
            label = name.replace("_", " ")
            rows += race(f"{label} of 2 models, n = {n:,}, B = {REPLICATES:,}", REPLICATES, mine, theirs)
    return rows
