"""Saving outcomes beside the work: a model is fitted while the file of the one before is synced to disk."""

from __future__ import annotations

import queue
import threading
from typing import Any

from bakeoff.runner._unit import Done, Outcome

_AHEAD = 2  # outcomes that may wait to be saved; with the one being saved, all that a kill can lose besides the fits


class Writer:
    """Saves outcomes to a store, in order, in a thread of its own (`beside`) or at once.

    The first problem of the disk is raised by the next `save`, or by `check`.
    """

    def __init__(self, store: Any, *, beside: bool) -> None:
        self.store = store
        self._waiting: queue.Queue[tuple[Outcome, dict[str, Any]] | None] = queue.Queue(_AHEAD)
        self._problem: BaseException | None = None
        self._thread = threading.Thread(target=self._work, daemon=True) if beside else None
        if self._thread is not None:
            self._thread.start()

    def _work(self) -> None:
        while (one := self._waiting.get()) is not None:
            if self._problem is None:
                try:
                    self._save(*one)
                except BaseException as problem:
                    self._problem = problem

    def _save(self, outcome: Outcome, facts: dict[str, Any]) -> None:
        if isinstance(outcome, Done):
            self.store.save(outcome, facts)
        else:
            self.store.save_failure(outcome, facts)

    def save(self, outcome: Outcome, facts: dict[str, Any]) -> None:
        """Hand an outcome over to be saved."""
        self.check()
        if self._thread is None:
            self._save(outcome, facts)
        else:
            self._waiting.put((outcome, facts))

    def check(self) -> None:
        """Raise the problem the disk had, if it had one."""
        if self._problem is not None:
            raise self._problem

    def close(self) -> None:
        """Wait until everything handed over is saved."""
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
