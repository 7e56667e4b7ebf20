"""The lead picture: how far the leader is ahead of every other, with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bakeoff._core.language import numeral, translate
from bakeoff.figures._base import FigureData
from bakeoff.figures._web import words_of


@dataclass(frozen=True, repr=False)
class LeadFigure(FigureData):
    """The leader first, then the others, the closest first.

    Attributes
    ----------
    leader
        Who leads.
    axis
        What the lead is measured in.
    rows
        Each with ``label, estimate, low, high, filled`` (told apart), ``leader``, ``text`` and ``small``.
    equal
        Differences up to this count as practically equal; None for no such margin.
    """

    kind: ClassVar[str] = "lead"

    leader: str
    axis: str
    rows: tuple[Mapping[str, Any], ...]
    equal: float | None = None
    confidence_level: float = 0.95

    def _texts(self) -> dict[str, Any]:
        level = numeral(100 * self.confidence_level)
        caption = translate("Bars: {level} %, each pair alone; hollow: not told apart.", level=level)
        if self.equal:
            caption += " " + translate("Shaded: practically equal, within {margin}.", margin=numeral(self.equal))
        words = words_of("explorer")
        return {
            "title": translate("The lead of {model}", model=self.leader),
            "caption": caption,
            "words": {key: words[key] for key in ("find", "more", "fewer")},
        }
