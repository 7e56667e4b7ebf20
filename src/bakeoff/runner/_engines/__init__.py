"""Engines: where the units of a run are worked on."""

from __future__ import annotations

import os

from bakeoff._core.errors import ParameterError, unknown_choice
from bakeoff.runner._engines._work import Engine, Limits, Work

__all__ = ["Engine", "Limits", "Work", "choose_engine"]

_NAMES = ("serial", "processes", "tcp://host:port")


def choose_engine(engine: object, n_jobs: int | None, *, limited: bool = False, apart: bool = False) -> Engine:
    """Return the engine asked for: by default serial, or processes when `n_jobs` or a limit asks for them.

    With `apart` the default is a process of its own for the units, one after another.
    """
    jobs = count_jobs(n_jobs)
    if engine is None and jobs == 1 and not limited and apart:
        from bakeoff.runner._engines._serial import ApartEngine

        return ApartEngine()
    if engine is None:
        engine = "serial" if jobs == 1 and not limited else "processes"
    if engine == "serial":
        if limited:
            raise ParameterError(
                "the serial engine cannot stop a unit at its time limit or memory limit.",
                hint="use engine='processes'",
            )
        if jobs != 1:
            raise ParameterError(f"the serial engine has one job, but n_jobs={n_jobs}.", hint="use engine='processes'")
        from bakeoff.runner._engines._serial import SerialEngine

        return SerialEngine()
    if engine == "processes":
        from bakeoff.runner._engines._pool import ProcessEngine

        return ProcessEngine(jobs)
    if (isinstance(engine, str) and "://" in engine) or hasattr(engine, "scheduler_info"):
        from bakeoff.runner._engines._dask import DaskEngine

        return DaskEngine(engine)
    if isinstance(engine, Engine):
        return engine
    raise unknown_choice("engine", engine, _NAMES)


def count_jobs(n_jobs: int | None) -> int:
    """Return the number of jobs: None is 1, -1 is one per core, as in scikit-learn."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or n_jobs == 0:
        raise ParameterError(f"n_jobs must be a whole number, not 0 (-1 for one per core). Got {n_jobs!r} instead.")
    cores = os.cpu_count() or 1
    return n_jobs if n_jobs > 0 else max(cores + 1 + n_jobs, 1)
