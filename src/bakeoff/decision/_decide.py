"""The verb `decide`: which model, at which threshold, for these costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bakeoff._core.notes import Note, emit, unique
from bakeoff._core.random import RngLike, as_generator
from bakeoff._core.result import Interval
from bakeoff._core.validation import BoolArray, FloatArray, IntArray, check_count, check_level
from bakeoff.counts import Draws
from bakeoff.decision import _decision_text as tell
from bakeoff.decision._context import OperatingContext, as_context, resampled_cost
from bakeoff.decision._curve import TIE, OperatingPoint, cheapest_first
from bakeoff.decision._decision import Alternative, Decision, HoldsFor
from bakeoff.decision._envelope import ContextRange, ContextRanges
from bakeoff.decision._hull import RocHull
from bakeoff.decision._limits import mean_of_cells, normal_quantile, p_best, percentile, sum_of_rates, unseen_errors
from bakeoff.decision._multiclass import MulticlassContext
from bakeoff.decision._rules import (
    BinaryRows,
    RuleTable,
    binary_rows,
    crossfit_calls,
    fold_parts,
    one_table,
    random_parts,
)
from bakeoff.evidence import Predictions

if TYPE_CHECKING:
    from bakeoff.decision._uncertain import UncertainContext

_ELKAN = "\x00calibrated"  # the choice at Elkan's threshold, resampled with the others


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

    Every threshold of every model competes with the trivial rules. With folds, each threshold is evaluated on rows
    that did not choose it (cross-fitting); without, the estimate is the apparent one and a note says by how much it may
    be optimistic. The uncertainty is that of the test rows: the cheapest rules are resampled together, unit by unit.

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
        found = _Question(binary_rows(table), as_context(context), level, draws, generator).decide(table.name)
    emit(found.notes)
    return found


@dataclass(frozen=True)
class _Rule:
    """One thing to do, and what it costs: a model at its threshold, or a trivial rule (which calls no rows)."""

    threshold: float
    fpr: float
    tpr: float
    cost: float
    called: BoolArray | None = None


@dataclass(frozen=True)
class _Question:
    """What `decide` was asked, with the evidence."""

    rows: BinaryRows
    given: OperatingContext | UncertainContext
    level: float
    n_resamples: int
    rng: np.random.Generator

    def decide(self, dataset: str) -> Decision:
        rows, hull = self.rows, RocHull.from_rows(self.rows)
        points = hull.best_of_each(self.context)
        rules = self._rules(points, hull)
        elkan = self._elkan(rules, hull)
        replicates = self._resampled_costs(rules, elkan, hull)
        choice, *others = self._alternatives(rules, replicates, hull)
        own = points[choice.model]
        optimism = self._optimism(choice, own)
        notes = [*tell.prevalence_notes(rows, self.given), *tell.size_notes(rows)]
        notes += self._threshold_notes(choice, own, optimism, hull)
        if elkan is not None and not choice.trivial:
            excess = replicates[_ELKAN] - replicates[choice.model]
            notes += tell.calibration_notes(choice.model, (elkan.threshold, elkan.cost), excess, self.level)
        if rows.part is None:
            choice = _raised(choice, optimism)
        return Decision(
            model=choice.model,
            threshold=choice.threshold,
            expected_cost=choice.expected_cost,
            alternatives=tuple(others),
            holds_for=_holds_for(hull, choice.model, self.context),
            p_best=choice.p_best,
            context=self.context if self.context_is_known else self.given.at(rows.prevalence),
            choice=choice,
            apparent_cost=own.expected_cost,
            cross_fitted=rows.part is not None and not choice.trivial,
            optimism=optimism,
            calibrated_threshold=elkan.threshold if elkan else None,
            calibrated_cost=elkan.cost if elkan else None,
            dataset=dataset,
            notes=unique(notes),
        )

    @cached_property
    def context(self) -> OperatingContext:
        """The context to decide in: with the prevalence of the rows if none was given, at the means if uncertain."""
        resolved = self.given.at(self.rows.prevalence)
        return resolved if isinstance(resolved, OperatingContext) else resolved.mean()

    @property
    def context_is_known(self) -> bool:
        return isinstance(self.given, OperatingContext)

    @property
    def prevalence_is_known(self) -> bool:
        return self.given.prevalence is not None

    def _rules(self, points: Mapping[str, OperatingPoint], hull: RocHull) -> dict[str, _Rule]:
        """Every model at its cheapest threshold, and the trivial rules; cheapest first."""
        part = None if self.rows.part is None else fold_parts(self.rows, self.rng)
        rules = {name: self._rule(points[name], part, trivial=hull.is_trivial(name)) for name in hull.hulls}
        order = cheapest_first({name: rule.cost for name, rule in rules.items()}, hull.trivial)
        return {name: rules[name] for name in order}

    def _rule(self, point: OperatingPoint, part: IntArray | None, *, trivial: bool) -> _Rule:
        """A model at its cheapest threshold; with folds, each row is called with the cheapest of the other folds."""
        if trivial:
            return _Rule(point.threshold, point.fpr, point.tpr, point.expected_cost)
        output = self.rows.outputs[point.model]
        if part is not None:
            called = crossfit_calls(self.rows, point.model, self.context, part)
        else:
            called = output if output.dtype == bool else output >= point.threshold
        fpr, tpr = self.rows.rates(called)
        return _Rule(point.threshold, fpr, tpr, float(self.context.expected_cost(fpr, tpr)), called)

    def _elkan(self, rules: Mapping[str, _Rule], hull: RocHull) -> _Rule | None:
        """The best model at Elkan's threshold for calibrated probabilities, if its scores can be such."""
        best = next((name for name in rules if not hull.is_trivial(name)), None)
        if best is None or self.rows.outputs[best].dtype == bool or self.context.prevalence in (0.0, 1.0):
            return None
        score = self.rows.outputs[best]
        if score.min() < 0 or score.max() > 1:
            return None
        threshold = self.context.threshold_on(self.rows.prevalence)
        point = hull.curves[best].point_at(threshold)
        cost = float(self.context.expected_cost(point.fpr, point.tpr))
        return _Rule(threshold, point.fpr, point.tpr, cost, score >= threshold)

    def _resampled_costs(self, rules: Mapping[str, _Rule], elkan: _Rule | None, hull: RocHull) -> dict[str, FloatArray]:
        """The cost of every rule on the same draws of the units (and of the context), ``[B]`` by name."""
        asked = {name: rules[name] for name in hull.models} | ({} if elkan is None else {_ELKAN: elkan})
        calls = {name: rule.called for name, rule in asked.items() if rule.called is not None}
        table, given = RuleTable.of_calls(self.rows, calls), self.given
        numbers = given if isinstance(given, OperatingContext) else given.draw(self.n_resamples, self.rng)
        # With a known prevalence the two classes are samples of their own; else their mix is drawn too.
        drawn = table.resample(Draws(self.n_resamples, self.rng, stratified=self.prevalence_is_known))
        rates = unseen_errors(drawn, table.rates(), self.rows.independent, self.rng)
        costs = {
            name: resampled_cost(numbers, found.fpr[:, 0], found.tpr[:, 0], drawn.prevalence)
            for name, found in rates.items()
        }
        for name in hull.trivial:
            rate = np.full(self.n_resamples, rules[name].fpr)
            costs[name] = resampled_cost(numbers, rate, rate, drawn.prevalence)
        return costs

    def _alternatives(
        self, rules: Mapping[str, _Rule], replicates: Mapping[str, FloatArray], hull: RocHull
    ) -> list[Alternative]:
        shares = p_best({name: replicates[name] for name in rules}, hull.trivial)
        context_shares = self._context_shares(hull)
        first = next(iter(rules))
        return [
            Alternative(
                name,
                None if np.isnan(rule.threshold) else rule.threshold,
                self._interval(rule, replicates[name], hull.is_trivial(name)),
                percentile(rule.cost - rules[first].cost, replicates[name] - replicates[first], self.level),
                shares[name],
                hull.is_trivial(name),
                rule.fpr,
                rule.tpr,
                context_shares.get(name, np.nan),
            )
            for name, rule in rules.items()
        ]

    def _context_shares(self, hull: RocHull) -> dict[str, float]:
        """Share of the possible contexts in which each is the cheapest; nothing where the context is known."""
        if isinstance(self.given, OperatingContext):
            return {}
        pc = self.given.at(self.rows.prevalence).draw(2000, self.rng).pc
        ranges = hull.ranges(by="model")
        return {
            name: float(sum(((r.pc_low <= pc) & (pc < r.pc_high)).mean() for r in ranges if r.model == name))
            for name in hull.hulls
        }

    def _interval(self, rule: _Rule, draws: FloatArray, trivial: bool) -> Interval:
        if trivial and self.prevalence_is_known and self.context_is_known:
            return Interval(rule.cost, rule.cost, rule.cost, self.level, "exact")
        if not self.rows.closed_form or not self.context_is_known:
            return percentile(rule.cost, draws, self.level)
        low, high = self._closed_limits(rule, trivial)
        return Interval(rule.cost, min(low, rule.cost), max(high, rule.cost), self.level, "mover-wilson")

    def _closed_limits(self, rule: _Rule, trivial: bool) -> tuple[float, float]:
        """Limits of the cost of a rule on independent cases that count alike."""
        context, z, share = self.context, normal_quantile(self.level), self.rows.prevalence
        n_cases = sum(self.rows.cases)
        if self.prevalence_is_known:
            pi = context._known_prevalence("expected_cost")
            base = pi * context.cost_tp + (1 - pi) * context.cost_tn
            weights = (pi * context.miss_weight, (1 - pi) * context.alarm_weight)
            low, high = sum_of_rates(weights, (1 - rule.tpr, rule.fpr), self.rows.cases, z)
            return base + float(low), base + float(high)
        if trivial:  # only the prevalence is uncertain
            each = [float(context.with_prevalence(p).expected_cost(rule.fpr, rule.tpr)) for p in (1.0, 0.0)]
            return mean_of_cells(each, (share, 1 - share), n_cases, z)
        prices = (context.cost_tp, context.cost_fn, context.cost_fp, context.cost_tn)
        hit, alarm = share * rule.tpr, (1 - share) * rule.fpr
        return mean_of_cells(prices, (hit, share * (1 - rule.tpr), alarm, (1 - share) * (1 - rule.fpr)), n_cases, z)

    def _optimism(self, choice: Alternative, own: OperatingPoint) -> float:
        """By how much the threshold of the choice looks cheaper on the rows that chose it than on others."""
        if choice.trivial or choice.threshold is None:
            return 0.0
        if self.rows.part is not None:
            return choice.expected_cost.estimate - own.expected_cost
        rows = self.rows.written_out()  # copies of a row are cases of their own, and need not be left out together
        called = crossfit_calls(rows, choice.model, self.context, random_parts(rows, self.rng))
        return float(self.context.expected_cost(*rows.rates(called))) - own.expected_cost

    def _threshold_notes(self, choice: Alternative, own: OperatingPoint, optimism: float, hull: RocHull) -> list[Note]:
        looks_best = hull.best(self.context).model
        notes = [] if looks_best == choice.model else [tell.hull_disagrees(looks_best)]
        if choice.trivial or choice.threshold is None:
            return notes
        if self.rows.part is not None:
            return [tell.cross_fitted(own.expected_cost), *notes]
        cost = own.expected_cost + optimism
        costs = {name: float(self.context.expected_cost(rate, rate)) for rate, name in enumerate(hull.trivial)}
        trivial = min(costs, key=lambda name: costs[name])
        if cost > costs[trivial]:
            notes.append(tell.trivial_may_be_better(trivial))
        return [tell.same_data(own.expected_cost, cost), *notes]


def _raised(choice: Alternative, optimism: float) -> Alternative:
    """Raise the upper limit by the estimated optimism of a threshold chosen and evaluated on the same rows."""
    if optimism <= 0:
        return choice
    cost = choice.expected_cost
    return replace(choice, expected_cost=replace(cost, high=cost.high + optimism))


def _holds_for(hull: RocHull, model: str, context: OperatingContext) -> HoldsFor:
    """Return the interval of contexts around this one in which the model stays the cheapest."""
    held = _around(hull.ranges(by="model"), model, context)
    exact = _around(hull.ranges(), model, context)
    pi = context._known_prevalence("holds_for")
    inside = 0 < pi < 1
    ratios = held.cost_ratios(pi) if inside else (np.nan, np.nan)
    return HoldsFor((held.pc_low, held.pc_high), held.prevalences(context), ratios, (exact.pc_low, exact.pc_high))


def _around(ranges: ContextRanges, model: str, context: OperatingContext) -> ContextRange:
    pc = context.pc
    holding = (r for r in ranges if r.model == model and r.pc_low - TIE <= pc <= r.pc_high + TIE)
    return next(holding, ContextRange(model, np.nan, pc, pc))
