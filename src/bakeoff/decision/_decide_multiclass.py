"""Decisions among several classes: the cheapest answer for each case, evaluated with a cost matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text
from bakeoff._core.result import Interval, Note
from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.counts import Draws, multipliers
from bakeoff.decision._cross_fit import cheapest_order
from bakeoff.decision._decision import Alternative, Decision
from bakeoff.decision._limits import (
    mean_of_cells,
    normal_quantile,
    not_worse,
    percentile,
    t_quantile,
    told_apart,
)
from bakeoff.decision._multiclass import MulticlassContext
from bakeoff.decision._out_of_bag import OutOfBag, draws_within, tied_shares
from bakeoff.decision._rules import cases_by_class, counts_alike, joint_patterns
from bakeoff.evidence import Rows, always


def decide_multiclass(
    rows: Rows, context: MulticlassContext, level: float, n_resamples: int, rng: np.random.Generator
) -> Decision:
    """Choose the model whose answers cost least; probabilities are turned into their cheapest answers first."""
    asked = _MulticlassQuestion(rows, _ordered(context, rows), level)
    answers = {always(label): np.full(rows.n, k) for k, label in enumerate(rows.classes)}
    trivial = tuple(answers)
    answers |= {model: asked.answers(model) for model in rows.models}
    costs = {model: asked.cost(given) for model, given in answers.items()}
    order = cheapest_order(costs, tuple(answers))
    replicates = asked.resampled_costs(answers, Draws(n_resamples, rng))
    again = asked.again(answers, len(trivial), Draws(n_resamples, rng))
    ranked = [
        Alternative(
            model,
            None,
            asked.interval(answers[model], replicates[model], trivial=model in trivial),
            percentile(costs[model] - costs[order[0]], replicates[model] - replicates[order[0]], level),
            again.share[model],
            model in trivial,
        )
        for model in order
    ]
    best, others = told_apart(replicates, ranked)
    cost = best.expected_cost if best.trivial else _widened(best.expected_cost, again, rows.units.n)
    return Decision(
        model=best.model,
        threshold=None,
        expected_cost=cost,
        alternatives=others,
        holds_for=None,
        p_best=best.p_best,
        context=asked.context.at(asked.shares),
        choice=best,
        apparent_cost=costs[best.model],
        cross_fitted=True,  # nothing was tuned on these rows: the answers follow from the probabilities
        not_worse=not_worse(best, others, level),
        dataset=rows.name,
        notes=asked.notes(),
    )


def _widened(own: Interval, again: OutOfBag, n_units: int) -> Interval:
    """Allow for the choice among models: the limits reach as far as those of the cost out of the bag."""
    reach = t_quantile(own.confidence_level, n_units - 1) * again.standard_error
    return replace(own, low=min(own.low, again.estimate - reach), high=max(own.high, again.estimate + reach))


@dataclass(frozen=True)
class _MulticlassQuestion:
    """What `decide` was asked about several classes, with the evidence."""

    rows: Rows
    context: MulticlassContext
    level: float

    @cached_property
    def truth(self) -> IntArray:
        return self.rows.truth.astype(np.int64)

    @cached_property
    def shares(self) -> FloatArray:
        """Share of each class in the rows."""
        counts = np.bincount(self.truth, self.rows.row_weight, minlength=self.context.n_classes).astype(np.float64)
        return np.asarray(counts / counts.sum())

    @property
    def priors(self) -> FloatArray:
        return self.shares if self.context.priors is None else self.context.priors

    def answers(self, model: str) -> IntArray:
        """The cheapest answer for each row by the model's probabilities at our priors, or the labels it gave."""
        if not self.rows.provides(model, "probabilities"):
            return self.rows.labels(model).astype(np.int64)
        chances = self.rows.probabilities(model)
        if self.context.priors is not None:
            # A change of class mix multiplies each chance by how much commoner its class has become.
            chances = chances * (self.priors / np.where(self.shares > 0, self.shares, 1.0))
        return self.context.cheapest(chances)

    def cost(self, answers: IntArray) -> float:
        return self.context.expected_cost(self._confusion(answers))

    def _confusion(self, answers: IntArray) -> FloatArray:
        k = self.context.n_classes
        flat = np.bincount(self.truth * k + answers, self.rows.row_weight, minlength=k * k)
        return flat.reshape(k, k).astype(np.float64)

    def interval(self, answers: IntArray, draws: FloatArray, *, trivial: bool) -> Interval:
        cost = self.cost(answers)
        if trivial and self.context.priors is not None:
            return Interval(cost, cost, cost, self.level, "exact")
        if not counts_alike(self.rows.units):
            return percentile(cost, draws, self.level)
        confusion, z = self._confusion(answers), normal_quantile(self.level)
        sizes = cases_by_class(self.rows, self.truth, self.context.n_classes)
        if self.context.priors is None:
            possible = np.broadcast_to(confusion.sum(axis=0) > 0, confusion.shape) if trivial else confusion >= 0
            shares = confusion[possible] / confusion.sum()
            low, high = mean_of_cells(self.context.cost_matrix[possible], shares, float(sizes.sum()), z)
        else:
            low, high = self._by_class(confusion, sizes, z, cost)
        return Interval(cost, min(low, cost), max(high, cost), self.level, "mover-wilson")

    def _by_class(self, confusion: FloatArray, sizes: FloatArray, z: float, cost: float) -> tuple[float, float]:
        """Square and add the limits of each class's mean cost: the classes are independent samples."""
        below = above = 0.0
        for prior, row, prices, n in zip(self.priors, confusion, self.context.cost_matrix, sizes, strict=True):
            if prior > 0:
                shares = row / row.sum()
                low, high = mean_of_cells(prices, shares, float(n), z)
                below += (prior * (float(prices @ shares) - low)) ** 2
                above += (prior * (high - float(prices @ shares))) ** 2
        return cost - float(np.sqrt(below)), cost + float(np.sqrt(above))

    def resampled_costs(self, answers: Mapping[str, IntArray], draws: Draws) -> dict[str, FloatArray]:
        """The cost of every model on the same draws of the units, ``[B]`` by name."""
        patterns = joint_patterns(self.truth, [(given, self.context.n_classes) for given in answers.values()])
        truth = self.truth[patterns.first]
        prices = np.stack([self.context.cost_matrix[truth, a[patterns.first]] for a in answers.values()], axis=1)
        # With priors each class is a sample of its own; without, the mix of the classes is drawn too.
        stratum = None if self.context.priors is None else self.truth
        counts = patterns.draw(self.rows.units, draws, stratum)
        per_draw = np.concatenate([self._costs_of(chunk, truth, prices) for chunk in counts])
        return {model: per_draw[:, i] for i, model in enumerate(answers)}

    def again(self, answers: Mapping[str, IntArray], n_trivial: int, draws: Draws) -> OutOfBag:
        """Choose in the bag and pay out of it: units that were not drawn tell what the choice costs."""
        take, units = self.rows.units.written_out()
        truth = self.truth[take]
        prices = np.stack([self.context.cost_matrix[truth, a[take]] for a in answers.values()], axis=1)
        shares, paid = [], []
        for drawn in multipliers(units, Draws(draws_within(draws.n, prices.size), draws.rng)):
            inside, outside = (self._costs_of(units.spread(m), truth, prices) for m in (drawn, (drawn == 0) * 1.0))
            shares.append(tied_shares(inside.T, n_trivial))
            paid.append((shares[-1] * outside.T).sum(axis=0))
        cost, share = np.concatenate(paid), np.concatenate(shares, axis=1).mean(axis=1)
        return OutOfBag(dict(zip(answers, share.tolist(), strict=True)), cost[np.isfinite(cost)], units.answers)

    def _costs_of(self, counts: FloatArray, truth: IntArray, prices: FloatArray) -> FloatArray:
        """Cost per case ``[b, models]`` from counts of patterns ``[b, m]`` and what each costs, ``[m, models]``."""
        if self.context.priors is None:
            drawn = counts.sum(axis=1, keepdims=True)
            return np.asarray((counts @ prices) / np.where(drawn > 0, drawn, np.nan))
        totals = np.zeros((counts.shape[0], prices.shape[1]))
        for k, prior in enumerate(self.priors):
            mine = truth == k
            if prior > 0:
                drawn = counts[:, mine].sum(axis=1, keepdims=True)
                totals += prior * (counts[:, mine] @ prices[mine]) / np.where(drawn > 0, drawn, 1.0)
        return totals

    def notes(self) -> tuple[Note, ...]:
        if self.context.priors is not None:
            return ()
        text = Text(
            "the class priors are those of the rows; give priors if the model will meet another mix of classes."
        )
        return (Note("priors-from-data", text),)


def _ordered(context: MulticlassContext, rows: Rows) -> MulticlassContext:
    """Put the cost matrix in the order of the rows' classes."""
    if not rows.classes:
        raise EvidenceError(f"a cost matrix needs classes, but {rows.name!r} holds none.")
    if context.n_classes != len(rows.classes):
        raise ParameterError(
            f"the cost matrix has {context.n_classes} classes, but {rows.name!r} has {len(rows.classes)}: "
            f"{', '.join(map(repr, rows.classes[:8]))}."
        )
    if context.classes is None:
        return context
    if set(context.classes) != set(rows.classes):
        raise ParameterError(
            f"the classes of the cost matrix, {context.classes}, are not those of the rows, {rows.classes}."
        )
    order = [context.classes.index(label) for label in rows.classes]
    priors = None if context.priors is None else context.priors[order]
    return MulticlassContext.make(context.cost_matrix[np.ix_(order, order)], priors, classes=rows.classes)
