from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bakeoff.figures._base import finite, keep_visible, rounded, short


@pytest.mark.parametrize("n", [50, 5_000, 200_000])
def test_simplified_curves_are_off_by_less_than_a_third_of_a_pixel(n: int) -> None:
    rng = np.random.default_rng(n)
    tall = np.cumsum(rng.random(n) < 0.5) / n * 2
    x = np.concatenate([[0.0], np.cumsum(rng.random(n)) ** 2])
    x, y = x / x[-1], np.concatenate([[0.0], tall / max(tall[-1], 1e-9)])
    kept = keep_visible(x, y)
    assert kept[0] == 0
    assert kept[-1] == n
    assert kept.size <= 3_000
    assert distance_in_pixels(x, y, kept) <= 0.3


def distance_in_pixels(x: Any, y: Any, kept: Any) -> float:
    """Largest distance of a point of the curve from the kept segment that replaces it, on 640 pixels."""
    place = np.clip(np.searchsorted(kept, np.arange(x.size), side="right") - 1, 0, kept.size - 2)
    a, b = kept[place], kept[place + 1]
    dx, dy, px, py = x[b] - x[a], y[b] - y[a], x - x[a], y - y[a]
    along = np.clip((px * dx + py * dy) / np.maximum(dx**2 + dy**2, 1e-300), 0, 1)
    return float(640 * np.hypot(px - along * dx, py - along * dy).max())


def test_numbers_for_the_file() -> None:
    assert rounded(np.array([1 / 3, 2 / 3])) == [0.33333, 0.66667]
    assert [finite(v) for v in (0.5, float("nan"), float("inf"))] == [0.5, None, None]
    assert [short(v) for v in (1 / 3, float("-inf"))] == [0.333333, None]
