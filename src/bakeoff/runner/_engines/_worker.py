"""The worker process: takes models, data sets and units from its standard input, and answers on its standard output.

Started by `_pool`, never by a user. It dies with the run that started it.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import sys
import threading
import time
import traceback
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:  # the process itself imports these with the first message, so that it starts quickly
    from bakeoff.runner._dataset import PreparedDataset
    from bakeoff.runner._models import Model
    from bakeoff.runner._unit import Unit

_DATASETS_KEPT = 2
_PR_SET_PDEATHSIG = 1
_REST_SECONDS = 60.0


def main(parent: int) -> None:
    """Serve until the parent closes the pipe."""
    incoming, outgoing = _take_over_pipes()
    _die_with(parent)
    try:
        _serve(incoming, outgoing)
    except (EOFError, BrokenPipeError):
        pass
    finally:
        os._exit(0)  # a model's stray threads must not keep the process alive


def _take_over_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Keep the pipes for ourselves: what a model prints goes to the error stream, and it has nothing to read."""
    incoming, outgoing = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return incoming, outgoing


def _die_with(parent: int) -> None:
    """End this process when the parent ends, even by SIGKILL and even in the middle of a fit."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if hasattr(os, "getppid"):
        if os.getppid() != parent:
            os._exit(1)
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def _serve(incoming: IO[bytes], outgoing: IO[bytes]) -> None:
    from bakeoff.runner._engines._pipes import receive, send
    from bakeoff.runner._meter import memory_limited

    models: dict[str, Model] = {}
    datasets: dict[str, PreparedDataset] = {}
    while _something_comes(incoming):
        kind, *rest = receive(incoming)
        try:
            if kind == "models":
                datasets.clear()
                models = pickle.loads(rest[0])
                send(outgoing, ("ready",))
            elif kind == "dataset":
                while len(datasets) >= _DATASETS_KEPT:
                    datasets.pop(next(iter(datasets)))
                datasets[rest[0]] = pickle.loads(rest[1])
            else:
                unit, threads, memory_limit = rest
                with memory_limited(memory_limit):
                    answer = _answer(unit, threads, models, datasets)
                send(outgoing, answer)
        except (EOFError, BrokenPipeError):
            raise
        except Exception:  # what was sent cannot be loaded here: no unit can be done
            send(outgoing, ("broken", traceback.format_exc()))


def _something_comes(incoming: IO[bytes]) -> bool:
    """Wait for a message; False after a long rest without one (where the system can wait on a pipe)."""
    if sys.platform == "win32":
        return True
    return bool(select.select([incoming], [], [], _REST_SECONDS)[0])


def _answer(
    unit: Unit, threads: int | None, models: dict[str, Model], datasets: dict[str, PreparedDataset]
) -> tuple[Any, ...]:
    from bakeoff.runner._unit import Done, perform

    try:
        outcome = perform(unit, datasets[unit.dataset], models[unit.model], threads=threads)
    except KeyboardInterrupt:  # the model's own: Ctrl-C reaches the run, and never a worker
        trace = traceback.format_exc()
        return "failed", unit.key, "error", "KeyboardInterrupt, raised by the model", trace, 0.0
    if isinstance(outcome, Done):
        return "done", unit.key, outcome.columns, outcome.fit
    return "failed", unit.key, outcome.kind, outcome.message, outcome.traceback, outcome.seconds
