"""Advice and the guide: always what `compare` would do."""

from __future__ import annotations

import json

import pytest

from bakeoff import ParameterError, advise, compare
from bakeoff.comparison import Leaf, Question, catalogue, guide


def test_the_guide_has_a_leaf_for_every_path() -> None:
    leaves = list(guide().leaves())
    assert len(leaves) == 39
    assert {leaf.test for _, leaf in leaves} == {
        "mcnemar", "cochran-q", "delong", "rule", "cv-rows", "5x2cv-f", "corrected-t", "paired-t", "wilcoxon",
        "friedman",
    }  # fmt: skip
    assert all(leaf.test in catalogue() and leaf.title and leaf.reason for _, leaf in leaves)
    assert all(path[0][0] == "datasets" for path, _ in leaves)


def test_following_half_way_stops_at_the_open_question() -> None:
    path, node = guide().follow({"datasets": "one"})
    assert path == (("How many data sets?", "one"),)
    assert isinstance(node, Question)
    assert node.code == "evidence"
    _, leaf = guide().follow({"datasets": "several", "models": "more", "control": "pairs"})
    assert isinstance(leaf, Leaf)
    assert leaf.then == "then Wilcoxon's signed-rank test of the pairs, adjusted by Holm"


def test_the_scheme_of_the_lecture_is_in_the_guide() -> None:
    """000, section 8: parametric and rank tests of all models, what follows each, the control, labels."""
    answers = {"datasets": "several", "models": "more"}
    pairs, control = (guide().follow({**answers, "control": code})[1] for code in ("pairs", "control"))
    assert "repeated-measures analysis of variance with Tukey's test" in pairs.by_name
    assert "Nemenyi's test" in pairs.by_name
    assert "Dunnett" not in pairs.by_name
    assert "repeated-measures analysis of variance with Dunnett's test" in control.by_name
    assert "the Bonferroni–Dunn test" in control.by_name
    assert "Tukey" not in control.by_name
    one = {"datasets": "one", "evidence": "test-set", "clusters": "no", "measure": "accuracy", "models": "two"}
    assert "the Stuart–Maxwell test" in guide().follow(one)[1].by_name
    assert "by name also" in guide().text()


def test_advice_on_a_control_is_about_the_control() -> None:
    advice = advise(n_models=4, n_datasets=14, control="C4.5")
    assert "of every model against the control" in advice.then
    assert advice.path[-1] == ("Which comparisons?", "every model against a control")


def test_the_guide_is_data_and_text() -> None:
    document = json.loads(json.dumps(guide().to_dict()))
    assert document["root"]["answers"][1]["leads_to"]["answers"][0]["leads_to"]["test"] == "wilcoxon"
    assert "→ McNemar's test" in guide().text()
    assert len(guide().to_frame()) == 39


@pytest.mark.parametrize(
    ("n_rows", "code", "word"),
    [
        (40, "KFold(5, repeats=5)", ".632+"),
        (800, "KFold(5, repeats=5)", "5 × 5-fold"),
        (800, "KFold(5, repeats=5)", "2 × 5-fold where fits are slow"),
        (20_000, "KFold(5, repeats=2)", "2 × 5-fold"),
        (1_000_000, "HoldOut(1/3)", "hold-out"),
        (None, "KFold(5, repeats=5)", "5 × 5-fold"),
    ],
)
def test_protocol_follows_size(n_rows: int | None, code: str, word: str) -> None:
    advice = advise(n_models=2, n_datasets=1, n_rows=n_rows, task="binary")
    assert advice.protocol_code == code
    assert word in advice.protocol
    assert "same splits" in advice.verdict


def test_protocol_code_is_real() -> None:
    from bakeoff import protocols

    for n_rows in (40, 800, 20_000, 1_000_000):
        assert eval(f"protocols.{advise(n_models=2, n_datasets=1, n_rows=n_rows).protocol_code}") is not None
    grouped = advise(n_models=2, n_datasets=1, groups=True).protocol_code
    assert isinstance(eval(f"protocols.{grouped}"), protocols.LeaveGroupOut)


@pytest.mark.parametrize(
    ("options", "test"),
    [
        ({"evidence": "predictions"}, "delong"),
        ({"evidence": "predictions", "measure": "accuracy"}, "mcnemar"),
        ({"evidence": "predictions", "measure": "accuracy", "n_models": 4}, "cochran-q"),
        ({"evidence": "predictions", "measure": "f1"}, "rule"),
        ({"evidence": "predictions", "measure": "median_absolute_error", "task": "regression"}, "bootstrap"),
        ({"evidence": "predictions", "task": "regression"}, "rule"),
        ({"evidence": "predictions", "measure": "accuracy", "groups": True}, "rule"),
        ({"evidence": "predictions", "weighted": True}, "rule"),
        ({"evidence": "folds"}, "cv-rows"),
        ({"evidence": "fold scores"}, "corrected-t"),
        ({"evidence": "5x2cv"}, "cv-rows"),
        ({"evidence": "hold-outs"}, "corrected-t"),
        ({"evidence": "outcomes"}, "mcnemar"),
        ({"evidence": "graded outcomes"}, "paired-t"),
        ({"evidence": "scores", "n_datasets": 10}, "wilcoxon"),
        ({"evidence": "scores", "n_datasets": 10, "n_models": 5}, "friedman"),
        ({"n_datasets": 10, "n_models": 5}, "friedman"),
    ],
)
def test_test_follows_evidence(options: dict, test: str) -> None:
    advice = advise(**{"n_models": 2, "n_datasets": 1, **options})
    assert advice.test == test
    assert advice.reasons
    assert "bakeoff.compare(" in advice.example


def test_what_to_avoid() -> None:
    folds = advise(n_models=4, n_datasets=1, n_rows=500)
    assert "the paired t-test" in folds.avoid
    assert "Friedman's test" in folds.avoid
    assert "the 5 % level" in " ".join(folds.avoid)
    assert "the paired t-test" not in advise(n_models=2, n_datasets=8).avoid
    assert "counting folds as data sets" in advise(n_models=2, n_datasets=8).avoid


def test_evidence_at_hand_is_advised_as_it_is_compared(make) -> None:
    for evidence in (make.demsar(), make.scored(), make.labelled(), make.resampled({"a": 0.8, "b": 0.7}, 5, 2)):
        advice = advise(evidence)
        assert advice.test == compare(evidence, rng=0).choice.chosen
        assert advice.protocol == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_datasets": 1}, "n_models must be"),
        ({"n_models": 1, "n_datasets": 1}, "n_models must be a whole number of at least 2"),
        ({"n_models": 2, "n_datasets": 1, "evidence": "scores"}, "says nothing about how much scores vary"),
        ({"n_models": 2, "n_datasets": 1, "evidence": "fold"}, "did you mean 'folds'"),
        ({"n_models": 2, "n_datasets": 1, "task": "ranking"}, "task must be one of"),
        ({"n_models": 2, "n_datasets": 1, "measure": "acuracy"}, "did you mean 'accuracy'"),
    ],
)
def test_bad_questions(options: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        advise(**options)


def test_advice_is_data() -> None:
    advice = advise(n_models=3, n_datasets=1, n_rows=400, control="old")
    document = json.loads(json.dumps(advice.to_dict()))
    assert document["kind"] == "Advice"
    assert document["verdict"] == advice.verdict
    assert "control='old'" in advice.example
    assert set(advice.to_frame()["what"]) == {"protocol", "test", "avoid"}


@pytest.mark.parametrize(("rows", "folds"), [(3, 2), (9, 4), (19, 5), (20, 5)])
def test_folds_hold_at_least_two_rows(rows: int, folds: int) -> None:
    assert advise(n_models=2, n_datasets=1, n_rows=rows).protocol_code == f"KFold({folds}, repeats=5)"


def test_advice_says_why_not_ten_folds() -> None:
    advice = advise(n_models=2, n_datasets=1, n_rows=800)
    assert advice.test == "cv-rows"
    assert "10 % of runs" in advice.avoid["10 × 10-fold cross-validation"]
    assert "half the power" in advice.avoid["a single 10-fold run"]


def test_advice_repeats_what_plan_refuses() -> None:
    few = advise("scores", n_models=5, n_datasets=5)
    assert [note.code for note in few.notes] == ["no-pair-can-be-shown"]
    assert "no pair can be shown to differ" in few.verdict
    assert "It takes 9 data sets" in few.verdict
    assert advise("scores", n_models=5, n_datasets=9).notes == ()
    assert advise("scores", n_models=5, n_datasets=8, control="old").notes == ()
    assert "It takes 6 data sets" in advise("scores", n_models=2, n_datasets=4).verdict
