"""Curves for the screen: thousands of points become the few that the eye can tell apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray

PIXELS = 640.0  # width of a plot
TOLERANCE = 0.25  # of a pixel
_DIGITS = 5


def keep_visible(
    x: FloatArray, y: FloatArray, *, pixels: float = PIXELS, tolerance: float = TOLERANCE
) -> NDArray[np.intp]:
    """Return the indices of the points that matter on the unit square drawn `pixels` wide.

    First a bucket per pixel column and row keeps its first, last and extreme points (linear time), then Ramer, Douglas
    and Peucker drop those within `tolerance` of the line through their neighbours.
    """
    n = x.size
    if n <= 3:
        return np.arange(n)
    candidates = _bucketed(x, y, pixels) if n > 4 * pixels else np.arange(n)
    kept = _douglas_peucker(x[candidates] * pixels, y[candidates] * pixels, tolerance)
    return candidates[kept]


def rounded(values: FloatArray, digits: int = _DIGITS) -> list[float]:
    """Round for the file: five decimals are a hundredth of a pixel."""
    return [float(v) for v in np.round(np.asarray(values, dtype=np.float64), digits)]


def finite(value: float) -> float | None:
    """The number, or None for what JSON cannot hold."""
    return float(value) if np.isfinite(value) else None


def short(value: float) -> float | None:
    """The number to six digits, or None."""
    return finite(float(f"{value:.6g}"))


def _bucketed(x: FloatArray, y: FloatArray, pixels: float) -> NDArray[np.intp]:
    """Keep the first and last point of every quarter-pixel cell the curve passes through."""
    cell = np.floor(x * pixels * 4) * (pixels * 8) + np.floor(y * pixels * 4)
    change = np.flatnonzero(np.diff(cell)) + 1
    ends = np.concatenate([[0], change, change - 1, [x.size - 1]])
    return np.unique(ends)


def _douglas_peucker(x: FloatArray, y: FloatArray, tolerance: float) -> NDArray[np.intp]:
    keep = np.zeros(x.size, dtype=bool)
    keep[[0, -1]] = True
    stack = [(0, x.size - 1)]
    while stack:
        first, last = stack.pop()
        if last - first < 2:
            continue
        dx, dy = x[last] - x[first], y[last] - y[first]
        length = float(np.hypot(dx, dy))
        px, py = x[first + 1 : last] - x[first], y[first + 1 : last] - y[first]
        distance = np.abs(px * dy - py * dx) / length if length > 0 else np.hypot(px, py)
        worst = int(distance.argmax())
        if distance[worst] > tolerance:
            middle = first + 1 + worst
            keep[middle] = True
            stack += [(first, middle), (middle, last)]
    return np.flatnonzero(keep)
