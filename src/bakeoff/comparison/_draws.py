"""Two models on the same draws and swaps of units, any measure.

Models are taken in an order that their answers decide, so that numbers depend neither on names nor on the order given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from bakeoff._core.validation import FloatArray
from bakeoff.counts import Counted, Draws, acceleration, resample, sample_of, swap
from bakeoff.evidence import Rows
from bakeoff.measures import Measure


class PairDraws(NamedTuple):
    """Replicates of measure(a) − measure(b), ``[B]``, and BCa's acceleration."""

    differences: FloatArray
    acceleration: float


Source = Callable[[str, str], PairDraws]


def counted(measure: Measure, rows: Rows, models: tuple[str, ...]) -> Counted:
    """The rows of some models as the measure counts them."""
    return Counted(measure.form.of(rows, models, measure.needs), rows.units)


def _in_order(measure: Measure, rows: Rows, models: Iterable[str]) -> tuple[str, ...]:
    """Models by what they answered; by name where two answered the same."""
    keys = {m: blake2b(sample_of(rows, m, measure.needs).output.tobytes()).digest() for m in models}
    return tuple(sorted(keys, key=lambda m: (keys[m], m)))


def difference_draws(measure: Measure, rows: Rows, n_resamples: int, seed: int) -> Source:
    """Return a function of two model names that gives the bootstrap of their difference."""
    if measure.of_cells:  # the joint table of two models is small; that of many is not
        return lambda a, b: _of_pair(measure, rows, a, b, n_resamples, seed)
    models = _in_order(measure, rows, rows.models)
    together = counted(measure, rows, models)
    values = resample(together, measure, Draws(n_resamples, seed, (rows.name, "rows")))
    pairs = {(a, b): k for k, (a, b) in enumerate((a, b) for a in models for b in models if a != b)}
    contrast = np.zeros((len(models), len(pairs)))
    for (a, b), k in pairs.items():
        contrast[models.index(a), k], contrast[models.index(b), k] = 1.0, -1.0
    skew = acceleration(together, measure, contrast)

    def of_pair(a: str, b: str) -> PairDraws:
        with np.errstate(invalid="ignore"):  # both infinite: undefined
            difference = values[:, models.index(a)] - values[:, models.index(b)]
        return PairDraws(difference, float(skew[pairs[a, b]]))

    return of_pair


def _of_pair(measure: Measure, rows: Rows, a: str, b: str, n_resamples: int, seed: int) -> PairDraws:
    first, second = _in_order(measure, rows, (a, b))
    pair = counted(measure, rows, (first, second))
    values = resample(pair, measure, Draws(n_resamples, seed, (rows.name, "cells")))
    sign = 1.0 if (a, b) == (first, second) else -1.0
    skew = acceleration(pair, measure, sign * np.array([[1.0], [-1.0]]))
    with np.errstate(invalid="ignore"):  # both infinite: undefined
        return PairDraws(sign * (values[:, 0] - values[:, 1]), float(skew[0]))


def swap_replicates(measure: Measure, rows: Rows, a: str, b: str, n_resamples: int, seed: int) -> FloatArray:
    """Differences measure(a) − measure(b) after random swaps, ``[B]``; NaN where the measure is undefined."""
    first, second = _in_order(measure, rows, (a, b))
    sign = 1.0 if (a, b) == (first, second) else -1.0
    draws = Draws(n_resamples, seed, (rows.name, "swaps"))
    return sign * swap(counted(measure, rows, (first, second)), measure, draws)
