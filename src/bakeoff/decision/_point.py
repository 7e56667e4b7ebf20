"""An operating point: one model at one threshold, and what it costs in a context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bakeoff._core.notes import Note
from bakeoff._core.result import Result
from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.decision._context import OperatingContext

# Two normalised costs are tied when they differ by less than the rounding of the rates they are made of.
TIE = 2e-15


@dataclass(frozen=True, repr=False)
class OperatingPoint(Result):
    """One model used at one threshold.

    Attributes
    ----------
    model, threshold
        ``score >= threshold`` is called positive; NaN when the model answers labels and has no threshold; ±inf for
        the trivial rules "always negative" and "always positive".
    fpr, tpr
        The rates it works at.
    expected_cost, normalised_cost
        Per case in the currency of the costs, and on the scale 0 (always right) to 1 (always wrong). NaN when the
        point was not asked for in a context.
    tied
        Other (model, threshold) pairs of exactly the same cost.

    Examples
    --------
    >>> from bakeoff.decision import OperatingContext, RocHull
    >>> hull = RocHull.from_points({"A": (0.4, 0.9), "B": (0.1, 0.6)})
    >>> point = hull.best(OperatingContext(prevalence=0.001, cost_fp=10, cost_fn=10_000))
    >>> point.model, round(point.expected_cost, 3)
    ('A', 4.996)
    """

    model: str
    threshold: float
    fpr: float
    tpr: float
    expected_cost: float = np.nan
    normalised_cost: float = np.nan
    tied: tuple[tuple[str, float], ...] = ()
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Sequence[object]]:
        names = ("model", "threshold", "fpr", "tpr", "expected_cost", "normalised_cost")
        return {name: [getattr(self, name)] for name in names}


def cheapest_point(
    context: OperatingContext,
    models: Sequence[str],
    thresholds: FloatArray,
    fpr: FloatArray,
    tpr: FloatArray,
    trivial: BoolArray | None = None,
) -> OperatingPoint:
    """Return the point of least expected cost; of tied points a trivial rule (it needs no model), else the first."""
    order = cheapest_order(context, fpr, tpr, trivial)
    first = int(order[0])
    normalised = float(context.normalised_cost(fpr[first], tpr[first]))
    return OperatingPoint(
        model=models[first],
        threshold=float(thresholds[first]),
        fpr=float(fpr[first]),
        tpr=float(tpr[first]),
        expected_cost=float(context.expected_cost(fpr[first], tpr[first])),
        normalised_cost=normalised,
        tied=tuple((models[int(i)], float(thresholds[int(i)])) for i in order[1:]),
    )


def cheapest_order(
    context: OperatingContext, fpr: FloatArray, tpr: FloatArray, trivial: BoolArray | None = None
) -> IntArray:
    """Return the indices of all points tied for the least cost, trivial rules first."""
    costs = np.asarray(context.normalised_cost(fpr, tpr))
    tied = np.flatnonzero(costs <= costs.min() + TIE)
    if trivial is None:
        return tied
    return tied[np.argsort(~trivial[tied], kind="stable")]
