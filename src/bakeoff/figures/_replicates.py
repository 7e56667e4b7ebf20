"""Histogram of bootstrap replicates, with the estimate and the interval made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import numeral, translate
from bakeoff.figures._base import BLUE, DrawnFigure, Texts, rounded
from bakeoff.figures._plot import shows
from bakeoff.stats.resample import BootstrapIntervalResult

_BINS = 30


@dataclass(frozen=True, repr=False)
class ReplicatesFigure(DrawnFigure):
    """How often each value came out of the resamples."""

    kind: ClassVar[str] = "replicates"
    size: ClassVar[tuple[float, float]] = (5.4, 3.4)
    grid: ClassVar[str] = "none"

    edges: tuple[float, ...]
    counts: tuple[int, ...]
    estimate: float
    low: float
    high: float
    method: str
    level: float

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("Bootstrap replicates"),
            "caption": translate(
                "What {n} resamples gave; solid: the estimate, dashed: its {level} % interval ({method}).",
                n=numeral(sum(self.counts), "g"),
                level=numeral(100 * self.level, "g"),
                method=self.method,
            ),
            "x_title": translate("replicate"),
            "y_title": translate("how many"),
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        bars = ax.stairs(self.counts, self.edges, fill=True, color=BLUE, alpha=0.35)
        ax.axvline(self.estimate, color="black", linewidth=1.4)
        for limit in (self.low, self.high):
            ax.axvline(limit, color="black", linestyle="--", linewidth=1.2)
        return {"bars_": bars}


@shows(BootstrapIntervalResult, name="replicates")
def replicates_figure(result: BootstrapIntervalResult) -> ReplicatesFigure:
    """Collect the histogram of the replicates of `stats.bootstrap_interval`.

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff import figures, stats
    >>> draws = np.random.default_rng(0).binomial(100, 0.85, 500) / 100
    >>> sum(figures.replicates_figure(stats.bootstrap_interval(0.85, draws)).counts)
    500
    """
    draws = np.asarray(result._inputs.get("draws", ()), dtype=np.float64)
    draws = draws[np.isfinite(draws)]
    if not draws.size or np.ndim(result.estimate):
        raise ParameterError("the figure shows the replicates of one statistic, and there are none of one here.")
    counts, edges = np.histogram(draws, bins=min(_BINS, max(np.unique(draws).size, 1)))
    return ReplicatesFigure(
        edges=tuple(rounded(edges, 6)),
        counts=tuple(counts.tolist()),
        estimate=float(result.estimate),
        low=float(result.low),
        high=float(result.high),
        method=result.method,
        level=float(result.confidence_level),
    )
