"""Placements: the share of the other class that each row is ranked rightly against."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


def placements(positive: BoolArray, score: FloatArray) -> FloatArray:
    """Return for each positive the share of negatives below it, for each negative that of positives above it.

    Ties count one half; the mean over either class is the AUC. O(n log n): split, sort each class, merge.
    """
    up, down = np.flatnonzero(positive), np.flatnonzero(~positive)
    up, down = up[np.argsort(score[up])], down[np.argsort(score[down])]
    high, low = score[up], score[down]
    share = np.empty(score.size)
    below = np.searchsorted(low, high, side="left") + np.searchsorted(low, high, side="right")
    share[up] = below / (2.0 * low.size)
    beaten = np.searchsorted(high, low, side="left") + np.searchsorted(high, low, side="right")
    share[down] = 1.0 - beaten / (2.0 * high.size)
    return share
