"""A worker process as its parent sees it: started, talked to, kept for the next run, ended."""

from __future__ import annotations

import atexit
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import OrderedDict, deque
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from bakeoff.runner._engines._pipes import receive, send
from bakeoff.runner._unit import Unit

Events: TypeAlias = "queue.SimpleQueue[tuple[Worker, Any]]"
Kind: TypeAlias = tuple[int | None, str | None]  # threads inside a unit, and which code of the user's own is loaded

_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS", "LOKY_MAX_CPU_COUNT")
_resting: dict[tuple[Any, ...], list[Worker]] = {}


@dataclass(slots=True)
class Assignment:
    """A unit handed to a worker, and how often it has been tried."""

    unit: Unit
    attempts: int


class Worker:
    """One worker process, the thread that listens to it, and the jobs it has: the first runs, the others wait."""

    def __init__(self, events: Events, kind: Kind) -> None:
        threads = kind[0]
        code = (
            f"import sys; sys.path[:] = {sys.path!r}; "
            f"from bakeoff.runner._engines._worker import main; main({os.getpid()})"
        )
        environment = dict(os.environ)
        if threads is not None:
            environment.update(dict.fromkeys(_ONE_THREAD, str(threads)))
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,  # Ctrl-C reaches the run, which then ends its workers
        )
        self.events = events
        self.jobs: deque[Assignment] = deque()
        self.started = 0.0
        self.ready = False
        self.datasets: OrderedDict[str, None] = OrderedDict()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        try:
            while True:
                message = receive(self.process.stdout)
                self.events.put((self, message))
        except (EOFError, OSError, ValueError):
            self.events.put((self, None))

    def send(self, *message: Any) -> None:
        """Send a message; a worker that has died is noticed by the listener."""
        assert self.process.stdin is not None
        with suppress(OSError, ValueError):
            send(self.process.stdin, message)

    def give(self, job: Assignment, threads: int | None, memory_limit: float | None) -> None:
        """Hand over a job; its clock starts when it is the first."""
        self.jobs.append(job)
        if len(self.jobs) == 1:
            self.started = time.monotonic()
        self.send("unit", job.unit, threads, memory_limit)

    def finish_job(self) -> Assignment:
        """Take the running job off; the next one's clock starts."""
        job = self.jobs.popleft()
        self.started = time.monotonic()
        return job

    def seconds(self) -> float:
        """How long the running job has taken so far."""
        return time.monotonic() - self.started

    def kill(self) -> None:
        """End the process and whatever it started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (AttributeError, ProcessLookupError, PermissionError):
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def cause_of_death(self) -> str:
        """Say how the process ended."""
        status = self.process.wait()
        if status < 0:
            name = signal.Signals(-status).name
            guess = "; the system may have run out of memory" if -status == signal.SIGKILL else ""
            return f"the worker process was killed by {name}{guess}"
        return f"the worker process ended by itself with status {status}"


def _likeness(kind: Kind) -> tuple[Any, ...]:
    """Workers are alike when they were started under the same circumstances."""
    return os.getpid(), os.getcwd(), kind, tuple(sys.path)


def take_worker(events: Events, kind: Kind) -> Worker:
    """Return a worker: one that rests after an earlier run, or a new one."""
    while rested := _resting.get(_likeness(kind)):
        worker = rested.pop()
        if worker.process.poll() is None:
            worker.events, worker.ready = events, False
            worker.datasets.clear()
            return worker
        worker.kill()
    return Worker(events, kind)


def rest_worker(worker: Worker, kind: Kind) -> None:
    """Keep an idle worker for the next run; it ends by itself after a while without work, and with this process."""
    worker.events = queue.SimpleQueue()
    if kind[1]:
        _end_others_of_own_code(kind)
    _resting.setdefault(_likeness(kind), []).append(worker)


def _end_others_of_own_code(kind: Kind) -> None:
    """End the resting workers that have loaded other code of the user's own: it may never come again."""
    for likeness in [one for one in _resting if one[2][1] and one[2] != kind]:
        for worker in _resting.pop(likeness):
            worker.kill()


@atexit.register
def end_resting_workers() -> None:
    """End the workers that wait for another run."""
    for workers in _resting.values():
        for worker in workers:
            worker.kill()
    _resting.clear()
