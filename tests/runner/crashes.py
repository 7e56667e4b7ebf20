"""Runs that are killed: a small process that imports once and forks the runs to be killed.

Started by `test_crashes` as ``python crashes.py <task> <folder> <n_jobs> <seed> <kills>``; prints one JSON line.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from troublemakers import Mean, Random, data

from bakeoff.protocols import KFold
from bakeoff.runner import Experiment

PAUSE = 0.002
REPEATS = 24


def experiment(repeats: int) -> Experiment:
    models = {"one": Mean(0, PAUSE), "two": Mean(1, PAUSE), "random": Random(2, PAUSE)}
    return Experiment(models, {"d": data(40)}, KFold(5, repeats=repeats), seed=3)


def fork_run(whole: Experiment, folder: str, n_jobs: int) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            whole.run(folder, n_jobs=n_jobs, engine="serial" if n_jobs == 1 else None, progress=False)
        finally:
            os._exit(0)
    return pid


def stored(folder: str) -> int:
    return sum(len(files) for _, _, files in os.walk(Path(folder) / "predictions"))


def killed(folder: str, n_jobs: int, seed: int, kills: int) -> dict:
    """Start, kill in the middle, start again …, and tell how far each run came.

    A run is killed after a random number of new files and a random moment more, so that the kills fall on every phase
    of the work: starting, fitting, writing, syncing, renaming.
    """
    rng, whole = random.Random(seed), experiment(REPEATS)
    hit, pids, progress = 0, [], []
    for _ in range(kills):
        before, more = stored(folder), rng.randrange(15)
        pid = fork_run(whole, folder, n_jobs)
        pids.append(pid)
        deadline = time.monotonic() + 60
        while stored(folder) < before + more and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(rng.uniform(0.0, 0.2 if more == 0 else 0.02))
        running = os.waitpid(pid, os.WNOHANG)[0] == 0
        if running:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        hit += running
        progress.append(stored(folder))
    return {"hit": hit, "pids": pids, "progress": progress}


def together(folder: str) -> dict:
    """Two runs on one store at the same time."""
    whole = experiment(10)
    pids = [fork_run(whole, folder, 1) for _ in range(2)]
    return {"statuses": [os.waitpid(pid, 0)[1] for pid in pids]}


if __name__ == "__main__":
    import polars  # noqa: F401  # imported once, used only by the forked runs

    experiment(1).run()
    task, target, jobs, start = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    answer = together(target) if task == "together" else killed(target, jobs, start, kills=int(sys.argv[5]))
    print(json.dumps(answer))
