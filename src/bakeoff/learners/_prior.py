"""Probabilities for other class proportions than those the classifier was taught with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.validation import FloatArray
from bakeoff.learners._meta import WrappedClassifier, begin_fit, class_probabilities, fit_or_constant, routed_fit_params
from bakeoff.learners._targets import Targets


@dataclass(eq=False, repr=False)
class PriorCorrectedClassifier(WrappedClassifier):
    """Correct a classifier's probabilities for the class proportions of where it will work.

    The odds of each class are multiplied by the change of its prior: P'(k | x) ∝ P(k | x)·π'_k / π_k, with π the
    proportions the classifier learned from and π' those that hold in use. Needed when prevalence in production differs
    from the training data, and after over- or under-sampling, which teach a prior that is nowhere true.

    Exact if only the proportions differ and each class looks the same in both places; random over- and under-sampling
    keep to that, SMOTE approximately, editing does not.

    Parameters
    ----------
    estimator
        A classifier with ``predict_proba``.
    priors
        π': a proportion per class, in sorted class order or ``{class: proportion}``; ``"uniform"``; or ``"data"``, the
        proportions of the rows given to `fit`.
    training_priors
        π: what the classifier really learned from. None: the proportions of the rows given to `fit` (weighted, if
        weights are given). Give it when `estimator` changes them inside, as a pipeline with a sampler does:
        ``"uniform"`` after full balancing, or proportions.

    Attributes
    ----------
    classes_ : array ``[K]``
    priors_, training_priors_ : array ``[K]``
        π' and π, in class order.
    estimator_ :
        The fitted classifier.

    References
    ----------
    Elkan, C. (2001). The foundations of cost-sensitive learning. IJCAI, 973–978 (theorem 2).
    Saerens, M., Latinne, P. & Decaestecker, C. (2002). Adjusting the outputs of a classifier to new a priori
    probabilities. Neural Computation 14(1), 21–41. https://doi.org/10.1162/089976602753284446

    Examples
    --------
    Taught with as many positives as negatives, used where one case in ten is positive: 0.8 becomes 0.31.

    >>> correct_prior([[0.2, 0.8]], [0.5, 0.5], [0.9, 0.1]).round(2).tolist()
    [[0.69, 0.31]]
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)  # 0 = malignant (37 % of the rows), 1 = benign
    >>> model = PriorCorrectedClassifier(GaussianNB(), priors={0: 0.01, 1: 0.99}).fit(X, y)
    >>> int((model.predict(X) == 0).sum()), int((GaussianNB().fit(X, y).predict(X) == 0).sum())
    (191, 199)
    """

    estimator: Any
    _: KW_ONLY
    priors: Any
    training_priors: Any = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> PriorCorrectedClassifier:
        """Fit the wrapped classifier, and take note of the proportions it learned from."""
        if not hasattr(self.estimator, "predict_proba"):
            raise ParameterError(
                f"prior correction needs class probabilities: {type(self.estimator).__name__} has no predict_proba.",
                hint="wrap it in sklearn.calibration.CalibratedClassifierCV",
            )
        X, targets, weights = begin_fit(self, X, y, sample_weight)
        found = _shares(targets, weights)
        learned = "data" if self.training_priors is None else self.training_priors
        self.training_priors_ = check_priors("training_priors", learned, targets.classes, found)
        self.priors_ = check_priors("priors", self.priors, targets.classes, found)
        params = routed_fit_params(self, self.estimator, "estimator", weights, fit_params)
        self._finish(fit_or_constant(clone(self.estimator), X, targets.labels, params))
        return self

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the corrected probabilities."""
        check_is_fitted(self)
        P = class_probabilities(self.estimator_, X, self.classes_)
        return correct_prior(P, self.training_priors_, self.priors_)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class that is most probable after the correction."""
        check_is_fitted(self)
        return np.asarray(self.classes_[np.argmax(self.predict_proba(X), axis=1)])


def correct_prior(P: ArrayLike, training_priors: ArrayLike, priors: ArrayLike) -> FloatArray:
    """Move class probabilities ``[n, K]`` from the proportions of training to others: P'(k) ∝ P(k)·π'_k / π_k.

    Two classes: Elkan's theorem 2, p' = b'(p − pb) / (b − pb + b'p − bb').

    >>> correct_prior([[0.7, 0.3]], [0.8, 0.2], [0.6, 0.4]).round(4).tolist()
    [[0.4667, 0.5333]]
    """
    rows = np.asarray(P, dtype=np.float64)
    scaled = rows * (np.asarray(priors, dtype=np.float64) / np.asarray(training_priors, dtype=np.float64))
    total = scaled.sum(axis=1, keepdims=True)
    if (total == 0).any():  # the classifier was certain of classes that now have prior zero: the evidence is void
        scaled = np.where(total == 0, np.asarray(priors, dtype=np.float64), scaled)
        total = scaled.sum(axis=1, keepdims=True)
    return np.asarray(scaled / total)


def check_priors(name: str, priors: Any, classes: NDArray[Any], found: FloatArray) -> FloatArray:
    """Return proportions in class order: given by position or by class, ``"uniform"``, or those found in the data."""
    if isinstance(priors, str):
        if priors not in ("uniform", "data"):
            raise unknown_choice(f"{name}, when a word,", priors, ["uniform", "data"])
        return np.full(len(classes), 1 / len(classes)) if priors == "uniform" else found
    shares = _as_shares(name, priors, classes)
    zero = shares == 0
    if name == "training_priors" and zero.any():
        label = classes.tolist()[int(zero.argmax())]
        raise ParameterError(f"training_priors must be positive. Got 0 for the class {label!r}, which is in the data.")
    return shares


def _as_shares(name: str, priors: Any, classes: NDArray[Any]) -> FloatArray:
    labels = classes.tolist()
    if isinstance(priors, Mapping):
        if set(priors) != set(labels):
            raise ParameterError(f"{name} must name the classes {labels}. Got {list(priors)}.")
        priors = [priors[label] for label in labels]
    try:
        shares = np.asarray(priors, dtype=np.float64)
    except (TypeError, ValueError):
        shares = np.array(np.nan)
    if shares.shape != (len(labels),) or not np.isfinite(shares).all() or (shares < 0).any():
        raise ParameterError(f"{name} must be {len(labels)} proportions, one per class {labels}. Got {priors!r}.")
    if abs(shares.sum() - 1) > 1e-6:
        raise ParameterError(f"{name} must sum to 1. Got a sum of {shares.sum():g}.")
    return np.asarray(shares / shares.sum())


def _shares(targets: Targets, weights: FloatArray | None) -> FloatArray:
    counts = targets.counts(weights)
    if (counts == 0).any():
        label = targets.classes.tolist()[int((counts == 0).argmax())]
        raise EvidenceError(
            f"the class {label!r} has no weight in the training rows, so its prior cannot be corrected."
        )
    return np.asarray(counts / counts.sum())
