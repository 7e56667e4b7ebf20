"""What the machine allows the bootstrap kernels, and how near they come: ``python -m benchmarks.limits``.

Nanoseconds of processor time per row and replicate on one thread, the least of some rounds. A replicate needs a random
byte for every row, which is written as a count and read again by the pass of each model. So the table shows a copy of
such bytes (what memory allows), NumPy's fastest generator (which ours is held against), our draw of the counts, what
is left for the pass of a model, the whole bootstrap as it is called from Python, and what the goal of issue 16 leaves
for it: the time of the scikit-learn loop in the same run over the wanted ratio.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from bakeoff.stats import _kernels as kernels
from benchmarks import bench_auc, bench_losses

ROUNDS, REPLICATES, OF_LOOP = 9, 2000, 10


def least(job: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Nanoseconds of processor time; the first call makes what is made once."""
    took = []
    for _ in range(rounds + 1):
        start = time.process_time_ns()
        job()
        took.append(time.process_time_ns() - start)
    return float(min(took[1:]))


def brier(n: int) -> tuple[int, Callable[[], object], Callable[[], object]]:
    y, p = bench_losses.data(n)
    return (
        1,
        lambda: bench_losses.ours(y, p, "Brier", REPLICATES, 1),
        lambda: bench_losses.sklearn_loop(y, p, "Brier", OF_LOOP),
    )


def two_aucs(n: int) -> tuple[int, Callable[[], object], Callable[[], object]]:
    y, scores = bench_auc.data(n, 2)
    return (
        2,
        lambda: bench_auc.ours(y, scores, REPLICATES, 1),
        lambda: bench_auc.sklearn_loop(y, scores, OF_LOOP),
    )


def line(
    name: str, n: int, made: tuple[int, Callable[[], object], Callable[[], object]], goal: float
) -> list[float | str]:
    models, ours, loop = made
    table = np.zeros((n + 1, kernels.LANES), dtype=np.uint8)
    to, words, plan = np.empty_like(table), np.random.SFC64(0), kernels.count_plan(np.array([n]))
    copy = least(lambda: np.copyto(to, table)) / table.size
    generator = least(lambda: words.random_raw(table.size // 8)) / table.size
    draw = least(lambda: kernels.count_table(plan, 0, 0, table)) / table.size
    whole, allowed = least(ours) / (n * REPLICATES), least(loop, 3) / (n * OF_LOOP) / goal
    return [name, copy, generator, draw, (whole - draw) / models, whole, allowed, f"{allowed * goal / whole:,.0f}"]


def main() -> int:
    heads = ("ns", "a byte copied", "of NumPy's SFC64", "our draw", "the rest, a model", "whole", "goal", "ratio")
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for row in (
        line("Brier, n = 100,000", 10**5, brier(10**5), 350),
        line("two AUCs, n = 1,000", 10**3, two_aucs(10**3), 5000),
    ):
        print("|", " | ".join(cell if isinstance(cell, str) else f"{cell:.3f}" for cell in row), "|", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
