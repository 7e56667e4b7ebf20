"""Isocost lines: all the points of ROC space that cost the same in a context."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import ParameterError
from bakeoff._core.result import Note, Result, attribute_columns
from bakeoff.decision._context import OperatingContext
from bakeoff.decision._curve import OperatingPoint

if TYPE_CHECKING:
    from bakeoff.decision._hull import RocHull


@dataclass(frozen=True, repr=False)
class IsocostLine(Result):
    """The line TPR = slope·FPR + intercept whose points all have the same expected cost.

    Attributes
    ----------
    slope
        (cost_fp − cost_tn)·N / ((cost_fn − cost_tp)·P); inf for a vertical line.
    intercept
        TPR at FPR 0: ``1 − (cost − cost of being always right) / (P·(cost_fn − cost_tp))``; NaN if vertical.
    expected_cost
        The cost, per case, of every point on the line. Lines nearer to (0, 1) are cheaper.
    context
        The context of the line.

    Examples
    --------
    Positives and negatives equally likely, a miss costs twice a false alarm: the points of cost 0.1 are
    TPR = ½·FPR + 0.9.

    >>> from bakeoff.decision import OperatingContext, isocost_line
    >>> context = OperatingContext(prevalence=0.5, cost_fp=1, cost_fn=2)
    >>> line = isocost_line(context, expected_cost=0.1)
    >>> line.slope, line.intercept, line.tpr_at([0.0, 0.2]).tolist()
    (0.5, 0.9, [0.9, 1.0])
    """

    slope: float
    intercept: float
    expected_cost: float
    context: OperatingContext
    notes: tuple[Note, ...] = ()

    def tpr_at(self, fpr: ArrayLike) -> Any:
        """Return the TPR of the line at given FPRs (it may leave [0, 1]: such costs cannot be had there)."""
        if np.isinf(self.slope):
            raise ParameterError("this isocost line is vertical: misses cost nothing in its context.")
        heights = self.slope * np.asarray(fpr, dtype=np.float64) + self.intercept
        return float(heights) if np.ndim(heights) == 0 else heights


def isocost_line(
    context: OperatingContext,
    *,
    expected_cost: float | None = None,
    through: tuple[float, float] | None = None,
) -> IsocostLine:
    """Return the isocost line of a given cost, or the one through the point (fpr, tpr).

    Examples
    --------
    >>> from bakeoff.decision import OperatingContext, isocost_line
    >>> line = isocost_line(OperatingContext(prevalence=0.5, cost_fp=1, cost_fn=2), through=(0.2, 0.8))
    >>> line.slope, round(line.expected_cost, 3)
    (0.5, 0.3)
    """
    if (expected_cost is None) == (through is None):
        raise ParameterError("isocost_line needs expected_cost or through=(fpr, tpr), one of them.")
    cost = float(context.expected_cost(*through)) if through is not None else float(expected_cost or 0.0)
    at_origin = float(context.expected_cost(0.0, 0.0))
    per_tpr = at_origin - float(context.expected_cost(0.0, 1.0))
    intercept = (at_origin - cost) / per_tpr if per_tpr > 0 else np.nan
    return IsocostLine(context.slope, intercept, cost, context)


@dataclass(frozen=True, repr=False)
class Tangent(Result):
    """Where the isocost line of a context first touches the hull, coming from (0, 1), and what the second best costs.

    Attributes
    ----------
    point
        The cheapest point, with its owner and threshold.
    line
        The isocost line through it.
    runner_up
        The cheapest point of another model (or trivial rule); None when there is no other.
    regret
        Expected cost of the runner-up minus that of the point; NaN without a runner-up.
    """

    point: OperatingPoint
    line: IsocostLine
    runner_up: OperatingPoint | None
    regret: float
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Any]:
        rows = [self.point] if self.runner_up is None else [self.point, self.runner_up]
        return attribute_columns(rows, "model", "threshold", "fpr", "tpr", "expected_cost", "normalised_cost")

    def _headline(self) -> str:
        return f"{self.point!r}, slope={self.line.slope:g}, regret={self.regret:g}"


def tangent(hull: RocHull, context: OperatingContext) -> Tangent:
    """Slide the isocost line of a context from (0, 1) down to the hull: the first point it touches is the best.

    Every model's own best point takes part, so that the second best is another model, not a neighbouring threshold.

    Examples
    --------
    >>> from bakeoff.decision import OperatingContext, RocHull, tangent
    >>> hull = RocHull.from_points({"A": (0.4, 0.9), "B": (0.1, 0.6)})
    >>> tangent(hull, OperatingContext(prevalence=0.01, cost_fp=10, cost_fn=1_000)).point.model
    'A'
    """
    resolved = hull.resolve(context)
    best = hull.best(resolved)
    runner_up = next((p for p in hull.best_of_each(resolved).values() if p.model != best.model), None)
    regret = np.nan if runner_up is None else runner_up.expected_cost - best.expected_cost
    return Tangent(best, isocost_line(resolved, through=(best.fpr, best.tpr)), runner_up, regret)
