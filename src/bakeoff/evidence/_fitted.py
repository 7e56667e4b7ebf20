"""What a fitted model answers for the test rows: asked for, checked, and named as the columns of a store."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.frames import column_array
from bakeoff.evidence._door import check_probabilities
from bakeoff.evidence._labels import distinct_labels, encode, first_missing, flat, sorted_classes
from bakeoff.evidence._target import CLASSIFICATION, REGRESSION, Target

PROBA = "proba:"  # before the name of a class: the column of its probability
Columns = dict[str, NDArray[Any]]


class Seconds(NamedTuple):
    """How long a model took to answer; a model that only scores takes that long to predict, too."""

    predict: float
    score: float


def task_of(model: Any) -> str | None:
    """``"classification"``, ``"regression"``, or None where a model does not tell what it is for."""
    if any(hasattr(model, name) for name in ("predict_proba", "decision_function")):
        return CLASSIFICATION
    tags = model.__sklearn_tags__() if hasattr(model, "__sklearn_tags__") else None
    return {"classifier": CLASSIFICATION, "regressor": REGRESSION}.get(str(getattr(tags, "estimator_type", None)))


def common_task(models: Mapping[str, Any]) -> str | None:
    """Return what all models are for, or None where they do not tell; classifiers and regressors do not mix."""
    by_task = {task: name for name, model in models.items() if (task := task_of(model)) is not None}
    if len(by_task) > 1:
        raise EvidenceError(
            f"models must be all classifiers or all regressors, but {by_task[CLASSIFICATION]!r} classifies and "
            f"{by_task[REGRESSION]!r} predicts numbers.",
            hint="make two experiments",
        )
    return next(iter(by_task), None)


def take_rows(X: Any, rows: NDArray[np.int64]) -> Any:
    """Return some rows of features, of the same kind as they came."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    return X[rows]


def ask(model: Any, X: Any, target: Target, y_train: NDArray[Any]) -> tuple[Columns, Seconds]:
    """Return the columns a model can give on these rows, and the seconds each call took."""
    if target.task == "regression":
        values, seconds = _timed(model.predict, X)
        return {"y_value": _check_values(values)}, Seconds(seconds, 0.0)
    columns: Columns = {}
    to_predict = None
    if hasattr(model, "predict"):
        labels, to_predict = _timed(model.predict, X)
        columns["y_pred"] = _check_labels(labels, target)
    scored, to_score = _scores(model, X, target, y_train)
    columns.update(scored)
    if not columns:
        raise EvidenceError("the model gave neither labels nor scores.")
    return columns, Seconds(to_score if to_predict is None else to_predict, to_score)


def _timed(call: Callable[[Any], Any], X: Any) -> tuple[NDArray[Any], float]:
    start = time.perf_counter()
    answer = call(X)
    return column_array(answer), time.perf_counter() - start


def _scores(model: Any, X: Any, target: Target, y_train: NDArray[Any]) -> tuple[Columns, float]:
    known = _classes_of(model, y_train)
    if hasattr(model, "predict_proba"):
        table, seconds = _timed(model.predict_proba, X)
        return _probability_columns(_spread(table, known, target.classes), target), seconds
    if hasattr(model, "decision_function") and target.pos_label is not None and len(known) == 2:
        scores, seconds = _timed(model.decision_function, X)
        sign = 1.0 if known[1] == target.pos_label else -1.0  # a positive score means the second class
        return {"y_score": sign * _check_values(scores)}, seconds
    return {}, 0.0


def _classes_of(model: Any, y_train: NDArray[Any]) -> tuple[Hashable, ...]:
    """Classes in the order of the model's columns; models that do not say are taken to sort them."""
    own = getattr(model, "classes_", None)
    if own is None:
        return sorted_classes(distinct_labels(y_train))
    values = column_array(own)
    return tuple(values.tolist())


def _spread(table: NDArray[Any], known: tuple[Hashable, ...], classes: tuple[Hashable, ...]) -> NDArray[np.float64]:
    """Give every class of the data set its column; a class absent from the training rows has probability 0."""
    numbers = np.asarray(table, dtype=np.float64)
    if numbers.ndim == 1 and len(known) == 2:
        numbers = np.stack([1 - numbers, numbers], axis=1)
    if numbers.ndim != 2 or numbers.shape[1] != len(known):
        raise EvidenceError(f"predict_proba must give {len(known)} columns, one a class. Got shape {numbers.shape}.")
    finite = np.isfinite(numbers)
    if not finite.all():
        row = int((~finite).any(axis=1).argmax())
        raise EvidenceError(f"predict_proba must be finite, but test row {row} is {numbers[row].tolist()}.")
    spread = np.zeros((numbers.shape[0], len(classes)))
    spread[:, [_position(c, classes) for c in known]] = numbers
    return check_probabilities("model", spread, classes)


def _position(label: Hashable, classes: tuple[Hashable, ...]) -> int:
    if label not in classes:
        raise EvidenceError(f"the model knows a class {label!r} that the data set does not have.")
    return classes.index(label)


def _probability_columns(table: NDArray[np.float64], target: Target) -> Columns:
    if target.pos_label is not None:
        return {"y_score": np.ascontiguousarray(table[:, target.classes.index(target.pos_label)])}
    return {f"{PROBA}{c}": np.ascontiguousarray(table[:, i]) for i, c in enumerate(target.classes)}


def _check_labels(labels: NDArray[Any], target: Target) -> NDArray[Any]:
    labels = flat(labels)
    if labels.ndim != 1:
        raise EvidenceError(f"predict must give one label per row. Got shape {labels.shape}.")
    gap = first_missing(labels)
    if gap is not None:
        raise EvidenceError(f"predict must give a label for every row, but test row {gap} has none (NaN).")
    codes = encode(labels, target.classes, where="predict")
    return _class_array(target.classes, target.y.dtype)[codes]


def _class_array(classes: tuple[Hashable, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    return np.array(classes) if dtype.kind in "US" else np.array(classes, dtype=dtype)


def _check_values(values: NDArray[Any]) -> NDArray[np.float64]:
    try:
        numbers = flat(np.asarray(values, dtype=np.float64))
    except (TypeError, ValueError):
        raise EvidenceError("the model must give numbers here. Got values of another kind.") from None
    if numbers.ndim != 1:
        raise EvidenceError(f"the model must give one number per row. Got shape {numbers.shape}.")
    finite = np.isfinite(numbers)
    if not finite.all():
        row = int((~finite).argmax())
        raise EvidenceError(f"the model must give finite numbers, but test row {row} is {numbers[row]}.")
    return np.ascontiguousarray(numbers)
