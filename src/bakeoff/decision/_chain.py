"""The upper-left chain of a few points: the corners that are best for some isocost slope in [0, ∞]."""

from __future__ import annotations

import numpy as np

from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.stats import upper_hull

# Rates are k/N and j/P: their cross products are multiples of 1/(N·P), their rounding is a few units of 1e-16.
_ROUNDING = 1e-15

# Above this many points they are one curve in order, and the hull of a curve prunes nearly all of them fast.
_MANY = 4096


def upper_chain(fpr: FloatArray, tpr: FloatArray) -> IntArray:
    """Return the indices of the corners, FPR rising; of coincident points the first given, collinear ones left out.

    The chain runs from the point that is best when only false alarms cost (least FPR, then largest TPR) to the one
    that is best when only misses do (largest TPR, then least FPR).
    """
    if fpr.size > _MANY:
        candidates = upper_hull(fpr, tpr)
        return candidates[upper_chain(fpr[candidates], tpr[candidates])]
    order = np.lexsort((np.arange(fpr.size), -tpr, fpr))
    chain: list[int] = []
    for i in order.tolist():
        if chain and tpr[i] <= tpr[chain[-1]]:
            continue
        while len(chain) >= 2 and _turn(fpr, tpr, chain[-2], chain[-1], i) >= -_ROUNDING:
            chain.pop()
        chain.append(i)
    return np.array(chain, dtype=np.int64)


def _turn(x: FloatArray, y: FloatArray, a: int, b: int, c: int) -> float:
    """Twice the signed area of a triangle: negative when the path a → b → c turns right, as a hull must."""
    return float((x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]))
