"""Many classifiers from resampled rows, whose votes are counted; and how the error falls with their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from bakeoff._core.language import Text
from bakeoff._core.result import Result
from bakeoff._core.validation import FloatArray, check_choice, check_count, check_number
from bakeoff.figures import FigureData, series_figure
from bakeoff.learners._meta import (
    WrappedClassifier,
    begin_fit,
    class_votes,
    copy_features,
    fit_or_constant,
    fit_to_rows,
    routed_fit_params,
    seeded,
    take_rows,
    without_weights,
)
from bakeoff.learners._targets import check_targets
from bakeoff.stats import corrected_t

VARY = ("rows", "seed")


@dataclass(eq=False, repr=False)
class VotesClassifier(WrappedClassifier):
    """Bagging that counts votes: the probability of a class is the share of the members that answer it.

    Parameters
    ----------
    estimator
        The classifier; it needs no ``predict_proba``.
    n_estimators
        How many are fitted.
    vary
        ``"rows"``: each learns a bootstrap sample (bagging); ``"seed"``: all learn all rows and differ by their random
        seed only (randomisation).
    random_state
        Seed of the samples and of the members.

    Attributes
    ----------
    classes_ : array ``[K]``
    estimators_ : list
        The members.

    Notes
    -----
    A share of votes is an estimate, not a calibrated probability: with few members it is coarse, and members that
    learned from the same rows agree too often.

    References
    ----------
    Breiman, L. (1996). Bagging predictors. Machine Learning 24, 123–140. https://doi.org/10.1007/BF00058655

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from bakeoff.learners import VotesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> votes = VotesClassifier(DecisionTreeClassifier(), n_estimators=20, random_state=0).fit(X, y)
    >>> bool((votes.predict_proba(X) * 20 % 1 == 0).all())
    True
    """

    estimator: Any
    _: KW_ONLY
    n_estimators: int = 50
    vary: str = "rows"
    random_state: Any = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> VotesClassifier:
        """Fit the members; with weights, rows are drawn in proportion to them."""
        X, targets, weights = begin_fit(self, X, y, sample_weight)
        params = routed_fit_params(self, self.estimator, "estimator", weights, fit_params)
        random = check_random_state(self.random_state)
        drawn = check_choice("vary", self.vary, VARY) == "rows"
        n_rows, share = len(targets.codes), None if weights is None else weights / weights.sum()
        self.estimators_ = []
        for _ in range(check_count("n_estimators", self.n_estimators)):
            if drawn:
                rows = random.choice(n_rows, size=n_rows, p=share)
                member = fit_to_rows(self.estimator, X, targets, rows, without_weights(params), random)
            else:
                member = fit_or_constant(seeded(self.estimator, random), X, targets.labels, params)
            self.estimators_.append(member)
        self.estimator_ = self.estimators_[0]
        copy_features(self, self.estimator_)
        return self

    def predict_proba(self, X: Any) -> FloatArray:
        """Share of the votes of each class."""
        check_is_fitted(self)
        votes = sum(class_votes(member, X, self.classes_) for member in self.estimators_)
        return np.asarray(votes / len(self.estimators_))

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with most votes; of several, the first in order."""
        most = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[most])


@dataclass(frozen=True, repr=False)
class EnsembleCurve(Result):
    """Error of the majority vote against the number of members.

    Attributes
    ----------
    sizes
        Numbers of members.
    error, low, high
        Mean error over the splits, with its 95 % interval (corrected for rows that splits share).
    n_splits
        How many splits.
    vary
        What the members differ by.
    """

    sizes: tuple[int, ...]
    error: FloatArray
    low: FloatArray
    high: FloatArray
    n_splits: int
    vary: str

    def _columns(self) -> dict[str, Any]:
        columns = {name: getattr(self, name).tolist() for name in ("error", "low", "high")}
        return {"members": list(self.sizes), **columns}

    def _figure(self) -> FigureData:
        return series_figure(
            self.sizes,
            {"": (self.error, self.low, self.high)},
            title=Text("Error and number of members"),
            caption=Text("Mean over {n} splits, with its 95 % interval.", n=self.n_splits),
            x_title=Text("members that vote"),
            y_title=Text("error"),
        )


def ensemble_curve(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    sizes: Sequence[int] = (1, 2, 3, 5, 10, 20, 50),
    vary: str = "rows",
    n_splits: int = 10,
    test_size: float = 1 / 3,
    random_state: Any = 0,
) -> EnsembleCurve:
    """Return how the error of a majority vote falls with the number of members.

    The same members are counted from the first on, so that a size contains those before it.

    Parameters
    ----------
    estimator, X, y
        A classifier, and what it learns.
    sizes
        Numbers of members; the largest is fitted on every split.
    vary
        As in `VotesClassifier`.
    n_splits, test_size
        Stratified hold-out splits, and the share of rows that test.
    random_state
        Seed.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from bakeoff.learners import ensemble_curve
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> curve = ensemble_curve(DecisionTreeClassifier(), X, y, sizes=[1, 15], n_splits=4)
    >>> bool(curve.error[1] < curve.error[0])
    True
    """
    numbers = tuple(sorted({check_count("sizes", size) for size in sizes}))
    test_size = check_number("test_size", test_size, low=0, high=1, closed="none")
    labels = check_targets(y).labels
    splitter = StratifiedShuffleSplit(check_count("n_splits", n_splits, minimum=2), test_size=test_size,
                                      random_state=random_state)  # fmt: skip
    voters = VotesClassifier(clone(estimator), n_estimators=numbers[-1], vary=vary, random_state=random_state)
    errors, n_train, n_test = [], 0, 0
    for train, test in splitter.split(np.zeros(len(labels)), labels):
        fitted = clone(voters).fit(take_rows(X, train), labels[train])
        votes = np.cumsum([class_votes(m, take_rows(X, test), fitted.classes_) for m in fitted.estimators_], axis=0)
        answers = fitted.classes_[votes.argmax(axis=2)]
        errors.append([(answers[size - 1] != labels[test]).mean() for size in numbers])
        n_train, n_test = len(train), len(test)
    table = np.array(errors)
    limits = [corrected_t(column, n_train=n_train, n_test=n_test).confidence_interval() for column in table.T]
    return EnsembleCurve(
        numbers,
        table.mean(axis=0),
        np.array([max(0.0, found.low) for found in limits]),
        np.array([min(1.0, found.high) for found in limits]),
        n_splits,
        vary,
    )
