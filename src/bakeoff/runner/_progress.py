"""Progress: counts, rate, time left and failures; a bar in a terminal or notebook, now and then a line in a log."""

from __future__ import annotations

import sys
import time
from html import escape
from typing import Any

from bakeoff._core.text import shorten
from bakeoff.runner._tables import duration
from bakeoff.runner._unit import Failed, Outcome, Unit

_LINE_SECONDS = 30.0  # between two lines of a log: a short run stays silent
_WATCH_SECONDS = 2.0
_REDRAW_SECONDS = 0.25


class Progress:
    """How a run is getting on, shown on the error stream.

    Parameters
    ----------
    total, already
        Units of the plan, and those done before this run.
    show
        False shows nothing.
    watch
        Show also what is running, where and for how long.
    """

    def __init__(self, total: int, already: int, *, show: bool, watch: bool = False) -> None:
        self.watch = watch
        self.running: dict[str, tuple[Unit, str, float]] = {}  # key → unit, where, since when
        self.last_failure = ""
        self.total, self.already, self.done, self.failures = total, already, already, 0
        self.started = time.monotonic()
        self.doing = ""
        self._display = _choose_display(self) if show and total > already else None

    def begin(self, unit: Unit, where: str) -> None:
        """Note that a unit is begun."""
        self.running[unit.key] = unit, where, time.monotonic()
        if self._display is not None and self.watch:
            self._display.update(self)

    def advance(self, outcome: Outcome) -> None:
        """Count one outcome."""
        self.done += 1
        self.running.pop(outcome.unit.key, None)
        if isinstance(outcome, Failed):
            self.last_failure = f"{outcome.unit.label}: {outcome.message}"
        self.failures += isinstance(outcome, Failed)
        self.doing = f"{outcome.unit.dataset} · {outcome.unit.model}"
        if self._display is not None:
            self._display.update(self)

    def close(self) -> None:
        """Leave the display as it stands."""
        if self._display is not None:
            self._display.close(self)

    @property
    def elapsed(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.started

    @property
    def rate(self) -> float:
        """Units a second in this run."""
        return (self.done - self.already) / max(self.elapsed, 1e-9)

    def speed(self) -> str:
        """Write the rate: units a second, or seconds a unit where that is the larger number."""
        if self.rate == 0:
            return ""
        return f"{self.rate:.1f}/s" if self.rate >= 1 else f"{duration(1 / self.rate)} each"

    def failed(self) -> str:
        """Write the number of failures; nothing where there are none."""
        return f"{self.failures} failed" if self.failures else ""

    def details(self) -> list[str]:
        """Say what runs where and for how long, and what failed last; nothing unless it is watched."""
        if not self.watch:
            return []
        now = time.monotonic()
        running = [f"{unit.label} ({where}, {duration(now - since)})" for unit, where, since in self.running.values()]
        failure = [f"failed: {shorten(self.last_failure, 120)}"] if self.last_failure else []
        return [f"running: {text}" for text in running] + failure

    def sentence(self) -> str:
        """Say everything in one line."""
        left = duration((self.total - self.done) / self.rate) + " left" if self.rate and self.done < self.total else ""
        spent = f"{duration(self.elapsed)} so far"
        parts = [f"{self.done} of {self.total} units", self.failed(), self.speed(), spent, left]
        return ", ".join(filter(None, parts))


def _choose_display(progress: Progress) -> _Notebook | _Terminal | _Lines:
    if _in_notebook():
        return _Notebook(progress)
    return _Terminal(progress) if sys.stderr.isatty() else _Lines()


def _in_notebook() -> bool:
    """Tell whether this is a cell of a notebook, where the error stream is no terminal but a page can be drawn on."""
    python = sys.modules.get("IPython")
    shell = None if python is None else python.get_ipython()
    return type(shell).__name__ == "ZMQInteractiveShell"


class _Terminal:
    """A bar of rich's."""

    def __init__(self, progress: Progress) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        self.bar = Bar(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[failures]}", style="red"),
            console=Console(stderr=True),
        )
        self.task = self.bar.add_task(
            "units", total=progress.total, completed=progress.already, rate="", failures=progress.failed()
        )
        self.below = self.bar.add_task("", total=None, rate="", failures="") if progress.watch else None
        self.bar.start()

    def update(self, progress: Progress) -> None:
        self.bar.update(
            self.task,
            completed=progress.done,
            description=progress.doing,
            rate=progress.speed(),
            failures=progress.failed(),
        )
        if self.below is not None:
            self.bar.update(self.below, description="\n".join(progress.details()))

    def close(self, progress: Progress) -> None:
        self.bar.stop()


class _Notebook:
    """A bar drawn below the cell, without any widget to install."""

    def __init__(self, progress: Progress) -> None:
        from IPython.display import display

        self.drawn = time.monotonic()
        self.handle: Any = display(self._page(progress), display_id=True)

    def update(self, progress: Progress) -> None:
        if time.monotonic() - self.drawn >= _REDRAW_SECONDS:
            self._draw(progress)

    def close(self, progress: Progress) -> None:
        self._draw(progress)

    def _draw(self, progress: Progress) -> None:
        self.drawn = time.monotonic()
        self.handle.update(self._page(progress))

    def _page(self, progress: Progress) -> Any:
        from IPython.display import HTML

        bar = f'<progress max="{progress.total}" value="{progress.done}" style="width:20em"></progress>'
        words = escape(f"{progress.sentence()}  {progress.doing}")
        return HTML(f'<div style="font:13px system-ui,sans-serif">{bar} {words}</div>')


class _Lines:
    """A line now and then, for logs and pipes."""

    def __init__(self) -> None:
        self.shown = time.monotonic()

    def update(self, progress: Progress) -> None:
        if time.monotonic() - self.shown >= (_WATCH_SECONDS if progress.watch else _LINE_SECONDS):
            self.shown = time.monotonic()
            for text in [f"bakeoff: {progress.sentence()}", *(f"  {line}" for line in progress.details())]:
                print(text, file=sys.stderr, flush=True)  # noqa: T201  # this is its purpose

    def close(self, progress: Progress) -> None:
        return None
