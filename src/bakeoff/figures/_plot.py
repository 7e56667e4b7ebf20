"""`plot(result)`: the picture that helps most for each kind of result."""

from __future__ import annotations

from typing import Any

from bakeoff._core.errors import ParameterError
from bakeoff.comparison import Comparison, Plan
from bakeoff.decision import CostCurve, Decision, RocAnalysis, RocCurve, RocHull
from bakeoff.evidence import Predictions, Scores
from bakeoff.figures._base import FigureData
from bakeoff.figures._beliefs import power_figure
from bakeoff.figures._curves import cost_curve_figure, roc_figure
from bakeoff.figures._estimates import (
    box_figure,
    critical_difference_figure,
    difference_forest_figure,
    forest_figure,
)
from bakeoff.figures.displays import DISPLAYS
from bakeoff.intervals import Evaluation


def plot(result: Any, *, ax: Any = None, kind: str | None = None, **options: Any) -> Any:
    """Draw a result with matplotlib and return its display.

    Parameters
    ----------
    result
        Anything bakeoff returned that a picture helps with.
    ax
        Axes to draw into; by default a new figure.
    kind
        For a comparison: ``"differences"`` (default for one data set) or ``"ranks"``.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import plot
    >>> from matplotlib.figure import Figure
    >>> type(plot(bakeoff.roc(p), ax=Figure().subplots())).__name__
    'RocDisplay'
    """
    data = result if isinstance(result, FigureData) else figure_of(result, kind, **options)
    return DISPLAYS[data.kind](data).plot(ax)


def figure_of(result: Any, kind: str | None = None, **options: Any) -> FigureData:
    """Choose and compute the figure of a result.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import figure_of
    >>> figure_of(bakeoff.cost_curves(p)).kind
    'cost-curve'
    """
    if isinstance(result, Evaluation):
        return forest_figure(result, **options)
    if isinstance(result, Comparison):
        ranked = kind == "ranks" or (kind is None and result.ranks is not None and len(result.models) > 2)
        return critical_difference_figure(result) if ranked else difference_forest_figure(result)
    if isinstance(result, (RocAnalysis, Predictions)):
        return roc_figure(result, **options)
    if isinstance(result, CostCurve):
        return cost_curve_figure(result, **options)
    if isinstance(result, Scores):
        return box_figure(result, **options)
    if isinstance(result, Plan):
        at = None if result.needed is None else float(result.needed)
        return power_figure(result.curve_n, result.curve_power, target=result.power, at=at, x_title=result.unit)
    if isinstance(result, (RocCurve, RocHull)):
        hull = result.hull() if isinstance(result, RocCurve) else result
        return cost_curve_figure(CostCurve.from_curves(hull.curves.values()))
    if isinstance(result, Decision):
        raise ParameterError("a decision has no picture of its own.", hint="plot bakeoff.cost_curves(predictions)")
    raise ParameterError(f"there is no figure for {type(result).__name__}.")
