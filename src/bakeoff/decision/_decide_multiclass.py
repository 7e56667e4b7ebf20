"""Decisions among several classes: the cheapest answer for each case, judged with a cost matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text
from bakeoff._core.notes import Note
from bakeoff._core.result import Interval
from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.decision._decision import Alternative, Decision
from bakeoff.decision._draws import cheapest_first, draw_cells, draw_rows, p_best, percentile
from bakeoff.decision._limits import mean_of_cells, normal_quantile
from bakeoff.decision._multiclass import MulticlassContext
from bakeoff.evidence import Rows, always


def decide_multiclass(
    rows: Rows, context: MulticlassContext, level: float, n_resamples: int, rng: np.random.Generator
) -> Decision:
    """Choose the model whose answers cost least; probabilities are turned into their cheapest answers first."""
    case = _Case(rows, _ordered(context, rows), level)
    calls = {model: case.calls(model) for model in rows.models}
    calls |= {always(label): np.full(rows.n, k) for k, label in enumerate(rows.classes)}
    trivial = {always(label) for label in rows.classes}
    costs = {model: case.cost(answers) for model, answers in calls.items()}
    order = cheapest_first(costs, trivial)
    replicates = case.replicated(calls, n_resamples, rng)
    chances = p_best(replicates, trivial)
    ranked = [
        Alternative(
            model,
            None,
            case.interval(calls[model], replicates[model], trivial=model in trivial),
            percentile(costs[model] - costs[order[0]], replicates[model] - replicates[order[0]], level),
            chances[model],
            model in trivial,
        )
        for model in order
    ]
    best = ranked[0]
    return Decision(
        model=best.model,
        threshold=None,
        expected_cost=best.expected_cost,
        alternatives=tuple(ranked[1:]),
        holds_for=None,
        p_best=best.p_best,
        context=case.context.at(case.shares),
        choice=best,
        apparent_cost=costs[best.model],
        cross_fitted=True,  # nothing was tuned on these rows: the answers follow from the probabilities
        dataset=rows.name,
        notes=case.notes(),
    )


@dataclass(frozen=True)
class _Case:
    rows: Rows
    context: MulticlassContext
    level: float

    @property
    def shares(self) -> FloatArray:
        counts = np.bincount(self.rows.truth, self.rows.weight, minlength=len(self.rows.classes)).astype(np.float64)
        shares: FloatArray = counts / counts.sum()
        return shares

    @property
    def priors(self) -> FloatArray:
        return self.shares if self.context.priors is None else self.context.priors

    @property
    def n_repeats(self) -> int:
        return len({split.repeat for split in self.rows.splits}) or 1

    def calls(self, model: str) -> IntArray:
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
        k = len(self.rows.classes)
        flat = np.bincount(self.rows.truth.astype(np.int64) * k + answers, self.rows.weight, minlength=k * k)
        return flat.reshape(k, k).astype(np.float64)

    def interval(self, answers: IntArray, draws: FloatArray, *, trivial: bool) -> Interval:
        cost, confusion = self.cost(answers), self._confusion(answers)
        if trivial and self.context.priors is not None:
            return Interval(cost, cost, cost, self.level, "exact")
        if self.rows.weight is not None or self.rows.groups is not None:
            return percentile(cost, draws, self.level)
        sizes, z = confusion.sum(axis=1) / self.n_repeats, normal_quantile(self.level)
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

    def replicated(
        self, calls: Mapping[str, IntArray], n_resamples: int, rng: np.random.Generator
    ) -> dict[str, FloatArray]:
        """Resample the cost of every model on the same draws, ``[B]`` by name."""
        rows = self.rows
        patterns = np.stack([rows.truth.astype(np.int64), *calls.values()], axis=1)
        cells, cell = np.unique(patterns, axis=0, return_inverse=True)
        truth = cells[:, 0]
        stratum = truth if self.context.priors is not None else np.zeros(truth.size, dtype=np.int64)
        if rows.weight is None and rows.groups is None:
            counts = np.bincount(cell.ravel()).astype(np.float64)
            draws = draw_cells(counts, stratum, n_resamples, rng, n_repeats=self.n_repeats)
        else:
            groups = None if rows.groups is None else rows.groups.astype(np.int64)
            of_rows = None if self.context.priors is None else rows.truth.astype(np.int64)
            draws = draw_rows(
                cell.ravel(), len(cells), n_resamples, rng, weight=rows.weight, groups=groups, stratum=of_rows
            )
        prices = self.context.cost_matrix[truth[:, None], cells[:, 1:]]
        per_draw = np.concatenate([self._draw_costs(counts, truth, prices) for counts in draws])
        return {model: per_draw[:, i] for i, model in enumerate(calls)}

    def _draw_costs(self, counts: FloatArray, truth: IntArray, prices: FloatArray) -> FloatArray:
        if self.context.priors is None:
            costs: FloatArray = (counts @ prices) / counts.sum(axis=1, keepdims=True)
            return costs
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
    if rows.task not in ("binary", "multiclass"):
        raise EvidenceError(f"a cost matrix needs classes, but {rows.name!r} is a {rows.task} problem.")
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
