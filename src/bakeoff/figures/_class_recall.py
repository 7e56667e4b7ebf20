"""How often each class is found, by each model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from bakeoff._core.language import numeral, translate
from bakeoff.figures._base import (
    DrawnFigure,
    Style,
    Texts,
    draw_intervals,
    estimate_text,
    finite,
    measure_label,
    styles_of,
)
from bakeoff.intervals import Evaluation


@dataclass(frozen=True, repr=False)
class ClassRecallFigure(DrawnFigure):
    """Recall of each class with its interval, models side by side."""

    kind: ClassVar[str] = "class-recall"
    size: ClassVar[tuple[float, float]] = (6.2, 3.6)
    row_height: ClassVar[float] = 0.22
    grid: ClassVar[str] = "x"

    styles: Mapping[str, Style]
    rows: tuple[Mapping[str, Any], ...]
    confidence_level: float

    def _texts(self) -> dict[str, Any]:
        level = numeral(100 * self.confidence_level)
        return {
            "title": translate("How often each class is found"),
            "caption": translate("Recall of each class, by model; lines are {level} % intervals.", level=level),
            "row_texts": [estimate_text(row) for row in self.rows],
            "x_title": measure_label("recall"),
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        points = draw_intervals(ax, self.rows, self.styles, "model")
        ax.set_xlim(0, 1)
        return {"points_": points}


def class_recall_figure(evaluation: Evaluation, models: Sequence[str] | None = None) -> ClassRecallFigure:
    """Collect the recall of each class by these models (all that are not trivial by default)."""
    shown = [m for m in models or evaluation.models if m not in evaluation.baselines]
    found = {(e.label, e.entry.model): e for e in evaluation.per_class.entries if e.entry.measure == "recall"}
    classes = list(dict.fromkeys(label for label, _ in found))
    cells = [(label, m, found[label, m]) for label in classes for m in shown if (label, m) in found]
    return ClassRecallFigure(
        styles=styles_of(evaluation.models, evaluation.baselines),
        rows=tuple(
            {
                "label": f"{label} (n = {cell.n}) · {m}", "model": m,
                **{k: finite(getattr(cell.entry.interval, k)) for k in ("estimate", "low", "high")},
            }
            for label, m, cell in cells
        ),
        confidence_level=evaluation.confidence_level,
    )  # fmt: skip
