"""What the learners share: they wrap any scikit-learn classifier, and leave the data to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_consistent_length, check_is_fitted, has_fit_parameter, indexable

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import FloatArray
from bakeoff.learners._targets import Targets, check_targets, check_weights

take_rows = _safe_indexing  # of an array, a sparse matrix, a list or a frame
Method = TypeVar("Method", bound=Callable[..., Any])


def available_with(method: str) -> Callable[[Method], Method]:
    """Offer a method only if the fitted classifier (or, before fit, the given one) has this one."""

    def condition(learner: Any) -> bool:
        getattr(getattr(learner, "estimator_", learner.estimator), method)  # raises AttributeError with its own reason
        return True

    offered: Callable[[Method], Method] = available_if(condition)
    return offered


class WrappedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Base of a learner around one classifier `estimator`; after fit, the classifier is `estimator_`.

    X is never converted: it goes to the wrapped classifier as it came (arrays, sparse matrices, pandas or Polars
    frames), so that whatever that classifier accepts, the learner accepts.
    """

    estimator: Any
    classes_: NDArray[Any]
    estimator_: Any

    def _finish(self, fitted: Any) -> None:
        """Keep the fitted classifier, and what it learned of the features."""
        self.estimator_ = fitted
        copy_features(self, fitted)

    @available_with("predict_proba")
    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probabilities of the classifier `estimator_`, a column for every class."""
        check_is_fitted(self)
        return class_probabilities(self.estimator_, X, self.classes_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        return tags

    def get_metadata_routing(self) -> MetadataRouter:
        """Route metadata of `fit` to the wrapped classifier; `sample_weight` is used here too."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=self).add_self_request(self)
        return router.add(estimator=self.estimator, method_mapping=mapping)


def begin_fit(learner: Any, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Targets, FloatArray | None]:
    """Check what `fit` was given, make X something rows can be taken of, and set the learner's `classes_`."""
    targets = check_targets(y)
    (X,) = indexable(X)
    check_consistent_length(X, targets.labels)
    weights = check_weights(sample_weight, len(targets.codes))
    learner.classes_ = targets.classes
    return X, targets, weights


def copy_features(learner: Any, fitted: Any) -> None:
    """Say of the features what the fitted classifier says: how many, and their names."""
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(fitted, name):
            setattr(learner, name, getattr(fitted, name))


def routed_fit_params(
    learner: Any, estimator: Any, name: str, sample_weight: FloatArray | None, fit_params: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what the `fit` of the wrapped classifier must be given: the user's parameters, and weights if any.

    With scikit-learn's metadata routing enabled, each classifier gets what it asked for; else weights go to every
    classifier that can use them, and it is an error to give weights to one that cannot.
    """
    if routing_enabled():
        routed = process_routing(learner, "fit", sample_weight=sample_weight, **fit_params)
        return dict(routed[name].fit)
    return {**fit_params, **weight_params(estimator, sample_weight)}


def routed_split_params(
    learner: Any, sample_weight: FloatArray | None, fit_params: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what the splitter asked for (its groups), with metadata routing enabled; else nothing."""
    if not routing_enabled():
        return {}
    return dict(process_routing(learner, "fit", sample_weight=sample_weight, **fit_params)["splitter"].split)


def weight_params(estimator: Any, sample_weight: FloatArray | None) -> dict[str, Any]:
    """Name the weights as the `fit` of the classifier (or of the last step of its pipeline) calls them."""
    if sample_weight is None:
        return {}
    keyword = weight_keyword(estimator)
    if keyword is None:
        raise ParameterError(
            f"{type(estimator).__name__} cannot learn from weighted rows: its fit takes no sample_weight.",
            hint="use a classifier that does, or resample: CostSensitiveClassifier(..., method='resample')",
        )
    return {keyword: sample_weight}


def without_weights(params: Mapping[str, Any]) -> dict[str, Any]:
    """Drop the rows' weights from fit parameters, for members whose rows were drawn by weight already."""
    return {name: value for name, value in params.items() if name.split("__")[-1] != "sample_weight"}


def weight_keyword(estimator: Any) -> str | None:
    """Return the keyword by which a classifier's `fit` takes weights, looking into pipelines; None if it has none."""
    if has_fit_parameter(estimator, "sample_weight"):
        return "sample_weight"
    steps = getattr(estimator, "steps", None)
    if not steps or any(hasattr(step, "fit_resample") for _, step in steps):
        return None  # a sampler makes new rows, whose weights nobody knows
    if routing_enabled():
        return "sample_weight"
    name, last = steps[-1]
    inner = weight_keyword(last)
    return None if inner is None else f"{name}__{inner}"


def routing_enabled() -> bool:
    """Tell whether scikit-learn's metadata routing is switched on."""
    from sklearn import get_config

    return bool(get_config().get("enable_metadata_routing", False))


def rows_of(params: Mapping[str, Any], rows: NDArray[Any], n_rows: int) -> dict[str, Any]:
    """Take these rows of every parameter that has one value per row; pass the others as they are."""

    def take(value: Any) -> Any:
        per_row = hasattr(value, "__len__") and not isinstance(value, (str, Mapping)) and len(value) == n_rows
        return take_rows(value, rows) if per_row else value

    return {name: take(value) for name, value in params.items()}


def seeded(estimator: Any, random_state: np.random.RandomState) -> Any:
    """Clone a classifier and seed every `random_state` in it that was left None."""
    fresh = clone(estimator)
    loose = [k for k, v in sorted(fresh.get_params().items()) if k.split("__")[-1] == "random_state" and v is None]
    seeds = {name: int(random_state.randint(np.iinfo(np.int32).max)) for name in loose}
    return fresh.set_params(**seeds) if seeds else fresh


def fit_or_constant(estimator: Any, X: Any, labels: NDArray[Any], params: Mapping[str, Any]) -> Any:
    """Fit the classifier; when only one class is left, the constant classifier of that class."""
    if len(labels) and (labels == labels[0]).all():
        return DummyClassifier(strategy="most_frequent").fit(X, labels)
    return estimator.fit(X, labels, **params)


def fit_to_rows(
    estimator: Any,
    X: Any,
    targets: Targets,
    rows: NDArray[Any],
    params: Mapping[str, Any],
    random_state: np.random.RandomState,
) -> Any:
    """Fit a seeded clone of the classifier to rows that were drawn; each may be there several times."""
    labels, given = targets.labels[rows], rows_of(params, rows, len(targets.codes))
    return fit_or_constant(seeded(estimator, random_state), take_rows(X, rows), labels, given)


def class_probabilities(fitted: Any, X: Any, classes: NDArray[Any]) -> FloatArray:
    """Return a classifier's probabilities with a column for every class of `classes`, also those it never met."""
    return spread(np.asarray(fitted.predict_proba(X), dtype=np.float64), fitted.classes_, classes)


def class_votes(fitted: Any, X: Any, classes: NDArray[Any]) -> FloatArray:
    """Return a classifier's answers as probabilities 0 and 1."""
    codes = np.searchsorted(classes, fitted.predict(X))
    return np.asarray(np.eye(len(classes))[codes])


def spread(columns: FloatArray, known: NDArray[Any], classes: NDArray[Any], *, absent: float = 0.0) -> FloatArray:
    """Place the columns of the known classes among all classes, with the value `absent` elsewhere."""
    if len(known) == len(classes):
        return columns
    full = np.full((len(columns), len(classes)), absent)
    full[:, np.searchsorted(classes, known)] = columns
    return full
