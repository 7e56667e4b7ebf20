"""One test set: what `compare` says of a pair is what the test itself says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import bakeoff
from bakeoff import Predictions, compare, stats
from oracle import worked_examples


def test_mcnemar_and_its_interval(make) -> None:
    predictions = make.labelled(models={"a": 2.2, "b": 1.6})
    rows = predictions.table()
    alone = stats.mcnemar(rows.correct("a"), rows.correct("b"))
    pair = compare(predictions).pair("a", "b")
    assert (pair.pvalue, pair.estimate) == (alone.pvalue, alone.estimate)
    interval = alone.confidence_interval(0.95)
    assert (pair.low, pair.high) == (interval.low, interval.high)
    assert pair.effect == "Cohen's g"
    assert pair.effect_size == pytest.approx(alone.n_a_only / (alone.n_a_only + alone.n_b_only) - 0.5)


def test_error_is_the_mirror_of_accuracy(make) -> None:
    predictions = make.labelled(models={"a": 2.2, "b": 1.6})
    right, wrong = compare(predictions, "accuracy").pair("a", "b"), compare(predictions, "error").pair("a", "b")
    assert wrong.estimate == pytest.approx(-right.estimate)
    assert (wrong.low, wrong.high) == pytest.approx((-right.high, -right.low))
    assert wrong.pvalue == pytest.approx(right.pvalue)
    assert wrong.better == right.better == "a"


def test_cochran_then_mcnemar_with_holm(make) -> None:
    predictions = make.labelled()
    result = compare(predictions)
    rows = predictions.table()
    right = np.stack([rows.correct(m) for m in result.models], axis=1)
    assert result.omnibus.statistic == pytest.approx(stats.cochran_q(right).statistic)
    raw = [p.pvalue for p in result.pairs]
    assert [p.pvalue_adjusted for p in result.pairs] == pytest.approx(stats.adjust(raw, "holm").tolist())
    assert len(result.pairs) == 15


def test_kuncheva_through_compare() -> None:
    example = worked_examples("tests")["cochran_q"]["kuncheva_2004"]
    models = {f"model {i}": example[f"y_model_{i}"] for i in (1, 2, 3)}
    result = compare(Predictions.from_arrays(example["y_true"], y_pred=models, classes=[0, 1]), "accuracy")
    assert result.omnibus.statistic == pytest.approx(7.5294, abs=1e-4)


def test_asah_through_compare() -> None:
    example = worked_examples("tests")["delong_aSAH"]
    data, published = example["data"], example["published_pROC"]
    scores = {m: data[m] for m in ("s100b", "wfns", "ndka")}
    result = compare(Predictions.from_arrays(data["outcome"], y_score=scores))
    for a, b in (("s100b", "wfns"), ("s100b", "ndka"), ("wfns", "ndka")):
        pair, expected = result.pair(a, b), published[f"{a}_vs_{b}"]
        assert pair.statistic == pytest.approx(expected["Z"], rel=1e-9)
        assert pair.pvalue == pytest.approx(expected["p"], rel=1e-9)
        assert (pair.low, pair.high) == pytest.approx(tuple(expected["ci95_diff"]), abs=1e-9)
    assert result.choice.chosen == "delong"
    assert result.omnibus is not None


def test_delong_uses_clusters(make) -> None:
    truth, scores = make.binary(300, {"a": 2.0, "b": 1.2})
    thrice = Predictions.from_arrays(
        np.tile(truth, 3), y_score={m: np.tile(s, 3) for m, s in scores.items()}, groups=np.tile(np.arange(300), 3)
    )
    once = compare(Predictions.from_arrays(truth, y_score=scores)).pair("a", "b")
    clustered = compare(thrice).pair("a", "b")
    # Copies of a row bring no information: the interval stays about as wide as with single rows.
    assert clustered.high - clustered.low == pytest.approx(once.high - once.low, rel=0.02)


def test_cluster_t_through_compare(make) -> None:
    groups = np.repeat(np.arange(50), 10)
    predictions = make.labelled(models={"a": 2.0, "b": 1.6}, groups=groups)
    rows = predictions.table()
    alone = stats.cluster_t(rows.correct("a").astype(float), rows.correct("b").astype(float), groups=groups)
    pair = compare(predictions, test="cluster-t").pair("a", "b")
    assert pair.pvalue == pytest.approx(alone.pvalue)
    assert (pair.low, pair.high) == pytest.approx((alone.confidence_interval().low, alone.confidence_interval().high))


def test_outcomes_right_or_wrong_and_graded() -> None:
    rng = np.random.default_rng(5)
    binary = {"a": rng.integers(0, 2, 80), "b": rng.integers(0, 2, 80)}
    result = compare(Predictions.from_outcomes(binary))
    assert (result.choice.chosen, result.measure) == ("mcnemar", "accuracy")
    assert result.pair("a", "b").pvalue == stats.mcnemar(binary["a"], binary["b"]).pvalue
    graded = {"a": rng.random(80), "b": rng.random(80)}
    result = compare(Predictions.from_outcomes(graded))
    assert (result.choice.chosen, result.measure) == ("paired-t", "mean_outcome")
    assert result.pair("a", "b").pvalue == pytest.approx(stats.paired_t(graded["a"], graded["b"]).pvalue)


def test_default_measure_by_evidence(make) -> None:
    assert compare(make.scored(models={"a": 2, "b": 1})).measure == "auc"
    assert compare(make.labelled(models={"a": 2, "b": 1})).measure == "accuracy"
    assert compare(make.multiclass(), rng=0).measure == "accuracy"
    assert compare(make.regression(), rng=0).measure == "rmse"


def test_one_sided_in_the_measures_own_units(make) -> None:
    predictions = make.scored(models={"a": 2.2, "b": 1.6})
    two = compare(predictions).pair("a", "b")
    greater = compare(predictions, alternative="greater").pair("a", "b")
    less = compare(predictions, alternative="less").pair("a", "b")
    assert greater.pvalue == pytest.approx(two.pvalue / 2)
    assert less.pvalue == pytest.approx(1 - two.pvalue / 2)
    assert (greater.low, greater.high) == (two.low, two.high)
    assert (greater.better, less.better) == ("a", "")
    assert greater.flipped().alternative == "less"


def test_leave_one_out_auc_is_cautioned(make) -> None:
    truth, scores = make.binary(60, {"a": 2.0, "b": 1.0})
    predictions = Predictions.from_arrays(truth, y_score=scores, fold=np.arange(60))
    with pytest.warns(UserWarning, match="leave-one-out"):
        result = compare(predictions)
    assert result.choice.chosen == "rule"
    assert "leave-one-out" in result.verdict


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
@pytest.mark.parametrize("test", ["auto", "mcnemar", "paired-t", "permutation", "linearized", "rule"])
def test_outcomes_of_which_less_is_better_keep_their_values_and_their_winner(test) -> None:
    """Crashes, refusals: 1 is what is counted, and fewer are better. They were counted as right answers, and turned."""
    rng = np.random.default_rng(0)
    crashed = {"calm": (rng.random(200) < 0.2) * 1.0, "shaky": (rng.random(200) < 0.5) * 1.0}
    plain = bakeoff.Predictions.from_outcomes(crashed)
    fewer = replace(bakeoff.measures.get("mean_outcome"), greater_is_better=False)
    told = bakeoff.Predictions({"data": replace(plain.table(), less_is_better=True)})
    for evidence, measure in ((plain, fewer), (told, "mean_outcome"), (told, None)):
        found = bakeoff.compare(evidence, measure, test=test, rng=0)
        assert found.best == "calm" == found.pairs[0].better
        assert dict(found.values) == pytest.approx({m: v.mean() for m, v in crashed.items()})
        assert bakeoff.evaluate(evidence, measure).entries[0].estimate == pytest.approx(crashed["calm"].mean())
    assert bakeoff.gate(told, baseline="shaky", candidate="calm").passed
    assert bakeoff.flips(told, "calm", "shaky").estimate == pytest.approx(
        crashed["calm"].mean() - crashed["shaky"].mean()
    )
    with pytest.raises(bakeoff.EvidenceError, match="less is better"):
        bakeoff.compare(told, "accuracy")
