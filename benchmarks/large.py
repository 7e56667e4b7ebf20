"""Large files: ``python -m benchmarks.large [csv] [app] [report] [parquet] [--rows 1e7]``.

Two models. *csv*: 10⁷ rows through the command line, every default measure and the paired test. *app*: the same rows
dropped on the application, to the report. *report*: 3 models × 3·10⁶ rows from Python. *parquet*: 10⁸ rows in files of
10⁶ through the command line, AUC with its interval and the paired test. Each is a process of its own; its processor
time, the wall clock and its peak memory are printed, with what Polars needs to read or group the columns. Files are
written to BENCH_DIR (or where temporary files go), 2 GB for 10⁸ rows, and removed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PIECE = 1_000_000
_CLI = "from bakeoff.cli import main; main()"
_ROLES = ("--truth", "y", "--score", "a", "--score", "b")
_READ = "import polars as pl, sys; print(pl.read_csv(sys.argv[1]).height)"
_GROUP = """
import polars as pl, sys
for s in "ab":
    counted = pl.scan_parquet(sys.argv[1] + "/*.parquet").group_by(s).agg(pl.len(), pl.col("y").sum())
    print(len(counted.collect(engine="streaming")))
"""
_APP = """
import sys
from starlette.testclient import TestClient
from bakeoff.app import create_app
with TestClient(create_app(token="t"), base_url="http://127.0.0.1", cookies={"bakeoff-token": "t"}) as client:
    with open(sys.argv[1], "rb") as file:
        told = client.post("/api/upload", files={"file": ("rows.csv", file)})
    asked = {"id": told.json()["id"], "mapping": told.json()["guess"], "job": "1"}
    answer = client.post("/api/analyse", json=asked)
    assert answer.status_code == 200, answer.text
"""
_REPORT = """
import warnings, sys
from benchmarks.bench_verbs import data
import bakeoff
warnings.simplefilter("ignore")
y, scores = data(int(sys.argv[1]), 3)
context = bakeoff.OperatingContext(prevalence=0.1, cost_fp=1, cost_fn=20)
bakeoff.report(bakeoff.Predictions.from_arrays(y, y_score=scores, pos_label=1), context)
"""


def write_piece(path: Path, seed: int, rows: int) -> None:
    """Truth and the scores of two models, six decimals."""
    import numpy as np
    import polars as pl

    random = np.random.default_rng(seed)
    y = (random.random(rows) < 0.3).astype(np.int8)
    columns = {"y": y}
    for spread, model in ((1.0, "a"), (1.1, "b")):
        columns[model] = np.round(1 / (1 + np.exp(1.2 - 1.6 * y - spread * random.normal(size=rows))), 6)
    pl.DataFrame(columns).write_parquet(path)


def write_folder(folder: Path, rows: int) -> None:
    for piece, first in enumerate(range(0, rows, PIECE)):
        write_piece(folder / f"{piece:04d}.parquet", piece, min(PIECE, rows - first))


def spent(arguments: list[str]) -> str:
    """Run a process to its end: seconds of processor and of the clock, and the peak of its memory."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    took = f"{used.ru_utime + used.ru_stime:.1f} s of processor, {time.perf_counter() - start:.1f} s"
    if process.returncode:
        return f"failed after {took}: {output.decode()[-300:]}"
    return f"{took}, {used.ru_maxrss / 1024:,.0f} MB"


def line(job: str, arguments: list[str]) -> None:
    print(f"| {job} | {spent(arguments)} |", flush=True)


def write_csv(folder: Path, rows: int) -> Path:
    import polars as pl

    write_folder(folder, rows)
    path = folder / "rows.csv"
    pl.scan_parquet(folder / "*.parquet").sink_csv(path, float_precision=6)
    return path


def csv(folder: Path, rows: int) -> None:
    path = write_csv(folder, rows)
    size = path.stat().st_size / 1e6
    line(f"Polars reads {rows:,} rows of CSV ({size:.0f} MB)", ["-c", _READ, str(path)])
    line(f"`bakeoff evaluate`, CSV of {rows:,} rows, default measures", ["-c", _CLI, "evaluate", str(path), *_ROLES])
    compare = ["compare", str(path), *_ROLES, "--measure", "auc"]
    line(f"`bakeoff compare --measure auc`, CSV of {rows:,} rows", ["-c", _CLI, *compare])


def app(folder: Path, rows: int) -> None:
    path = write_csv(folder, rows)
    line(f"the application, CSV of {rows:,} rows, upload and report", ["-c", _APP, str(path)])


def parquet(folder: Path, rows: int) -> None:
    write_folder(folder, rows)
    line(f"Polars groups {rows:,} rows by either score", ["-c", _GROUP, str(folder)])
    for verb in ("evaluate", "compare"):
        asked = [verb, str(folder), *_ROLES, "--measure", "auc"]
        line(f"`bakeoff {verb} --measure auc`, Parquet of {rows:,} rows", ["-c", _CLI, *asked])


def report(folder: Path, rows: int) -> None:
    line(f"`report` of 3 models × {rows:,} rows", ["-c", _REPORT, str(rows)])


JOBS = {"csv": (csv, 10**7), "app": (app, 10**7), "report": (report, 3 * 10**6), "parquet": (parquet, 10**8)}


def main(arguments: list[str]) -> int:
    rows = int(float(arguments[arguments.index("--rows") + 1])) if "--rows" in arguments else None
    print("| job | measured |\n|---|---|", flush=True)
    for name in [a for a in arguments if a in JOBS] or JOBS:
        job, usual = JOBS[name]
        folder = Path(tempfile.mkdtemp(dir=os.environ.get("BENCH_DIR")))
        try:
            job(folder, rows or usual)
        finally:
            shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
