"""Where to put a threshold between two scores that were seen."""

from __future__ import annotations

import numpy as np

from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.decision import OperatingContext
from bakeoff.stats import RocCurveResult

_TIE = 1e-12


def cut_at(thresholds: FloatArray, index: int, natural: float) -> float:
    """Return a threshold that splits the scores seen as ROC point number `index` does.

    Any value above the next lower score does so. Take the `natural` one (what theory would choose) if it is among them,
    else the middle of the gap; beyond the first and last score, ±inf: always negative, always positive.
    """
    upper = float(thresholds[index])
    lower = float(thresholds[index + 1]) if index + 1 < len(thresholds) else -np.inf
    if lower < natural <= upper:
        return natural
    if np.isinf(upper) or np.isinf(lower):
        return upper if np.isinf(upper) else lower
    middle = lower + (upper - lower) / 2
    return middle if middle > lower else upper


def cheapest_cut(
    curve: RocCurveResult, context: OperatingContext, natural: float, allowed: BoolArray
) -> tuple[int, float]:
    """Return the ROC point of least expected cost among those allowed, and its threshold.

    Of points that tie, the one whose threshold is nearest to the natural one: the data cannot tell them apart, so
    theory may.
    """
    costs = np.where(allowed, context.expected_cost(curve.fpr, curve.tpr), np.inf)
    tied = np.flatnonzero(costs <= costs.min() + _TIE * max(1.0, abs(float(costs.min()))))
    cuts = [cut_at(curve.thresholds, int(i), natural) for i in tied]
    nearest = int(np.argmin([abs(cut - natural) for cut in cuts]))
    return int(tied[nearest]), cuts[nearest]
