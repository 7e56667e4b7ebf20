"""The verb `decide`: which model, at which threshold, for these costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bakeoff._core.language import Text
from bakeoff._core.result import Interval, Note, emit, unique, warning_note
from bakeoff._core.validation import BoolArray, FloatArray, RngLike, as_generator, check_count, check_level
from bakeoff.counts import Draws
from bakeoff.decision._context import (
    OperatingContext,
    amount,
    as_context,
    cost_ratio_of_pc,
    one_context,
    prevalences_of_pc,
    resampled_cost,
)
from bakeoff.decision._cross_fit import CrossFit, cheapest_order
from bakeoff.decision._curve import TIE, Envelope, OperatingPoint, cheapest_point, hull_boundaries
from bakeoff.decision._decision import Alternative, Decision, HoldsFor
from bakeoff.decision._limits import cost_limits, not_worse, percentile, t_quantile, told_apart, unseen_errors
from bakeoff.decision._multiclass import MulticlassContext
from bakeoff.decision._out_of_bag import OutOfBag, decide_out_of_bag
from bakeoff.decision._rules import BinaryRows, RuleTable, binary_rows, one_table
from bakeoff.evidence import Predictions, Rows, paired_rows

if TYPE_CHECKING:
    from bakeoff.decision._uncertain import Uncertain, UncertainContext

_FEW = 30  # cases of a class below which its error rate is poorly known
_SHIFT = 0.05  # relative difference of prevalences that is worth a note
_ELKAN = "\x00calibrated"  # the choice at Elkan's threshold, resampled with the others


def decide(
    predictions: Predictions,
    context: OperatingContext | UncertainContext | MulticlassContext | Mapping[str, object] | None = None,
    *,
    prevalence: Uncertain | None = None,
    cost_fp: Uncertain | None = None,
    cost_fn: Uncertain | None = None,
    cost_tp: Uncertain | None = None,
    cost_tn: Uncertain | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    dataset: str | None = None,
    rng: RngLike = None,
    by: str | Sequence[str] | None = None,
    min_n: int = 30,
) -> Decision:
    """Which model should I use, at which threshold, for my prevalence and my costs?

    Every model competes with the trivial rules, its threshold chosen on some parts of the rows (the folds, if there are
    any) and evaluated on the others. What the choice costs is asked of rows that made no choice: units are drawn with
    replacement, model and threshold are chosen again in the bag, and the units out of the bag pay.

    Parameters
    ----------
    predictions
        Scores (or labels) of the models on one data set.
    context
        `OperatingContext`, `UncertainContext` (ranges or distributions), or a cost matrix of several classes made by
        `OperatingContext.multiclass`.
    prevalence, cost_fp, cost_fn, cost_tp, cost_tn
        The context in single numbers (or ranges), instead of `context`: ``decide(p, cost_fp=1, cost_fn=10)``.
    confidence_level
        Level of the intervals.
    n_resamples
        Resamples behind the cost, `p_best` and the regrets. Fewer decisions are made again (at least 100) where one
        takes long.
    dataset
        Which data set, when there are several.
    rng
        Seed or generator of the resampling.
    by, min_n
        A slice kept with the evidence, or several that are crossed: the decision is made for each too
        (`Decision.slices`); slices with fewer units than `min_n` are marked as small.

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
    given = {"prevalence": prevalence, "cost_fp": cost_fp, "cost_fn": cost_fn, "cost_tp": cost_tp, "cost_tn": cost_tn}
    context = one_context(context, {name: value for name, value in given.items() if value is not None})
    predictions = paired_rows(predictions)
    table = one_table(predictions, dataset)
    generator = as_generator(rng)
    found = _decide(table, context, level, draws, generator)
    if by is not None:
        from bakeoff.decision._decide_slices import decisions_by_slice

        seed = int(generator.integers(2**63))
        least = check_count("min_n", min_n, minimum=1)

        def again(rows: Rows, level: float) -> Decision:
            return _decide(rows, context, level, draws, as_generator(seed))

        found = replace(found, slices=decisions_by_slice(table, found, by, level, least, again))
    found = replace(found, notes=unique((*predictions.notes, *found.notes)))
    emit(found.notes)
    return found


def _decide(table: Rows, context: Any, level: float, draws: int, rng: np.random.Generator) -> Decision:
    if isinstance(context, MulticlassContext):
        from bakeoff.decision._decide_multiclass import decide_multiclass

        return decide_multiclass(table, context, level, draws, rng)
    rows = binary_rows(table.about(table.models, "scores")).written_out()
    return _Question(rows, as_context(context), level, draws, rng).decide(table.name)


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
        rows = self.rows
        again = self._again()  # drawn first, so that the draws are the same in every context
        rules = self._rules()
        elkan = self._elkan(rules)
        replicates = self._resampled_costs(rules, elkan)
        choice, others = told_apart(replicates, self._alternatives(rules, replicates, again.share))
        own = self.points[choice.model]
        cost = self._expected_cost(choice, again)
        notes = [*_prevalence_notes(rows, self.given), *_size_notes(rows)]
        notes += self._choice_notes(choice, own, again)
        if elkan is not None and not choice.trivial:
            excess = replicates[_ELKAN] - replicates[choice.model]
            notes += _calibration_notes(choice.model, (elkan.threshold, elkan.cost), excess, self.level)
        return Decision(
            model=choice.model,
            threshold=choice.threshold,
            expected_cost=cost,
            alternatives=others,
            holds_for=self._holds_for(choice),
            p_best=choice.p_best,
            context=self.context if self.context_is_known else self.given.at(rows.prevalence),
            choice=choice,
            apparent_cost=own.expected_cost,
            cross_fitted=not choice.trivial and choice.threshold is not None,
            not_worse=not_worse(choice, others, self.level),
            optimism=0.0 if choice.trivial else cost.estimate - own.expected_cost,
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

    @cached_property
    def cross_fit(self) -> CrossFit:
        """The rule that decides."""
        return CrossFit.of(self.rows)

    @cached_property
    def models(self) -> tuple[str, ...]:
        """The models, without the trivial rules."""
        return tuple(name for name in self.rows.outputs if name not in self.rows.trivial)

    @cached_property
    def envelopes(self) -> dict[str, Envelope]:
        """The useful points of the trivial rules and of each model, on all rows."""
        trivial = {name: Envelope.constant(rate) for rate, name in enumerate(self.rows.trivial)}
        return trivial | {name: self.rows.curve(name).envelope for name in self.models}

    @cached_property
    def points(self) -> dict[str, OperatingPoint]:
        """The cheapest point of each, on all rows."""
        return {
            name: cheapest_point(self.context, [name] * own.fpr.size, own.thresholds, own.fpr, own.tpr)
            for name, own in self.envelopes.items()
        }

    @property
    def looks_best(self) -> str:
        """The cheapest on the rows that chose the thresholds; of tied ones a trivial rule, else that of least FPR."""
        least = min(point.normalised_cost for point in self.points.values())
        tied = [name for name, point in self.points.items() if point.normalised_cost <= least + TIE]
        return min(tied, key=lambda name: (name in self.models, self.points[name].fpr))

    def _rules(self) -> dict[str, _Rule]:
        """Every model at its cheapest threshold, and the trivial rules; cheapest first."""
        rules = {name: self._rule(self.points[name]) for name in self.cross_fit.names}
        costs = self.cross_fit.costs(np.array([self.context.pc]))[:, 0].tolist()
        order = cheapest_order(dict(zip(self.cross_fit.names, costs, strict=True)), self.cross_fit.names)
        return {name: rules[name] for name in order}

    def _rule(self, point: OperatingPoint) -> _Rule:
        """A model with its cheapest threshold; its rates are those of thresholds chosen on other rows."""
        if point.model in self.rows.trivial:
            return _Rule(point.threshold, point.fpr, point.tpr, point.expected_cost)
        called = self.cross_fit.called(point.model, self.context.pc)
        fpr, tpr = self.rows.rates(called)
        return _Rule(point.threshold, fpr, tpr, float(self.context.expected_cost(fpr, tpr)), called)

    def _again(self) -> OutOfBag:
        """The whole decision made again on draws of the units, and paid for by the units that were not drawn."""
        known, names = self.prevalence_is_known, self.cross_fit.names
        return decide_out_of_bag(self.rows, self.context, known, names, self.n_resamples, self.rng)

    def _expected_cost(self, choice: Alternative, again: OutOfBag) -> Interval:
        """What the choice costs on rows that did not make it.

        A trivial rule has nothing to be chosen on these rows. A model that answers labels has its textbook cost; only
        the choice among models flatters it, which widens the interval.
        """
        own = choice.expected_cost
        if choice.trivial or np.isnan(again.standard_error):
            return own
        reach = t_quantile(self.level, self.rows.units.n - 1) * again.standard_error
        below, above = own.estimate - own.low, own.high - own.estimate
        if self.context_is_known:  # never narrower than for a rule fixed beforehand, whose errors may be too few to see
            below, above = max(reach, below), max(reach, above)
        else:  # what the context leaves open comes on top of what the choice leaves open
            below, above = float(np.hypot(reach, below)), float(np.hypot(reach, above))
        low, high = max(again.estimate - below, min(self._least_cost, again.estimate)), again.estimate + above
        if choice.threshold is None:
            return replace(own, low=min(own.low, low), high=max(own.high, high))
        return Interval(again.estimate, low, high, self.level, "out-of-bag")

    @property
    def _least_cost(self) -> float:
        """What a case costs if every answer is right."""
        if not self.context_is_known:
            return -np.inf
        if self.prevalence_is_known:
            return float(self.context.expected_cost(0.0, 1.0))
        return min(self.context.cost_tp, self.context.cost_tn)

    def _elkan(self, rules: Mapping[str, _Rule]) -> _Rule | None:
        """The best model at Elkan's threshold for calibrated probabilities, if its scores can be such."""
        best = next((name for name in rules if name in self.models), None)
        if best is None or self.rows.outputs[best].dtype == bool or self.context.prevalence in (0.0, 1.0):
            return None
        score = self.rows.outputs[best]
        if score.min() < 0 or score.max() > 1:
            return None
        threshold = self.context.threshold_on(self.rows.prevalence)
        point = self.rows.curve(best).point_at(threshold)
        cost = float(self.context.expected_cost(point.fpr, point.tpr))
        return _Rule(threshold, point.fpr, point.tpr, cost, score >= threshold)

    def _resampled_costs(self, rules: Mapping[str, _Rule], elkan: _Rule | None) -> dict[str, FloatArray]:
        """The cost of every rule on the same draws of the units (and of the context), ``[B]`` by name."""
        asked = {name: rules[name] for name in self.models} | ({} if elkan is None else {_ELKAN: elkan})
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
        for name in self.rows.trivial:
            rate = np.full(self.n_resamples, rules[name].fpr)
            costs[name] = resampled_cost(numbers, rate, rate, drawn.prevalence)
        return costs

    def _alternatives(
        self, rules: Mapping[str, _Rule], replicates: Mapping[str, FloatArray], shares: Mapping[str, float]
    ) -> list[Alternative]:
        context_shares = self._context_shares()
        first = next(iter(rules))
        return [
            Alternative(
                name,
                None if np.isnan(rule.threshold) else rule.threshold,
                self._interval(rule, replicates[name], name in self.rows.trivial),
                percentile(rule.cost - rules[first].cost, replicates[name] - replicates[first], self.level),
                shares[name],
                name in self.rows.trivial,
                rule.fpr,
                rule.tpr,
                context_shares.get(name, np.nan),
            )
            for name, rule in rules.items()
        ]

    def _context_shares(self) -> dict[str, float]:
        """Share of the possible contexts in which each is chosen; nothing where the context is known."""
        if isinstance(self.given, OperatingContext):
            return {}
        chosen = self.cross_fit.choices(self.given.at(self.rows.prevalence).draw(2000, self.rng).pc)
        return {name: float((chosen == i).mean()) for i, name in enumerate(self.cross_fit.names)}

    def _interval(self, rule: _Rule, draws: FloatArray, trivial: bool) -> Interval:
        if trivial and self.prevalence_is_known and self.context_is_known:
            return Interval(rule.cost, rule.cost, rule.cost, self.level, "exact")
        if not self.rows.closed_form or not self.context_is_known:
            return percentile(rule.cost, draws, self.level)
        known, rates = self.prevalence_is_known, (rule.fpr, rule.tpr)
        low, high = cost_limits(self.rows, self.context, rates, self.level, prevalence_is_known=known, trivial=trivial)
        return Interval(rule.cost, min(low, rule.cost), max(high, rule.cost), self.level, "mover-wilson")

    def _choice_notes(self, choice: Alternative, own: OperatingPoint, again: OutOfBag) -> list[Note]:
        notes = [] if self.looks_best == choice.model else [_hull_disagrees(self.looks_best)]
        if choice.trivial:
            return notes
        if choice.threshold is not None or len(self.models) > 1:
            notes = [_out_of_bag(own.expected_cost, again.estimate, again.cost.size), *notes]
        costs = {name: float(self.context.expected_cost(rate, rate)) for rate, name in enumerate(self.rows.trivial)}
        trivial = min(costs, key=lambda name: costs[name])
        return [*notes, _trivial_may_be_better(trivial)] if again.estimate > costs[trivial] else notes

    def _holds_for(self, choice: Alternative) -> HoldsFor:
        """The contexts around this one in which the same rule names the same model, and the same threshold too."""
        context, pc = self.context, self.context.pc
        low, high = self.cross_fit.holds(pc)
        exact_low, exact_high = self._threshold_range(choice, pc)
        exact_low, exact_high = max(low, exact_low), min(high, exact_high)
        pi = context._known_prevalence("holds_for")
        ratios = (cost_ratio_of_pc(low, pi), cost_ratio_of_pc(high, pi)) if 0 < pi < 1 else (np.nan, np.nan)
        return HoldsFor(
            (low, high),
            prevalences_of_pc(low, high, context),
            ratios,
            (exact_low, exact_high),
            prevalences_of_pc(exact_low, exact_high, context),
        )

    def _threshold_range(self, choice: Alternative, pc: float) -> tuple[float, float]:
        """The interval of PC(+) in which the threshold of the choice is the cheapest of its model on all rows."""
        own = self.envelopes[choice.model]
        if choice.threshold is None or choice.trivial or own.fpr.size == 1:
            return 0.0, 1.0
        lows, highs = hull_boundaries(own.fpr, own.tpr)
        place = int(np.flatnonzero(own.thresholds == choice.threshold)[0])
        return min(float(lows[place]), pc), max(float(highs[place]), pc)


# -- notes on the weak points ------------------------------------------------------------------------------------------


def _out_of_bag(apparent: float, paid: float, n_resamples: int) -> Note:
    """Tell what the choice looks like on the rows that made it, and what it costs on others."""
    text = Text(
        "on the rows that chose model and threshold the cost is {apparent} per case; chosen again on {n} resamples and "
        "paid for by rows that did not choose, it is {paid}.",
        apparent=amount(apparent),
        n=n_resamples,
        paid=amount(paid),
    )
    return Note("choice-out-of-bag", text)


def _trivial_may_be_better(rule: str) -> Note:
    """Warn that the model beats a trivial rule only on the rows that chose its threshold."""
    text = Text(
        "on rows that did not choose, the choice costs more than {rule!r}: it may not be worth deploying. More rows "
        "would tell.",
        rule=rule,
    )
    return warning_note("trivial-may-be-better", text)


def _hull_disagrees(model: str) -> Note:
    """Tell that another model looks cheaper on the rows that chose its threshold."""
    text = Text(
        "on the rows that chose the thresholds {model!r} looks cheaper; evaluated on other rows it is not.", model=model
    )
    return Note("hull-disagrees", text)


def _calibration_notes(model: str, elkan: tuple[float, float], excess: FloatArray, level: float) -> list[Note]:
    """Tell when the threshold that is right for calibrated probabilities costs reliably more than the one found.

    `elkan` is that threshold and its cost; `excess` the resampled difference of the two costs.
    """
    if np.quantile(excess, (1 - level) / 2) <= 0:
        return []
    threshold, cost = elkan
    text = Text(
        "the probabilities of {model!r} are not calibrated for this: the threshold {threshold:.3g}, right for "
        "calibrated ones, costs {cost} per case. Use the threshold found, or calibrate the model.",
        model=model,
        threshold=threshold,
        cost=amount(cost),
    )
    return [Note("not-calibrated", text)]


def _prevalence_notes(rows: BinaryRows, given: OperatingContext | UncertainContext) -> list[Note]:
    """Tell where the prevalence comes from, or that it differs from that of the rows."""
    if given.prevalence is None:
        text = Text(
            "the prevalence is that of the rows, {prevalence:.4g}; give one if the model will meet another.",
            prevalence=rows.prevalence,
        )
        return [Note("prevalence-from-data", text)]
    stated = (given if isinstance(given, OperatingContext) else given.mean()).prevalence
    if stated is None or abs(stated - rows.prevalence) <= _SHIFT * max(stated, rows.prevalence):
        return []
    text = Text(
        "the rows have {observed:.3g} % positives, the context {stated:.3g} %: the error rates of each class are "
        "taken over, which holds if only the mix of the classes changes.",
        observed=100 * rows.prevalence,
        stated=100 * stated,
    )
    return [Note("prevalence-shift", text)]


def _size_notes(rows: BinaryRows) -> list[Note]:
    """Warn when one class has so few cases that its error rate is hardly known."""
    n_positive, n_negative = rows.cases
    if min(rows.cases) >= _FEW:
        return []
    text = (
        Text(
            "there are only {fewest:g} positives: the error rate of that class, and so the cost, is poorly known.",
            fewest=n_positive,
        )
        if n_positive <= n_negative
        else Text(
            "there are only {fewest:g} negatives: the error rate of that class, and so the cost, is poorly known.",
            fewest=n_negative,
        )
    )
    return [warning_note("few-rows-of-a-class", text)]
