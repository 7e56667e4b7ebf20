"""The interval rule over folds: instances are the unit, and what retraining changes is allowed for.

The value is the mean over repeats of the measure pooled within a repeat (an AUC: over pairs of rows of one fold, since
scores of different fits need not be comparable). With ψ̄, the influence of an instance averaged over repeats, B is the
variance it gives; W = Σ var(ψ over repeats) is what retraining alone changes. With two or more repeats
SE² = B + c·W·(1 + W/B), c = max(1, 0.3·folds): the less stable fits are, the more do they move rows together. (Of a
stable learner W/B is 0.1, and its standard error 1 % larger for that; of stumps it is 0.6.) With one repeat W cannot be
seen, and the row standard error is multiplied by 1.15 + 0.03·folds for a claim about the *kind* of model, retrained on
as many rows, or by 1.2 for one about the *fitted* models at hand.

W takes rows to be moved one by one. Fits near chance jump between calling many cases positive and few, which moves all
rows of a fold at once; there J takes the place of c·W if it is more: the jackknife over folds, (folds − 1) times the
mean over fits of Σ δ·δ′ over pairs of rows, scaled from the fold to all rows, with δ = ψ less its mean over repeats.
Elsewhere J is mostly noise, and cost up to 13 points of power.

There too B takes in what the class mix of the training rows moves (`_class_mix`), if that is more than c·W.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from bakeoff._core.validation import FloatArray, IntArray, dot
from bakeoff.counts import Counted, Influence, Within, area_within, within
from bakeoff.evidence import Rows, Units
from bakeoff.intervals._class_mix import class_mix_stretch
from bakeoff.intervals._rule import Limits, Rule, t_quantile, tango
from bakeoff.measures import Measure

Claim = Literal["kind", "fitted"]
CLAIMS: tuple[Claim, ...] = ("kind", "fitted")


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
    weak, jumps
        Whether what the class mix of the training rows moves, and what a fit moves for all its rows at once (J), are
        allowed for.
    """

    whole: Counted = field(kw_only=True)
    repeat: IntArray = field(kw_only=True)
    fold: IntArray = field(kw_only=True)
    claim: Claim = "kind"
    weak: bool = False
    jumps: bool = False

    @cached_property
    def n_repeats(self) -> int:
        """Number of repeats."""
        return int(np.unique(self.repeat).size)

    @cached_property
    def n_folds(self) -> float:
        """Folds in a repeat."""
        return _n_splits(self.repeat, self.fold) / self.n_repeats

    @cached_property
    def _by_repeat(self) -> Within:
        """Value of each repeat, as it is defined, and what each row moves in that of its repeat."""
        if not self.measure.is_area:
            return self._pooled
        return area_within(self.whole, self.measure.area, self.repeat, self.fold)

    @cached_property
    def _pooled(self) -> Within:
        """The same among all rows of a repeat."""
        if not self.measure.is_area:
            return within(self.whole, self.measure, self.repeat)
        return area_within(self.whole, self.measure.area, self.repeat, np.zeros_like(self.fold))

    @cached_property
    def influence(self) -> Influence:
        """Mean over repeats of values and influences."""
        value, psi = self._by_repeat
        return Influence(value.mean(axis=0), psi / len(value), self.whole.units)

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
        units, (value, psi) = self.whole.units, self._pooled
        record = np.arange(units.rows) if units.of_row is None else units.of_row
        at, size = self.repeat * units.records + record, len(value) * units.records
        columns = [np.bincount(at, column, minlength=size) for column in psi.T]
        return np.stack(columns, axis=1).astype(np.float64).reshape(len(value), units.records, -1)

    def stretch(self, models: tuple[int, ...], contrast: FloatArray) -> float:
        """√(1 + c·W/B·(1 + W/B)) with repeats (or J), a fixed factor without; and what very uneven weights take."""
        retraining = self._retraining(models, contrast)
        if self.weak and self.measure.of_cells:
            moved = self._deviations[:, models] @ contrast
            retraining = max(retraining, class_mix_stretch(self.whole, self.measure, models, contrast, moved))
        return retraining * self._uneven(models, contrast)

    def _retraining(self, models: tuple[int, ...], contrast: FloatArray) -> float:
        folds = self.n_folds
        if self.n_repeats < 2 and self.whole.units.kind == "group":
            return 1.0  # whole groups vary more than retraining does; CR2 alone kept its level where folds cut groups
        if self.n_repeats < 2:
            return 1.2 if self.claim == "fitted" else 1.15 + 0.03 * folds
        moved, once = self._of_units[:, :, models] @ contrast, self.whole.units.once
        rows = float(dot(once, (self._deviations[:, models] @ contrast) ** 2))
        if rows <= 0:
            return 1.0
        alone = float(dot(once, moved.var(axis=0, ddof=1))) / rows
        retraining = max(1.0, 0.3 * folds) * alone * (1 + alone)
        if self.jumps:
            retraining = max(retraining, self._of_whole_fits(moved) / rows)
        return float(np.sqrt(1 + retraining))

    def _of_whole_fits(self, moved: FloatArray) -> float:
        """J: the jackknife over folds of what a fit moves for all its rows at once, ``[R, records]`` → a variance."""
        fit, units = self._fit_of_record, self.whole.units
        if fit is None:
            return 0.0
        left = (moved - moved.mean(axis=0)) * np.sqrt(self.n_repeats / (self.n_repeats - 1))

        def of_fits(of_record: FloatArray) -> FloatArray:
            summed = np.bincount(fit.ravel(), np.broadcast_to(units.once * of_record, fit.shape).ravel())
            return summed.astype(np.float64)

        n, share = of_fits(np.ones(units.records)), of_fits(units.leverage())
        pairs = of_fits(left) ** 2 - of_fits(left**2)  # less what rows move each by itself, which W holds
        seen = n > 1
        if not seen.any():
            return 0.0
        return (self.n_folds - 1) * float(np.mean((pairs * n)[seen] / ((n - 1) * share**2)[seen]))

    @cached_property
    def _fit_of_record(self) -> IntArray | None:
        """Which fit tested each record in each repeat, ``[R, records]``; None where folds cut groups."""
        units = self.whole.units
        record = np.arange(units.rows) if units.of_row is None else units.of_row
        fit = np.unique(np.stack([self.repeat, self.fold]), axis=1, return_inverse=True)[1].ravel()
        table = np.empty((self.n_repeats, units.records), dtype=np.int64)
        table[self.repeat, record] = fit
        return table if np.array_equal(table[self.repeat, record], fit) else None

    def one(self, model: int, level: float) -> Limits:
        """Limits of one model: of an accuracy Wilson's with as many rows as its standard error is worth.

        Whole groups take the rule: their few degrees of freedom are not in Wilson's formula.
        """
        if self.measure.within != "all" or not self.measure.has_share or self.whole.units.kind == "group":
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
    # Were all fits to call alike, Q would be χ² with K − 1 degrees of freedom: mean K − 1, variance 2(K − 1).
    each = rows * (share - total) ** 2 / (total * (1 - total))
    repeats = np.unique(repeat)
    folds = share.size / repeats.size
    q = float(np.mean([each[repeat == r].sum() for r in repeats]))
    return q > folds - 1 + 1.65 * float(np.sqrt(2 * (folds - 1) / repeats.size))


def fold_rule(measure: Measure, rows: Rows, models: tuple[str, ...], claim: Claim = "kind") -> FoldRule | None:
    """The rule over the folds of one data set; None where cases are not tested alike, or cannot be told apart."""
    known = measure.smooth or measure.has_bias  # what a row moves
    if rows.split_index is None or not known or measure.needs == "times":
        return None
    split_repeat = np.unique([s.repeat for s in rows.splits], return_inverse=True)[1]
    repeat = split_repeat[rows.split_index]
    fold = np.array([s.fold for s in rows.splits])[rows.split_index]
    sizes = np.bincount(repeat)
    if _n_splits(repeat, fold) <= sizes.size or np.unique(sizes).size > 1 or rows.units.answers > 1:
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


def _n_splits(repeat: IntArray, fold: IntArray) -> int:
    return int(np.unique(repeat * (int(fold.max()) + 1) + fold).size)


def _same_partition(units: Units, repeat: IntArray, fold: IntArray) -> bool:
    """Whether every repeat puts the same cases together: then it repeats the fits, and shows nothing of retraining."""
    case = np.arange(units.rows) if units.of_row is None else units.of_row
    order = np.lexsort([case, repeat])
    table = fold[order].reshape(np.unique(repeat).size, -1)
    return all(np.array_equal(_in_order_of_appearance(table[0]), _in_order_of_appearance(line)) for line in table[1:])


def _in_order_of_appearance(line: IntArray) -> IntArray:
    _, first, inverse = np.unique(line, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]


def _first_repeat(rows: Rows, repeat: IntArray) -> Rows:
    kept = [j for j, split in enumerate(rows.splits) if split.repeat == rows.splits[0].repeat]
    part = rows.take(np.flatnonzero(repeat == 0))
    index = np.searchsorted(kept, np.asarray(part.split_index)).astype(np.int32)
    return replace(part, splits=tuple(rows.splits[j] for j in kept), split_index=index)
