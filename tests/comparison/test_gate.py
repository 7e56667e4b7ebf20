"""The gate: what passes, what fails and why, its level at the margin, and what it writes."""

from __future__ import annotations

import json

import numpy as np
import pytest

import bakeoff
from bakeoff import EvidenceError, ParameterError, Predictions, Scores


def outcomes(n: int, gained: int, lost: int) -> Predictions:
    """The new model turns `gained` wrong answers right, and `lost` right ones wrong; one in five is wrong."""
    old = np.arange(n) % 5 != 0
    new = old.copy()
    new[np.flatnonzero(~old)[:gained]] = True
    new[np.flatnonzero(old)[:lost]] = False
    return Predictions.from_outcomes({"old": old.astype(int), "new": new.astype(int)})


def gate(evidence, **asked):
    return bakeoff.gate(evidence, baseline="old", candidate="new", **asked)


@pytest.mark.parametrize(
    ("evidence", "asked", "outcome"),
    [
        (outcomes(1000, 20, 20), {"margin": 0.03}, "passed"),
        (outcomes(1000, 5, 90), {"margin": 0.03}, "worse"),
        (outcomes(100, 6, 7), {"margin": 0.03}, "undecided"),
        (outcomes(1000, 60, 20), {}, "passed"),  # no margin: better must be shown
        (outcomes(1000, 20, 20), {}, "undecided"),
        (outcomes(1000, 20, 60), {}, "worse"),
        (outcomes(1000, 60, 20), {"superior": True}, "passed"),
        (outcomes(1000, 60, 20), {"superior": True, "margin": 0.03}, "undecided"),
        (outcomes(1000, 95, 5), {"superior": True, "margin": 0.03}, "passed"),
        (outcomes(1000, 20, 20), {"superior": True, "margin": 0.05}, "worse"),
    ],
)
def test_the_end_of_the_interval_decides(evidence, asked, outcome) -> None:
    found = gate(evidence, **asked)
    bound = found.margin if found.superior else -found.margin
    assert found.outcome == outcome
    assert bool(found) is found.passed is (outcome == "passed") is bool(found.low > bound)
    assert (found.high < bound) is (outcome == "worse")
    assert (found.n_needed is None) or found.n_needed > found.n
    assert (found.n_needed is not None) <= (outcome == "undecided")
    tango = bakeoff.flips(evidence, "old", "new", confidence_level=0.9)
    assert (found.estimate, found.low, found.high) == pytest.approx((tango.estimate, tango.low, tango.high))


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_less_of_an_error_is_better() -> None:
    rng = np.random.default_rng(1)
    truth = rng.normal(size=300)
    values = {"old": truth + rng.normal(size=300), "new": truth + 0.5 * rng.normal(size=300)}
    evidence = Predictions.from_arrays(truth, y_value=values)
    assert gate(evidence, measure="rmse", margin=0.05).outcome == "passed"
    assert bakeoff.gate(evidence, baseline="new", candidate="old", measure="rmse", margin=0.05).outcome == "worse"


@pytest.mark.parametrize(("margin", "superior"), [(0.1, False), (0.0, False), (0.05, True)])
def test_at_the_boundary_it_passes_in_alpha_of_the_cases(margin: float, superior: bool) -> None:
    """400 items, a fifth discordant, the true difference at the bound: 5 % of 1,500 runs, give or take 3 s.d."""
    rng = np.random.default_rng(5)
    gap, passed, runs = margin if superior else -margin, 0, 1500
    for _ in range(runs):
        kind = rng.multinomial(400, [(0.2 + gap) / 2, (0.2 - gap) / 2, 0.6, 0.2])
        right = {"new": np.repeat([1, 0, 1, 0], kind), "old": np.repeat([0, 1, 1, 0], kind)}
        counts = bakeoff.stats.mcnemar(right["new"], right["old"], method="chi2").confidence_interval(0.9)
        passed += counts.low > gap
        if _ < 20:
            found = gate(Predictions.from_outcomes(right), margin=margin, superior=superior)
            assert found.passed is bool(counts.low > gap)
    assert 0.033 < passed / runs < 0.067


def test_as_many_as_it_asks_for_settle_it() -> None:
    """Of fresh samples of the size that an undecided gate asks for, about 80 % pass if the difference is as seen."""
    rng = np.random.default_rng(2)
    found = gate(outcomes(200, 11, 10), margin=0.03)
    assert found.outcome == "undecided"
    rates = [11 / 200, 10 / 200, 150 / 200, 29 / 200]
    passed = 0
    for _ in range(400):
        gained, lost, *_ = rng.multinomial(found.n_needed, rates)
        table = [[found.n_needed - gained - lost, gained], [lost, 0]]
        passed += bakeoff.stats.mcnemar_from_table(table, method="chi2").confidence_interval(0.9).low > -0.03
    assert 0.72 < passed / 400 < 0.88


def test_identical_answers_pass_when_asked() -> None:
    few = outcomes(100, 0, 0)
    assert gate(few, margin=0.02).outcome == "undecided"
    assert gate(few, margin=0.02, identical_passes=True).passed
    assert not gate(few, superior=True, identical_passes=True).passed


def test_too_few_groups_are_undecided() -> None:
    right = {"old": [1, 0] * 200, "new": [1, 1, 1, 0] * 100}
    evidence = Predictions.from_outcomes(right, groups=np.repeat([0, 1, 2], [200, 100, 100]))
    with pytest.warns(bakeoff.BakeoffWarning, match="too few"):
        assert gate(evidence, margin=0.4).outcome == "undecided"


def test_what_a_gate_refuses() -> None:
    with pytest.raises(ParameterError, match="more or less"):
        gate(Scores.from_wide([[0.1, 0.2]] * 6, models=["old", "new"]), margin=0.1)
    with pytest.raises(ParameterError, match="half"):
        gate(outcomes(100, 1, 1), margin=0.5)
    with pytest.raises(ParameterError, match="must differ"):
        bakeoff.gate(outcomes(100, 1, 1), baseline="old", candidate="old")
    with pytest.raises(ParameterError, match="margin"):
        gate(outcomes(100, 1, 1), margin=-0.1)
    rng = np.random.default_rng(0)
    truth = np.arange(200) % 2
    scores = {m: -truth + rng.normal(size=200) for m in ("old", "new")}
    with pytest.raises(EvidenceError, match=r"below 0.5"):
        gate(Predictions.from_arrays(truth, y_score=scores), measure="auc", margin=0.05)


def test_a_difference_on_the_margin_to_the_last_digit_is_settled_by_no_number() -> None:
    """Too few data sets have an infinite interval; a need beyond all bounds is no number (was OverflowError)."""
    few = Scores.from_wide([[0.9, 0.8], [0.8, 0.7], [0.9, 0.7]], models=["new", "old"], measure="accuracy")
    with pytest.warns(bakeoff.BakeoffWarning, match="only 3 data sets"):
        found = bakeoff.gate(few, baseline="old", candidate="new", superior=True)
    assert (found.outcome, found.n_needed) == ("undecided", None)


def test_what_it_writes() -> None:
    found = gate(outcomes(100, 6, 7), margin=0.03)
    document = json.loads(json.dumps(found.to_dict()))
    keys = {
        "kind", "schema_version", "passed", "outcome", "n", "n_needed", "baseline", "candidate", "measure", "margin",
        "superior", "confidence_level", "estimate", "low", "high", "sentence", "verdict", "pair", "comparison",
        "slices", "notes",
    }  # fmt: skip
    assert keys <= set(document)
    assert (document["kind"], document["outcome"], document["n_needed"]) == ("Gate", "undecided", found.n_needed)
    assert found.verdict.startswith("FAILED (too little data): it was not shown that new is not inferior to old")
    assert f"if the difference is as seen, about {found.n_needed} would settle it" in found.verdict
    worse = gate(outcomes(100, 7, 9), margin=0.01)  # no number of items passes if that is how they differ
    assert f"if there is no difference, about {worse.n_needed} would settle it" in worse.verdict
    page = found.to_markdown()
    assert page.startswith("### FAILED")
    assert "| undecided |" in page


def sliced(worse_in_b: int) -> Predictions:
    """Two slices of 500 items; in the second the new model loses some."""
    old = np.arange(1000) % 5 != 0
    new = old.copy()
    new[np.flatnonzero(~old)[:20]] = True
    new[500 + np.flatnonzero(old[500:])[:worse_in_b]] = False
    lines = {"old": old.astype(int), "new": new.astype(int)}
    return Predictions.from_outcomes(lines, slices={"part": ["a"] * 500 + ["b"] * 500, "all": ["x"] * 1000})


@pytest.mark.parametrize(
    ("worse", "asked", "outcome", "failed"),
    [
        (2, {"slice_margin": 0.05}, "passed", ()),
        (60, {"margin": 0.1, "slice_margin": 0.05}, "worse", ("b",)),
        (12, {"slice_margin": 0.025}, "undecided", ("b",)),
        (60, {"margin": 0.2}, "passed", ()),  # without a margin of its own, the gate's
    ],
)
@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_no_slice_may_fail(worse, asked, outcome, failed) -> None:
    found = gate(sliced(worse), **{"margin": 0.03, **asked}, by="part")
    assert (found.outcome, found.slices.failed) == (outcome, failed)
    assert found.passed is (outcome == "passed")
    for name in failed:
        assert f" {name}" in found.verdict
        assert f"| {name} |" in found.to_markdown()
    alone = gate(sliced(worse), margin=found.margin)
    assert alone.passed  # the whole holds in every case
    assert (found.n_needed is not None) is (outcome == "undecided")


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_slices_are_held_one_by_one_as_a_gate_of_their_own_would() -> None:
    evidence = sliced(12)
    found = gate(evidence, margin=0.03, slice_margin=0.025, by="part")
    frame = found.slices.to_frame(backend="polars")
    assert frame["n"].to_list() == [500, 500]
    rows = evidence.table()
    for label in ("a", "b"):
        own = rows.take(rows.slices["part"].code == rows.slices["part"].names.index(label))
        alone = gate(Predictions({"data": own}), margin=0.025)
        row = frame.filter(frame["slice"] == label)
        assert (row["low"][0], row["outcome"][0]) == (alone.low, alone.outcome)
    crossed = gate(evidence, margin=0.03, slice_margin=0.1, by=["part", "all"])
    assert crossed.slices.slices == ("a × x", "b × x")
    with pytest.raises(ParameterError, match="part"):
        gate(evidence, margin=0.03, by="parts")
    with pytest.raises(ParameterError, match="by="):
        gate(evidence, margin=0.03, slice_margin=0.1)


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_a_rare_class_and_other_call_rates_pass_no_gate():
    """F1 at 3 % positives: swapped answers gave p = 0.03 beside an interval over zero, and PASSED."""
    rng = np.random.default_rng(36)
    n = 4000
    y = (rng.random(n) < 0.03).astype(int)
    calls = {
        m: np.where(y == 1, rng.random(n) < hit, rng.random(n) < alarm).astype(int)
        for m, hit, alarm in (("old", 0.88, 0.13), ("new", 0.185, 0.0029))
    }
    rows = Predictions.from_arrays(y, y_pred=calls, pos_label=1)
    pair = bakeoff.compare(rows, "f1").pairs[0]
    assert pair.low < 0 < pair.high
    assert pair.pvalue > 0.05
    assert not gate(rows, measure="f1", superior=True).passed


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_an_interval_without_an_end_tells_no_number_of_items():
    scores = bakeoff.Scores.from_wide([[0.7, 0.8], [0.6, 0.72], [0.8, 0.83]], models=["a", "b"], measure="accuracy")
    found = bakeoff.gate(scores, baseline="a", candidate="b", rng=0)
    assert (found.passed, found.n_needed) == (False, None)


def test_the_verdict_is_printed_once():
    right = {"old": [1, 1, 0, 1, 1] * 10, "new": [1, 1, 1, 0, 1] * 10}
    found = bakeoff.gate(bakeoff.Predictions.from_outcomes(right), baseline="old", candidate="new", margin=0.05)
    assert " ".join(str(found).split()).count("FAILED (too little data)") == 1
