"""One colour, dash and marker per model, the same in every figure; colour-blind safe, on paper and in the dark."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

# Okabe & Ito's palette first (without its yellow, which vanishes on white), then Tol's "muted". Each has at least a
# 3:1 contrast on white; the second value is its lighter twin for dark paper.
_COLOURS = (
    ("#0072b2", "#4aa8e0"),
    ("#d55e00", "#ff8f3d"),
    ("#00835c", "#2fc698"),
    ("#aa3f7c", "#e58fc0"),
    ("#a06c00", "#e6b03c"),
    ("#332288", "#9d8df1"),
    ("#0b7f9c", "#56c7e4"),
    ("#882255", "#e0709f"),
    ("#5b7a15", "#a8cc55"),
    ("#6b4c3b", "#c9a58f"),
)
_GREY = ("#767676", "#9aa0a6")
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4")
_MARKERS = ("circle", "square", "triangle", "diamond", "cross")


@dataclass(frozen=True)
class Style:
    """How a model looks: colour on light and on dark paper, SVG dash pattern (empty is solid), marker."""

    colour: str
    colour_dark: str
    dash: str
    marker: str


def styles_of(models: Sequence[str], baselines: Collection[str] = ()) -> dict[str, Style]:
    """Give every model its style by its place in the evidence; trivial baselines are grey and dotted."""
    real = [m for m in models if m not in baselines]
    styles = {m: _style(place) for place, m in enumerate(real)}
    for place, m in enumerate(m for m in models if m in baselines):
        styles[m] = Style(*_GREY, _DASHES[1 + place % 2], "cross")
    return {m: styles[m] for m in models}


def _style(place: int) -> Style:
    colour, dark = _COLOURS[place % len(_COLOURS)]
    # After all colours are used the dash changes, so twenty models still look different.
    return Style(colour, dark, _DASHES[place // len(_COLOURS) % len(_DASHES)], _MARKERS[place % len(_MARKERS)])
