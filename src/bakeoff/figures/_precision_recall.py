"""Precision against recall over all thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import translate
from bakeoff.evidence import Predictions, Rows
from bakeoff.figures._base import GREY, DrawnFigure, Style, Texts, keep_visible, measure_label, rounded, styles_of


@dataclass(frozen=True, repr=False)
class PrecisionRecallFigure(DrawnFigure):
    """Precision–recall curves, and the share of positives."""

    kind: ClassVar[str] = "precision-recall"

    styles: Mapping[str, Style]
    curves: tuple[Mapping[str, Any], ...]
    prevalence: float

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("Precision and recall"),
            "caption": translate("The dashed line is the share of positives: what calling everyone positive gives."),
            "area": measure_label("average_precision"),
            "x_title": translate("recall"),
            "y_title": translate("precision"),
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        ax.axhline(self.prevalence, color=GREY, linestyle=":", linewidth=1)
        lines = self._curves_on(ax, "recall", "precision", area=("AP", "average_precision"))
        return {"lines_": lines}


def precision_recall_figure(predictions: Predictions, *, dataset: str | None = None) -> PrecisionRecallFigure:
    """Collect the precision–recall curves of every scorer; rows of folds are counted together."""
    rows = predictions.table(dataset)
    return PrecisionRecallFigure(
        styles=styles_of(rows.models),
        curves=tuple(_curve(rows, m) for m in rows.models if rows.provides(m, "scores")),
        prevalence=float(np.average(rows.positives(), weights=rows.row_weight)),
    )


def _curve(rows: Rows, model: str) -> dict[str, Any]:
    from bakeoff.stats import average_precision_from_tally

    tally = rows.tally(model)
    found = np.cumsum(tally.positive)
    precision = found / (found + np.cumsum(tally.negative))
    recall = found / found[-1]
    index = keep_visible(recall, precision)
    return {
        "model": model,
        "recall": rounded(recall[index]),
        "precision": rounded(precision[index]),
        "average_precision": float(average_precision_from_tally(tally.positive, tally.negative)),
    }
