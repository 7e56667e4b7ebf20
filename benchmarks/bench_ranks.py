"""Rank tests over data sets: all pairs of many models, the exact distribution under ties, Bergmann–Hommel."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

MODELS, DATASETS = 200, 500
LOOP_SAMPLE = 1000  # pairs timed in the loop over scipy.stats.wilcoxon; the rest is extrapolated


def best_of(function: Callable[[], Any], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def tables(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Accuracies of 200 models on 500 data sets, printed at several precisions, or as shares of test instances."""
    base = 1 / (1 + np.exp(-rng.normal(1.5, 0.6, (DATASETS, 1)) - rng.normal(0, 0.2, (DATASETS, MODELS))))
    instances = rng.integers(50, 5000, (DATASETS, 1))
    return {
        "no ties": base,
        "ties (solved by several)": np.where(base > 0.9, 1.0, base),
        "ties (3 decimals)": base.round(3),
        "ties (2 decimals)": base.round(2),
        "ties (k correct of n)": rng.binomial(instances, base) / instances,
    }


def loop_of_scipy(table: np.ndarray) -> float:
    """Seconds of scipy.stats.wilcoxon over all pairs, from the first LOOP_SAMPLE pairs in random order."""
    from scipy.stats import wilcoxon

    first, second = np.triu_indices(table.shape[1], 1)
    chosen = np.random.default_rng(1).permutation(first.size)[:LOOP_SAMPLE]
    start = time.perf_counter()
    for index in chosen:
        wilcoxon(table[:, first[index]], table[:, second[index]], zero_method="zsplit")
    return (time.perf_counter() - start) * first.size / chosen.size


def axis_form_of_scipy(table: np.ndarray) -> None:
    from scipy.stats import wilcoxon

    first, second = np.triu_indices(table.shape[1], 1)
    wilcoxon(table[:, first], table[:, second], axis=0, zero_method="zsplit")


def row(job: str, ours: float, peer: str, theirs: float | None) -> dict[str, Any]:
    return {
        "job": job,
        "ours_s": ours,
        "peer": peer,
        "peer_s": theirs,
        "ratio": None if theirs is None else theirs / ours,
    }


def all_pairs_rows(rng: np.random.Generator) -> list[dict[str, Any]]:
    from bakeoff.stats import adjust, wilcoxon_pairs

    rows = []
    for name, table in tables(rng).items():
        ours = best_of(lambda table=table: adjust(wilcoxon_pairs(table).pvalue, "holm"), 5)
        job = f"all pairs Wilcoxon + Holm, {MODELS} models x {DATASETS} data sets, {name}"
        peer = f"loop of scipy.stats.wilcoxon (extrapolated from {LOOP_SAMPLE} pairs)"
        rows.append(row(job, ours, peer, loop_of_scipy(table)))
        rows.append(row(job, ours, "scipy.stats.wilcoxon(axis=0)", best_of(lambda t=table: axis_form_of_scipy(t), 2)))
    return rows


def exact_rows(rng: np.random.Generator) -> list[dict[str, Any]]:
    from bakeoff.stats import adjust_pairs, wilcoxon

    differences = rng.normal(0.02, 1, 1000).round(2)
    sixteen = rng.random(16 * 15 // 2) ** 3
    return [
        row(
            "exact Wilcoxon, n = 1000 with ties (target: under 1 s)",
            best_of(lambda: wilcoxon(differences, method="exact"), 3),
            "none has it",
            None,
        ),
        row(
            "Bergmann-Hommel, 16 models (target: under 10 s)",
            best_of(lambda: adjust_pairs(sixteen, 16, "bergmann"), 1),
            "none has it at this size",
            None,
        ),
    ]


def run() -> list[dict[str, Any]]:
    """Time every job and its peer in the same run."""
    rng = np.random.default_rng(20260701)
    return all_pairs_rows(rng) + exact_rows(rng)


def main() -> None:
    for r in run():
        peer = "" if r["peer_s"] is None else f"{r['peer_s']:9.2f} s {r['ratio']:8.1f}x  {r['peer']}"
        print(f"{r['job']:<85} {r['ours_s']:8.3f} s {peer}")


if __name__ == "__main__":
    main()
