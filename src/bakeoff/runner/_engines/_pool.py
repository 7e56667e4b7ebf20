"""Local worker processes over pipes: a worker that dies or hangs costs its own unit, and no worker outlives the run.

joblib's loky and concurrent.futures lose every unit when one worker is killed, and leave workers behind when the
parent is; so this is a pool of our own, one unit at a time per worker.
"""

from __future__ import annotations

import queue
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from typing import Any

from bakeoff._core.errors import BakeoffError, ParameterError
from bakeoff.runner._digest import digest
from bakeoff.runner._engines._work import Work, dumps
from bakeoff.runner._engines._worker_process import Assignment, Events, Worker, rest_worker, take_worker
from bakeoff.runner._unit import Done, Failed, Outcome, Unit

_ATTEMPTS = 2
_FAILED_STARTS = 3
_LONGEST_WAIT = 0.2  # seconds
_BLOBS_KEPT = 2
_SHORT = 0.05  # seconds: units shorter than this on average are handed out one ahead


class NotSent(ParameterError):
    """A model that cannot be sent to worker processes."""


class ProcessEngine:
    """Do the units on `n_jobs` worker processes of this machine.

    A unit whose worker dies is tried once more on a new worker, then recorded as failed. A unit over the time limit is
    recorded and its worker replaced. Workers rest a while for the next run; where models are the user's own code, for a
    run of the same models only, since code may have changed.
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
        self.events: Events = queue.SimpleQueue()
        self.again: deque[Assignment] = deque()
        self.workers: set[Worker] = set()
        self.models = _dump_models(work)
        self.code = _code_of(work)
        self.blobs: OrderedDict[str, bytes] = OrderedDict()
        self.failed_starts = 0
        self.exhausted = False
        self.mean_seconds = 1.0

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
        worker = take_worker(self.events, (self.work.limits.threads, self.code))
        self.workers.add(worker)
        worker.send("models", self.models)

    def _step(self) -> Iterator[Outcome]:
        """Wait for one event, keep its worker busy, and pass on what came of it."""
        try:
            worker, message = self.events.get(timeout=self._patience())
        except queue.Empty:
            self._bury()
            yield from self._late()
            return
        if worker not in self.workers:
            return  # it was ended for being late; its pipe closing is no news
        outcome = self._died(worker) if message is None else self._heard(worker, message)
        if worker in self.workers:
            self._employ(worker)
        elif self._work_left() and (not self.workers or self.failed_starts < _FAILED_STARTS):
            self._start()
        if outcome is not None:
            yield outcome

    def _heard(self, worker: Worker, message: tuple[Any, ...]) -> Outcome | None:
        kind, *rest = message
        self.failed_starts = 0
        if kind == "ready":
            worker.ready = True
            return None
        if kind == "broken":
            problem = ParameterError if worker.datasets else NotSent
            raise problem(
                f"a worker process could not load the models or data:\n{rest[0].strip()}",
                hint="define classes in a module that can be imported, or use engine='serial'",
            )
        key, *rest = rest
        if not worker.jobs or worker.jobs[0].unit.key != key:
            return None  # said twice, by what a model forked
        self.mean_seconds += 0.1 * (worker.seconds() - self.mean_seconds)
        job = worker.finish_job()
        if kind == "done":
            return Done(job.unit, *rest)
        kind, words, trace, seconds = rest
        return Failed(job.unit, kind, words, trace, seconds, job.attempts)

    def _died(self, worker: Worker) -> Outcome | None:
        """Blame the running job for the death; those that waited behind it are simply handed out again."""
        self.workers.discard(worker)
        cause, seconds = worker.cause_of_death(), worker.seconds()
        worker.kill()
        if not worker.jobs:
            self.failed_starts += not worker.ready
            if self.failed_starts >= _FAILED_STARTS and not self.workers:  # else the others do the work
                raise BakeoffError(f"worker processes do not start: {cause}.", hint="try engine='serial'")
            return None
        job = worker.jobs.popleft()
        self._hand_out_again(worker)
        if job.attempts < _ATTEMPTS:
            self.again.append(job)
            return None
        return Failed(job.unit, "worker-died", f"{cause}, twice.", seconds=seconds, attempts=job.attempts)

    def _bury(self) -> None:
        """Tell of workers that ended while what they forked keeps their pipe open: its end never comes."""
        for worker in self.workers:
            if worker.process.poll() is not None:
                self.events.put((worker, None))

    def _hand_out_again(self, worker: Worker) -> None:
        for waiting in worker.jobs:
            waiting.attempts -= 1  # it was never begun
            self.again.append(waiting)
        worker.jobs.clear()

    def _employ(self, worker: Worker) -> None:
        """Keep a worker busy, one job ahead where jobs are short; without work it rests or goes home."""
        depth = 2 if self.mean_seconds < _SHORT else 1
        while worker.ready and len(worker.jobs) < depth:
            job = self._next()
            if job is None:
                break
            job.attempts += 1
            self._equip(worker, job.unit.dataset)
            worker.give(job, self.work.limits.threads, self.work.limits.megabytes)
            self.work.begun(job.unit, f"process {worker.process.pid}")
        if worker.ready and not worker.jobs:
            self.workers.discard(worker)
            if self.code is not None:
                rest_worker(worker, (self.work.limits.threads, self.code))
            else:
                worker.kill()

    def _equip(self, worker: Worker, dataset: str) -> None:
        """Send a data set to a worker that has not got it."""
        if dataset in worker.datasets:
            return
        worker.datasets[dataset] = None
        while len(worker.datasets) > _BLOBS_KEPT:
            worker.datasets.popitem(last=False)
        worker.send("dataset", dataset, self._blob(dataset))

    def _next(self) -> Assignment | None:
        if self.again:
            return self.again.popleft()
        unit = next(self.units, None)
        self.exhausted = unit is None
        return None if unit is None else Assignment(unit, 0)

    def _work_left(self) -> bool:
        return bool(self.again) or not self.exhausted

    def _blob(self, name: str) -> bytes:
        if name not in self.blobs:
            self.blobs[name] = dumps(self.work.datasets[name])
            while len(self.blobs) > _BLOBS_KEPT:
                self.blobs.popitem(last=False)
        return self.blobs[name]

    def _patience(self) -> float:
        """Seconds until the first busy worker is over its limit, but never long: Ctrl-C is noticed between two waits.

        A wait without end is not ended by a signal that another thread of this process receives.
        """
        if self.work.limits.seconds is None:
            return _LONGEST_WAIT
        left = [self.work.limits.seconds - w.seconds() for w in self.workers if w.jobs]
        return min(max(min(left, default=_LONGEST_WAIT), 0.0), _LONGEST_WAIT)

    def _late(self) -> Iterator[Outcome]:
        limit = self.work.limits.seconds
        for worker in list(self.workers):
            if limit is None or not worker.jobs or worker.seconds() < limit:
                continue
            seconds = worker.seconds()
            self.workers.discard(worker)
            worker.kill()
            job = worker.jobs.popleft()
            self._hand_out_again(worker)
            if self._work_left():
                self._start()
            message = f"the unit took longer than the limit of {limit:g} seconds and was stopped."
            yield Failed(job.unit, "timeout", message, seconds=seconds, attempts=job.attempts)


def _code_of(work: Work) -> str | None:
    """Say which code of the user's own a worker has loaded; None where that cannot be told: it must not rest."""
    if work.is_installed:
        return ""
    marks = sorted(m.fingerprint for m in work.models.values())
    return digest(*marks) if all(marks) else None


def _dump_models(work: Work) -> bytes:
    for name, model in work.models.items():
        try:
            dumps(model)
        except Exception as problem:
            raise NotSent(
                f"model {name!r} cannot be sent to worker processes: {problem}.", hint="use engine='serial'"
            ) from None
    return dumps(dict(work.models))
