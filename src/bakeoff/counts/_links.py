"""Links: the scales on which measures are nearly normal, as ways to move a value by a step in its own units."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bakeoff._core.validation import FloatArray


def linked(link: str, value: FloatArray, step: FloatArray) -> FloatArray:
    """Move values by steps (in units of the value) along a straight line on the link scale."""
    return np.asarray(_MOVED[link](value, step))


def _skewed(h: FloatArray) -> FloatArray:
    """A mean square moved by h, relative: log scale downwards, −1/x upwards, never beyond e^{2h}.

    The mean of squares and its standard error rise together; the log takes out half of that, −1/x the whole.
    """
    up = np.clip(h, 0, 0.7968)
    return np.where(h < 0, np.exp(np.minimum(h, 0)), np.where(h < 0.7968, 1 / (1 - up), np.exp(2 * np.clip(h, 0, 300))))


def _logit(value: FloatArray, step: FloatArray) -> FloatArray:
    from scipy.special import expit, logit

    return np.asarray(expit(logit(value) + step / (value * (1 - value))))


_MOVED: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "identity": lambda v, d: v + d,
    "log": lambda v, d: v * np.exp(np.clip(d / v, -700, 700)),
    "logit": _logit,
    "fisher": lambda v, d: np.tanh(np.arctanh(v) + d / (1 - v**2)),
    "square": lambda v, d: v * np.sqrt(_skewed(2 * d / v)),  # the root of a mean square
    "square_share": lambda v, d: 1 - (1 - v) * _skewed(-d / (1 - v)),  # 1 − mean square / variance
}
