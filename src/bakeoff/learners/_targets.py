"""The target of a classifier: its classes, its codes, and which class is the positive one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.frames import column_array
from bakeoff._core.validation import FloatArray, IntArray


@dataclass(frozen=True)
class Targets:
    """Labels, sorted classes, and each row's class as a position."""

    labels: NDArray[Any]
    classes: NDArray[Any]
    codes: IntArray

    def counts(self, sample_weight: FloatArray | None) -> FloatArray:
        """Weight of each class: its rows where none is given."""
        return np.bincount(self.codes, weights=sample_weight, minlength=len(self.classes)).astype(np.float64)

    def n_present(self, sample_weight: FloatArray | None) -> int:
        """Count the classes that have rows of positive weight."""
        return int((self.counts(sample_weight) > 0).sum())


def check_targets(y: Any) -> Targets:
    """Return the classes and codes of a classification target; refuse None, NaN, continuous and multi-column ones."""
    if y is None:
        raise EvidenceError("the learner requires y to be passed, but the target y is None.")
    flat = column_or_1d(_plain(y), warn=True)
    if flat.dtype.kind == "f":
        check_array(flat, ensure_2d=False, input_name="y")
    if len(flat) == 0:
        raise EvidenceError("y must have at least one row. Got 0 sample(s).")
    _check_none_missing(flat)
    check_classification_targets(flat)
    classes, codes = np.unique(flat, return_inverse=True)
    return Targets(flat, classes, codes.astype(np.int64))


def positive_position(classes: NDArray[Any], pos_label: Any, *, symmetric: bool) -> int:
    """Return which of two classes is the positive one: named, or 1 of {0, 1}, {-1, 1}, {False, True}.

    When the context treats both classes alike (`symmetric`), the last class is called positive: nothing depends on it.
    """
    labels = classes.tolist()
    if pos_label is not None:
        if pos_label not in labels:
            raise ParameterError(f"pos_label must be one of the classes {labels}. Got {pos_label!r} instead.")
        return int(labels.index(pos_label))
    if symmetric or labels in ([0, 1], [-1, 1], [False, True]):
        return len(labels) - 1
    raise EvidenceError(
        f"the positive class is not clear: the classes are {', '.join(map(repr, labels))}, and the context treats "
        "positives and negatives differently.",
        hint="name the positive class with pos_label=",
    )


def check_weights(sample_weight: Any, n_rows: int) -> FloatArray | None:
    """Return the rows' weights as non-negative finite floats, or None."""
    if sample_weight is None:
        return None
    weights = np.asarray(column_array(sample_weight), dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.ndim != 1:
        raise EvidenceError(
            f"sample_weight must be one-dimensional. Got shape {weights.shape}: Sample weights must be 1D."
        )
    if len(weights) != n_rows:
        raise EvidenceError(f"sample_weight must have one value per row. Got {len(weights)} for {n_rows} rows.")
    if not np.isfinite(weights).all() or (weights < 0).any() or not (weights > 0).any():
        raise EvidenceError("sample_weight must be finite and not negative, with at least one above zero.")
    return weights


def _plain(y: Any) -> Any:
    return y if isinstance(y, (np.ndarray, list, tuple)) or hasattr(y, "iloc") else column_array(y)


def _check_none_missing(labels: NDArray[Any]) -> None:
    if labels.dtype != object:
        return
    missing = [row for row, label in enumerate(labels) if label is None or label != label]
    if missing:
        raise EvidenceError(
            f"y must not have missing labels, but {len(missing)} are (the first at row {missing[0]}).",
            hint="drop those rows: a learner cannot be taught by a row without a label",
        )
