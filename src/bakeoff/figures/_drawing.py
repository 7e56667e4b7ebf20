"""What the matplotlib sides of the figures share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bakeoff._core.errors import MissingDependencyError
from bakeoff._core.text import shorten
from bakeoff.figures._palette import Style

MARKERS = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D", "cross": "x"}
GREY = "#767676"
BLUE = "#0072b2"
OCHRE = "#a06c00"  # regions of practical equivalence

Entry = Mapping[str, Any]  # one curve or row of a figure's data
Texts = Mapping[str, Any]  # what is written on a figure


def plain(text: str, most: int = 40) -> str:
    """A name as matplotlib may draw it: of bearable length, and never read as a formula."""
    return shorten(" ".join(str(text).split()), most).replace("$", r"\$")


def pyplot() -> Any:
    """Return matplotlib.pyplot, or tell how to install it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise MissingDependencyError.for_extra("matplotlib", "plot", "plot()") from None
    return plt


def frame(ax: Any, texts: Texts, *, grid: str | None = "both") -> None:
    """Write the titles of the axes; clear away the box around them."""
    if "x_title" in texts:
        ax.set_xlabel(plain(texts["x_title"]))
    if "y_title" in texts:
        ax.set_ylabel(plain(texts["y_title"]))
    ax.spines[["top", "right"]].set_visible(False)
    if grid is not None:
        ax.grid(axis=grid, alpha=0.25)


def line_style(style: Style | None) -> dict[str, Any]:
    """Colour and dashes of a model; grey for what is no model."""
    if style is None:
        return {"color": GREY}
    dash: Any = "-" if not style.dash else (0, tuple(float(v) for v in style.dash.split()))
    return {"color": style.colour, "linestyle": dash}


def draw_curves(
    ax: Any, curves: Sequence[Entry], styles: Mapping[str, Style], x: str, y: str, label: Callable[[Entry], str]
) -> list[Any]:
    """Draw one curve per model, with its band where it has one; return the lines."""
    lines = []
    for curve in curves:
        style = line_style(styles.get(curve["model"]))
        lines += ax.plot(curve[x], curve[y], label=label(curve), linewidth=1.6, **style)
        if isinstance(curve.get("low"), list):
            ax.fill_between(curve[x], curve["low"], curve["high"], color=style["color"], alpha=0.15, linewidth=0)
    if lines:
        ax.legend(frameon=False, fontsize=8)
    return lines


def draw_intervals(ax: Any, rows: Sequence[Entry], styles: Mapping[str, Style], key: str) -> list[Any]:
    """Draw one estimate with its interval per row, from the top, in the style of the model under `key`."""
    points = []
    for place, row in enumerate(rows):
        if row["estimate"] is None:
            continue
        style = styles.get(row[key])
        colour = style.colour if style else "black"
        if row["low"] is not None and row["high"] is not None:
            ax.plot([row["low"], row["high"]], [place, place], color=colour, linewidth=2)
        marker = MARKERS[style.marker] if style else "o"
        points += ax.plot([row["estimate"]], [place], marker=marker, color=colour, linestyle="")
    ax.set_yticks(range(len(rows)), [plain(row["label"]) for row in rows], fontsize=8)
    ax.invert_yaxis()
    return points
