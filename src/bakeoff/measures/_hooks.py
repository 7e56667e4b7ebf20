"""What evidence asks of the measures."""

from __future__ import annotations

from typing import Any

from bakeoff.counts import ANSWERS
from bakeoff.evidence import hooks
from bakeoff.measures._catalogue import find, get_all, is_negated, more_is_better, undecorated
from bakeoff.measures._compute import score_predictions


def _known_quantity(name: str) -> hooks.Quantity | None:
    """What is known of a measure, or of another quantity by its name; None where not even its direction is."""
    bare = name if find(name) is not None else undecorated(name)
    measure = find(bare)
    if measure is not None:
        negated = is_negated(bare)
        return hooks.Quantity(measure.name, measure.greater_is_better, measure.bounds, measure.label, negated)
    more = more_is_better(bare)
    return None if more is None else hooks.Quantity(name, more)


def _needs_of(asked: Any) -> tuple[list[str], list[str]]:
    """What measures need, and which of them are no function of counts."""
    chosen = get_all(asked)
    able = [m for m in chosen if m.form is not ANSWERS and m.needs != "times"]
    return list(dict.fromkeys(m.needs for m in able)), [m.name for m in chosen if m not in able]


def fill_hooks() -> None:
    """Answer what evidence asks, from now on."""
    hooks.score_predictions.fill(score_predictions)
    hooks.known_quantity.fill(_known_quantity)
    hooks.needs_of.fill(_needs_of)
