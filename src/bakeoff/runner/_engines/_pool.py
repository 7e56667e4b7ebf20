"""Local worker processes over pipes: a worker that dies or hangs costs its own unit, and no worker outlives the run.

joblib's loky and concurrent.futures lose every unit when one worker is killed, and leave workers behind when the
parent is; so this is a pool of our own, one unit at a time per worker.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from bakeoff._core.errors import BakeoffError, ParameterError
from bakeoff.runner._engines._pipes import receive, send
from bakeoff.runner._engines._work import Work, dumps
from bakeoff.runner._unit import Done, Failed, Outcome, Unit

_ATTEMPTS = 2
_FAILED_STARTS = 3
_BLOBS_KEPT = 2
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS", "LOKY_MAX_CPU_COUNT")


class Worker:
    """One worker process, and the thread that listens to it."""

    def __init__(self, events: queue.SimpleQueue[tuple[Worker, Any]], threads: int | None) -> None:
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
        self.unit: Unit | None = None
        self.attempts = 0
        self.started = 0.0
        self.ready = False
        self.datasets: OrderedDict[str, None] = OrderedDict()
        threading.Thread(target=self._listen, args=(events,), daemon=True).start()

    def _listen(self, events: queue.SimpleQueue[tuple[Worker, Any]]) -> None:
        assert self.process.stdout is not None
        try:
            while True:
                events.put((self, receive(self.process.stdout)))
        except (EOFError, OSError, ValueError):
            events.put((self, None))

    def send(self, *message: Any) -> None:
        """Send a message; a worker that has died is noticed by the listener."""
        assert self.process.stdin is not None
        with suppress(OSError):
            send(self.process.stdin, message)

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


class ProcessEngine:
    """Do the units on `n_jobs` worker processes of this machine.

    A unit whose worker dies is tried once more on a new worker, then recorded as failed. A unit over the time limit is
    recorded and its worker replaced.
    """

    name = "processes"

    def __init__(self, n_jobs: int) -> None:
        self.n_jobs = n_jobs

    def outcomes(self, units: Iterable[Unit], work: Work) -> Iterator[Outcome]:
        """See `Engine.outcomes`."""
        return _Pool(min(self.n_jobs, max(work.n_units, 1)), iter(units), work).outcomes()


class _Pool:
    """The state of one run: who is busy with what, and what is still to be handed out."""

    def __init__(self, size: int, units: Iterator[Unit], work: Work) -> None:
        self.size, self.units, self.work = size, units, work
        self.events: queue.SimpleQueue[tuple[Worker, Any]] = queue.SimpleQueue()
        self.again: deque[tuple[Unit, int]] = deque()
        self.workers: set[Worker] = set()
        self.models = _dump_models(work)
        self.blobs: OrderedDict[str, bytes] = OrderedDict()
        self.failed_starts = 0
        self.exhausted = False

    def outcomes(self) -> Iterator[Outcome]:
        try:
            while len(self.workers) < self.size:
                self._start()
            while self.workers:
                yield from self._step()
        finally:
            for worker in self.workers:
                worker.kill()
            self.workers.clear()

    def _start(self) -> None:
        worker = Worker(self.events, self.work.threads)
        self.workers.add(worker)
        worker.send("models", self.models)

    def _step(self) -> Iterator[Outcome]:
        """Wait for one event, keep its worker busy, and pass on what came of it."""
        try:
            worker, message = self.events.get(timeout=self._patience())
        except queue.Empty:
            yield from self._late()
            return
        if worker not in self.workers:
            return  # it was ended for being late; its pipe closing is no news
        outcome = self._died(worker) if message is None else self._heard(worker, message)
        if worker in self.workers:
            self._employ(worker)
        elif self._work_left():
            self._start()
        if outcome is not None:
            yield outcome

    def _heard(self, worker: Worker, message: tuple[Any, ...]) -> Outcome | None:
        kind, *rest = message
        if kind == "ready":
            worker.ready, self.failed_starts = True, 0
            return None
        if kind == "broken":
            raise ParameterError(
                f"a worker process could not load the models or data:\n{rest[0].strip()}",
                hint="define classes in a module that can be imported, or use engine='serial'",
            )
        unit, worker.unit = worker.unit, None
        assert unit is not None
        if kind == "done":
            return Done(unit, *rest)
        problem, words, trace, seconds = rest
        return Failed(unit, problem, words, trace, seconds, worker.attempts)

    def _died(self, worker: Worker) -> Outcome | None:
        self.workers.discard(worker)
        cause, unit = worker.cause_of_death(), worker.unit
        worker.kill()
        if unit is None:
            self.failed_starts += not worker.ready
            if self.failed_starts >= _FAILED_STARTS:
                raise BakeoffError(f"worker processes do not start: {cause}.", hint="try engine='serial'")
            return None
        if worker.attempts < _ATTEMPTS:
            self.again.append((unit, worker.attempts))
            return None
        seconds = time.monotonic() - worker.started
        return Failed(unit, "worker-died", f"{cause}, twice.", seconds=seconds, attempts=worker.attempts)

    def _employ(self, worker: Worker) -> None:
        """Give an idle worker its next unit, with the data set if it has not got it; without work it goes home."""
        if worker.unit is not None or not worker.ready:
            return
        job = self._next()
        if job is None:
            self.workers.discard(worker)
            worker.kill()
            return
        unit, worker.attempts = job[0], job[1] + 1
        worker.unit, worker.started = unit, time.monotonic()
        if unit.dataset not in worker.datasets:
            worker.datasets[unit.dataset] = None
            while len(worker.datasets) > _BLOBS_KEPT:
                worker.datasets.popitem(last=False)
            worker.send("dataset", unit.dataset, self._blob(unit.dataset))
            worker.started = time.monotonic()
        worker.send("unit", unit, self.work.threads)

    def _next(self) -> tuple[Unit, int] | None:
        if self.again:
            return self.again.popleft()
        unit = next(self.units, None)
        self.exhausted = unit is None
        return None if unit is None else (unit, 0)

    def _work_left(self) -> bool:
        return bool(self.again) or not self.exhausted

    def _blob(self, name: str) -> bytes:
        if name not in self.blobs:
            self.blobs[name] = dumps(self.work.datasets[name])
            while len(self.blobs) > _BLOBS_KEPT:
                self.blobs.popitem(last=False)
        return self.blobs[name]

    def _patience(self) -> float | None:
        """Seconds until the first busy worker is over its limit."""
        if self.work.time_limit is None:
            return None
        limits = [w.started + self.work.time_limit for w in self.workers if w.unit is not None]
        return max(min(limits) - time.monotonic(), 0.0) if limits else None

    def _late(self) -> Iterator[Outcome]:
        limit = self.work.time_limit
        for worker in list(self.workers):
            unit, seconds = worker.unit, time.monotonic() - worker.started
            if limit is None or unit is None or seconds < limit:
                continue
            self.workers.discard(worker)
            worker.kill()
            if self._work_left():
                self._start()
            message = f"the unit took longer than the limit of {limit:g} seconds and was stopped."
            yield Failed(unit, "timeout", message, seconds=seconds, attempts=worker.attempts)


def _dump_models(work: Work) -> bytes:
    for name, model in work.models.items():
        try:
            dumps(model)
        except Exception as problem:
            raise ParameterError(
                f"model {name!r} cannot be sent to worker processes: {problem}.", hint="use engine='serial'"
            ) from None
    return dumps(dict(work.models))
