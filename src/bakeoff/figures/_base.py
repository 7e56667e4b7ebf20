"""The base of figure data: what a picture shows, before anything is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from bakeoff._core.result import Result, jsonable


@dataclass(frozen=True, repr=False)
class FigureData(Result):
    """What a figure shows, computed once and drawn by matplotlib or by the web module of its kind.

    Attributes
    ----------
    title, caption
        What is shown, and how to read it.
    """

    kind: ClassVar[str] = ""

    title: str
    caption: str

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as JSON-able values, for the web modules."""
        body: dict[str, Any] = jsonable(self)
        return {"kind": self.kind, **body}
