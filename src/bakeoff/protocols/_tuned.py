"""Tuning without leaking: choose the parameters inside each training part, never with the test rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.metrics import get_scorer_names
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import check_count
from bakeoff.measures import catalogue, get
from bakeoff.protocols._base import Protocol
from bakeoff.protocols._kfold import KFold
from bakeoff.protocols._sklearn import as_protocol

F = TypeVar("F", bound=Callable[..., Any])


def _where_available(name: str) -> Callable[[F], F]:
    """Offer a method only where the tuned estimator has it, as scikit-learn's own searches do."""

    def check(self: Tuned) -> bool:
        getattr(getattr(self, "best_estimator_", self.estimator), name)  # raises AttributeError by itself
        return True

    decorator: Callable[[F], F] = available_if(check)
    return decorator


@dataclass(eq=False, repr=False)
class Tuned(MetaEstimatorMixin, BaseEstimator):
    """An estimator that tunes itself on whatever rows it is given to learn from.

    Under a protocol, every training part is split again by `inner`, the parameters that do best there are chosen, and
    the estimator is refitted on the whole training part: nested cross-validation, or train / validation / test with
    ``inner=HoldOut(…)``. The test rows never see the choice, so the estimate is that of the whole procedure, tuning
    included. The parameters chosen in each fold are kept by the runner (`Results.chosen`).

    Parameters
    ----------
    estimator
        The estimator to tune.
    grid
        Parameter name → values to try, or a list of such grids; a value with an ``rvs`` method (a SciPy distribution)
        makes the search random.
    inner
        Protocol, number of folds or scikit-learn splitter for the inner splits; 5 folds by default.
    measure
        Name of a bakeoff measure, a `Measure`, or a scikit-learn scorer or its name; by default the estimator's own
        score (accuracy, or R² for regression).
    n_iter
        Settings to try when the search is random.
    random_state
        Seed of the inner splits and of the random search.

    Attributes
    ----------
    best_params_, best_score_, best_estimator_, cv_results_
        As in scikit-learn's GridSearchCV.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from bakeoff.protocols import KFold, Tuned
    >>> model = Tuned(KNeighborsClassifier(), {"n_neighbors": [1, 5, 15]}, inner=KFold(3))
    >>> sorted(model.fit(*load_iris(return_X_y=True)).best_params_)
    ['n_neighbors']
    """

    estimator: Any
    grid: Any
    _: KW_ONLY
    inner: Any = None
    measure: Any = None
    n_iter: int = 20
    random_state: int | None = None

    def fit(self, X: Any, y: Any = None, *, groups: Any = None, sample_weight: Any = None) -> Tuned:
        """Choose the parameters on inner splits of these rows, then learn from all of them."""
        search = self._search(X, y, groups)
        search.fit(X, y, **({} if sample_weight is None else self._weights(sample_weight)))
        self.best_estimator_ = search.best_estimator_
        self.best_params_ = search.best_params_
        self.best_score_ = float(search.best_score_)
        self.cv_results_ = search.cv_results_
        for name in ("classes_", "n_features_in_", "feature_names_in_"):
            if hasattr(search.best_estimator_, name):
                setattr(self, name, getattr(search.best_estimator_, name))
        return self

    @property
    def weight_argument(self) -> str | None:
        """Name under which the estimator's ``fit`` takes weights (a pipeline's: its last step); None if it cannot."""
        steps = getattr(self.estimator, "steps", None)
        prefix, last = (f"{steps[-1][0]}__", steps[-1][1]) if steps else ("", self.estimator)
        return f"{prefix}sample_weight" if has_fit_parameter(last, "sample_weight") else None

    def _weights(self, sample_weight: Any) -> dict[str, Any]:
        name = self.weight_argument
        if name is None:
            raise ParameterError(f"{type(self.estimator).__name__} takes no sample_weight.")
        return {name: sample_weight}

    def _search(self, X: Any, y: Any, groups: Any) -> Any:
        from sklearn.model_selection import GridSearchCV, RandomizedSearchCV

        grids = _check_grids(self.grid)
        seed = 0 if self.random_state is None else int(self.random_state)
        inner: Protocol = KFold(5) if self.inner is None else as_protocol(self.inner)
        target = y if get_tags(self.estimator).estimator_type == "classifier" else None
        shared = {
            "scoring": as_scoring(self.measure),
            "cv": list(inner.split(X, target, groups, seed=seed)),
            "error_score": "raise",
        }
        if not any(hasattr(v, "rvs") for grid in grids for v in grid.values()):
            return GridSearchCV(clone(self.estimator), grids, **shared)
        n_iter = check_count("n_iter", self.n_iter)
        return RandomizedSearchCV(clone(self.estimator), grids, n_iter=n_iter, random_state=seed, **shared)

    @_where_available("predict")
    def predict(self, X: Any) -> Any:
        """Predict with the estimator that was chosen."""
        return self._fitted().predict(X)

    @_where_available("predict_proba")
    def predict_proba(self, X: Any) -> Any:
        """Give class probabilities by the estimator that was chosen."""
        return self._fitted().predict_proba(X)

    @_where_available("decision_function")
    def decision_function(self, X: Any) -> Any:
        """Score by the estimator that was chosen."""
        return self._fitted().decision_function(X)

    @_where_available("transform")
    def transform(self, X: Any) -> Any:
        """Transform by the estimator that was chosen."""
        return self._fitted().transform(X)

    @_where_available("score")
    def score(self, X: Any, y: Any = None) -> float:
        """Score with the estimator's own score."""
        return float(self._fitted().score(X, y))

    def _fitted(self) -> Any:
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_

    def __sklearn_tags__(self) -> Any:
        tags, own = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.estimator_type, tags.classifier_tags = own.estimator_type, own.classifier_tags
        tags.regressor_tags, tags.input_tags, tags.target_tags = own.regressor_tags, own.input_tags, own.target_tags
        return tags


def _check_grids(grid: Any) -> list[Mapping[str, Any]]:
    grids = [grid] if isinstance(grid, Mapping) else grid
    if not isinstance(grids, Sequence) or not grids or not all(isinstance(g, Mapping) and g for g in grids):
        raise ParameterError(
            f"grid must map parameter names to lists of values (or be a list of such grids). Got {grid!r} instead.",
            hint='for example {"n_neighbors": [1, 5, 15]}',
        )
    for name, values in ((n, v) for g in grids for n, v in g.items()):
        if not hasattr(values, "rvs") and (isinstance(values, str) or np.ndim(values) != 1 or len(values) == 0):
            raise ParameterError(
                f"grid[{name!r}] must be a list of values to try, or a distribution. Got {values!r} instead."
            )
    return list(grids)


def as_scoring(measure: Any) -> Any:
    """Return what scikit-learn takes as `scoring` for a measure of ours, a scorer, or None."""
    if measure is None or (callable(measure) and not hasattr(measure, "as_scorer")):
        return measure
    if hasattr(measure, "as_scorer"):
        return measure.as_scorer()
    if measure in catalogue():  # before scikit-learn's scorers: where both have the name, ours is meant
        return get(measure).as_scorer()
    return measure if measure in get_scorer_names() else get(measure)  # `get` raises, with the names that are near
