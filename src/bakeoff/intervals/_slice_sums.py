"""Slices of many items from sums alone: two passes over the rows, piece by piece, for all slices and the whole at once.

What it gives is what the interval rule gives on the rows of each slice. It is for measures whose terms depend on their
own row alone, with a closed gradient, on independent rows without weights; everything else takes the general path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from bakeoff._core.result import Interval
from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.counts import RowTerms, Sample, sample_of
from bakeoff.evidence import Rows
from bakeoff.intervals._rule import LINEARIZED, RULE, linked, t_quantiles
from bakeoff.measures import Measure
from bakeoff.stats.resample import slice_powers as add_powers
from bakeoff.stats.resample import slice_sums as add_sums

MANY_ROWS = 50_000  # below this the general path is quick enough
_CHUNK = 32_768  # rows whose terms are held at once, in the cache of a core

_HELD = 4_000_000  # rows whose terms are kept for the second pass


@dataclass(frozen=True)
class SliceSums:
    """Values, standard errors and degrees of freedom of every slice, and last of the whole, ``[S + 1]``."""

    measure: Measure
    value: FloatArray
    error: FloatArray
    df: FloatArray
    units: IntArray

    def intervals(self, method: str, level: float) -> list[Interval]:
        """The interval of each, by the rule or linearised."""
        by_rule = method != LINEARIZED
        method = RULE if by_rule else method
        df = self.df if by_rule else np.maximum(self.units - 1, 1)
        step = t_quantiles(df, level) * self.error
        link = self.measure.link if by_rule else "identity"
        low, high = linked(link, self.value, -step), linked(link, self.value, step)
        bottom, top = self.measure.bounds
        ends = zip(self.value, np.maximum(low, bottom), np.minimum(high, top), strict=True)
        return [Interval(float(v), float(a), float(b), level, method) for v, a, b in ends]


def slice_sums(measure: Measure, rows: Rows, model: str, code: IntArray, slices: int) -> SliceSums | None:
    """All slices at once; None where the general path is needed (few rows, weights, groups, a slice at an edge)."""
    terms_of, units = measure.form.row_terms, rows.units
    if terms_of is None or not measure.has_gradient:
        return None
    if rows.n < MANY_ROWS or not units.plain or units.copies is not None or len(rows.splits) > 1:
        return None
    sample = sample_of(rows, model, measure.needs)
    terms = _Terms(terms_of, sample)
    held = list(terms) if sample.n <= _HELD else terms
    sums = _first(held, sample, code, slices)
    n = np.bincount(code, minlength=slices)
    every, count = np.vstack([sums, sums.sum(axis=0)]), np.append(n, rows.n)
    means = every / count[:, None]
    value = np.asarray(measure.value(means), dtype=np.float64)
    slope = np.asarray(measure.gradient(means), dtype=np.float64) / count[:, None]
    each = slope * means
    moved = each.sum(axis=1)
    moved[np.abs(moved) <= 1e-12 * np.abs(each).sum(axis=1)] = 0.0  # the measure does not depend on the scale
    second, fourth = _powers(held, sample, code, slices, slope, moved)
    error = np.sqrt(second * count / np.maximum(count - 1, 1))
    bottom, top = measure.bounds
    inside = np.isfinite(value) & (value > bottom) & (value < top) & (error > 1e-9 * np.abs(value)) & (count > 1)
    if not inside.all():
        return None
    spare = fourth / second**2 - 1 / count
    df = np.minimum(2 / np.maximum(spare, 1e-300), count - 1)
    return SliceSums(measure, value, error, df, count)


@dataclass(frozen=True)
class _Terms:
    """The terms of a sample, piece by piece, made anew each time."""

    of: RowTerms
    sample: Sample

    def __iter__(self) -> Iterator[FloatArray]:
        return (self.of(self.sample.take(piece)) for piece in _pieces(self.sample))


def _pieces(sample: Sample) -> list[slice]:
    return [slice(first, first + _CHUNK) for first in range(0, sample.n, _CHUNK)]


def _first(terms_of: Iterable[FloatArray], sample: Sample, code: IntArray, slices: int) -> FloatArray:
    """Sums of the terms by slice, ``[S, t]``."""
    total = np.empty((slices, 0))
    for piece, terms in zip(_pieces(sample), terms_of, strict=True):
        total = total if total.size else np.zeros((slices, terms.shape[1]))
        add_sums(terms.T, code[piece], total)
    return total


def _powers(
    terms_of: Iterable[FloatArray], sample: Sample, code: IntArray, slices: int, slope: FloatArray, moved: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Sums of ψ² and ψ⁴ by slice, and of the whole."""
    powers, columns = np.zeros((slices + 1, 2)), np.ascontiguousarray(slope.T)
    for piece, terms in zip(_pieces(sample), terms_of, strict=True):
        add_powers(terms.T, code[piece], columns, moved, powers)
    return powers[:, 0], powers[:, 1]
