"""Averages of fold curves: vertical (TPR at each FPR) and by threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.result import Note, Result
from bakeoff._core.validation import FloatArray, check_choice
from bakeoff.decision._curve import RocCurve

GRID = 101


@dataclass(frozen=True, repr=False)
class AverageRoc(Result):
    """The mean of several ROC curves, with their spread.

    Attributes
    ----------
    curve
        The mean curve. Its AUC is the mean of the folds' AUCs when the average is vertical.
    fpr_sd, tpr_sd
        Standard deviation of the folds' points around each point of the mean, ``[g]`` (FPR: threshold average only).
    folds
        The curves averaged.
    method
        ``"vertical"`` or ``"threshold"``.
    """

    curve: RocCurve
    fpr_sd: FloatArray
    tpr_sd: FloatArray
    folds: tuple[RocCurve, ...]
    method: str
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Any]:
        return {
            "threshold": self.curve.thresholds,
            "fpr": self.curve.fpr,
            "tpr": self.curve.tpr,
            "fpr_sd": self.fpr_sd,
            "tpr_sd": self.tpr_sd,
        }

    def _headline(self) -> str:
        return f"{self.method} average of {len(self.folds)} curves of {self.curve.model}; auc={self.curve.auc:.4f}"


def average_roc(curves: Sequence[RocCurve], *, method: str = "vertical", grid: ArrayLike | None = None) -> AverageRoc:
    """Average the ROC curves of several folds (never pool their scores: they come from different fits).

    Parameters
    ----------
    curves
        One curve per fold, of the same model.
    method
        ``"vertical"``: the mean TPR at each FPR of `grid`; its area is the mean of the areas. ``"threshold"``: the
        mean point at each threshold of `grid` (the thresholds seen, by default); it keeps thresholds one can set.
    grid
        False positive rates, or thresholds.

    References
    ----------
    Fawcett, T. (2006). An introduction to ROC analysis. Pattern Recognition Letters 27, 861–874, section 9.
    https://doi.org/10.1016/j.patrec.2005.10.010

    Examples
    --------
    >>> folds = [RocCurve.from_arrays([0, 1, 1, 0], s) for s in ([0.1, 0.9, 0.4, 0.3], [0.2, 0.6, 0.1, 0.5])]
    >>> average = average_roc(folds)
    >>> average.curve.auc, [fold.auc for fold in folds]
    (0.75, [1.0, 0.5])
    """
    check_choice("method", method, ("vertical", "threshold"))
    if not curves:
        raise EvidenceError("average_roc needs at least one curve.")
    if method == "vertical":
        return _vertical(curves, None if grid is None else np.asarray(grid, dtype=np.float64))
    return _by_threshold(curves, None if grid is None else np.asarray(grid, dtype=np.float64))


def _vertical(curves: Sequence[RocCurve], grid: FloatArray | None) -> AverageRoc:
    x = np.linspace(0, 1, GRID) if grid is None else grid
    heights = np.stack([curve.tpr_at(x) for curve in curves])
    # The vertical step at FPR 0 belongs to the curve: start it at (0, 0).
    fpr, tpr = np.append(0.0, x), np.append(0.0, heights.mean(axis=0))
    spread = np.append(0.0, _spread(heights))
    area = float(np.mean([curve.auc for curve in curves]))
    mean = _mean_curve(curves, fpr, tpr, np.full(fpr.size, np.nan), area, "vertical average")
    return AverageRoc(mean, np.zeros(fpr.size), spread, tuple(curves), "vertical")


def _by_threshold(curves: Sequence[RocCurve], grid: FloatArray | None) -> AverageRoc:
    if any(np.isnan(curve.thresholds).any() for curve in curves):
        raise EvidenceError(
            "a threshold average needs scored models, but one answers labels.", hint="method='vertical'"
        )
    seen = np.unique(np.concatenate([curve.thresholds for curve in curves])) if grid is None else np.sort(grid)
    thresholds = seen[::-1]
    fpr, tpr = [], []
    for curve in curves:
        at = np.searchsorted(-curve.thresholds[1:], -thresholds, side="right")
        fpr.append(curve.fpr[at])
        tpr.append(curve.tpr[at])
    x, y = np.mean(fpr, axis=0), np.mean(tpr, axis=0)
    mean = _mean_curve(curves, x, y, thresholds, float(np.trapezoid(y, x)), "threshold average")
    return AverageRoc(mean, _spread(np.array(fpr)), _spread(np.array(tpr)), tuple(curves), "threshold")


def _mean_curve(
    curves: Sequence[RocCurve], fpr: FloatArray, tpr: FloatArray, thresholds: FloatArray, area: float, kind: str
) -> RocCurve:
    sizes = [sum(getattr(curve, name) for curve in curves) for name in ("n_positive", "n_negative")]
    return RocCurve(fpr, tpr, thresholds, area, sizes[0], sizes[1], curves[0].model, kind)


def _spread(values: FloatArray) -> FloatArray:
    if values.shape[0] < 2:
        return np.full(values.shape[1], np.nan)
    spread: FloatArray = values.std(axis=0, ddof=1)
    return spread
