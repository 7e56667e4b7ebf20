"""Items: long and wide, attempts, models that lack items, keys that must agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.oracle import assert_case, cases

import bakeoff
from bakeoff import EvidenceError, Predictions, evaluate

pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")


def _long(**more: Any) -> dict[str, Any]:
    return {"id": ["q1", "q2", "q3", "q1", "q2", "q4"], "who": ["b", "b", "b", "a", "a", "a"],
            "edits": [1, 0, 3, 2, 1, 0], "ref_length": [5, 4, 6, 5, 4, 9], **more}  # fmt: skip


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, dict])
def test_long_sums_pair_by_item(frame: Any) -> None:
    p = Predictions.from_sums(frame(_long()), item="id", model="who")
    assert p.models == ("b", "a")
    pairing = p.pairing
    assert (pairing.items, pairing.paired) == (4, 2)
    assert pairing.per_model == {"b": 3, "a": 3}
    assert pairing.unpaired == {"b": 1, "a": 1}
    assert list(pairing.to_frame().columns) == ["model", "per_model", "unpaired", "attempts", "missing"]
    found = evaluate(p, "wer")
    assert found["b", "wer"].estimate == pytest.approx(4 / 15)  # on all its own items
    assert found["a", "wer"].estimate == pytest.approx(3 / 18)
    assert any(note.code == "unequal-items" for note in found.notes)


def test_mapping_equals_long() -> None:
    rng = np.random.default_rng(1)
    table = {m: {"edits": rng.poisson(2, 20), "ref_length": rng.integers(4, 9, 20)} for m in ("x", "y")}
    long = pd.concat([pd.DataFrame({"item": range(20), "model": m, **cols}) for m, cols in table.items()])
    shuffled = long.sample(frac=1, random_state=0)
    a, b = Predictions.from_sums(table), Predictions.from_sums(shuffled, item="item", model="model")
    for m in table:
        assert evaluate(a, "wer")[m, "wer"].low == pytest.approx(evaluate(b, "wer")[m, "wer"].low, rel=1e-12)


def test_missing_cells_are_unpaired_never_zero() -> None:
    table = _long(edits=[1, np.nan, 3, 2, 1, 0])
    p = Predictions.from_sums(pd.DataFrame(table), item="id", model="who", columns=["edits", "ref_length"])
    assert p.pairing.missing == {"b": 1, "a": 0}
    assert p.pairing.per_model == {"b": 2, "a": 3}
    assert evaluate(p, "wer")["b", "wer"].estimate == pytest.approx(4 / 11)


def test_items_by_position_need_equal_numbers() -> None:
    with pytest.raises(EvidenceError, match="paired by position"):
        Predictions.from_sums({"a": {"x": [1, 2]}, "b": {"x": [1, 2, 3]}})
    with pytest.raises(EvidenceError, match="same columns"):
        Predictions.from_sums({"a": {"x": [1, 2]}, "b": {"y": [1, 2]}})


def test_twice_without_attempt_is_an_error_that_names_the_first() -> None:
    long = {"id": [1, 2, 2, 1], "m": ["a", "a", "a", "a"], "right": [1, 0, 1, 1]}
    with pytest.raises(EvidenceError, match="item 1 comes more than once for model 'a'"):
        Predictions.from_outcomes(long, item="id", model="m", outcome="right")
    with pytest.raises(EvidenceError, match="attempt 0 of item 1 comes more than once"):
        Predictions.from_outcomes({**long, "t": [0, 0, 1, 0]}, item="id", model="m", outcome="right", attempt="t")


def test_keys_must_agree_within_an_item() -> None:
    with pytest.raises(
        EvidenceError, match="groups must be the same on all rows of an item, but differs within item 'q1'"
    ):
        Predictions.from_sums(pd.DataFrame(_long(g=[1, 1, 1, 2, 1, 1])), item="id", model="who", groups="g")


def test_words_as_outcomes_and_missing_ones() -> None:
    long = pd.DataFrame({"id": [1, 2, 1, 2], "m": ["a", "a", "b", "b"], "r": ["pass", "fail", None, "pass"]})
    p = Predictions.from_outcomes(long, item="id", model="m", outcome="r")
    assert p.pairing.missing == {"a": 0, "b": 1}
    assert p.pairing.paired == 1
    whole = Predictions.from_outcomes(long, item="id", model="m", outcome="r", drop_missing=True)
    assert whole.n == 1


def test_several_data_sets() -> None:
    long = {"id": [1, 2, 1, 2] * 2, "m": ["a"] * 4 + ["b"] * 4, "d": [*"xxyy"] * 2, "r": [1, 0, 1, 1, 0, 0, 1, 0]}
    p = Predictions.from_outcomes(long, item="id", model="m", outcome="r", dataset="d")
    assert p.datasets == ("x", "y")
    assert evaluate(p)["y", "a", "mean_outcome"].estimate == 1.0


def _attempts(given: dict[str, Any], model: str) -> tuple[list[int], list[int], list[int]]:
    item, attempt, right = [], [], []
    for i, (m, c) in enumerate(zip(given["n_attempts"][model], given["n_correct"][model], strict=True)):
        item += [i] * m
        attempt += range(m)
        right += [1] * c + [0] * (m - c)
    return item, attempt, right


@pytest.mark.parametrize("case", cases("pass_at_k") + cases("pass_hat_k"), ids=lambda c: c["id"])
def test_pass_at_k(case: dict[str, Any]) -> None:
    given = case["input"]
    sign = "@" if case["procedure"] == "pass_at_k" else "^"
    parts = []
    for m in "ab":
        item, attempt, right = _attempts(given, m)
        parts.append(pd.DataFrame({"item": item, "attempt": attempt, "right": right, "model": m}))
    long = pd.concat(parts)
    p = Predictions.from_outcomes(long, item="item", attempt="attempt", outcome="right", model="model")
    assert p.n == len(given["n_attempts"]["a"])
    assert p.pairing.attempts == {m: sum(given["n_attempts"][m]) for m in "ab"}
    for k in given["k"]:
        name = f"pass{sign}{k}"
        frame = evaluate(p, name).to_frame().set_index("model")
        pair = bakeoff.compare(p, name, test="linearized").to_frame().iloc[0]
        for m in "ab":
            assert_case(case, {m: {f"k{k}": {"estimate": frame["estimate"][m], "se": frame["standard_error"][m]}}})
        assert_case(case, {"difference": {f"k{k}": {
            "estimate": pair["estimate"], "t": pair["statistic"], "ci95_t": [pair["low"], pair["high"]],
        }}})  # fmt: skip
    if "group" in given:
        codes = dict(enumerate(given["group"]))
        clustered = Predictions.from_outcomes(
            long.assign(g=long["item"].map(codes)), item="item", attempt="attempt", outcome="right", model="model",
            groups="g",
        )  # fmt: skip
        from scipy.stats import t

        for k in given["k"]:
            pair = bakeoff.compare(clustered, f"pass{sign}{k}", test="linearized").to_frame().iloc[0]
            se = (pair["high"] - pair["low"]) / 2 / t.ppf(0.975, len(set(given["group"])) - 1)
            assert_case(case, {"difference": {f"k{k}": {"se_clustered": se}}})


def test_items_with_too_few_attempts_are_left_out_and_counted() -> None:
    long = {"id": [1, 1, 2, 2, 3], "m": ["a"] * 5, "t": [0, 1, 0, 1, 0], "r": [1, 0, 0, 0, 1]}
    p = Predictions.from_outcomes(long, item="id", model="m", outcome="r", attempt="t")
    found = evaluate(p, "pass@2").to_frame()
    assert found["estimate"][0] == pytest.approx(0.5)
    assert found["n"][0] == 2
    assert "1 of 3 items have too few attempts for pass@2" in found["note"][0]
    with pytest.raises(EvidenceError, match="no item has so many attempts"):
        evaluate(p, "pass@3")
    graded = Predictions.from_outcomes({**long, "r": [1, 0.5, 0, 0, 1]}, item="id", model="m", outcome="r", attempt="t")
    with pytest.raises(EvidenceError, match="0 or 1"):
        evaluate(graded, "pass@1")


def test_mean_over_items_of_the_mean_over_attempts() -> None:
    long = {"id": [1, 1, 1, 2], "m": ["a"] * 4, "t": [0, 1, 2, 0], "r": [1, 0, 0, 1]}
    p = Predictions.from_outcomes(long, item="id", model="m", outcome="r", attempt="t")
    for name in ("mean_outcome", "accuracy"):
        assert evaluate(p, name)["a", name].estimate == pytest.approx((1 / 3 + 1) / 2)


def test_slices_are_kept_and_gaps_are_a_slice() -> None:
    p = Predictions.from_arrays([0, 1, 1], y_pred={"a": [0, 1, 0]}, slices={"sex": ["f", None, "m"], "age": [1, 2, 1]})
    rows = p.table()
    assert rows.slices["sex"].names == ("(missing)", "f", "m")
    assert rows.slices["age"].names == ("1", "2")
    frame = pd.DataFrame({"y": [0, 1, 1], "a": [0, 1, 0], "s": ["u", "v", np.nan]})
    assert Predictions.from_frame(frame, y_true="y", y_pred=["a"], slices="s").table().slices["s"].names == (
        "(missing)", "u", "v",
    )  # fmt: skip
    long = pd.DataFrame({"y": [0, 1] * 2, "p": [0, 1, 1, 1], "m": [*"aabb"], "i": [1, 2] * 2, "s": ["u", None] * 2})
    made = Predictions.from_frame(long, y_true="y", y_pred="p", model="m", instance="i", slices=["s"])
    assert made.table().slices["s"].names == ("(missing)", "u")


def _unequal(n: int = 60) -> Predictions:
    rng = np.random.default_rng(7)
    parts = []
    for m, first, last in (("a", 0, n), ("b", 10, n), ("c", 0, n - 15)):
        item = np.arange(first, last)
        length = 5 + item % 7
        parts.append(pd.DataFrame({"item": item, "model": m, "edits": rng.binomial(length, 0.3), "ref_length": length}))
    return Predictions.from_sums(pd.concat(parts), item="item", model="model")


def test_compare_uses_the_items_that_a_pair_shares() -> None:
    p = _unequal()
    both = bakeoff.compare(p, "wer", rng=0)
    for a, b in (("a", "b"), ("a", "c"), ("b", "c")):
        alone = bakeoff.compare(p.select(models=[a, b]), "wer", rng=0).pair(a, b)
        pair = both.pair(a, b)
        assert (pair.estimate, pair.low, pair.high, pair.pvalue) == (
            alone.estimate, alone.low, alone.high, alone.pvalue,
        )  # fmt: skip
        assert pair.value_a - pair.value_b == pytest.approx(pair.estimate)
        assert pair.quotient == pytest.approx(pair.value_a / pair.value_b)
        assert both.pair(b, a).quotient_low == pytest.approx(1 / pair.quotient_high)
    (note,) = (note for note in both.notes if note.code == "items-left-out")
    assert "25 of 60 items are not shared by all models" in note.message
    assert "a 25, b 15, c 10" in note.message


def test_models_that_share_no_item_cannot_be_compared() -> None:
    long = pd.DataFrame({"id": [1, 2, 3, 4], "m": [*"aabb"], "r": [1, 0, 1, 1]})
    p = Predictions.from_outcomes(long, item="id", model="m", outcome="r")
    with pytest.raises(EvidenceError, match="no item of 'data' was answered by all of 'a', 'b'"):
        bakeoff.compare(p)


def test_right_and_wrong_with_unequal_items_is_mcnemar_on_shared_ones() -> None:
    rng = np.random.default_rng(2)
    long = pd.DataFrame({"id": np.tile(np.arange(80), 3), "m": np.repeat([*"abc"], 80), "r": rng.integers(0, 2, 240)})
    p = Predictions.from_outcomes(long.drop(index=[3, 90, 200]), item="id", model="m", outcome="r")
    found = bakeoff.compare(p)
    assert found.choice.chosen == "cochran-q"
    shared = [i for i in range(80) if i not in (3, 10)]
    wide = {m: long[long.m == m].r.to_numpy()[shared] for m in "ab"}
    alone = bakeoff.compare(Predictions.from_outcomes(wide)).pair("a", "b")
    assert found.pair("a", "b").pvalue == alone.pvalue


def test_no_rows_and_lists_in_cells_are_told(tmp_path) -> None:
    with pytest.raises(bakeoff.EvidenceError, match="no rows"):
        bakeoff.Predictions.from_sums({"a": {"e": [], "l": []}})
    file = tmp_path / "lists.json"
    file.write_text('{"a": [[1, 2], [3, 4]], "b": [1, 2]}', encoding="utf-8")
    with pytest.raises(bakeoff.EvidenceError):
        bakeoff.read(file)
