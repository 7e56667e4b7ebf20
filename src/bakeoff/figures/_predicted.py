"""What a regression model predicted against what came."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.language import numeral, translate
from bakeoff._core.validation import FloatArray
from bakeoff.evidence import Predictions, Rows
from bakeoff.figures._base import BLUE, GREY, DrawnFigure, Texts, short

MOST_POINTS = 600  # more dots hide each other, and weigh in the file


@dataclass(frozen=True, repr=False)
class PredictedFigure(DrawnFigure):
    """Dots of predicted and actual values about the line on which both are equal."""

    kind: ClassVar[str] = "predicted"

    model: str
    predicted: tuple[float | None, ...]
    actual: tuple[float | None, ...]
    n_rows: int

    def _texts(self) -> dict[str, Any]:
        caption = translate("On the dashed line the prediction is right; dots above it came out higher than predicted.")
        return {
            "title": translate("Predicted and actual values, {model}", model=self.model),
            "caption": shown_of(caption, len(self.predicted), self.n_rows),
            "x_title": translate("predicted"),
            "y_title": translate("actual"),
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        x, y = (np.array(v, dtype=np.float64) for v in (self.predicted, self.actual))
        points = ax.scatter(x, y, s=9, color=BLUE, alpha=0.5, linewidths=0)
        ax.axline((float(np.nanmean(x)), float(np.nanmean(x))), slope=1, color=GREY, linestyle="--", linewidth=1)
        return {"points_": points}


def shown_of(caption: str, shown: int, of: int) -> str:
    """The caption, with how many of the rows are drawn where that is not all."""
    if shown >= of:
        return caption
    return caption + " " + translate("{n} of {of} rows are drawn.", n=numeral(shown), of=numeral(of, ",d"))


def pairs_of(rows: Rows, model: str) -> tuple[FloatArray, FloatArray]:
    """Predicted and actual values of the rows that are drawn: every k-th in the order of the prediction."""
    predicted, actual = rows.values(model), np.asarray(rows.truth, dtype=np.float64)
    kept = evenly(predicted)
    return predicted[kept], actual[kept]


def evenly(values: FloatArray) -> NDArray[np.intp]:
    """Indices of at most `MOST_POINTS` values, spread evenly over their order, the ends among them."""
    order = np.argsort(values, kind="stable")
    if order.size <= MOST_POINTS:
        return order
    return order[np.linspace(0, order.size - 1, MOST_POINTS).round().astype(np.intp)]


def predicted_figure(predictions: Predictions, model: str, *, dataset: str | None = None) -> PredictedFigure:
    """Collect what one model predicted and what came."""
    rows = predictions.table(dataset)
    predicted, actual = pairs_of(rows, model)
    return PredictedFigure(model, tuple(map(short, predicted)), tuple(map(short, actual)), int(rows.truth.size))
