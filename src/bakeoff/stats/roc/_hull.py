"""Convex hull of an ROC curve: the best that any threshold, or mixture of two, can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.result import Note, Result
from bakeoff._core.validation import FloatArray, IntArray, as_array, as_float_vector
from bakeoff.stats._kernels import hull_chain
from bakeoff.stats.roc._tally import Tally, as_binary_scores, tally_scores

SHORT = 4096
"""Up to this many points a plain chain is as fast as anything cleverer."""

_PART = 1 << 15


@dataclass(frozen=True, repr=False)
class RocHullResult(Result):
    """Vertices of an ROC convex hull, from (0, 0) to (1, 1).

    Attributes
    ----------
    fpr, tpr
        The vertices; points on an edge are not among them.
    index
        Place of each vertex in the points given; −1 for a trivial classifier, (0, 0) or (1, 1), that was not given.
    notes
        Choices made.
    """

    fpr: FloatArray
    tpr: FloatArray
    index: IntArray
    notes: tuple[Note, ...] = ()

    @property
    def area(self) -> float:
        """Area under the hull (AUCH)."""
        return float(np.trapezoid(self.tpr, self.fpr))


def roc_hull(fpr: ArrayLike, tpr: ArrayLike) -> RocHullResult:
    """Which operating points are optimal for some prevalence and some costs?

    Only vertices of the convex hull can have the least expected cost. "Always negative" (0, 0) and "always positive"
    (1, 1) stand in every hull.

    Parameters
    ----------
    fpr, tpr
        Points ``[m]``: one ROC curve (in its order, O(m)) or any cloud of classifiers (sorted first).

    Notes
    -----
    The hull's slopes are the isotonic (pool-adjacent-violators) regression of class on score.

    References
    ----------
    F. Provost, T. Fawcett (2001), "Robust classification for imprecise environments", Machine Learning 42,
    https://doi.org/10.1023/A:1007601015854

    Examples
    --------
    >>> hull = roc_hull([0.0, 0.1, 0.2, 0.6, 1.0], [0.0, 0.5, 0.55, 0.9, 1.0])
    >>> hull.index.tolist(), round(hull.area, 3)
    ([0, 1, 3, 4], 0.755)
    """
    x, y, order = _with_trivial(*_points(fpr, tpr))
    kept = upper_hull(x, y)
    index = kept if order is None else order[kept]
    return RocHullResult(x[kept], y[kept], index.astype(np.int64))


def auc_hull(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: object = None, sample_weight: ArrayLike | None = None
) -> float:
    """Area under the convex hull of the ROC curve: the AUC after the best monotone recalibration on these rows.

    It is at least the AUC, and optimistic: the hull is fitted to the rows it is measured on.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in `roc_curve`.

    Examples
    --------
    >>> auc_hull([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.875
    """
    positive, score, weight = as_binary_scores(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    x, y, _ = hull_of_tally(tally_scores(positive, score, weight))
    return float(np.trapezoid(y / y[-1], x / x[-1]))


def hull_of_tally(tally: Tally) -> tuple[NDArray[Any], NDArray[Any], IntArray]:
    """Return false and true positives at the hull's vertices, and their places in the curve (0 is "always negative").

    Whole counts are compared exactly.
    """
    false_positives = np.concatenate(([0], np.cumsum(tally.negatives)))
    true_positives = np.concatenate(([0], np.cumsum(tally.positives)))
    kept = upper_hull(false_positives, true_positives)
    return false_positives[kept], true_positives[kept], kept


def _points(fpr: ArrayLike, tpr: ArrayLike) -> tuple[FloatArray, FloatArray, IntArray | None]:
    """Return the points as a staircase, with their places when they had to be put in order."""
    x, y = as_array("fpr", fpr), as_array("tpr", tpr)
    plain = x.dtype == np.float64 and y.dtype == np.float64 and x.ndim == 1 and x.shape == y.shape
    rises = plain and _rises(x, y)  # of ten million points: once is enough
    if not rises:
        x, y = as_float_vector("fpr", fpr), as_float_vector("tpr", tpr)
        if x.size != y.size:
            raise EvidenceError(f"fpr and tpr must be points, value by value. Got {x.size} and {y.size} values.")
        rises = _rises(x, y)
    order = None if rises else _frontier(x, y)
    for name, rate in (("fpr", x), ("tpr", y)):
        low, high = (rate[0], rate[-1]) if order is None else (rate.min(), rate.max())
        if low < 0.0 or high > 1.0:
            raise EvidenceError(f"{name} must be rates within [0, 1]. Got values from {low} to {high}.")
    return (x, y, None) if order is None else (x[order], y[order], order)


def _rises(x: FloatArray, y: FloatArray) -> bool:
    """Tell whether the points are a curve in order; NaN is not."""
    return x.size > 0 and all(bool(rate[0] == rate[0]) and _never_falls(rate) for rate in (x, y))


def _never_falls(rate: FloatArray) -> bool:
    """Look at some thousand points at a time, which stay in the cache."""
    parts = (rate[start : start + _PART + 1] for start in range(0, rate.size - 1, _PART))
    return all(bool((part[1:] >= part[:-1]).all()) for part in parts)


def _frontier(x: FloatArray, y: FloatArray) -> IntArray:
    """Return the order of the points that no other point dominates."""
    order = np.lexsort((-y, x))
    height = y[order]
    best_before = np.concatenate(([-1.0], np.maximum.accumulate(height)[:-1]))
    return np.asarray(order[height > best_before])


def _with_trivial(
    x: FloatArray, y: FloatArray, order: IntArray | None
) -> tuple[FloatArray, FloatArray, IntArray | None]:
    """Add (0, 0) and (1, 1) where they are missing, as places −1."""
    first, last = bool(x[0] > 0 or y[0] > 0), bool(x[-1] < 1 or y[-1] < 1)
    if not (first or last):
        return x, y, order
    ends = (first * [0.0], last * [1.0])
    place = np.arange(x.size) if order is None else order
    return (
        np.concatenate((ends[0], x, ends[1])),
        np.concatenate((ends[0], y, ends[1])),
        np.concatenate((first * [-1], place, last * [-1])).astype(np.int64),
    )


def upper_hull(x: NDArray[Any], y: NDArray[Any]) -> IntArray:
    """Return the places of the hull's vertices above a staircase: `x` and `y` never fall. Whole numbers are exact.

    A point under the hull of some of the points is no vertex. So the hull of every √m-th point prunes nearly all; with
    the farthest point above each of its edges added (as quickhull does), a second sweep leaves a few thousand of ten
    million, and the chain is run on those. Where sweeps do not help because most points are near the hull, pooling
    adjacent violators in C finds the candidates.
    """
    if x.dtype == np.int64 and y.dtype == np.int64 and x.size > 64 and (found := hull_chain(x, y)) is not None:
        return found
    if x.size <= SHORT:
        return _chain(x, y)
    every = np.arange(0, x.size - 1, int(x.size**0.5))
    kept, outposts = _sweep(x, y, np.append(every, x.size - 1))
    while kept.size > SHORT:
        px, py = x[kept], y[kept]
        above, nearer = _sweep(px, py, np.searchsorted(kept, outposts))
        if above.size > 0.8 * kept.size:
            candidates = _pooled(px, py)
            return kept[candidates[_chain(px[candidates], py[candidates])]]
        kept, outposts = kept[above], kept[nearer]
    return kept[_chain(x[kept], y[kept])]


def _sweep(x: NDArray[Any], y: NDArray[Any], sample: IntArray) -> tuple[IntArray, IntArray]:
    """Return the places above the hull of a sample, and the farthest above each edge; its vertices are in both."""
    corners = sample[_chain(x[sample], y[sample])]
    found, farthest = [corners[:1]], [corners[:1]]
    slack = _slack(x, y)
    for a, b in zip(corners[:-1].tolist(), corners[1:].tolist(), strict=True):
        run, rise = x[b] - x[a], y[b] - y[a]
        height = y[a + 1 : b] * run
        height -= x[a + 1 : b] * rise
        above = np.flatnonzero(height > y[a] * run - x[a] * rise + slack * (run + rise))
        if above.size:
            found.append(above + (a + 1))
            farthest.append(height.argmax(keepdims=True) + (a + 1))
        found.append(np.array([b]))
        farthest.append(np.array([b]))
    return np.concatenate(found), np.concatenate(farthest)


def _slack(x: NDArray[Any], y: NDArray[Any]) -> float:
    """Rounding of a rate: a point less than this above a line is on it. Zero for whole numbers."""
    if x.dtype.kind in "iu" and y.dtype.kind in "iu":
        return 0
    return float(4 * np.finfo(np.float64).eps * max(abs(x[-1]), abs(y[-1])))


def _chain(x: NDArray[Any], y: NDArray[Any]) -> IntArray:
    """Andrew's monotone chain for the upper hull; points on an edge are dropped."""
    slack = _slack(x, y)
    xs, ys = x.tolist(), y.tolist()
    stack: list[int] = []
    for i, (cx, cy) in enumerate(zip(xs, ys, strict=True)):
        if stack and cx == xs[stack[-1]] and cy == ys[stack[-1]]:
            continue
        while len(stack) > 1:
            a, b = stack[-2], stack[-1]
            run, rise, more_run, more_rise = xs[b] - xs[a], ys[b] - ys[a], cx - xs[b], cy - ys[b]
            # b stays only if the path turns right there by more than rounding.
            if rise * more_run - run * more_rise > slack * (run + rise + more_run + more_rise):
                break
            stack.pop()
        stack.append(i)
    return np.array(stack, dtype=np.int64)


def _pooled(x: NDArray[Any], y: NDArray[Any]) -> IntArray:
    """Ends of the blocks of a falling isotonic fit to the slopes, seen along x + y so that none is infinite."""
    from scipy.optimize import isotonic_regression

    run, rise = np.diff(x.astype(np.float64)), np.diff(y.astype(np.float64))
    length = run + rise
    moving = np.flatnonzero(length > 0)
    fit = isotonic_regression((rise - run)[moving] / length[moving], weights=length[moving], increasing=False)
    starts = np.asarray(fit.blocks)
    return np.asarray(np.append(moving, x.size - 1)[starts].astype(np.int64))
