"""Measures of numbers that add up, against R's survey, sacrebleu, jiwer, seqeval and scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.oracle import assert_case, cases

import bakeoff
from bakeoff import Predictions, compare, evaluate, measures

pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
LINEAR: dict[str, Any] = {"interval": "linearized"}


def _ids(case: dict[str, Any]) -> str:
    return str(case["id"])


def _linear(p: Predictions, measure: Any) -> tuple[dict[str, Any], Any]:
    frame = evaluate(p, measure, **LINEAR).to_frame()
    found = {row["model"]: row for row in frame.to_dict("records")}
    pair = compare(p, measure, test="linearized").to_frame().to_dict("records")[0]
    return found, pair


def _error_of(pair: Any, df: int) -> float:
    from scipy.stats import t

    return float((pair["high"] - pair["low"]) / 2 / t.ppf(0.975, df))


@pytest.mark.parametrize("case", cases("ratio_of_sums"), ids=_ids)
def test_ratio_of_sums(case: dict[str, Any]) -> None:
    given = case["input"]
    table = {m: {"num": given[f"num_{m}"], "den": given[f"den_{m}"]} for m in "ab"}
    p = Predictions.from_sums(table, groups=given.get("cluster"), sample_weight=given.get("sample_weight"))
    found, pair = _linear(p, measures.ratio("r", "num", "den", greater_is_better=False))
    assert_case(case, {
        "estimate_a": found["a"]["estimate"], "se_a": found["a"]["standard_error"],
        "estimate_b": found["b"]["estimate"], "se_b": found["b"]["standard_error"],
        "ci95_a_t": [found["a"]["low"], found["a"]["high"]], "ci95_b_t": [found["b"]["low"], found["b"]["high"]],
        "difference": pair["estimate"], "ci95_difference_t": [pair["low"], pair["high"]],
        "t": pair["statistic"], "p_t": pair["pvalue"], "ratio_a_over_b": pair["quotient"],
    })  # fmt: skip
    half = np.log(pair["quotient_high"] / pair["quotient_low"]) / 2
    from scipy.stats import t

    se = half / t.ppf(0.975, case["expected"]["df"]) * pair["quotient"]
    assert_case(case, {"se_ratio_a_over_b": se})


@pytest.mark.parametrize("case", cases("corpus_bleu"), ids=_ids)
def test_bleu(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    p = Predictions.from_sums(
        {m: dict(zip(given["columns"], np.transpose(r), strict=True)) for m, r in given["rows"].items()}
    )
    found, pair = _linear(p, "bleu")
    plain = evaluate(p, measures.bleu(smooth=None), **LINEAR)
    for m in "ab":
        assert_case(case, {m: {"bleu_default_exp_smoothing": found[m]["estimate"],
                               "bleu_unsmoothed": plain[m, "bleu"].estimate}})  # fmt: skip
        if "se_linearised" in expected[m]:
            assert_case(case, {m: {"se_linearised": found[m]["standard_error"]}})
    if "difference" in expected:
        n = len(given["rows"]["a"])
        assert_case(case, {"difference": pair["estimate"], "se_difference_linearised": _error_of(pair, n - 1)})


@pytest.mark.parametrize("case", cases("wer") + cases("cer"), ids=_ids)
def test_error_rates(case: dict[str, Any]) -> None:
    name, expected = case["procedure"], case["expected"]
    table = {m: {"edits": expected[m]["edits_per_utterance"], "ref_length": expected[m]["ref_length_per_utterance"]}
             for m in "ab"}  # fmt: skip
    p = Predictions.from_sums(table, groups=case["input"].get("speaker"))
    found, pair = _linear(p, name)
    for m in "ab":
        assert_case(case, {m: {name: found[m]["estimate"], "se_linearised": found[m]["standard_error"]}})
    assert_case(case, {
        "difference": pair["estimate"], "se_difference_linearised": _error_of(pair, expected["df"]),
    })  # fmt: skip


@pytest.mark.parametrize("case", cases("entity_f1"), ids=_ids)
def test_entities(case: dict[str, Any]) -> None:
    rows = case["input"]["rows"]
    named = {"entity_f1": "f1", "entity_precision": "precision", "entity_recall": "recall"}
    other = {m: {"tp": r["tp"], "fp": np.subtract(r["n_pred"], r["tp"]), "fn": np.subtract(r["n_true"], r["tp"])}
             for m, r in rows.items()}  # fmt: skip
    for table in (rows, other):
        p = Predictions.from_sums(table)
        for measure, key in named.items():
            found, pair = _linear(p, measure)
            for m in "ab":
                assert_case(case, {m: {key: found[m]["estimate"]}})
                if key == "f1":
                    assert_case(case, {m: {"f1_se_linearised": found[m]["standard_error"]}})
            if key == "f1":
                n = p.n
                assert_case(case, {
                    "f1_difference": pair["estimate"], "f1_difference_se_linearised": _error_of(pair, n - 1),
                })  # fmt: skip


@pytest.mark.parametrize("case", cases("mean_iou"), ids=_ids)
def test_mean_iou(case: dict[str, Any]) -> None:
    given = case["input"]
    table = {
        m: {f"{kind}_{c}": np.array(r[kind])[:, c] for c in range(given["n_classes"]) for kind in r}
        for m, r in given["rows"].items()
    }
    found, pair = _linear(Predictions.from_sums(table), "mean_iou")
    for m in "ab":
        assert_case(case, {m: {"mean_iou": found[m]["estimate"], "mean_iou_se_linearised": found[m]["standard_error"]}})
        absent = "absent" in case["id"]
        assert ("left out" in found[m]["note"]) == absent
    n = len(given["rows"]["a"]["union"])
    assert_case(case, {"difference": pair["estimate"], "se_difference_linearised": _error_of(pair, n - 1)})


def test_error_rate_from_alignments() -> None:
    counts = {"substitutions": [1, 0, 2], "deletions": [0, 1, 0], "insertions": [0, 0, 5], "hits": [4, 3, 1]}
    p = Predictions.from_sums({"a": counts})
    assert evaluate(p, "WER")["a", "wer"].estimate == pytest.approx(9 / 12)


def test_likelihoods_and_costs() -> None:
    p = Predictions.from_sums({"a": {"log_likelihood": [-3.0, -1.0], "units": [2, 3]}})
    assert measures.get("perplexity")(None, {"log_likelihood": [-3.0, -1.0], "units": [2, 3]}) == pytest.approx(
        np.exp(0.8)
    )
    assert evaluate(p, "bits_per_unit")["a", "bits_per_unit"].estimate == pytest.approx(0.8 / np.log(2))
    none = Predictions.from_sums({"a": {"cost": [1.0, 2.0, 0.5], "success": [0, 0, 0]}})
    with pytest.warns(bakeoff.BakeoffWarning, match="there is no success"):
        undefined = evaluate(none, "cost_per_success")["a", "cost_per_success"]
    assert np.isnan(undefined.estimate)


def test_ratio_with_coefficients_and_scale() -> None:
    measure = measures.ratio("x", {"a": 2, "b": -1}, "c", greater_is_better=True, scale=100)
    assert measure(None, {"a": [1, 2], "b": [1, 0], "c": [3, 7]}) == pytest.approx(100 * (6 - 1) / 10)


def test_function_of_sums_and_its_gradient() -> None:
    rng = np.random.default_rng(3)
    table = {"a": {"x": rng.poisson(5, 40), "y": rng.poisson(9, 40) + 1}}
    p = Predictions.from_sums(table)
    plain = measures.of_sums("root", lambda s: np.sqrt(s["x"] / s["y"]), columns=["x", "y"], greater_is_better=True)
    exact = measures.of_sums(
        "root", lambda s: np.sqrt(s["x"] / s["y"]), columns=["x", "y"], greater_is_better=True,
        gradient=lambda s: {"x": 0.5 / np.sqrt(s["x"] * s["y"]), "y": -0.5 * np.sqrt(s["x"]) * s["y"] ** -1.5},
    )  # fmt: skip
    errors = [evaluate(p, m, **LINEAR).to_frame()["standard_error"][0] for m in (plain, exact)]
    assert errors[0] == pytest.approx(errors[1], rel=1e-9)


def test_a_function_that_depends_on_the_number_of_items_is_refused() -> None:
    with pytest.raises(bakeoff.ParameterError, match="multiplied by one number"):
        measures.of_sums("total", lambda s: s["x"] + s["y"], columns=["x", "y"], greater_is_better=True)


def test_columns_that_are_not_there() -> None:
    p = Predictions.from_sums({"a": {"x": [1, 2], "y": [3, 4]}})
    with pytest.raises(bakeoff.EvidenceError, match="edits, ref_length; substitutions"):
        evaluate(p, "wer")
    with pytest.raises(bakeoff.EvidenceError, match="no ready measure"):
        evaluate(p)


def test_bootstrap_covers_what_linearisation_does() -> None:
    rng = np.random.default_rng(0)
    length = rng.integers(3, 30, 300)
    p = Predictions.from_sums({"a": {"edits": rng.binomial(length, 0.2), "ref_length": length}})
    linear, drawn = (evaluate(p, "wer", interval=i, rng=1)["a", "wer"] for i in ("linearized", "bootstrap"))
    assert drawn.low == pytest.approx(linear.low, abs=0.003)
    assert drawn.high == pytest.approx(linear.high, abs=0.003)


def test_few_items_of_unequal_size_are_left_out_one_by_one() -> None:
    """The interval rule on a quotient of sums: its spread is the jackknife's, here by brute force."""
    from scipy.stats import t

    edits, length = np.array([2, 1, 0, 30, 3, 1, 2, 5]), np.array([9, 8, 4, 90, 11, 7, 5, 20])
    found = evaluate(Predictions.from_sums({"a": {"edits": edits, "ref_length": length}}), "wer")["a", "wer"]
    value, n = edits.sum() / length.sum(), len(edits)
    moved = value - (edits.sum() - edits) / (length.sum() - length)
    error = np.sqrt((n - 1) / n * (moved**2).sum())
    df = 2 / ((moved**4).sum() / (moved**2).sum() ** 2 - 1 / n)
    half = t.ppf(0.975, min(df, n - 1)) * error / value
    assert (found.low, found.high) == pytest.approx((value * np.exp(-half), value * np.exp(half)))


def test_a_single_success_leaves_an_interval() -> None:
    p = Predictions.from_sums({"a": {"cost": [1.0, 2.0, 0.5, 1.0], "success": [0, 1, 0, 0]}})
    found = evaluate(p, "cost_per_success")["a", "cost_per_success"]
    assert 0 < found.low < found.estimate == 4.5 < found.high


def test_few_large_items_that_carry_a_value_are_told() -> None:
    length = np.array([400, 300, 5, 8, 6, 9, 7, 5, 8, 6])
    table = {m: {"edits": length // k + np.arange(10) % 3, "ref_length": length} for m, k in (("a", 9), ("b", 7))}
    table["b"]["edits"] = table["b"]["edits"] + np.array([30, -20, *[0] * 8])
    p = Predictions.from_sums(table)
    for interval in ("auto", "linearized"):
        frame = evaluate(p, "wer", interval=interval).to_frame()
        assert "a few large items carry wer" in frame["note"][1]
    codes = [note.code for note in compare(p, "wer").notes]
    assert "few-items-carry" in codes
    even = Predictions.from_sums({"a": {"edits": [1, 2, 1, 0, 2, 1, 0, 2, 1, 2], "ref_length": [9] * 10}})
    assert evaluate(even, "wer").to_frame()["note"][0] == ""


def test_the_quotient_of_few_uneven_items_takes_the_rules_spread() -> None:
    edits, length = np.array([2, 1, 0, 30, 3, 1, 2, 5]), np.array([9, 8, 4, 90, 11, 7, 5, 20])
    p = Predictions.from_sums({m: {"edits": e, "ref_length": length} for m, e in (("a", edits), ("b", edits[::-1]))})
    wide, narrow = (compare(p, "wer", test=test).pairs[0] for test in ("auto", "linearized"))
    assert wide.quotient == narrow.quotient == 1
    assert wide.quotient_low < narrow.quotient_low < 1


@pytest.mark.parametrize(
    ("measure", "columns"),
    [
        ("wer", {"edits": [1, -1, 2], "ref_length": [5, 6, 7]}),
        ("entity_f1", {"tp": [1, 2, 0], "n_pred": [2, -999, 1], "n_true": [2, 3, 1]}),
        ("mean_iou", {"intersection_a": [1, 2, -1], "union_a": [2, 3, 4]}),
    ],
)
def test_counts_below_zero_are_no_counts(measure: str, columns: dict[str, list[int]]) -> None:
    with pytest.raises(bakeoff.EvidenceError, match="holds counts, but one of them is -"):
        evaluate(Predictions.from_sums({"a": columns}), measure)
