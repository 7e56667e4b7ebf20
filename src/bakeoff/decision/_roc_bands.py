"""Confidence bands around ROC curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.result import Interval, Note, Result
from bakeoff._core.validation import FloatArray, RngLike, as_generator, check_choice, check_count, check_level
from bakeoff.counts import Draws
from bakeoff.decision._context import check_rates
from bakeoff.decision._curve import RocCurve, interpolate_all, thin
from bakeoff.decision._limits import normal_quantile, percentile, wilson
from bakeoff.decision._rules import BinaryRows, Rates, RuleTable

KINDS = ("pointwise", "simultaneous", "ks")


@dataclass(frozen=True, repr=False)
class RocBand(Result):
    """Confidence band of an ROC curve on a grid of false positive rates.

    Attributes
    ----------
    model
        Whose curve.
    fpr, tpr, low, high
        The grid, the curve and the band, ``[g]``.
    kind
        ``"pointwise"``: each TPR on its own. ``"simultaneous"``: the whole curve at once, by resampling. ``"ks"``: the
        whole curve at once, with guaranteed coverage from Kolmogorov's bounds, and wider.
    """

    model: str
    fpr: FloatArray
    tpr: FloatArray
    low: FloatArray
    high: FloatArray
    kind: str
    confidence_level: float
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("fpr", "tpr", "low", "high")}

    def _headline(self) -> str:
        return f"model={self.model!r}, kind={self.kind!r}, level={self.confidence_level:g}, {self.fpr.size} points"


def roc_band(
    rows: BinaryRows,
    model: str,
    *,
    kind: str = "pointwise",
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    fpr: ArrayLike | None = None,
    rng: RngLike = 0,
) -> RocBand:
    """Put a confidence band around the ROC curve of one model.

    The pointwise band is the stratified bootstrap of TPR at each FPR, never narrower than Wilson's interval for the
    positives alone (where all replicates agree, the bootstrap sees no uncertainty). The simultaneous bands move the
    curve along the direction (−1/√N, 1/√P) as far as the bootstrap's (or Kolmogorov's) largest deviation; the
    bootstrap's reaches as far as the pointwise band where that is wider. The same rows give the same band.

    References
    ----------
    Campbell, G. (1994). Advances in statistical methodology for the evaluation of diagnostic and laboratory tests.
    Statistics in Medicine 13, 499–508. https://doi.org/10.1002/sim.4780130513
    Macskassy, S. & Provost, F. (2004). Confidence bands for ROC curves: methods and an empirical study. ROCAI.
    """
    kind, level = check_choice("kind", kind, KINDS), check_level(confidence_level)
    grid, _ = check_rates(np.linspace(0, 1, 101) if fpr is None else fpr, 0.0)
    curve = rows.curve(model)
    if kind == "ks":
        low, high = _shifted(curve, grid, *_kolmogorov(rows.independent, level))
    else:
        draws = Draws(check_count("n_resamples", n_resamples), as_generator(rng), stratified=True)
        drawn = _resampled_curves(rows, curve, draws)
        low, high = _pointwise(curve, drawn, rows.cases, grid, level)
        if kind == "simultaneous":  # what holds for the whole curve cannot be narrower than what holds for a point
            whole_low, whole_high = _simultaneous(curve, drawn, rows.cases, grid, level)
            low, high = np.minimum(low, whole_low), np.maximum(high, whole_high)
    return RocBand(model, grid, curve.tpr_at(grid), low, high, kind, level)


def resampled_area(rows: BinaryRows, curve: RocCurve, draws: Draws, level: float) -> Interval:
    """Percentile interval of the area under a curve of all rows together, by drawing their units."""
    drawn = _resampled_curves(rows, curve, draws)
    return percentile(curve.auc, np.asarray(np.trapezoid(drawn.tpr, drawn.fpr, axis=1)), level)


def _resampled_curves(rows: BinaryRows, curve: RocCurve, draws: Draws) -> Rates:
    """Curves of resamples ``[B, m + 2]``, from (0, 0) to (1, 1)."""
    thresholds = thin(curve) if curve.kind != "labels" else np.array([np.nan])
    drawn = RuleTable.of(rows, {curve.model: thresholds}).resample(draws).of[curve.model]
    zeros, ones = np.zeros((draws.n, 1)), np.ones((draws.n, 1))
    return Rates(np.hstack([zeros, drawn.fpr, ones]), np.hstack([zeros, drawn.tpr, ones]))


def _pointwise(
    curve: RocCurve, drawn: Rates, cases: tuple[float, float], grid: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    n_positive, n_negative = cases
    heights = interpolate_all(drawn.fpr, drawn.tpr, grid)
    low, high = np.quantile(heights, [(1 - level) / 2, (1 + level) / 2], axis=0)
    floor, ceiling = wilson(curve.tpr_at(grid), n_positive, normal_quantile(level))
    # Below two negatives in N the sample cannot tell where the threshold lies, so nothing bounds the TPR from below.
    known = grid >= 2 / n_negative
    return np.where(known, np.minimum(low, floor), 0.0), np.maximum(high, ceiling)


def _simultaneous(
    curve: RocCurve, drawn: Rates, cases: tuple[float, float], grid: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    """Bootstrap the largest deviation along the direction in which both samples vary equally."""
    up, across = np.sqrt(cases)
    along = np.linspace(0, across + up, 512)

    def height(x: FloatArray, y: FloatArray) -> FloatArray:
        return np.asarray(np.interp(along, across * x + up * y, up * y - across * x))

    centre = height(curve.fpr, curve.tpr)
    largest = [np.abs(height(x, y) - centre).max() for x, y in zip(drawn.fpr, drawn.tpr, strict=True)]
    # A sample whose replicates all agree (perfect ranking) is still uncertain by one observation of each class.
    reach = max(float(np.quantile(largest, level)), 1 / across + 1 / up) / 2
    return _shifted(curve, grid, reach / across, reach / up)


def _kolmogorov(independent: tuple[int, int], level: float) -> tuple[float, float]:
    """Kolmogorov's distance for each class at level √level, so that both hold together with probability `level`."""
    from scipy.stats import kstwo

    n_positive, n_negative = independent
    each = np.sqrt(level)
    return float(kstwo.ppf(each, n_negative)), float(kstwo.ppf(each, n_positive))


def _shifted(curve: RocCurve, grid: FloatArray, across: float, up: float) -> tuple[FloatArray, FloatArray]:
    """Move the curve left and up, and right and down; what leaves the unit square is cut."""
    right, left = np.minimum(grid + across, 1.0), grid - across
    high = np.minimum(curve.tpr_at(right) + up, 1.0)
    low = np.where(left >= 0, curve.tpr_at(np.maximum(left, 0.0)) - up, 0.0)
    return np.maximum(low, 0.0), np.where(right >= 1.0, 1.0, high)
