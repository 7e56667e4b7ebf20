from __future__ import annotations

import numpy as np
import pytest

from bakeoff._core.errors import EvidenceError
from bakeoff.stats import auc, hand_till_auc, multiclass_auc
from oracle import assert_case, cases, worked_examples


def test_golden_values_from_proc_and_mlr() -> None:
    (case,) = cases("multiclass_auc")
    r = multiclass_auc(case["input"]["y_1based"], case["input"]["P"])
    got = {
        "hand_till_M": r.hand_till,
        "pairs_1based": [[i + 1, j + 1] for i, j in r.pairs],
        "hand_till_pairs": r.pair_aucs,
        "ovr_auc": r.one_vs_rest,
        "ovr_macro": r.macro,
        "ovr_weighted": r.weighted,
    }
    assert_case(case, got)


def test_iris_sepal_balanced_and_not() -> None:
    e = worked_examples("roc_cost")["hand_till_iris_lda_sepal"]
    scores, y = np.array([row[:3] for row in e["posterior"]], dtype=float), [row[3] for row in e["posterior"]]
    balanced = multiclass_auc(y, scores)
    assert balanced.hand_till == pytest.approx(e["balanced_75"]["M"])
    assert balanced.macro == pytest.approx(e["balanced_75"]["macro_ovr"])
    rows = e["imbalanced_10_25_15"]["rows_of_csv_0based"]
    part = multiclass_auc([y[i] for i in rows], scores[rows])
    expected = e["imbalanced_10_25_15"]
    assert (part.hand_till, part.macro, part.weighted) == pytest.approx(
        (expected["M"], expected["macro_ovr"], expected["weighted_ovr"])
    )


def test_two_classes_are_the_auc(rng: np.random.Generator) -> None:
    y, p = rng.random(40) < 0.5, rng.random(40)
    assert hand_till_auc(y.astype(int), np.column_stack([1 - p, p])) == pytest.approx(auc(y, p))


def test_a_class_without_rows_is_left_out_with_a_note(rng: np.random.Generator) -> None:
    scores = rng.random((30, 3))
    r = multiclass_auc(["a", "c", "c"] * 10, scores, labels=["a", "b", "c"])
    assert np.isnan(r.one_vs_rest[1])
    assert r.hand_till == pytest.approx(r.pair_aucs[1])
    assert r.notes[0].code == "class-without-rows"


def test_bad_input_is_named() -> None:
    with pytest.raises(EvidenceError, match=r"2 × 2. Got shape \(2, 3\)"):
        multiclass_auc(["a", "b"], [[0.1, 0.2, 0.7], [0.1, 0.2, 0.7]])
    with pytest.raises(EvidenceError, match="class 'z', which is not among labels"):
        multiclass_auc(["a", "z"], [[0.1, 0.9], [0.1, 0.9]], labels=["a", "b"])
    with pytest.raises(EvidenceError, match="at least two classes"):
        multiclass_auc(["a", "a"], [[0.1, 0.9], [0.1, 0.9]], labels=["a", "b"])
    with pytest.raises(EvidenceError, match="row 1, column 0"):
        multiclass_auc(["a", "b"], [[0.1, 0.9], [np.nan, 0.9]])
