"""Equivalence and non-inferiority: they agree with the textbook tests, and are never confused with "no difference"."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import Predictions, Scores, compare, stats
from bakeoff.comparison._closeness import adjust_margin_pvalues
from bakeoff.stats.distributions import one_sided_pvalue


def folds(make, gap: float, sd: float = 0.01) -> Scores:
    return make.resampled({"new": 0.8 + gap, "old": 0.8}, 10, 10, sd=sd)


def test_agrees_with_tost_and_noninferiority(make) -> None:
    scores = folds(make, 0.002)
    a, b = scores.folds().T
    sizes = {"n_train": 450, "n_test": 50}
    pair = compare(scores, margin=0.02).pair("new", "old")
    assert pair.pvalue_equivalent == pytest.approx(stats.tost(a, b, margin=0.02, **sizes).pvalue, rel=1e-6)
    assert pair.pvalue_not_inferior == pytest.approx(stats.noninferiority(a, b, margin=0.02, **sizes).pvalue, rel=1e-6)
    mirrored = pair.flipped()
    assert mirrored.pvalue_not_inferior == pytest.approx(
        stats.noninferiority(b, a, margin=0.02, **sizes).pvalue, rel=1e-6
    )


def test_direction_follows_the_measure(make) -> None:
    scores = folds(make, 0.03)
    error = Scores(scores.models, {"data": 1 - scores.cells["data"]}, scores.splits, "error", False)
    up, down = (compare(s, margin=0.01).pair("new", "old") for s in (scores, error))
    assert down.pvalue_not_inferior == pytest.approx(up.pvalue_not_inferior, rel=1e-9)
    assert up.closeness == down.closeness == "not inferior"
    assert up.flipped().closeness == down.flipped().closeness == "inferior"


@pytest.mark.parametrize(
    ("gap", "margin", "expected"),
    [(0.0, 0.02, "equivalent"), (0.03, 0.01, "not inferior"), (-0.03, 0.01, "inferior"), (0.0, 0.001, "inconclusive")],
)
def test_the_four_conclusions(make, gap: float, margin: float, expected: str) -> None:
    result = compare(folds(make, gap), margin=margin)
    assert result.pair("new", "old").closeness == expected


def test_no_difference_shown_is_not_equivalence(make) -> None:
    weak = folds(make, 0.0, sd=0.05)
    result = compare(weak, margin=0.005)
    pair = result.pair("new", "old")
    assert pair.conclusion == "no difference shown"
    assert pair.closeness == "inconclusive"
    assert "equivalent" not in result.verdict
    assert "was not shown" in result.verdict


def test_equivalent_and_different_at_once(make) -> None:
    result = compare(folds(make, 0.012, sd=0.005), margin=0.05)
    pair = result.pair("new", "old")
    assert (pair.conclusion, pair.closeness) == ("a is better", "equivalent")
    assert "real, and smaller than the margin" in result.verdict


def test_mcnemar_margin_inverts_tangos_interval(make) -> None:
    predictions = make.labelled(400, {"new": 2.0, "old": 1.9})
    rows = predictions.table()
    alone = stats.mcnemar(rows.correct("new"), rows.correct("old"))
    pair = compare(predictions, margin=0.05).pair("new", "old")
    alpha = pair.pvalue_not_inferior
    assert alone.confidence_interval(1 - 2 * alpha).low == pytest.approx(-0.05, abs=1e-6)


def test_wilcoxon_margin_is_the_shifted_test(make) -> None:
    scores = make.demsar().select(models=["C4.5+cf", "C4.5"])
    a, b = scores.matrix().T
    pair = compare(scores, margin=0.03, over="median", rng=0).pair("C4.5+cf", "C4.5")
    shifted = stats.wilcoxon(a + 0.03, b, alternative="greater").pvalue
    assert pair.pvalue_not_inferior == pytest.approx(shifted, rel=0.35)  # the interval is conservative with ties
    assert pair.pvalue_not_inferior >= shifted * 0.99


def test_rejection_and_interval_agree(make) -> None:
    for gap in np.linspace(-0.03, 0.03, 7):
        pair = compare(folds(make, gap, sd=0.02), margin=0.02).pair("new", "old")
        assert (pair.pvalue_not_inferior < 0.05) == (pair.margin_low > -0.02)
        assert (pair.pvalue_equivalent < 0.05) == (pair.margin_low > -0.02 and pair.margin_high < 0.02)


def test_several_pairs_are_adjusted(make) -> None:
    result = compare(make.scored(), control="logit", margin=0.03)
    alone = {
        m: compare(make.scored().select(models=[m, "logit"]), margin=0.03).pair(m, "logit") for m in ("boost", "svm")
    }
    for model, pair in alone.items():
        assert result.pair(model, "logit").pvalue_not_inferior >= pair.pvalue_not_inferior
    assert "adjusted for 5 comparisons" in result.verdict


def test_step_down_counts_pairs_not_sides() -> None:
    raw = np.array([[0.001, 0.9], [0.02, 0.01], [0.5, 0.3]])
    adjusted = adjust_margin_pvalues(raw)
    assert adjusted[0, 0] == pytest.approx(0.003)
    assert adjusted[1, 1] == pytest.approx(0.03)  # three pairs still have a hypothesis left
    assert adjusted[1, 0] == pytest.approx(0.06)
    assert adjusted[2, 1] == pytest.approx(0.6)  # pair two is settled on both sides: two pairs left
    assert (adjusted >= raw).all()
    assert np.isnan(adjust_margin_pvalues(np.array([[np.nan, 0.2]]))[0, 0])


def test_family_wise_error_of_the_step_down(rng) -> None:
    """All pairs lie exactly at the margin: at most 5 % of runs may reject any true hypothesis."""
    wrong, runs = 0, 4000
    for _ in range(runs):
        z = rng.normal(size=3)
        from scipy.special import ndtr

        raw = np.stack([ndtr(-z), ndtr(-(8 - z))], axis=1)  # a's hypothesis is true, b's is false and clear
        wrong += bool((adjust_margin_pvalues(raw)[:, 0] < 0.05).any())
    assert wrong / runs < 0.05 + 3 * np.sqrt(0.05 * 0.95 / runs)


def test_one_sided_pvalue_of_a_known_interval() -> None:
    from scipy.special import ndtr, ndtri

    def limits(level: float) -> tuple[float, float]:
        half = float(ndtri((1 + level) / 2))
        return 1.0 - half, 1.0 + half

    assert one_sided_pvalue(limits, 0.0, above=True) == pytest.approx(float(ndtr(-1.0)), rel=1e-6)
    assert one_sided_pvalue(limits, 0.0, above=False) == pytest.approx(float(ndtr(1.0)), rel=1e-6)
    assert one_sided_pvalue(limits, -20.0, above=True, smallest=0.001) == 0.001


def test_identical_predictions_are_equivalent_within_a_generous_margin(make) -> None:
    truth, scores = make.binary(500, {"a": 2.0})
    same = Predictions.from_arrays(truth, y_score={"a": scores["a"], "b": scores["a"].copy()})
    for measure in ("auc", "accuracy", "f1"):
        pair = compare(same, measure, margin=0.05, rng=0).pair("a", "b")
        assert pair.closeness == "equivalent"
        assert pair.pvalue == 1.0
        assert pair.low < 0 < pair.high


# -- over data sets ----------------------------------------------------------------------------------------------------


def three_lost(n: int = 20) -> Scores:
    """Three data sets lost by 0.25, the others equal."""
    rng = np.random.default_rng(0)
    old = 0.85 + 0.03 * rng.normal(size=n)
    new = old + 0.002 * rng.normal(size=n)
    new[:3] -= 0.25
    return Scores.from_wide(np.column_stack([new, old]), models=["new", "old"], measure="accuracy")


def test_a_margin_over_data_sets_is_on_the_mean() -> None:
    scores = three_lost()
    new, old = scores.matrix().T
    result = compare(scores, margin=0.02, control="old", rng=0)
    pair = result.pair("new", "old")
    assert pair.closeness == "inconclusive"
    assert pair.pvalue_not_inferior == pytest.approx(stats.noninferiority(new, old, margin=0.02).pvalue, rel=1e-6)
    interval = stats.paired_t(new, old).confidence_interval(0.90)
    assert (pair.margin_low, pair.margin_high) == pytest.approx((interval.low, interval.high))
    assert "interval of the mean of new − old over 20 data sets" in result.verdict
    assert "Held to the median instead, the answer is: equivalent" in result.verdict
    assert "On 3 of 20 data sets new is worse by more than the margin." in result.verdict


def test_the_median_is_for_those_who_ask() -> None:
    result = compare(three_lost(), margin=0.02, control="old", over="median", rng=0)
    assert result.pair("new", "old").closeness == "equivalent"
    assert "interval of the median of new − old over 20 data sets" in result.verdict
    assert "Held to the mean instead, the answer is: not shown" in result.verdict
    assert "On 3 of 20 data sets" in result.verdict


def test_mean_and_median_that_agree_are_told_once() -> None:
    rng = np.random.default_rng(1)
    old = 0.8 + 0.05 * rng.normal(size=15)
    scores = Scores.from_wide(
        np.column_stack([old + 0.003 * rng.normal(size=15), old]), models=["new", "old"], measure="accuracy"
    )
    result = compare(scores, margin=0.02, rng=0)
    assert result.pair("new", "old").closeness == "equivalent"
    assert "instead" not in result.verdict
    assert "worse by more" not in result.verdict


def test_over_is_mean_or_median() -> None:
    from bakeoff import ParameterError

    with pytest.raises(ParameterError, match="over must be one of 'mean', 'median'"):
        compare(three_lost(), margin=0.02, over="mode")  # type: ignore[arg-type]
