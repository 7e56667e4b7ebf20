"""Counts of labels: McNemar, Cochran, symmetry, kappa and binomial proportions."""

from bakeoff.stats.tables._binomial import BinomialIntervalResult, binomial_interval
from bakeoff.stats.tables._cochran import CochranQResult, cochran_q
from bakeoff.stats.tables._kappa import KappaResult, cohen_kappa, cohen_kappa_from_table
from bakeoff.stats.tables._mcnemar import FEW_DISCORDANT, McNemarResult, mcnemar, mcnemar_from_table, tango_limits
from bakeoff.stats.tables._symmetry import (
    SymmetryResult,
    bowker,
    bowker_from_table,
    stuart_maxwell,
    stuart_maxwell_from_table,
)

__all__ = [
    "BinomialIntervalResult", "CochranQResult", "FEW_DISCORDANT", "KappaResult", "McNemarResult", "SymmetryResult",
    "binomial_interval", "bowker", "bowker_from_table", "cochran_q", "cohen_kappa", "cohen_kappa_from_table", "mcnemar",
    "mcnemar_from_table", "stuart_maxwell", "stuart_maxwell_from_table", "tango_limits",
]  # fmt: skip
