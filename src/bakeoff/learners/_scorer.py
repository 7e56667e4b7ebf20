"""Expected cost as a scikit-learn scorer, for searches and threshold tuning by cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import confusion_matrix, make_scorer

from bakeoff._core.errors import EvidenceError
from bakeoff._core.frames import column_array
from bakeoff._core.validation import as_binary_truth
from bakeoff.decision import MulticlassContext, OperatingContext
from bakeoff.learners._costs import align_costs, class_order, read_costs
from bakeoff.learners._types import Scorer


def make_cost_scorer(
    context: OperatingContext | MulticlassContext | ArrayLike,
    *,
    pos_label: object = None,
    labels: Sequence[object] | None = None,
) -> Scorer:
    """Make a scorer of expected cost per case in a context, for ``scoring=`` anywhere in scikit-learn.

    Scores are *minus* the expected cost, so that the highest is the best, as scikit-learn's searches want.

    Parameters
    ----------
    context
        `OperatingContext`, `OperatingContext.multiclass`, or a cost matrix (true classes in rows, predicted in columns,
        in sorted class order; or labelled). Without a prevalence or priors: those of the rows scored.
    pos_label
        The positive class of an `OperatingContext`, when labels are neither 0/1, -1/1 nor False/True.
    labels
        All the classes, in the order of an unlabelled cost matrix. Needed where a fold may lack a class.

    Examples
    --------
    >>> from bakeoff.decision import OperatingContext
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> scorer = make_cost_scorer(OperatingContext(cost_fp=1, cost_fn=20), pos_label=0)
    >>> trees = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3, 5]}, scoring=scorer)
    >>> trees.fit(X, y).best_params_
    {'max_depth': 5}
    """
    if not isinstance(context, OperatingContext):
        context = read_costs(context)
    scorer: Scorer = make_scorer(
        expected_cost_of_labels, greater_is_better=False, context=context, pos_label=pos_label, labels=labels
    )
    return scorer


def expected_cost_of_labels(
    y_true: Any,
    y_pred: Any,
    *,
    context: OperatingContext | MulticlassContext,
    pos_label: object = None,
    labels: Sequence[object] | None = None,
    sample_weight: Any = None,
) -> float:
    """Return the expected cost per case of predicted labels in a context (what the scorer negates)."""
    truth, called = column_array(y_true), column_array(y_pred)
    if isinstance(context, OperatingContext):
        is_positive, said_positive = _positives(truth, called, pos_label)
        counts = confusion_matrix(is_positive, said_positive, labels=[False, True], sample_weight=sample_weight)
        costs, prevalence = context.cost_matrix, context.prevalence
        priors = None if prevalence is None else np.array([1 - prevalence, prevalence])
        names: list[Any] = ["negative", "positive"]
    else:
        classes = _classes(context, truth, called, labels)
        names = classes.tolist()
        counts = confusion_matrix(truth, called, labels=classes, sample_weight=sample_weight)
        costs = align_costs(context, classes)
        priors = None if context.priors is None else context.priors[class_order(context, classes)]
    return _expected_cost(np.asarray(counts, dtype=np.float64), costs, priors, names)


def _expected_cost(
    counts: NDArray[np.float64], costs: NDArray[np.float64], priors: NDArray[np.float64] | None, names: list[Any]
) -> float:
    """Mean cost of the counts, each true class weighted by its prior if priors are given."""
    totals = counts.sum(axis=1)
    shares = totals / totals.sum() if priors is None else priors
    unseen = (totals == 0) & (shares > 0)
    if unseen.any():
        raise EvidenceError(
            f"the expected cost is undefined: the rows scored hold none of class {names[int(unseen.argmax())]!r}.",
            hint="use stratified folds, or a context without a prevalence of its own",
        )
    per_class = (counts * costs).sum(axis=1) / np.where(totals == 0, 1, totals)
    return float(shares @ per_class)


def _positives(truth: NDArray[Any], called: NDArray[Any], pos_label: object) -> tuple[NDArray[Any], NDArray[Any]]:
    if pos_label is not None:
        return truth == pos_label, called == pos_label
    return as_binary_truth(truth), as_binary_truth(called, name="y_pred")


def _classes(
    context: MulticlassContext, truth: NDArray[Any], called: NDArray[Any], labels: Sequence[object] | None
) -> NDArray[Any]:
    if labels is not None:
        return np.asarray(labels)
    if context.classes is not None:
        return np.asarray(context.classes)
    found = np.unique(np.concatenate([truth, called]))
    if len(found) != context.n_classes:
        raise EvidenceError(
            f"the cost matrix has {context.n_classes} classes, but the rows scored have {found.tolist()}.",
            hint="name all the classes with labels=, or label the cost matrix",
        )
    return found
