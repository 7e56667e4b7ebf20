"""Many comparisons at once: pairs and controls, adjusted p-values, groups that cannot be told apart."""

from bakeoff.stats.multiplicity._adjust import adjust
from bakeoff.stats.multiplicity._adjust_pairs import adjust_pairs
from bakeoff.stats.multiplicity._groups import indistinguishable_groups, letter_display
from bakeoff.stats.multiplicity._pairs import (
    ControlResult,
    PairsResult,
    all_pairs,
    check_control,
    pair_differences,
    pair_indices,
)

__all__ = [
    "ControlResult", "PairsResult", "adjust", "adjust_pairs", "all_pairs", "check_control", "indistinguishable_groups",
    "letter_display", "pair_differences", "pair_indices",
]  # fmt: skip
