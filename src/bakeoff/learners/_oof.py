"""Out-of-fold scores: what a classifier says of rows it was not taught with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils.parallel import Parallel, delayed

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.learners._meta import class_probabilities, rows_of, spread, take_rows
from bakeoff.learners._targets import Targets


def make_splits(
    cv: Any, X: Any, targets: Targets, weights: FloatArray | None, split_params: Mapping[str, Any]
) -> list[tuple[IntArray, IntArray]]:
    """Return the (train, test) rows of any scikit-learn splitter, or of stratified folds."""
    if targets.n_present(weights) < 2:
        raise EvidenceError("tuning on out-of-fold predictions needs rows of at least 2 classes. Got 1 class.")
    splitter = check_cv(cv, targets.labels, classifier=True)
    return list(splitter.split(X, targets.labels, **split_params))


def out_of_fold(
    estimator: Any,
    X: Any,
    targets: Targets,
    splits: list[tuple[IntArray, IntArray]],
    params: Mapping[str, Any],
    n_jobs: int | None = None,
) -> FloatArray:
    """Return the score of every class ``[rows, K]`` for the test rows of each split, one split after the other."""
    check_scores(estimator)
    parts = Parallel(n_jobs=n_jobs)(
        delayed(_fold)(estimator, X, targets, train, test, params) for train, test in splits
    )
    return np.concatenate(parts)


def class_scores(fitted: Any, X: Any, classes: NDArray[Any]) -> FloatArray:
    """Return a score per class, ``[n, K]``: probabilities, or the decision function where there are none.

    The decision function of two classes is one number: it and its negative are the two columns. A class the classifier
    never met scores lowest.
    """
    if hasattr(fitted, "predict_proba"):
        return class_probabilities(fitted, X, classes)
    raw = np.asarray(fitted.decision_function(X), dtype=np.float64)
    columns = np.column_stack([-raw, raw]) if raw.ndim == 1 else raw
    return spread(columns, fitted.classes_, classes, absent=-np.inf)


def check_scores(estimator: Any) -> None:
    """Refuse a classifier that answers labels only: there is no threshold to move."""
    if not hasattr(estimator, "predict_proba") and not hasattr(estimator, "decision_function"):
        raise ParameterError(
            f"{type(estimator).__name__} answers labels only: it has neither predict_proba nor decision_function, "
            "so there is no threshold to move.",
            hint="MetaCostClassifier and CostSensitiveClassifier(method='resample') work with any classifier",
        )


def _fold(
    estimator: Any, X: Any, targets: Targets, train: IntArray, test: IntArray, params: Mapping[str, Any]
) -> FloatArray:
    labels = targets.labels[train]
    if (labels == labels[0]).all():
        raise EvidenceError(
            f"a training fold has rows of one class only, {labels.tolist()[0]!r}.",
            hint="use stratified folds, or fewer of them",
        )
    taught = clone(estimator).fit(take_rows(X, train), labels, **rows_of(params, train, len(targets.codes)))
    return class_scores(taught, take_rows(X, test), targets.classes)
