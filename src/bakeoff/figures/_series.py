"""Curves over a number, with their bands: error against the size of an ensemble, rejections against an effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.language import Text, render
from bakeoff.figures._base import GREY, MARKERS, DrawnFigure, Style, Texts, finite, rounded, styles_of
from bakeoff.figures._plot import shows
from bakeoff.stats.power import ErrorRates


@dataclass(frozen=True, repr=False)
class SeriesFigure(DrawnFigure):
    """One curve for each name, and a line to hold them against."""

    kind: ClassVar[str] = "series"
    size: ClassVar[tuple[float, float]] = (5.6, 3.8)

    styles: Mapping[str, Style]
    curves: tuple[Mapping[str, Any], ...]
    reference: float | None
    _words: Mapping[str, Text | str]

    def _texts(self) -> dict[str, Any]:
        return {name: render(word) for name, word in self._words.items()}

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        if self.reference is not None:
            ax.axhline(self.reference, color=GREY, linestyle="--", linewidth=1)
        lines = self._curves_on(ax, "x", "y")
        for line, curve in zip(lines, self.curves, strict=True):
            line.set(marker=MARKERS[self.styles[curve["model"]].marker], markersize=3.5)
        return {"lines_": lines}


def series_figure(
    x: Sequence[float],
    curves: Mapping[str, ArrayLike | tuple[ArrayLike, ArrayLike, ArrayLike]],
    *,
    title: Text | str,
    x_title: Text | str,
    y_title: Text | str,
    caption: Text | str = "",
    reference: float | None = None,
) -> SeriesFigure:
    """Collect curves over `x`: name → values, or values with the lower and the upper limits of their band.

    Examples
    --------
    >>> from bakeoff import figures
    >>> error = {"training": [0.3, 0.1, 0.0], "test": ([0.32, 0.2, 0.25], [0.3, 0.18, 0.2], [0.34, 0.22, 0.3])}
    >>> figure = figures.series_figure([1, 3, 9], error, title="Error", x_title="depth", y_title="error")
    >>> [curve["model"] for curve in figure.curves], figure.curves[1]["low"]
    (['training', 'test'], [0.3, 0.18, 0.2])
    """
    made = []
    for name, values in curves.items():
        parts = values if isinstance(values, tuple) else (values,)
        keys = ("y", "low", "high")[: len(parts)]
        columns = (rounded(np.asarray(part, dtype=np.float64), 6) for part in parts)
        made.append({"model": name, "x": rounded(np.asarray(x)), **dict(zip(keys, columns, strict=True))})
    words = {"title": title, "caption": caption, "x_title": x_title, "y_title": y_title}
    return SeriesFigure(styles_of(list(curves)), tuple(made), None if reference is None else finite(reference), words)


@shows(ErrorRates, name="series")
def _error_rates_figure(rates: ErrorRates) -> SeriesFigure:
    return series_figure(
        rates.effects,
        {test: rates.of(test) for test in rates.tests},
        title=Text("How often H0 is rejected"),
        caption=Text(
            "At effect 0 every rejection is a type I error, which should stay at the dashed line; elsewhere what is "
            "missing to 1 are type II errors."
        ),
        x_title=Text("true difference, in standard deviations"),
        y_title=Text("share of samples that reject"),
        reference=rates.alpha,
    )
