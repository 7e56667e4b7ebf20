"""Intervals: how sure we are of one number."""

from bakeoff._core.result import Interval
from bakeoff.intervals._closed_forms import FEW_FOR_DELONG as FEW_FOR_DELONG
from bakeoff.intervals._closed_forms import FEW_GROUPS as FEW_GROUPS
from bakeoff.intervals._closed_forms import HIGH_AREA as HIGH_AREA
from bakeoff.intervals._closed_forms import METHODS
from bakeoff.intervals._closed_forms import has_slope as has_slope
from bakeoff.intervals._evaluate import evaluate
from bakeoff.intervals._evaluation import Entry, Evaluation
from bakeoff.intervals._fold_rule import Claim as Claim
from bakeoff.intervals._fold_rule import FoldRule as FoldRule
from bakeoff.intervals._fold_rule import fold_rule as fold_rule
from bakeoff.intervals._over_folds import FOLDS_DIFFER as FOLDS_DIFFER
from bakeoff.intervals._over_folds import ONE_PARTITION as ONE_PARTITION
from bakeoff.intervals._over_folds import claim_note as claim_note
from bakeoff.intervals._over_folds import folds_differ as folds_differ
from bakeoff.intervals._rule import LEAVE_ONE_OUT as LEAVE_ONE_OUT
from bakeoff.intervals._rule import Rule as Rule
from bakeoff.intervals._rule import discordant as discordant
from bakeoff.intervals._rule import fourth_moment_df as fourth_moment_df
from bakeoff.intervals._rule import tango as tango

__all__ = ["METHODS", "Entry", "Evaluation", "Interval", "evaluate"]
