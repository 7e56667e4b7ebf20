"""DeLong's covariance of many models against Sun and Xu's algorithm as it is commonly written in Python."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bakeoff.stats import delong_many

Row = dict[str, Any]


def _mid_ranks(values: np.ndarray) -> np.ndarray:
    """Mid-ranks by walking over the sorted values, group by group of ties."""
    order = np.argsort(values)
    ranked, n = values[order], values.size
    middle, start = np.zeros(n), 0
    while start < n:
        stop = start
        while stop < n and ranked[stop] == ranked[start]:
            stop += 1
        middle[start:stop] = (start + stop - 1) / 2.0
        start = stop
    ranks = np.empty(n)
    ranks[order] = middle + 1.0
    return ranks


def sun_xu(y: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """AUCs and covariance: three mid-ranks per model in a loop, then np.cov of the two sets of placements."""
    above, below = scores[y].T, scores[~y].T
    n_models, m, n = scores.shape[1], int(y.sum()), int((~y).sum())
    own_above, own_below, pooled = np.empty((n_models, m)), np.empty((n_models, n)), np.empty((n_models, m + n))
    for k in range(n_models):
        own_above[k] = _mid_ranks(above[k])
        own_below[k] = _mid_ranks(below[k])
        pooled[k] = _mid_ranks(np.concatenate([above[k], below[k]]))
    aucs = (pooled[:, :m].sum(axis=1) / m - (m + 1.0) / 2.0) / n
    of_positives, of_negatives = (pooled[:, :m] - own_above) / n, 1.0 - (pooled[:, m:] - own_below) / m
    return aucs, np.cov(of_positives) / m + np.cov(of_negatives) / n


def side_by_side(ours: Callable[[], object], peer: Callable[[], object], rounds: int, each: int) -> tuple[float, float]:
    """Median seconds of both, taken in turns so that a busy moment of the machine meets both."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for job, kept, repeats in ((ours, times[0], each), (peer, times[1], 1)):
            for _ in range(repeats):
                start = time.perf_counter()
                job()
                kept.append(time.perf_counter() - start)
    return float(np.median(times[0])), float(np.median(times[1]))


def run(*, rounds: int = 5, each: int = 5) -> list[Row]:
    """Return rows of job, seconds of ours and of the peer, and their ratio."""
    rows: list[Row] = []
    for n_models, n, decimals in ((20, 10**4, None), (20, 10**4, 2), (2, 10**5, None)):
        rng = np.random.default_rng(0)
        y = rng.random(n) < 0.3
        scores = rng.normal(size=(n, n_models)) + y[:, None]
        if decimals is not None:
            scores = np.round(scores, decimals)
        ours, peer = side_by_side(lambda: delong_many(y, scores), lambda: sun_xu(y, scores), rounds, each)  # noqa: B023
        assert np.allclose(delong_many(y, scores).covariance, sun_xu(y, scores)[1], rtol=1e-9, atol=1e-15)
        ties = "" if decimals is None else f", scores of {decimals} decimals"
        rows.append(
            {
                "job": f"DeLong, {n_models} models × {n:.0e} rows{ties}",
                "ours": ours,
                "peer": peer,
                "ratio": peer / ours,
                "against": "NumPy Sun–Xu",
                "goal": "≥ 30" if (n_models, n, decimals) == (20, 10**4, None) else "",
            }
        )
    return rows


if __name__ == "__main__":
    for row in run():
        print(
            f"{row['job']:55} {row['ours']:9.5f} s  {row['peer']:9.4f} s  {row['ratio']:8.1f}  goal {row['goal']:6}"
            f"  {row['against']}"
        )
