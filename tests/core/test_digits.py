"""Numbers of a sentence carry the digits that its conclusion needs."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff._core.language import decimals, margin_decimals, p_phrase, render
from bakeoff._core.text import decimals as page_decimals
from bakeoff._core.text import format_pvalue


@pytest.mark.parametrize(
    ("low", "high", "against", "places"),
    [
        (0.0000235, 0.0785, 0.0, 5),  # it leaves out zero, and must be seen to
        (-0.00031, 0.08, 0.0, 4),
        (0.012, 0.064, 0.0, 3),
        (0.0, 0.08, 0.0, 3),  # zero is zero
        (1e-17, 0.08, 0.0, 3),  # and so is rounding error
        (-0.0099, 0.03, -0.01, 4),
        (0.0, np.inf, 0.0, 3),
    ],
)
def test_no_limit_reads_as_the_value_it_is_held_against(low, high, against, places):
    assert decimals(low, high, against=against) == places


def test_a_limit_is_told_from_the_margin_on_either_side():
    assert margin_decimals(-0.0099, 0.03, 0.01) == margin_decimals(-0.03, 0.0099, 0.01) == 4


def test_only_a_lead_on_a_page_is_told_from_zero():
    assert page_decimals(0.00002, 0.08) == 3
    assert page_decimals(0.00002, 0.08, lead=True) == 5


@pytest.mark.parametrize(
    ("pvalue", "shown"),
    [(0.0499, "= 0.0499"), (0.0504, "= 0.0504"), (0.049999, "= 0.049999"), (0.05, "= 0.050"), (0.031, "= 0.031"),
     (0.00997, "= 0.010"), (0.0004, "< 0.001"), (1.0, "= 1")],
)  # fmt: skip
def test_a_p_value_tells_on_which_side_of_the_customary_level_it_lies(pvalue, shown):
    assert render(p_phrase(pvalue)) == shown
    if 0.001 <= pvalue < 0.9995:
        assert f"= {format_pvalue(pvalue)}" == shown


def test_a_shown_difference_never_reads_as_one_that_touches_zero():
    rng = np.random.default_rng(130)
    y = rng.integers(0, 2, 400)
    scores = {"a": 0.5 * y + rng.normal(0.25, 0.25, 400), "b": 0.45 * y + rng.normal(0.28, 0.25, 400)}
    found = bakeoff.compare(bakeoff.Predictions.from_arrays(y, y_score=scores, pos_label=1), "auc", rng=0)
    pair = found.pair("a", "b")
    assert 0 < pair.low < 0.0005, "the case is one at the edge"
    assert 0.045 < pair.pvalue < 0.05
    assert "interval 0.000 " not in found.verdict
