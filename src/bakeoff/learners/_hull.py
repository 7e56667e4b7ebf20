"""The ROC convex-hull hybrid: several classifiers, each used where it is the cheapest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.metaestimators import _BaseComposition
from sklearn.utils.validation import check_is_fitted

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.decision import RocCurve, RocHull
from bakeoff.learners._context import binary_context, several_context
from bakeoff.learners._costs import cheapest
from bakeoff.learners._hull_rules import HullRules, Mixture
from bakeoff.learners._meta import begin_fit, copy_features, routed_fit_params, routed_split_params
from bakeoff.learners._oof import class_scores, make_splits, out_of_fold
from bakeoff.learners._rules import parse_target
from bakeoff.learners._targets import Targets


@dataclass(eq=False, repr=False)
class HullClassifier(ClassifierMixin, MetaEstimatorMixin, _BaseComposition):
    """Combine several classifiers by the convex hull of their ROC curves, and work at the vertex your context asks for.

    All classifiers are scored on rows they were not taught with. The hull of their ROC curves is the best that can be
    had from them: for every context some vertex, one classifier at one threshold, is the cheapest. The hybrid holds
    them all, and works at the vertex of the context; it is at least as good as its best member in every context, up to
    the sampling error of the curves.

    Parameters
    ----------
    estimators
        List of (name, classifier) pairs, or ``{name: classifier}``; each with ``predict_proba`` or
        ``decision_function``.
    context
        `OperatingContext` (prevalence None: as in the data), or `OperatingContext.multiclass`. None: equal costs.
    target
        Work at a point instead of in a context: ``"fpr = 0.1"``, ``"tpr = 0.9"`` or ``"selected = 0.2"`` (share called
        positive, at the context's prevalence). A point between two vertices is reached by tossing a coin for every row:
        one vertex's classifier with probability 1 − λ, the other's with probability λ. Two classes only.
    cv
        Number of stratified folds, or any scikit-learn splitter.
    pos_label
        The positive class; needed when the labels do not tell and the context or the target depend on it.
    n_jobs
        Folds fitted at the same time.
    random_state
        Seed of the coin of `target`; the same seed tosses the same coins at every call of `predict`.

    Attributes
    ----------
    hulls_ : dict
        Label → `RocHull` of that class against the others: the positive class alone, or every class of several.
    vertex_ : HullVertex or Mixture
        Where `predict` works (two classes).
    estimators_ : dict
        Name → classifier fitted to all rows; the dominated ones are left out.
    dominated_ : tuple
        Names of the classifiers that are the cheapest in no context.
    classes_, pos_label_ :
        The classes, and the positive one of two.

    Notes
    -----
    ``predict_proba`` reads a probability off the hull: P(positive | x) is the share of the thresholds t in [0, 1] whose
    vertex calls x positive. For a single classifier this is isotonic (PAV) calibration on out-of-fold rows; for several
    it joins them, each over its own range. With more than two classes one hull is made for each class against the
    others, their probabilities are normalised, and the class of least expected cost is predicted.

    References
    ----------
    Provost, F. & Fawcett, T. (2001). Robust classification for imprecise environments. Machine Learning 42, 203–231.
    https://doi.org/10.1023/A:1007601015854
    Fawcett, T. & Niculescu-Mizil, A. (2007). PAV and the ROC convex hull. Machine Learning 68, 97–106.
    https://doi.org/10.1007/s10994-007-5011-0

    Examples
    --------
    >>> from bakeoff.decision import OperatingContext
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> models = [("bayes", GaussianNB()), ("stump", DecisionTreeClassifier(max_depth=1, random_state=0))]
    >>> context = OperatingContext(cost_fp=1, cost_fn=20)
    >>> hybrid = HullClassifier(models, context=context, pos_label=0).fit(X, y)
    >>> hybrid.vertex_.model
    'bayes'
    """

    estimators: Any
    _: KW_ONLY
    context: Any = None
    target: str | None = None
    cv: Any = 5
    pos_label: Any = None
    n_jobs: int | None = None
    random_state: Any = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> HullClassifier:
        """Trace the hull on out-of-fold rows, then fit the classifiers that own a vertex to all rows."""
        models = self._models()
        X, targets, weights = begin_fit(self, X, y, sample_weight)
        params = {name: routed_fit_params(self, model, name, weights, fit_params) for name, model in models.items()}
        splits = make_splits(self.cv, X, targets, weights, routed_split_params(self, weights, fit_params))
        several = len(targets.classes) > 2
        self._begin_several(targets) if several else self._begin_two(targets)
        scores = {n: out_of_fold(m, X, targets, splits, params[n], self.n_jobs) for n, m in models.items()}
        rows = np.concatenate([test for _, test in splits])
        self._trace(scores, targets, rows, weights)
        self._fit_owners(models, X, targets, params)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict at the vertex of the context (or at the target); of several classes, the cheapest."""
        check_is_fitted(self)
        if len(self.classes_) > 2:
            return np.asarray(self.classes_[cheapest(self.predict_proba(X) * self._shift, self._costs)])
        called = self._called(X)
        positive = self._positives[0]
        return np.asarray(self.classes_[np.where(called, positive, 1 - positive)])

    def predict_proba(self, X: Any) -> FloatArray:
        """Return probabilities read off the hulls, in the proportions of the training rows."""
        check_is_fitted(self)
        scores = {name: class_scores(model, X, self.classes_) for name, model in self.estimators_.items()}
        n_rows = next(len(s) for s in scores.values())
        read = [self._rules[k].probability({n: s[:, k] for n, s in scores.items()}, n_rows) for k in self._positives]
        if len(self.classes_) == 2:
            positive, p = self._positives[0], read[0]
            return np.column_stack([1 - p, p] if positive == 1 else [p, 1 - p])
        columns = np.column_stack(read)
        total = columns.sum(axis=1, keepdims=True)
        return np.where(total > 0, columns / np.where(total > 0, total, 1), self._shares)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters, those of the named classifiers included."""
        if isinstance(self.estimators, Mapping):
            plain: dict[str, Any] = super().get_params(deep=False)
            return plain
        found: dict[str, Any] = self._get_params("estimators", deep=deep)
        return found

    def set_params(self, **params: Any) -> HullClassifier:
        """Set parameters, those of the named classifiers included (``bayes__var_smoothing=…``)."""
        if isinstance(self.estimators, Mapping):
            super().set_params(**params)
        else:
            self._set_params("estimators", **params)
        return self

    def get_metadata_routing(self) -> MetadataRouter:
        """Route metadata of `fit` to every classifier and to the splitter."""
        router = MetadataRouter(owner=self).add_self_request(self)
        for name, model in self._models().items():
            router.add(**{name: model}, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
        return router.add(splitter=self.cv, method_mapping=MethodMapping().add(caller="fit", callee="split"))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = [get_tags(model).input_tags for model in self._models().values()]
        tags.input_tags.sparse = all(tag.sparse for tag in inner)
        tags.input_tags.allow_nan = all(tag.allow_nan for tag in inner)
        return tags

    def _models(self) -> dict[str, Any]:
        pairs = list(self.estimators.items() if isinstance(self.estimators, Mapping) else self.estimators)
        if not pairs or not all(isinstance(p, tuple) and len(p) == 2 for p in pairs):
            raise ParameterError(
                "estimators must be a list of (name, classifier) pairs, at least one.",
                hint='HullClassifier([("forest", RandomForestClassifier()), ("bayes", GaussianNB())], context=...)',
            )
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names):
            raise ParameterError(f"estimators must have distinct names. Got {names}.")
        return dict(pairs)

    def _begin_two(self, targets: Targets) -> None:
        self._goal = None if self.target is None else parse_target(self.target)
        self._context, positive = binary_context(
            self.context, targets.classes, self.pos_label, one_sided=self.target is not None
        )
        self.pos_label_ = targets.classes.tolist()[positive]
        self._positives = [positive]

    def _begin_several(self, targets: Targets) -> None:
        if self.target is not None:
            raise ParameterError(
                f"target is about a positive class, but the data has {len(targets.classes)} classes.",
                hint="wrap the learner in sklearn.multiclass.OneVsRestClassifier",
            )
        self._costs, self._priors = several_context(self.context, targets.classes)
        self._positives = list(range(len(targets.classes)))

    def _trace(
        self, scores: dict[str, FloatArray], targets: Targets, rows: IntArray, weights: FloatArray | None
    ) -> None:
        """Build the hull of every positive class, and the rules by which it answers."""
        codes, weight = targets.codes[rows], None if weights is None else weights[rows]
        self._rules: dict[int, HullRules] = {}
        self.hulls_: dict[Any, RocHull] = {}
        for k in self._positives:
            curves = [
                RocCurve.from_arrays(codes == k, s[:, k], model=name, sample_weight=weight)
                for name, s in scores.items()
            ]
            self._rules[k] = HullRules(RocHull.from_curves(curves))
            self.hulls_[targets.classes.tolist()[k]] = self._rules[k].hull
        if len(self._positives) == 1:
            self._choose_vertex(self._rules[self._positives[0]])
        else:
            self._shares = np.array([self._rules[k].hull.prevalence for k in self._positives])
            self._shift = np.ones(len(self._shares)) if self._priors is None else self._priors / self._shares

    def _choose_vertex(self, rules: HullRules) -> None:
        context = rules.hull.resolve(self._context)
        self.vertex_ = rules.best(context) if self._goal is None else rules.between(self._goal, context)

    def _fit_owners(self, models: dict[str, Any], X: Any, targets: Targets, params: dict[str, Any]) -> None:
        owners = {name for rules in self._rules.values() for name in rules.owners}
        kept = [name for name in models if name in owners] or list(models)[:1]  # one at least, to know the features
        self.estimators_ = {n: clone(models[n]).fit(X, targets.labels, **params[n]) for n in kept}
        self.dominated_ = tuple(name for name in models if name not in owners)
        copy_features(self, self.estimators_[kept[0]])

    def _called(self, X: Any) -> BoolArray:
        """Tell which rows are called positive at the vertex, or at the mixture of two."""
        rules = self._rules[self._positives[0]]
        if not isinstance(self.vertex_, Mixture):
            return self._says(rules, self.vertex_.model, self.vertex_.threshold, X)
        a, b = self.vertex_.low, self.vertex_.high
        low, high = self._says(rules, a.model, a.threshold, X), self._says(rules, b.model, b.threshold, X)
        coin = check_random_state(self.random_state).random_sample(len(low)) < self.vertex_.share
        return np.where(coin, high, low)

    def _says(self, rules: HullRules, model: str, threshold: float, X: Any) -> BoolArray:
        first = next(iter(self.estimators_.values()))  # a trivial rule looks at no score, but the rows must be checked
        fitted = self.estimators_.get(model, first)
        scores = class_scores(fitted, X, self.classes_)[:, self._positives[0]]
        return rules.says(model, threshold, scores)
