"""Counted: a form and its units. One primitive, `apply`; resampling, leaving out and swapping are functions over it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.counts._form import Countable, Draws, Form
from bakeoff.counts._influence import Influence
from bakeoff.evidence import Units

_BLOCKS = 100  # units left out together where leaving out each in turn would be slow


@dataclass(frozen=True)
class Counted:
    """What rows add, and what is independent among them.

    Attributes
    ----------
    form
        `Cells`, `Sums`, `Tally` or `Answers` of k models.
    units
        The units of all rows of the data set.
    rows
        Which of those rows the form holds; None for all. A slice or a fold keeps the units of the whole, so that draws
        and influences of slices stay dependent where they share units.
    """

    form: Form
    units: Units
    rows: IntArray | None = None

    def apply(self, multipliers: FloatArray | None = None) -> Any:
        """The primitive: how often each record occurs ``[b, records]`` → totals; by default the data as they are."""
        weights = self.units.as_they_are() if multipliers is None else self.units.spread(multipliers)
        return self.form.totals(weights if self.rows is None else weights[:, self.rows])

    def values(self, measure: Countable, multipliers: FloatArray | None = None) -> FloatArray:
        """The measure of every model, ``[b, k]``."""
        return self.form.values(measure, self.apply(multipliers))

    def split(self, axis: NDArray[Any]) -> dict[Hashable, Counted]:
        """Cut the rows by a column (fold, slice, data set): the same units, fewer rows."""
        keys, code = np.unique(axis, return_inverse=True)
        mine = np.arange(self.units.rows) if self.rows is None else self.rows
        order = np.argsort(code, kind="stable")
        parts = np.split(order, np.searchsorted(code[order], np.arange(1, keys.size)))
        return {
            key: Counted(self.form.take(part), self.units, mine[part])
            for key, part in zip(keys.tolist(), parts, strict=True)
        }

    def influence(self, measure: Countable) -> Influence:
        """What each row's unit moves: value, and derivative in the multiplier of the unit, row by row."""
        weights = self.units.as_they_are()
        mine = slice(None) if self.rows is None else self.rows
        slope = self.form.slope(measure, weights[:, mine])
        psi = np.zeros((self.units.rows, slope.shape[1]))
        psi[mine] = slope if self.units.weight is None else slope * self.units.weight[mine, None]
        return Influence(self.values(measure)[0], psi, self.units)

    def written_out(self) -> Counted:
        """The same with every copy as a row of its own."""
        if self.units.copies is None or self.rows is not None:
            return self
        take, units = self.units.written_out()
        return Counted(self.form.take(take), units)


def resample(counted: Counted, measure: Countable, draws: Draws) -> FloatArray:
    """Values of all models on draws of the units, ``[B, k]``: by the form's kernel, else by `resample_by_apply`."""
    if counted.rows is not None:
        return resample_by_apply(counted, measure, draws)
    return counted.form.resample(measure, counted.units, draws)


def resample_by_apply(counted: Counted, measure: Countable, draws: Draws) -> FloatArray:
    """The same, written as the definition: draw the units, apply, take the value. Kernels are held to it by tests."""
    written = counted.written_out()
    return np.concatenate([written.values(measure, m) for m in multipliers(written.units, draws)])


def multipliers(units: Units, draws: Draws) -> Iterator[FloatArray]:
    """How often each record is drawn, chunk by chunk, ``[b, records]``: as many as there are, with replacement."""
    from bakeoff.stats.resample import row_weights

    for chunk in row_weights(units.records, draws.n, draws.rng):
        yield np.asarray(chunk, dtype=np.float64)


def leave_out(counted: Counted, measure: Countable) -> tuple[FloatArray, FloatArray]:
    """Values with one unit left out ``[u, k]`` and how many units each line stands for, ``[u]``.

    Exact where that is fast (patterns, sums, up to a hundred units); else units are left out in a hundred interleaved
    blocks.
    """
    exact = counted.form.leave_out(measure, counted.units) if counted.rows is None else None
    if exact is not None:
        return exact
    once = counted.units.once
    block = np.arange(once.size) % min(_BLOCKS, once.size)
    kept = np.where(block == np.arange(int(block.max()) + 1)[:, None], 0.0, once)
    return counted.values(measure, kept), np.ones(len(kept))


def swap(counted: Counted, measure: Countable, draws: Draws) -> FloatArray:
    """Differences of two models (the columns of the form) after swapping their answers in whole units, ``[B]``."""
    return counted.form.swap(measure, counted.units, draws)


def acceleration(counted: Counted, measure: Countable, matrix: FloatArray | None = None) -> FloatArray:
    """BCa's acceleration of every model, or of linear combinations of models ``[k, c]``.

    From leaving units out where that is exact or the measure is not smooth, else from influence values: both are a
    sixth of the skewness of what one unit moves.
    """
    from bakeoff.stats.resample import acceleration_from_influence

    exact = counted.form.leave_out(measure, counted.units) if counted.rows is None else None
    if exact is None and measure.smooth:
        influence = counted.influence(measure)
        moved, count = influence.by_unit(), influence.units.once
    else:
        left, count = exact if exact is not None else leave_out(counted, measure)
        moved = -left  # leaving a unit out moves the value against its influence
    with np.errstate(invalid="ignore"):
        moved = moved if matrix is None else moved @ matrix
    found = []
    for column in moved.T:
        defined = np.isfinite(column)
        found.append(acceleration_from_influence(column[defined], count[defined]) if defined.any() else 0.0)
    return np.array(found)
