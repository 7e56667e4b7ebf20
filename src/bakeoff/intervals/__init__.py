"""Intervals: how sure we are of one number."""

from bakeoff._core.result import Interval
from bakeoff.intervals._attempts import Components, Variance
from bakeoff.intervals._attempts import components as components
from bakeoff.intervals._by_slice import Known as Known
from bakeoff.intervals._by_slice import Subject as Subject
from bakeoff.intervals._by_slice import check_shares as check_shares
from bakeoff.intervals._by_slice import cut as cut
from bakeoff.intervals._by_slice import heterogeneity as heterogeneity
from bakeoff.intervals._by_slice import known_of as known_of
from bakeoff.intervals._by_slice import names_of as names_of
from bakeoff.intervals._by_slice import poststratified as poststratified
from bakeoff.intervals._by_slice import sidak as sidak
from bakeoff.intervals._by_slice import small_notes as small_notes
from bakeoff.intervals._by_slice import table_of as table_of
from bakeoff.intervals._by_slice import widest as widest
from bakeoff.intervals._by_slice import worst_of as worst_of
from bakeoff.intervals._closed_forms import FEW_FOR_DELONG as FEW_FOR_DELONG
from bakeoff.intervals._closed_forms import FEW_GROUPS as FEW_GROUPS
from bakeoff.intervals._closed_forms import HIGH_AREA as HIGH_AREA
from bakeoff.intervals._closed_forms import METHODS
from bakeoff.intervals._closed_forms import PAPER_WORDS as PAPER_WORDS
from bakeoff.intervals._closed_forms import weak_notes as weak_notes
from bakeoff.intervals._entry import Entry
from bakeoff.intervals._evaluate import evaluate
from bakeoff.intervals._evaluation import Evaluation
from bakeoff.intervals._fold_rule import CLAIMS as CLAIMS
from bakeoff.intervals._fold_rule import Claim as Claim
from bakeoff.intervals._fold_rule import FoldRule as FoldRule
from bakeoff.intervals._fold_rule import fold_rule as fold_rule
from bakeoff.intervals._of_scores import overlap_from_folds as overlap_from_folds
from bakeoff.intervals._over_folds import FOLDS_DIFFER as FOLDS_DIFFER
from bakeoff.intervals._over_folds import ONE_PARTITION as ONE_PARTITION
from bakeoff.intervals._over_folds import claim_note as claim_note
from bakeoff.intervals._over_folds import folds_differ as folds_differ
from bakeoff.intervals._over_folds import near_chance as near_chance
from bakeoff.intervals._over_folds import near_chance_notes as near_chance_notes
from bakeoff.intervals._per_class import Confusion, PerClass
from bakeoff.intervals._rule import LEAVE_ONE_OUT as LEAVE_ONE_OUT
from bakeoff.intervals._rule import Rule as Rule
from bakeoff.intervals._rule import discordant as discordant
from bakeoff.intervals._rule import fourth_moment_df as fourth_moment_df
from bakeoff.intervals._rule import t_quantile as t_quantile
from bakeoff.intervals._rule import tango as tango
from bakeoff.intervals._slices import Each, Gap, Heterogeneity, SliceEntry, Slices, Worst

__all__ = [
    "METHODS",
    "Components",
    "Confusion",
    "Each",
    "Entry",
    "Evaluation",
    "Gap",
    "Heterogeneity",
    "Interval",
    "PerClass",
    "SliceEntry",
    "Slices",
    "Variance",
    "Worst",
    "evaluate",
]
