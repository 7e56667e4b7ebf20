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

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import FigureData, roc_figure
    >>> isinstance(roc_figure(p), FigureData), roc_figure(p).to_dict()["kind"]
    (True, 'roc')
    """

    kind: ClassVar[str] = ""

    title: str
    caption: str

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as JSON-able values, for the web modules."""
        body: dict[str, Any] = jsonable(self)
        return {"kind": self.kind, **body}
