"""The working of every result: the lectures' intermediate numbers, sums that add up, three languages, three forms."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import bakeoff
from bakeoff import EvidenceError, stats
from bakeoff._core.text import display_width
from bakeoff.steps import Formula, Steps
from steps.arithmetic import sides
from steps.lectures import results

NAMES = sorted(results())

# What the lectures work out by hand, as the steps print it; tables are found by their cells in a row.
NUMBERS = {
    "mcnemar": ["n00 = 20", "n01 = 25", "n10 = 10", "n11 = 145", "196 / 35 = 5.600",
                "χ²(1; 0.95) = 3.841", "p = 0.0180"],
    "wilcoxon": ["91.5 + 1.5 = 93", "10.5 + 1.5 = 12", "0.063 0.063 14", "n (n + 1) / 2 = 105", "min(93; 12) = 12",
                 "T ≤ 21", "z = (T − μ) / σ = (12 − 52.5) / 15.922 = −2.544", "p = 0.0078"],
    "friedman": ["sum 44 28 41 27", "mean 3.143 2 2.929 1.929", "= 9.857", "Σ (t³ − t) = 84", "= 10.952", "= 4.586",
                 "χ²(3; 0.95) = 7.815", "F(3; 39; 0.95) = 2.845", "p = 0.0120"],
    "nemenyi": ["2.569 · √(4 · 5 / (6 · 14)) = 1.254"],
    "kappa": ["0.33 + 0.32 + 0.31 = 0.96", "0.1089 + 0.1155 + 0.1088 = 0.3332",
              "(0.96 − 0.3332) / (1 − 0.3332) = 0.9400"],
    "wald": ["z(0.975) = 1.960", "√(0.85 · 0.15 / 100) = 0.03571", "[0.7800; 0.9200]"],
    "wald iris": ["√(0.9533 · 0.04667 / 150) = 0.01722", "[0.9196; 0.9871]"],
    "four rows": ["0 0 1.5", "0.006 0.006 3", "−0.008 0.008 4"],
    "thirty": ["t(29; 0.975) = 2.045"],
    "slope 1": ["2 · 0.6667 / (4 · 0.3333) = 1"],
    "slope 0.5": ["1 · 0.6667 / (4 · 0.3333) = 0.5"],
    "discrete AUC": ["0.8"],
    "anova": ["mean square", "F = MS_models / MS_error", "4.447", "F(3; 39; 0.95) = 2.845"],
    "critical": ["1.645 1.96 2.576"],
    "wald above 1": ["[0.8953; 1.0158]", "goes beyond 0 or 1"],
    "roc": ["0.35 0 2 0.8 0.8", "10 + 10 + 9 + 9 + 9 + 7 + 6 + 6 + 2 + 1 = 69", "69 / 100 = 0.69",
            "(0; 0.2) (0.1; 0.5) 3",
            "(0.1; 0.5) (0.4; 0.8) 1", "(0.4; 0.8) (0.9; 1) 0.4", "a tie"],
    "decide": ["10 · 0.99 / (10000 · 0.01) = 0.099", "100 / (100 + 9.9) = 0.9099",
               "A 0.4 0.9 0.01 · 0.1 · 10000 + 0.99 · 0.4 · 10 13.96",
               "B 0.1 0.6 0.01 · 0.4 · 10000 + 0.99 · 0.1 · 10 40.99",
               "always cancer 1 1 0.01 · 0 · 10000 + 0.99 · 1 · 10 9.9"],
    "decide as many": ["0.5 · 0.1 · 10000 + 0.5 · 0.4 · 10 502", "0.5 · 0.4 · 10000 + 0.5 · 0.1 · 10 2000.5"],
    "0.632": ["about 36.8 %", "(1 − w) err + w Err = 0.368 ·", "+ 0.632 ·"],
    "wilcoxon normal": ["(12 − 52.5) / 15.922 = −2.544", "|z| > 1.960", "The statistic lies in it", "p = 0.0110"],
    "roc curve": [f"{s} {p} {n} {x} {y}" for s, p, n, x, y in [  # the twenty cases, step by step
        (0.9, 1, 0, 0, 0.1), (0.8, 1, 0, 0, 0.2), (0.7, 0, 1, 0.1, 0.2), (0.6, 1, 0, 0.1, 0.3), (0.55, 1, 0, 0.1, 0.4),
        (0.54, 1, 0, 0.1, 0.5), (0.53, 0, 1, 0.2, 0.5), (0.52, 0, 1, 0.3, 0.5), (0.51, 1, 0, 0.3, 0.6),
        (0.505, 0, 1, 0.4, 0.6), (0.4, 1, 0, 0.4, 0.7), (0.38, 1, 0, 0.4, 0.8), (0.37, 0, 1, 0.5, 0.8),
        (0.36, 0, 1, 0.6, 0.8), (0.35, 0, 2, 0.8, 0.8), (0.34, 1, 0, 0.8, 0.9), (0.33, 0, 1, 0.9, 0.9),
        (0.3, 1, 0, 0.9, 1), (0.1, 0, 1, 1, 1)]],
    "isocost": ["1 · 0.5 / (2 · 0.5) = 0.5", "0.5 · FPR + 1 − 0.1 / 1 = 0.5 · FPR + 0.9"],
    "cost curve": ["C3 0.2 0.4 0.2 · (1 − x) + 0.4 · x", "C3 0.25 0.6667"],
    "hull": ["C3 0.2 0.6 3", "always positive 1 1 0.5"],
    "evaluate": ["TP = 90, FN = 10, FP = 40, TN = 60", "(90 + 60) / (90 + 10 + 40 + 60) = 0.75",
                 "90 / (90 + 10) = 0.9"],
    "compare outcomes": ["n01 = 25", "225 / 35 = 6.429"],
    "compare nemenyi": ["sum 44 28 41 27", "= 1.254"],
    "pair": ["91.5 + 1.5 = 93", "T ≤ 21"],
    "corrected t": ["1 / 10 + 0.1111", "t(9; 0.975) = 2.262"],
}  # fmt: skip


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.open += [] if tag in ("br", "hr", "img") else [tag]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def unclosed(page: str) -> list[str]:
    """Tags that are opened and never closed; a tag closed out of turn is an error."""
    reader = _Tags()
    reader.feed(page)
    return reader.open


def plain(steps: Steps) -> str:
    """The text without folding: one space between what stands in a row."""
    return re.sub(r"\s+", " ", steps.text(None))


def false_equalities(steps: Steps) -> list[str]:
    """The lines in which what is computed from the numbers printed is not the number printed."""
    wrong = []
    for step in steps:
        for line in step.formula.lines if step.formula is not None else ():
            values = sides(line)
            wrong += [line for v in values if abs(v - values[-1]) > 4e-3 * max(abs(values[-1]), 0.02)]
    return wrong


@pytest.mark.parametrize("name", sorted(NUMBERS))
def test_the_lectures_numbers_are_in_the_steps(name):
    told = plain(results()[name].steps())
    assert [number for number in NUMBERS[name] if number not in told] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_equality_holds(name):
    """What a reader computes from the numbers printed is the number printed, up to the digits that are shown."""
    assert false_equalities(results()[name].steps()) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_result_is_told_in_every_form_and_language(name):
    result = results()[name]
    steps = result.steps()
    assert len(steps) >= 1
    assert [step for step in steps if not str(step.title)] == []
    told = {lang: result.steps(lang) for lang in ("en", "es", "pt")}
    assert len({str(steps) for steps in told.values()}) == 3
    for steps in told.values():
        assert unclosed(steps._repr_html_()) == []
        assert steps.to_markdown().startswith("**")
        json.dumps(steps._plain())
    assert max(map(display_width, str(told["en"]).splitlines())) <= 80


def test_the_numbers_are_those_of_the_result():
    result = stats.friedman([[0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.5, 0.4, 0.3], [0.6, 0.7, 0.2]])
    assert f"= {result.statistic:.3f}" in plain(result.steps())
    assert f"= {result.ff_statistic:.3f}" in plain(result.steps())


def test_numbers_stand_in_the_readers_marks():
    mcnemar = results()["mcnemar"]
    assert "χ²(1; 0,95) = 3,841" in str(mcnemar.steps("es"))
    assert "p = 0,0180" in str(mcnemar.steps("pt"))
    assert mcnemar.steps("es")._plain() == mcnemar.steps("en")._plain()  # files for machines stay English


def _many() -> dict[str, Callable[[], Any]]:
    """Tests of fresh data: every side, method and margin."""
    rng = np.random.default_rng(20)
    a, b = rng.normal(0.03, 0.05, (2, 12)).round(3)
    right = rng.random((60, 2)) < [0.85, 0.55]
    wide = rng.normal(0.8, 0.05, (9, 2)).round(3)
    found: dict[str, Callable[[], Any]] = {
        "bayes": lambda: stats.bayes_correlated_t(a - b, rho=0.1, rope=0.01),
        "corrected tost": lambda: stats.tost(a, b, margin=0.05, n_train=80, n_test=20),
        "corrected not inferior": lambda: stats.noninferiority(a, b, margin=0.05, n_train=80, n_test=20),
        "friedman of two": lambda: stats.friedman(wide),
        "aligned": lambda: stats.aligned_friedman(wide),
        "few in common": lambda: stats.mcnemar_from_table([[20, 26], [25, 20]], method="chi2"),
    }
    for side in ("two-sided", "greater", "less"):
        for method in ("exact", "midp", "chi2", "chi2_corrected"):
            found[f"mcnemar {method} {side}"] = partial(stats.mcnemar, *right.T, method=method, alternative=side)
        for zeros in ("split", "wilcox", "pratt"):
            found[f"wilcoxon {zeros} {side}"] = partial(stats.wilcoxon, a + 0.05, b, zeros=zeros, alternative=side)
        found[f"t {side}"] = partial(stats.paired_t, a, b, alternative=side)
        found[f"sign {side}"] = partial(stats.sign_test, a + 0.05, b, alternative=side)
    return found


MANY = _many()


@pytest.mark.parametrize("name", MANY)
def test_equalities_hold_and_the_region_says_what_is_decided(name):
    """With one side as with two: a statistic of the wrong side lies outside the region."""
    steps = MANY[name]().steps()
    assert false_equalities(steps) == []
    told = plain(steps)
    if told.count("The statistic lies") == 1:
        assert ("The statistic lies in it" in told) == ("H0 is rejected." in told)


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_a_mean_over_folds_is_not_told_as_the_quotient_of_all_rows():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 60)
    said = np.where(rng.random(60) < 0.7, truth, 1 - truth)
    found = bakeoff.Predictions.from_arrays(truth, y_pred={"m": said}, pos_label=1, fold=np.arange(60) % 5)
    told = bakeoff.evaluate(found, ["recall", "kappa"], interval="t").steps()
    assert false_equalities(told) == []
    assert "The mean over the folds." in plain(told)


def test_critical_values():
    assert round(results()["paired t"].critical_value(), 3) == 2.160
    assert results()["wilcoxon"].critical_value() == 21
    assert results()["wilcoxon"].critical_value(0.01) == 12
    assert results()["friedman"].critical_value() == pytest.approx(7.815, abs=1e-3)
    few = stats.wilcoxon([1.0, 2.0, 3.0])
    assert few.critical_value() != few.critical_value()  # NaN: no rank sum of three reaches 5 %
    assert "no value of the statistic reaches" in plain(few.steps())


@pytest.mark.parametrize(
    "result",
    [
        stats.paired_t([1.0, 1.0, 1.0]),
        stats.paired_t([0.0, 0.0, 0.0]),
        stats.quade([[1, 1], [2, 2], [3, 3]]),
        stats.friedman([[1, 1], [2, 2], [3, 3]]),
        stats.cohen_kappa_from_table([[5, 0], [0, 0]]),
        stats.delong_interval([0, 1, 1], [0.1, 0.8, 0.9]),
        stats.tost([0.1, 0.1, 0.1], margin=0.2),
        stats.wilcoxon([0.0, 0.0, 0.0]),
        stats.mcnemar_from_table([[5, 0], [0, 5]], method="chi2"),
    ],
    ids=lambda result: type(result).__name__,
)
def test_what_is_degenerate_is_told_too(result):
    assert len(str(result.steps())) > 80


def test_a_formula_is_mathml_and_latex():
    formula = Formula("M = (|{b} − {c}| − 1)² / ({b} + {c}) = {m}", b=25, c=10, m=5.6)
    assert r"\frac{{\left( \left| 25 - 10 \right| - 1 \right)}^{2}}{25 + 10}" in formula.latex()
    assert "<mfrac>" in formula.mathml()


def test_kept_inputs_are_no_part_of_the_answer():
    result = stats.paired_t([0.1, 0.2, 0.4], [0.0, 0.3, 0.1])
    assert "_kept" not in result.to_dict()
    assert result == stats.paired_t([0.1, 0.2, 0.4], [0.0, 0.3, 0.1])


def test_a_table_of_counts_is_sent_to_its_own_function():
    with pytest.raises(EvidenceError, match="two models") as refused:
        stats.mcnemar([[145, 10], [25, 20]])
    assert "mcnemar_from_table" in str(refused.value.hint)


def test_a_pair_of_a_family_shows_the_family():
    """The working of such a pair is one table of all pairs, whose p-values are many."""
    pair = results()["compare nemenyi"].pairs[0]
    assert plain(pair.steps()).count("Critical difference") == 1
    assert false_equalities(pair.steps()) == []
