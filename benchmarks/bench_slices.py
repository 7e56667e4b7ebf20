"""Slices: a ratio of 10⁶ items × 5 models × 50 slices with all limits, against one Polars group-by of the same sums.

``python -m benchmarks.bench_slices [ITEMS]`` prints processor seconds and their quotient, on one thread.
"""

from __future__ import annotations

import os
import sys
import time

os.environ.setdefault("POLARS_MAX_THREADS", "1")

MODELS, SLICES = 5, 50


def seconds(function: object, times: int = 3) -> float:
    """Least processor time of a few calls."""
    found = []
    for _ in range(times):
        start = time.process_time()
        function()  # type: ignore[operator]
        found.append(time.process_time() - start)
    return min(found)


def main(items: int) -> None:
    """Print the three figures."""
    import numpy as np
    import polars as pl

    from bakeoff import Predictions, evaluate

    rng = np.random.default_rng(0)
    code = rng.integers(0, SLICES, items)
    length = rng.integers(3, 30, items)
    table = {f"m{j}": {"edits": rng.binomial(length, 0.1 + 0.02 * j), "ref_length": length} for j in range(MODELS)}
    frame = pl.DataFrame({"slice": code} | {f"{c}{m}": v.astype(float) for m, t in table.items() for c, v in t.items()})
    evidence = Predictions.from_sums(table, slices={"slice": code})
    bare = seconds(lambda: frame.group_by("slice").agg(pl.all().sum()))
    ours = seconds(lambda: evaluate(evidence, "wer", by="slice"))
    print(f"{items} items × {MODELS} models × {SLICES} slices: evaluate(by=) {ours:.3f} s")
    print(f"one Polars group-by of the same sums {bare:.3f} s: {ours / bare:.1f} times")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
