"""Power, sample sizes and detectable effects of the tests."""

from bakeoff.stats.power._delong import detectable_delong, power_delong, sample_size_delong
from bakeoff.stats.power._friedman import detectable_friedman, power_friedman, sample_size_friedman
from bakeoff.stats.power._mcnemar import detectable_mcnemar, discordant_rates, power_mcnemar, sample_size_mcnemar
from bakeoff.stats.power._search import smallest_count, smallest_effect
from bakeoff.stats.power._simulate import ErrorRates, simulate_errors
from bakeoff.stats.power._t import (
    detectable_corrected_t,
    detectable_paired_t,
    power_corrected_t,
    power_paired_t,
    sample_size_corrected_t,
    sample_size_paired_t,
)
from bakeoff.stats.power._wilcoxon import detectable_wilcoxon, power_wilcoxon, sample_size_wilcoxon

__all__ = [
    "ErrorRates", "detectable_corrected_t", "detectable_delong", "detectable_friedman", "detectable_mcnemar",
    "detectable_paired_t",
    "detectable_wilcoxon", "discordant_rates", "power_corrected_t", "power_delong", "power_friedman", "power_mcnemar",
    "power_paired_t", "power_wilcoxon", "sample_size_corrected_t", "sample_size_delong", "sample_size_friedman",
    "sample_size_mcnemar", "sample_size_paired_t", "sample_size_wilcoxon", "simulate_errors",
    "smallest_count", "smallest_effect",
]  # fmt: skip
