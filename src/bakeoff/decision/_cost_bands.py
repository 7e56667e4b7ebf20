"""Bands around cost curves, and where two cost curves differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff._core.notes import Note
from bakeoff._core.random import as_generator
from bakeoff._core.result import Interval, Result
from bakeoff._core.validation import FloatArray, check_count, check_level
from bakeoff.decision._dominance import Envelope
from bakeoff.decision._limits import normal_quantile, sum_of_rates
from bakeoff.decision._ranges import ContextRange, ContextRanges
from bakeoff.decision._rules import Judged, RuleTable

GRID = 101


@dataclass(frozen=True, repr=False)
class CostBand(Result):
    """Confidence bands of normalised cost on a grid of PC(+), by model.

    At each PC(+) the model works at the threshold that is cheapest there in these rows; the band tells how well that
    rule's cost is known. The upper limits make room for the optimism of choosing and judging on the same rows.

    Attributes
    ----------
    pc
        Grid of contexts, ``[g]``.
    cost, low, high
        Model → estimate and pointwise limits, ``[g]``.
    low_simultaneous, high_simultaneous
        Model → limits that hold for all PC(+) at once, ``[g]``.
    method
        ``"mover-wilson"`` for independent rows; ``"bootstrap"`` for weighted or clustered ones.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [9, 8, 7, 6, 5, 4] * 20, [6, 9, 4, 2, 5, 1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> band = bakeoff.cost_curves(p, n_resamples=200).band
    >>> band.method, band.cost["a"].shape
    ('mover-wilson', (101,))
    """

    pc: FloatArray
    cost: Mapping[str, FloatArray]
    low: Mapping[str, FloatArray]
    high: Mapping[str, FloatArray]
    low_simultaneous: Mapping[str, FloatArray]
    high_simultaneous: Mapping[str, FloatArray]
    confidence_level: float
    method: str
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Any]:
        names = ("cost", "low", "high", "low_simultaneous", "high_simultaneous")
        tables: dict[str, Mapping[str, FloatArray]] = {name: getattr(self, name) for name in names}
        head = {
            "model": [m for m in self.cost for _ in self.pc],
            "pc": np.tile(self.pc, len(self.cost)),
        }
        return head | {name: np.concatenate(list(table.values())) for name, table in tables.items()}

    def _headline(self) -> str:
        return f"{', '.join(self.cost)} at {self.pc.size} contexts, level {self.confidence_level:g}, {self.method}"


@dataclass(frozen=True, repr=False)
class CostDifference(Result):
    """Difference of two cost curves (a − b; negative means a is cheaper), paired row by row.

    Attributes
    ----------
    pc, estimate, low, high
        Grid of contexts, the difference and its pointwise limits, ``[g]``.
    low_simultaneous, high_simultaneous
        Limits that hold for all contexts at once, ``[g]``.
    significant
        The intervals of PC(+) where the simultaneous band excludes 0, with the cheaper model.
    significant_pointwise
        The same for the pointwise band: right for one context chosen beforehand.
    area
        Difference of the areas: mean difference over all contexts, with its interval.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [9, 8, 7, 6, 5, 4] * 20, [6, 9, 4, 2, 5, 1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> bakeoff.cost_curves(p, n_resamples=200).difference("a", "b")
    CostDifference(a − b; significantly cheaper: a on [0.66, 0.99])
    """

    model_a: str
    model_b: str
    pc: FloatArray
    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    low_simultaneous: FloatArray
    high_simultaneous: FloatArray
    significant: ContextRanges
    significant_pointwise: ContextRanges
    area: Interval
    confidence_level: float
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Any]:
        names = ("pc", "estimate", "low", "high", "low_simultaneous", "high_simultaneous")
        return {name: getattr(self, name) for name in names}

    def _headline(self) -> str:
        where = ", ".join(f"{r.model} on [{r.pc_low:.2f}, {r.pc_high:.2f}]" for r in self.significant) or "nowhere"
        return f"{self.model_a} − {self.model_b}; significantly cheaper: {where}"


def cost_band(rows: Judged, envelopes: Mapping[str, Envelope], level: float, n_resamples: int, seed: int) -> CostBand:
    """Put bands around each model's curve."""
    level, grid = check_level(level), np.linspace(0, 1, GRID)
    draws = check_count("n_resamples", n_resamples)
    parts = {}
    for model, envelope in envelopes.items():  # one by one: bands need no pairing, and fewer cells are drawn faster
        replicated, optimism = _resampled(rows, {model: envelope}, grid, draws, seed)[model]
        parts[model] = _band(rows, grid, envelope, replicated, optimism, level)
    cost, low, high, wide_low, wide_high = ({model: part[i] for model, part in parts.items()} for i in range(5))
    method = "mover-wilson" if rows.simple else "bootstrap"
    return CostBand(grid, cost, low, high, wide_low, wide_high, level, method)


def cost_difference(
    rows: Judged, pair: Mapping[str, Envelope], level: float, n_resamples: int, seed: int
) -> CostDifference:
    """Compare two models' curves by resampling the rows they share."""
    level, grid = check_level(level), np.linspace(0, 1, GRID)
    (a, b) = pair
    resampled = _resampled(rows, pair, grid, check_count("n_resamples", n_resamples), seed)
    draws = resampled[a][0] - resampled[b][0]
    estimate: FloatArray = pair[a].at(grid) - pair[b].at(grid)
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
    spread = draws.std(axis=0, ddof=1)
    half = _critical(estimate, draws, spread, level) * spread
    wide_low, wide_high = np.minimum(estimate - half, low), np.maximum(estimate + half, high)
    return CostDifference(
        a, b, grid, estimate, low, high, wide_low, wide_high,
        _excluding_zero(a, b, grid, wide_low, wide_high), _excluding_zero(a, b, grid, low, high),
        _area(estimate, draws, grid, level), level,
    )  # fmt: skip


def _resampled(
    rows: Judged, envelopes: Mapping[str, Envelope], grid: FloatArray, n_resamples: int, seed: int
) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Resample the cost of each model's best rule at each grid point, all models on the same draws.

    Returns, by model, the replicates ``[B, g]`` and the optimism ``[g]``: by how much a rule chosen on a resample
    looks cheaper there than it is on the rows the resample was drawn from (Efron).
    """
    chosen = {model: envelope.line_at(grid) for model, envelope in envelopes.items()}
    used = {model: np.unique(lines) for model, lines in chosen.items()}
    table = RuleTable.of(rows, {model: envelopes[model].thresholds[used[model]] for model in envelopes})
    draws: dict[str, list[FloatArray]] = {model: [] for model in envelopes}
    excess: dict[str, list[FloatArray]] = {model: [] for model in envelopes}
    for rates, _ in table.replicates(n_resamples, as_generator(seed)):
        for model, (fpr, tpr) in rates.items():
            at = np.searchsorted(used[model], chosen[model])
            draws[model].append(grid * (1 - tpr[:, at]) + (1 - grid) * fpr[:, at])
            real = (envelopes[model].fpr[used[model]], envelopes[model].tpr[used[model]])
            excess[model].append(_excess(grid, fpr, tpr, *real))
    return {m: (np.concatenate(draws[m]), np.concatenate(excess[m]).mean(axis=0)) for m in envelopes}


def _excess(
    grid: FloatArray, fpr: FloatArray, tpr: FloatArray, real_fpr: FloatArray, real_tpr: FloatArray
) -> FloatArray:
    """Cost on the rows minus cost on the resample of the rule that is cheapest on the resample, ``[b, g]``."""
    found = np.empty((fpr.shape[0], grid.size))
    for i, pc in enumerate(grid):
        cost = pc * (1 - tpr) + (1 - pc) * fpr
        best = cost.argmin(axis=1)
        real = pc * (1 - real_tpr[best]) + (1 - pc) * real_fpr[best]
        found[:, i] = real - cost[np.arange(best.size), best]
    return found


def _band(
    rows: Judged, grid: FloatArray, envelope: Envelope, draws: FloatArray, optimism: FloatArray, level: float
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    line = envelope.line_at(grid)
    fpr, tpr = envelope.fpr[line], envelope.tpr[line]
    cost: FloatArray = grid * (1 - tpr) + (1 - grid) * fpr
    spread = draws.std(axis=0, ddof=1)
    critical = _critical(cost, draws, spread, level)
    if rows.simple:
        z, weights, rates = normal_quantile(level), (grid, 1 - grid), (1 - tpr, fpr)
        low, high = sum_of_rates(weights, rates, rows.n_classes, z)
        wide_low, wide_high = sum_of_rates(weights, rates, rows.n_classes, max(critical, z))
    else:
        low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
        wide_low, wide_high = cost - critical * spread, cost + critical * spread
    # The rule was chosen on these rows, so it looks cheaper than it is: the upper limits make room for that.
    shift = np.maximum(optimism, 0.0)
    high, wide_high = np.minimum(high + shift, 1.0), np.minimum(wide_high + shift, 1.0)
    return cost, np.maximum(low, 0.0), high, np.maximum(wide_low, 0.0), wide_high


def _critical(estimate: FloatArray, draws: FloatArray, spread: FloatArray, level: float) -> float:
    """Quantile of the largest standardised deviation over the grid: what makes a band simultaneous (sup-t)."""
    moving = spread > 1e-15
    if not moving.any():
        return normal_quantile(level)
    deviations = np.abs(draws[:, moving] - estimate[moving]) / spread[moving]
    return float(np.quantile(deviations.max(axis=1), level))


def _excluding_zero(a: str, b: str, grid: FloatArray, low: FloatArray, high: FloatArray) -> ContextRanges:
    sign = np.where(high < 0, -1, np.where(low > 0, 1, 0))
    starts = np.append(0, np.flatnonzero(np.diff(sign)) + 1)
    ends = np.append(starts[1:], grid.size)
    found = [
        ContextRange(a if sign[s] < 0 else b, np.nan, float(grid[s]), float(grid[e - 1]))
        for s, e in zip(starts, ends, strict=True)
        if sign[s] != 0
    ]
    return ContextRanges(tuple(found))


def _area(estimate: FloatArray, draws: FloatArray, grid: FloatArray, level: float) -> Interval:
    centre = float(np.trapezoid(estimate, grid))
    areas = np.trapezoid(draws, grid, axis=1)
    low, high = np.quantile(areas, [(1 - level) / 2, (1 + level) / 2])
    return Interval(centre, min(float(low), centre), max(float(high), centre), level, "percentile")
