"""Moments: first and second moments of what units add. Of cells and sums they suffice for every linearised answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import FloatArray
from bakeoff.counts._cells import Cells
from bakeoff.counts._form import Countable
from bakeoff.counts._sums import Sums, SumTotals
from bakeoff.evidence import Units

_CHUNK = 16_384  # rows whose parts are held at once


@dataclass(frozen=True)
class Moments:
    """Σx and Σxx′ over units, x measured from `origin`; those of two pieces of evidence add.

    Attributes
    ----------
    n
        Number of units.
    first, second
        Sums ``[m]`` and sums of products ``[m, m]``.
    origin
        What every x is measured from, ``[m]``: differences of nearly equal sums lose their digits otherwise.
    """

    n: int
    first: FloatArray
    second: FloatArray
    origin: FloatArray

    @classmethod
    def of(cls, form: Cells | Sums, units: Units, origin: FloatArray | None = None) -> Moments:
        """Add the units up, chunk by chunk of rows where every row is its own unit."""
        start = form.take(np.arange(0)).parts()
        at = np.zeros(start.shape[1]) if origin is None else origin
        first, second = np.zeros(at.size), np.zeros((at.size, at.size))
        copies = units.once
        rows = np.arange(units.rows)
        whole = units.of_row is not None
        for part in [rows] if whole else np.array_split(rows, max(1, -(-rows.size // _CHUNK))):
            x = form.take(part).parts()
            x = x if units.weight is None else x * units.weight[part, None]
            x = (units.sum_rows(x) if whole else x) - at
            times = copies if whole else copies[part]
            weighted = x if units.copies is None else x * times[:, None]
            first += weighted.sum(axis=0)
            second += weighted.T @ x
        return cls(units.n, first, second, at)

    def __add__(self, other: Moments) -> Moments:
        if not np.array_equal(self.origin, other.origin):
            raise EvidenceError("moments add only when measured from one origin.")
        return Moments(self.n + other.n, self.first + other.first, self.second + other.second, self.origin)

    @property
    def totals(self) -> FloatArray:
        """Σx on its own scale, ``[m]``."""
        return self.first + self.n * self.origin

    def cov(self, gradient: FloatArray) -> FloatArray:
        """Covariance of values whose gradient in the totals is ``[m, c]``."""
        spread = self.second - np.outer(self.first, self.first) / self.n
        covariance: FloatArray = gradient.T @ spread @ gradient * (self.n / max(self.n - 1, 1))
        return covariance


def linearized(form: Cells | Sums, units: Units, measure: Countable) -> tuple[FloatArray, FloatArray]:
    """Values ``[k]`` and their covariance ``[k, k]`` from moments alone: all pairs of many models in one product."""
    moments = Moments.of(form, units)
    k = form.code.shape[1] if isinstance(form, Cells) else form.terms.shape[1]
    if isinstance(form, Cells):
        tables = moments.totals.reshape(k, form.classes, form.classes)
        values = form.values(measure, tables[None])[0]
        own = form.gradient(measure, tables).reshape(k, -1)
        gradient = np.zeros((k, own.shape[1], k))
        gradient[np.arange(k), :, np.arange(k)] = own
        return values, moments.cov(gradient.reshape(-1, k))
    weight = moments.totals[-1]
    sums = moments.totals[:-1].reshape(k, -1)
    means = sums / weight
    values = form.values(measure, SumTotals(sums[None], np.array([weight])))[0]
    own = form.gradient(measure, means)
    gradient = np.zeros((k, own.shape[1], k))
    gradient[np.arange(k), :, np.arange(k)] = own / weight
    last = -(own * means).sum(axis=1) / weight  # a row's one pulls every mean towards itself
    return values, moments.cov(np.concatenate([gradient.reshape(-1, k), last[None]]))
