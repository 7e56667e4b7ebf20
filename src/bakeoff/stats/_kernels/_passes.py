"""Passes over a table of counts: counts by bin, average precision and partial area, all lanes at once, in NumPy.

The definition of what ``_passes.h`` must give. A table is ``uint8 [units + 1, 64]``, as in `_numpy`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.stats._kernels._inputs import LANES, padded
from bakeoff.stats._kernels._numpy import ByteArray
from bakeoff.stats.roc._tally import code_order, sorted_order

POSITIVE, CLOSES, TIED = 1, 2, 4  # of a row: its class; the last of its score; it shares its score
_CHUNK = 2048


@dataclass(frozen=True)
class FallingRows:
    """Rows in descending order of score.

    Attributes
    ----------
    units
        Unit of each row in that order, padded, ``[n + 64]``.
    flags
        What each row is: positive (1), the last of its score (2), not alone with its score (4), ``[n]``.
    """

    units: NDArray[np.int32]
    flags: NDArray[np.uint8]

    @classmethod
    def of(cls, positive: BoolArray, score: FloatArray, unit: IntArray) -> FallingRows:
        """Sort a model's rows by score."""
        order, ranked = sorted_order(score)
        order, ranked = order[::-1], ranked[::-1]
        opens = np.concatenate([[True], ranked[1:] != ranked[:-1]])
        closes = np.append(opens[1:], True)
        flags = POSITIVE * positive[order] + CLOSES * closes + TIED * ~(opens & closes)
        return cls(padded(unit[order]), flags.astype(np.uint8))

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.flags.size)

    def mirrored(self) -> FallingRows:
        """The ranking from below with the classes exchanged: its curve is this one's, seen from (1, 1)."""
        back, closes = self.flags[::-1], (self.flags & CLOSES) > 0
        opens = np.concatenate([[True], closes[:-1]])
        flags = (back & TIED) | CLOSES * opens[::-1] | POSITIVE * ((back & POSITIVE) == 0)
        return FallingRows(padded(self.units[: self.n][::-1]), flags.astype(np.uint8))

    @cached_property
    def scored(self) -> BoolArray:
        """Rows that close a score which has positives, ``[n]``."""
        closes = (self.flags & CLOSES) > 0
        group: IntArray = np.cumsum(closes) - closes
        return np.asarray(closes & (np.bincount(group, (self.flags & POSITIVE) > 0) > 0)[group])

    @cached_property
    def steps(self) -> tuple[NDArray[np.int32], IntArray]:
        """Units by step and class, and where each starts: two bins, negatives and positives, at every step.

        A step ends where a vertex of a hull can be: below a score that has positives, above one that has negatives.
        """
        positive, closes = (self.flags & POSITIVE) > 0, (self.flags & CLOSES) > 0
        group: IntArray = np.cumsum(closes) - closes
        ups, downs = (np.bincount(group, side) > 0 for side in (positive, ~positive))
        ends = ups & np.append(downs[1:], True)
        key = 2 * (np.cumsum(ends) - ends)[group] + positive
        starts = np.concatenate([[0], np.cumsum(np.bincount(key, minlength=2 * (int(key[-1]) // 2 + 1)))])
        return padded(self.units[: self.n][code_order(key)]), starts

    @cached_property
    def by_class(self) -> tuple[NDArray[np.int32], IntArray]:
        """Units of the negatives and then of the positives, and where each class starts: two bins."""
        positive = (self.flags & POSITIVE) > 0
        units = self.units[: self.n]
        negatives = units[~positive]
        return padded(np.concatenate([negatives, units[positive]])), np.array([0, negatives.size, self.n])


def bin_counts(
    table: ByteArray, units: NDArray[np.int32], starts: IntArray, weights: FloatArray | None, *, absent: bool
) -> list[NDArray[Any]]:
    """How often the rows of each bin were drawn ``[bins, 64]``, and with `absent` how many of them were not."""
    kind = np.uint32 if weights is None else np.float64
    out: list[NDArray[Any]] = [np.zeros((starts.size - 1, LANES), dtype=kind) for _ in range(1 + absent)]
    filled = np.flatnonzero(np.diff(starts))
    slab = starts[filled] // (8 * _CHUNK)  # whole bins, some 16,000 rows at a time
    for bins in np.split(filled, np.flatnonzero(np.diff(slab)) + 1) if filled.size else ():
        first, last = starts[bins[0]], starts[bins[-1] + 1]
        lines: NDArray[Any] = table.take(units[first:last], axis=0)
        for side, counts in zip(out, (lines, lines == 0), strict=False):
            each = counts if weights is None else counts * weights[first:last, None]
            side[bins] = np.add.reduceat(each, starts[bins] - first, axis=0, dtype=kind)
    return out


def precision_pass(table: ByteArray, rows: FallingRows) -> FloatArray:
    """Average precision of each lane, ``[64]``; NaN without positives.

    Sums run along inside runs of 8 rows, in all runs of a chunk at once, and then from run to run.
    """
    scored, ups = rows.scored, np.where(rows.flags & POSITIVE, rows.units[: rows.n], table.shape[0] - 1)
    hits, calls, total = np.zeros(LANES), np.zeros(LANES), np.zeros(LANES)
    counted = np.zeros(LANES)  # hits down to the last score that was added
    for first in range(0, rows.n, _CHUNK):
        at = np.flatnonzero(scored[first : first + _CHUNK])
        called, calls = _running(table, rows.units[first : min(first + _CHUNK, rows.n)], calls, at)
        found, hits = _running(table, ups[first : first + _CHUNK], hits, at)
        if not at.size:
            continue
        steps = np.empty_like(found)
        np.subtract(found[1:], found[:-1], out=steps[1:])
        np.subtract(found[0], counted, out=steps[0])
        counted = found[-1].copy()
        steps *= found
        steps /= called if (called[0] > 0).all() else np.maximum(called, 1, out=called)
        total += steps.sum(axis=0)
    with np.errstate(invalid="ignore"):
        return np.asarray(total / hits)


_SHORT = 8  # rows whose counts of at most 31 fit a byte together; so many of such runs fit two bytes


def _running(
    table: ByteArray, units: NDArray[np.integer], before: FloatArray, at: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Running sums of the lines of `units` at some of them, from what came before, and the sum of all.

    Inside runs of 8 rows, then inside groups of 8 runs, then from group to group: NumPy adds whole arrays fast, and
    runs along an axis slowly.
    """
    groups = -(-units.size // _SHORT**2)
    runs = groups * _SHORT
    every = np.full(runs * _SHORT, table.shape[0] - 1)
    every[: units.size] = units
    lines = table.take(every.reshape(runs, _SHORT).T, axis=0)  # the first rows of all runs, the second rows, ...
    for t in range(1, _SHORT):
        lines[t] += lines[t - 1]
    ends = np.zeros((_SHORT + 1, groups, LANES), dtype=np.uint16)  # what each run of a group begins with, and its sum
    ends[1:] = lines[-1].reshape(groups, _SHORT, LANES).swapaxes(0, 1)
    for t in range(1, _SHORT + 1):
        ends[t] += ends[t - 1]
    whole: FloatArray = np.concatenate([before[None], ends[-1]]).astype(np.float64, copy=False).cumsum(axis=0)
    base: FloatArray = (whole[:-1] + ends[:-1]).reshape(
        runs, LANES
    )  # runs with the same place in their groups together
    run, place = np.divmod(at, _SHORT)
    group, inside = np.divmod(run, _SHORT)
    sums: FloatArray = base.take(inside * groups + group, axis=0)
    sums += lines.reshape(-1, LANES).take(place * runs + run, axis=0)
    return sums, whole[-1]


def partial_pass(table: ByteArray, rows: FallingRows, limit: FloatArray) -> FloatArray:
    """Area in hits × alarms up to `limit` alarms of each lane, ``[64]``; a score of both classes is a slope."""
    positive, closes = (rows.flags & POSITIVE) > 0, (rows.flags & CLOSES) > 0
    hits, alarms = np.zeros((1, LANES)), np.zeros((1, LANES))
    area = np.zeros(LANES)
    first = 0
    while first < rows.n and (alarms < limit).any():
        ends = np.flatnonzero(closes[first : first + _CHUNK])  # whole scores; one longer than a chunk by itself
        last = first + (ends[-1] if ends.size else int(np.argmax(closes[first:]))) + 1
        lines = table.take(rows.units[first:last], axis=0)
        up, down = (np.cumsum(lines * side[first:last, None], axis=0, dtype=np.int64) for side in (positive, ~positive))
        at = closes[first:last]
        tall, wide = np.concatenate([hits, hits + up[at]]), np.concatenate([alarms, alarms + down[at]])
        run, step = np.diff(np.minimum(wide, limit), axis=0), np.diff(wide, axis=0)
        slope = 0.5 * np.diff(tall, axis=0) * run / np.where(step > 0, step, 1.0)
        area += np.einsum("rl,rl->l", run, tall[:-1] + slope)
        hits, alarms, first = tall[-1:], wide[-1:], last
    return area


def cell_sums(table: ByteArray, words: FloatArray, cell: IntArray, n_cells: int) -> FloatArray:
    """Return Σ count · word by cell for each lane, ``[64, n_cells · W]``: whole numbers, exact in any order."""
    order = code_order(cell)
    ends = np.searchsorted(cell[order], np.arange(n_cells + 1))
    sums = np.zeros((LANES, n_cells, words.shape[1]))
    for c in range(n_cells):
        mine = order[ends[c] : ends[c + 1]]
        for first in range(0, mine.size, _CHUNK):
            some = mine[first : first + _CHUNK]
            sums[:, c] += table.take(some, axis=0).T.astype(np.float64) @ words[some]
    return sums.reshape(LANES, -1)


def slice_sums(terms: FloatArray, code: IntArray, out: FloatArray) -> None:
    """Add terms up by slice."""
    for t, column in enumerate(terms):
        out[:, t] += np.bincount(code, column, len(out))


def slice_powers(terms: FloatArray, code: IntArray, slope: FloatArray, moved: FloatArray, out: FloatArray) -> None:
    """Add squares and fourth powers of linear functions of the terms up by slice, and of all rows."""
    slices = len(moved) - 1
    own, whole, part = np.zeros((3, code.size))
    if moved.any():
        own -= moved[code]
        whole -= moved[slices]
    # Not BLAS: its threads wait busily for pieces as small as these, for ten times the processor time.
    for each, term in zip(slope, terms, strict=True):
        own += np.multiply(np.take(each, code, out=part, mode="clip"), term, out=part)
        whole += np.multiply(each[slices], term, out=part)
    for power in (0, 1):
        own *= own
        whole *= whole
        out[:slices, power] += np.bincount(code, own, slices)
        out[slices, power] += whole.sum()
