"""scikit-learn's `cross_validate`: predictions from what it returned, without fitting again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence._fitted import PROBA, ask, common_task, take_rows
from bakeoff.evidence._predictions import Predictions
from bakeoff.evidence._rows import Split
from bakeoff.evidence._target import Target, check_rows, check_truth, guess_task, settle_target


def read_cross_validate(
    results: Mapping[str, Mapping[str, Any]], X: Any, y: Any, *, pos_label: Any = None, name: str = "data"
) -> Predictions:
    """Return paired predictions of models that scikit-learn has cross-validated.

    Parameters
    ----------
    results
        Model name → what ``cross_validate(…, return_estimator=True, return_indices=True)`` returned, all with the same
        splits.
    X, y
        The data they were validated on.
    pos_label, name
        The positive class of two, and the data set's name.

    See Also
    --------
    bakeoff.Scores.from_cv_results : when only the scores were kept.

    Examples
    --------
    >>> from bakeoff.evidence.readers import read_cross_validate
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import StratifiedKFold, cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> kept = cross_validate(GaussianNB(), X, y, cv=StratifiedKFold(5), return_estimator=True, return_indices=True)
    >>> read_cross_validate({"nb": kept}, X, y, name="iris").design.describe()
    '5-fold cross-validation of 1 model on 1 data set (150 rows)'
    """
    for model, one in results.items():
        if "estimator" not in one or "indices" not in one:
            raise EvidenceError(
                f"the results of {model!r} must hold the fitted models and the splits.",
                hint="call cross_validate with return_estimator=True and return_indices=True",
            )
    truth = check_truth(name, y)
    check_rows(name, "X", X, truth.size)
    task = common_task({str(m): one["estimator"][0] for m, one in results.items()}) or guess_task(truth)
    target = settle_target(name, truth, task, pos_label)
    first = next(iter(results.values()))["indices"]
    tests = [np.asarray(t) for t in first["test"]]
    trains = [np.asarray(t) for t in first["train"]]
    outputs: dict[str, dict[str, Any]] = {"y_pred": {}, "y_score": {}, "y_value": {}}
    for model, one in results.items():
        if not _same_splits(first, one["indices"]):
            raise EvidenceError(
                f"{model!r} was validated on other splits.", hint="give cross_validate the same cv with a fixed seed"
            )
        for kind, values in _ask_all(one["estimator"], X, target, trains, tests).items():
            outputs[kind][str(model)] = values
    rows = np.concatenate(tests)
    given: dict[str, Any] = {kind: values or None for kind, values in outputs.items()}
    evidence = Predictions.from_arrays(
        target.y[rows],
        **given,
        classes=target.classes or None,
        pos_label=target.pos_label,
        dataset=name,
        fold=np.repeat(np.arange(len(tests)), [t.size for t in tests]),
        instance=rows,
    ).table()
    splits = tuple(Split(0, i, t.size, trains[i].size) for i, t in enumerate(tests))
    return Predictions({name: replace(evidence, splits=splits if len(splits) > 1 else ())})


def _same_splits(first: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    pairs = zip(first["test"], other["test"], strict=False)
    return len(first["test"]) == len(other["test"]) and all(np.array_equal(a, b) for a, b in pairs)


def _ask_all(fitted: Any, X: Any, target: Target, trains: list[Any], tests: list[Any]) -> dict[str, Any]:
    features = np.asarray(X) if isinstance(X, (list, tuple)) else X
    parts = [
        ask(model, take_rows(features, test), target, target.y[train])[0]
        for model, train, test in zip(fitted, trains, tests, strict=True)
    ]
    columns = {name: np.concatenate([p[name] for p in parts]) for name in parts[0]}
    probabilities = [v for n, v in columns.items() if n.startswith(PROBA)]
    kept = {n: v for n, v in columns.items() if not n.startswith(PROBA)}
    return {**kept, "y_score": np.stack(probabilities, axis=1)} if probabilities else kept
