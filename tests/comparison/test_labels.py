"""Tests of labels by name: predictive values against R's DTComPair, marginal homogeneity, and post hoc Bonferroni."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import ParameterError, Predictions, Scores, compare, stats
from oracle import assert_case, cases


@pytest.mark.parametrize("case", cases("ppv_npv_score"), ids=lambda case: case["id"])
@pytest.mark.parametrize(("measure", "key"), [("precision", "ppv"), ("npv", "npv")])
def test_weighted_generalised_score(case: dict, measure: str, key: str) -> None:
    given = case["input"]
    calls = {"a": given["pred_a"], "b": given["pred_b"]}
    evidence = Predictions.from_arrays(given["y_true"], y_pred=calls, pos_label=1)
    pair = compare(evidence, measure, test="generalized-score").pair("b", "a")
    got = {"difference_b_minus_a": pair.estimate, "wgs_chi2": pair.statistic, "wgs_p": pair.pvalue}
    assert_case(case, {key: got})
    edge = compare(evidence, measure, test="generalized-score", confidence_level=1 - pair.pvalue).pair("b", "a")
    assert min(abs(edge.low), abs(edge.high)) == pytest.approx(0, abs=1e-9)  # the interval inverts the test


def test_the_score_test_is_for_predictive_values(make) -> None:
    with pytest.raises(ParameterError, match="compares precision or NPV, not F1"):
        compare(make.labelled(), "f1", test="generalized-score")


@pytest.mark.parametrize(("name", "procedure"), [("stuart-maxwell", stats.stuart_maxwell), ("bowker", stats.bowker)])
def test_labels_are_compared_and_no_model_is_called_better(name: str, procedure) -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 300)
    calls = {"a": truth.copy(), "b": np.where(rng.random(300) < 0.5, truth, 2)}
    result = compare(Predictions.from_arrays(truth, y_pred=calls), "accuracy", test=name)
    alone = procedure(calls["a"], calls["b"])
    pair = result.pair("a", "b")
    assert (pair.statistic, pair.pvalue) == pytest.approx((alone.statistic, alone.pvalue))
    assert pair.pvalue < 1e-6
    assert not pair.shown
    assert "about-labels" in {note.code for note in result.notes}


def test_bonferroni_after_anova() -> None:
    rng = np.random.default_rng(2)
    table = 0.7 + 0.05 * (rng.normal(size=(10, 3)) + np.array([0.0, 0.5, 1.5]))
    scores = Scores.from_wide(table, models=list("abc"), measure="accuracy")
    result = compare(scores, test="anova", posthoc="bonferroni")
    for a, b in (("a", "b"), ("a", "c"), ("b", "c")):
        alone = stats.paired_t(table[:, "abc".index(a)], table[:, "abc".index(b)])
        pair = result.pair(a, b)
        assert pair.pvalue_adjusted == pytest.approx(min(1, 3 * alone.pvalue))
        joint = alone.confidence_interval(1 - 0.05 / 3)
        assert (pair.simultaneous_low, pair.simultaneous_high) == pytest.approx((joint.low, joint.high))
