"""Ranks that decide ties as a person reading the decimals would, not as binary floating point does.

``0.811 - 0.801`` and ``0.705 - 0.695`` are both 0.01, but not to a computer. Every rank test here therefore ranks
values rounded to a decimal grid, about ten digits below the size of the scores they came from.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import FloatArray

_DIGITS = 10  # decimals kept below the leading digit of the scores
COARSE_KEY = 1e4  # a key below this has lost digits to the largest score; it is rounded on its own scale instead


def grid_factor(scale: FloatArray) -> FloatArray:
    """Return the power of ten that turns values of this size into whole numbers of the grid."""
    safe = np.where(scale > 0, scale, 1.0)
    exponent = np.clip(_DIGITS - np.floor(np.log10(safe)), -290, 290)
    return np.asarray(np.power(10.0, exponent))


def grid_keys(differences: FloatArray, operands: FloatArray) -> FloatArray:
    """Return keys that order differences and make equal what is equal in decimal.

    Parameters
    ----------
    differences
        Values computed by subtraction, shape [..., n]; keys are comparable along the last axis.
    operands
        Size of what was subtracted: the largest absolute score behind each difference, same shape.

    Notes
    -----
    The noise of ``a - b`` is proportional to the size of `a` and `b`, so the grid is set by the largest operand; where
    that grid is too coarse for a difference (data sets of very different scales), its own operand sets it.
    """
    factor = grid_factor(operands.max(axis=-1, keepdims=True))
    keys = np.rint(differences * factor)
    coarse = (np.abs(keys) < COARSE_KEY) & (differences != 0)
    if coarse.any():
        keys[coarse] = refined_keys(differences[coarse], operands[coarse], np.broadcast_to(factor, keys.shape)[coarse])
    return keys


def refined_keys(differences: FloatArray, operands: FloatArray, factor: FloatArray) -> FloatArray:
    """Round each difference on the grid of its own operand, expressed in units of the common grid."""
    own = grid_factor(operands)
    return np.asarray(np.rint(differences * own) / own * factor)


def average_ranks(keys: FloatArray) -> FloatArray:
    """Rank along the last axis from 1, smallest first; equal keys share their average rank."""
    order = np.argsort(keys, axis=-1, kind="stable")
    ordered = np.take_along_axis(keys, order, axis=-1)
    opens = np.ones(keys.shape, dtype=bool)
    opens[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    first = np.flatnonzero(opens)  # of every group of equal keys, rows one after the other
    size = np.diff(first, append=keys.size)
    average = first % max(keys.shape[-1], 1) + (size + 1) / 2
    ranks = np.empty(keys.shape)
    np.put_along_axis(ranks, order, np.repeat(average, size).reshape(keys.shape), axis=-1)
    return ranks


def block_ranks(scores: FloatArray, *, greater_is_better: bool = True) -> FloatArray:
    """Rank the models within each data set (row): 1 is the best, ties share the average rank."""
    if not isinstance(greater_is_better, (bool, np.bool_)):
        raise ParameterError(
            f"greater_is_better must be True or False. Got {type(greater_is_better).__name__} instead."
        )
    size = np.abs(scores).max(axis=1, keepdims=True)
    keys = np.rint(scores * grid_factor(size))
    return average_ranks(-keys if greater_is_better else keys)


def integer_grid(scores: FloatArray, *, max_digits: int = 8) -> NDArray[np.int32] | None:
    """Return the scores as whole multiples of a power of ten if they are decimals that short, else None.

    Differences of such integers are exact, so that they order and tie as `grid_keys` does, at half of the width.
    """
    largest = float(np.abs(scores).max())
    first = scores.ravel()[:64]
    for digits in range(max_digits + 1):
        unit = 10.0**digits
        if largest * unit >= 2**29:
            return None
        if _are_whole(first * unit) and _are_whole(scores * unit):
            return np.rint(scores * unit).astype(np.int32)
    return None


def _are_whole(values: FloatArray) -> bool:
    whole = np.rint(values)
    return bool((np.abs(values - whole) <= 1e-13 * np.abs(whole)).all())
