"""What a paired test assumes of the differences, looked at and reported; nothing here decides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note, Result
from bakeoff._core.text import format_pvalue
from bakeoff._core.validation import FloatArray, as_float_vector, check_number
from bakeoff.stats._differences import paired_differences

_SHAPIRO_LIMIT = 5000  # Royston's approximation of the p-value was fitted up to this n


@dataclass(frozen=True, repr=False)
class NormalityResult(Result):
    """How far the differences look from normal.

    Attributes
    ----------
    statistic, pvalue
        Of the test named in `method`; NaN with a note when it cannot be run.
    n
        Number of differences.
    method
        ``"shapiro-wilk"``, or ``"dagostino-pearson"`` for more than 5000 differences.
    """

    statistic: float
    pvalue: float
    n: int
    method: str
    notes: tuple[Note, ...] = ()


def normality(a: ArrayLike, b: ArrayLike | None = None) -> NormalityResult:
    """Look whether the paired *differences* may be normal, which is what a paired t-test assumes.

    The scores of each model by themselves need not be normal and are not tested.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Paired scores, or differences with ``b=None``.

    References
    ----------
    Shapiro & Wilk (1965). An analysis of variance test for normality (complete samples). *Biometrika* 52(3–4), 591–611.
    https://doi.org/10.1093/biomet/52.3-4.591

    Examples
    --------
    >>> from bakeoff import stats
    >>> a, b = [0.81, 0.84, 0.79, 0.88, 0.83, 0.90], [0.80, 0.80, 0.78, 0.83, 0.81, 0.60]
    >>> stats.normality(a, b).pvalue < 0.05  # one difference is far from the others
    True
    """
    from scipy import stats

    differences = paired_differences(a, b, minimum=1)
    n = differences.values.size
    method = "shapiro-wilk" if n <= _SHAPIRO_LIMIT else "dagostino-pearson"
    if n < 3 or differences.constant:
        reason = note("normality-untestable:few") if n < 3 else note("normality-untestable:constant")
        return NormalityResult(math.nan, math.nan, n, method, (reason,))
    test = stats.shapiro if n <= _SHAPIRO_LIMIT else stats.normaltest
    unit = np.abs(differences.values).max()  # SciPy takes spreads below 1e-19 for none
    statistic, pvalue = (float(value) for value in test(differences.values / unit))
    shown = format_pvalue(pvalue)
    equal = shown if shown.startswith("<") else f"= {shown}"
    notes = (note("non-normal-differences", n=n, pvalue=equal),) if pvalue < 0.05 else ()
    return NormalityResult(statistic, pvalue, n, method, notes)


@dataclass(frozen=True, repr=False)
class OutliersResult(Result):
    """Which values lie far from the rest.

    Attributes
    ----------
    index
        Positions of the outliers, the farthest first.
    score
        Modified z-scores of all values.
    centre, scale
        Median, and the robust standard deviation the scores are in.
    threshold
        Score beyond which a value is called an outlier.
    """

    index: NDArray[np.intp]
    score: FloatArray
    centre: float
    scale: float
    threshold: float
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Sequence[Any]]:
        shared = {"centre": self.centre, "scale": self.scale, "threshold": self.threshold}
        row = {"n": self.score.size, "n_outliers": self.index.size, **shared}
        return {name: [value] for name, value in row.items()}


def outliers(values: ArrayLike, *, threshold: float = 3.5) -> OutliersResult:
    r"""Find values far from the rest by their distance to the median.

    .. math:: z_i = (x_i - \mathrm{median}) / (1.4826 \cdot \mathrm{MAD})

    Parameters
    ----------
    values : array_like, shape (n,)
        Usually the paired differences: one data set or fold that carries the whole result shows here.
    threshold : float
        \|z\| beyond which a value is called an outlier.

    Notes
    -----
    When more than half of the values are equal the MAD is 0, and 1.2533 × the mean absolute deviation takes its place.

    References
    ----------
    Iglewicz & Hoaglin (1993). *How to Detect and Handle Outliers*. ASQC Quality Press.
    """
    threshold = check_number("threshold", threshold, low=0, closed="none")
    data = as_float_vector("values", values)
    centre = float(np.median(data))
    distance = np.abs(data - centre)
    # 1.4826 = 1/Φ⁻¹(¾) and 1.2533 = √(π/2) make both deviations estimate σ for normal values.
    scale = 1.4826 * float(np.median(distance)) or 1.2533 * float(distance.mean())
    score = (data - centre) / scale if scale > 0 else np.zeros_like(data)
    beyond = np.flatnonzero(np.abs(score) > threshold)
    index = beyond[np.argsort(-np.abs(score[beyond]), kind="stable")]
    notes: tuple[Note, ...] = ()
    if index.size:
        notes = (note("outliers", count=index.size, n=data.size, farthest=data[index[0]], position=index[0]),)
    return OutliersResult(index, score, centre, scale, threshold, notes)._keeping(data=data)
