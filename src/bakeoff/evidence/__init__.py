"""Evidence: what was observed. Rows are checked once, when evidence is made, and counted.

Public names: `Predictions`, `Scores`, `Design`, the counts, the names of the trivial baselines, and the `readers` of
other people's runs. What is imported ``as`` itself and not in ``__all__`` is for the packages above, not for users.
"""

from bakeoff.evidence import hooks as hooks
from bakeoff.evidence import readers
from bakeoff.evidence import seals as seals
from bakeoff.evidence._answers import is_array_like as is_array_like
from bakeoff.evidence._answers import kind_of_answers as kind_of_answers
from bakeoff.evidence._answers import paired as paired
from bakeoff.evidence._columns import column as column
from bakeoff.evidence._counted import Scanned as Scanned
from bakeoff.evidence._counts import ConfusionCounts, ScoreTally
from bakeoff.evidence._counts_file import is_counts as is_counts
from bakeoff.evidence._design import Design
from bakeoff.evidence._direction import ASSUMED as ASSUMED
from bakeoff.evidence._direction import direction_assumed as direction_assumed
from bakeoff.evidence._engine import asked as asked
from bakeoff.evidence._engine import rounded as rounded
from bakeoff.evidence._fitted import Columns as Columns
from bakeoff.evidence._fitted import ask as ask
from bakeoff.evidence._fitted import common_task as common_task
from bakeoff.evidence._fitted import take_rows as take_rows
from bakeoff.evidence._fitted import task_of as task_of
from bakeoff.evidence._folders import COMPACT as COMPACT
from bakeoff.evidence._folders import stored_rows as stored_rows
from bakeoff.evidence._folders import superseded as superseded
from bakeoff.evidence._labels import distinct_labels as distinct_labels
from bakeoff.evidence._labels import first_missing as first_missing
from bakeoff.evidence._marks import missing_rows as missing_rows
from bakeoff.evidence._marks import refuse_marks as refuse_marks
from bakeoff.evidence._pairing import Pairing
from bakeoff.evidence._pairing import pairing_of as pairing_of
from bakeoff.evidence._predictions import Predictions
from bakeoff.evidence._predictions import Run as Run
from bakeoff.evidence._predictions import paired_rows as paired_rows
from bakeoff.evidence._read import is_store as is_store
from bakeoff.evidence._read import read, read_table
from bakeoff.evidence._read import refuse_absent as refuse_absent
from bakeoff.evidence._roles import can_be_model as can_be_model
from bakeoff.evidence._roles import is_identifier as is_identifier
from bakeoff.evidence._roles import refuse_cells as refuse_cells
from bakeoff.evidence._rows import BOOTSTRAP, PRIOR, RESAMPLED, ModelOutput, Rows, Split, always, is_baseline
from bakeoff.evidence._scores import Scores
from bakeoff.evidence._slicing import Slicing
from bakeoff.evidence._target import CLASSIFICATION as CLASSIFICATION
from bakeoff.evidence._target import REGRESSION as REGRESSION
from bakeoff.evidence._target import Target as Target
from bakeoff.evidence._target import check_rows as check_rows
from bakeoff.evidence._target import check_truth as check_truth
from bakeoff.evidence._target import guess_task as guess_task
from bakeoff.evidence._target import settle_target as settle_target
from bakeoff.evidence._text import content_of as content_of
from bakeoff.evidence._text import unpacked as unpacked
from bakeoff.evidence._travel import Counts
from bakeoff.evidence._units import Units
from bakeoff.evidence.logs import formats
from bakeoff.evidence.logs import has_logs as has_logs

__all__ = [
    "BOOTSTRAP",
    "PRIOR",
    "RESAMPLED",
    "ConfusionCounts",
    "Counts",
    "Design",
    "ModelOutput",
    "Pairing",
    "Predictions",
    "Rows",
    "ScoreTally",
    "Scores",
    "Slicing",
    "Split",
    "Units",
    "always",
    "formats",
    "is_baseline",
    "read",
    "read_table",
    "readers",
]
