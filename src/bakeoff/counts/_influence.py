"""Influence: what one unit moves in a value. Standard errors and covariances of all models without a draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.evidence import Units

Factor = Literal["units", "stratum", "cr2"]


@dataclass(frozen=True)
class Influence:
    """Values and what each row's unit moves in them.

    Attributes
    ----------
    value
        One value per column (a model, a pair, a slice, a measure), ``[c]``.
    psi
        Influence by row, ``[n, c]``. It is summed by unit only when it is used, after `combine`: slices and folds that
        share units are then dependent, as they should be.
    units
        What is independent.
    """

    value: FloatArray
    psi: FloatArray
    units: Units

    def combine(self, matrix: ArrayLike) -> Influence:
        """A linear map of the columns ``[c, d]``: a − b, the gap of two slices, the mean of folds or repeats."""
        m = np.asarray(matrix, dtype=np.float64)
        return Influence(self.value @ m, np.einsum("nc,cd->nd", self.psi, m), self.units)

    def __or__(self, other: Influence) -> Influence:
        """The same units seen by another measure, or in another slice."""
        value, psi = np.concatenate([self.value, other.value]), np.concatenate([self.psi, other.psi], axis=1)
        return Influence(value, psi, self.units)

    def by_unit(self) -> FloatArray:
        """Influence of one copy of each record, ``[records, c]``."""
        return self.units.sum_rows(self.psi)

    def cov(self, factor: Factor = "units", stratum: IntArray | None = None) -> FloatArray:
        """Covariance of the values, ``[c, c]``, with a small-sample factor.

        ``"units"``: n/(n − 1). ``"stratum"``: the same within each stratum (of each row), about its mean; by class it
        is DeLong's, and Obuchowski's where units hold several rows. ``"cr2"``: each unit divided by √(1 − its share of
        all weight), the bias-reduced cluster-robust variance of a mean.
        """
        psi, copies, n = self.by_unit(), self.units.once[:, None], self.units.n
        if factor == "cr2":
            psi = psi / np.sqrt(1 - self.units.leverage())[:, None]
            return _products(copies * psi, psi)
        if factor == "units" or stratum is None:
            return _products(copies * psi, psi) * n / max(n - 1, 1)
        if self.units.of_row is not None:
            return self._cov_of_strata_in_units(stratum)
        out = np.zeros((psi.shape[1], psi.shape[1]))
        for s in np.unique(stratum):
            own, count = psi[stratum == s], copies[stratum == s]
            size = float(count.sum())
            centred = own - (count * own).sum(axis=0) / size
            out += _products(count * centred, centred) * size / max(size - 1, 1)
        return out

    def _cov_of_strata_in_units(self, stratum: IntArray) -> FloatArray:
        """Units that hold rows of several strata: the factor of a stratum counts the units that have a row in it."""
        copies, n = self.units.once[:, None], self.units.n
        total = self.by_unit()
        out = _products(copies * total, total) * n / max(n - 1, 1)
        for s in np.unique(stratum):
            inside = (stratum == s).astype(np.float64)[:, None]
            own, holds = self.units.sum_rows(self.psi * inside), self.units.sum_rows(inside) > 0
            size = float((copies * holds).sum())
            out += _products(copies * own, own) * (size / max(size - 1, 1) - n / max(n - 1, 1))
        return out

    def standard_error(self, factor: Factor = "units", stratum: IntArray | None = None) -> FloatArray:
        """Standard error of each value, ``[c]``."""
        return np.sqrt(np.diagonal(self.cov(factor, stratum)))

    def df(self) -> FloatArray:
        """How well each variance is known, ``[c]``: 2 / (its squared coefficient of variation), at most n − 1.

        The variance is a sum of ψ² over units; few units that carry it make it uncertain. j equal units and zeros
        elsewhere give 2j.
        """
        psi, copies, n = self.by_unit(), self.units.once[:, None], self.units.n
        second, fourth = (copies * psi**2).sum(axis=0), (copies * psi**4).sum(axis=0)
        ratio = np.divide(fourth, second**2, out=np.zeros_like(second), where=second > 0)
        return np.asarray(np.minimum(2 / np.maximum(ratio - 1 / n, 1e-300), n - 1))


def _products(left: FloatArray, right: FloatArray) -> FloatArray:
    # einsum, not BLAS: BLAS adds equal columns in unequal order, so that identical models would differ.
    return np.asarray(np.einsum("uc,ud->cd", left, right))
