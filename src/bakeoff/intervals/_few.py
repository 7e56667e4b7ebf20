"""Intervals when a class has few rows: what three positives did not show may still exist.

With a handful of rows in a class, resampled tables repeat a few lumps and DeLong's variance of the placements is close
to nothing as soon as all positives happen to rank high: nominal 95 % intervals then hold the truth in 70 to 90 % of the
runs. The interval is stretched to one that is known to hold there: for functions of the confusion matrix the
posterior with two prior cases spread over the cells (as at the edge of the scale); for AUC Newcombe's score-type
interval, whose variance follows from the area itself (Hanley and McNeil) and not from the few placements.
"""

from __future__ import annotations

import numpy as np

from bakeoff._core.language import Text
from bakeoff._core.notes import Note
from bakeoff._core.result import Interval
from bakeoff.counts import CELLS
from bakeoff.evidence import Rows
from bakeoff.intervals._edge import edge_limits
from bakeoff.intervals._model_rows import ModelRows
from bakeoff.measures import Measure, Trait
from bakeoff.stats.roc import newcombe_limits

FEW_ROWS = 15


def smallest_class(rows: Rows) -> int | None:
    """Count the rows of the rarest class that occurs; None for rows without classes, in groups or weighted."""
    if not rows.classes or not rows.units.plain:
        return None
    counts = np.bincount(rows.truth, weights=rows.row_weight, minlength=len(rows.classes))
    return int(counts[counts > 0].min())


def widened_for_few_rows(interval: Interval, measure: Measure, asked: ModelRows) -> Interval:
    """Widen the interval of a confusion measure or AUC where the rarest class has fewer than `FEW_ROWS` rows."""
    rows = asked.rows
    fewest = smallest_class(rows)
    if fewest is None or fewest >= FEW_ROWS or np.isnan(interval.low):
        return interval
    if measure.has(Trait.AREA):
        positives = int(rows.tally(asked.model).n_positive)
        limits: tuple[float, float] | None = newcombe_limits(
            interval.estimate, positives, rows.units.n - positives, interval.confidence_level
        )
        text = Text(
            "the rarest class has only {n} rows: the interval is stretched to Newcombe's, which needs no variance of "
            "their placements.",
            n=fewest,
        )
    elif measure.form is CELLS:
        limits = edge_limits(measure, asked, interval.estimate, interval.confidence_level)
        text = Text(
            "the rarest class has only {n} rows: the interval is stretched to the posterior with two prior cases "
            "spread over the cells.",
            n=fewest,
        )
    else:
        return interval
    if limits is None:
        return interval
    low, high = min(interval.low, limits[0]), max(interval.high, limits[1])
    notes = (*interval.notes, Note("few-in-class", text))
    return Interval(interval.estimate, low, high, interval.confidence_level, interval.method, notes)
