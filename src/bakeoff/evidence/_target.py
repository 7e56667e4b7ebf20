"""What a model is to predict: the task, the truth as labels or numbers, the classes and the positive one."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.frames import column_array
from bakeoff.evidence._labels import distinct_labels, first_missing, flat, positive_class, sorted_classes

CLASSIFICATION, REGRESSION = "classification", "regression"
_MANY = 20  # whole numbers with more distinct values than this are numbers on a scale, unless someone says otherwise


@dataclass(frozen=True, eq=False)
class Target:
    """The truth of a data set with its task settled.

    Attributes
    ----------
    task
        ``"binary"``, ``"multiclass"`` or ``"regression"``.
    y
        Labels as strings, int64 or booleans; values as float64.
    classes
        All classes, sorted; empty for regression.
    pos_label
        The positive class, or None.
    """

    task: str
    y: NDArray[Any]
    classes: tuple[Hashable, ...]
    pos_label: Hashable | None


def settle_target(name: str, truth: NDArray[Any], task: str, pos_label: Hashable | None) -> Target:
    """Settle classes and positive class of a data set's truth, checking that it fits the task."""
    if task == REGRESSION:
        return Target("regression", _as_values(name, truth), (), None)
    labels = _as_labels(name, truth)
    classes = sorted_classes(distinct_labels(labels))
    if len(classes) < 2:
        raise EvidenceError(
            f"data set {name!r} has one class only ({classes[0]!r}): there is nothing to tell apart.",
            hint="is the target column the right one?",
        )
    positive = positive_class(classes, pos_label) if len(classes) == 2 else None
    kind = "binary" if len(classes) == 2 else "multiclass"
    return Target(kind, labels, classes, None if positive is None else classes[positive])


def check_truth(name: str, y: Any) -> NDArray[Any]:
    """Truth: one value per row, at least one row, none missing."""
    truth = flat(column_array(y))
    if truth.ndim != 1:
        raise EvidenceError(f"data set {name!r}: y must be one-dimensional. Got shape {truth.shape}.")
    if truth.size == 0:
        raise EvidenceError(f"data set {name!r} has no rows.")
    gap = first_missing(truth)
    if gap is not None:
        raise EvidenceError(
            f"data set {name!r}: the truth must not be missing, but row {gap} has none.",
            hint="drop the rows whose truth is not known",
        )
    return truth


def check_rows(name: str, what: str, values: Any, n: int) -> None:
    """Features and columns: as many rows as the truth has."""
    shape: tuple[int, ...] = getattr(values, "shape", ())
    if not shape and not hasattr(values, "__len__"):
        raise EvidenceError(f"data set {name!r}: {what} must be a table or a list. Got {type(values).__name__}.")
    got = shape[0] if shape else len(values)
    if got != n:
        raise EvidenceError(f"data set {name!r}: {what} must have as many rows as y ({n}). Got {got}.")


def guess_task(truth: NDArray[Any]) -> str:
    """Say what the truth looks like: classes, or numbers on a scale."""
    if truth.dtype.kind == "f" and not np.array_equal(truth, np.round(truth)):
        return REGRESSION
    if truth.dtype.kind in "iuf" and len(np.unique(truth)) > _MANY:
        return REGRESSION
    return CLASSIFICATION


def _as_values(name: str, truth: NDArray[Any]) -> NDArray[np.float64]:
    if truth.dtype.kind not in "iufb":
        raise EvidenceError(
            f"data set {name!r}: regression needs numbers to predict, but y holds {truth[:1].tolist()[0]!r}.",
            hint="for classes use classifiers, or task='classification'",
        )
    values = truth.astype(np.float64)
    if not np.isfinite(values).all():
        raise EvidenceError(f"data set {name!r}: y must be finite.")
    return values


def _as_labels(name: str, truth: NDArray[Any]) -> NDArray[Any]:
    """Labels as one of the store's three kinds: strings, int64 or booleans."""
    if truth.dtype.kind == "b":
        return truth
    if truth.dtype.kind in "iu" or (truth.dtype.kind == "f" and np.array_equal(truth, np.round(truth))):
        return truth.astype(np.int64)
    if truth.dtype.kind == "f":
        raise EvidenceError(
            f"data set {name!r}: y holds numbers on a scale (such as {truth[0]:.6g}), not classes.",
            hint="use regressors, or task='regression'",
        )
    kinds = {type(v) for v in truth.tolist()}
    if kinds == {str}:
        return truth.astype(str)
    if kinds == {bool}:
        return truth.astype(bool)
    if all(issubclass(k, (int, np.integer)) and k is not bool for k in kinds):
        return truth.astype(np.int64)
    named = ", ".join(sorted(k.__name__ for k in kinds))
    raise EvidenceError(
        f"data set {name!r}: labels must be all text, all whole numbers or all booleans. Got {named}.",
        hint="convert the target column, for example with .astype(str)",
    )
