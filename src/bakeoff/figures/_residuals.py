"""What is left of the truth when the prediction is taken away, along the prediction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import translate
from bakeoff._core.validation import FloatArray
from bakeoff.evidence import Predictions
from bakeoff.figures._base import BLUE, GREY, DrawnFigure, Texts, rounded, short
from bakeoff.figures._predicted import pairs_of, shown_of

_GROUPS = 12  # of equally many rows, at most
_FEWEST = 10  # rows in a group


@dataclass(frozen=True, repr=False)
class ResidualsFigure(DrawnFigure):
    """Actual minus predicted along the prediction, with the middle and the middle 80 % of groups of neighbours."""

    kind: ClassVar[str] = "residuals"

    model: str
    predicted: tuple[float | None, ...]
    residual: tuple[float | None, ...]
    middle: Mapping[str, list[float]]
    n_rows: int

    def _texts(self) -> dict[str, Any]:
        caption = translate(
            "The line is the median of neighbouring rows, the band their middle 80 %: a line off zero is a bias, "
            "a band that widens is noise that grows."
        )
        return {
            "title": translate("Residuals of {model}", model=self.model),
            "caption": shown_of(caption, len(self.predicted), self.n_rows),
            "x_title": translate("predicted"),
            "y_title": translate("actual minus predicted"),
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        x, y = (np.array(v, dtype=np.float64) for v in (self.predicted, self.residual))
        points = ax.scatter(x, y, s=9, color=GREY, alpha=0.5, linewidths=0)
        ax.axhline(0, color="black", linewidth=1)
        ax.fill_between(self.middle["x"], self.middle["low"], self.middle["high"], color=BLUE, alpha=0.15, linewidth=0)
        lines = ax.plot(self.middle["x"], self.middle["median"], color=BLUE, linewidth=1.8)
        return {"points_": points, "lines_": lines}


def residuals_figure(predictions: Predictions, model: str, *, dataset: str | None = None) -> ResidualsFigure:
    """Collect the residuals of one model along its prediction."""
    rows = predictions.table(dataset)
    predicted, actual = pairs_of(rows, model)
    whole = rows.values(model)
    return ResidualsFigure(
        model, tuple(map(short, predicted)), tuple(map(short, actual - predicted)),
        _middle(whole, np.asarray(rows.truth, dtype=np.float64) - whole), int(rows.truth.size),
    )  # fmt: skip


def _middle(x: FloatArray, residual: FloatArray) -> dict[str, list[float]]:
    """Median and middle 80 % of groups of equally many rows, in the order of `x`."""
    order = np.argsort(x, kind="stable")
    groups = np.array_split(order, max(1, min(_GROUPS, x.size // _FEWEST)))
    low, median, high = np.array([np.quantile(residual[g], (0.1, 0.5, 0.9)) for g in groups]).T
    centres = np.array([np.median(x[g]) for g in groups])
    return {name: rounded(v) for name, v in (("x", centres), ("low", low), ("median", median), ("high", high))}
