"""Decisions on a million rows: `decide` with its bootstrap, hull and cost curves of two models.

The peer is the usual way: scikit-learn's `roc_curve` per model, the cheapest point of each, and a loop that resamples
rows with replacement and does it all again, timed on a few resamples and extrapolated.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bakeoff import OperatingContext, Predictions, cost_curves, decide

Row = dict[str, Any]
ROWS = 10**6
RESAMPLES = 2000


def data(n: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(0)
    y = rng.random(n) < 0.1
    odds = {"a": 2.0 * y + rng.normal(size=n) - 2.5, "b": 1.6 * y + rng.normal(size=n) - 2.0}
    return y.astype(np.int64), {m: 1 / (1 + np.exp(-z)) for m, z in odds.items()}


def seconds(job: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def row_loop(y: np.ndarray, scores: dict[str, np.ndarray], context: OperatingContext, resamples: int) -> object:
    """Resample rows, retrace both curves, take the cheapest point: what one writes by hand."""
    from sklearn.metrics import roc_curve

    rng = np.random.default_rng(1)
    wins = []
    for _ in range(resamples):
        rows = rng.integers(0, y.size, y.size)
        best = {}
        for model, s in scores.items():
            fpr, tpr, _ = roc_curve(y[rows], s[rows], drop_intermediate=False)
            best[model] = context.expected_cost(fpr, tpr).min()
        wins.append(min(best, key=best.__getitem__))
    return wins


def run(n: int = ROWS, *, rounds: int = 3, few: int = 2) -> list[Row]:
    y, scores = data(n)
    predictions = Predictions.from_arrays(y, y_score=scores)
    folds = Predictions.from_arrays(y, y_score=scores, fold=np.arange(n) % 10)
    context = OperatingContext(cost_fn=10)
    decide(Predictions.from_arrays(y[:2000], y_score={m: s[:2000] for m, s in scores.items()}), context, rng=0)
    loop = seconds(lambda: row_loop(y, scores, context.at(float(y.mean())), few), 1) * RESAMPLES / few
    peer = {"peer": loop, "against": "row bootstrap with scikit-learn's roc_curve", "note": f"peer timed on {few}"}
    own = {"peer": None, "against": "", "ratio": None}
    jobs: list[tuple[str, Callable[[], object], Row]] = [
        (f"decide, 2 models, {RESAMPLES} resamples", lambda: decide(predictions, context, rng=0), peer),
        ("decide, cross-fitted on 10 folds", lambda: decide(folds, context, rng=0), own),
        ("cost curves and their hull", lambda: cost_curves(predictions).envelope, own),
        ("bands of both cost curves", lambda: cost_curves(predictions).band, own),
    ]
    return [{"job": f"{job}, n = {n:.0e}", "ours": seconds(work, rounds), **other} for job, work, other in jobs]


if __name__ == "__main__":
    for row in run():
        against = f"{row['peer']:9.0f} s  {row['against']}" if row["peer"] else ""
        print(f"{row['job']:50} {row['ours']:7.2f} s  {against}")
