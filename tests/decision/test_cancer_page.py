"""The cancer page of the guide runs, and says what its code finds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "cancer-decision.md"


@pytest.fixture(scope="module")
def names():
    found: dict[str, object] = {}
    for cell in re.findall(r"```\{code-cell\} ipython3\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.S):
        exec(compile(cell, str(PAGE), "exec"), found)
    return found


def test_prose_and_code_agree(names):
    assert names["evaluation"]["A", "accuracy"].estimate == names["evaluation"]["B", "accuracy"].estimate == 0.75
    assert names["decision"].model == "always ill"
    assert names["decision"].expected_cost.estimate == pytest.approx(9.90)
    assert names["touch"].line.slope == pytest.approx(0.099)
    assert names["touch"].runner_up.model == "A"
    assert [v.model for v in names["analysis"].hull.vertices] == ["always well", "B", "A", "always ill"]


def test_ranges_of_the_page(names):
    ranges = names["curves"].ranges(prevalence=0.01)
    assert [r.pc_high for r in ranges] == pytest.approx([1 / 7, 1 / 2, 6 / 7, 1])
    assert next(r for r in ranges if r.model == "A").cost_ratios(0.01) == pytest.approx((99, 594))
    assert names["rare"].model == "A"
    assert "do not settle" in names["rare"].verdict


def test_scored_test_is_worth_it(names):
    assert names["tuned"].model == "marker"
    assert names["tuned"].cross_fitted
    assert names["tuned"].expected_cost.estimate < 9.90
    assert names["tuned"].choice.tpr > 0.95
