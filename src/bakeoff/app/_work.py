"""Work under way, which can be asked about and called off, and the reports that were made, for as long as it runs."""

from __future__ import annotations

import datetime
import secrets
import time
from dataclasses import dataclass, field
from typing import Any

_MOST_KEPT = 30  # reports; the oldest make room


class Cancelled(Exception):
    """Nobody waits for this work any more."""


@dataclass
class Work:
    """One analysis: the step it has reached, since when, and whether it is still wanted."""

    stage: str = ""
    started: float = field(default_factory=time.monotonic)
    wanted: bool = True

    def reached(self, stage: str) -> None:
        """Note the next step; stop here if it was called off."""
        if not self.wanted:
            raise Cancelled
        self.stage = stage

    def told(self) -> dict[str, Any]:
        """What the page shows meanwhile."""
        return {"stage": self.stage, "seconds": round(time.monotonic() - self.started, 1)}


@dataclass(frozen=True)
class Kept:
    """A report that was made of an uploaded table, and what it was asked."""

    name: str
    report: Any
    answer: dict[str, Any]
    when: str = field(default_factory=lambda: datetime.datetime.now().astimezone().isoformat(timespec="seconds"))


@dataclass
class Reports:
    """Reports by identifier; identifiers cannot be guessed."""

    _kept: dict[str, Kept] = field(default_factory=dict)

    def add(self, name: str, report: Any, answer: dict[str, Any]) -> str:
        """Keep a report; return its identifier."""
        identifier = secrets.token_urlsafe(9)
        self._kept[identifier] = Kept(name, report, answer)
        while len(self._kept) > _MOST_KEPT:
            self._kept.pop(next(iter(self._kept)))
        return identifier

    def get(self, identifier: str) -> Kept | None:
        """The report, if it is still here."""
        return self._kept.get(identifier)

    def listed(self) -> list[dict[str, Any]]:
        """What there is, the newest first."""
        found = [
            {"id": i, "name": k.name, "when": k.when, "headline": k.answer["headline"]} for i, k in self._kept.items()
        ]
        return found[::-1]
