"""Tukey's honest significant differences for scores in blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.validation import FloatArray, check_level
from bakeoff.stats._blocks import check_blocks
from bakeoff.stats.distributions import Null, studentized_range_quantile, studentized_range_sf
from bakeoff.stats.means._two_way import simultaneous, two_way
from bakeoff.stats.multiplicity import PairsResult, all_pairs, pair_differences


@dataclass(frozen=True, repr=False, kw_only=True)
class TukeyResult(PairsResult):
    """Answer of `tukey`: `estimate` is the difference of mean scores, first − second.

    Attributes
    ----------
    low, high
        Simultaneous confidence limits of the differences.
    confidence_level
        Their joint coverage.
    """

    low: FloatArray
    high: FloatArray
    confidence_level: float


def tukey(scores: ArrayLike, *, confidence_level: float = 0.95) -> TukeyResult:
    """Which pairs of models differ in mean score, and by how much? Tukey's test for scores in blocks.

    Parameters
    ----------
    scores
        Shape [N, k]: rows are data sets, columns are models.
    confidence_level
        Joint coverage of the intervals.

    Returns
    -------
    TukeyResult
        `statistic` is ``q = √2·|mean difference| / SE``, referred to the studentised range of k models with
        `df` = (N−1)(k−1); `pvalue`, `low` and `high` are simultaneous by construction.

    Notes
    -----
    SE² = 2·MSE/N with the mean square of the two-way layout: what is left when data sets and models are taken out. The
    version for independent groups, which leaves the differences between data sets in, is wrong for paired scores and
    hardly ever finds anything. Assumes normal residuals and sphericity (see `repeated_measures_anova`).

    References
    ----------
    Tukey, J. W. (1949). Comparing individual means in the analysis of variance. Biometrics 5, 99–114.
    doi:10.2307/3001913

    Examples
    --------
    >>> from bakeoff.stats import tukey
    >>> result = tukey([[.80, .77, .76], [.62, .59, .60], [.97, .96, .95], [.66, .65, .60]])
    >>> result.pvalue.round(4).tolist()
    [0.1793, 0.0264, 0.3378]
    """
    level = check_level(confidence_level)
    layout = two_way(check_blocks(scores))
    estimate, root = pair_differences(layout.means), np.sqrt(2)
    # The studentised range divides by the standard error of one mean, t by that of a difference: q = √2 |t|.
    found = simultaneous(
        estimate, layout, level, studentized_range_sf, studentized_range_quantile, layout.k, scale=root
    )
    found["statistic"] = root * np.abs(found["statistic"])
    made = TukeyResult(pairs=all_pairs(layout.k), method="tukey (blocked)", **found)
    return made._keeping(layout=layout, null=Null("range", (layout.k, layout.df_error), "upper"))
