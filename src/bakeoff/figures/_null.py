"""The distribution of a test's statistic where the null hypothesis holds, with its rejection region."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import numeral, translate
from bakeoff._core.validation import FloatArray
from bakeoff.figures._base import BLUE, DrawnFigure, Texts, finite, rounded
from bakeoff.figures._plot import shows
from bakeoff.stats import Tested
from bakeoff.stats.distributions import Null

RED = "#d55e00"
_POINTS = 241


@dataclass(frozen=True, repr=False)
class NullFigure(DrawnFigure):
    """A distribution, the part of it that rejects, and the values found."""

    kind: ClassVar[str] = "null"
    size: ClassVar[tuple[float, float]] = (5.4, 3.4)
    grid: ClassVar[str] = "none"

    x: tuple[float, ...]
    density: tuple[float, ...]
    discrete: bool
    region: tuple[tuple[float, float], ...]
    statistics: tuple[float, ...]
    critical: float | None
    alpha: float
    symbol: str

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("Where H0 is rejected"),
            "caption": translate(
                "Distribution of {symbol} if H0 holds; the coloured part is the rejection region at α = {alpha}; the "
                "lines stand at what the data gave.",
                symbol=self.symbol,
                alpha=numeral(self.alpha, "g"),
            ),
            "x_title": self.symbol,
            "y_title": translate("probability") if self.discrete else translate("density"),
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        x, height = np.array(self.x), np.array(self.density)
        if self.discrete:
            ax.vlines(x, 0, height, color=BLUE, linewidth=1.4)
        else:
            ax.plot(x, height, color=BLUE)
        for low, high in self.region:
            inside = (x >= low) & (x <= high)
            if self.discrete:
                ax.vlines(x[inside], 0, height[inside], color=RED, linewidth=2)
            else:
                ax.fill_between(x[inside], height[inside], color=RED, alpha=0.45, linewidth=0)
        lines = [ax.axvline(value, color="black", linewidth=1.4) for value in self.statistics]
        ax.set_ylim(bottom=0)
        return {"statistics_": lines}


@shows(Tested, name="null")
def null_figure(result: Tested, *, alpha: float | None = None) -> NullFigure:
    """Draw the distribution that a test refers its statistic to, and where it rejects.

    Examples
    --------
    >>> from bakeoff import figures, stats
    >>> result = stats.mcnemar_from_table([[145, 10], [25, 20]], method="chi2_corrected")
    >>> figure = figures.null_figure(result)
    >>> [round(v, 3) for v in (figure.statistics[0], figure.critical)], figure.symbol
    ([5.6, 3.841], 'χ²')
    """
    null = result.null_distribution
    level = round(1 - getattr(result, "confidence_level", 0.95), 12) if alpha is None else alpha
    every = getattr(result, "statistic", np.nan)
    found = np.atleast_1d(np.asarray(every if np.ndim(every) else result._decisive, dtype=np.float64))
    found = found[np.isfinite(found)]
    critical = null.critical(level)
    x = _places(null, found)
    return NullFigure(
        x=tuple(rounded(x)),
        density=tuple(rounded(null.density(x), 7)),
        discrete=null.discrete,
        region=_region(null, critical, float(x[0]), float(x[-1])),
        statistics=tuple(rounded(found)),
        critical=finite(critical),
        alpha=level,
        symbol=null.symbol,
    )


def _places(null: Null, found: FloatArray) -> FloatArray:
    """Where the distribution is drawn: all that is likely, and what was found."""
    if null.discrete:
        chances = null.density(np.arange(null.largest + 1))
        half = -(-chances.size // 2) if null.sides == 2 and null.law != "signed-rank" else chances.size
        (likely,) = np.nonzero(chances > 1e-4 * chances.max())  # with two sides the statistic is the smaller of two
        low = min(likely[0], *found.astype(int))
        return np.arange(max(low, 0), max(half, *np.ceil(found).astype(int) + 1), dtype=np.float64)
    far = 1.12 * float(np.abs(found).max(initial=0.0))
    if null.tail == "upper":
        edge = null.critical(0.9 if null.df[0] == 1 else 0.999)  # with 1 degree of freedom the density has no top
        return np.linspace(edge, max(1.3 * null.critical(0.01), far), _POINTS)
    far = min(max(1.2 * abs(null.critical(0.01)), far), 60.0)
    return np.linspace(0.01 if null.law == "many-to-one" else -far, far, _POINTS)


def _region(null: Null, critical: float, low: float, high: float) -> tuple[tuple[float, float], ...]:
    if np.isnan(critical):
        return ()
    if null.tail == "lower":
        return ((low, critical),) if low <= critical else ()
    if null.tail == "less":
        return ((low, critical),)
    both = ((low, -critical),) if null.tail == "two-sided" and low < 0 else ()
    return (*both, (critical, high))
