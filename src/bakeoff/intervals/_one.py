"""The interval of one measure of one model on one data set."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from bakeoff._core.language import Text, label
from bakeoff._core.result import Interval, Note, warning_note
from bakeoff.evidence import is_baseline
from bakeoff.intervals._closed_forms import CLOSED_FORMS, ModelRows, undefined
from bakeoff.intervals._rule import normal_quantile
from bakeoff.measures import Measure, compute


def test_set_interval(measure: Measure, asked: ModelRows, method: str, level: float) -> Interval:
    """Interval of a measure over all rows, taken as one test set."""
    value, name = compute(measure, asked.rows, asked.model), partial(label, measure.name)
    if np.isnan(value.value):
        return undefined(level, method, value.reason or Text("{name} is undefined", name=name()))
    if np.isinf(value.value):
        text = Text("{name} is infinite here (a zero in its denominator); no finite limits.", name=name())
        return _unlimited(value.value, level, method, "infinite", text, value.value)
    if measure.needs == "times":
        text = Text("{name} was measured once, which says nothing about how much it varies.", name=name())
        return _unlimited(value.value, level, method, "timed-once", text)
    if measure.of_tally and asked.rows.positives().all():  # such as average precision
        text = Text(
            "there are no negatives: {name} is then the same whatever the model says, so it has no interval.",
            name=name(),
        )
        return _unlimited(value.value, level, method, "no-negatives", text)
    if method in CLOSED_FORMS:
        return _finished(CLOSED_FORMS[method].limits(measure, asked, value.value, level), measure, asked)
    return _bootstrap(measure, asked, value.value, method, level)


def _unlimited(estimate: float, level: float, method: str, code: str, text: Text, high: float = math.nan) -> Interval:
    """A value whose interval does not exist, and why."""
    return Interval(estimate, math.nan, high, level, method, (warning_note(code, text),))


def _bootstrap(measure: Measure, asked: ModelRows, estimate: float, method: str, level: float) -> Interval:
    from bakeoff.stats import bootstrap_interval

    replicates, name = asked.replicates(measure), label(measure.name)
    notes: tuple[Note, ...] = ()
    lost = int(np.isnan(replicates).sum())
    ordered_only = method in ("bca", "percentile")  # an infinite ratio has a place in the order, but no mean
    infinite = int(np.isinf(replicates).sum())
    replicates = replicates[~np.isnan(replicates) if ordered_only else np.isfinite(replicates)]
    if lost:
        share = Text("{n} of {total}", n=lost, total=asked.n_resamples)
        text = Text("{name} was undefined in {share} resamples: left out.", name=name, share=share)
        notes = (warning_note("undefined-replicates", text),)
    if infinite and not ordered_only:
        share = Text("{n} of {total}", n=infinite, total=asked.n_resamples)
        text = Text(
            "{name} was infinite in {share} resamples: left out, so the limit on that side is too near.",
            name=name, share=share,
        )  # fmt: skip
        notes = (*notes, warning_note("infinite-replicates", text))
    if replicates.size < 20:
        return undefined(level, method, Text("{name} was undefined in nearly all resamples", name=name))
    tolerance = 1e-12 * max(abs(estimate), float(np.abs(replicates[np.isfinite(replicates)]).max(initial=0.0)))
    acceleration = asked.acceleration(measure) if method == "bca" else 0.0
    result = bootstrap_interval(estimate, replicates, method=method, confidence_level=level, acceleration=acceleration)
    if 0 < asked.rows.n_groups < 20:
        n_groups = asked.rows.n_groups
        text = Text("only {n_groups} groups: a cluster bootstrap of so few is too narrow.", n_groups=n_groups)
        notes = (*notes, warning_note("few-groups", text))
    interval = Interval(estimate, float(result.low), float(result.high), level, method, notes)
    # Whether resampling saw any spread must not depend on the level, or a wider level could give a narrower interval.
    unmoved = float(np.mean(np.abs(replicates - estimate) <= tolerance))
    if unmoved == 1 and is_baseline(asked.model, asked.rows.classes):
        return exact_interval(estimate, level)
    # The end of the scale, or of what these rows can give: a partial AUC has a floor of its own.
    beyond = replicates.min() >= estimate - tolerance or replicates.max() <= estimate + tolerance
    at_the_end = beyond or min(abs(estimate - bound) for bound in measure.bounds) <= tolerance
    return _finished(interval, measure, asked, degenerate=bool(unmoved >= 0.5 or at_the_end))


def _finished(interval: Interval, measure: Measure, asked: ModelRows, *, degenerate: bool = False) -> Interval:
    """Keep the interval within the measure's bounds, around its estimate, and never of zero width."""
    estimate, notes, level = interval.estimate, interval.notes, interval.confidence_level
    low, high = interval.low, interval.high
    if np.isnan(low) or np.isnan(high):
        return interval
    if degenerate or high - low <= 1e-12 * max(abs(low), abs(high)):
        ways = asked.edge_values(measure, normal_quantile(level) ** 2)
        if not ways.size or ways.max() - ways.min() <= 0:
            return undefined_width(interval, measure)
        low, high = min(low, float(ways.min())), max(high, float(ways.max()))
        notes = (*notes, EDGE_NOTE)
    bottom, top = measure.bounds
    low, high = float(np.clip(low, bottom, top)), float(np.clip(high, bottom, top))
    return Interval(estimate, min(low, estimate), max(high, estimate), level, interval.method, notes)


def exact_interval(value: float, level: float) -> Interval:
    """A value that no row can move: the AUC of a constant, the recall of "always no"."""
    note = Note("exact", Text("a trivial rule: this value does not depend on the rows."))
    return Interval(value, value, value, level, "exact", (note,))


EDGE_NOTE = Note(
    "edge",
    Text(
        "the result is at the end of its scale, where rows show no spread; the interval allows for rows not seen yet "
        "that are answered otherwise."
    ),
)


def undefined_width(interval: Interval, measure: Measure) -> Interval:
    """All rows have the same loss: the spread, and so the interval, cannot be estimated."""
    text = Text("{name} is the same on every row, so its uncertainty cannot be estimated.", name=label(measure.name))
    return replace(interval, low=math.nan, high=math.nan, notes=(*interval.notes, warning_note("no-spread", text)))
