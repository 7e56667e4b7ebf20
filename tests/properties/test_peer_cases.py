"""What the test suites of other packages asked and got no good answer to; the cause is held, not the example."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import bakeoff
from bakeoff import Predictions, measures
from bakeoff.learners import CostSensitiveClassifier, MetaCostClassifier
from bakeoff.stats import delong_interval
from oracle import assert_case, cases

pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")


@pytest.mark.parametrize("learner", [CostSensitiveClassifier, MetaCostClassifier])
def test_balanced_costs_count_weights(learner):
    X = np.random.default_rng(0).normal(size=(40, 2))
    y = np.repeat([0, 1], [30, 10])
    weight = np.where(np.arange(40) % 3 == 0, 2, 1)
    weighted = learner(LogisticRegression(), cost_matrix="balanced").fit(X, y, sample_weight=weight)
    repeated = learner(LogisticRegression(), cost_matrix="balanced").fit(
        np.repeat(X, weight, axis=0), np.repeat(y, weight)
    )
    assert weighted.cost_matrix_ == pytest.approx(repeated.cost_matrix_)


@pytest.mark.parametrize("truth", [["foo"], [1], [True]])
def test_one_class_has_a_brier_score(truth):
    (label,) = truth
    assert measures.get("brier")(truth, [0.4], pos_label=label) == pytest.approx(0.36)
    assert measures.get("log_loss")(truth, [0.4], pos_label=label) == pytest.approx(-np.log(0.4))
    assert measures.get("brier")([0, 0], [0.4, 0.4], pos_label=1) == pytest.approx(0.16)
    assert np.isnan(measures.get("auc")(truth, [0.4], pos_label=label))


def test_a_positive_class_that_does_not_occur_is_still_refused():
    with pytest.raises(bakeoff.EvidenceError, match="not a class of the truth"):
        measures.get("brier")(["bar"], [0.4], pos_label="foo")


@pytest.mark.parametrize("measure", ["auc", "gini"])
@pytest.mark.parametrize("options", [{}, {"test": "delong"}, {"test": "rule"}])
def test_a_perfect_ranking_and_an_inverted_one_are_told_apart(measure, options):
    y, s = np.repeat([0, 1], 30), np.arange(60.0)
    found = bakeoff.compare(Predictions.from_arrays(y, y_score={"a": s, "b": -s}, pos_label=1), measure, **options)
    pair, most = found.pair("a", "b"), 1.0 if measure == "auc" else 2.0
    assert pair.pvalue < 0.001
    assert 0 < pair.low < pair.high <= most
    assert str(found.verdict).startswith("a is better")


@pytest.mark.parametrize("case", cases("delong_weighted"), ids=lambda case: case["id"])
def test_delong_takes_weights(case):
    given, expected = case["input"], case["expected"]
    scores = {"a": given["score_a"], "b": given["score_b"]}
    rows = Predictions.from_arrays(given["y"], y_score=scores, pos_label=1, sample_weight=given["sample_weight"])
    wald = bakeoff.evaluate(rows, "auc", interval="delong-wald")["a", "auc"]
    assert (wald.high - wald.low) / 2 / 1.959963984540054 == pytest.approx(expected["se_a"], rel=1e-7)
    logit = bakeoff.evaluate(rows, "auc", interval="delong")["a", "auc"]
    assert [logit.low, logit.high] == pytest.approx(expected["ci95_a_logit"], rel=1e-7)
    pair = bakeoff.compare(rows, "auc", test="delong").pair("a", "b")
    assert [pair.low, pair.high, pair.pvalue] == pytest.approx(
        [*expected["ci95_difference"], expected["p_normal"]], rel=1e-7
    )


@pytest.mark.parametrize("case", cases("clustered_delong"), ids=lambda case: case["id"])
def test_delong_of_groups_is_obuchowskis_on_t(case):
    given = case["input"]
    scores = {"a": given["score_a"], "b": given["score_b"]}
    rows = Predictions.from_arrays(given["y"], y_score=scores, pos_label=1, groups=given["group"])
    pair = bakeoff.compare(rows, "auc", test="delong").pair("a", "b")
    assert_case(case, {"difference": pair.estimate, "z": pair.statistic, "p_t": pair.pvalue})
    assert_case(case, {"ci95_difference_t": [pair.low, pair.high]})
    for method, key in (("delong", "ci95_a_logit_t"), ("delong-wald", "ci95_a_wald_t")):
        found = bakeoff.evaluate(rows, "auc", interval=method)
        assert_case(case, {key: [found["a", "auc"].low, found["a", "auc"].high]})
        assert_case(case, {"se_a": found.to_frame()["standard_error"][0]})
        alone = delong_interval(
            given["y"], given["score_a"], groups=given["group"], method="logit" if method == "delong" else "wald"
        )
        assert_case(case, {key: [alone.low, alone.high], "se_a": alone.standard_error})
    weighted = Predictions.from_arrays(
        given["y"], y_score=scores, pos_label=1, groups=given["group"], sample_weight=np.full(len(given["y"]), 2.5)
    )
    alike = bakeoff.compare(weighted, "auc", test="delong").pair("a", "b")
    assert [alike.low, alike.high] == pytest.approx([pair.low, pair.high], rel=1e-9)


@pytest.mark.parametrize("case", cases("effective_n_weights"), ids=lambda case: case["id"])
def test_means_with_weights_and_groups_are_linearised_over_units(case):
    given = case["input"]
    table, weight = {"a": given["x"], "b": given["x"][::-1]}, given["sample_weight"]
    for groups, error, df in ((None, "se_linearised", "df"), (given["group"], "se_grouped", "df_grouped")):
        rows = Predictions.from_outcomes(table, sample_weight=weight, groups=groups)
        found = bakeoff.evaluate(rows, "mean_outcome", interval="linearized").to_frame().iloc[0]
        assert_case(
            case, {"weighted_mean": found["estimate"], error: found["standard_error"], df: found["n_units"] - 1}
        )
