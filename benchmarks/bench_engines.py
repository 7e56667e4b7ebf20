"""Accuracy, AUC and paired AUC with intervals where the rows live, against the engine's own bare group-bys by score.

``python -m benchmarks.bench_engines`` writes 3·10⁶ rows × 2 models in Parquet; give another number of pieces of 3·10⁶
rows for more (``10`` for the goal of 3·10⁷). Each side runs in a process of its own, which reports processor time and
peak memory; the goal is 2.5 times the group-bys, and 1.2 GB.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ENGINES = ("polars", "duckdb")
PIECE = 3_000_000

_OPEN = {
    "polars": "import polars as pl\nframe = pl.scan_parquet(files)",
    "duckdb": "import duckdb\nframe = duckdb.connect().read_parquet(files)",
}
_BARE = {
    "polars": """
for s in "ab":
    counted = frame.group_by("s" + s).agg(pl.col("y").sum().alias("p"), pl.len().alias("n"))
    total += len(counted.collect(engine="streaming"))
""",
    "duckdb": """
for s in "ab":
    total += frame.aggregate(f"s{s}, sum(y) as p, count(*) as n", f"s{s}").to_arrow_table().num_rows
""",
}
_OURS = """
import bakeoff
roles = dict(y_true="y", y_score=dict(a="sa", b="sb"), y_pred=dict(a="pa", b="pb"))
p = bakeoff.Predictions.scan(frame, **roles)
total += len(bakeoff.evaluate(p, ["accuracy", "auc"]).to_frame())
total += len(bakeoff.compare(p, "auc").to_frame())
"""
_FRAME = """
import json, resource, sys, time
from pathlib import Path
files, total = sorted(map(str, Path(sys.argv[1]).glob("*.parquet"))), 0
{prepare}
start = time.process_time()
{body}
seconds = time.process_time() - start
print(json.dumps(dict(seconds=seconds, total=total, peak=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)))
"""


def write_folder(folder: Path, pieces: int) -> None:
    """Two models' labels and scores of six decimals, 4 % positives."""
    import numpy as np
    import polars as pl

    for piece in range(pieces):
        random = np.random.default_rng(piece)
        y = (random.random(PIECE) < 0.04).astype(np.int8)
        z = 1.5 * y + random.normal(size=PIECE)
        columns = {"y": y}
        for m in "ab":
            score = np.round(1 / (1 + np.exp(2.5 - z - 0.7 * random.normal(size=PIECE))), 6)
            columns |= {f"s{m}": score, f"p{m}": (score > 0.5).astype(np.int8)}
        pl.DataFrame(columns).write_parquet(folder / f"{piece:02d}.parquet")


def _run(engine: str, body: str, folder: Path) -> dict[str, float]:
    # The package is imported before the clock starts, as the engine is: both are asked the same question.
    prepare = f"{_OPEN[engine]}\nimport bakeoff.comparison, bakeoff.intervals, scipy.stats"
    code = _FRAME.format(prepare=prepare, body=body)
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


def run(pieces: int = 1) -> list[dict[str, object]]:
    """Ratios of processor time in one run, for each engine."""
    table = []
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as place:
        folder = Path(place)
        write_folder(folder, pieces)
        for engine in ENGINES:
            bare, ours = _run(engine, _BARE[engine], folder), _run(engine, _OURS, folder)
            table.append({
                "job": f"accuracy, AUC, paired AUC on {engine}, {pieces * PIECE:.0e} rows × 2",
                "ours": ours["seconds"], "against": f"{engine} group-bys", "peer": bare["seconds"],
                "ratio": bare["seconds"] / ours["seconds"], "goal": "≥ 0.4",
                "note": f"{ours['peak']:.0f} MB against {bare['peak']:.0f}",
            })  # fmt: skip
    return table


if __name__ == "__main__":
    for row in run(int(sys.argv[1]) if len(sys.argv) > 1 else 1):
        print(row)
