from __future__ import annotations

import numpy as np
import pytest

from bakeoff._core.errors import EvidenceError
from bakeoff.stats import cochran_q, mcnemar
from oracle import assert_case, cases, worked_examples


def test_golden_table_from_r() -> None:
    (case,) = cases("cochran_q")
    r = cochran_q(case["input"]["correct"])
    assert_case(case, {"Q": r.statistic, "df": r.df, "p": r.pvalue})


def test_kuncheva_and_statsmodels_examples() -> None:
    examples = worked_examples("tests")["cochran_q"]
    k = examples["kuncheva_2004"]
    correct = np.column_stack([np.array(k[f"y_model_{i}"]) == np.array(k["y_true"]) for i in (1, 2, 3)])
    r = cochran_q(correct)
    assert r.accuracies == pytest.approx(k["accuracies"])
    assert (r.statistic, r.pvalue) == pytest.approx((k["Q"], k["p"]), rel=1e-9)
    pair = cochran_q(correct[:, :2])
    assert (pair.statistic, pair.pvalue) == pytest.approx((k["pair_1_2_Q"], k["pair_1_2_p"]), rel=1e-9)
    for example in examples["statsmodels_tests"]:
        r = cochran_q(example["table"])
        assert (r.statistic, r.df) == (pytest.approx(example["Q"], abs=6e-5), example["df"])


def test_rows_that_agree_do_not_count(rng: np.random.Generator) -> None:
    table = rng.random((30, 4)) < 0.6
    padded = np.vstack([table, np.ones((50, 4), bool), np.zeros((9, 4), bool)])
    assert cochran_q(padded).statistic == pytest.approx(cochran_q(table).statistic)
    assert cochran_q(padded).n_informative == cochran_q(table).n_informative


def test_two_models_are_mcnemar(rng: np.random.Generator) -> None:
    table = rng.random((60, 2)) < 0.6
    expected = mcnemar(table[:, 0], table[:, 1], method="chi2")
    got = cochran_q(table)
    assert (got.statistic, got.pvalue) == pytest.approx((expected.statistic, expected.pvalue))


def test_identical_models_and_few_rows_are_noted() -> None:
    same = cochran_q([[1, 1, 1], [0, 0, 0]])
    assert (same.statistic, same.pvalue, same.notes[0].code) == (0.0, 1.0, "identical-models")
    few = cochran_q([[1, 0, 1], [0, 0, 1]])
    assert (few.notes[0].code, few.notes[0].level) == ("few-informative-instances", "warning")


def test_bad_input_is_named() -> None:
    with pytest.raises(EvidenceError, match=r"at least 2 models. Got shape \(3,\)"):
        cochran_q([1, 0, 1])
    with pytest.raises(EvidenceError, match="True/False or 0/1"):
        cochran_q([[0.5, 1], [1, 1]])
