"""The decision threshold tuned for a context, on rows the classifier was not taught with."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_is_fitted

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.decision import OperatingContext
from bakeoff.learners._class_weights import tune_class_weights
from bakeoff.learners._context import binary_context, several_context
from bakeoff.learners._costs import cheapest
from bakeoff.learners._cuts import cheapest_cut
from bakeoff.learners._meta import (
    WrappedClassifier,
    available_with,
    begin_fit,
    class_probabilities,
    routed_fit_params,
    routed_split_params,
)
from bakeoff.learners._oof import class_scores, make_splits, out_of_fold
from bakeoff.learners._rules import Rule, parse_constraint
from bakeoff.learners._targets import Targets
from bakeoff.stats import RocCurveResult, roc_curve


@dataclass(eq=False, repr=False)
class ThresholdClassifier(WrappedClassifier):
    """Move a classifier's threshold to where its expected cost in your context is least.

    The wrapped classifier is scored on rows it was not taught with (cross-validation), the threshold of least expected
    cost is taken, and the classifier is fitted again to all rows. Unlike Elkan's threshold (`CostSensitiveClassifier`)
    this does not trust the probabilities: any score that ranks well will do.

    Parameters
    ----------
    estimator
        A classifier with ``predict_proba`` or ``decision_function``.
    context
        `OperatingContext` (costs, prevalence; prevalence None: as in the data), or `OperatingContext.multiclass`. None:
        equal costs.
    constraint
        A promise to keep, such as ``"recall >= 0.9"``, ``"fpr <= 0.05"`` or ``"precision >= 0.5"``: the cheapest
        threshold that keeps it on out-of-fold rows is taken. Rates: recall (tpr, sensitivity), fnr, fpr, specificity
        (tnr), precision, npv, selected (share called positive); the last three at the context's prevalence. Two classes
        only.
    cv
        Number of stratified folds, or any scikit-learn splitter.
    pos_label
        The positive class. Needed when labels are neither 0/1, -1/1 nor False/True and the context (or the constraint)
        treats the classes differently.
    n_jobs
        Folds fitted at the same time.

    Attributes
    ----------
    threshold_ : float
        ``score >= threshold_`` is called positive (two classes). ±inf when a trivial rule is the cheapest.
    pos_label_ : label
        The positive class (two classes).
    expected_cost_ : float
        Expected cost per case of the chosen threshold on the out-of-fold rows. It was minimised on them: optimistic.
    fpr_, tpr_ : float
        Where it works (two classes).
    class_weights_ : array ``[K]``
        More than two classes: the weights w of the rule argmin_j Σ_i w_i·P(i|x)·C[i, j], tuned class by class. Two
        classes and a threshold are the same rule.
    classes_, estimator_ :
        The classes and the classifier fitted to all rows.

    Notes
    -----
    ``predict_proba`` and ``decision_function`` are the wrapped classifier's, unchanged. Where out-of-fold rows cannot
    tell thresholds apart, the nearest to Elkan's is taken.

    References
    ----------
    Sheng, V. S. & Ling, C. X. (2006). Thresholding for making classifiers cost-sensitive. AAAI, 476–481.
    Elkan, C. (2001). The foundations of cost-sensitive learning. IJCAI, 973–978.

    Examples
    --------
    >>> from bakeoff.decision import OperatingContext
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)  # 0 = malignant, the class we look for
    >>> context = OperatingContext(cost_fp=1, cost_fn=20)
    >>> model = ThresholdClassifier(GaussianNB(), context=context, pos_label=0).fit(X, y)
    >>> model.threshold_ < 0.05
    True
    >>> careful = ThresholdClassifier(GaussianNB(), constraint="recall >= 0.99", pos_label=0).fit(X, y)
    >>> careful.tpr_ >= 0.99
    True
    """

    estimator: Any
    _: KW_ONLY
    context: Any = None
    constraint: str | None = None
    cv: Any = 5
    pos_label: Any = None
    n_jobs: int | None = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> ThresholdClassifier:
        """Tune the threshold on out-of-fold rows, then fit the classifier to all rows."""
        X, targets, weights = begin_fit(self, X, y, sample_weight)
        rule = None if self.constraint is None else parse_constraint(self.constraint)
        params = routed_fit_params(self, self.estimator, "estimator", weights, fit_params)
        splits = make_splits(self.cv, X, targets, weights, routed_split_params(self, weights, fit_params))
        self._check_classes(targets, rule)
        scores = out_of_fold(self.estimator, X, targets, splits, params, self.n_jobs)
        rows = np.concatenate([test for _, test in splits])
        weight_of_rows = None if weights is None else weights[rows]
        if len(targets.classes) == 2:
            self._tune_threshold(scores, targets, targets.codes[rows], weight_of_rows, rule)
        else:
            self._tune_weights(scores, targets.codes[rows], weight_of_rows)
        self._finish(clone(self.estimator).fit(X, targets.labels, **params))
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict by the tuned threshold (or class weights)."""
        check_is_fitted(self)
        if len(self.classes_) > 2:
            P = class_probabilities(self.estimator_, X, self.classes_)
            return np.asarray(self.classes_[cheapest(P * self.class_weights_, self.cost_matrix_)])
        positive = int(np.flatnonzero(self.classes_ == self.pos_label_)[0])
        called = class_scores(self.estimator_, X, self.classes_)[:, positive] >= self.threshold_
        return np.asarray(self.classes_[np.where(called, positive, 1 - positive)])

    @available_with("decision_function")
    def decision_function(self, X: Any) -> FloatArray:
        """Return the wrapped classifier's decision function."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.decision_function(X))

    def get_metadata_routing(self) -> MetadataRouter:
        """Route metadata of `fit` to the wrapped classifier and to the splitter."""
        split = MethodMapping().add(caller="fit", callee="split")
        return super().get_metadata_routing().add(splitter=self.cv, method_mapping=split)

    def _tune_threshold(
        self, scores: FloatArray, targets: Targets, codes: NDArray[Any], weights: FloatArray | None, rule: Rule | None
    ) -> None:
        context, positive = binary_context(
            self.context, targets.classes, self.pos_label, one_sided=self.constraint is not None
        )
        curve = roc_curve(codes == positive, scores[:, positive], sample_weight=weights)
        prevalence = curve.n_positive / (curve.n_positive + curve.n_negative)
        context = context.at(prevalence)
        natural = context.threshold_on(prevalence) if hasattr(self.estimator, "predict_proba") else 0.0
        index, self.threshold_ = cheapest_cut(curve, context, natural, _allowed(curve, context, rule))
        self.pos_label_ = targets.classes.tolist()[positive]
        self.fpr_, self.tpr_ = float(curve.fpr[index]), float(curve.tpr[index])
        self.expected_cost_ = float(context.expected_cost(self.fpr_, self.tpr_))

    def _tune_weights(self, P: FloatArray, codes: NDArray[Any], weights: FloatArray | None) -> None:
        self.cost_matrix_, priors = several_context(self.context, self.classes_)
        self.class_weights_, self.expected_cost_ = tune_class_weights(P, codes, self.cost_matrix_, priors, weights)

    def _check_classes(self, targets: Targets, rule: Rule | None) -> None:
        if len(targets.classes) == 2:
            return
        if rule is not None:
            raise ParameterError(
                f"constraint is about a positive class, but the data has {len(targets.classes)} classes.",
                hint="wrap the learner in sklearn.multiclass.OneVsRestClassifier, or give costs instead",
            )
        if not hasattr(self.estimator, "predict_proba"):
            raise ParameterError(
                f"more than two classes need a classifier with predict_proba. Got {type(self.estimator).__name__}."
            )
        several_context(self.context, targets.classes)


def _allowed(curve: RocCurveResult, context: OperatingContext, rule: Rule | None) -> BoolArray:
    if rule is None:
        return np.ones(curve.fpr.size, dtype=bool)
    prevalence = float(context.prevalence or 0.0)
    held = rule.holds(curve.fpr, curve.tpr, prevalence)
    if not held.any():
        rates = rule.of(curve.fpr, curve.tpr, prevalence)
        best = np.nanmax(rates) if rule.sense == ">=" else np.nanmin(rates)
        raise EvidenceError(
            f"no threshold keeps the constraint '{rule}' on out-of-fold rows: {rule.rate} reaches {best:.4g} at best.",
            hint="relax the constraint, or give the classifier better features or more rows",
        )
    return held
