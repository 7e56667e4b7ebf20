"""Bands around cost curves, and where two cost curves differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff._core.result import Interval, Note, Result
from bakeoff._core.validation import FloatArray, check_count, check_level
from bakeoff.counts import Draws
from bakeoff.decision._curve import Envelope
from bakeoff.decision._limits import normal_quantile, percentile, sum_of_rates
from bakeoff.decision._ranges import ContextRange, ContextRanges
from bakeoff.decision._rules import BinaryRows, Rates, RuleTable

GRID = 101
_BAND = ("cost", "low", "high", "low_simultaneous", "high_simultaneous")


@dataclass(frozen=True, repr=False)
class CostBand(Result):
    """Confidence bands of normalised cost on a grid of PC(+), by model.

    At each PC(+) the model works at the threshold that is cheapest there in these rows; the band tells how well that
    rule's cost is known. The upper limits are raised by the estimated optimism of choosing and evaluating on the same
    rows.

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
        head = {"model": [m for m in self.cost for _ in self.pc], "pc": np.tile(self.pc, len(self.cost))}
        return head | {name: np.concatenate(list(getattr(self, name).values())) for name in _BAND}

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
        return {name: getattr(self, name) for name in ("pc", "estimate", *_BAND[1:])}

    def _headline(self) -> str:
        where = ", ".join(f"{r.model} on [{r.pc_low:.2f}, {r.pc_high:.2f}]" for r in self.significant) or "nowhere"
        return f"{self.model_a} − {self.model_b}; significantly cheaper: {where}"


def cost_band(
    rows: BinaryRows, envelopes: Mapping[str, Envelope], level: float, n_resamples: int, seed: int
) -> CostBand:
    """Put bands around each model's curve."""
    level, draws = check_level(level), Draws(check_count("n_resamples", n_resamples), seed, stratified=True)
    grid = np.linspace(0, 1, GRID)
    # One model at a time: bands need no pairing, and fewer patterns are drawn faster.
    bands = [_band(rows, model, envelope, grid, draws, level) for model, envelope in envelopes.items()]
    of_models = (dict(zip(envelopes, values, strict=True)) for values in zip(*bands, strict=True))
    tables: Mapping[str, Any] = dict(zip(_BAND, of_models, strict=True))
    return CostBand(grid, **tables, confidence_level=level, method="mover-wilson" if rows.closed_form else "bootstrap")


def cost_difference(
    rows: BinaryRows, pair: Mapping[str, Envelope], level: float, n_resamples: int, seed: int
) -> CostDifference:
    """Compare two models' curves by resampling the rows they share."""
    level, draws = check_level(level), Draws(check_count("n_resamples", n_resamples), seed, stratified=True)
    grid = np.linspace(0, 1, GRID)
    (a, b) = pair
    resampled = _resampled(rows, pair, grid, draws)
    gaps = resampled[a].cost - resampled[b].cost
    estimate: FloatArray = pair[a].at(grid) - pair[b].at(grid)
    low, high = np.quantile(gaps, [(1 - level) / 2, (1 + level) / 2], axis=0)
    spread = gaps.std(axis=0, ddof=1)
    half = _critical(estimate, gaps, spread, level) * spread
    wide_low, wide_high = np.minimum(estimate - half, low), np.maximum(estimate + half, high)
    return CostDifference(
        model_a=a,
        model_b=b,
        pc=grid,
        estimate=estimate,
        low=low,
        high=high,
        low_simultaneous=wide_low,
        high_simultaneous=wide_high,
        significant=_excluding_zero(a, b, grid, wide_low, wide_high),
        significant_pointwise=_excluding_zero(a, b, grid, low, high),
        area=percentile(float(np.trapezoid(estimate, grid)), np.asarray(np.trapezoid(gaps, grid, axis=1)), level),
        confidence_level=level,
    )


@dataclass(frozen=True)
class _ResampledCost:
    """Cost of a model's best rule at each context on each draw ``[B, g]``, and the optimism of choosing it, ``[g]``."""

    cost: FloatArray
    optimism: FloatArray


def _resampled(
    rows: BinaryRows, envelopes: Mapping[str, Envelope], grid: FloatArray, draws: Draws
) -> dict[str, _ResampledCost]:
    """Resample the cost of each model's best rule at each grid point, all models on the same draws."""
    chosen = {model: envelope.line_at(grid) for model, envelope in envelopes.items()}
    used = {model: np.unique(lines) for model, lines in chosen.items()}
    table = RuleTable.of(rows, {model: own.thresholds[used[model]] for model, own in envelopes.items()})
    found = {}
    for model, drawn in table.resample(draws).of.items():
        at = np.searchsorted(used[model], chosen[model])
        cost = grid * (1 - drawn.tpr[:, at]) + (1 - grid) * drawn.fpr[:, at]
        real = Rates(envelopes[model].fpr[used[model]], envelopes[model].tpr[used[model]])
        found[model] = _ResampledCost(cost, _optimism(grid, drawn, real))
    return found


def _optimism(grid: FloatArray, drawn: Rates, real: Rates) -> FloatArray:
    """By how much a rule chosen on a resample looks cheaper there than on the rows behind it, ``[g]`` (Efron)."""
    found = np.empty(grid.size)
    for i, pc in enumerate(grid):
        cost = pc * (1 - drawn.tpr) + (1 - pc) * drawn.fpr
        best = cost.argmin(axis=1)
        on_rows = pc * (1 - real.tpr[best]) + (1 - pc) * real.fpr[best]
        found[i] = (on_rows - cost[np.arange(best.size), best]).mean()
    return found


def _band(
    rows: BinaryRows, model: str, envelope: Envelope, grid: FloatArray, draws: Draws, level: float
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Cost of a model and its limits, pointwise and simultaneous, ``[g]`` each."""
    resampled = _resampled(rows, {model: envelope}, grid, draws)[model]
    line = envelope.line_at(grid)
    fpr, tpr = envelope.fpr[line], envelope.tpr[line]
    cost: FloatArray = grid * (1 - tpr) + (1 - grid) * fpr
    spread = resampled.cost.std(axis=0, ddof=1)
    critical = _critical(cost, resampled.cost, spread, level)
    if rows.closed_form:
        z, weights, rates = normal_quantile(level), (grid, 1 - grid), (1 - tpr, fpr)
        low, high = sum_of_rates(weights, rates, rows.cases, z)
        wide_low, wide_high = sum_of_rates(weights, rates, rows.cases, max(critical, z))
    else:
        low, high = np.quantile(resampled.cost, [(1 - level) / 2, (1 + level) / 2], axis=0)
        wide_low, wide_high = cost - critical * spread, cost + critical * spread
    # The rule was chosen on these rows, so it looks cheaper than it is: the upper limits are raised by the optimism.
    shift = np.maximum(resampled.optimism, 0.0)
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
