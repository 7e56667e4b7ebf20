"""Laws of a comparison, whatever the evidence."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff import BakeoffError, BakeoffWarning, Predictions, Scores, compare
from bakeoff.evidence import Split
from bakeoff.measures import catalogue

FEW = settings(max_examples=15, deadline=None)
TINY = settings(max_examples=5, deadline=None)


def quietly(evidence, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BakeoffWarning)
        return compare(evidence, *args, **options)


@st.composite
def sets_of_rows(draw, models: int = 3) -> Predictions:
    seed = draw(st.integers(0, 10_000))
    n = draw(st.integers(12, 80))
    levels = draw(st.sampled_from([4, 10, 1000]))  # few levels make ties
    rng = np.random.default_rng(seed)
    truth = np.concatenate([[0, 1], rng.integers(0, 2, n - 2)])
    scores = {
        name: np.round(np.clip(rng.normal(0.5 + 0.1 * (truth - 0.5), 0.2), 0, 1) * levels) / levels
        for name in "abcdef"[:models]
    }
    return Predictions.from_arrays(truth, y_score=scores)


@st.composite
def tables(draw, models: int = 4) -> Scores:
    seed = draw(st.integers(0, 10_000))
    n = draw(st.integers(2, 15))
    rng = np.random.default_rng(seed)
    values = np.round(
        0.7 + rng.normal(0, 0.05, (n, 1)) + rng.normal(0, 0.03, (n, models)), draw(st.sampled_from([1, 2, 4]))
    )
    return Scores.from_wide(values, models=list("abcdef"[:models]), measure="accuracy")


@st.composite
def folds(draw, models: int = 3) -> Scores:
    seed = draw(st.integers(0, 10_000))
    repeats, k = draw(st.sampled_from([(1, 10), (5, 2), (3, 5), (12, 1)]))
    rng = np.random.default_rng(seed)
    cells = np.round(0.8 + rng.normal(0, 0.03, (repeats * k, models)), draw(st.sampled_from([1, 2, 5])))
    splits = tuple(Split(r, f, 30, 60) for r in range(repeats) for f in range(k))
    return Scores(tuple("abcdef"[:models]), {"data": cells}, {"data": splits}, "accuracy", True)


def turned(evidence):
    """The same evidence with the models in the opposite order."""
    return evidence.select(models=list(evidence.models)[::-1])


def same(x: float, y: float) -> bool:
    return (math.isnan(x) and math.isnan(y)) or x == pytest.approx(y, abs=1e-9, rel=1e-9)


def check_swap(evidence, measure: str | None = None) -> None:
    first, second = quietly(evidence, measure, rng=3), quietly(turned(evidence), measure, rng=3)
    for pair in first.pairs:
        other = second.pair(pair.model_a, pair.model_b)
        for field in ("estimate", "low", "high", "pvalue", "pvalue_adjusted", "effect_size"):
            assert same(getattr(pair, field), getattr(other, field)), (field, pair, other)
        assert pair.better == other.better
    assert {frozenset(g) for g in first.groups} == {frozenset(g) for g in second.groups}


def check_sanity(evidence, measure: str | None = None) -> None:
    result = quietly(evidence, measure, rng=3, n_resamples=200)
    for p in result.pairs:
        if not math.isnan(p.pvalue):
            assert 0 < p.pvalue <= 1
            assert p.pvalue_adjusted >= p.pvalue - 1e-12
        if not math.isnan(p.low):
            assert p.low - 1e-9 <= p.estimate <= p.high + 1e-9
        assert math.isfinite(p.pvalue) or p.notes, "an undefined p-value needs a reason"
        assert p.method
        assert p.effect or math.isnan(p.estimate)
    assert result.verdict


@TINY
@given(sets_of_rows())
def test_models_may_come_in_any_order_on_a_test_set(evidence: Predictions) -> None:
    for measure in ("accuracy", "auc", "f1_macro", "brier"):
        check_swap(evidence, measure)


@FEW
@given(tables())
def test_models_may_come_in_any_order_over_data_sets(evidence: Scores) -> None:
    check_swap(evidence)


@FEW
@given(folds())
def test_models_may_come_in_any_order_over_folds(evidence: Scores) -> None:
    check_swap(evidence)


@TINY
@given(sets_of_rows())
def test_sanity_on_a_test_set(evidence: Predictions) -> None:
    for measure in ("accuracy", "auc", "mcc", "log_loss", "average_precision"):
        check_sanity(evidence, measure)


@FEW
@given(st.one_of(tables(), folds()))
def test_sanity_over_scores(evidence: Scores) -> None:
    check_sanity(evidence)


@FEW
@given(tables(), st.sampled_from(["holm", "hochberg", "hommel", "bonferroni", "bh", "by", "shaffer", "bergmann"]))
def test_adjusted_is_never_below_raw(evidence: Scores, adjust: str) -> None:
    for posthoc in ("wilcoxon", "mean-ranks", "conover"):
        result = quietly(evidence, adjust=adjust, posthoc=posthoc, rng=0)
        assert all(p.pvalue_adjusted >= p.pvalue - 1e-12 for p in result.pairs)


@FEW
@given(tables())
def test_simultaneous_post_hocs_are_never_below_raw(evidence: Scores) -> None:
    for options in ({"posthoc": "nemenyi"}, {"test": "anova"}, {"control": "a", "posthoc": "bonferroni-dunn"}):
        result = quietly(evidence, rng=0, **options)
        raw = np.array([p.pvalue for p in result.pairs])
        adjusted = np.array([p.pvalue_adjusted for p in result.pairs])
        defined = ~np.isnan(raw) & ~np.isnan(adjusted)
        assert (adjusted[defined] >= raw[defined] - 1e-9).all()


@FEW
@given(folds(models=2), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_small_p_if_and_only_if_zero_is_outside_over_folds(evidence: Scores, level: float) -> None:
    for test in ("corrected-t", "paired-t"):
        pair = quietly(evidence, confidence_level=level, test=test).pairs[0]
        if not math.isnan(pair.low):
            assert (pair.pvalue < 1 - level) == (pair.low > 0 or pair.high < 0)


@FEW
@given(sets_of_rows(models=2), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_small_p_if_and_only_if_zero_is_outside_by_delong(evidence: Predictions, level: float) -> None:
    pair = quietly(evidence, "auc", confidence_level=level).pairs[0]
    if pair.method == "DeLong" and math.isfinite(pair.statistic) and pair.statistic != 0:
        assert (pair.pvalue < 1 - level) == (pair.low > 0 or pair.high < 0)


@FEW
@given(tables(), st.sampled_from(["auto", "sign"]))
def test_small_p_if_and_only_if_zero_is_outside_by_ranks(evidence: Scores, test: str) -> None:
    """Rounded scores tie, and a limit may then be zero itself; p, exact with ties, tells whether it belongs."""
    found = quietly(evidence, rng=0, test=test if len(evidence.models) == 2 else "auto")
    for pair in found.pairs:
        if pair.estimate != 0:
            assert (pair.pvalue < 0.05) == (pair.low > 0 or pair.high < 0)


def test_a_limit_of_zero_goes_with_the_p_value() -> None:
    """Wilcoxon of tied differences: p = 0.047 stood beside the interval −0.04 to 0.00."""
    lost = np.array([-6, -3, -2, -2, -2, -1, 0, 1]) / 100
    rows = Scores.from_wide(np.stack([0.8 + lost, np.full(8, 0.8)], axis=1), models=["a", "b"], measure="accuracy")
    pair = compare(rows).pair("a", "b")
    assert pair.pvalue == pytest.approx(0.046875)
    assert pair.low == pytest.approx(-0.04)
    assert -1e-12 < pair.high < 0


@FEW
@given(st.one_of(tables(), folds()), st.floats(-0.2, 0.2), st.floats(0.5, 20))
def test_shifting_and_scaling_all_scores_changes_units_only(evidence: Scores, shift: float, scale: float) -> None:
    moved = Scores(
        evidence.models, {d: scale * (c + shift) for d, c in evidence.cells.items()}, evidence.splits, "score", True
    )
    plain = Scores(evidence.models, dict(evidence.cells), evidence.splits, "score", True)
    first, second = quietly(plain, rng=0), quietly(moved, rng=0)
    for pair in first.pairs:
        other = second.pair(pair.model_a, pair.model_b)
        assert same(pair.pvalue, other.pvalue)
        assert same(pair.estimate * scale, other.estimate) or abs(pair.estimate * scale - other.estimate) < 1e-9


@TINY
@given(sets_of_rows(models=2), st.floats(0.001, 0.3))
def test_a_wider_margin_is_easier(evidence: Predictions, margin: float) -> None:
    narrow, wide = (quietly(evidence, "auc", margin=m).pairs[0] for m in (margin, 2 * margin))
    if not math.isnan(narrow.pvalue_not_inferior):
        assert wide.pvalue_not_inferior <= narrow.pvalue_not_inferior + 1e-6
        assert narrow.pvalue_equivalent >= narrow.pvalue_not_inferior - 1e-12


def structured(kind: str, seed: int) -> Predictions:
    """Two models on 90 rows: alone, in groups, weighted, over folds; near chance with fits that jump."""
    rng, n, repeats = np.random.default_rng(seed), 90, 3
    truth, common = np.tile([0, 0, 1, 0, 1], 18), rng.normal(size=n)
    score = {
        m: 1 / (1 + np.exp(0.5 - d * truth - 0.7 * (common + rng.normal(size=n)))) for m, d in (("a", 1.5), ("b", 0.9))
    }
    if kind not in ("folds", "near chance"):
        extra = {
            "rows": {}, "groups": {"groups": np.arange(n) // 5}, "weights": {"sample_weight": 1 + 4 * rng.random(n)},
            "one partition": {"fold": rng.permutation(n) % 5},
        }[kind]  # fmt: skip
        return Predictions.from_arrays(truth, y_score=score, pos_label=1, **extra)
    fold = np.array([rng.permutation(n) % 5 for _ in range(repeats)])
    jump = rng.choice([0.1, 0.9], (repeats, 5))[np.arange(repeats)[:, None], fold] if kind == "near chance" else None
    over = {
        m: np.clip((s if jump is None else jump) + rng.normal(0, 0.3, fold.shape), 0.01, 0.99) for m, s in score.items()
    }
    return Predictions.from_arrays(
        np.tile(truth, repeats), y_score={m: v.ravel() for m, v in over.items()}, pos_label=1, fold=fold.ravel(),
        repeat=np.repeat(np.arange(repeats), n), instance=np.tile(np.arange(n), repeats),
    )  # fmt: skip


def check_tests_are_their_intervals(kind: str, measure: str, alphas: tuple[float, ...], seed: int) -> None:
    """p below α if and only if the limits at 1 − 2α leave out zero, or the margin, on the side asked."""
    evidence = structured(kind, seed)

    def asked(**options):
        return quietly(evidence, measure, rng=0, n_resamples=200, **options).pair("a", "b")

    sides = [asked(alternative=side).pvalue for side in ("greater", "less")]
    two = asked()
    margin = 0.6 * abs(two.estimate) + 0.3 * (two.high - two.low)
    near = asked(margin=margin)
    for alpha in alphas:
        wide, both = asked(confidence_level=1 - 2 * alpha), asked(confidence_level=1 - alpha)
        assert both.pvalue == two.pvalue  # no p-value hangs on the level
        left = [wide.low > 0, wide.high < 0]
        assert [p < alpha for p in sides] in (left, left[::-1])  # "greater" is better, which may be less
        assert (two.pvalue < alpha) == (not both.low <= 0 <= both.high)
        inside = [wide.low > -margin, wide.high < margin]
        assert (near.pvalue_equivalent < alpha) == all(inside)
        assert (near.pvalue_not_inferior < alpha) in inside


STRUCTURES = ("rows", "groups", "weights", "one partition", "folds", "near chance")


@pytest.mark.parametrize("kind", STRUCTURES)
@pytest.mark.parametrize("measure", ["accuracy", "recall", "f1", "kappa", "auc", "brier"])
def test_one_sided_tests_and_margins_are_their_limits(kind: str, measure: str) -> None:
    check_tests_are_their_intervals(kind, measure, (0.05,), 3)


@pytest.mark.slow
@pytest.mark.parametrize("kind", STRUCTURES)
def test_one_sided_tests_and_margins_are_their_limits_for_every_measure(kind: str) -> None:
    rows, tried = structured("rows", 0), 0
    for measure in catalogue():
        try:
            quietly(rows, measure, n_resamples=200)
        except BakeoffError:
            continue
        for seed in range(3):
            check_tests_are_their_intervals(kind, measure, (0.02, 0.2), seed)
        tried += 1
    assert tried > 35
