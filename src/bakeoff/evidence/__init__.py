"""Evidence: what was observed. Rows are checked once at the door, and counted.

Public names: `Predictions`, `Scores`, `Design`, the counts, and the names of the trivial baselines.
"""

from bakeoff.evidence._baselines import PRIOR, always, is_baseline
from bakeoff.evidence._counts import ConfusionCounts, ScoreTally
from bakeoff.evidence._design import Design
from bakeoff.evidence._predictions import Predictions
from bakeoff.evidence._read import read_table
from bakeoff.evidence._rows import ModelOutput, Rows, Split
from bakeoff.evidence._scores import Scores
from bakeoff.evidence._units import Units

__all__ = [
    "PRIOR",
    "ConfusionCounts",
    "Design",
    "ModelOutput",
    "Predictions",
    "Rows",
    "ScoreTally",
    "Scores",
    "Split",
    "Units",
    "always",
    "is_baseline",
    "read_table",
]
