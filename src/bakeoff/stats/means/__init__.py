"""Normal-theory tests of mean differences: t tests, 5×2 cross-validation, analysis of variance, equivalence."""

from bakeoff.stats.means._anova import AnovaResult, repeated_measures_anova
from bakeoff.stats.means._cluster_t import cluster_t
from bakeoff.stats.means._corrected_t import CORRECTED_T as CORRECTED_T
from bakeoff.stats.means._corrected_t import corrected_t
from bakeoff.stats.means._dunnett import DunnettResult, dunnett
from bakeoff.stats.means._equivalence import EquivalenceResult, NonInferiorityResult, noninferiority, tost
from bakeoff.stats.means._five_by_two import FiveByTwoFResult, FiveByTwoTResult, five_by_two_f, five_by_two_t
from bakeoff.stats.means._paired_t import TTestResult, paired_t, t_interval
from bakeoff.stats.means._tukey import TukeyResult, tukey

__all__ = [
    "AnovaResult", "DunnettResult", "EquivalenceResult", "FiveByTwoFResult", "FiveByTwoTResult", "NonInferiorityResult",
    "TTestResult", "TukeyResult", "cluster_t", "corrected_t", "dunnett", "five_by_two_f", "five_by_two_t",
    "noninferiority", "paired_t", "repeated_measures_anova", "t_interval", "tost", "tukey",
]  # fmt: skip
