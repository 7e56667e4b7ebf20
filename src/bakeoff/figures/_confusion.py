"""The confusion matrix of one model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import numeral, translate
from bakeoff._core.validation import FloatArray
from bakeoff.evidence import Predictions
from bakeoff.figures._base import DrawnFigure, Texts, finite, plain

Grid = tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, repr=False)
class ConfusionFigure(DrawnFigure):
    """Counts of true against predicted classes, and the share of each true class."""

    kind: ClassVar[str] = "confusion"
    grid: ClassVar[str] = ""

    model: str
    classes: tuple[str, ...]
    counts: Grid
    rates: Grid
    threshold: float | None = None
    chosen: bool = False  # the threshold was chosen on these rows

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("Confusion matrix of {model}", model=self.model) + self._at(),
            "caption": self._caption(),
            "corner": translate("true \\ predicted"),
        }

    def _caption(self) -> str:
        if self.chosen:
            return translate(
                "True classes in rows, predicted classes in columns; shares are of the row. "
                "These rows also chose the threshold: fresh ones do worse."
            )
        return translate("True classes in rows, predicted classes in columns; shares are of the row.")

    def _at(self) -> str:
        if self.threshold is None:
            return ""
        return translate(", above the threshold {value}", value=numeral(self.threshold, ".3g"))

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        rates = np.array([[np.nan if v is None else v for v in row] for row in self.rates])
        image = ax.imshow(rates, cmap="Blues", vmin=0, vmax=1)
        for (i, j), rate in np.ndenumerate(rates):
            text = f"{numeral(self.counts[i][j])}\n{numeral(100 * rate, '.1f')} %"
            colour = "white" if rate > 0.55 else "black"
            ax.text(j, i, text, ha="center", va="center", color=colour, fontsize=8)
        places, names = range(len(self.classes)), [plain(c, 20) for c in self.classes]
        ax.set_xticks(places, names, rotation=30, ha="right")
        ax.set_yticks(places, names)
        return {"image_": image}


def confusion_figure(
    predictions: Predictions, model: str, *, threshold: float | None = None, dataset: str | None = None
) -> ConfusionFigure:
    """Collect the confusion matrix of one model, true classes in rows; of scores, above a threshold."""
    rows = predictions.table(dataset)
    derived = rows.positive is not None and rows.provides(model, "scores") and rows.labels_are_derived(model)
    at = threshold if threshold is not None else 0.5 if derived else None
    if threshold is None or rows.positive is None:
        cells = rows.confusion(model).cells
    else:
        called = np.where(rows.scores(model) >= threshold, rows.positive, 1 - rows.positive)
        cells = np.bincount(2 * rows.truth + called, rows.units.row_weight, 4).reshape(2, 2).astype(np.float64)
    totals = cells.sum(axis=1, keepdims=True)
    rates = np.divide(cells, totals, out=np.full_like(cells, np.nan), where=totals > 0)
    names = tuple(str(c) for c in rows.classes)
    return ConfusionFigure(
        model=model, classes=names, counts=_grid(cells), rates=_grid(rates), threshold=at, chosen=threshold is not None
    )


def _grid(values: FloatArray) -> Grid:
    return tuple(tuple(finite(v) for v in row) for row in values)
