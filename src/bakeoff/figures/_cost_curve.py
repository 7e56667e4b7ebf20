"""Normalised expected cost in every context, and which model is cheapest where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import translate
from bakeoff.decision import CostCurve, RocCurve, RocHull, cost_curves
from bakeoff.evidence import Predictions
from bakeoff.figures._base import GREY, DrawnFigure, Style, Texts, rounded, styles_of
from bakeoff.figures._plot import shows
from bakeoff.figures._roc import BAND_MODELS


@dataclass(frozen=True, repr=False)
class CostCurveFigure(DrawnFigure):
    """Lower envelope of each model, the trivial rules, and the strip of the cheapest."""

    kind: ClassVar[str] = "cost-curve"

    styles: Mapping[str, Style]
    envelopes: tuple[Mapping[str, Any], ...]
    ranges: tuple[Mapping[str, Any], ...]
    trivial: tuple[str, str]

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("Cost curves"),
            "caption": translate(
                "Left: false alarms matter; right: misses do. The strip names the cheapest on the rows that also chose "
                "the thresholds; dashes are trivial rules."
            ),
            "x_title": translate("PC(+): how much the positives matter"),
            "y_title": translate("normalised expected cost"),
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        ax.plot([0, 0.5, 1], [0, 0.5, 0], color=GREY, linestyle="--", linewidth=1)
        lines = self._curves_on(ax, "pc", "cost")
        for r in self.ranges:
            style = self.styles.get(r["model"])
            ax.axvspan(r["low"], r["high"], ymin=0, ymax=0.025, color=style.colour if style else GREY)
        ax.set_ylim(0, 0.52)
        ax.set_xlim(0, 1)
        return {"lines_": lines}


@shows(CostCurve, name="cost-curve")
@shows(RocHull, RocCurve, name="cost-curve", where=lambda found: False)
def cost_curve_figure(
    evidence: Predictions | CostCurve | RocCurve | RocHull, *, dataset: str | None = None, bands: bool = False
) -> CostCurveFigure:
    """Collect the cost curves: lower envelope of each model, trivial rules, and the strip of the cheapest."""
    curves = _cost_curves(evidence, dataset)
    band = curves.band if bands and len(curves.models) <= BAND_MODELS else None
    grid = np.linspace(0.0, 1.0, 161) if band is None else band.pc
    envelopes = []
    for model in curves.models:
        # No rule need cost more than calling everyone negative (PC) or positive (1 − PC).
        cost = np.minimum(np.minimum(curves.at(grid, model), grid), 1 - grid)
        entry: dict[str, Any] = {"model": model, "pc": rounded(grid), "cost": rounded(cost)}
        if band is not None:
            entry |= {"low": rounded(band.low[model], 4), "high": rounded(band.high[model], 4)}
        envelopes.append(entry)
    return CostCurveFigure(
        styles=styles_of(curves.models),
        envelopes=tuple(envelopes),
        ranges=tuple({"model": r.model, "low": r.pc_low, "high": r.pc_high} for r in curves.ranges(by="model")),
        trivial=curves.trivial,
    )


def _cost_curves(evidence: Predictions | CostCurve | RocCurve | RocHull, dataset: str | None) -> CostCurve:
    if isinstance(evidence, CostCurve):
        return evidence
    if isinstance(evidence, Predictions):
        return cost_curves(evidence, dataset=dataset)
    hull = evidence.hull() if isinstance(evidence, RocCurve) else evidence
    return CostCurve.from_curves(hull.curves.values())
