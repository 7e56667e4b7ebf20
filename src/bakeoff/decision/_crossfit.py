"""Thresholds judged on rows that did not choose them."""

from __future__ import annotations

import numpy as np

from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.decision._context import OperatingContext
from bakeoff.decision._rules import Judged

PARTS = 10


def crossfit_calls(rows: Judged, model: str, context: OperatingContext, part: IntArray) -> BoolArray:
    """Call every row with the threshold that is cheapest on the other parts of its repeat, ``[n]``.

    `context` has its prevalence. A model that answers labels has nothing to choose.
    """
    output = rows.outputs[model]
    if output.dtype == bool:
        return output
    called = np.zeros(rows.n, dtype=bool)
    repeat = np.zeros(rows.n, dtype=np.int64) if rows.repeat is None else rows.repeat
    for number in np.unique(repeat):
        member = np.flatnonzero(repeat == number)
        weight = None if rows.weight is None else rows.weight[member]
        called[member] = _repeat_calls(rows.positive[member], output[member], part[member], weight, context)
    return called


def _repeat_calls(
    positive: BoolArray, score: FloatArray, part: IntArray, weight: FloatArray | None, context: OperatingContext
) -> BoolArray:
    distinct, place = np.unique(score, return_inverse=True)
    tallies = [_tally(place, positive == kind, weight, distinct.size) for kind in (True, False)]
    called = np.zeros(positive.size, dtype=bool)
    for fold in np.unique(part):
        held_out = part == fold
        share = None if weight is None else weight[held_out]
        kept = [
            total - _tally(place[held_out], positive[held_out] == kind, share, distinct.size)
            for kind, total in zip((True, False), tallies, strict=True)
        ]
        called[held_out] = score[held_out] >= _cheapest_threshold(distinct, kept[0], kept[1], context)
    return called


def _tally(place: IntArray, member: BoolArray, weight: FloatArray | None, size: int) -> FloatArray:
    return np.bincount(place[member], None if weight is None else weight[member], minlength=size).astype(np.float64)


def _cheapest_threshold(
    distinct: FloatArray, positives: FloatArray, negatives: FloatArray, context: OperatingContext
) -> float:
    """Return the threshold of least normalised cost; of tied ones the highest."""
    # A part that leaves one class empty cannot weigh the two errors; the other class decides alone.
    hits = np.append(0.0, np.cumsum(positives[::-1])) / max(positives.sum(), 1e-300)
    alarms = np.append(0.0, np.cumsum(negatives[::-1])) / max(negatives.sum(), 1e-300)
    cost = context.pc * (1 - hits) + (1 - context.pc) * alarms
    best = int(np.argmin(cost))
    return np.inf if best == 0 else float(distinct[::-1][best - 1])


def fold_parts(rows: Judged, rng: np.random.Generator) -> IntArray:
    """Return the parts to hold out: the folds, a few groups of them where they are many, or random parts.

    Random parts serve repeated hold-out, where no repeat has another fold to choose on.
    """
    if rows.part is None or rows.repeat is None or not _has_other_folds(rows.part, rows.repeat):
        return random_parts(rows, rng)
    n_parts = int(rows.part.max()) + 1
    if n_parts <= 2 * PARTS:
        return rows.part
    merged: IntArray = rng.permutation(np.arange(n_parts) % PARTS)[rows.part]
    return merged


def _has_other_folds(part: IntArray, repeat: IntArray) -> bool:
    return all(np.unique(part[repeat == r]).size > 1 for r in np.unique(repeat))


def random_parts(rows: Judged, rng: np.random.Generator) -> IntArray:
    """Split rows (or whole groups) at random into parts, each class evenly where rows are independent."""
    part = np.empty(rows.n, dtype=np.int64)
    if rows.groups is not None:
        n_groups = int(rows.groups.max()) + 1
        return rng.permutation(np.arange(n_groups) % PARTS)[rows.groups]
    for kind in (True, False):
        member = np.flatnonzero(rows.positive == kind)
        part[member] = rng.permutation(np.arange(member.size) % PARTS)
    return part
