from __future__ import annotations

import numpy as np
import pytest

from bakeoff._core.errors import EvidenceError
from bakeoff.stats import bowker, bowker_from_table, mcnemar_from_table, stuart_maxwell, stuart_maxwell_from_table
from oracle import assert_case, cases, worked_examples


def _labels(table: list[list[int]]) -> tuple[list[str], list[str]]:
    pairs = [(f"c{i}", f"c{j}") for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def test_golden_tables_from_r_and_coin() -> None:
    (case,) = cases("bowker_stuart_maxwell")
    got = {}
    for name, table in case["input"].items():
        b, s = bowker(*_labels(table)), stuart_maxwell(*_labels(table))
        got[name] = {
            "bowker_chi2": b.statistic,
            "bowker_df": b.df,
            "bowker_p": b.pvalue,
            "stuart_maxwell_chi2": s.statistic,
            "stuart_maxwell_df": s.df,
            "stuart_maxwell_p": s.pvalue,
        }
    assert_case(case, got)


def test_published_tables() -> None:
    for example in worked_examples("tests")["square_tables"].values():
        b, s = bowker_from_table(example["table"]), stuart_maxwell_from_table(example["table"])
        for got, expected in ((b, example["bowker"]), (s, example["stuart_maxwell"])):
            assert (got.statistic, got.pvalue) == pytest.approx((expected["statistic"], expected["p"]), rel=1e-9)
            assert got.df == expected["df"]


def test_two_classes_are_mcnemar() -> None:
    table = [[30, 12], [5, 20]]
    expected = mcnemar_from_table(table, method="chi2")
    for got in (bowker_from_table(table), stuart_maxwell_from_table(table)):
        assert (got.statistic, got.df, got.pvalue) == pytest.approx((expected.statistic, 1, expected.pvalue))


def test_identical_labels_give_p_one_with_a_note() -> None:
    for test in (bowker, stuart_maxwell):
        r = test(["a", "b", "b"], ["a", "b", "b"])
        assert (r.statistic, r.df, r.pvalue, r.notes[-1].code) == (0.0, 0, 1.0, "identical-models")


def test_a_class_on_which_nobody_disagrees_changes_nothing() -> None:
    base = [[20, 10, 5], [3, 30, 15], [0, 5, 40]]
    wider = np.zeros((4, 4), dtype=int)
    wider[:3, :3], wider[3, 3] = base, 50
    for test in (bowker_from_table, stuart_maxwell_from_table):
        small, large = test(base), test(wider)
        assert (large.statistic, large.df) == pytest.approx((small.statistic, small.df))
    assert stuart_maxwell_from_table(wider).notes[0].code == "classes-never-exchanged"


def test_two_separate_sets_of_classes_add_up() -> None:
    blocks = np.zeros((4, 4))
    blocks[:2, :2], blocks[2:, 2:] = [[5, 9], [2, 5]], [[7, 1], [6, 7]]
    r = stuart_maxwell_from_table(blocks)
    assert r.df == 2
    assert r.statistic == pytest.approx((9 - 2) ** 2 / 11 + (6 - 1) ** 2 / 7)


def test_bad_input_is_named() -> None:
    with pytest.raises(EvidenceError, match=r"Got shapes \(2,\) and \(3,\)"):
        bowker(["a", "b"], ["a", "b", "a"])
    with pytest.raises(EvidenceError, match="of one kind"):
        bowker(["a", "b"], [1, 2])
    with pytest.raises(EvidenceError, match="none missing"):
        bowker([1.0, np.nan], [1.0, 2.0])
    with pytest.raises(EvidenceError, match="none missing"):
        bowker(["a", None], ["a", "b"])
    with pytest.raises(EvidenceError, match="must be square"):
        stuart_maxwell_from_table([[1, 2, 3], [4, 5, 6]])
    with pytest.raises(EvidenceError, match="not all zero"):
        bowker_from_table([[0, 0], [0, 0]])
