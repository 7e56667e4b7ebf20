"""What scikit-learn's objects can do, for type checkers; scikit-learn and imbalanced-learn bring no types."""

from __future__ import annotations

from typing import Any, Protocol, Self

from numpy.typing import NDArray


class Classifier(Protocol):
    """A classifier with probabilities: an estimator, or a pipeline that ends in one."""

    classes_: NDArray[Any]

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Learn from rows."""
        ...

    def predict(self, X: Any) -> NDArray[Any]:
        """Return a label for each row."""
        ...

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Return the probability of each class, in the order of `classes_`."""
        ...

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name."""
        ...

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name."""
        ...


class Scorer(Protocol):
    """What scikit-learn takes as ``scoring``: a fitted model and rows in, a number out, the highest the best."""

    def __call__(self, estimator: Any, X: Any, y_true: Any, sample_weight: Any = None, **params: Any) -> float:
        """Score a fitted model on rows."""
        ...
