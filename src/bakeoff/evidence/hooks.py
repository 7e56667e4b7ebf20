"""What evidence asks of the packages above it; they fill these hooks when they are imported."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from bakeoff._core.hooks import Hook
from bakeoff._core.language import Text

if TYPE_CHECKING:
    from pathlib import Path

    from bakeoff.evidence._predictions import Predictions, Run
    from bakeoff.evidence._scores import Scores

# One number per data set, model, repeat and fold: `Predictions.scores`.
score_predictions: Hook[[Predictions, Any], Scores] = Hook("score_predictions")


class Quantity(NamedTuple):
    """What a table of scores may hold: its name, direction, bounds and printed name."""

    name: str
    greater_is_better: bool
    bounds: tuple[float, float] = (-math.inf, math.inf)
    label: Text | str = ""
    negated: bool = False  # the name is that of scikit-learn's negated scores


# The results of the run whose store a folder is; None where no run is recorded there.
run_in_store: Hook[[Path], Run | None] = Hook("run_in_store")

# What measures ask of a model: labels, scores …, and those that counts cannot answer.
needs_of: Hook[[Any], tuple[list[str], list[str]]] = Hook("needs_of")

# What is known of the measure of that name; None for a name that says nothing.
known_quantity: Hook[[str], Quantity | None] = Hook("known_quantity")
