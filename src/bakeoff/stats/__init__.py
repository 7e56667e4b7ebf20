"""Statistics of comparing models: arrays in, a small frozen result out (the words are SciPy's)."""

from bakeoff.stats._auc_variance import auc_covariance
from bakeoff.stats._bayes_correlated_t import BayesCorrelatedTResult, bayes_correlated_t
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
from bakeoff.stats._mcnemar import McNemarResult, mcnemar, mcnemar_from_table
from bakeoff.stats._paired_t import TTestResult, paired_t
from bakeoff.stats._roc import RocCurveResult, auc, partial_auc, roc_curve, roc_from_tally
from bakeoff.stats._tally import Tally, auc_from_tally, tally_scores

__all__ = [
    "BayesCorrelatedTResult",
    "BinomialIntervalResult",
    "BootstrapIntervalResult",
    "DeLongInterval",
    "DeLongMany",
    "DeLongTest",
    "EquivalenceResult",
    "FiveByTwoFResult",
    "FiveByTwoTResult",
    "McNemarResult",
    "NonInferiorityResult",
    "RocCurveResult",
    "TTestResult",
    "Tally",
    "auc",
    "auc_covariance",
    "auc_from_tally",
    "bayes_correlated_t",
    "binomial_interval",
    "bootstrap_interval",
    "cliffs_delta",
    "cohen_d",
    "cohen_d_interval",
    "corrected_t",
    "delong_interval",
    "delong_many",
    "delong_test",
    "delong_unpaired",
    "five_by_two_f",
    "five_by_two_t",
    "glass_delta",
    "hedges_g",
    "mcnemar",
    "mcnemar_from_table",
    "noninferiority",
    "paired_t",
    "partial_auc",
    "rank_biserial",
    "roc_curve",
    "roc_from_tally",
    "tally_scores",
    "tost",
    "vargha_delaney_a",
]
