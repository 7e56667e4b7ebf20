"""Static figures: every kind of figure data drawn with matplotlib, for papers and slides (SVG, PDF, PNG).

Displays follow scikit-learn's convention: ``RocDisplay.from_predictions(...)``, ``display.plot(ax=None)``, and after
plotting the artists are attributes that end in ``_``.
"""

from __future__ import annotations

from typing import Any

from bakeoff._core.errors import MissingDependencyError
from bakeoff.figures._base import FigureData
from bakeoff.figures.displays._base import Display
from bakeoff.figures.displays._beliefs import PosteriorDisplay, PowerDisplay, SimplexDisplay
from bakeoff.figures.displays._curves import (
    CalibrationDisplay,
    CostCurveDisplay,
    PrecisionRecallDisplay,
    RocDisplay,
    ScoreDistributionDisplay,
)
from bakeoff.figures.displays._estimates import BoxDisplay, DifferenceForestDisplay, ForestDisplay, TimeQualityDisplay
from bakeoff.figures.displays._pairs import ConfusionDisplay, CriticalDifferenceDisplay, PairHeatmapDisplay

__all__ = [
    "BoxDisplay",
    "CalibrationDisplay",
    "ConfusionDisplay",
    "CostCurveDisplay",
    "CriticalDifferenceDisplay",
    "DISPLAYS",
    "DifferenceForestDisplay",
    "Display",
    "ForestDisplay",
    "PairHeatmapDisplay",
    "PosteriorDisplay",
    "PowerDisplay",
    "PrecisionRecallDisplay",
    "RocDisplay",
    "ScoreDistributionDisplay",
    "SimplexDisplay",
    "TimeQualityDisplay",
    "draw",
]

DISPLAYS: dict[str, type[Display]] = {
    "roc": RocDisplay,
    "precision-recall": PrecisionRecallDisplay,
    "calibration": CalibrationDisplay,
    "cost-curve": CostCurveDisplay,
    "score-distribution": ScoreDistributionDisplay,
    "forest": ForestDisplay,
    "difference-forest": DifferenceForestDisplay,
    "critical-difference": CriticalDifferenceDisplay,
    "confusion": ConfusionDisplay,
    "pair-heatmap": PairHeatmapDisplay,
    "box": BoxDisplay,
    "time-quality": TimeQualityDisplay,
    "posterior": PosteriorDisplay,
    "simplex": SimplexDisplay,
    "power": PowerDisplay,
}


def draw(data: FigureData) -> Any:
    """Draw figure data on a new matplotlib figure, without pyplot; None for kinds only a page can show.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import draw, roc_figure
    >>> type(draw(roc_figure(p))).__name__
    'Figure'
    """
    display = DISPLAYS.get(data.kind)
    if display is None:
        return None
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingDependencyError.for_extra("matplotlib", "plot", "drawing a figure") from None
    figure = Figure(figsize=display.size, layout="constrained")
    FigureCanvasAgg(figure)
    display(data).plot(figure.subplots())
    return figure
