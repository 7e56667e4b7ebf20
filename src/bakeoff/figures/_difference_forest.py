"""Differences between models with their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import number, p_phrase, percent, translate
from bakeoff.comparison import Comparison
from bakeoff.figures._base import (
    GREY,
    OCHRE,
    DrawnFigure,
    Style,
    Texts,
    draw_intervals,
    finite,
    measure_label,
    shared_decimals,
    styles_of,
)
from bakeoff.figures._plot import shows

_MOST_PAIRS = 30


@dataclass(frozen=True, repr=False)
class DifferenceForestFigure(DrawnFigure):
    """Pairs of models, each as better minus worse; `n_pairs` counts those that are left out too."""

    kind: ClassVar[str] = "difference-forest"
    size: ClassVar[tuple[float, float]] = (6.2, 3.8)
    row_height: ClassVar[float] = 0.22
    grid: ClassVar[str] = "x"

    styles: Mapping[str, Style]
    rows: tuple[Mapping[str, Any], ...]
    measure: str
    margin: float | None
    n_pairs: int
    confidence_level: float
    digits: int

    def _texts(self) -> dict[str, Any]:
        measure = measure_label(self.measure)
        return {
            "title": translate("Differences in {measure}", measure=measure),
            "caption": self._caption(str(percent(self.confidence_level))),
            "x_title": translate("difference in {measure}", measure=measure),
            "row_texts": [self._row_text(row) for row in self.rows],
        }

    def _row_text(self, row: Mapping[str, Any]) -> str:
        estimate = str(number(row["estimate"], self.digits))
        return estimate if row["pvalue"] is None else f"{estimate}, p {p_phrase(row['pvalue'])}"

    def _caption(self, level: str) -> str:
        if self.n_pairs < 2:
            return translate(
                "Each line is one pair with its {level} % interval; one that crosses zero shows no difference.",
                level=level,
            )
        # With several pairs the adjusted p-value decides, not the interval.
        text = translate(
            "Each line is one pair with its {level} % interval taken alone; in colour where the adjusted p-value "
            "shows a difference.",
            level=level,
        )
        if self.n_pairs <= _MOST_PAIRS:
            return text
        return translate("The {shown} largest of {n} differences.", shown=_MOST_PAIRS, n=self.n_pairs) + " " + text

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        points = draw_intervals(ax, self.rows, self.styles, "winner")
        ax.axvline(0, color=GREY, linestyle="--", linewidth=1)
        if self.margin:
            ax.axvspan(-self.margin, self.margin, color=OCHRE, alpha=0.12)
        return {"points_": points}


@shows(Comparison, name="differences")
def difference_forest_figure(comparison: Comparison, *, against: str | None = None) -> DifferenceForestFigure:
    """Collect the pairs, each written as better minus worse, largest difference first (thirty at most).

    With `against`, only the pairs of that model.
    """
    sign = 1 if comparison.greater_is_better else -1
    if against is not None:
        comparison.pair(against, next(m for m in comparison.models if m != against))  # an unknown name is an error
    asked = [p for p in comparison.pairs if against in (None, p.model_a, p.model_b)]
    pairs = [p if sign * p.estimate >= 0 else p.flipped() for p in asked if np.isfinite(p.estimate)]
    pairs.sort(key=lambda p: -abs(p.estimate))
    return DifferenceForestFigure(
        styles=styles_of(comparison.models),
        rows=tuple(
            {
                "label": f"{p.model_a} − {p.model_b}",
                "winner": p.better or None,
                "estimate": finite(p.estimate),
                "low": finite(p.low),
                "high": finite(p.high),
                "pvalue": finite(p.pvalue_adjusted),
            }
            for p in pairs[:_MOST_PAIRS]
        ),
        measure=comparison.measure,
        margin=comparison.margin,
        n_pairs=len(pairs),
        confidence_level=comparison.confidence_level,
        digits=shared_decimals(pairs),
    )
