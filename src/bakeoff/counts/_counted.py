"""Counted: a form and its units. One primitive, `apply`; resampling, leaving out and swapping are functions over it.

`Influence` is what one unit moves in a value: standard errors and covariances of all models without a draw.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.counts._draws import Draws
from bakeoff.counts._form import Countable, Form
from bakeoff.counts._tally import PlacedTally
from bakeoff.evidence import Units

_BLOCKS = 100  # units left out together where leaving out each in turn would be slow
Factor = Literal["units", "stratum", "cr2"]


@dataclass(frozen=True)
class Counted:
    """What rows add, and what is independent among them.

    Attributes
    ----------
    form
        `Cells`, `Sums`, `Tally` or `Answers` of k models.
    units
        The units of its rows.
    """

    form: Form
    units: Units

    def apply(self, multipliers: FloatArray | None = None) -> Any:
        """The primitive: how often each record occurs ``[b, records]`` → totals; by default the data as they are."""
        weights = self.units.as_they_are() if multipliers is None else self.units.spread(multipliers)
        return self.form.totals(weights)

    def values(self, measure: Countable, multipliers: FloatArray | None = None) -> FloatArray:
        """The measure of every model, ``[b, k]``."""
        return self.form.values(measure, self.apply(multipliers))

    def influence(self, measure: Countable) -> Influence:
        """What each row's unit moves: value, and derivative in the multiplier of the unit, row by row."""
        slope = self.form.slope(measure, self.units.as_they_are())
        psi = slope if self.units.weight is None else slope * self.units.weight[:, None]
        return Influence(self.values(measure)[0], psi, self.units)

    def written_out(self) -> Counted:
        """The same with every copy as a row of its own."""
        if self.units.copies is None:
            return self
        take, units = self.units.written_out()
        return Counted(self.form.take(take), units)


def resample(counted: Counted, measure: Countable, draws: Draws) -> FloatArray:
    """Values of all models on draws of the units, ``[B, k]``, by the form's kernel.

    Tests hold it to the definition: written out, `multipliers` drawn, `Counted.values` taken of each.
    """
    return counted.form.resample(measure, counted.units, draws)


def can_leave_out(counted: Counted) -> bool:
    """Whether values without a unit are known: of placements only what a unit moves is."""
    return not isinstance(counted.form, PlacedTally)


def leave_out(counted: Counted, measure: Countable) -> tuple[FloatArray, FloatArray]:
    """Values with one unit left out ``[u, k]`` and how many units each line stands for, ``[u]``.

    Exact where that is fast (patterns, sums, up to a hundred units); else units are left out in a hundred interleaved
    blocks.
    """
    exact = counted.form.leave_out(measure, counted.units)
    if exact is not None:
        return exact
    once = counted.units.once
    n = int(once.sum())
    if n <= _BLOCKS:  # one copy, not the record with all of its copies
        return counted.values(measure, once - np.eye(once.size)), once
    # The copies of a record stand next to each other, as rows written out would, and fall into the blocks in turn.
    last = np.cumsum(once).astype(np.int64) - 1 - np.arange(_BLOCKS)[:, None]
    left_out = last // _BLOCKS - (last - once.astype(np.int64)) // _BLOCKS
    return counted.values(measure, once - left_out), np.ones(_BLOCKS)


def swap(counted: Counted, measure: Countable, draws: Draws) -> FloatArray:
    """Differences of two models (the columns of the form) after swapping their answers in whole units, ``[B]``."""
    return counted.form.swap(measure, counted.units, draws)


def acceleration(counted: Counted, measure: Countable, matrix: FloatArray | None = None) -> FloatArray:
    """BCa's acceleration of every model, or of linear combinations of models ``[k, c]``.

    From leaving units out where that is exact or the measure is not smooth, else from influence values: both are a
    sixth of the skewness of what one unit moves.
    """
    from bakeoff.stats.resample import acceleration_from_influence

    exact = counted.form.leave_out(measure, counted.units)
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


@dataclass(frozen=True)
class Influence:
    """Values and what each row's unit moves in them.

    Attributes
    ----------
    value
        One value per column (a model, a pair, a slice, a measure), ``[c]``.
    psi
        Influence by row, ``[n, c]``. It is summed by unit only when it is used, after `combine`: slices and folds that
        share units are then dependent, as they should be.
    units
        What is independent.
    """

    value: FloatArray
    psi: FloatArray
    units: Units

    def combine(self, matrix: ArrayLike) -> Influence:
        """A linear map of the columns ``[c, d]``: a − b, the gap of two slices, the mean of folds or repeats."""
        m = np.asarray(matrix, dtype=np.float64)
        return Influence(self.value @ m, np.einsum("nc,cd->nd", self.psi, m), self.units)

    def by_unit(self) -> FloatArray:
        """Influence of one copy of each record, ``[records, c]``."""
        return self.units.sum_rows(self.psi)

    def cov(self, factor: Factor = "units", stratum: IntArray | None = None) -> FloatArray:
        """Covariance of the values, ``[c, c]``, with a small-sample factor.

        ``"units"``: n/(n − 1). ``"stratum"``: the same within each stratum (of each row), about its mean; by class it
        is DeLong's, and Obuchowski's where units hold several rows. ``"cr2"``: each unit divided by √(1 − its share of
        all weight), the bias-reduced cluster-robust variance of a mean.
        """
        psi, copies, n = self.by_unit(), self.units.once[:, None], self.units.n
        if factor == "cr2":
            psi = psi / np.sqrt(1 - self.units.leverage())[:, None]
            return _products(copies * psi, psi)
        if factor == "units" or stratum is None:
            return _products(copies * psi, psi) * n / max(n - 1, 1)
        if self.units.of_row is not None:
            return self._cov_of_strata_in_units(stratum)
        out = np.zeros((psi.shape[1], psi.shape[1]))
        for s in np.unique(stratum):
            own, count = psi[stratum == s], copies[stratum == s]
            size = float(count.sum())
            centred = own - (count * own).sum(axis=0) / size
            out += _products(count * centred, centred) * size / max(size - 1, 1)
        return out

    def _cov_of_strata_in_units(self, stratum: IntArray) -> FloatArray:
        """Units that hold rows of several strata: the factor of a stratum counts the units that have a row in it."""
        copies, n = self.units.once[:, None], self.units.n
        total = self.by_unit()
        out = _products(copies * total, total) * n / max(n - 1, 1)
        for s in np.unique(stratum):
            inside = (stratum == s).astype(np.float64)[:, None]
            own, holds = self.units.sum_rows(self.psi * inside), self.units.sum_rows(inside) > 0
            size = float((copies * holds).sum())
            out += _products(copies * own, own) * (size / max(size - 1, 1) - n / max(n - 1, 1))
        return out

    def standard_error(self, factor: Factor = "units", stratum: IntArray | None = None) -> FloatArray:
        """Standard error of each value, ``[c]``."""
        return np.sqrt(np.diagonal(self.cov(factor, stratum)))


def _products(left: FloatArray, right: FloatArray) -> FloatArray:
    # einsum, not BLAS: BLAS adds equal columns in unequal order, so that identical models would differ.
    return np.asarray(np.einsum("uc,ud->cd", left, right))
