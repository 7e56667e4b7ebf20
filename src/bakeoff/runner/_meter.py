"""What a unit of work costs, and keeping it to one thread so that costs and bits can be compared."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout
from typing import Any

import numpy as np

_STATUS, _CLEAR = "/proc/self/status", "/proc/self/clear_refs"
_MOST_MEGABYTES = 2**40  # more than any system can give or count
_INTERRUPTED = 130
_controllers: dict[int, Any] = {}


@contextmanager
def inner_threads(limit: int | None) -> Iterator[None]:
    """Hold BLAS and OpenMP to `limit` threads and joblib to none of its own; None leaves them alone.

    The runner works on units side by side, so threads inside a unit would multiply; and sums in another order of
    threads differ in the last bit, so one thread is also what makes engines agree exactly.
    """
    if limit is None:
        yield
        return
    import joblib

    with _controller().limit(limits=limit), joblib.parallel_config(backend="sequential"):
        yield


def _controller() -> Any:
    """Return the controller of the libraries loaded now; looking for them takes milliseconds, so it is kept."""
    loaded = len(sys.modules)
    if loaded not in _controllers:
        from threadpoolctl import ThreadpoolController

        _controllers.clear()
        _controllers[loaded] = ThreadpoolController()
    return _controllers[loaded]


@contextmanager
def global_seed(seed: int) -> Iterator[None]:
    """Seed Python's and NumPy's global generators for models that use them, and put their states back."""
    python, legacy = random.getstate(), np.random.get_state()  # noqa: NPY002  # models may use it
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(legacy)  # noqa: NPY002


@contextmanager
def memory_limited(megabytes: float | None) -> Iterator[None]:
    """Let this process take at most so much memory besides what it has; None, or a system without limits, for any."""
    if megabytes is None or sys.platform == "win32":
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    try:
        limit = _resident(b"VmSize:") + int(min(megabytes, _MOST_MEGABYTES) * 2**20)
    except OSError:  # not Linux: the size is not known
        yield
        return
    limit = limit if before[1] == resource.RLIM_INFINITY else min(limit, before[1])
    resource.setrlimit(resource.RLIMIT_AS, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@contextmanager
def same_process() -> Iterator[None]:
    """Put back what a model changes of its process: the next unit, and perhaps the run, goes on in it.

    What was added to the import path or the environment stays: a module does that once, when it is imported.
    """
    folder, paths, environment, depth = os.getcwd(), sys.path[:], dict(os.environ), sys.getrecursionlimit()
    sklearn, stream = sys.modules.get("sklearn"), _Lent(sys.stderr)
    settings: Any = nullcontext() if sklearn is None else sklearn.config_context()
    try:
        # What a model prints is not the run's answer.
        with _same_signals(), np.errstate(), settings, redirect_stdout(stream), redirect_stderr(stream):
            yield
    finally:
        os.chdir(folder)
        sys.path += [path for path in paths if path not in sys.path]
        sys.setrecursionlimit(max(depth, sys.getrecursionlimit()))
        for name in environment.keys() - os.environ.keys():
            os.environ[name] = environment[name]


@contextmanager
def _same_signals() -> Iterator[None]:
    """Put signal handlers and an alarm back: a model's own would meet Ctrl-C, or another unit."""
    if threading.current_thread() is not threading.main_thread():  # only there can they be set
        yield
        return
    kinds = [signal.SIGINT, signal.SIGTERM, *([signal.SIGALRM] if hasattr(signal, "SIGALRM") else [])]
    before = {kind: signal.getsignal(kind) for kind in kinds}
    timed = hasattr(signal, "getitimer") and signal.getitimer(signal.ITIMER_REAL)[0] > 0
    try:
        yield
    finally:
        if not timed and hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for kind, handler in before.items():
            if handler is not None and signal.getsignal(kind) is not handler:
                signal.signal(kind, handler)


@contextmanager
def forced_by_second_ctrl_c() -> Iterator[list[int]]:
    """Let a second Ctrl-C end the process at once, where a model or the cleaning up holds up the first.

    The list is not empty once Ctrl-C was pressed, also where a model swallowed it. Notebooks and prompts would lose
    what they hold, so there it is as ever.
    """
    pressed: list[int] = []

    def stop(number: int, frame: object) -> None:
        pressed.append(number)
        if len(pressed) > 1:
            os.write(2, b"\x1b[?25h\n" if os.isatty(2) else b"\n")  # a progress bar hides the cursor
            os._exit(_INTERRUPTED)
        raise KeyboardInterrupt

    here = threading.current_thread() is threading.main_thread()
    if not here or hasattr(sys, "ps1") or "ipykernel" in sys.modules or _own_handler():
        yield pressed
        return
    signal.signal(signal.SIGINT, stop)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _own_handler() -> bool:
    return signal.getsignal(signal.SIGINT) is not signal.default_int_handler


class _Lent:
    """A stream lent to a model: closing it does not close the run's own."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def close(self) -> None:
        """Only stop using it."""


class MemoryPeak:
    """Peak resident memory of this process above where it stood, in bytes; None where the system does not tell."""

    def __init__(self) -> None:
        self.before: int | None = None
        try:
            with open(_CLEAR, "wb", buffering=0) as file:
                file.write(b"5")  # resets the high-water mark (Linux)
        except OSError:
            return
        self.before = _resident(b"VmRSS:")

    def bytes(self) -> int | None:
        """Return the peak since this object was made, less what was in use then."""
        return None if self.before is None else max(_resident(b"VmHWM:") - self.before, 0)


def _resident(field: bytes) -> int:
    # Not `getrusage`: after a fork its peak is the parent's where that was larger.
    with open(_STATUS, "rb", buffering=0) as file:
        text = file.read()
    return int(text[text.index(field) + len(field) :].split(None, 1)[0]) * 1024
