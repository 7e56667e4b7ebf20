"""Cost-sensitive classification around any classifier: decide by expected cost, reweight, or resample."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import FloatArray, IntArray, check_choice
from bakeoff.learners._costs import cheapest, check_cost_matrix
from bakeoff.learners._meta import (
    WrappedClassifier,
    begin_fit,
    class_probabilities,
    fit_or_constant,
    fit_to_rows,
    routed_fit_params,
    weight_params,
    without_weights,
)
from bakeoff.learners._targets import Targets
from bakeoff.learners._weights import weigh_rows

METHODS = ("expected-cost", "reweight", "resample")


@dataclass(eq=False, repr=False)
class CostSensitiveClassifier(WrappedClassifier):
    """Make a classifier answer for its costs: decide by expected cost, or learn from reweighted or resampled rows.

    Parameters
    ----------
    estimator
        The classifier to wrap.
    cost_matrix
        True classes in rows, predicted in columns, in sorted class order; or labelled. None: every error costs 1;
        ``"balanced"``: errors cost in inverse proportion to the frequency of the true class.
    method
        ``"expected-cost"``: learn as always, then predict the class of least expected cost,
        argmin_j Σ_i P(i | x)·C[i, j]. Any number of classes, exact if the probabilities are calibrated; needs
        ``predict_proba``.
        ``"reweight"``: give each row the weight of its class's costs (`cost_sample_weight`) and predict as always;
        needs a classifier that takes ``sample_weight``.
        ``"resample"``: draw n rows with replacement in proportion to those weights; any classifier.
    random_state
        Seed of the resampling (and of the classifier, where it was left unseeded).

    Attributes
    ----------
    classes_ : array ``[K]``
    cost_matrix_ : array ``[K, K]``
        The costs in class order.
    estimator_ :
        The fitted classifier.

    Notes
    -----
    ``predict_proba`` is the wrapped classifier's. After reweighting or resampling these are probabilities in the
    *weighted* world; `PriorCorrectedClassifier` brings them back. With more than two classes one weight per row cannot
    carry a whole cost matrix (see `cost_sample_weight`): prefer ``"expected-cost"``.

    References
    ----------
    Elkan, C. (2001). The foundations of cost-sensitive learning. IJCAI, 973–978.
    Zadrozny, B., Langford, J. & Abe, N. (2003). Cost-sensitive learning by cost-proportionate example weighting. ICDM,
    435–442. https://doi.org/10.1109/ICDM.2003.1250950

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)  # 0 = malignant, 1 = benign
    >>> costs = [[0, 20], [1, 0]]  # calling a malignant tumour benign costs 20 false alarms
    >>> plain = GaussianNB().fit(X, y)
    >>> wary = CostSensitiveClassifier(GaussianNB(), cost_matrix=costs).fit(X, y)
    >>> int((plain.predict(X) == 0).sum()), int((wary.predict(X) == 0).sum())
    (199, 209)
    """

    estimator: Any
    _: KW_ONLY
    cost_matrix: Any
    method: str = "expected-cost"
    random_state: Any = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> CostSensitiveClassifier:
        """Fit the wrapped classifier, to the rows as they are, reweighted or resampled."""
        method = check_choice("method", self.method, METHODS)
        X, targets, weights = begin_fit(self, X, y, sample_weight)
        self.cost_matrix_ = check_cost_matrix(self.cost_matrix, targets.classes, targets.counts(weights))
        self._check_probabilities(method)
        if method == "expected-cost":
            params = routed_fit_params(self, self.estimator, "estimator", weights, fit_params)
            fitted = fit_or_constant(clone(self.estimator), X, targets.labels, params)
        else:
            priced = weigh_rows(self.cost_matrix_, targets.codes, weights)
            params = routed_fit_params(self, self.estimator, "estimator", weights, fit_params)
            learn = self._reweighted if method == "reweight" else self._resampled
            fitted = learn(X, targets, priced, without_weights(params))
        self._finish(fitted)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of least expected cost, or what the reweighted or resampled classifier says."""
        check_is_fitted(self)
        if self.method != "expected-cost":
            return np.asarray(self.estimator_.predict(X))
        P = class_probabilities(self.estimator_, X, self.classes_)
        return np.asarray(self.classes_[cheapest(P, self.cost_matrix_)])

    def _reweighted(self, X: Any, targets: Targets, priced: FloatArray, params: dict[str, Any]) -> Any:
        both = {**params, **weight_params(self.estimator, priced)}
        return fit_or_constant(clone(self.estimator), X, targets.labels, both)

    def _resampled(self, X: Any, targets: Targets, priced: FloatArray, params: dict[str, Any]) -> Any:
        random = check_random_state(self.random_state)
        n_rows = len(targets.codes)
        rows: IntArray = random.choice(n_rows, size=n_rows, replace=True, p=priced / priced.sum())
        return fit_to_rows(self.estimator, X, targets, rows, params, random)

    def _check_probabilities(self, method: str) -> None:
        if method == "expected-cost" and not hasattr(self.estimator, "predict_proba"):
            raise ParameterError(
                f"method='expected-cost' needs class probabilities, and {type(self.estimator).__name__} has no "
                "predict_proba.",
                hint="wrap it in sklearn.calibration.CalibratedClassifierCV, use method='reweight' or 'resample', "
                "or MetaCostClassifier, which counts votes",
            )
