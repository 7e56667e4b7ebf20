"""MetaCost: make any classifier cost-sensitive by relabelling its training rows."""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from bakeoff._core.errors import BakeoffWarning, ParameterError
from bakeoff._core.validation import FloatArray, IntArray, check_choice, check_count, check_number
from bakeoff.learners._costs import cheapest, check_cost_matrix
from bakeoff.learners._meta import (
    WrappedClassifier,
    begin_fit,
    class_probabilities,
    class_votes,
    fit_or_constant,
    fit_to_rows,
    routed_fit_params,
    seeded,
    without_weights,
)
from bakeoff.learners._targets import Targets


@dataclass(eq=False, repr=False)
class MetaCostClassifier(WrappedClassifier):
    """Make any classifier minimise cost: relabel its training rows with their cheapest class, and learn those.

    Class probabilities of every training row are estimated by bagging; each row is relabelled with the class of least
    expected cost, argmin_j Σ_i P(i | x)·C[i, j]; one classifier is fitted to the relabelled rows. The result is a
    single model of the same kind (a tree stays a readable tree), which predicts by its own rule.

    Where the wrapped classifier gives good probabilities itself, deciding on them directly
    (`CostSensitiveClassifier`, `ThresholdClassifier`) is simpler and often better.

    Parameters
    ----------
    estimator
        The classifier to make cost-sensitive. Random forests, boosting or pipelines are welcome.
    cost_matrix
        True classes in rows, predicted in columns, in sorted class order; or labelled. None: every error costs 1;
        ``"balanced"``: errors cost in inverse proportion to the frequency of the true class.
    n_estimators
        Bootstrap samples, one member each.
    max_samples
        Size of a bootstrap sample: a fraction of the rows (float) or a number of rows (int).
    use_all_members
        Estimate a row's probabilities with all members (True), or only with those whose bootstrap sample left the row
        out (False: out-of-bag estimates, which are not optimistic on rows the member has seen).
    voting
        ``"soft"`` averages the members' probabilities, ``"hard"`` counts their votes; ``"auto"`` is soft where the
        classifier has ``predict_proba``.
    n_jobs
        Members fitted at the same time, as in scikit-learn.
    random_state
        Seed of the bootstrap samples, and of every random part of `estimator` that was left unseeded.

    Attributes
    ----------
    classes_ : array ``[K]``
    cost_matrix_ : array ``[K, K]``
        The costs in class order.
    y_relabelled_ : array ``[n]``
        The labels the final classifier learned.
    estimator_ :
        The final classifier.

    Notes
    -----
    With `sample_weight`, rows are drawn into the bootstrap samples in proportion to their weights, and the final
    classifier is fitted with them. ``predict_proba`` is that of the final classifier: probabilities of the *relabelled*
    classes, not of the true ones. If relabelling leaves one class only, the final classifier is constant, with a
    warning: in that context no other answer was worth its cost.

    References
    ----------
    Domingos, P. (1999). MetaCost: a general method for making classifiers cost-sensitive. KDD, 155–164.
    https://doi.org/10.1145/312129.312220

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)  # 0 = malignant, 1 = benign
    >>> costs = {0: {0: 0, 1: 20}, 1: {0: 1, 1: 0}}  # a malignant tumour called benign costs 20 false alarms
    >>> tree = DecisionTreeClassifier(max_depth=3)
    >>> model = MetaCostClassifier(tree, cost_matrix=costs, random_state=0).fit(X, y)
    >>> int((model.y_relabelled_ != y).sum()) > 0
    True
    >>> int((model.predict(X) == 0).sum()) > int((tree.fit(X, y).predict(X) == 0).sum())
    True
    """

    estimator: Any
    _: KW_ONLY
    cost_matrix: Any
    n_estimators: int = 50
    max_samples: float = 1.0
    use_all_members: bool = True
    voting: str = "auto"
    n_jobs: int | None = None
    random_state: Any = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> MetaCostClassifier:
        """Estimate probabilities by bagging, relabel, and fit the final classifier."""
        X, targets, weights = begin_fit(self, X, y, sample_weight)
        self.cost_matrix_ = check_cost_matrix(self.cost_matrix, targets.classes, targets.counts(weights))
        params = routed_fit_params(self, self.estimator, "estimator", weights, fit_params)
        random = check_random_state(self.random_state)
        P = self._bagged_probabilities(X, targets, weights, without_weights(params), random)
        self.y_relabelled_ = targets.classes[cheapest(P, self.cost_matrix_)]
        self._warn_if_constant(targets, weights)
        self._finish(fit_or_constant(seeded(self.estimator, random), X, self.y_relabelled_, params))
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict with the final classifier."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict(X))

    def _bagged_probabilities(
        self,
        X: Any,
        targets: Targets,
        weights: FloatArray | None,
        member_params: dict[str, Any],
        random: np.random.RandomState,
    ) -> FloatArray:
        """Return P(i | x) of every training row: the mean over members, all of them or the out-of-bag ones."""
        n_rows, size = len(targets.codes), self._bag_size(len(targets.codes))
        share = None if weights is None else weights / weights.sum()
        output = self._member_output()
        seeds = random.randint(np.iinfo(np.int32).max, size=check_count("n_estimators", self.n_estimators))
        members = Parallel(n_jobs=self.n_jobs, return_as="generator")(
            delayed(_member)(self.estimator, X, targets, share, member_params, size, int(seed), output)
            for seed in seeds
        )
        total, total_out, times_out = np.zeros((n_rows, len(targets.classes))), 0.0, np.zeros(n_rows)
        for P, out_of_bag in members:
            total += P
            total_out = total_out + P * out_of_bag[:, None]
            times_out += out_of_bag
        if self.use_all_members:
            return total / len(seeds)
        return _out_of_bag_mean(total / len(seeds), total_out, times_out)

    def _bag_size(self, n_rows: int) -> int:
        if isinstance(self.max_samples, (int, np.integer)) and not isinstance(self.max_samples, bool):
            return check_count("max_samples", self.max_samples)
        return max(1, round(n_rows * check_number("max_samples", self.max_samples, low=0.0, high=1.0, closed="right")))

    def _member_output(self) -> Any:
        voting = check_choice("voting", self.voting, ("auto", "soft", "hard"))
        soft = hasattr(self.estimator, "predict_proba")
        if voting == "soft" and not soft:
            raise ParameterError(
                f"voting='soft' needs class probabilities, and {type(self.estimator).__name__} has no predict_proba.",
                hint="use voting='hard', which counts the members' votes",
            )
        return class_probabilities if soft and voting != "hard" else class_votes

    def _warn_if_constant(self, targets: Targets, weights: FloatArray | None) -> None:
        left = np.unique(self.y_relabelled_)
        if len(left) == 1 < targets.n_present(weights):
            warnings.warn(
                f"MetaCost relabelled every row as {left.tolist()[0]!r}: with these costs no other answer is worth its "
                "risk, and the classifier is constant.",
                BakeoffWarning,
                stacklevel=3,
            )


def _member(
    estimator: Any,
    X: Any,
    targets: Targets,
    share: FloatArray | None,
    params: dict[str, Any],
    size: int,
    seed: int,
    output: Any,
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Fit one member to a bootstrap sample; return its probabilities on all rows, and which rows it has not seen."""
    random = np.random.RandomState(seed)
    n_rows = len(targets.codes)
    rows: IntArray = random.choice(n_rows, size=size, replace=True, p=share)
    member = fit_to_rows(estimator, X, targets, rows, params, random)
    out_of_bag = np.ones(n_rows, dtype=bool)
    out_of_bag[rows] = False
    return output(member, X, targets.classes), out_of_bag


def _out_of_bag_mean(mean_of_all: FloatArray, total_out: Any, times_out: FloatArray) -> FloatArray:
    """Average the out-of-bag members of each row; a row that was in every bag takes the mean of all members."""
    never = times_out == 0
    if never.any():
        warnings.warn(
            f"{int(never.sum())} of {len(never)} rows were in every bootstrap sample and have no out-of-bag estimate; "
            "all members were used for them. More n_estimators, or a smaller max_samples, would help.",
            BakeoffWarning,
            stacklevel=5,
        )
    out = total_out / np.where(never, 1.0, times_out)[:, None]
    return np.where(never[:, None], mean_of_all, out)
