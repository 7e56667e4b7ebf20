"""How large the errors of regression models are: the share of rows within any distance of the truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import translate
from bakeoff._core.validation import FloatArray
from bakeoff.evidence import Predictions
from bakeoff.figures._base import DrawnFigure, Style, Texts, keep_visible, rounded, styles_of

_SHOWN = 0.99  # of the errors of the model with the largest ones: a few giants would press the rest together


@dataclass(frozen=True, repr=False)
class ErrorDistributionFigure(DrawnFigure):
    """Cumulative shares of the absolute errors."""

    kind: ClassVar[str] = "error-distribution"

    styles: Mapping[str, Style]
    curves: tuple[Mapping[str, Any], ...]
    largest: float

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("How large the errors are"),
            "caption": translate(
                "Read upwards from an error: the share of rows that are no further off. Higher is better."
            ),
            "x_title": translate("absolute error"),
            "y_title": translate("share of the rows"),
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        lines = self._curves_on(ax, "error", "share")
        ax.set_xlim(0, self.largest)
        return {"lines_": lines}


def error_distribution_figure(predictions: Predictions, *, dataset: str | None = None) -> ErrorDistributionFigure:
    """Collect the shares of rows within any distance of the truth, for every model that predicts values."""
    rows = predictions.table(dataset)
    truth = np.asarray(rows.truth, dtype=np.float64)
    weight = np.ones(truth.size) if rows.row_weight is None else np.asarray(rows.row_weight, dtype=np.float64)
    models = [m for m in rows.models if rows.provides(m, "values")]
    errors = {m: np.abs(rows.values(m) - truth) for m in models}
    largest = max((float(np.quantile(e, _SHOWN)) for e in errors.values()), default=1.0) or 1.0
    return ErrorDistributionFigure(
        styles=styles_of(rows.models),
        curves=tuple({"model": m, **_curve(e, weight, largest)} for m, e in errors.items()),
        largest=largest,
    )


def _curve(error: FloatArray, weight: FloatArray, largest: float) -> dict[str, list[float]]:
    order = np.argsort(error, kind="stable")
    x, share = np.append(0.0, error[order]), np.append(0.0, np.cumsum(weight[order]) / weight.sum())
    inside = x <= largest
    x, share = np.append(x[inside], largest), np.append(share[inside], share[inside][-1])
    kept = keep_visible(x / largest, share)
    return {"error": [float(f"{v:.5g}") for v in x[kept]], "share": rounded(share[kept], 4)}
