"""Difference and adjusted p-value of every pair of models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import number, p_phrase, translate
from bakeoff.comparison import Comparison
from bakeoff.figures._base import DrawnFigure, Style, Texts, measure_label, plain, shared_decimals, styles_of

Grid = tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, repr=False)
class PairHeatmapFigure(DrawnFigure):
    """Every pair, best model first; a cell is row minus column."""

    kind: ClassVar[str] = "pair-heatmap"
    grid: ClassVar[str] = ""

    styles: Mapping[str, Style]
    models: tuple[str, ...]
    difference: Grid
    pvalue: Grid
    better: tuple[tuple[bool, ...], ...]
    measure: str
    digits: int

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("Every pair of models: difference in {measure}", measure=measure_label(self.measure)),
            "caption": translate(
                "Row minus column; coloured where the adjusted p-value is below 0.05 (green: the row is better)."
            ),
            "cells": [["·" if d is None else str(number(d, self.digits)) for d in row] for row in self.difference],
            "chances": [["" if p is None else f"p {p_phrase(p)}" for p in row] for row in self.pvalue],
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        size = len(self.models)
        shade = np.zeros((size, size))
        for i, j in np.ndindex(size, size):
            p = self.pvalue[i][j]
            if p is not None and p < 0.05:
                shade[i, j] = 1 if self.better[i][j] else -1
            text = f"{texts['cells'][i][j]}\n{texts['chances'][i][j]}"
            ax.text(j, i, text, ha="center", va="center", fontsize=7)
        image = ax.imshow(shade, cmap="PiYG", vmin=-2.2, vmax=2.2)
        names = [plain(m, 24) for m in self.models]
        ax.set_xticks(range(size), names, rotation=30, ha="right", fontsize=8)
        ax.set_yticks(range(size), names, fontsize=8)
        return {"image_": image}


def pair_heatmap_figure(comparison: Comparison) -> PairHeatmapFigure:
    """Collect every pair, best model first; a cell is row minus column."""
    models = tuple(comparison.values)
    known = {(p.model_a, p.model_b) for p in comparison.pairs} | {(p.model_b, p.model_a) for p in comparison.pairs}
    pairs = {(a, b): comparison.pair(a, b) for a in models for b in models if (a, b) in known}
    sign = 1 if comparison.greater_is_better else -1

    def cell(a: str, b: str, name: str) -> float | None:
        value = getattr(pairs[a, b], name) if (a, b) in pairs else np.nan
        return None if np.isnan(value) else float(value)

    return PairHeatmapFigure(
        styles=styles_of(comparison.models),
        models=models,
        difference=tuple(tuple(cell(a, b, "estimate") for b in models) for a in models),
        pvalue=tuple(tuple(cell(a, b, "pvalue_adjusted") for b in models) for a in models),
        better=tuple(tuple(sign * (cell(a, b, "estimate") or 0.0) > 0 for b in models) for a in models),
        measure=comparison.measure,
        digits=shared_decimals(comparison.pairs),
    )
