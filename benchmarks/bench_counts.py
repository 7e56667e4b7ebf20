"""Counting out of core: confusion and exact score tally of ten models, against Polars' own bare scan and group-by.

``python -m benchmarks.bench_counts`` uses 10⁶ rows a model; give another number, ``python -m benchmarks.bench_counts
10000000`` for the goal of 10⁸ rows in all. Each side runs in a process of its own, which reports time and peak memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

MODELS = 10

_OURS = """
from bakeoff import Predictions
rows = Predictions.read(folder).table()
for model in rows.models:
    cells = rows.confusion(model).cells
    tally = rows.tally(model)
    total += int(cells.sum()) + tally.scores.size
"""
_POLARS = """
import polars as pl
for place in sorted(Path(folder).glob("dataset=*/model=*")):
    frame = pl.scan_parquet(sorted(place.glob("*.parquet")), hive_partitioning=False)
    cells = frame.group_by("y_true", "y_pred").agg(pl.len()).collect(engine="streaming")
    tally = frame.group_by("y_score").agg(pl.col("y_true").sum().alias("p"), pl.len()).collect(engine="streaming")
    total += int(cells["len"].sum()) + len(tally)
"""
_FRAME = """
import json, resource, sys, time
from pathlib import Path
import polars
folder, total = sys.argv[1], 0
start = time.perf_counter()
{body}
seconds = time.perf_counter() - start
print(json.dumps(dict(seconds=seconds, total=total, peak=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)))
"""


def write_folder(folder: Path, rows: int, chunk: int = 1_000_000) -> None:
    """Ten models' labels and scores on the same rows, in files of a million rows, as the runner stores them."""
    import numpy as np
    import polars as pl

    for model in range(MODELS):
        place = folder / "dataset=big" / f"model=m{model}"
        place.mkdir(parents=True)
        for start in range(0, rows, chunk):
            n = min(chunk, rows - start)
            truth = np.random.default_rng(start).integers(0, 2, n)
            score = np.random.default_rng((model, start)).normal(truth, 1.5)
            table = {
                "instance": np.arange(start, start + n),
                "y_true": truth,
                "y_pred": (score > 0.5).astype(int),
                "y_score": score,
            }
            pl.DataFrame(table).write_parquet(place / f"{start:012d}.parquet")


def measured(body: str, folder: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", _FRAME.format(body=body), str(folder)], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def run(rows: int = 1_000_000) -> list[dict[str, object]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_folder(folder, rows)
        theirs, ours = measured(_POLARS, folder), measured(_OURS, folder)
        if rows <= 2_000_000:  # short enough to take the better of two
            theirs = min(theirs, measured(_POLARS, folder), key=lambda r: r["seconds"])
            ours = min(ours, measured(_OURS, folder), key=lambda r: r["seconds"])
    assert ours["total"] == theirs["total"], "both must have counted the same"
    note = f"peak memory {ours['peak']:.0f} MB (Polars {theirs['peak']:.0f} MB); goal: at most 1.5 times Polars' time"
    return [
        {
            "job": f"confusion + exact tally, {MODELS} models × {rows:,} rows on disk",
            "ours_s": ours["seconds"],
            "peer": "Polars scan + group_by",
            "peer_s": theirs["seconds"],
            "ratio": theirs["seconds"] / ours["seconds"],
            "note": note,
        }
    ]


if __name__ == "__main__":
    for row in run(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000):
        print(*(f"{key}: {value}" for key, value in row.items()), sep="\n")
