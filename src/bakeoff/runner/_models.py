"""Models: anything with ``fit`` and ``predict``, by name."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.evidence import CLASSIFICATION, REGRESSION, task_of
from bakeoff.runner._code import is_installed
from bakeoff.runner._dataset import PreparedDataset, refuse_repeated
from bakeoff.runner._fingerprint import Fingerprint, fingerprint

_OUTPUTS = ("predict", "predict_proba", "decision_function")
# Steps that hand missing values on: behind them, the next step still meets NaN.
_PASS_MISSING_ON = {
    "StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler", "QuantileTransformer", "PowerTransformer", "str",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Model:
    """A named model, not yet fitted; its version answers for what cannot be seen of it."""

    name: str
    estimator: Any
    version: str | None = None

    @cached_property
    def identity(self) -> Fingerprint:
        """Hash of everything that decides the model's answers, and the packages behind it."""
        return fingerprint(self.estimator, self.version)

    @property
    def fingerprint(self) -> str:
        """Hash of everything that decides the model's answers; empty where not everything can be seen."""
        return self.identity.text

    @property
    def kind(self) -> str | None:
        """``"classification"``, ``"regression"``, or None where the object does not say."""
        return task_of(self.estimator)

    def fresh(self) -> Any:
        """Return an unfitted copy: scikit-learn's clone, or a deep copy of any other object."""
        if hasattr(self.estimator, "get_params"):
            from sklearn.base import clone

            return clone(self.estimator)
        return copy.deepcopy(self.estimator)

    @property
    def is_installed(self) -> bool:
        """Whether the model and all it is made of is code of installed packages, which does not change under a run."""
        parts = [self.estimator, *_params(self.estimator, deep=True).values()]
        return all(is_installed(p if callable(p) and hasattr(p, "__qualname__") else type(p)) for p in parts)

    def describe(self) -> str:
        """Return the model in one line."""
        return " ".join(repr(self.estimator).split())


def as_models(models: object) -> list[Model]:
    """Return named models from a mapping, (name, model) pairs, a list of models, or a single one."""
    if isinstance(models, Mapping):
        found = [Model(str(name), estimator) for name, estimator in models.items()]
    elif isinstance(models, (list, tuple)):
        found = [_from_item(item) for item in models]
    else:
        found = [_from_item(models)]
    if not found:
        raise ParameterError("models must name at least one model. Got none.")
    for model in found:
        _check_model(model)
    refuse_repeated((m.name for m in found), "models")
    return found


def _from_item(item: object) -> Model:
    if isinstance(item, Model):
        return item
    if isinstance(item, (tuple, list)) and len(item) == 2 and isinstance(item[0], str):
        return Model(item[0], item[1])
    return Model(type(item).__name__, item)


def _check_model(model: Model) -> None:
    estimator = model.estimator
    if not model.name.strip():
        raise ParameterError("a model has an empty name.", hint="give every model a name")
    if isinstance(estimator, type):
        raise ParameterError(
            f"model {model.name!r} is a class, not an object.", hint=f"write {estimator.__name__}(), with brackets"
        )
    if not callable(getattr(estimator, "fit", None)) or not any(hasattr(estimator, name) for name in _OUTPUTS):
        raise ParameterError(
            f"model {model.name!r} must have fit and predict methods. Got {type(estimator).__name__} instead."
        )


def check_fits(model: Model, dataset: PreparedDataset) -> None:
    """Raise, before any work, where the model cannot take the data set."""
    wanted = REGRESSION if dataset.target.task == "regression" else CLASSIFICATION
    if model.kind not in (None, wanted):
        raise EvidenceError(f"model {model.name!r} is for {model.kind}, but data set {dataset.name!r} is for {wanted}.")
    gaps = dataset.source.missing_features
    if gaps and refuses_missing(model.estimator):
        raise EvidenceError(
            f"data set {dataset.name!r} has {gaps} missing value{'s' * (gaps != 1)} in its features, and model "
            f"{model.name!r} ({type(model.estimator).__name__}) cannot take them.",
            hint='put a SimpleImputer before it (make_pipeline; in an experiment file, steps = ["impute"]), or use a '
            "model that takes missing values",
        )


def refuses_missing(estimator: Any) -> bool:
    """Tell whether a scikit-learn model certainly fails on missing values; in doubt it is left to the run."""
    steps = getattr(estimator, "steps", None)
    if steps is not None:
        for _, step in steps[:-1]:
            if refuses_missing(step):
                return True
            if type(step).__name__ not in _PASS_MISSING_ON:
                return False
        return refuses_missing(steps[-1][1])
    inner = [v for v in _params(estimator).values() if hasattr(v, "fit") or isinstance(v, list)]
    if not type(estimator).__module__.startswith("sklearn.") or inner:
        return False
    return hasattr(estimator, "__sklearn_tags__") and not estimator.__sklearn_tags__().input_tags.allow_nan


def _params(estimator: Any, *, deep: bool = False) -> dict[str, Any]:
    return dict(estimator.get_params(deep=deep)) if hasattr(estimator, "get_params") else {}


def with_seed(estimator: Any, seed: int) -> Any:
    """Set every ``random_state`` that was left open, at any depth, so that the unit can be repeated."""
    if hasattr(estimator, "get_params") and hasattr(estimator, "set_params"):
        names = [
            name
            for name, value in estimator.get_params(deep=True).items()
            if value is None and (name == "random_state" or name.endswith("__random_state"))
        ]
        if names:
            estimator.set_params(**dict.fromkeys(names, seed))
    return estimator


def fit_arguments(estimator: Any, weight: Any, groups: Any) -> dict[str, Any]:
    """Name the keyword arguments of ``fit`` that carry weights and groups, where the model takes them."""
    given: dict[str, Any] = {}
    if weight is not None:
        prefix, target = _last_step(estimator)
        refused = getattr(target, "weight_argument", "") is None  # a tuned model answers for what it tunes
        if "sample_weight" in _fit_parameters(target) and not refused:
            given[f"{prefix}sample_weight"] = weight
    if groups is not None and "groups" in _fit_parameters(estimator):
        given["groups"] = groups
    return given


def _last_step(estimator: Any) -> tuple[str, Any]:
    steps = getattr(estimator, "steps", None)
    return (f"{steps[-1][0]}__", steps[-1][1]) if steps else ("", estimator)


def _fit_parameters(estimator: Any) -> set[str]:
    try:
        return set(inspect.signature(estimator.fit).parameters)
    except (TypeError, ValueError):
        return set()
