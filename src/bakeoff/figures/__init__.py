"""Figures, one file each: the data (pure), its matplotlib twin in the same class, its web module in `web/`."""

from __future__ import annotations

from bakeoff.figures._advice_tree import advice_tree_figure
from bakeoff.figures._base import Display, FigureData
from bakeoff.figures._box import box_figure
from bakeoff.figures._calibration import calibration_figure
from bakeoff.figures._class_recall import class_recall_figure
from bakeoff.figures._class_roc import class_roc_figure
from bakeoff.figures._confusion import confusion_figure
from bakeoff.figures._cost_curve import cost_curve_figure
from bakeoff.figures._critical_difference import critical_difference_figure
from bakeoff.figures._difference_forest import difference_forest_figure
from bakeoff.figures._error_distribution import error_distribution_figure
from bakeoff.figures._explorer import ExplorerData as ExplorerData
from bakeoff.figures._explorer import explorer_data
from bakeoff.figures._forest import forest_figure
from bakeoff.figures._items import items_figure
from bakeoff.figures._items import solved_items as solved_items
from bakeoff.figures._lead import LeadFigure as LeadFigure
from bakeoff.figures._null import null_figure
from bakeoff.figures._pair_heatmap import pair_heatmap_figure
from bakeoff.figures._plot import draw, figure_of, plot
from bakeoff.figures._posterior import posterior_figure
from bakeoff.figures._power import power_figure
from bakeoff.figures._precision_recall import precision_recall_figure
from bakeoff.figures._predicted import predicted_figure
from bakeoff.figures._replicates import replicates_figure
from bakeoff.figures._residuals import residuals_figure
from bakeoff.figures._roc import roc_figure
from bakeoff.figures._roc_space import roc_space_figure
from bakeoff.figures._score_distribution import score_distribution_figure
from bakeoff.figures._series import series_figure
from bakeoff.figures._time_quality import time_quality_figure
from bakeoff.figures._web import bundle, page_words, script_json, web_text
from bakeoff.figures._web import words_of as words_of

__all__ = [
    "Display", "FigureData", "advice_tree_figure", "box_figure", "bundle", "calibration_figure",
    "class_recall_figure", "class_roc_figure", "confusion_figure", "cost_curve_figure", "critical_difference_figure",
    "difference_forest_figure", "draw", "error_distribution_figure", "explorer_data", "figure_of", "forest_figure",
    "items_figure", "null_figure", "page_words", "pair_heatmap_figure", "plot", "posterior_figure", "power_figure",
    "precision_recall_figure", "predicted_figure", "replicates_figure", "residuals_figure", "roc_figure",
    "roc_space_figure", "score_distribution_figure", "script_json", "series_figure", "time_quality_figure", "web_text",
]  # fmt: skip
