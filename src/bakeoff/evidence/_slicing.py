"""Slices: named columns of the rows that belong to no model, kept so that answers can be cut by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.frames import column_array, columns_of, is_frame
from bakeoff._core.validation import IntArray
from bakeoff.evidence._marks import missing_rows

MISSING = "(missing)"


@dataclass(frozen=True)
class Slicing:
    """A column that cuts the rows into slices: the slice of each row ``[n]``, and the names of the slices.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_outcomes({"a": [1, 0, 1]}, slices={"region": ["north", None, "north"]})
    >>> p.table().slices["region"].names
    ('(missing)', 'north')
    """

    code: IntArray
    names: tuple[str, ...]


def slicing(name: str, values: NDArray[Any]) -> Slicing:
    """Number the slices of a column in sorted order; a missing value is a slice of its own."""
    if values.ndim != 1:
        raise EvidenceError(f"slice {name!r} must have one value per row. Got shape {values.shape}.")
    if values.dtype.kind in "iub":
        known, code = np.unique(values, return_inverse=True)
        return Slicing(code.astype(np.int64).ravel(), tuple(_slice_name(v) for v in known.tolist()))
    gaps = missing_rows(values)
    cells = [MISSING if gap else _slice_name(v) for v, gap in zip(values.tolist(), gaps.tolist(), strict=True)]
    names = sorted(set(cells))
    place = {label: i for i, label in enumerate(names)}
    return Slicing(np.array([place[c] for c in cells], dtype=np.int64), tuple(names))


def _slice_name(value: Any) -> str:
    """A whole number that a gap in its column made a float is still a whole number."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def slicings(columns: Mapping[str, Any], n: int) -> dict[str, Slicing]:
    """Number the slices of several columns, each of one value per row."""
    found = {name: slicing(name, column_array(values)) for name, values in columns.items()}
    for name, one in found.items():
        if one.code.size != n:
            raise EvidenceError(f"slice {name!r} must have one value per row ({n}). Got {one.code.size}.")
    return found


def slice_columns(slices: Any) -> dict[str, Any]:
    """Name → values or column; names alone are columns."""
    if slices is None:
        return {}
    if is_frame(slices):
        slices = columns_of(slices)
    if isinstance(slices, Mapping):
        return {str(name): values for name, values in slices.items()}
    return {str(name): str(name) for name in ([slices] if isinstance(slices, str) else slices)}
