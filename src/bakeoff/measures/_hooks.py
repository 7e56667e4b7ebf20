"""What evidence asks of the measures."""

from __future__ import annotations

from bakeoff.evidence import hooks
from bakeoff.measures._catalogue import find
from bakeoff.measures._compute import score_predictions


def _greater_is_better(name: str) -> bool | None:
    known = find(name)
    return None if known is None else known.greater_is_better


def fill_hooks() -> None:
    """Answer what evidence asks, from now on."""
    hooks.score_predictions.fill(score_predictions)
    hooks.greater_is_better.fill(_greater_is_better)
