"""What all figures share: data and texts, how a model looks, thinning for the file, strokes of matplotlib."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import MissingDependencyError
from bakeoff._core.result import Result, jsonable
from bakeoff._core.text import decimals, fixed, interval, shorten
from bakeoff._core.validation import FloatArray
from bakeoff.measures import label_of

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


PIXELS = 640.0  # width of a plot
TOLERANCE = 0.25  # of a pixel
_DIGITS = 5


def keep_visible(
    x: FloatArray, y: FloatArray, *, pixels: float = PIXELS, tolerance: float = TOLERANCE
) -> NDArray[np.intp]:
    """Return the indices of the points that matter on the unit square drawn `pixels` wide.

    First a bucket per pixel column and row keeps its first, last and extreme points (linear time), then Ramer, Douglas
    and Peucker drop those within `tolerance` of the line through their neighbours.
    """
    n = x.size
    if n <= 3:
        return np.arange(n)
    candidates = _bucketed(x, y, pixels) if n > 4 * pixels else np.arange(n)
    kept = _douglas_peucker(x[candidates] * pixels, y[candidates] * pixels, tolerance)
    return candidates[kept]


def rounded(values: FloatArray, digits: int = _DIGITS) -> list[float]:
    """Round for the file: five decimals are a hundredth of a pixel."""
    return [float(v) for v in np.round(np.asarray(values, dtype=np.float64), digits)]


def finite(value: float) -> float | None:
    """The number, or None for what JSON cannot hold."""
    return float(value) if np.isfinite(value) else None


def short(value: float) -> float | None:
    """The number to six digits, or None."""
    return finite(float(f"{value:.6g}"))


def _bucketed(x: FloatArray, y: FloatArray, pixels: float) -> NDArray[np.intp]:
    """Keep the first and last point of every quarter-pixel cell the curve passes through."""
    cell = np.floor(x * pixels * 4) * (pixels * 8) + np.floor(y * pixels * 4)
    change = np.flatnonzero(np.diff(cell)) + 1
    ends = np.concatenate([[0], change, change - 1, [x.size - 1]])
    return np.unique(ends)


def _douglas_peucker(x: FloatArray, y: FloatArray, tolerance: float) -> NDArray[np.intp]:
    keep = np.zeros(x.size, dtype=bool)
    keep[[0, -1]] = True
    stack = [(0, x.size - 1)]
    while stack:
        first, last = stack.pop()
        if last - first < 2:
            continue
        dx, dy = x[last] - x[first], y[last] - y[first]
        length = float(np.hypot(dx, dy))
        px, py = x[first + 1 : last] - x[first], y[first + 1 : last] - y[first]
        distance = np.abs(px * dy - py * dx) / length if length > 0 else np.hypot(px, py)
        worst = int(distance.argmax())
        if distance[worst] > tolerance:
            middle = first + 1 + worst
            keep[middle] = True
            stack += [(first, middle), (middle, last)]
    return np.flatnonzero(keep)


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


def _frame(ax: Any, texts: Texts, grid: str) -> None:
    """Write the titles of the axes; clear away the box around them."""
    if "x_title" in texts:
        ax.set_xlabel(plain(texts["x_title"]))
    if "y_title" in texts:
        ax.set_ylabel(plain(texts["y_title"]))
    ax.spines[["top", "right"]].set_visible(False)
    if grid != "none":
        ax.grid(axis=grid, alpha=0.25)


def line_style(style: Style | None) -> dict[str, Any]:
    """Colour and dashes of a model; grey for what is no model."""
    if style is None:
        return {"color": GREY}
    dash: Any = "-" if not style.dash else (0, tuple(float(v) for v in style.dash.split()))
    return {"color": style.colour, "linestyle": dash}


MOST_INSIDE = 4  # entries of a legend that leave the curves in view
LEGEND_ROW = 0.17  # inches


def place_legend(ax: Any, models: Sequence[str]) -> None:
    """Inside for a few curves; below the axes for more, in columns that fit."""
    if len(models) <= MOST_INSIDE:
        ax.legend(frameon=False, fontsize=8)
        return
    columns = legend_columns(figure_width(ax), models)
    ax.legend(
        frameon=False, fontsize=7, ncols=columns, loc="upper center", bbox_to_anchor=(0.5, -0.16),
        handlelength=1.6, columnspacing=1.0, labelspacing=0.3, borderaxespad=0.0,
    )  # fmt: skip


def legend_columns(width: float, models: Sequence[str]) -> int:
    """Columns of a legend below axes of this width in inches: a name, a number and the line's sample in each."""
    longest = max(min(len(str(m)), 24) for m in models) + 12
    return max(1, int(width / (0.4 + 0.052 * longest)))


def figure_width(ax: Any) -> float:
    """Width in inches of the figure that the axes stand in."""
    return float(ax.get_figure(root=True).get_size_inches()[0])


def letters_for(ax: Any) -> int:
    """How many letters of a name leave room for the plot beside it."""
    return int(min(max(6 * figure_width(ax), 12), 40))


def pair_label(text: str, most: int) -> str:
    """A name, or two with a minus between them, each cut so that both are still known."""
    parts = text.split(" − ")
    return " − ".join(plain(part, most // len(parts)) for part in parts)


def estimate_text(row: Entry) -> str:
    """An estimate with its interval, as the tables of a report write it."""
    value, low, high = (np.nan if row[k] is None else row[k] for k in ("estimate", "low", "high"))
    digits = decimals(low, high)
    return f"{fixed(value, digits)} {interval(low, high, digits)}".strip()


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
    most = letters_for(ax)
    ax.set_yticks(range(len(rows)), [pair_label(row["label"], most) for row in rows], fontsize=8)
    ax.invert_yaxis()
    return points


@dataclass(frozen=True, repr=False)
class FigureData(Result, ABC):
    """What a figure shows.

    Its fields are numbers and names; its texts are made when they are read, in the language of the reader, which may
    not be that of whoever computed the figure.
    """

    kind: ClassVar[str] = ""

    @abstractmethod
    def _texts(self) -> dict[str, Any]:
        """Title, caption and whatever else is written on the figure, by the names the web modules know."""

    @property
    def title(self) -> str:
        """What is shown."""
        return str(self._texts()["title"])

    @property
    def caption(self) -> str:
        """How to read it."""
        return str(self._texts()["caption"])

    def to_dict(self) -> dict[str, Any]:
        """Return fields and texts as JSON-able values, for the web modules."""
        return {"kind": self.kind, **jsonable(self._texts()), **jsonable(self)}

    def _headline(self) -> str:
        return repr(self.title)


class Display(SimpleNamespace):
    """A figure as matplotlib drew it, in scikit-learn's convention.

    Attributes
    ----------
    data
        The figure's data.
    ax_, figure_
        Where it was drawn.
    lines_, points_, bars_, ...
        The artists of its kind, to be changed or asserted on.
    """

    def __repr__(self) -> str:
        return f"Display({self.data!r})"


@dataclass(frozen=True, repr=False)
class DrawnFigure(FigureData):
    """A figure that matplotlib can draw too, for papers and slides."""

    size: ClassVar[tuple[float, float]] = (5.4, 4.6)
    row_height: ClassVar[float] = 0.0  # inches of a row; 0 for figures that have none
    grid: ClassVar[str] = "both"  # its lines: "x", "none" for a frame alone, nothing for figures without axes

    def inches(self, width: float | None = None) -> tuple[float, float]:
        """Width and height of a drawing: figures with a line for each row grow with their number."""
        wide, high = self.size
        if self.row_height:
            return width or wide, 0.9 + self.row_height * max(self._n_rows(), 3)
        models = [c["model"] for c in getattr(self, "curves", ()) or getattr(self, "envelopes", ())]
        many = len(models) > MOST_INSIDE
        below = LEGEND_ROW * -(-len(models) // legend_columns(width or wide, models)) if many else 0.0
        return width or wide, high * (width or wide) / wide + below

    def _n_rows(self) -> int:
        return len(getattr(self, "rows", ()))

    def _curves_on(self: Any, ax: Any, x: str, y: str, area: tuple[str, str] | None = None) -> list[Any]:
        """Draw one curve per model, with its band and its area where it has them; return the lines."""
        lines: list[Any] = []
        curves = self.envelopes if hasattr(self, "envelopes") else self.curves
        for curve in curves:
            style = line_style(self.styles.get(curve["model"]))
            label = plain(curve["model"], 30)
            if area is not None:
                label = f"{plain(curve['model'], 24)} ({area[0]} {curve[area[1]]:.3f})".strip()
            lines += ax.plot(curve[x], curve[y], label=label, linewidth=1.6, **style)
            if isinstance(curve.get("low"), list):
                ax.fill_between(curve[x], curve["low"], curve["high"], color=style["color"], alpha=0.15, linewidth=0)
        if ax.get_legend_handles_labels()[0]:
            place_legend(ax, [curve["model"] for curve in curves])
        return lines

    @abstractmethod
    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        """Draw into matplotlib axes; return the artists by the name that `Display` gives them."""

    def plot(self, ax: Any = None) -> Display:
        """Draw into `ax`, or into a new figure."""
        if ax is None:
            _, ax = pyplot().subplots(figsize=self.inches(), layout="constrained")
        texts = self._texts()
        artists = self._draw(ax, texts)
        if self.grid:
            _frame(ax, texts, self.grid)
        ax.set_title(plain(texts["title"], 90), loc="left", fontsize=11)
        return Display(data=self, ax_=ax, figure_=ax.figure, **artists)


def shared_decimals(intervals: Iterable[Any]) -> int:
    """Decimals for numbers that stand side by side: those of the widest interval among them."""
    return min((decimals(i.low, i.high) for i in intervals), default=3)


def measure_label(name: str) -> str:
    """A measure's name as people write it, in the language of the reader: AUC, F1, balanced accuracy."""
    return str(label_of(name))
