"""DeLong's tests of models whose scores come one column at a time: for more rows than fit in memory as a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.stats.roc._delong_many import DeLongMany, _homogeneity
from bakeoff.stats.roc._delong_test import DeLongTest, _test
from bakeoff.stats.roc._placements import _others_below_twice

_BLOCK = 2**16
_INT32_ROWS = 2**30  # twice a number of rows must fit 31 bits


@dataclass(frozen=True)
class DeLongColumns:
    """AUCs of k models on the same rows and their covariance, from which every pair's test follows."""

    aucs: FloatArray
    covariance: FloatArray
    n_positive: int
    n_negative: int

    def pair(self, a: int, b: int, alternative: str = "two-sided") -> DeLongTest:
        """Test two of the models, as `delong_test` does."""
        s = self.covariance
        variance = float(s[a, a] + s[b, b] - 2.0 * s[a, b])
        return _test(self.aucs[[a, b]], variance, np.inf, alternative, self.n_positive, self.n_negative)

    def homogeneity(self) -> DeLongMany:
        """Test all of them at once, as `delong_many` does."""
        statistic, df, pvalue, notes = _homogeneity(self.aucs, self.covariance)
        return DeLongMany(statistic, df, pvalue, self.aucs, self.covariance, tuple(notes))


def delong_columns(positive: BoolArray, columns: Iterable[FloatArray]) -> DeLongColumns:
    """Return AUCs and DeLong's covariance of score columns ``[n]`` that are looked at one after the other.

    Of each column only whole numbers are kept, twice the count of rows of the other class below each row: 4 bytes a row
    and model, and exact. Both classes must have at least two rows.
    """
    kind = np.int32 if positive.size < _INT32_ROWS else np.int64
    below: list[NDArray[Any]] = [
        _others_below_twice(positive, np.ascontiguousarray(column)).astype(kind) for column in columns
    ]
    n_positive = int(np.count_nonzero(positive))
    n_negative = positive.size - n_positive
    up, down = np.flatnonzero(positive), np.flatnonzero(~positive)
    aucs = np.array([int(b[up].sum(dtype=np.int64)) for b in below]) / (2.0 * n_positive * n_negative)
    # The share below a positive has mean AUC over the positives; the share below a negative, mean 1 − AUC.
    covariance: FloatArray = _spread(below, up, aucs, 2.0 * n_negative)
    covariance += _spread(below, down, 1.0 - aucs, 2.0 * n_positive)
    return DeLongColumns(aucs, covariance, n_positive, n_negative)


def _spread(below: list[NDArray[Any]], rows: NDArray[np.intp], means: FloatArray, scale: float) -> FloatArray:
    """Covariance of the means of the placements over the rows of one class, a block of rows at a time."""
    total = np.zeros((len(below),) * 2)
    for start in range(0, rows.size, _BLOCK):
        some = rows[start : start + _BLOCK]
        piece = np.stack([b[some] for b in below]) / scale - means[:, None]
        total += piece @ piece.T
    return total / (rows.size * (rows.size - 1.0))
