"""5×2cv t and F against R and mlxtend."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bakeoff._core.errors import EvidenceError
from bakeoff.stats import five_by_two_f, five_by_two_t
from oracle import assert_case, cases, worked_examples


def test_agrees_with_r_and_mlxtend() -> None:
    (case,) = cases("five_by_two_cv")
    t, f = five_by_two_t(case["input"]["differences"]), five_by_two_f(case["input"]["differences"])
    got = {"t": t.statistic, "df_t": t.df, "p_t": t.pvalue, "F": f.statistic, "df1": f.df[0], "df2": f.df[1]}
    assert_case(case, {**got, "p_F": f.pvalue})


def test_worked_example() -> None:
    example = worked_examples("tests")["five_by_two_cv"]
    expected = example["independently_computed"]
    t, f = five_by_two_t(example["differences_5x2"]), five_by_two_f(example["differences_5x2"])
    assert (t.statistic, t.pvalue) == pytest.approx((expected["dietterich_t"], expected["p"]), rel=1e-12)
    assert (f.statistic, f.pvalue) == pytest.approx((expected["alpaydin_F"], expected["p_F"]), rel=1e-12)


def test_interval_of_f_is_the_test_inverted() -> None:
    d = np.array(worked_examples("tests")["five_by_two_cv"]["differences_5x2"])
    interval = five_by_two_f(d).confidence_interval(0.9)
    for limit in (interval.low, interval.high):
        assert five_by_two_f(d - limit).pvalue == pytest.approx(0.1, rel=1e-9)
    assert interval.low < five_by_two_f(d).estimate < interval.high


def test_interval_of_t_is_the_test_inverted(rng: np.random.Generator) -> None:
    d = rng.normal(0.02, 0.02, size=(5, 2))
    interval = five_by_two_t(d).confidence_interval(0.9)
    assert five_by_two_t(d - interval.high).pvalue == pytest.approx(0.1, rel=1e-9)
    assert interval.estimate == d[0, 0]


def test_interval_of_f_may_be_empty_and_says_so() -> None:
    d = np.add(np.repeat([[-0.2], [0.2], [-0.1], [0.3], [0.0]], 2, axis=1), [0, 1e-3])
    interval = five_by_two_f(d).confidence_interval(0.95)
    assert math.isnan(interval.low)
    assert interval.notes[-1].code == "no-interval"


@pytest.mark.parametrize("test", [five_by_two_t, five_by_two_f])
def test_degenerate_tables(test) -> None:  # type: ignore[no-untyped-def]
    same = test(np.zeros((5, 2)))
    assert (same.pvalue, same.notes[0].code) == (1.0, "identical-models")
    constant = test(np.repeat([[0.1], [0.2], [0.1], [0.3], [0.2]], 2, axis=1))
    assert math.isnan(constant.pvalue)
    assert constant.notes[0].code == "constant-difference"


@pytest.mark.parametrize("test", [five_by_two_t, five_by_two_f])
def test_other_shapes_are_refused_with_a_way_out(test) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(EvidenceError, match=r"shape \(5, 2\).*use corrected_t"):
        test(np.zeros((10, 2)) + 0.1)
