"""What is drawn: rows, rows within strata, or clusters of rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff.stats._kernels import CountPlan, count_plan

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Units:
    """The units of a resampling design, stratum by stratum.

    Attributes
    ----------
    of_row
        Unit of each row, ``[n]``. Without clusters it is a permutation of the rows.
    sizes
        Number of units in each stratum, ``[S]``; as many are drawn in every replicate.
    clustered
        Whether units are clusters of rows.
    """

    of_row: IntArray
    sizes: IntArray
    clustered: bool

    @property
    def plan(self) -> CountPlan:
        """The draw of these units, for the kernels."""
        return count_plan(self.sizes)

    def totals(self, columns: FloatArray) -> FloatArray:
        """Sum the rows of each unit: ``[n, k]`` → ``[units, k]``."""
        n_units = int(self.sizes.sum())
        if not self.clustered:
            by_unit = np.empty_like(columns)
            by_unit[self.of_row] = columns
            return by_unit
        return np.stack([np.bincount(self.of_row, c, minlength=n_units) for c in columns.T], axis=1)


def make_units(
    n: int,
    *,
    strata: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    order: IntArray | None = None,
) -> Units:
    """Number the units: strata one after the other; within a stratum rows in `order`, or clusters as they sort."""
    stratum = np.zeros(n, dtype=np.int64) if strata is None else _codes("strata", strata, n)
    if groups is not None:
        return _clusters(_codes("groups", groups, n), stratum)
    if strata is None and order is None:
        return Units(np.arange(n), np.array([n]), clustered=False)
    inside = np.arange(n) if order is None else order
    ranked = inside if strata is None else inside[np.argsort(stratum[inside], kind="stable")]
    of_row = np.empty(n, dtype=np.int64)
    of_row[ranked] = np.arange(n)
    return Units(of_row, np.bincount(stratum), clustered=False)


def _clusters(group: IntArray, stratum: IntArray) -> Units:
    """Units are clusters; a stratified draw needs every cluster inside one stratum."""
    of_group = np.zeros(int(group.max()) + 1, dtype=np.int64)
    of_group[group] = stratum
    if not np.array_equal(of_group[group], stratum):
        raise EvidenceError(
            "a stratified cluster bootstrap draws whole groups within strata, but some group has rows in two strata.",
            hint="drop strata= (or stratified=True), or give strata that are constant within each group",
        )
    place = np.empty_like(of_group)
    place[np.argsort(of_group, kind="stable")] = np.arange(of_group.size)
    return Units(place[group], np.bincount(of_group), clustered=True)


def _codes(name: str, labels: ArrayLike, n: int) -> IntArray:
    array = np.asarray(labels)
    if array.shape != (n,):
        raise EvidenceError(f"{name} must have one label per row, shape ({n},). Got shape {array.shape} instead.")
    _, codes = np.unique(array, return_inverse=True)
    return codes.astype(np.int64)
