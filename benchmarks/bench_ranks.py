"""Rank tests over data sets: all pairs of many models, the exact distribution under ties, Bergmann–Hommel."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from benchmarks._timing import seconds

MODELS, DATASETS = 200, 500
LOOP_SAMPLE = 500  # pairs timed in the loop over scipy.stats.wilcoxon; the rest is extrapolated


def best_of(function: Callable[[], Any], repeats: int) -> float:
    return min(seconds(function) for _ in range(repeats))


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

    def loop() -> None:
        for index in chosen:
            wilcoxon(table[:, first[index]], table[:, second[index]], zero_method="zsplit")

    return seconds(loop) * first.size / chosen.size


def axis_form_of_scipy(table: np.ndarray) -> None:
    from scipy.stats import wilcoxon

    first, second = np.triu_indices(table.shape[1], 1)
    wilcoxon(table[:, first], table[:, second], axis=0, zero_method="zsplit")


def row(job: str, ours: float, peer: str, theirs: float | None, goal: str = "", note: str = "") -> dict[str, Any]:
    return {
        "job": job,
        "ours_s": ours,
        "peer": peer,
        "peer_s": theirs,
        "ratio": None if theirs is None else theirs / ours,
        "goal": goal,
        "note": note,
    }


def agreement(table: np.ndarray) -> str:
    """How far our p-values are from SciPy's on some pairs, both given differences whose ties are ties."""
    from scipy.stats import wilcoxon

    from bakeoff.stats import wilcoxon_pairs

    ours = wilcoxon_pairs(table[:, :12])
    differences = np.stack([table[:, i] - table[:, j] for i, j in ours.pairs], axis=1).round(10)
    theirs = wilcoxon(differences, axis=0, zero_method="zsplit").pvalue
    return f"p-values agree to {np.abs(ours.pvalue - theirs).max():.0e}"


def all_pairs_rows(rng: np.random.Generator) -> list[dict[str, Any]]:
    from bakeoff.stats import adjust, wilcoxon_pairs

    rows = []
    for name, table in tables(rng).items():
        axis_form, loop, ours = best_of(lambda t=table: axis_form_of_scipy(t), 1), loop_of_scipy(table), {}
        for path in paths():
            with on_path(path):
                ours[path] = best_of(lambda table=table: adjust(wilcoxon_pairs(table).pvalue, "holm"), 3)
        for path, took in ours.items():
            job = f"all pairs Wilcoxon + Holm, {MODELS} models x {DATASETS} data sets, {name}, {path}"
            loop_goal, axis_goal = ("≥ 100", "≥ 5") if path == paths()[0] else ("", "")
            note = f"peer timed on {LOOP_SAMPLE} pairs of {MODELS * (MODELS - 1) // 2}; {agreement(table)}"
            rows.append(row(job, took, "loop of scipy.stats.wilcoxon", loop, loop_goal, note))
            rows.append(row(job, took, "scipy.stats.wilcoxon(axis=0)", axis_form, axis_goal))
    return rows


def paths() -> tuple[str, ...]:
    from bakeoff.stats._kernels import active_path

    return ("C", "C, 1 thread", "NumPy") if active_path() == "C" else ("NumPy",)


@contextmanager
def on_path(path: str) -> Iterator[None]:
    """Switch the extension off for "NumPy", and the threads for "1 thread"."""
    before = {name: os.environ.get(name) for name in ("BAKEOFF_KERNELS", "OMP_NUM_THREADS")}
    os.environ["BAKEOFF_KERNELS"] = "numpy" if path == "NumPy" else ""
    if "1 thread" in path:
        os.environ["OMP_NUM_THREADS"] = "1"
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def compare_rows(rng: np.random.Generator) -> list[dict[str, Any]]:
    import bakeoff

    rows = []
    for name in ("no ties", "ties (2 decimals)"):
        table = tables(rng)[name]
        scores = bakeoff.Scores.from_wide(table, models=[f"m{i}" for i in range(MODELS)], measure="accuracy")
        job = f"compare, {MODELS} models x {DATASETS} data sets, {name} (tests, estimates, intervals, groups)"
        rows.append(row(job, best_of(lambda scores=scores: bakeoff.compare(scores, rng=0), 1), "none has it", None))
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
    return all_pairs_rows(rng) + compare_rows(rng) + exact_rows(rng)


def main() -> None:
    for r in run():
        peer = "" if r["peer_s"] is None else f"{r['peer_s']:9.2f} s {r['ratio']:8.1f}x  {r['peer']}"
        print(f"{r['job']:<85} {r['ours_s']:8.3f} s {peer}")


if __name__ == "__main__":
    main()
