"""The interval rule over folds: instances are the unit, and what retraining changes is allowed for.

The value is the mean over repeats of the measure pooled within a repeat (an AUC: over pairs of rows of one fold, since
scores of different fits need not be comparable). With ψ̄, the influence of an instance averaged over repeats, B is the
variance it gives; W = Σ var(ψ over repeats) is what retraining alone changes. With two or more repeats SE² = B + c·W,
c = max(1, 0.3·folds). With one repeat W cannot be seen, and the row standard error is multiplied by 1.15 + 0.03·folds
for a claim about the *kind* of model, retrained on as many rows, or by 1.2 for one about the *fitted* models at hand.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from bakeoff._core.validation import FloatArray
from bakeoff.counts import Counted, Influence, Tally
from bakeoff.evidence import Rows, Units
from bakeoff.intervals._rule import Limits, Rule, t_quantile, tango
from bakeoff.measures import Measure

Claim = Literal["kind", "fitted"]


@dataclass(frozen=True)
class FoldRule(Rule):
    """The rule for several models over the folds of one data set.

    Attributes
    ----------
    counted
        The rows of the first repeat: what a row not seen yet, or a result at its edge, is measured by.
    whole, repeat, fold
        The rows of all repeats, and the repeat and fold of each, ``[rows]``.
    claim
        About this ``"kind"`` of model, or the ``"fitted"`` models.
    """

    whole: Counted = field(kw_only=True)
    repeat: FloatArray = field(kw_only=True)
    fold: FloatArray = field(kw_only=True)
    claim: Claim = "kind"

    @property
    def n_repeats(self) -> int:
        """Number of repeats."""
        return int(np.unique(self.repeat).size)

    @property
    def n_folds(self) -> float:
        """Folds in a repeat."""
        return float(np.unique(np.stack([self.repeat, self.fold]), axis=1).shape[1] / self.n_repeats)

    @cached_property
    def _by_repeat(self) -> list[Influence]:
        """Value and influences of each repeat, as the value is defined."""
        parts = self.whole.split(self.repeat).values()
        if not self.measure.is_area:
            return [part.influence(self.measure) for part in parts]
        return [self._within_folds(part) for part in parts]

    def _within_folds(self, part: Counted) -> Influence:
        """AUC over the pairs of rows that one fit scored: Σ concordant pairs / Σ pairs over the folds of a repeat."""
        rows = np.arange(part.units.rows) if part.rows is None else part.rows
        assert isinstance(self.whole.form, Tally)
        positive, found = self.whole.form.positive, []
        for fold in part.split(self.fold[rows]).values():
            up, down = fold.apply()[0]
            found.append((fold, float(up.sum()), float(down.sum())))
        usable = [(fold, p, n) for fold, p, n in found if p * n > 0]
        if not usable:  # every fold has one class only: no pair of rows was scored by one fit
            pooled = part.influence(self.measure)
            return Influence(np.full_like(pooled.value, np.nan), np.full_like(pooled.psi, np.nan), part.units)
        total = sum(p * n for _, p, n in usable)
        each = [(fold.influence(self.measure), fold, p * n, p, n) for fold, p, n in usable]
        value = np.asarray(sum(pairs * influence.value for influence, _, pairs, _, _ in each) / total)
        psi = np.zeros((part.units.rows, value.size))
        for influence, fold, pairs, p, n in each:
            # A row adds its pairs to both sums: as many as there are rows of the other class in its fold.
            partners = np.where(positive[fold.rows], n, p)[:, None]
            weight = 1.0 if part.units.weight is None else part.units.weight[fold.rows, None]
            psi[fold.rows] += (pairs * influence.psi[fold.rows] + weight * partners * (influence.value - value)) / total
        return Influence(value, psi, part.units)

    @cached_property
    def influence(self) -> Influence:
        """Mean over repeats of values and influences."""
        value = np.mean([i.value for i in self._by_repeat], axis=0)
        return Influence(value, np.mean([i.psi for i in self._by_repeat], axis=0), self.whole.units)

    @cached_property
    def _deviations(self) -> FloatArray:
        units, psi = self.whole.units, self.influence.by_unit()
        if units.kind == "group":  # CR2: leaving groups out exactly is not defined over folds
            return np.asarray(psi / np.sqrt(1 - units.leverage())[:, None])
        return np.asarray(psi * np.sqrt(units.n / max(units.n - 1, 1)))

    @cached_property
    def _of_units(self) -> FloatArray:
        """Influence of each record in each repeat, ``[R, records, k]``; of an AUC among all rows of its repeat.

        Within folds the influence of a row changes with the rows that happen to be in its fold, which is not training.
        """
        parts = self.whole.split(self.repeat).values()
        return np.stack([self.whole.units.sum_rows(part.influence(self.measure).psi) for part in parts])

    def stretch(self, models: tuple[int, ...], contrast: FloatArray) -> float:
        """√(1 + c·W/B) with repeats, a fixed factor without."""
        folds = self.n_folds
        if self.n_repeats < 2 and self.whole.units.kind == "group":
            return 1.0  # whole groups vary more than retraining does; CR2 alone kept its level where folds cut groups
        if self.n_repeats < 2:
            return 1.2 if self.claim == "fitted" else 1.15 + 0.03 * folds
        moved, once = self._of_units[:, :, models] @ contrast, self.whole.units.once
        retraining = float(once @ moved.var(axis=0, ddof=1))
        rows = float(once @ (self._deviations[:, models] @ contrast) ** 2)
        return float(np.sqrt(1 + max(1.0, 0.3 * folds) * retraining / rows)) if rows > 0 else 1.0

    def one(self, model: int, level: float) -> Limits:
        """Limits of one model: of an accuracy Wilson's with as many rows as its standard error is worth.

        Whole groups take the rule: their few degrees of freedom are not in Wilson's formula.
        """
        if self.measure.within != "all" or self.measure.share is None or self.whole.units.kind == "group":
            return super().one(model, level)
        from bakeoff.stats import binomial_interval

        value, se = float(self.influence.value[model]), self.spread((model,), np.ones(1)).se
        n = self.whole.units.n if self._at_edge(model, se) else value * (1 - value) / se**2
        found = binomial_interval(value * n, n, confidence_level=level)
        return float(found.low), float(found.high)

    def difference(self, a: int, b: int, level: float) -> Limits:
        """Limits of a − b; of two accuracies over several repeats Student's."""
        contrast = np.array([1.0, -1.0])
        spread = self.spread((a, b), contrast)
        plain = self.measure.within == "all" and self.whole.units.kind != "group" and self.whole.units.weight is None
        if not plain or (self.n_repeats > 1 and spread.se == 0):
            return super().difference(a, b, level)
        gap = float(self.influence.value[a] - self.influence.value[b])
        if self.n_repeats > 1:
            half = t_quantile(self.whole.units.n - 1, level) * spread.se
            return gap - half, gap + half
        low, high = tango(self.measure, self.counted, a, b)(level)
        stretch = self.stretch((a, b), contrast)
        return gap - stretch * (gap - low), gap + stretch * (high - gap)


def called_shares_differ(share: FloatArray, rows: FloatArray, repeat: FloatArray) -> bool:
    """Q̄ > (K − 1) + 1.65·√(2(K − 1)/R), with Q = Σ m(share − p)²/(p(1 − p)) over the K folds of a repeat."""
    total = float(share @ rows / rows.sum())
    if not 0 < total < 1:
        return False
    each = rows * (share - total) ** 2 / (total * (1 - total))
    repeats = np.unique(repeat)
    folds = share.size / repeats.size
    q = float(np.mean([each[repeat == r].sum() for r in repeats]))
    return q > folds - 1 + 1.65 * float(np.sqrt(2 * (folds - 1) / repeats.size))


def fold_rule(measure: Measure, rows: Rows, models: tuple[str, ...], claim: Claim = "kind") -> FoldRule | None:
    """The rule over the folds of one data set; None where cases are not tested alike, or cannot be told apart."""
    known = measure.smooth or measure.debiased is not None  # what a row moves
    if rows.split_index is None or not known or measure.needs == "times":
        return None
    split_repeat = np.unique([s.repeat for s in rows.splits], return_inverse=True)[1]
    repeat = split_repeat[rows.split_index].astype(np.float64)
    fold = np.array([s.fold for s in rows.splits], dtype=np.float64)[rows.split_index]
    sizes = np.bincount(repeat.astype(np.int64))
    many = np.unique(np.stack([repeat, fold]), axis=1).shape[1] > sizes.size
    if not many or np.unique(sizes).size > 1 or rows.units.answers > 1:
        return None
    if sizes.size > 1 and _same_partition(rows.units, repeat, fold):  # the same fits again: nothing new
        return fold_rule(measure, _first_repeat(rows, repeat), models, claim)
    first = rows.take(np.flatnonzero(repeat == 0))
    alone = Units.of(first.n, groups=first.groups, weight=first.weight, frequency=first.frequency)
    return FoldRule(
        Counted(measure.form.of(first, models, measure.needs), alone),
        measure,
        whole=Counted(measure.form.of(rows, models, measure.needs), rows.units),
        repeat=repeat,
        fold=fold,
        claim=claim,
    )


def _same_partition(units: Units, repeat: FloatArray, fold: FloatArray) -> bool:
    """Whether every repeat puts the same cases together: then it repeats the fits, and shows nothing of retraining."""
    case = np.arange(units.rows) if units.of_row is None else units.of_row
    order = np.lexsort([case, repeat])
    table = fold[order].reshape(np.unique(repeat).size, -1)
    named = [np.unique(line, return_index=True, return_inverse=True) for line in table]
    canonical = [np.argsort(np.argsort(first))[inverse] for _, first, inverse in named]
    return all(np.array_equal(canonical[0], line) for line in canonical[1:])


def _first_repeat(rows: Rows, repeat: FloatArray) -> Rows:
    kept = [j for j, split in enumerate(rows.splits) if split.repeat == rows.splits[0].repeat]
    part = rows.take(np.flatnonzero(repeat == 0))
    index = np.searchsorted(kept, np.asarray(part.split_index)).astype(np.int32)
    return replace(part, splits=tuple(rows.splits[j] for j in kept), split_index=index)
