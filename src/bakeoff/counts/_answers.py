"""Answers: measures that need the rows themselves, with a weight each. Also the times of a run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.counts._draws import Draws
from bakeoff.counts._form import Countable, Form, FormKind, Sample, sample_of, splits_of, swapped_by_rows
from bakeoff.evidence import Rows, Units


@dataclass(frozen=True)
class Answers:
    """The rows of k models; a total is the weights themselves."""

    samples: tuple[Sample, ...]

    @property
    def by_class(self) -> list[BoolArray]:
        """Which rows are of each class of the truth."""
        truth = self.samples[0].truth
        return [truth == c for c in np.unique(truth)]

    def take(self, rows: NDArray[Any]) -> Answers:
        """Keep some rows."""
        return Answers(tuple(sample.take(rows) for sample in self.samples))

    def totals(self, weights: FloatArray) -> FloatArray:
        """Nothing smaller than the weights suffices."""
        return weights

    def values(self, measure: Countable, totals: FloatArray) -> FloatArray:
        """The measure of every model, ``[b, k]``."""
        return np.stack([np.asarray(measure.value(s, totals), dtype=np.float64) for s in self.samples], axis=1)

    def slope(self, measure: Countable, weight: FloatArray) -> FloatArray:
        """Derivative in the weight of each row, ``[n, k]``; where it is not known each weight is moved a little."""
        if measure.has_gradient:
            moves = (measure.gradient(s, weight[0])[np.arange(s.n), s.truth] for s in self.samples)
            return np.stack(list(moves), axis=1)
        n, step = weight.size, 1e-4 * float(weight.mean())
        out = np.empty((n, len(self.samples)))
        at_once = max(1, (1 << 24) // n)
        for first in range(0, n, at_once):
            some = np.arange(first, min(first + at_once, n))
            sides = []
            for sign in (-1, 1):
                moved = np.repeat(weight, some.size, axis=0)
                moved[np.arange(some.size), some] += sign * step
                sides.append(self.values(measure, moved))
            out[some] = (sides[1] - sides[0]) / (2 * step)
        return out

    def unseen_move(
        self, measure: Countable, units: Units, models: tuple[int, ...], contrast: FloatArray
    ) -> float | None:
        """The most that a row of another class moves at a place that was seen."""
        if not measure.has_gradient or units.kind == "group":
            return None
        weight, truth = units.as_they_are()[0], self.samples[0].truth
        moves = sum(c * measure.gradient(self.samples[m], weight) for c, m in zip(contrast, models, strict=True))
        moves[np.arange(truth.size), truth] = 0.0
        return float(np.abs(moves).max())

    def edge_values(self, measure: Countable, units: Units, model: int, z2: float) -> FloatArray:
        """Values if a share of a class had been given to another class for certain; empty where there are no classes.

        Whole rows are moved, not weights, as not every measure of rows takes weights; between two numbers of rows the
        value is in between.
        """
        take, units = units.written_out()
        sample, weight = self.samples[model].take(take), units.as_they_are()
        if sample.output.ndim != 2:
            return np.empty(0)
        whole = float(measure.value(sample, weight)[0])
        values = [whole]
        for true in np.unique(sample.truth):
            own = np.flatnonzero((sample.truth == true) & (weight[0] > 0))
            share, total = z2 / (units.worth(own) + z2), np.cumsum(weight[0, own])
            first = min(int(np.searchsorted(total, share * total[-1], side="right")), own.size - 1)
            before = total[first - 1] if first else 0.0
            part = min((share * total[-1] - before) / (total[first] - before), 1.0)  # of the last row that is moved
            for other in range(sample.output.shape[1]):
                output, ends = sample.output.copy(), []
                for end in (first, first + 1):
                    output[own[:end]] = np.eye(sample.output.shape[1])[other]
                    ends.append(float(measure.value(replace(sample, output=output), weight)[0]) if end else whole)
                values.append((1 - part) * ends[0] + part * ends[1])
        return np.array(values)

    def resample(self, measure: Countable, units: Units, draws: Draws) -> FloatArray:
        """Values on draws of the units, ``[B, k]``."""
        from bakeoff.stats.resample import row_weights

        take, written = units.written_out()
        form = self if units.copies is None else self.take(take)
        first = form.samples[0]
        strata = first.truth if draws.stratified and first.classes else None
        found = []
        for chunk in row_weights(take.size, draws.n, draws.rng, strata=strata, groups=written.of_row):
            times = np.asarray(chunk, dtype=np.float64)
            found.append(form.values(measure, times if written.weight is None else times * written.weight))
        return np.concatenate(found)

    def leave_out(self, measure: Countable, units: Units) -> tuple[FloatArray, FloatArray] | None:
        """Every row needs a whole evaluation: no fast way is known."""
        return None

    def swap(self, measure: Countable, units: Units, draws: Draws) -> FloatArray:
        """Differences after swaps, every row standing at both models' places."""
        a, b = self.samples
        both = replace(a, truth=np.concatenate([a.truth, b.truth]), output=np.concatenate([a.output, b.output]))
        return swapped_by_rows(Answers((both,)), measure, units, draws)


@dataclass(frozen=True)
class AnswersKind(FormKind):
    """A measure of rows and their weights: ``value(sample, weights [b, n]) → [b]``."""

    name: str = "answers"

    def of(self, rows: Rows, models: tuple[str, ...], needs: str) -> Form:
        """Hold the rows."""
        return Answers(tuple(sample_of(rows, m, needs) for m in models))

    def value(self, measure: Countable, rows: Rows, model: str) -> float:
        """The measure of all rows."""
        sample = sample_of(rows, model, measure.needs)
        return float(measure.value(sample, sample.weights()[None])[0])

    def by_split(self, measure: Countable, rows: Rows, model: str) -> FloatArray:
        """The measure of the rows of each split."""
        sample = sample_of(rows, model, measure.needs)
        parts = [sample.take(part) for part in splits_of(rows)]
        return np.array([float(measure.value(part, part.weights()[None])[0]) for part in parts])


@dataclass(frozen=True)
class TimesKind(FormKind):
    """Seconds that a run recorded, by split: to fit (0) or to predict (1)."""

    which: int
    name: str = "times"

    def of(self, rows: Rows, models: tuple[str, ...], needs: str) -> Form:
        """Times belong to splits, not to rows."""
        raise TypeError("times belong to splits: there are no rows to hold")

    def value(self, measure: Countable, rows: Rows, model: str) -> float:
        """Mean over the splits where the time is known."""
        times = self.by_split(measure, rows, model)
        known = times[~np.isnan(times)]
        return float(known.mean()) if known.size else float("nan")

    def by_split(self, measure: Countable, rows: Rows, model: str) -> FloatArray:
        """Seconds of each split; NaN where not known."""
        splits = range(max(len(rows.splits), 1))
        return np.array([rows.times.get((model, j), (np.nan, np.nan))[self.which] for j in splits])
