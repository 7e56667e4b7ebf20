"""Dunnett's comparisons with a control for scores in blocks."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from bakeoff._core.validation import FloatArray, check_level
from bakeoff.stats._blocks import check_blocks
from bakeoff.stats.distributions import Null, many_to_one_quantile, many_to_one_sf
from bakeoff.stats.means._two_way import simultaneous, two_way
from bakeoff.stats.multiplicity import ControlResult, check_control


@dataclass(frozen=True, repr=False, kw_only=True)
class DunnettResult(ControlResult):
    """Answer of `dunnett`: `estimate` is the difference of mean scores, other − control.

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


def dunnett(scores: ArrayLike, control: int, *, confidence_level: float = 0.95) -> DunnettResult:
    """Which models differ from a control in mean score, and by how much? Dunnett's test for scores in blocks.

    Parameters
    ----------
    scores
        Shape [N, k]: rows are data sets, columns are models.
    control
        Column of the control model, counting from 0.
    confidence_level
        Joint coverage of the intervals.

    Returns
    -------
    DunnettResult
        `statistic` is t = (mean of other − mean of control)/SE with `df` = (N−1)(k−1); `pvalue`, `low` and `high` are
        simultaneous by construction.

    Notes
    -----
    SE² = 2·MSE/N with the mean square of the two-way layout. The k − 1 ratios share the control, so they correlate at
    1/2; the p-value ``P(max |T| > |t|)`` is found by quadrature and is the same in every run. Assumes normal residuals
    and sphericity (see `repeated_measures_anova`).

    References
    ----------
    Dunnett, C. W. (1955). A multiple comparison procedure for comparing several treatments with a control. JASA 50,
    1096–1121. doi:10.1080/01621459.1955.10501294

    Examples
    --------
    >>> from bakeoff.stats import dunnett
    >>> result = dunnett([[.80, .77, .76], [.62, .59, .60], [.97, .96, .95], [.66, .65, .60]], 0)
    >>> result.pvalue.round(4).tolist()
    [0.144, 0.0201]
    """
    level = check_level(confidence_level)
    layout = two_way(check_blocks(scores))
    column = check_control(control, layout.k)
    others = [j for j in range(layout.k) if j != column]
    estimate = layout.means[others] - layout.means[column]
    # Equal block counts make every pair of ratios correlate at exactly 1/2.
    found = simultaneous(estimate, layout, level, many_to_one_sf, many_to_one_quantile, len(others))
    made = DunnettResult(control=column, others=others, method="dunnett (blocked)", **found)
    return made._keeping(layout=layout, null=Null("many-to-one", (len(others), layout.df_error)))
