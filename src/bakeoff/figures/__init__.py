"""Figures: the data of each figure (pure), then its renderers: matplotlib displays and the web modules."""

from __future__ import annotations

from bakeoff.figures._base import FigureData
from bakeoff.figures._beliefs import (
    AdviceTreeFigure,
    PosteriorFigure,
    PowerFigure,
    SimplexFigure,
    advice_tree_figure,
    posterior_figure,
    power_figure,
    simplex_figure,
)
from bakeoff.figures._curves import (
    CalibrationFigure,
    CostCurveFigure,
    PrecisionRecallFigure,
    RocFigure,
    ScoreDistributionFigure,
    calibration_figure,
    cost_curve_figure,
    precision_recall_figure,
    roc_figure,
    score_distribution_figure,
)
from bakeoff.figures._estimates import (
    BoxFigure,
    CriticalDifferenceFigure,
    DifferenceForestFigure,
    ForestFigure,
    TimeQualityFigure,
    box_figure,
    critical_difference_figure,
    difference_forest_figure,
    forest_figure,
    time_quality_figure,
)
from bakeoff.figures._explorer import ExplorerData, explorer_data
from bakeoff.figures._palette import Style, styles_of
from bakeoff.figures._tables import ConfusionFigure, PairHeatmapFigure, confusion_figure, pair_heatmap_figure
from bakeoff.figures._web import bundle, script_json, web_text

__all__ = [
    "AdviceTreeFigure",
    "BoxFigure",
    "CalibrationFigure",
    "ConfusionFigure",
    "CostCurveFigure",
    "CriticalDifferenceFigure",
    "DifferenceForestFigure",
    "ExplorerData",
    "FigureData",
    "ForestFigure",
    "PairHeatmapFigure",
    "PosteriorFigure",
    "PowerFigure",
    "PrecisionRecallFigure",
    "RocFigure",
    "ScoreDistributionFigure",
    "SimplexFigure",
    "Style",
    "TimeQualityFigure",
    "advice_tree_figure",
    "box_figure",
    "bundle",
    "calibration_figure",
    "confusion_figure",
    "cost_curve_figure",
    "critical_difference_figure",
    "difference_forest_figure",
    "explorer_data",
    "forest_figure",
    "pair_heatmap_figure",
    "posterior_figure",
    "power_figure",
    "precision_recall_figure",
    "roc_figure",
    "score_distribution_figure",
    "script_json",
    "simplex_figure",
    "styles_of",
    "time_quality_figure",
    "web_text",
]
