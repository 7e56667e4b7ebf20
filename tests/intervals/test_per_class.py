"""Of each class: counts and one-against-the-rest measures agree with scikit-learn; shorthands of the verbs."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

import bakeoff
from bakeoff import EvidenceError, ParameterError, Predictions, evaluate

pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")  # weak evidence is not the question here
CLASSES = ["high", "low", "mid"]


@pytest.fixture(scope="module")
def three():
    rng, n = np.random.default_rng(1), 300
    y = np.array(CLASSES)[rng.integers(0, 3, n)]
    p = rng.dirichlet([1, 1, 1], n) + 0.5 * (y[:, None] == np.array(CLASSES))
    p /= p.sum(axis=1, keepdims=True)
    return y, p, np.where(rng.random(n) < 0.5, y, rng.permutation(y))


def test_confusion_is_that_of_scikit_learn(three) -> None:
    y, p, labels = three
    e = evaluate(Predictions.from_arrays(y, y_score={"a": p}, y_pred={"b": labels}), "accuracy")
    frame = e.confusion.to_frame(backend="pandas")
    assert list(frame.columns) == ["dataset", "model", "true", "predicted", "n"]
    for model, said in (("a", np.array(CLASSES)[p.argmax(axis=1)]), ("b", labels)):
        table = frame[frame.model == model].pivot(index="true", columns="predicted", values="n")
        assert (table.to_numpy() == metrics.confusion_matrix(y, said)).all()


def test_measures_of_each_class_are_those_of_scikit_learn(three) -> None:
    y, p, _ = three
    e = evaluate(Predictions.from_arrays(y, y_score={"a": p}), "accuracy", rng=0)
    frame = e.per_class.to_frame(backend="pandas")
    assert {"class", "measure", "estimate", "low", "high", "n", "model", "dataset"} <= set(frame.columns)
    report = metrics.classification_report(y, np.array(CLASSES)[p.argmax(axis=1)], output_dict=True)
    for k, name in enumerate(CLASSES):
        own = frame[frame["class"] == name].set_index("measure")
        for ours, theirs in (("precision", "precision"), ("recall", "recall"), ("f1", "f1-score")):
            assert own.estimate[ours] == pytest.approx(report[name][theirs])
        assert own.estimate["auc"] == pytest.approx(metrics.roc_auc_score(y == name, p[:, k]))
        assert (own.n == report[name]["support"]).all()
        assert ((own.low < own.estimate) & (own.estimate < own.high)).all()


def test_a_class_has_the_interval_of_its_two_class_problem(three) -> None:
    y, p, _ = three
    found = evaluate(Predictions.from_arrays(y, y_score={"a": p}), "accuracy").per_class
    said = np.array(CLASSES)[p.argmax(axis=1)] == "mid"
    alone = evaluate(Predictions.from_arrays(y == "mid", y_pred={"a": said}), ["precision", "recall", "f1"])
    for e in found.entries:
        if e.label == "mid" and e.entry.measure in alone.measures:
            limits = alone["a", e.entry.measure]
            assert (e.entry.low, e.entry.high) == pytest.approx((limits.low, limits.high))


def test_two_classes_have_both_their_rows() -> None:
    y, score = np.array([0, 1] * 40), np.tile([0.1, 0.9, 0.6, 0.8], 20)
    found = evaluate(Predictions.from_arrays(y, y_score={"a": score}), "auc").per_class.to_frame(backend="pandas")
    recall = found[found.measure == "recall"].set_index("class").estimate
    assert recall[0] == pytest.approx(0.5)
    assert recall[1] == 1
    areas = found[found.measure == "auc"].estimate
    assert areas.nunique() == 1  # the same question asked from both sides


def test_classes_in_the_order_given(three) -> None:
    y, _, labels = three
    given = ["low", "mid", "high"]
    e = evaluate(Predictions.from_arrays(y, y_pred={"b": labels}, classes=given), "accuracy")
    assert list(dict.fromkeys(e.per_class.to_frame(backend="pandas")["class"])) == given


def test_support_counts_cases_once_over_repeats() -> None:
    y = np.tile([0, 1, 1], 20)
    p = Predictions.from_arrays(np.tile(y, 2), y_pred={"a": np.tile(y, 2)}, repeat=np.repeat([0, 1], 60),
                                fold=np.tile(np.arange(60) % 3, 2), instance=np.tile(np.arange(60), 2))  # fmt: skip
    found = evaluate(p, "accuracy").per_class
    assert {e.label: e.n for e in found.entries} == {0: 20, 1: 40}
    weighted = Predictions.from_arrays(y, y_pred={"a": y}, frequency=np.full(60, 3))
    assert {e.label: e.n for e in evaluate(weighted, "accuracy").per_class.entries} == {0: 60, 1: 120}


def test_auc_and_f1_of_several_classes_name_the_alternatives(three) -> None:
    y, p, _ = three
    predictions = Predictions.from_arrays(y, y_score={"a": p, "b": p[::-1]})
    for verb in (evaluate, bakeoff.compare):
        with pytest.raises(EvidenceError, match=r"auc cannot.*3 classes.*hand_till_auc.*per_class"):
            verb(predictions, "auc")
        with pytest.raises(EvidenceError, match=r"f1 cannot.*f1_macro, f1_micro, f1_weighted"):
            verb(predictions, "f1")


def test_hand_till_at_the_end_of_its_scale_has_an_interval() -> None:
    y = np.arange(90) % 3
    found = evaluate(Predictions.from_arrays(y, y_score={"a": np.eye(3)[y] * 0.7 + 0.1}), "hand_till_auc", rng=0)
    interval = found["a", "hand_till_auc"]
    assert interval.estimate == 1
    assert 0.85 < interval.low < 1


@pytest.mark.parametrize("extra", [{}, {"groups": np.arange(90) % 15}, {"fold": np.arange(90) // 3 % 5}])
def test_hand_till_takes_the_rule(extra: dict) -> None:
    """BCa of a difference covered 90 % with nine rows of a class; identical tables get the interval of few rows."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2], [54, 27, 9])[rng.permutation(90)]
    tables = {m: (rng.dirichlet(np.ones(3), 90) + 0.4 * np.eye(3)[y]) / 1.4 for m in "ab"}
    rows = Predictions.from_arrays(y, y_score=tables, **extra)
    with pytest.warns(bakeoff.BakeoffWarning, match="few-in-class"):
        found, pair = evaluate(rows, "hand_till_auc"), bakeoff.compare(rows, "hand_till_auc")
    name = "cv-rows" if "fold" in extra else "rule"
    assert found["a", "hand_till_auc"].method == pair.choice.chosen == name
    one = pair.pair("a", "b")
    assert (one.pvalue < 0.05) == (one.low > 0 or one.high < 0)
    same = Predictions.from_arrays(y, y_score={"a": tables["a"], "b": tables["a"].copy()}, **extra)
    alike = bakeoff.compare(same, "hand_till_auc").pair("a", "b")
    assert alike.pvalue == 1
    assert alike.low < -0.05 < 0.05 < alike.high


def test_no_classes_no_confusion() -> None:
    for e in (evaluate([1.5, 2.5, 3.5], [1.0, 2.0, 3.0]), evaluate(Predictions.from_outcomes({"a": [1, 0, 1]}))):
        with pytest.raises(EvidenceError, match="no classes"):
            _ = e.confusion


def test_an_evaluation_can_be_pickled_and_asked_again(three) -> None:
    y, p, _ = three
    e = pickle.loads(pickle.dumps(evaluate(Predictions.from_arrays(y, y_score={"a": p}), rng=0)))
    assert len(e.per_class.entries) == 12


# -- shorthands -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "answers", "measure"),
    [
        ([0, 1, 1, 0] * 10, [0, 1, 0, 0] * 10, "accuracy"),
        ([True, False] * 20, [True, True] * 20, "accuracy"),
        (["a", "b", "c", "a"] * 10, ["a", "b", "a", "a"] * 10, "f1_macro"),
        ([0, 1, 1, 0] * 10, [0.2, 0.8, 0.4, 0.1] * 10, "auc"),
        ([0, 1, 1, 0] * 10, [-2.0, 3.0, 0.5, -1.0] * 10, "auc"),
        ([0.5, 1.5, 2.25, 9.0] * 10, [1.0, 2.0, 2.0, 8.0] * 10, "rmse"),
        (list(range(40)), [v + 0.5 for v in range(40)], "rmse"),
        ([0, 1, 2] * 10, np.eye(3)[[0, 1, 1] * 10], "log_loss"),
        ([1, 2, 3] * 10, [1, 2, 2] * 10, "kappa"),
    ],
)
@pytest.mark.parametrize("made", [list, np.asarray, pd.Series])
def test_truth_and_answers_are_enough(y, answers, measure, made) -> None:
    found = evaluate(made(y), np.asarray(answers) if np.ndim(answers) == 2 else made(answers))
    assert measure in found.measures
    assert found.models == ("model",)


def test_several_models_at_once() -> None:
    assert evaluate([0, 1] * 20, {"a": [0, 1] * 20, "b": [0, 0] * 20}).models == ("a", "b")
    both = evaluate([0, 1] * 20, {"sure": [0.0, 1.0] * 20, "b": [0.2, 0.7] * 20})
    assert both["sure", "auc"].estimate == 1


def test_the_kind_can_be_told() -> None:
    y = ["no", "yes"] * 20
    found = evaluate(y, y_score={"a": [0.1, 0.8] * 20}, pos_label="yes", measures=["auc"])
    assert found["a", "auc"].estimate == 1
    assert evaluate([1, 2, 3] * 5, y_value=[1.5, 2.5, 3.5] * 5).measures[0] == "rmse"


def test_what_could_be_two_things_is_refused() -> None:
    with pytest.raises(EvidenceError, match=r"not clear.*y_value="):
        evaluate([1, 2, 3] * 5, [1.5, 2.5, 3.5] * 5)
    with pytest.raises(EvidenceError, match="pos_label"):
        evaluate(["no", "yes"] * 20, [0.1, 0.8] * 20)
    with pytest.raises(ParameterError, match="needs the answers"):
        evaluate([0, 1], "auc")
    with pytest.raises(ParameterError, match="go with an array"):
        evaluate(Predictions.from_arrays([0, 1], y_pred=[0, 1]), y_pred=[0, 1])
    with pytest.raises(EvidenceError, match="3"):
        evaluate([0, 1, 1], [0, 1])


def test_what_reading_assumed_is_in_every_answer() -> None:
    table = {"y": ["a", "b"] * 30 + ["NA"], "m": ["a", "b"] * 30 + ["a"], "k": ["a", "a"] * 30 + ["a"]}
    p = Predictions.from_frame(table, y_true="y", y_pred=["m", "k"], drop_missing=True, pos_label="b")
    assert [note.code for note in p.notes] == ["rows-left-out"]
    context = bakeoff.OperatingContext(cost_fp=1, cost_fn=2)
    for result in (evaluate(p), bakeoff.compare(p, rng=0), bakeoff.decide(p, context, rng=0)):
        assert "rows-left-out" in {note.code for note in result.notes}


def test_the_direction_that_was_taken_is_in_the_verdict() -> None:
    table = np.random.default_rng(0).uniform(size=(12, 2)) + np.array([0.5, 0])
    silent = bakeoff.Scores.from_wide(table, models=["a", "b"])
    assert "More was taken as better" in bakeoff.compare(silent, rng=0).verdict
    told = bakeoff.Scores.from_wide(table, models=["a", "b"], greater_is_better=True)
    assert "More was taken as better" not in bakeoff.compare(told, rng=0).verdict


def test_labels_with_a_rare_class_are_compared_by_balanced_accuracy_and_the_trivial_rule_is_named() -> None:
    rng = np.random.default_rng(3)
    y = (rng.random(1000) < 0.03).astype(int)
    found_by_a = np.where(y == 1, rng.random(1000) < 0.8, rng.random(1000) < 0.1).astype(int)
    answers = {"a": found_by_a, "b": np.zeros(1000, int)}
    found = bakeoff.compare(Predictions.from_arrays(y, y_pred=answers), rng=0)
    assert found.measure == "balanced_accuracy"
    assert "The trivial rule always 0 is right on" in found.verdict


def test_decide_takes_the_numbers_of_the_context() -> None:
    p = Predictions.from_arrays([0, 1] * 40, y_score={"a": [0.2, 0.7, 0.6, 0.9] * 20})
    numbers = {"cost_fp": 1, "cost_fn": np.int64(10), "prevalence": 0.2}
    short = bakeoff.decide(p, **numbers, rng=0)
    whole = bakeoff.decide(p, bakeoff.OperatingContext(prevalence=0.2, cost_fp=1, cost_fn=10), rng=0)
    assert (short.model, short.threshold, short.expected_cost.estimate) == (
        whole.model, whole.threshold, whole.expected_cost.estimate,
    )  # fmt: skip
    with pytest.raises(ParameterError, match="not both"):
        bakeoff.decide(p, bakeoff.OperatingContext(), cost_fp=1)
    with pytest.raises(ParameterError, match="needs a context"):
        bakeoff.decide(p)


def test_counts_answer_of_each_class_as_their_rows_do():
    rows = bakeoff.Predictions.from_arrays([0, 1] * 10, y_pred={"a": [0, 1, 1, 1] * 5})
    told = [
        [
            (c.label, c.n, c.entry.measure, c.entry.interval.estimate, c.entry.interval.low, c.entry.interval.high)
            for c in found.entries
        ]
        for found in (bakeoff.evaluate(p, "accuracy", rng=0).per_class for p in (rows, rows.counts()))
    ]
    assert told[0] == told[1]
