"""Values of many parts of the same rows (folds, repeats) at once, and the influence of each row in its own part."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.counts._cells import Cells
from bakeoff.counts._counted import Counted
from bakeoff.counts._form import Countable
from bakeoff.counts._tally import Tally, concordant


class Within(NamedTuple):
    """Values of each part ``[parts, k]``; influence of each row in the value of its part, ``[n, k]``."""

    value: FloatArray
    psi: FloatArray


def within(counted: Counted, measure: Countable, part: IntArray) -> Within:
    """Each part by itself; parts are numbered from 0."""
    weight, form = counted.units.as_they_are(), counted.form
    if isinstance(form, Cells):
        values, slope = form.within(measure, weight[0], part)
        return Within(values, _by_weight(slope, counted))
    found: list[FloatArray] = []
    psi = np.empty((counted.units.rows, 0))
    for rows in _rows_of(part):
        own = form.take(rows)
        slope = own.slope(measure, weight[:, rows])
        psi = np.empty((counted.units.rows, slope.shape[1])) if not found else psi
        psi[rows] = slope
        found.append(own.values(measure, own.totals(weight[:, rows]))[0])
    return Within(np.stack(found), _by_weight(psi, counted))


def area_within(counted: Counted, area: tuple[float, float], part: IntArray, fold: IntArray) -> Within:
    """Area under the ROC curve over pairs of rows of one fold: Σ concordant pairs / Σ pairs over the folds of a part.

    A row adds its concordant pairs to the one sum and its pairs to the other, so c − pairs · value, over all pairs of
    its part, is its influence (DeLong's, for one fold). NaN where no fold of a part has both classes.
    """
    assert isinstance(counted.form, Tally)
    (factor, constant), positive = area, counted.form.positive
    weight, fold = counted.units.as_they_are()[0], np.unique(np.stack([part, fold]), axis=1, return_inverse=True)[1]
    sides = np.stack([np.bincount(fold, weight * (positive == side)) for side in (True, False)])
    others = sides[positive.astype(np.int64), fold]
    right = np.stack([concordant(column, positive, weight, fold) for column in counted.form.scores.T], axis=1)
    pairs = np.bincount(part, weight * positive * others)
    with np.errstate(invalid="ignore", divide="ignore"):
        sums = [np.bincount(part, weight * positive * column) for column in right.T]
        value = np.stack(sums, axis=1) / pairs[:, None]
        psi = (right - others[:, None] * value[part]) / pairs[part, None]
    return Within(factor * value + constant, _by_weight(factor * psi, counted))


def _rows_of(part: IntArray) -> list[IntArray]:
    order = np.argsort(part, kind="stable")
    return np.split(order, np.searchsorted(part[order], np.arange(1, int(part.max()) + 1)))


def _by_weight(slope: FloatArray, counted: Counted) -> FloatArray:
    return slope if counted.units.weight is None else slope * counted.units.weight[:, None]
