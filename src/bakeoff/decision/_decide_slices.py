"""A decision by slices: which model, at which threshold, in each part of the evidence, and what it costs there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bakeoff._core.errors import BakeoffError
from bakeoff._core.language import Text
from bakeoff._core.result import Interval, warning_note
from bakeoff.decision._decision import Decision
from bakeoff.evidence import Rows
from bakeoff.intervals import (
    Each,
    Known,
    SliceEntry,
    Slices,
    cut,
    heterogeneity,
    sidak,
    small_notes,
    t_quantile,
    widest,
    worst_of,
)

Decide = Callable[[Rows, float], Decision]
_MEASURE = "expected_cost"


def decisions_by_slice(rows: Rows, whole: Decision, by: Any, level: float, min_n: int, decide: Decide) -> Slices:
    """Decide in every slice; costs are compared between slices by the spread that their intervals show."""
    rows = rows.about(rows.models, "scores")
    pieces = cut(rows, by)
    parts = pieces.parts(rows)
    made = [_decided(part, level, decide) for part in parts]
    entries = [
        _entry(name, part, one, sidak(level, len(parts)), min_n, decide)
        for name, part, one in zip(pieces.names, parts, made, strict=True)
    ]
    known = Known(
        pieces.names,
        np.array([e.estimate for e in entries]),
        np.array(
            [(e.pointwise.high - e.pointwise.low) / 2 / t_quantile(max(e.n_units - 1, 1), level) for e in entries]
        ),
        np.array([e.n_units for e in entries]),
    )
    turned = [
        name for name, one in zip(pieces.names, made, strict=True)
        if isinstance(one, Decision) and whole.model not in (one.model, *one.not_worse)
    ]  # fmt: skip
    key = (rows.name, _MEASURE)
    found = (widest(known, level, False), heterogeneity(known), worst_of(entries, False), whole.expected_cost)
    gap, test, worst, total = (Each({key: answer}, ("dataset", "measure")) for answer in found)
    small = tuple(e.slice for e in entries if e.n_units < min_n)
    return Slices(
        pieces.by, tuple(entries), ("model", "threshold"), gap, test, worst, total, small, tuple(turned), level
    )  # fmt: skip


def _decided(part: Rows, level: float, decide: Decide) -> Decision | str:
    """The decision on one slice; where none can be made (one class only), why."""
    try:
        return decide(part, level)
    except BakeoffError as problem:
        return problem.message


def _entry(name: str, part: Rows, made: Decision | str, each: float, min_n: int, decide: Decide) -> SliceEntry:
    nan, n = float("nan"), part.units.n
    if isinstance(made, str):
        note = warning_note("undefined", Text("{reason}", reason=made))
        pointwise = Interval(nan, nan, nan, each, "", (note,))
        return SliceEntry(name, part.name, ("", nan), _MEASURE, nan, nan, nan, part.counted, n, pointwise)
    wide = decide(part, each).expected_cost
    cost = made.expected_cost
    return SliceEntry(
        name, part.name, (made.model, made.threshold), _MEASURE, cost.estimate, min(wide.low, cost.low),
        max(wide.high, cost.high), part.counted, n, cost, notes=small_notes(n, min_n),
    )  # fmt: skip
