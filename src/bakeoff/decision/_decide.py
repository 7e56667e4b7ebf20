"""The verb `decide`: which model, at which threshold, for these costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bakeoff._core.notes import Note, emit, unique
from bakeoff._core.random import RngLike, as_generator
from bakeoff._core.result import Interval
from bakeoff._core.validation import BoolArray, FloatArray, check_count, check_level
from bakeoff.decision._analysis import one_table
from bakeoff.decision._context import OperatingContext
from bakeoff.decision._crossfit import crossfit_calls, fold_parts, random_parts
from bakeoff.decision._decide_notes import (
    calibration_notes,
    cross_fitted,
    hull_disagrees,
    prevalence_notes,
    same_data,
    size_notes,
    trivial_may_be_better,
)
from bakeoff.decision._decision import Alternative, Decision, HoldsFor
from bakeoff.decision._draws import cheapest_first, p_best, percentile
from bakeoff.decision._edge import unseen_errors
from bakeoff.decision._hull import RocHull
from bakeoff.decision._limits import mean_of_cells, normal_quantile, sum_of_rates
from bakeoff.decision._multiclass import MulticlassContext
from bakeoff.decision._point import TIE, OperatingPoint
from bakeoff.decision._ranges import ContextRange
from bakeoff.decision._rules import Judged, RuleTable, judged_rows
from bakeoff.decision._uncertain import ContextDraws, UncertainContext, as_context
from bakeoff.evidence import Predictions

_ELKAN = "\x00calibrated"  # the choice at Elkan's threshold, resampled beside the others


def decide(
    predictions: Predictions,
    context: OperatingContext | UncertainContext | MulticlassContext | Mapping[str, Any],
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    dataset: str | None = None,
    rng: RngLike = None,
) -> Decision:
    """Which model should I use, at which threshold, for my prevalence and my costs?

    Every threshold of every model competes with the trivial rules. With folds, each threshold is judged on rows that
    did not choose it (cross-fitting); without, the estimate is the apparent one and a note says by how much it may
    be optimistic. The uncertainty is that of the test rows: the cheapest rules are resampled together, case by case.

    Parameters
    ----------
    predictions
        Scores (or labels) of the models on one data set.
    context
        `OperatingContext`, `UncertainContext` (ranges or distributions), or a cost matrix of several classes made by
        `OperatingContext.multiclass`.
    confidence_level
        Level of the intervals.
    n_resamples
        Resamples behind `p_best` and the regrets.
    dataset
        Which data set, when there are several.
    rng
        Seed or generator of the resampling.

    Examples
    --------
    The cancer test of the lectures: under its own costs nobody should use either model at a prevalence of 1 %.

    >>> import numpy as np, bakeoff
    >>> ill = np.repeat([1, 0], 100)
    >>> answers = {"A": np.repeat([1, 0, 1, 0], [90, 10, 40, 60]), "B": np.repeat([1, 0, 1, 0], [60, 40, 10, 90])}
    >>> p = bakeoff.Predictions.from_arrays(ill, y_pred=answers)
    >>> decision = bakeoff.decide(p, bakeoff.OperatingContext(prevalence=0.01, cost_fp=10, cost_fn=10_000), rng=0)
    >>> decision.model, round(decision.expected_cost.estimate, 2)
    ('always 1', 9.9)
    >>> [(a.model, round(a.expected_cost.estimate, 2)) for a in decision.alternatives]
    [('A', 13.96), ('B', 40.99), ('always 0', 100.0)]
    """
    level, draws = check_level(confidence_level), check_count("n_resamples", n_resamples, minimum=50)
    table = one_table(predictions, dataset)
    generator = as_generator(rng)
    if isinstance(context, MulticlassContext):
        from bakeoff.decision._decide_multiclass import decide_multiclass

        found = decide_multiclass(table, context, level, draws, generator)
    else:
        given = as_context(context)
        found = _Case(judged_rows(table), given, level, draws, generator).decide(table.name)
    emit(found.notes)
    return found


@dataclass(frozen=True)
class _Case:
    """One question with its evidence."""

    rows: Judged
    given: OperatingContext | UncertainContext
    level: float
    n_resamples: int
    rng: np.random.Generator

    def decide(self, dataset: str) -> Decision:
        rows, context = self.rows, self.context
        curves = [rows.curve(model) for model in rows.outputs]
        hull = RocHull.from_curves(curves, negative=rows.negative_name, positive=rows.positive_name)
        points = hull.best_of_each(context)
        apparent = {m: self._apparent_calls(points[m]) for m in hull.models}
        judged = self._cross_fitted(context) if rows.part is not None else apparent
        costs = {m: self._cost(judged.get(m), m, hull) for m in hull.hulls}
        order = cheapest_first(costs, hull.trivial)
        elkan = _elkan(rows, hull, order, context)
        replicates = self._replicated(judged, hull, elkan)
        ranked = self._alternatives(order, points, judged, costs, replicates, hull)
        optimism = self._optimism(ranked[0], points[order[0]], costs, hull)
        choice = _with_room(ranked[0], optimism if rows.part is None else 0.0)
        notes = [*prevalence_notes(rows, self.given), *size_notes(rows)]
        notes += self._threshold_notes(choice, hull, points[choice.model], optimism)
        if elkan is not None and not choice.trivial:
            notes += calibration_notes(
                choice.model, elkan[1:], replicates[_ELKAN] - replicates[choice.model], self.level
            )
        return Decision(
            model=choice.model,
            threshold=choice.threshold,
            expected_cost=choice.expected_cost,
            alternatives=tuple(ranked[1:]),
            holds_for=_holds_for(hull, choice.model, context),
            p_best=choice.p_best,
            context=context if isinstance(self.given, OperatingContext) else self.given.at(rows.prevalence),
            choice=choice,
            apparent_cost=points[choice.model].expected_cost,
            cross_fitted=rows.part is not None and not choice.trivial,
            optimism=optimism,
            calibrated_threshold=elkan[1] if elkan else None,
            calibrated_cost=elkan[2] if elkan else None,
            dataset=dataset,
            notes=unique(notes),
        )

    @property
    def context(self) -> OperatingContext:
        """The context to decide in: with the prevalence of the rows if none was given, at the means if uncertain."""
        resolved = self.given.at(self.rows.prevalence)
        return resolved.mean() if isinstance(resolved, UncertainContext) else resolved

    @property
    def prevalence_is_known(self) -> bool:
        return self.given.prevalence is not None

    def _apparent_calls(self, point: OperatingPoint) -> BoolArray:
        output = self.rows.outputs[point.model]
        return output if output.dtype == bool else output >= point.threshold

    def _cross_fitted(self, context: OperatingContext) -> dict[str, BoolArray]:
        part = fold_parts(self.rows, self.rng)
        return {m: crossfit_calls(self.rows, m, context, part) for m in self.rows.outputs}

    def _cost(self, called: BoolArray | None, model: str, hull: RocHull) -> float:
        fpr, tpr = self._rates(called, model, hull)
        return float(self.context.expected_cost(fpr, tpr))

    def _rates(self, called: BoolArray | None, model: str, hull: RocHull) -> tuple[float, float]:
        if called is None:
            return (0.0, 0.0) if model == hull.trivial[0] else (1.0, 1.0)
        weight = np.ones(self.rows.n) if self.rows.weight is None else self.rows.weight
        n_positive, n_negative = self.rows.n_classes
        hits = float(weight[called & self.rows.positive].sum())
        alarms = float(weight[called & ~self.rows.positive].sum())
        return alarms / n_negative, hits / n_positive

    def _replicated(
        self, judged: Mapping[str, BoolArray], hull: RocHull, elkan: tuple[BoolArray, float, float] | None
    ) -> dict[str, FloatArray]:
        """Resample the cost of every rule on the same draws of rows (and of the context), ``[B]`` by name."""
        calls = dict(judged) | ({_ELKAN: elkan[0]} if elkan else {})
        table = RuleTable.of(replace(self.rows, outputs=calls), {m: np.array([np.nan]) for m in calls})
        context = ContextDraws.of(self.given, self.n_resamples, self.rng)
        costs: dict[str, list[FloatArray]] = {m: [] for m in [*calls, *hull.trivial]}
        observed = table.rates()
        done = 0
        for rates, share in table.replicates(self.n_resamples, self.rng, stratified=self.prevalence_is_known):
            part = context.slice(done, done + share.size)
            done += share.size
            rates = unseen_errors(rates, observed, self.rows, self.rng)
            for name in hull.trivial:
                rates[name] = tuple(np.full((share.size, 1), float(name == hull.trivial[1])) for _ in range(2))  # type: ignore[assignment]
            for name, (fpr, tpr) in rates.items():
                costs[name].append(part.cost(fpr[:, 0], tpr[:, 0], share))
        return {name: np.concatenate(parts) for name, parts in costs.items()}

    def _alternatives(
        self,
        order: list[str],
        points: Mapping[str, OperatingPoint],
        judged: Mapping[str, BoolArray],
        costs: Mapping[str, float],
        replicates: Mapping[str, FloatArray],
        hull: RocHull,
    ) -> list[Alternative]:
        chances = p_best({m: replicates[m] for m in order}, hull.trivial)
        shares = _context_shares(self.given, hull, self.rows.prevalence, self.rng)
        first = order[0]
        found = []
        for model in order:
            fpr, tpr = self._rates(judged.get(model), model, hull)
            threshold = points[model].threshold
            gap = replicates[model] - replicates[first]
            found.append(
                Alternative(
                    model,
                    None if np.isnan(threshold) else threshold,
                    self._interval(costs[model], fpr, tpr, replicates[model], hull.is_trivial(model)),
                    percentile(costs[model] - costs[first], gap, self.level),
                    chances[model],
                    hull.is_trivial(model),
                    fpr,
                    tpr,
                    shares.get(model, np.nan),
                )
            )
        return found

    def _interval(self, cost: float, fpr: float, tpr: float, draws: FloatArray, trivial: bool) -> Interval:
        rows, context, z = self.rows, self.context, normal_quantile(self.level)
        if trivial and self.prevalence_is_known and isinstance(self.given, OperatingContext):
            return Interval(cost, cost, cost, self.level, "exact")
        if rows.weight is not None or rows.groups is not None or isinstance(self.given, UncertainContext):
            return percentile(cost, draws, self.level)
        n_positive, n_negative = (n / rows.n_repeats for n in rows.n_classes)
        share = rows.prevalence
        if self.prevalence_is_known:
            pi = context._known_prevalence("expected_cost")
            base = pi * context.cost_tp + (1 - pi) * context.cost_tn
            weights = (pi * context.miss_weight, (1 - pi) * context.alarm_weight)
            low, high = (base + float(v) for v in sum_of_rates(weights, (1 - tpr, fpr), (n_positive, n_negative), z))
        elif trivial:  # only the prevalence is in doubt
            each = [float(context.with_prevalence(p).expected_cost(fpr, tpr)) for p in (1.0, 0.0)]
            low, high = mean_of_cells(each, (share, 1 - share), n_positive + n_negative, z)
        else:
            prices = (context.cost_tp, context.cost_fn, context.cost_fp, context.cost_tn)
            shares = (share * tpr, share * (1 - tpr), (1 - share) * fpr, (1 - share) * (1 - fpr))
            low, high = mean_of_cells(prices, shares, n_positive + n_negative, z)
        return Interval(cost, min(low, cost), max(high, cost), self.level, "mover-wilson")

    def _optimism(self, choice: Alternative, own: OperatingPoint, costs: Mapping[str, float], hull: RocHull) -> float:
        """By how much the threshold of the choice looks cheaper on the rows that chose it than on others."""
        if choice.trivial or choice.threshold is None:
            return 0.0
        if self.rows.part is not None:
            return costs[choice.model] - own.expected_cost
        calls = crossfit_calls(self.rows, choice.model, self.context, random_parts(self.rows, self.rng))
        return self._cost(calls, choice.model, hull) - own.expected_cost

    def _threshold_notes(self, choice: Alternative, hull: RocHull, own: OperatingPoint, optimism: float) -> list[Note]:
        looks_best = hull.best(self.context).model
        notes = [] if looks_best == choice.model else [hull_disagrees(looks_best)]
        if choice.trivial or choice.threshold is None:
            return notes
        if self.rows.part is not None:
            return [cross_fitted(own.expected_cost), *notes]
        honest = own.expected_cost + optimism
        trivial = min(hull.trivial, key=lambda name: self._cost(None, name, hull))
        if honest > self._cost(None, trivial, hull):
            notes.append(trivial_may_be_better(trivial))
        return [same_data(own.expected_cost, honest), *notes]


def _with_room(choice: Alternative, optimism: float) -> Alternative:
    """Make room above the estimate for the optimism of a threshold chosen and judged on the same rows."""
    if optimism <= 0:
        return choice
    cost = choice.expected_cost
    return replace(choice, expected_cost=replace(cost, high=cost.high + optimism))


def _elkan(
    rows: Judged, hull: RocHull, order: list[str], context: OperatingContext
) -> tuple[BoolArray, float, float] | None:
    """Call the rows of the best model at Elkan's threshold, if its scores can be probabilities."""
    best = next((m for m in order if not hull.is_trivial(m)), None)
    if best is None or rows.outputs[best].dtype == bool:
        return None
    score = rows.outputs[best]
    if score.min() < 0 or score.max() > 1 or not 0 < rows.prevalence < 1 or context.prevalence in (0.0, 1.0):
        return None
    threshold = context.threshold_on(rows.prevalence)
    point = hull.curves[best].point_at(threshold)
    return score >= threshold, threshold, float(context.expected_cost(point.fpr, point.tpr))


def _holds_for(hull: RocHull, model: str, context: OperatingContext) -> HoldsFor:
    """Return the interval of contexts around this one in which the model stays the cheapest."""
    held = _around(list(hull.ranges(by="model")), model, context)
    exact = _around(list(hull.ranges()), model, context)
    pi = context._known_prevalence("holds_for")
    inside = 0 < pi < 1
    ratios = held.cost_ratios(pi) if inside else (np.nan, np.nan)
    return HoldsFor((held.pc_low, held.pc_high), held.prevalences(context), ratios, (exact.pc_low, exact.pc_high))


def _around(ranges: list[ContextRange], model: str, context: OperatingContext) -> ContextRange:
    pc = context.pc
    holding = [r for r in ranges if r.model == model and r.pc_low - TIE <= pc <= r.pc_high + TIE]
    return holding[0] if holding else ContextRange(model, np.nan, pc, pc)


def _context_shares(
    given: OperatingContext | UncertainContext, hull: RocHull, prevalence: float, rng: np.random.Generator
) -> dict[str, float]:
    if isinstance(given, OperatingContext):
        return {}
    pcs = given.at(prevalence).draw_pc(2000, rng)
    ranges = hull.ranges(by="model")
    return {
        m: float(np.mean([any(r.pc_low <= pc < r.pc_high for r in ranges if r.model == m) for pc in pcs]))
        for m in hull.hulls
    }
