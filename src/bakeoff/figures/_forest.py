"""One measure of every model with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import numeral, translate
from bakeoff.figures._base import (
    GREY,
    DrawnFigure,
    Style,
    Texts,
    draw_intervals,
    estimate_text,
    finite,
    measure_label,
    styles_of,
)
from bakeoff.figures._plot import shows
from bakeoff.intervals import Evaluation
from bakeoff.measures import find


@dataclass(frozen=True, repr=False)
class ForestFigure(DrawnFigure):
    """Estimates with intervals, best first, and the best trivial baseline."""

    kind: ClassVar[str] = "forest"
    size: ClassVar[tuple[float, float]] = (6.2, 3.6)
    row_height: ClassVar[float] = 0.22
    grid: ClassVar[str] = "x"

    styles: Mapping[str, Style]
    rows: tuple[Mapping[str, Any], ...]
    measure: str
    greater_is_better: bool
    reference: float | None
    bounds: tuple[float | None, float | None]
    confidence_level: float
    off_scale: bool = False  # the trivial rule is so far off that it would squeeze the models together

    def _texts(self) -> dict[str, Any]:
        measure, level = measure_label(self.measure), numeral(100 * self.confidence_level)
        return {
            "title": translate("{measure} of each model", measure=measure),
            "caption": self._caption(level),
            "row_texts": [estimate_text(row) for row in self.rows],
            "x_title": measure,
        }

    def _caption(self, level: Any) -> str:
        if self.reference is None:
            return translate("Dots are estimates, lines {level} % intervals.", level=level)
        if self.off_scale:
            return translate(
                "Dots are estimates, lines {level} % intervals; the best trivial rule, {value}, is off the scale.",
                level=level, value=numeral(self.reference, ".3g"),
            )  # fmt: skip
        return translate(
            "Dots are estimates, lines {level} % intervals; the dashed line is the best trivial rule.", level=level
        )

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        points = draw_intervals(ax, self.rows, self.styles, "model")
        if self.reference is not None and not self.off_scale:
            ax.axvline(self.reference, color=GREY, linestyle="--", linewidth=1)
        return {"points_": points}


@shows(Evaluation, name="forest")
def forest_figure(evaluation: Evaluation, measure: str | None = None, *, dataset: str | None = None) -> ForestFigure:
    """Collect one measure of every model, best first; the dashed line is the best trivial baseline."""
    name = measure or evaluation.measures[0]
    chosen = dataset or evaluation.datasets[0]
    known = find(name)
    greater = True if known is None else known.greater_is_better
    present = {e.model for e in evaluation.entries if e.dataset == chosen}  # trivial rules are those of its own classes
    cells = {m: evaluation[chosen, m, name] for m in evaluation.models if m in present}
    order = sorted(cells, key=lambda m: _rank_key(cells[m].estimate, greater))
    trivial = [cells[m].estimate for m in evaluation.baselines if m in cells and np.isfinite(cells[m].estimate)]
    low, high = (None, None) if known is None else map(finite, known.bounds)
    reference = (max(trivial) if greater else min(trivial)) if trivial else None
    return ForestFigure(
        styles=styles_of(evaluation.models, evaluation.baselines),
        rows=tuple(
            {"label": m, "model": m, **{k: finite(getattr(cells[m], k)) for k in ("estimate", "low", "high")}}
            for m in [m for m in order if m not in evaluation.baselines] or order
        ),
        measure=name,
        greater_is_better=greater,
        reference=reference,
        bounds=(low, high),
        confidence_level=evaluation.confidence_level,
        off_scale=_off_scale(reference, [c for m, c in cells.items() if m not in evaluation.baselines]),
    )


def _off_scale(reference: float | None, cells: Sequence[Any]) -> bool:
    """Whether the trivial rule lies farther from the models than one and a half times all their intervals."""
    ends = np.array([[c.estimate, c.low, c.high] for c in cells], dtype=np.float64)
    ends = ends[np.isfinite(ends)]
    if reference is None or ends.size == 0:
        return False
    return bool(max(ends.min() - reference, reference - ends.max()) > 1.5 * np.ptp(ends))


def _rank_key(value: float, greater: bool) -> float:
    return float("inf") if np.isnan(value) else (-value if greater else value)
