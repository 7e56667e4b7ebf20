"""scikit-learn's and imbalanced-learn's own checks of the estimator API, for every learner."""

from __future__ import annotations

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from bakeoff.learners import (
    CostSensitiveClassifier,
    HullClassifier,
    MetaCostClassifier,
    PriorCorrectedClassifier,
    ThresholdClassifier,
    VotesClassifier,
    WilsonEditing,
)

# A row of weight 2 and a row that stands twice are drawn equally often on average, not in the same draws: the number of
# rows drawn differs. scikit-learn exempts its own random learners for the same reason; test_sample_weight.py tests the
# expectation.
RANDOM_ROWS = {
    "check_sample_weight_equivalence_on_dense_data": "rows are drawn at random",
    "check_sample_weight_equivalence_on_sparse_data": "rows are drawn at random",
}
# These two are made not to predict the most probable class: they move the threshold. scikit-learn exempts its own
# TunedThresholdClassifierCV likewise. The rest of that check is in test_learner_api.py.
MOVED_THRESHOLD = {"check_classifiers_train": "predict is not the argmax of predict_proba, by design"}

LEARNERS = [
    MetaCostClassifier(GaussianNB(), cost_matrix=None, n_estimators=5),
    MetaCostClassifier(DecisionTreeClassifier(), cost_matrix="balanced", n_estimators=5, voting="hard"),
    CostSensitiveClassifier(LogisticRegression(), cost_matrix=None),
    CostSensitiveClassifier(LogisticRegression(), cost_matrix=None, method="reweight"),
    CostSensitiveClassifier(LogisticRegression(), cost_matrix=None, method="resample", random_state=1),
    ThresholdClassifier(LogisticRegression(), cv=3),
    HullClassifier([("linear", LogisticRegression()), ("bayes", GaussianNB())], cv=3),
    PriorCorrectedClassifier(LogisticRegression(), priors="data"),
    VotesClassifier(DecisionTreeClassifier(), n_estimators=5),
    WilsonEditing(),
]


def expected_failures(learner: object) -> dict[str, str]:
    if isinstance(learner, VotesClassifier) or getattr(learner, "method", "") == "resample":
        return RANDOM_ROWS
    return MOVED_THRESHOLD if isinstance(learner, (ThresholdClassifier, HullClassifier)) else {}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(LEARNERS, expected_failed_checks=expected_failures)
def test_scikit_learn_check(estimator, check):
    check(estimator)
