"""What other packages answer about two models on one test set, beside ours and the oracle's (README)."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import stats
from bakeoff.stats.tables import McNemarResult
from oracle import cases

REASON = "a package we compare with, not needed by bakeoff: `make peers` installs it"


@pytest.fixture
def mlxtend():
    return pytest.importorskip("mlxtend.evaluate", reason=REASON)


@pytest.fixture
def confidenceinterval():
    return pytest.importorskip("confidenceinterval", reason=REASON)


# Both models right on the same 50 rows and wrong on the same 5: no evidence of any difference.
IDENTICAL = np.array([[50, 0], [0, 5]])


def ours(table: np.ndarray, method: str = "auto") -> McNemarResult:
    """McNemar's test of a table [[both right, only a], [only b, both wrong]]."""
    (both, a_only), (b_only, neither) = table
    a = [True] * both + [True] * a_only + [False] * b_only + [False] * neither
    b = [True] * both + [False] * a_only + [True] * b_only + [False] * neither
    return stats.mcnemar(a, b, method=method)


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_mlxtend_declares_identical_models_different(mlxtend):
    assert mlxtend.mcnemar(IDENTICAL)[1] == 0.0
    assert ours(IDENTICAL).pvalue == 1.0
    assert "no-discordant-pairs" in [note.code for note in ours(IDENTICAL).notes]


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_statsmodels_declares_identical_models_different():
    contingency = pytest.importorskip("statsmodels.stats.contingency_tables", reason=REASON)
    assert contingency.mcnemar(IDENTICAL, exact=False).pvalue == 0.0
    assert ours(IDENTICAL, "chi2_corrected").pvalue == 1.0


def test_mlxtend_corrects_past_zero(mlxtend):
    """Six against six is no evidence at all: R's χ² is 0; a correction must not exceed the difference."""
    (case,) = cases("mcnemar")
    table = np.array(case["input"]["tables"]["equal"])
    assert mlxtend.mcnemar(table)[0] == pytest.approx(1 / 12)
    assert ours(table, "chi2_corrected").statistic == case["expected"]["equal"]["chi2_corrected"] == 0.0


def test_mlxtend_agrees_where_both_are_right(mlxtend):
    (case,) = cases("mcnemar")
    for name in ("agresti", "small", "tiny"):
        table = np.array(case["input"]["tables"][name])
        assert ours(table, "chi2_corrected").pvalue == pytest.approx(mlxtend.mcnemar(table)[1], rel=1e-12)
        assert ours(table, "exact").pvalue == pytest.approx(mlxtend.mcnemar(table, exact=True)[1], rel=1e-12)


def test_mlxtend_cochran_agrees(mlxtend, rng):
    truth = rng.integers(0, 2, 200)
    said = [np.where(rng.random(200) < rate, truth, 1 - truth) for rate in (0.7, 0.8, 0.75)]
    q, pvalue = mlxtend.cochrans_q(truth, *said)
    result = stats.cochran_q(np.column_stack([truth == labels for labels in said]))
    assert (result.statistic, result.pvalue) == (pytest.approx(q), pytest.approx(pvalue))


def test_mlxtend_resampled_t_is_the_plain_t_over_overlapping_folds(mlxtend):
    """Its p-value is that of `paired_t`, which finds differences between equal learners; the corrected t is larger."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.metrics import accuracy_score
    from sklearn.model_selection import train_test_split
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    X, y = load_breast_cancer(return_X_y=True)
    first, second = GaussianNB(), DecisionTreeClassifier(random_state=0)
    _, theirs = mlxtend.paired_ttest_resampled(first, second, X, y, num_rounds=20, test_size=0.3, random_seed=1)
    seeds = np.random.RandomState(1)
    rows = []
    for _ in range(20):
        train_x, test_x, train_y, test_y = train_test_split(X, y, test_size=0.3, random_state=seeds.randint(0, 32767))
        fitted = [model.fit(train_x, train_y) for model in (first, second)]
        rows.append([accuracy_score(test_y, model.predict(test_x)) for model in fitted])
    a, b = np.array(rows).T
    assert stats.paired_t(a, b).pvalue == pytest.approx(theirs, rel=1e-9)
    assert stats.corrected_t(a, b, n_train=398, n_test=171).pvalue > 3 * theirs


def test_confidenceinterval_is_sure_of_a_perfect_auc(confidenceinterval):
    """Ten of each class ranked without a mistake: DeLong's variance is 0, which is not certainty."""
    truth, score = np.repeat([0, 1], 10), np.arange(20.0)
    _, (low, high) = confidenceinterval.roc_auc_score(truth, score)
    assert high - low < 1e-6
    interval = stats.delong_interval(truth, score)
    assert interval.low < 0.85
    assert interval.high == 1.0


@pytest.mark.filterwarnings("ignore")
def test_confidenceinterval_covers_too_rarely_near_one(confidenceinterval):
    """Nominal 95 % intervals of an AUC of 0.983 on 60 rows: how often they hold it, in 400 draws."""
    rng, truth, area = np.random.default_rng(1), np.arange(60) % 2, 0.9831
    draws = [rng.normal(3.0 * truth) for _ in range(400)]
    theirs = [confidenceinterval.roc_auc_score(truth, score)[1] for score in draws]
    mine = [stats.delong_interval(truth, score) for score in draws]
    assert np.mean([low <= area <= high for low, high in theirs]) < 0.87
    assert np.mean([interval.low <= area <= interval.high for interval in mine]) > 0.93


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_scores_what_is_undefined_as_zero():
    from sklearn.metrics import precision_score

    import bakeoff

    truth, said = ["no", "yes", "no"], ["no", "no", "no"]
    assert precision_score(truth, said, pos_label="yes") == 0.0
    predictions = bakeoff.Predictions.from_arrays(truth, y_pred={"m": said}, pos_label="yes")
    precision = bakeoff.evaluate(predictions, "precision")["m", "precision"]
    assert np.isnan(precision.estimate)
    assert any("never predicted" in note.message or "no " in note.message for note in precision.notes)
