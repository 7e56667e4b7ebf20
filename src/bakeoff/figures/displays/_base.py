"""What every display shares: it holds the figure's data and draws it on demand, in scikit-learn's convention."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from bakeoff._core.errors import MissingDependencyError
from bakeoff._core.text import shorten
from bakeoff.figures._base import FigureData
from bakeoff.figures._palette import Style

MARKERS = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D", "cross": "x"}
GREY = "#767676"
BLUE = "#0072b2"


def plain(text: str, most: int = 40) -> str:
    """A name as matplotlib may draw it: of bearable length, and never read as a formula."""
    return shorten(" ".join(str(text).split()), most).replace("$", r"\$")


def pyplot() -> Any:
    """Return matplotlib.pyplot, or say how to install it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise MissingDependencyError.for_extra("matplotlib", "plot", "plot()") from None
    return plt


def line_style(style: Style | None) -> dict[str, Any]:
    """Colour and dashes of a model; grey for what is no model."""
    if style is None:
        return {"color": GREY}
    dash: Any = "-" if not style.dash else (0, tuple(float(v) for v in style.dash.split()))
    return {"color": style.colour, "linestyle": dash}


class Display:
    """Base of the displays: holds the figure's data, draws it on demand.

    Examples
    --------
    >>> from bakeoff.figures import Display, RocDisplay
    >>> issubclass(RocDisplay, Display)
    True
    """

    make: ClassVar[Callable[..., FigureData]]
    size: ClassVar[tuple[float, float]] = (5.4, 4.6)

    def __init__(self, data: Any) -> None:
        self.data = data

    @classmethod
    def from_data(cls, data: FigureData) -> Any:
        """Make the display of data that was computed before."""
        return cls(data)

    def plot(self, ax: Any = None) -> Any:
        """Draw, into `ax` or a new figure; returns the display, with `ax_`, `figure_` and its artists."""
        if ax is None:
            _, ax = pyplot().subplots(figsize=self.size, layout="constrained")
        self.ax_ = ax
        self.figure_ = ax.figure
        self._draw(ax)
        ax.set_title(plain(self.data.title, 90), loc="left", fontsize=11)
        return self

    def _draw(self, ax: Any) -> None:
        raise NotImplementedError  # every display draws itself

    def titles(self, ax: Any) -> None:
        """Write the titles of the axes and clear away the frame."""
        ax.set_xlabel(plain(self.data.x_title))
        ax.set_ylabel(plain(self.data.y_title))
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(alpha=0.25)
