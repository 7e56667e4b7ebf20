"""Cells: the confusion table as a form. Rows with the same truth and answers are one pattern; patterns are drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.counts._draws import MAX_BYTES, Draws, Patterns, coins
from bakeoff.counts._form import Countable, Form, FormKind, Sample, stencil
from bakeoff.evidence import Rows, Units


@dataclass(frozen=True)
class Cells:
    """Confusion cells: code = truth · classes + answer.

    Attributes
    ----------
    code
        Flat cell of each row by model, ``[n, k]``.
    classes, positive
        Number of classes, index of the positive one.
    """

    code: IntArray
    classes: int
    positive: int | None
    _drawn: dict[Draws, FloatArray] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, rows: Rows, models: tuple[str, ...]) -> Cells:
        """Place every row in the table of every model."""
        truth, k = rows.truth.astype(np.int64), len(rows.classes)
        return cls(np.stack([truth * k + rows.labels(m) for m in models], axis=1), k, rows.positive)

    def take(self, rows: NDArray[Any]) -> Cells:
        """Keep some rows."""
        return Cells(self.code[rows], self.classes, self.positive)

    def patterns(self) -> Patterns:
        """Distinct combinations of truth and answers of all models."""
        k = self.classes
        key = self.code[:, 0] // k
        for column in self.code.T:
            key = key * k + column % k
            if k ** (self.code.shape[1] + 1) >= 2**62:  # relabel before the key overflows
                key = np.unique(key, return_inverse=True)[1]
        return Patterns.of(key)

    def tables(self, patterns: Patterns, counts: FloatArray) -> FloatArray:
        """Confusion cells of every model from counts of patterns ``[b, m]``: ``[b, k, K, K]``."""
        code, cells = self.code[patterns.first], self.classes**2
        out = np.zeros((counts.shape[0], code.shape[1], cells))
        for model, column in enumerate(code.T):
            order = np.argsort(column, kind="stable")
            present, start = np.unique(column[order], return_index=True)
            out[:, model, present] = np.add.reduceat(counts[:, order], start, axis=1)
        return out.reshape(*out.shape[:2], self.classes, self.classes)

    def totals(self, weights: FloatArray) -> FloatArray:
        """Confusion cells with rows weighted ``[b, n]``: ``[b, k, K, K]``."""
        cells = self.classes**2
        out = np.empty((weights.shape[0], self.code.shape[1], cells))
        for model, column in enumerate(self.code.T):
            for replicate, weight in enumerate(weights):
                out[replicate, model] = np.bincount(column, weight, minlength=cells)
        return out.reshape(*out.shape[:2], self.classes, self.classes)

    def values(self, measure: Countable, totals: FloatArray) -> FloatArray:
        """The measure of every model, ``[b, k]``."""
        return np.asarray(measure.value(totals, self.positive), dtype=np.float64)

    def gradient(self, measure: Countable, tables: FloatArray) -> FloatArray:
        """Derivative of each value in the cells of its own table, ``[t, K, K]``."""
        filled = tables > 0
        # An empty cell has no row to weigh, and half the smallest cell keeps every cell positive.
        least = np.where(filled, tables, np.inf).min(axis=(1, 2))
        step = np.minimum(1e-3 * tables.sum(axis=(1, 2)), 0.25 * least)
        return stencil(lambda t: np.asarray(measure.value(t, self.positive)), tables, step[:, None, None] * filled)

    def unseen_move(
        self, measure: Countable, units: Units, models: tuple[int, ...], contrast: FloatArray
    ) -> float | None:
        """The most that one row moves: in any cell for one model, with any two answers that differ for two."""
        tables = self.totals(units.as_they_are())[0][list(models)]
        moves = contrast[:, None, None] * np.stack([self._whole_gradient(measure, table) for table in tables])
        if len(models) == 1:
            return float(np.nanmax(np.abs(moves)))
        pairs = np.abs(moves[0][:, :, None] + moves[1][:, None, :])[:, ~np.eye(self.classes, dtype=bool)]
        return float(np.nanmax(pairs))

    def _whole_gradient(self, measure: Countable, table: FloatArray) -> FloatArray:
        """The gradient in every cell, the empty ones too: there from above, since no row can be taken away."""
        found: FloatArray = self.gradient(measure, table[None])[0]
        empty = np.argwhere(table == 0)
        step = min(1e-3 * table.sum(), 0.25 * table[table > 0].min())
        points = np.repeat(table[None], 2 * len(empty), axis=0).reshape(2, len(empty), *table.shape)
        for k in range(2):
            points[k, np.arange(len(empty)), empty[:, 0], empty[:, 1]] += (k + 1) * step
        here = float(measure.value(table, self.positive))
        one, two = (np.asarray(measure.value(p, self.positive)) for p in points)
        found[empty[:, 0], empty[:, 1]] = (-3 * here + 4 * one - two) / (2 * step)
        return found

    def edge_values(self, measure: Countable, units: Units, model: int, z2: float) -> FloatArray:
        """Values if a share of a true class had been answered otherwise, in each way."""
        table, truth = self.totals(units.as_they_are())[0, model], self.code[:, 0] // self.classes
        ways = [table]
        for s in np.flatnonzero(table.sum(axis=1)):
            share = z2 / (units.worth(truth == s) + z2)
            for answer in range(self.classes):
                moved = table.copy()
                moved[s] *= 1 - share
                moved[s, answer] += share * table[s].sum()
                ways.append(moved)
        return np.asarray(measure.value(np.stack(ways), self.positive), dtype=np.float64)

    def slope(self, measure: Countable, weight: FloatArray) -> FloatArray:
        """Derivative of the values in the weight of each row, ``[n, k]``."""
        return self.within(measure, weight[0], np.zeros(len(self.code), dtype=np.int64))[1]

    def within(self, measure: Countable, weight: FloatArray, part: IntArray) -> tuple[FloatArray, FloatArray]:
        """Values of each part of the rows ``[parts, k]``, and the slope of each row in the value of its part."""
        cells, models = self.classes**2, self.code.shape[1]
        parts, model = int(part.max()) + 1, np.arange(models)
        at = (part[:, None] * models + model) * cells + self.code
        flat = np.bincount(at.ravel(), np.repeat(weight, models), minlength=parts * models * cells)
        tables = flat.astype(np.float64).reshape(-1, self.classes, self.classes)
        values = self.values(measure, tables).reshape(parts, models)
        return values, self.gradient(measure, tables).ravel()[at]

    def resample(self, measure: Countable, units: Units, draws: Draws) -> FloatArray:
        """Values on draws of the units, ``[B, k]``; measures share the last draw of the tables."""
        if draws not in self._drawn:
            self._drawn.clear()
            patterns = self.patterns()
            stratum = self.code[:, 0] // self.classes if draws.stratified else None
            chunks = (self.tables(patterns, counts) for counts in patterns.draw(units, draws, stratum))
            self._drawn[draws] = np.concatenate(list(chunks))
        return self.values(measure, self._drawn[draws])

    def _values(self, measure: Countable, patterns: Patterns, counts: FloatArray) -> FloatArray:
        at_once = max(1, MAX_BYTES // (16 * (self.classes**2 * self.code.shape[1] + counts.shape[1])))
        parts = [counts[first : first + at_once] for first in range(0, counts.shape[0], at_once)]
        return np.concatenate([self.values(measure, self.tables(patterns, part)) for part in parts])

    def leave_out(self, measure: Countable, units: Units) -> tuple[FloatArray, FloatArray] | None:
        """One case of each pattern, or each group, left out."""
        patterns = self.patterns()
        counts = patterns.count(units.row_weight)
        if units.plain:
            # All rows of a pattern give the same answer when left out: one evaluation each, counted as often.
            return self._values(measure, patterns, counts - np.eye(patterns.m)), counts
        if units.of_row is None:
            return None
        return self._values(measure, patterns, counts - patterns.by_record(units)), units.once

    def swap(self, measure: Countable, units: Units, draws: Draws) -> FloatArray:
        """Differences after swapping the answers of two models by a coin on each unit, ``[B]``."""
        patterns = self.patterns()
        counts = patterns.count(units.row_weight)
        if units.plain:
            whole = counts.astype(np.int64)
            moved = draws.rng.binomial(whole, 0.5, size=(draws.n, patterns.m)).astype(np.float64)
        else:
            order = np.argsort(patterns.of_row, kind="stable")
            start = np.searchsorted(patterns.of_row[order], np.arange(patterns.m))
            chunks = [units.spread(coin * units.once)[:, order] for coin in coins(units, draws)]
            moved = np.concatenate([np.add.reduceat(chunk, start, axis=1) for chunk in chunks])
        kept = counts - moved
        # A swapped case counts in b's cell for a, and in a's cell for b.
        both = Cells(self.code[patterns.first].T.reshape(-1, 1), self.classes, self.positive)
        twice = Patterns(np.arange(2 * patterns.m), np.arange(2 * patterns.m))
        a = both._values(measure, twice, np.concatenate([kept, moved], axis=1))
        b = both._values(measure, twice, np.concatenate([moved, kept], axis=1))
        with np.errstate(invalid="ignore"):  # both infinite: the difference is undefined
            return (a - b)[:, 0]


@dataclass(frozen=True)
class CellsKind(FormKind):
    """A measure of labels: a function of the confusion table."""

    name: str = "cells"

    def of(self, rows: Rows, models: tuple[str, ...], needs: str) -> Form:
        """Hold the cell of each row."""
        return Cells.of(rows, models)

    def losses(self, sample: Sample) -> FloatArray:
        """Wrong answers count 1."""
        return np.asarray(sample.truth != sample.output, dtype=np.float64)

    def value(self, measure: Countable, rows: Rows, model: str) -> float:
        """The measure of the confusion table of all rows."""
        return float(measure.value(rows.confusion(model).cells, rows.positive))

    def by_split(self, measure: Countable, rows: Rows, model: str) -> FloatArray:
        """The measure of the confusion table of each split."""
        return np.atleast_1d(np.asarray(measure.value(rows.confusion_by_split(model), rows.positive)))
