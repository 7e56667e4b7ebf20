"""Start-up of the command line: processor time of a whole process, the least of some starts, byte code compiled.

The imports that the answer cannot do without are measured the same way, in turn.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks._timing import Row

ROUNDS = 7
NEEDED = "import numpy, polars, scipy.special, typer"
_CLI = "from bakeoff.cli import main; main()"


def spent(arguments: list[str]) -> float:
    """Processor time of one process, its threads and children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_csv(path: Path, rows: int = 300) -> None:
    from benchmarks.bench_verbs import data

    y, scores = data(rows, 2)
    columns = np.column_stack([y, *scores.values()])
    np.savetxt(path, columns, delimiter=",", header="ill,old,new", comments="", fmt=["%d", "%.6f", "%.6f"])


def run(rounds: int = ROUNDS) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.csv"
        write_csv(path)
        evaluate = ["evaluate", str(path), "--truth", "ill", "--score", "old", "--score", "new"]
        jobs = {
            "bakeoff --help": (["-c", _CLI, "--help"], 0.25),
            "bakeoff --version": (["-c", _CLI, "--version"], 0.25),
            "bakeoff evaluate, CSV of 300 rows": (["-c", _CLI, *evaluate], 0.8),
            "python": (["-c", "pass"], None),
            NEEDED: (["-c", NEEDED], None),
        }
        least = dict.fromkeys(jobs, np.inf)
        for arguments, _ in jobs.values():
            spent(arguments)  # writes the byte code
        for _ in range(rounds):
            for name, (arguments, _) in jobs.items():
                least[name] = min(least[name], spent(arguments))
    return [
        {
            "job": name, "ours_s": least[name], "peer": NEEDED, "peer_s": least[NEEDED],
            "ratio": least[name], "goal": f"≤ {goal:g}", "note": "ratio = seconds of processor time",
        }
        for name, (_, goal) in jobs.items()
        if goal
    ]  # fmt: skip
