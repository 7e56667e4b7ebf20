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
import traceback
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from troublemakers import Mean, Random, data

from bakeoff import BakeoffError
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
        status = 1
        try:
            whole.run(folder, n_jobs=n_jobs, engine="serial" if n_jobs == 1 else None, progress=False)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
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


def children(pid: int) -> list[int]:
    """Processes started by any thread of a process."""
    try:
        return [int(c) for file in Path(f"/proc/{pid}/task").glob("*/children") for c in file.read_text().split()]
    except OSError:
        return []


def wait_for(folder: str, more: int) -> None:
    """Wait until so many new files are in the store."""
    before, deadline = stored(folder), time.monotonic() + 60
    while stored(folder) < before + more and time.monotonic() < deadline:
        time.sleep(0.002)


def workers_killed(folder: str, seed: int, kills: int) -> dict:
    """One run with two worker processes, of which one after the other is killed at random moments."""
    rng, hit = random.Random(seed), 0
    pid = fork_run(experiment(REPEATS), folder, 2)
    for _ in range(kills):
        wait_for(folder, 3 + rng.randrange(8))
        time.sleep(rng.uniform(0.0, 0.01))
        workers = children(pid)
        if workers:
            os.kill(rng.choice(workers), signal.SIGKILL)
            hit += 1
    return {"hit": hit, "status": os.waitpid(pid, 0)[1]}


def cluster() -> tuple[int, str]:
    """A process with a Dask scheduler and, below it, two workers; its id and the scheduler's address."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        import distributed

        local = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        os.write(writing, local.scheduler_address.encode())
        os.close(writing)
        time.sleep(600)
        os._exit(0)
    os.close(writing)
    address = os.read(reading, 1000).decode()
    os.close(reading)
    return pid, address


def descendants(pid: int) -> list[int]:
    return [one for child in children(pid) for one in (child, *descendants(child))]


def dask_workers(boss: int) -> list[int]:
    """The processes that work: below a nanny, started by multiprocessing."""
    lines = {p: Path(f"/proc/{p}/cmdline").read_bytes() for p in descendants(boss) if Path(f"/proc/{p}").exists()}
    return [p for p, line in lines.items() if b"spawn_main" in line]


def dask_killed(folder: str, seed: int, kills: int) -> dict:
    """Runs on a cluster: each kills some of its workers, and then the scheduler; a new cluster goes on."""
    rng, whole, told = random.Random(seed), experiment(REPEATS), {"workers": 0, "schedulers": 0, "statuses": []}
    for _ in range(kills):
        if stored(folder) == whole.n_units:  # a busy machine kills late
            break
        boss, address = cluster()
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                whole.run(folder, engine=address, progress=False)
                status = 0
            except BakeoffError as problem:
                status = 7 if "scheduler does not answer" in str(problem) else 8
            finally:
                os._exit(status)
        for _ in range(2):
            wait_for(folder, 2 + rng.randrange(5))
            workers = dask_workers(boss)
            if workers:
                os.kill(rng.choice(workers), signal.SIGKILL)
                told["workers"] += 1
        wait_for(folder, 2)
        below = descendants(boss)
        os.kill(boss, signal.SIGKILL)
        os.waitpid(boss, 0)
        told["schedulers"] += 1
        told["statuses"].append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        for process in below:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    return told


def together(folder: str) -> dict:
    """Two runs on one store at the same time."""
    whole = experiment(10)
    pids = [fork_run(whole, folder, 1) for _ in range(2)]
    return {"statuses": [os.waitpid(pid, 0)[1] for pid in pids]}


if __name__ == "__main__":
    import polars  # noqa: F401  # imported once, used only by the forked runs

    experiment(1).run()
    task, target, jobs, start = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    answers = {
        "together": lambda kills: together(target),
        "killed": lambda kills: killed(target, jobs, start, kills),
        "workers": lambda kills: workers_killed(target, start, kills),
        "dask": lambda kills: dask_killed(target, start, kills),
    }
    print(json.dumps(answers[task](int(sys.argv[5]))))
