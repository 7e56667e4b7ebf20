"""Tally: measures of a ranking, functions of the positives and negatives at each distinct score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.counts._draws import Draws
from bakeoff.counts._form import Countable, Form, FormKind, splits_of, swapped_by_rows
from bakeoff.evidence import Rows, ScoreTally, Units, rounded

_BLOCKS = 512  # blocks of adjacent scores moved together where a gradient is numeric; exact up to as many scores

Gradient = Callable[[FloatArray, FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


@dataclass(frozen=True)
class Places:
    """Where each row stands in one model's ranking: the place of its score among the distinct scores, from the top."""

    scores: FloatArray
    of_row: IntArray

    @classmethod
    def of(cls, scores: FloatArray) -> Places:
        """Rank the scores."""
        from bakeoff.stats import falling_places

        return cls(*falling_places(scores))

    def add(self, weights: FloatArray, mine: BoolArray) -> FloatArray:
        """Sum the weights ``[b, n]`` of some rows at each place, ``[b, m]``."""
        m, b = self.scores.size, len(weights)
        if b == 1:
            return np.bincount(self.of_row[mine], weights[0, mine], m).astype(np.float64, copy=False)[None]
        at = np.arange(b)[:, None] * m + self.of_row[mine]
        return np.bincount(at.ravel(), weights[:, mine].ravel(), minlength=b * m).reshape(b, m).astype(np.float64)


@dataclass(frozen=True)
class Tally:
    """Scores of k models ``[n, k]`` and which rows are positive ``[n]``."""

    scores: FloatArray
    positive: BoolArray

    @cached_property
    def _kept(self) -> list[tuple[Countable, FloatArray, list[tuple[FloatArray, FloatArray]]]]:
        return []

    @cached_property
    def places(self) -> tuple[Places, ...]:
        """The ranking of each model, made once."""
        return tuple(Places.of(column) for column in self.scores.T)

    @property
    def by_class(self) -> list[BoolArray]:
        """Which rows are positive, and which negative."""
        return [self.positive, ~self.positive]

    def take(self, rows: NDArray[Any]) -> Tally:
        """Keep some rows."""
        return Tally(self.scores[rows], self.positive[rows])

    def totals(self, weights: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
        """Positives and negatives at each place ``[b, m]``, model by model: the lists differ in length."""
        return [(p.add(weights, self.positive), p.add(weights, ~self.positive)) for p in self.places]

    def values(self, measure: Countable, totals: list[tuple[FloatArray, FloatArray]]) -> FloatArray:
        """The measure of every model, ``[b, k]``."""
        each = zip(self.places, totals, strict=True)
        return np.stack([np.atleast_1d(measure.value(p.scores, up, down)) for p, (up, down) in each], axis=1)

    def slope(self, measure: Countable, weight: FloatArray) -> FloatArray:
        """Derivative of the values in the weight of each row, ``[n, k]``."""
        found = []
        for places, (of_up, of_down) in zip(self.places, self._gradients(measure, weight), strict=True):
            found.append(np.where(self.positive, of_up[places.of_row], of_down[places.of_row]))
        return np.stack(found, axis=1)

    def _gradients(self, measure: Countable, weight: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
        """Derivative in positives and negatives at each place, model by model; kept for the next who asks."""
        for known, at, found in self._kept:
            if known is measure and np.array_equal(at, weight):
                return found
        gradient = _gradient(measure)
        each = zip(self.places, self.totals(weight), strict=True)
        found = [gradient(places.scores, up[0], down[0]) for places, (up, down) in each]
        self._kept[:] = [(measure, weight, found)]
        return found

    def unseen_move(
        self, measure: Countable, units: Units, models: tuple[int, ...], contrast: FloatArray
    ) -> float | None:
        """The most that a row of the other class moves at a place that was seen."""
        if not measure.has_gradient or units.kind == "group":
            return None
        gradients, found = self._gradients(measure, units.as_they_are()), np.zeros(len(self.positive))
        for sign, model in zip(contrast, models, strict=True):
            place, (of_up, of_down) = self.places[model].of_row, gradients[model]
            found += sign * np.where(self.positive, of_down[place], of_up[place])
        return float(np.abs(found).max())

    def edge_values(self, measure: Countable, units: Units, model: int, z2: float) -> FloatArray:
        """Values if a share of a class had stood above all others, or below them all."""
        places = self.places[model]
        up, down = Tally(self.scores[:, [model]], self.positive).totals(units.as_they_are())[0]
        sides = [np.pad(side[0], (1, 1)) for side in (up, down)]
        scores = np.concatenate([[np.inf], places.scores, [-np.inf]])
        worth = units.worth(self.positive), units.worth(~self.positive)
        values = [float(measure.value(scores, *sides))]
        for s, side in enumerate(sides):
            share = z2 / (worth[s] + z2)
            for end in (0, -1):
                moved = side * (1 - share)
                moved[end] += share * side.sum()
                values.append(float(measure.value(scores, *(moved if k == s else sides[k] for k in (0, 1)))))
        return np.array(values)

    def resample(self, measure: Countable, units: Units, draws: Draws) -> FloatArray:
        """Values on draws of the units, ``[B, k]``."""
        from bakeoff.stats import resample

        take, written = units.written_out()
        form = self if units.copies is None else self.take(take)
        how: dict[str, Any] = {"stratified": draws.stratified, "groups": written.of_row}
        if measure.is_area and written.weight is None:
            factor, constant = measure.area
            return constant + factor * resample.auc_bootstrap(form.positive, form.scores, draws.n, draws.rng, **how)
        if measure.has_pass and written.weight is None:
            ranked = resample.ranked_draws(form.positive, form.scores, draws.n, draws.rng, **how)
            if ranked is not None:
                return measure.drawn(ranked)
        thresholds = resample.distinct_scores(form.scores)
        chunks = resample.tally_bootstrap(form.positive, form.scores, draws.n, draws.rng, weights=written.weight, **how)
        parts = []
        for chunk in chunks:
            each = zip(thresholds, chunk.positives, chunk.negatives, strict=True)
            parts.append(np.stack([np.atleast_1d(measure.value(t, p, n)) for t, p, n in each], axis=1))
        return np.concatenate(parts)

    def leave_out(self, measure: Countable, units: Units) -> tuple[FloatArray, FloatArray] | None:
        """Every row moves the whole ranking: no fast way is known."""
        return None

    def swap(self, measure: Countable, units: Units, draws: Draws) -> FloatArray:
        """Ranks are swapped rather than scores: the scales of two models need not be comparable."""
        from bakeoff.stats.resample import auc_swap_contributions, sign_flip

        if measure.is_area and units.weight is None:
            # The difference of two AUCs is linear in the coins, ties included.
            take, written = units.written_out()
            a, b = self.scores[take].T
            contributions = auc_swap_contributions(self.positive[take], a, b, ranks=True)
            return measure.area[0] * sign_flip(contributions, draws.n, draws.rng, groups=written.of_row)[:, 0]
        ranks = np.concatenate([_midranks(p.of_row) for p in self.places])
        stacked = Tally(ranks[:, None], np.concatenate([self.positive, self.positive]))
        return swapped_by_rows(stacked, measure, units, draws)


def _midranks(place: IntArray) -> FloatArray:
    """Mid-ranks from places counted from the top: larger is better, ties share."""
    counts = np.bincount(place)
    below = counts[::-1].cumsum()[::-1]
    return np.asarray((below - (counts - 1) / 2)[place], dtype=np.float64)


def _gradient(measure: Countable) -> Gradient:
    return measure.gradient if measure.has_gradient else partial(_by_blocks, measure)


def _by_blocks(
    measure: Countable, scores: FloatArray, up: FloatArray, down: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """All weight of a class in a block of adjacent scores moves by a ten-thousandth of itself."""
    m = scores.size
    block = np.arange(m) * min(_BLOCKS, m) // m
    slopes = []
    for side in (0, 1):
        mass = (up, down)[side]
        of_block, slope = np.bincount(block, mass), np.zeros(m)
        for i in np.flatnonzero(of_block > 0):
            step = 1e-4 * mass * (block == i)
            pair = [(up + s * step, down) if side == 0 else (up, down + s * step) for s in (-1, 1)]
            low, high = (float(measure.value(scores, p, n)) for p, n in pair)
            slope[block == i] = (high - low) / (2e-4 * of_block[i])
        slopes.append(slope)
    return slopes[0], slopes[1]


@dataclass(frozen=True)
class CoarseTally(Tally):
    """Scores of several models, rounded so that their combinations could be counted, and each model's own tally.

    Values, and what a row moves in them, are those of the own tallies; only which rows of two models go together is
    known by bins, within which the moves are averaged.

    Attributes
    ----------
    fine, bits
        Each model's own tally, and to how many bits the scores are rounded here.
    weight
        What each row adds, ``[n]``.
    """

    fine: tuple[ScoreTally, ...] = ()
    bits: int = 0
    weight: FloatArray | None = None

    def take(self, rows: NDArray[Any]) -> CoarseTally:
        """Keep some rows; the own tallies stay those of all rows."""
        return replace(self, scores=self.scores[rows], positive=self.positive[rows], weight=None)

    def values(self, measure: Countable, totals: list[tuple[FloatArray, FloatArray]]) -> FloatArray:
        """The values of the own tallies, moved as the rounded ones move."""
        coarse = super().values(measure, totals)
        if self.weight is None:
            return coarse
        own = np.array([float(measure.value(t.scores, t.positive, t.negative)) for t in self.fine])
        return np.asarray(coarse + (own - super().values(measure, self.totals(self.weight[None]))[0]))

    def slope(self, measure: Countable, weight: FloatArray) -> FloatArray:
        """Derivative in the weight of each row: the mean of its bin and class, by the own tally."""
        gradient = _gradient(measure)
        found = []
        for places, tally in zip(self.places, self.fine, strict=True):
            m, order = places.scores.size, np.argsort(places.scores)
            bin_of = order[np.searchsorted(places.scores[order], rounded(tally.scores, self.bits))]
            sides = []
            slopes = gradient(tally.scores, tally.positive, tally.negative)
            for mass, slope in zip((tally.positive, tally.negative), slopes, strict=True):
                total, summed = np.bincount(bin_of, mass, m), np.bincount(bin_of, mass * slope, m)
                sides.append(np.divide(summed, total, out=np.zeros(m), where=total > 0))
            found.append(np.where(self.positive, sides[0][places.of_row], sides[1][places.of_row]))
        return np.stack(found, axis=1)


@dataclass(frozen=True)
class PlacedTally(CoarseTally):
    """Placements instead of scores: enough for what a unit moves in an area under the curve, and for nothing else."""

    def slope(self, measure: Countable, weight: FloatArray) -> FloatArray:
        """Derivative in the weight of each row, which is linear in its placement: the mean of a line serves."""
        self._only_areas(measure)
        factor, found = measure.area[0], []
        for place, tally in zip(self.scores.T, self.fine, strict=True):
            area = (float(measure.value(tally.scores, tally.positive, tally.negative)) - measure.area[1]) / factor
            found.append(factor * (place - area) / np.where(self.positive, tally.n_positive, tally.n_negative))
        return np.stack(found, axis=1)

    def resample(self, measure: Countable, units: Units, draws: Draws) -> FloatArray:
        """Draws need scores."""
        raise self._unknown()

    def swap(self, measure: Countable, units: Units, draws: Draws) -> FloatArray:
        """Swaps need scores."""
        raise self._unknown()

    def _only_areas(self, measure: Countable) -> None:
        if not measure.is_area:
            raise self._unknown()

    @staticmethod
    def _unknown() -> EvidenceError:
        return EvidenceError(
            "counts of a second round hold sums for areas under the curve; this needs scores.",
            hint="count once more without --with, or ask for auc",
        )


@dataclass(frozen=True)
class TallyKind(FormKind):
    """A measure of scores: a function of the score tally."""

    name: str = "tally"

    def of(self, rows: Rows, models: tuple[str, ...], needs: str) -> Form:
        """Hold the scores of each row."""
        positive = rows.positives()
        placed = None if rows.fine is None else rows.fine.placed
        scores = np.stack([rows.scores(m) if placed is None else placed[m] for m in models], axis=1)
        if rows.fine is None:
            return Tally(scores, positive)
        weight = np.ones(rows.n) if rows.row_weight is None else rows.row_weight
        own = tuple(rows.fine.of[m] for m in models)
        form = CoarseTally if placed is None else PlacedTally
        return form(scores, positive, fine=own, bits=rows.fine.bits, weight=weight)

    def value(self, measure: Countable, rows: Rows, model: str) -> float:
        """The measure of the tally of all rows."""
        tally = rows.tally(model)
        return float(measure.value(tally.scores, tally.positive, tally.negative))

    def by_split(self, measure: Countable, rows: Rows, model: str) -> FloatArray:
        """The measure of the tally of each split."""
        from bakeoff.stats import tally_scores

        positive, scores, weight = rows.positives(), rows.scores(model), rows.row_weight
        if measure.is_area and rows.split_index is not None:
            (factor, constant), split = measure.area, rows.split_index.astype(np.int64)
            return factor * _areas(scores, positive, weight, split, len(rows.splits)) + constant
        parts = splits_of(rows)
        tallies = [tally_scores(positive[p], scores[p], None if weight is None else weight[p]) for p in parts]
        return np.array([float(measure.value(*tally)) for tally in tallies])


def _areas(
    scores: FloatArray, positive: BoolArray, weight: FloatArray | None, split: IntArray, splits: int
) -> FloatArray:
    """Area under the ROC curve in each split; NaN where it has one class only."""
    each = np.ones(len(scores)) if weight is None else weight
    mine, other = (np.bincount(split, each * side, minlength=splits) for side in (positive, ~positive))
    right = concordant(scores, positive, each, split) * each * positive
    with np.errstate(invalid="ignore"):
        return np.bincount(split, right, minlength=splits) / (mine * other)


def concordant(scores: FloatArray, positive: BoolArray, weight: FloatArray, fold: IntArray) -> FloatArray:
    """Weight of the rows of the other class in its fold that each row is ranked rightly against; ties count half."""
    order = np.lexsort([scores, fold])
    of, ranked, mine = fold[order], scores[order], positive[order]
    first = np.append(True, of[1:] != of[:-1])  # of its fold
    apart = first | np.append(True, ranked[1:] != ranked[:-1])
    ends, folds = np.append(np.flatnonzero(apart), of.size), np.append(np.flatnonzero(first), of.size)
    place, at = np.cumsum(apart) - 1, np.cumsum(first) - 1
    found = np.empty(of.size)
    for side, beaten in ((mine, ~mine), (~mine, mine)):
        below = np.append(0.0, np.cumsum(weight[order] * beaten))
        middle = (below[ends[place]] + below[ends[place + 1]]) / 2
        ranked_right = middle - below[folds[at]] if side is mine else below[folds[at + 1]] - middle
        found[order[side]] = ranked_right[side]
    return found
