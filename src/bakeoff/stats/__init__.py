"""Statistics of comparing models: arrays in, a small frozen result out (the words are SciPy's)."""

from bakeoff.stats._adjust import adjust
from bakeoff.stats._adjust_pairs import adjust_pairs
from bakeoff.stats._auc_variance import auc_covariance
from bakeoff.stats._bayes_correlated_t import BayesCorrelatedTResult, bayes_correlated_t
from bakeoff.stats._bayes_hierarchical import BayesHierarchicalResult, bayes_hierarchical
from bakeoff.stats._bayes_sign import BayesSignResult, bayes_sign
from bakeoff.stats._bayes_signed_rank import BayesSignedRankResult, bayes_signed_rank
from bakeoff.stats._binomial import BinomialIntervalResult, binomial_interval
from bakeoff.stats._bootstrap_interval import BootstrapIntervalResult, bootstrap_interval
from bakeoff.stats._corrected_t import corrected_t
from bakeoff.stats._delong import (
    DeLongInterval,
    DeLongMany,
    DeLongTest,
    delong_interval,
    delong_many,
    delong_test,
    delong_unpaired,
)
from bakeoff.stats._effect_sizes import (
    cliffs_delta,
    cohen_d,
    cohen_d_interval,
    glass_delta,
    hedges_g,
    rank_biserial,
    vargha_delaney_a,
)
from bakeoff.stats._equivalence import EquivalenceResult, NonInferiorityResult, noninferiority, tost
from bakeoff.stats._five_by_two import FiveByTwoFResult, FiveByTwoTResult, five_by_two_f, five_by_two_t
from bakeoff.stats._friedman import FriedmanResult, friedman
from bakeoff.stats._groups import indistinguishable_groups, letter_display
from bakeoff.stats._hull import RocHullResult, auc_hull, hull_of_tally, roc_hull
from bakeoff.stats._mcnemar import McNemarResult, mcnemar, mcnemar_from_table
from bakeoff.stats._nemenyi import bonferroni_dunn, critical_difference, friedman_control, friedman_pairs, nemenyi
from bakeoff.stats._paired_t import TTestResult, paired_t
from bakeoff.stats._pairs import ControlResult, PairsResult, all_pairs
from bakeoff.stats._roc import RocCurveResult, auc, partial_auc, roc_curve, roc_from_tally
from bakeoff.stats._tally import Tally, auc_from_tally, tally_scores
from bakeoff.stats._wilcoxon import WilcoxonResult, wilcoxon
from bakeoff.stats._wilcoxon_pairs import WilcoxonPairsResult, wilcoxon_pairs

__all__ = [
    "BayesCorrelatedTResult",
    "BayesHierarchicalResult",
    "BayesSignResult",
    "BayesSignedRankResult",
    "BinomialIntervalResult",
    "BootstrapIntervalResult",
    "ControlResult",
    "DeLongInterval",
    "DeLongMany",
    "DeLongTest",
    "EquivalenceResult",
    "FiveByTwoFResult",
    "FiveByTwoTResult",
    "FriedmanResult",
    "McNemarResult",
    "NonInferiorityResult",
    "PairsResult",
    "RocCurveResult",
    "RocHullResult",
    "TTestResult",
    "Tally",
    "WilcoxonPairsResult",
    "WilcoxonResult",
    "adjust",
    "adjust_pairs",
    "all_pairs",
    "auc",
    "auc_covariance",
    "auc_from_tally",
    "auc_hull",
    "bayes_correlated_t",
    "bayes_hierarchical",
    "bayes_sign",
    "bayes_signed_rank",
    "binomial_interval",
    "bonferroni_dunn",
    "bootstrap_interval",
    "cliffs_delta",
    "cohen_d",
    "cohen_d_interval",
    "corrected_t",
    "critical_difference",
    "delong_interval",
    "delong_many",
    "delong_test",
    "delong_unpaired",
    "five_by_two_f",
    "five_by_two_t",
    "friedman",
    "friedman_control",
    "friedman_pairs",
    "glass_delta",
    "hedges_g",
    "hull_of_tally",
    "indistinguishable_groups",
    "letter_display",
    "mcnemar",
    "mcnemar_from_table",
    "nemenyi",
    "noninferiority",
    "paired_t",
    "partial_auc",
    "rank_biserial",
    "roc_curve",
    "roc_from_tally",
    "roc_hull",
    "tally_scores",
    "tost",
    "vargha_delaney_a",
    "wilcoxon",
    "wilcoxon_pairs",
]
