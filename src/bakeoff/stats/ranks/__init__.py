"""Tests on ranks: two models (signed ranks, signs) and several models over data sets, with their post hocs."""

from bakeoff.stats.ranks._aligned import AlignedFriedmanResult, aligned_friedman, aligned_posthoc
from bakeoff.stats.ranks._friedman import FriedmanResult, friedman
from bakeoff.stats.ranks._nemenyi import (
    bonferroni_dunn,
    conover,
    critical_difference,
    friedman_control,
    friedman_pairs,
    nemenyi,
)
from bakeoff.stats.ranks._pair_shifts import PairShifts
from bakeoff.stats.ranks._quade import QUADE, QuadeResult, quade, quade_posthoc
from bakeoff.stats.ranks._ranking import average_ranks, grid_keys
from bakeoff.stats.ranks._sign import SignTestResult, sign_test
from bakeoff.stats.ranks._signed_rank import untied_cdf
from bakeoff.stats.ranks._wilcoxon import EXACT_LIMIT, RankSums, WilcoxonResult, as_tested, rank_sums, wilcoxon
from bakeoff.stats.ranks._wilcoxon_pairs import WilcoxonPairsResult, wilcoxon_pairs

__all__ = [
    "AlignedFriedmanResult", "EXACT_LIMIT", "FriedmanResult", "PairShifts", "QUADE", "QuadeResult", "RankSums",
    "SignTestResult", "WilcoxonPairsResult", "WilcoxonResult", "aligned_friedman", "aligned_posthoc", "as_tested",
    "average_ranks", "bonferroni_dunn", "conover", "critical_difference", "friedman", "friedman_control",
    "friedman_pairs", "grid_keys", "nemenyi", "quade", "quade_posthoc", "rank_sums", "sign_test", "untied_cdf",
    "wilcoxon", "wilcoxon_pairs",
]  # fmt: skip
