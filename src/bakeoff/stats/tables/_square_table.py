"""The square table of two sets of labels given to the same instances."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.frames import column_array
from bakeoff._core.validation import FloatArray


def table_of_labels(labels_a: ArrayLike, labels_b: ArrayLike) -> FloatArray:
    """Count pairs of labels; rows are a's labels, columns b's, both in sorted order of all labels seen."""
    first, second = column_array(labels_a), column_array(labels_b)
    if first.ndim != 1 or first.shape != second.shape or first.size == 0:
        raise EvidenceError(
            f"both sets of labels must be paired, one label per instance. Got shapes {first.shape} and {second.shape}.",
            hint="both models must label the same rows, in the same order",
        )
    classes, codes = _encoded(first, second)
    size = classes.size
    cells = np.bincount(codes[: first.size] * size + codes[first.size :], minlength=size * size)
    return cells.reshape(size, size).astype(np.float64)


def _encoded(first: NDArray[Any], second: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Code labels by the sorted classes of both; strings and numbers are never mixed by turning one into the other."""
    kinds = {"number" if labels.dtype.kind in "biuf" else labels.dtype.kind for labels in (first, second)}
    try:
        if kinds == {"number", "U"} or any(x.dtype.kind == "f" and np.isnan(x).any() for x in (first, second)):
            raise TypeError
        classes, codes = np.unique(np.concatenate((first, second)), return_inverse=True)
    except TypeError:
        raise EvidenceError("labels must be of one kind, all numbers or all strings, none missing.") from None
    return classes, codes


def as_square_table(table: ArrayLike) -> FloatArray:
    """Return a square table of counts (or proportions or weights): finite, not negative, not all zero."""
    try:
        counts = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError):
        raise EvidenceError("table must be a square table of counts.") from None
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
        raise EvidenceError(f"table must be square, the same classes in rows and columns. Got shape {counts.shape}.")
    if not np.isfinite(counts).all() or (counts < 0).any() or counts.sum() == 0:
        raise EvidenceError("table must hold finite counts, none negative and not all zero.")
    return counts
