"""The Dask engine: units as futures on a cluster; data sets travel once per worker, lost workers are survived."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from bakeoff._core.errors import BakeoffError, MissingDependencyError
from bakeoff.runner._dataset import PreparedDataset
from bakeoff.runner._engines._work import Limits, Work
from bakeoff.runner._models import Model
from bakeoff.runner._unit import Done, Failed, Outcome, Unit, perform

_ONE_AT_A_TIME = threading.Lock()  # a unit seeds and limits its whole process, so a worker's threads take turns
_LOSSES = 3
_PATIENCE = "10s"
_WORKER_PATIENCE = 60.0
_CLOSING = 1.0  # seconds
_CANCELLED = (asyncio.CancelledError, concurrent.futures.CancelledError)
_CUT_OFF = (OSError, KeyError, RuntimeError, *_CANCELLED)  # what Dask raises when a connection ends under it


class DaskEngine:
    """Do the units on a Dask cluster.

    Parameters
    ----------
    cluster
        A ``distributed.Client``, or the address of a scheduler such as ``"tcp://scheduler:8786"``.
    """

    name = "dask"

    def __init__(self, cluster: Any) -> None:
        self.cluster = cluster

    def outcomes(self, units: Iterable[Unit], work: Work) -> Iterator[Outcome]:
        """See `Engine.outcomes`."""
        client, own = connect(self.cluster)
        try:
            run = _Futures(client, iter(units), work)
            try:
                yield from run.outcomes()
            finally:
                run.cancel()
        except _CUT_OFF as problem:
            if isinstance(problem, BakeoffError) or (isinstance(problem, RuntimeError) and client.status == "running"):
                raise
            raise BakeoffError(
                f"the Dask scheduler does not answer any more ({type(problem).__name__}: {problem}).",
                hint="what was finished is kept; start the cluster and run the same again",
            ) from None
        finally:
            if own:
                client.close(timeout=_CLOSING)


def connect(cluster: Any) -> tuple[Any, bool]:
    """Return a client, and whether it is ours to close."""
    try:
        import distributed
    except ImportError:
        raise MissingDependencyError.for_extra("distributed", "cluster", "a Dask engine") from None
    if isinstance(cluster, distributed.Client):
        return cluster, False
    try:
        client = distributed.Client(cluster, timeout=_PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
        return client, True
    except OSError as problem:
        raise BakeoffError(
            f"no Dask scheduler answers at {cluster!r}: {problem}.",
            hint="start one with: dask scheduler, and workers with: dask worker tcp://host:8786 --nthreads 1",
        ) from None


class _Futures:
    """The futures of one run: a window of them is out, results stream back as they finish."""

    def __init__(self, client: Any, units: Iterator[Unit], work: Work) -> None:
        self.client, self.units, self.work = client, units, work
        self.data: dict[str, Any] = {}  # data set → its future on the cluster
        self.models = self._scatter(dict(work.models))
        self.waiting: dict[Any, tuple[Unit, int]] = {}
        self.losses = 0

    def outcomes(self) -> Iterator[Outcome]:
        from distributed import as_completed

        stream = as_completed([], loop=self.client.loop)  # type: ignore[no-untyped-call]
        self._fill(stream)
        while self.waiting:
            future = next(stream)
            unit, attempt = self.waiting.pop(future)
            outcome = self._result(future, unit)
            if outcome is None:  # its data were lost with a worker: send them and the unit again
                self._submit(stream, unit, attempt + 1)
                continue
            future.release()
            self._fill(stream)
            yield outcome

    def _fill(self, stream: Any) -> None:
        window = 2 * max(len(self.client.scheduler_info(n_workers=-1)["workers"]), 2)
        while len(self.waiting) < window:
            unit = next(self.units, None)
            if unit is None:
                return
            self._submit(stream, unit, 0)

    def _submit(self, stream: Any, unit: Unit, attempt: int) -> None:
        future = self.client.submit(
            _perform_there,
            unit,
            self._dataset(unit.dataset),
            self.models,
            self.work.limits,
            key=f"bakeoff-{unit.key}-{attempt}-{id(self)}",
            pure=False,
        )
        self.waiting[future] = unit, attempt
        self.work.begun(unit, "the cluster")
        stream.add(future)

    def _dataset(self, name: str) -> Any:
        if name not in self.data:
            self.data[name] = self._scatter(self.work.datasets[name])
        return self.data[name]

    def _scatter(self, value: Any) -> Any:
        """Send something to every worker, waiting for workers to come back where all were lost."""
        for _ in range(_LOSSES):
            try:
                self.client.wait_for_workers(1, timeout=_WORKER_PATIENCE)
                return self.client.scatter(value, broadcast=True, hash=False)
            except (OSError, KeyError, *_CANCELLED) as problem:  # TimeoutError too: workers went away meanwhile
                if self.client.status != "running":  # the scheduler did
                    raise OSError(f"the connection is {self.client.status}") from problem
        raise BakeoffError(
            "the Dask cluster has no workers.", hint="what was finished is kept; start workers and run the same again"
        )

    def _result(self, future: Any, unit: Unit) -> Outcome | None:
        if future.status == "cancelled" or future.status == "lost":
            return self._lost(unit)
        try:
            kind, *rest = future.result()
        except (OSError, *_CANCELLED):  # a connection ended; what a model raises comes back as data
            return self._lost(unit)
        except Exception as problem:  # not the model's doing: `perform` answers for that
            if type(problem).__name__ == "KilledWorker":
                return Failed(unit, "worker-died", "every Dask worker that tried this unit died.", attempts=_LOSSES)
            return Failed(unit, "error", f"{type(problem).__name__}: {problem}")
        return Done(unit, *rest) if kind == "done" else Failed(unit, *rest)

    def _lost(self, unit: Unit) -> Outcome | None:
        self.losses += 1
        if self.losses > 20 * _LOSSES:
            return Failed(unit, "worker-died", "the cluster lost this unit's data again and again.")
        self.data.clear()
        self.models = self._scatter(dict(self.work.models))
        return None

    def cancel(self) -> None:
        """Take back everything that is still out."""
        if self.waiting and self.client.status == "running":
            self.client.cancel(list(self.waiting))
        self.waiting.clear()
        self.data.clear()


def _perform_there(unit: Unit, dataset: PreparedDataset, models: dict[str, Model], limits: Limits) -> tuple[Any, ...]:
    """Do a unit on a Dask worker; a limited one, or code of the user's own, in a process that can be stopped or die."""
    from bakeoff.runner._engines._pool import ProcessEngine
    from bakeoff.runner._engines._serial import ApartEngine

    work = Work({unit.dataset: dataset}, models, 1, limits)
    with _ONE_AT_A_TIME:
        if not limits.any and work.is_installed:
            outcome = perform(unit, dataset, models[unit.model], threads=limits.threads)
        else:
            (outcome,) = (ProcessEngine(1) if limits.any else ApartEngine()).outcomes([unit], work)
    if isinstance(outcome, Done):
        return "done", outcome.columns, outcome.fit
    return "failed", outcome.kind, outcome.message, outcome.traceback, outcome.seconds, outcome.attempts
