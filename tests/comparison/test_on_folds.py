"""Folds and hold-outs of one data set."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff import EvidenceError, ParameterError, Predictions, Scores, compare, stats
from oracle import worked_examples


def test_scikit_learns_grid_search_example() -> None:
    example = worked_examples("tests")["sklearn_plot_grid_search_stats"]
    scores = Scores.from_cv_results(
        example["scores"], repeats=10, measure="auc", n_train=example["n_train"], n_test=example["n_test"]
    )
    result = compare(scores.select(models=["rbf", "linear"]), rope=0.01)
    pair, expected = result.pair("rbf", "linear"), example["independently_computed"]
    assert pair.statistic == pytest.approx(expected["corrected_t"], rel=1e-9)
    assert pair.pvalue == pytest.approx(expected["two_sided_p"], rel=1e-9)
    published = example["published_in_docs_from_memory_reproduced"]
    assert (pair.low, pair.high) == pytest.approx(tuple(published["rbf_vs_linear"]["interval_95"]), abs=1e-5)
    assert result.bayes[0].p_equivalent == pytest.approx(published["rbf_vs_linear"]["P_rope_0.01"], abs=1e-3)
    every = compare(scores)
    for name, t in published["pairwise_corrected_t"].items():
        a, b = name.split("-")
        assert every.pair(a, b).statistic == pytest.approx(t, abs=1e-3)
    assert every.omnibus is None
    assert every.bayes == ()


def test_scmamps_correlated_t_example() -> None:
    example = worked_examples("tests")["scmamp_kcv_example_DB1"]
    cells = np.stack([example["data"]["AlgC"], example["data"]["AlgD"]], axis=1)
    scores = Scores.from_cv_results({"AlgC": cells[:, 0], "AlgD": cells[:, 1]}, repeats=10, measure="error")
    result = compare(scores, rope=0.01)  # sizes not known: the ratio follows from ten folds
    pair, expected = result.pair("AlgC", "AlgD"), example["independently_computed"]
    assert pair.statistic == pytest.approx(expected["correlatedTtest_rho_0.1"]["t"], rel=1e-6)
    assert "overlap-from-folds" in {n.code for n in result.notes}
    assert result.bayes[0].p_equivalent == pytest.approx(expected["bCorrelatedTtest_rope_0.01"]["rope"], rel=1e-6)
    # For an error less is better, so the posterior turns round.
    assert result.bayes[0].p_a_better == pytest.approx(expected["bCorrelatedTtest_rope_0.01"]["left"], rel=1e-6)


def test_five_by_two_reports_both() -> None:
    example = worked_examples("tests")["five_by_two_cv"]
    d = np.array(example["differences_5x2"]).ravel()
    folds = np.arange(10)
    frame = {"model": ["a"] * 10 + ["b"] * 10, "r": list(folds // 2) * 2, "f": list(folds % 2) * 2}
    import pandas as pd

    table = pd.DataFrame({**frame, "accuracy": np.concatenate([0.7 + d, np.full(10, 0.7)])})
    scores = Scores.from_frame(table, model="model", value="accuracy", repeat="r", fold="f")
    result = compare(scores)
    expected = example["independently_computed"]
    pair = result.pair("a", "b")
    assert result.choice.chosen == "5x2cv-f"
    assert (pair.statistic, pair.pvalue) == pytest.approx((expected["alpaydin_F"], expected["p_F"]), rel=1e-9)
    assert f"t = {expected['dietterich_t']:.4f}" in next(n for n in result.notes if n.code == "5x2cv-t").message
    named = compare(scores, test="5x2cv-t").pair("a", "b")
    assert named.statistic == pytest.approx(expected["dietterich_t"], rel=1e-9)
    assert named.low <= named.estimate <= named.high
    with pytest.raises(ParameterError, match="two-sided"):
        compare(scores, alternative="greater")


def test_predictions_with_folds_are_compared_by_fold(make) -> None:
    truth, scores = make.binary(400, {"a": 2.2, "b": 1.0})
    fold = np.arange(400) % 10
    predictions = Predictions.from_arrays(truth, y_score=scores, fold=fold)
    result = compare(predictions, "auc", test="corrected-t")
    by_fold = predictions.scores("auc").folds()
    alone = stats.corrected_t(by_fold[:, 0], by_fold[:, 1], n_train=360, n_test=40)
    assert result.pair("a", "b").pvalue == pytest.approx(alone.pvalue)


def test_hold_outs_need_their_sizes(make) -> None:
    rng = np.random.default_rng(1)
    import pandas as pd

    table = pd.DataFrame({"m": ["a"] * 8 + ["b"] * 8, "r": list(range(8)) * 2, "v": rng.random(16)})
    scores = Scores.from_frame(table, model="m", value="v", repeat="r")
    with pytest.raises(EvidenceError, match=r"sizes of the training and test sets.*Hint: give n_train="):
        compare(scores)
    sized = Scores.from_frame(table, model="m", value="v", repeat="r", n_train=200, n_test=100)
    assert compare(sized).choice.chosen == "corrected-t"


def test_a_model_missing_in_one_fold(make) -> None:
    scores = make.resampled({"a": 0.8, "b": 0.7}, 1, 10)
    cells = scores.cells["data"].copy()
    cells[3, 1] = np.nan
    gap = Scores(scores.models, {"data": cells}, scores.splits, "accuracy", True)
    with pytest.warns(bakeoff.BakeoffWarning, match="'b' in fold 3 of repeat 0"):
        result = compare(gap)
    keep = np.delete(np.arange(10), 3)
    alone = stats.corrected_t(cells[keep, 0], cells[keep, 1], n_train=450, n_test=50)
    assert result.pair("a", "b").pvalue == pytest.approx(alone.pvalue)
    assert "left out" in result.verdict


def test_a_gap_in_5x2_falls_back_to_the_corrected_t(make) -> None:
    scores = make.resampled({"a": 0.8, "b": 0.7}, 5, 2)
    cells = scores.cells["data"].copy()
    cells[0, 0] = np.nan
    gap = Scores(scores.models, {"data": cells}, scores.splits, "accuracy", True)
    with pytest.warns(bakeoff.BakeoffWarning, match="1 of 10 splits"):
        assert compare(gap).choice.chosen == "corrected-t"


def test_fewer_than_two_folds_left(make) -> None:
    scores = make.resampled({"a": 0.8, "b": 0.7}, 1, 3)
    cells = scores.cells["data"].copy()
    cells[:2, 0] = np.nan
    gap = Scores(scores.models, {"data": cells}, scores.splits, "accuracy", True)
    with pytest.raises(EvidenceError, match="at least two splits"):
        compare(gap)


@pytest.mark.filterwarnings("ignore:.*near-chance")
def test_one_class_folds_are_named(make) -> None:
    truth = np.array([0] * 5 + [1] * 5 + [0, 1] * 20)
    fold = np.array([0] * 5 + [1] * 5 + [2 + i // 10 for i in range(40)])
    rng = np.random.default_rng(0)
    predictions = Predictions.from_arrays(
        truth, y_score={"a": rng.random(50) + truth * 0.3, "b": rng.random(50)}, fold=fold
    )
    with pytest.warns(bakeoff.BakeoffWarning, match="2 of 6 splits.*'a' in fold 0"):
        result = compare(predictions, "auc")
    assert {"undefined", "incomplete-splits"} <= {n.code for n in result.notes}


def test_checks_are_data(make) -> None:
    result = compare(make.resampled({"a": 0.8, "b": 0.7}, 10, 10))
    codes = {check.code for check in result.checks}
    assert {"normality", "outliers"} <= codes
    normal = next(c for c in result.checks if c.code == "normality")
    assert normal.passed is (normal.pvalue > 0.05)


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_groups_of_their_own_are_no_difference_between_fits() -> None:
    """Folds of whole groups differ in their cases: a fixed rule was told "the fits differ" in 62 to 92 % of samples."""
    rng, told = np.random.default_rng(2), 0
    for _ in range(25):
        group = np.repeat(np.arange(20), 8)
        truth = (rng.random(160) < 1 / (1 + np.exp(0.4 - rng.normal(size=20)[group]))).astype(int)
        calls = {m: np.where(rng.random(160) < 0.8, truth, 1 - truth) for m in "ab"}
        rows = Predictions.from_arrays(truth, y_pred=calls, groups=group, fold=(rng.permutation(20) % 5)[group])
        told += "folds-differ" in [note.code for note in bakeoff.evaluate(rows, "accuracy")["a", "accuracy"].notes]
    assert told <= 6
    kinds = np.arange(160) // 32  # where a fit calls nearly all positive, it is told with groups too
    bold = {m: np.where(kinds == 0, rng.random(160) < 0.95, rng.random(160) < 0.2).astype(int) for m in "ab"}
    rows = Predictions.from_arrays(truth, y_pred=bold, groups=group, fold=kinds)
    assert "folds-differ" in [note.code for note in bakeoff.evaluate(rows, "accuracy")["a", "accuracy"].notes]


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_folds_without_a_score_leave_no_rows_out() -> None:
    """Recall of four positives over 20 folds is one of all rows; "17 of 20 splits were left out" was not so."""
    rng = np.random.default_rng(1)
    for positives in (1, 4):
        truth = (np.arange(200) < positives).astype(int)
        calls = {m: np.where(rng.random(200) < 0.9, truth, 1 - truth) for m in "ab"}
        rows = Predictions.from_arrays(truth, y_pred=calls, pos_label=1, fold=rng.permutation(200) % 20)
        result = compare(rows, "recall", rng=0)
        assert result.choice.chosen == "cv-rows"
        assert result.design.n_splits == 20
        assert np.isfinite([result.pairs[0].low, result.pairs[0].high]).all()
        codes = [note.code for note in result.notes]
        assert "few-in-class" in codes
        assert not any("undefined" in note.message or "left out" in note.message for note in result.notes)
        if positives == 1:  # "Got 1 of 20" stopped the default too
            with pytest.raises(EvidenceError, match="at least two splits"):
                compare(rows, "recall", test="corrected-t")
        else:
            by_scores = compare(rows, "recall", test="corrected-t")
            assert any("left out" in note.message for note in by_scores.notes)


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_weak_spots_are_told_over_folds_too() -> None:
    """Few of a class, heavy tails and log losses that were cut warned on one test set only."""
    rng = np.random.default_rng(5)
    n = 120
    truth = (np.arange(n) < 6).astype(int)
    p = {m: np.clip(0.1 + 0.5 * truth + 0.1 * rng.random(n), 0, 1) for m in "ab"}
    p["a"][:2], p["b"][50] = 0.0, 0.5
    fold = rng.permutation(n) % 5
    chances = Predictions.from_arrays(truth, y_score=p, pos_label=1, fold=fold)
    errors = {m: np.exp(1.5 * rng.normal(size=n)) for m in "ab"}
    values = Predictions.from_arrays(np.zeros(n), y_value=errors, fold=fold)
    for rows, measure, code in (
        (chances, "auc", "few-in-class"),
        (chances, "log_loss", "clipped-probabilities"),
        (values, "rmse", "heavy-tails"),
    ):
        assert code in [note.code for note in compare(rows, measure).notes]
        assert code in [note.code for note in bakeoff.evaluate(rows, measure)["a", measure].notes]
