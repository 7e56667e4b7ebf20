"""Reference distributions that SciPy lacks or rounds, and upper tails with the conventions of this package."""

from bakeoff.stats.distributions._noncentral_t import noncentral_t_cdf
from bakeoff.stats.distributions._null import Law, Null
from bakeoff.stats.distributions._studentized import (
    many_to_one_quantile,
    many_to_one_sf,
    studentized_range_quantile,
    studentized_range_sf,
)
from bakeoff.stats.distributions._tails import (
    chi2_pvalue,
    f_pvalue,
    inverted_pvalue,
    one_sided_pvalue,
    tail_pvalue,
    two_sided_normal,
    two_sided_quantile,
)

__all__ = [
    "Law", "Null", "chi2_pvalue", "f_pvalue", "inverted_pvalue", "many_to_one_quantile", "many_to_one_sf",
    "noncentral_t_cdf", "one_sided_pvalue", "studentized_range_quantile", "studentized_range_sf", "tail_pvalue",
    "two_sided_normal", "two_sided_quantile",
]  # fmt: skip
