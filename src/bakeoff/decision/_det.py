"""Detection error trade-off: the ROC curve on the scale of normal deviates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff._core.result import Note, Result
from bakeoff._core.validation import FloatArray
from bakeoff.decision._curve import RocCurve


@dataclass(frozen=True, repr=False)
class DetCurve(Result):
    """Misses against false alarms, with the normal deviates in which a binormal model is a straight line.

    Attributes
    ----------
    fpr, fnr, thresholds
        Rates at each threshold, ``[m]``; the trivial ends are left out (their deviates are infinite).
    x, y
        Normal deviates Φ⁻¹(fpr) and Φ⁻¹(fnr), ``[m]``; ±inf where a rate is 0 or 1.
    equal_error_rate
        The rate at which FPR = FNR, by linear interpolation of the ROC curve.
    """

    model: str
    fpr: FloatArray
    fnr: FloatArray
    thresholds: FloatArray
    x: FloatArray
    y: FloatArray
    equal_error_rate: float
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("thresholds", "fpr", "fnr", "x", "y")}

    def _headline(self) -> str:
        return f"model={self.model!r}, equal_error_rate={self.equal_error_rate:.4f}, {self.fpr.size} points"


def det_curve(curve: RocCurve) -> DetCurve:
    """Turn an ROC curve into a DET curve.

    References
    ----------
    Martin, A. et al. (1997). The DET curve in assessment of detection task performance. Eurospeech, 1895–1898.

    Examples
    --------
    >>> curve = RocCurve.from_arrays([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])
    >>> round(det_curve(curve).equal_error_rate, 4)
    0.3333
    """
    from scipy.special import ndtri

    own = slice(1, -1) if curve.fpr.size > 2 else slice(None)
    fpr, fnr = curve.fpr[own], 1 - curve.tpr[own]
    return DetCurve(curve.model, fpr, fnr, curve.thresholds[own], ndtri(fpr), ndtri(fnr), _equal_error_rate(curve))


def _equal_error_rate(curve: RocCurve) -> float:
    """Return the rate at which false alarms and misses are equally frequent."""
    gap = curve.fpr - (1 - curve.tpr)  # rises from -1 to 1
    after = int(np.argmax(gap >= 0))
    before = max(after - 1, 0)
    rise = gap[after] - gap[before]
    part = -gap[before] / rise if rise > 0 else 0.0
    return float(curve.fpr[before] + part * (curve.fpr[after] - curve.fpr[before]))
