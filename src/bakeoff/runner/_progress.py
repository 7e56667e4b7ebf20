"""The progress bar: counts, rate, time left and failures, in a terminal or a notebook; silent elsewhere."""

from __future__ import annotations

from typing import Any

from bakeoff.runner._unit import Failed, Outcome


class Progress:
    """Shows how a run is getting on, on the error stream."""

    def __init__(self, total: int, already: int, *, show: bool) -> None:
        self.failures = 0
        self._bar: Any = None
        self._task: Any = None
        if show and total:
            self._open(total, already)

    def _open(self, total: int, already: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        console = Console(stderr=True)
        if not (console.is_terminal or console.is_jupyter):
            return
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[failures]}", style="red"),
            console=console,
            transient=False,
        )
        self._task = self._bar.add_task("units", total=total, completed=already, rate="", failures="")
        self._already = already
        self._bar.start()

    def advance(self, outcome: Outcome) -> None:
        """Count one outcome."""
        self.failures += isinstance(outcome, Failed)
        if self._bar is None:
            return
        self._bar.advance(self._task)
        task = self._bar.tasks[0]
        rate = (task.completed - self._already) / task.elapsed if task.elapsed else 0.0
        failed = f"{self.failures} failed" if self.failures else ""
        unit = outcome.unit
        self._bar.update(
            self._task, description=f"{unit.dataset} · {unit.model}", rate=f"{rate:.1f}/s", failures=failed
        )

    def close(self) -> None:
        """Leave the bar as it stands."""
        if self._bar is not None:
            self._bar.stop()
