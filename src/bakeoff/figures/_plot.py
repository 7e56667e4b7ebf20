"""`plot(result)`: the picture that helps most for each kind of result. Each figure declares which results it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from bakeoff._core.errors import MissingDependencyError, ParameterError, unknown_choice
from bakeoff.figures._base import Display, DrawnFigure, FigureData

Maker = TypeVar("Maker", bound=Callable[..., FigureData])


@dataclass(frozen=True)
class Choice:
    """A figure that shows results of some kinds; with `where`, it is preferred to the usual one where that holds."""

    name: str
    results: tuple[type, ...]
    make: Callable[..., FigureData]
    where: Callable[[Any], bool] | None


_CHOICES: list[Choice] = []


def shows(*results: type, name: str, where: Callable[[Any], bool] | None = None) -> Callable[[Maker], Maker]:
    """Declare that the function below makes the figure `name` of these kinds of results."""

    def declared(make: Maker) -> Maker:
        _CHOICES.append(Choice(name, results, make, where))
        return make

    return declared


def plot(result: Any, *, ax: Any = None, kind: str | None = None, **options: Any) -> Display:
    """Draw a result with matplotlib.

    Parameters
    ----------
    result
        Anything bakeoff returned that a picture helps with, or the data of a figure.
    ax
        Axes to draw into; by default a new figure.
    kind
        Which figure, where a result has several. A comparison: ``"differences"``, or ``"ranks"`` (the default for
        three or more models over several data sets).
    options
        Passed to the function that computes the figure's data.

    Examples
    --------
    >>> import bakeoff
    >>> from matplotlib.figure import Figure
    >>> table = [[0.81, 0.78, 0.70], [0.92, 0.90, 0.85], [0.75, 0.76, 0.71], [0.88, 0.84, 0.80], [0.67, 0.60, 0.62]] * 3
    >>> comparison = bakeoff.compare(bakeoff.Scores.from_wide(table, models=["a", "b", "c"], measure="auc"), rng=0)
    >>> bakeoff.figures.plot(comparison, ax=Figure().subplots())
    Display(CriticalDifferenceFigure('Mean ranks over 15 data sets'))
    >>> display = bakeoff.figures.plot(comparison, kind="differences", ax=Figure().subplots())
    >>> display.ax_.get_xlabel(), len(display.points_)
    ('difference in AUC', 3)
    """
    data = result if isinstance(result, FigureData) else figure_of(result, kind, **options)
    if not isinstance(data, DrawnFigure):
        raise ParameterError(f"{data.title!r} is drawn on pages only.", hint="bakeoff.report(predictions)")
    return data.plot(ax)


def figure_of(result: Any, kind: str | None = None, **options: Any) -> FigureData:
    """Compute the data of a result's figure: what `plot` draws, to be read or drawn otherwise.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_arrays([1, 1, 0, 1, 0, 0], y_score={"a": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]})
    >>> figure = bakeoff.figures.figure_of(bakeoff.cost_curves(p))
    >>> [(r["model"], round(r["low"], 2), round(r["high"], 2)) for r in figure.ranges]
    [('a', 0.0, 1.0)]
    """
    if hasattr(result, "_figure"):  # of a package above this one
        made: FigureData = result._figure(**options)
        return made
    fitting = {c.name: c for c in _CHOICES if isinstance(result, c.results)}
    if not fitting:
        raise ParameterError(f"there is no figure for {type(result).__name__}.")
    if kind is not None and kind not in fitting:
        raise unknown_choice("kind", kind, tuple(fitting))
    preferred = [c for c in fitting.values() if c.where is not None and c.where(result)]
    usual = [c for c in fitting.values() if c.where is None]
    chosen = (preferred or usual)[0] if kind is None else fitting[kind]
    return chosen.make(result, **options)


def draw(data: FigureData, *, width: float | None = None) -> Any:
    """Draw figure data on a new matplotlib figure, without pyplot; None for kinds only a page can show."""
    if not isinstance(data, DrawnFigure):
        return None
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingDependencyError.for_extra("matplotlib", "plot", "drawing a figure") from None
    figure = Figure(figsize=data.inches(width), layout="constrained")
    FigureCanvasAgg(figure)
    data.plot(figure.subplots())
    return figure
