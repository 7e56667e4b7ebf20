"""Figures that are grids: the confusion matrix of a model, and the heat map of pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bakeoff._core.language import tr
from bakeoff._core.validation import FloatArray
from bakeoff.comparison import Comparison
from bakeoff.comparison._words import measure_word
from bakeoff.evidence import Predictions
from bakeoff.figures._base import FigureData
from bakeoff.figures._palette import Style, styles_of

Grid = tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, repr=False)
class ConfusionFigure(FigureData):
    """Counts of true against predicted classes, and the share of each true class.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import confusion_figure
    >>> figure = confusion_figure(p, "a")
    >>> figure.title
    'Confusion matrix of a'
    """

    kind: ClassVar[str] = "confusion"

    model: str
    classes: tuple[str, ...]
    counts: Grid
    rates: Grid
    corner: str


def confusion_figure(predictions: Predictions, model: str, *, dataset: str | None = None) -> ConfusionFigure:
    """Collect the confusion matrix of one model, true classes in rows.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import confusion_figure
    >>> confusion_figure(p, "a").kind
    'confusion'
    """
    rows = predictions.table(dataset)
    cells = rows.confusion(model).cells
    totals = cells.sum(axis=1, keepdims=True)
    rates = np.divide(cells, totals, out=np.full_like(cells, np.nan), where=totals > 0)
    return ConfusionFigure(
        title=tr("Confusion matrix of {model}", model=model),
        caption=tr("True classes in rows, predicted classes in columns; shares are of the row."),
        model=model,
        classes=tuple(str(c) for c in rows.classes),
        counts=_grid(cells),
        rates=_grid(rates),
        corner=tr("true \\ predicted"),
    )


def _grid(values: FloatArray) -> Grid:
    return tuple(tuple(None if np.isnan(v) else float(v) for v in row) for row in values)


@dataclass(frozen=True, repr=False)
class PairHeatmapFigure(FigureData):
    """Difference and adjusted p-value of every pair of models.

    Examples
    --------
    >>> import bakeoff
    >>> table = [[0.81, 0.78, 0.70], [0.92, 0.90, 0.85], [0.75, 0.76, 0.71], [0.88, 0.84, 0.80], [0.67, 0.60, 0.62]] * 3
    >>> comparison = bakeoff.compare(bakeoff.Scores.from_wide(table, models=["a", "b", "c"], measure="auc"), rng=0)
    >>> from bakeoff.figures import pair_heatmap_figure
    >>> figure = pair_heatmap_figure(comparison)
    >>> figure.title
    'Every pair of models: difference in AUC'
    """

    kind: ClassVar[str] = "pair-heatmap"

    styles: Mapping[str, Style]
    models: tuple[str, ...]
    difference: Grid
    pvalue: Grid
    better: tuple[tuple[bool, ...], ...]


def pair_heatmap_figure(comparison: Comparison) -> PairHeatmapFigure:
    """Collect every pair, best model first; a cell is row minus column.

    Examples
    --------
    >>> import bakeoff
    >>> table = [[0.81, 0.78, 0.70], [0.92, 0.90, 0.85], [0.75, 0.76, 0.71], [0.88, 0.84, 0.80], [0.67, 0.60, 0.62]] * 3
    >>> comparison = bakeoff.compare(bakeoff.Scores.from_wide(table, models=["a", "b", "c"], measure="auc"), rng=0)
    >>> from bakeoff.figures import pair_heatmap_figure
    >>> pair_heatmap_figure(comparison).kind
    'pair-heatmap'
    """
    models = tuple(comparison.values)
    known = {(p.model_a, p.model_b) for p in comparison.pairs} | {(p.model_b, p.model_a) for p in comparison.pairs}
    pairs = {(a, b): comparison.pair(a, b) for a in models for b in models if (a, b) in known}
    sign = 1 if comparison.greater_is_better else -1

    def cell(a: str, b: str, name: str) -> float | None:
        value = getattr(pairs[a, b], name) if (a, b) in pairs else np.nan
        return None if np.isnan(value) else float(value)

    return PairHeatmapFigure(
        title=tr("Every pair of models: difference in {measure}", measure=measure_word(comparison.measure)),
        caption=tr("Row minus column; coloured where the adjusted p-value is below 0.05 (green: the row is better)."),
        styles=styles_of(comparison.models),
        models=models,
        difference=tuple(tuple(cell(a, b, "estimate") for b in models) for a in models),
        pvalue=tuple(tuple(cell(a, b, "pvalue_adjusted") for b in models) for a in models),
        better=tuple(tuple(sign * (cell(a, b, "estimate") or 0.0) > 0 for b in models) for a in models),
    )
