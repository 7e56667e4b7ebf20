"""What evidence asks of the packages above it; they fill these hooks when they are imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bakeoff._core.hooks import Hook

if TYPE_CHECKING:
    from bakeoff.evidence._predictions import Predictions
    from bakeoff.evidence._scores import Scores

# One number per data set, model, repeat and fold: `Predictions.scores`.
score_predictions: Hook[[Predictions, Any], Scores] = Hook("score_predictions")

# Whether more is better by the measure of that name; None for a name that no measure has.
greater_is_better: Hook[[str], bool | None] = Hook("greater_is_better")
