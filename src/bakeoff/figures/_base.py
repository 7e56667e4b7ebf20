"""What a figure is: data computed once, drawn by the web module of its kind or by its own matplotlib method."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

from bakeoff._core.result import Result, jsonable
from bakeoff.figures._drawing import Texts, plain, pyplot
from bakeoff.measures import label_of


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

    @abstractmethod
    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        """Draw into matplotlib axes; return the artists by the name that `Display` gives them."""

    def plot(self, ax: Any = None) -> Display:
        """Draw into `ax`, or into a new figure."""
        if ax is None:
            _, ax = pyplot().subplots(figsize=self.size, layout="constrained")
        texts = self._texts()
        artists = self._draw(ax, texts)
        ax.set_title(plain(texts["title"], 90), loc="left", fontsize=11)
        return Display(data=self, ax_=ax, figure_=ax.figure, **artists)


def measure_label(name: str) -> str:
    """A measure's name as people write it, in the language of the reader: AUC, F1, balanced accuracy."""
    return str(label_of(name))
