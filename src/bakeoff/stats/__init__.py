"""Statistics of comparing models: arrays in, a small frozen result out (the words are SciPy's)."""

from bakeoff.stats._adjust import adjust
from bakeoff.stats._adjust_pairs import adjust_pairs
from bakeoff.stats._aligned import AlignedFriedmanResult, aligned_friedman, aligned_posthoc
from bakeoff.stats._anova import AnovaResult, repeated_measures_anova
from bakeoff.stats._assumptions import (
    NormalityResult,
    OutliersResult,
    VarianceRatioResult,
    normality,
    outliers,
    variance_ratio,
)
from bakeoff.stats._auc_variance import auc_covariance
from bakeoff.stats._bayes_correlated_t import BayesCorrelatedTResult, bayes_correlated_t
from bakeoff.stats._bayes_hierarchical import BayesHierarchicalResult, bayes_hierarchical
from bakeoff.stats._bayes_sign import BayesSignResult, bayes_sign
from bakeoff.stats._bayes_signed_rank import BayesSignedRankResult, bayes_signed_rank
from bakeoff.stats._binomial import BinomialIntervalResult, binomial_interval
from bakeoff.stats._bootstrap_interval import BootstrapIntervalResult, bootstrap_interval
from bakeoff.stats._cluster_t import cluster_t
from bakeoff.stats._cochran import CochranQResult, cochran_q
from bakeoff.stats._conover import conover
from bakeoff.stats._corrected_t import corrected_t
from bakeoff.stats._cost_envelope import CostEnvelopeResult, cost_envelope, envelope_of_points
from bakeoff.stats._delong import DeLongInterval, delong_interval
from bakeoff.stats._delong_many import DeLongMany, delong_many
from bakeoff.stats._delong_test import DeLongTest, delong_test, delong_unpaired
from bakeoff.stats._dunnett import DunnettResult, dunnett
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
from bakeoff.stats._h_measure import h_from_tally, h_measure
from bakeoff.stats._hull import RocHullResult, auc_hull, hull_of_tally, roc_hull, upper_hull
from bakeoff.stats._kappa import KappaResult, cohen_kappa, cohen_kappa_from_table
from bakeoff.stats._kernels import active_path as active_path
from bakeoff.stats._mcnemar import McNemarResult, mcnemar, mcnemar_from_table
from bakeoff.stats._multiclass_auc import MulticlassAucResult, hand_till_auc, multiclass_auc
from bakeoff.stats._nemenyi import bonferroni_dunn, critical_difference, friedman_control, friedman_pairs, nemenyi
from bakeoff.stats._no_information import (
    no_information_loss,
    no_information_rate,
)
from bakeoff.stats._paired_t import TTestResult, paired_t
from bakeoff.stats._pairs import ControlResult, PairsResult, all_pairs
from bakeoff.stats._point632 import (
    BootstrapErrorResult,
    LeaveOneOutBootstrapResult,
    bootstrap_error,
    err632,
    err632_plus,
    leave_one_out_bootstrap,
)
from bakeoff.stats._power_delong import detectable_delong, power_delong, sample_size_delong
from bakeoff.stats._power_friedman import detectable_friedman, power_friedman, sample_size_friedman
from bakeoff.stats._power_mcnemar import detectable_mcnemar, discordant_rates, power_mcnemar, sample_size_mcnemar
from bakeoff.stats._power_t import (
    detectable_corrected_t,
    detectable_paired_t,
    power_corrected_t,
    power_paired_t,
    sample_size_corrected_t,
    sample_size_paired_t,
)
from bakeoff.stats._power_wilcoxon import detectable_wilcoxon, power_wilcoxon, sample_size_wilcoxon
from bakeoff.stats._precision_recall import (
    GainCurveResult,
    PrecisionRecallResult,
    average_precision,
    average_precision_from_tally,
    gain_curve,
    gain_from_tally,
    kolmogorov_smirnov,
    ks_from_tally,
    max_f1,
    max_f1_from_tally,
    precision_recall_curve,
    precision_recall_from_tally,
)
from bakeoff.stats._quade import QuadeResult, quade, quade_posthoc
from bakeoff.stats._roc import RocCurveResult, auc, partial_area, partial_auc, roc_curve, roc_from_tally
from bakeoff.stats._sign import SignTestResult, sign_test
from bakeoff.stats._symmetry import SymmetryResult, bowker, bowker_from_table, stuart_maxwell, stuart_maxwell_from_table
from bakeoff.stats._tally import Tally, auc_from_tally, tally_scores
from bakeoff.stats._tukey import TukeyResult, tukey
from bakeoff.stats._wilcoxon import WilcoxonResult, wilcoxon
from bakeoff.stats._wilcoxon_pairs import WilcoxonPairsResult, wilcoxon_pairs

__all__ = [
    "AlignedFriedmanResult",
    "AnovaResult",
    "BayesCorrelatedTResult",
    "BayesHierarchicalResult",
    "BayesSignResult",
    "BayesSignedRankResult",
    "BinomialIntervalResult",
    "BootstrapErrorResult",
    "BootstrapIntervalResult",
    "CochranQResult",
    "ControlResult",
    "CostEnvelopeResult",
    "DeLongInterval",
    "DeLongMany",
    "DeLongTest",
    "DunnettResult",
    "EquivalenceResult",
    "FiveByTwoFResult",
    "FiveByTwoTResult",
    "FriedmanResult",
    "GainCurveResult",
    "KappaResult",
    "LeaveOneOutBootstrapResult",
    "McNemarResult",
    "MulticlassAucResult",
    "NonInferiorityResult",
    "NormalityResult",
    "OutliersResult",
    "PairsResult",
    "PrecisionRecallResult",
    "QuadeResult",
    "RocCurveResult",
    "RocHullResult",
    "SignTestResult",
    "SymmetryResult",
    "TTestResult",
    "Tally",
    "TukeyResult",
    "VarianceRatioResult",
    "WilcoxonPairsResult",
    "WilcoxonResult",
    "adjust",
    "adjust_pairs",
    "aligned_friedman",
    "aligned_posthoc",
    "all_pairs",
    "auc",
    "auc_covariance",
    "auc_from_tally",
    "auc_hull",
    "average_precision",
    "average_precision_from_tally",
    "bayes_correlated_t",
    "bayes_hierarchical",
    "bayes_sign",
    "bayes_signed_rank",
    "binomial_interval",
    "bonferroni_dunn",
    "bootstrap_error",
    "bootstrap_interval",
    "bowker",
    "bowker_from_table",
    "cliffs_delta",
    "cluster_t",
    "cochran_q",
    "cohen_d",
    "cohen_d_interval",
    "cohen_kappa",
    "cohen_kappa_from_table",
    "conover",
    "corrected_t",
    "cost_envelope",
    "critical_difference",
    "delong_interval",
    "delong_many",
    "delong_test",
    "delong_unpaired",
    "detectable_corrected_t",
    "detectable_delong",
    "detectable_friedman",
    "detectable_mcnemar",
    "detectable_paired_t",
    "detectable_wilcoxon",
    "discordant_rates",
    "dunnett",
    "envelope_of_points",
    "err632",
    "err632_plus",
    "five_by_two_f",
    "five_by_two_t",
    "friedman",
    "friedman_control",
    "friedman_pairs",
    "gain_curve",
    "gain_from_tally",
    "glass_delta",
    "h_from_tally",
    "h_measure",
    "hand_till_auc",
    "hedges_g",
    "hull_of_tally",
    "indistinguishable_groups",
    "kolmogorov_smirnov",
    "ks_from_tally",
    "leave_one_out_bootstrap",
    "letter_display",
    "max_f1",
    "max_f1_from_tally",
    "mcnemar",
    "mcnemar_from_table",
    "multiclass_auc",
    "nemenyi",
    "no_information_loss",
    "no_information_rate",
    "noninferiority",
    "normality",
    "outliers",
    "paired_t",
    "partial_area",
    "partial_auc",
    "power_corrected_t",
    "power_delong",
    "power_friedman",
    "power_mcnemar",
    "power_paired_t",
    "power_wilcoxon",
    "precision_recall_curve",
    "precision_recall_from_tally",
    "quade",
    "quade_posthoc",
    "rank_biserial",
    "repeated_measures_anova",
    "roc_curve",
    "roc_from_tally",
    "roc_hull",
    "sample_size_corrected_t",
    "sample_size_delong",
    "sample_size_friedman",
    "sample_size_mcnemar",
    "sample_size_paired_t",
    "sample_size_wilcoxon",
    "sign_test",
    "stuart_maxwell",
    "stuart_maxwell_from_table",
    "tally_scores",
    "tost",
    "tukey",
    "upper_hull",
    "vargha_delaney_a",
    "variance_ratio",
    "wilcoxon",
    "wilcoxon_pairs",
]
