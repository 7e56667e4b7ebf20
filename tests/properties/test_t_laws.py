"""Laws of the tests on differences, effect sizes, equivalence, Bayes and power, whatever the data."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, settings
from hypothesis import given as _given
from hypothesis import strategies as st

from bakeoff.stats import (
    bayes_correlated_t,
    bayes_sign,
    cliffs_delta,
    cohen_d,
    cohen_d_interval,
    corrected_t,
    five_by_two_f,
    five_by_two_t,
    noninferiority,
    paired_t,
    power_corrected_t,
    power_delong,
    power_mcnemar,
    power_paired_t,
    rank_biserial,
    tost,
    vargha_delaney_a,
)
from bakeoff.stats.resample import err632_plus

# decimals, so that ties, zeros and constant differences occur
score = st.integers(0, 60).map(lambda k: k / 50)
scores = st.lists(score, min_size=3, max_size=25)
pairs = st.lists(st.tuples(score, score), min_size=3, max_size=25).map(lambda rows: tuple(np.array(rows).T))
tables = st.lists(st.tuples(score, score), min_size=5, max_size=5).map(lambda rows: np.array(rows) - 0.5)


def given(*strategies):  # type: ignore[no-untyped-def]
    """Sixty examples a law, and no deadline: the first one imports SciPy."""
    return lambda law: settings(deadline=None, max_examples=60)(_given(*strategies)(law))


def same(x: float, y: float, tolerance: float = 1e-9) -> bool:
    return (math.isnan(x) and math.isnan(y)) or math.isclose(x, y, rel_tol=tolerance, abs_tol=1e-12)


@given(pairs)
def test_swapping_the_models_turns_the_sign(pair: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = pair
    forth, back = paired_t(a, b), paired_t(b, a)
    assert same(forth.pvalue, back.pvalue)
    assert same(forth.statistic, -back.statistic)
    assert same(paired_t(a, b, alternative="greater").pvalue, paired_t(b, a, alternative="less").pvalue)
    sizes = {"n_train": 9, "n_test": 1}
    assert same(corrected_t(a, b, **sizes).pvalue, corrected_t(b, a, **sizes).pvalue)
    assert same(tost(a, b, margin=0.1).pvalue, tost(b, a, margin=0.1).pvalue)
    assert same(cliffs_delta(a, b), -cliffs_delta(b, a))
    assert same(rank_biserial(a, b), -rank_biserial(b, a))


@given(pairs, st.randoms(use_true_random=False))
def test_the_order_of_the_pairs_does_not_matter(pair: tuple[np.ndarray, np.ndarray], random) -> None:  # type: ignore[no-untyped-def]
    a, b = pair
    order = list(range(a.size))
    random.shuffle(order)
    assert same(paired_t(a, b).pvalue, paired_t(a[order], b[order]).pvalue)
    assert same(rank_biserial(a, b), rank_biserial(a[order], b[order]))
    assert bayes_sign(a, b, rope=0.1).p_a_better == bayes_sign(a[order], b[order], rope=0.1).p_a_better


@given(pairs, st.floats(0.01, 1000))
def test_units_do_not_matter(pair: tuple[np.ndarray, np.ndarray], unit: float) -> None:
    a, b = pair
    assert same(paired_t(a, b).pvalue, paired_t(unit * a, unit * b).pvalue, 1e-6)
    assert same(tost(a, b, margin=0.1).pvalue, tost(unit * a, unit * b, margin=0.1 * unit).pvalue, 1e-6)
    assert same(rank_biserial(a, b), rank_biserial(unit * a, unit * b))


@given(pairs, st.floats(0.01, 1.0))
def test_the_correction_never_helps_to_reject(pair: tuple[np.ndarray, np.ndarray], ratio: float) -> None:
    a, b = pair
    plain, corrected = paired_t(a, b), corrected_t(a, b, n_train=1, n_test=ratio)
    assert math.isnan(plain.pvalue) or corrected.pvalue >= plain.pvalue - 1e-15
    assert corrected.estimate == plain.estimate


@given(pairs, st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_the_interval_is_the_test_inverted(pair: tuple[np.ndarray, np.ndarray], level: float) -> None:
    result = corrected_t(*pair, n_train=9, n_test=1)
    assume(result.standard_error > 0)
    interval = result.confidence_interval(level)
    assume(min(abs(interval.low), abs(interval.high)) > 1e-9)
    assert (interval.low > 0 or interval.high < 0) == (result.pvalue < 1 - level)


@given(tables)
def test_five_by_two_laws(table: np.ndarray) -> None:
    assert same(five_by_two_f(table).pvalue, five_by_two_f(-table).pvalue)
    assert same(five_by_two_f(table).pvalue, five_by_two_f(table[::-1, ::-1]).pvalue)
    assert same(five_by_two_t(table).statistic, -five_by_two_t(-table).statistic)
    assert same(five_by_two_t(table).pvalue, five_by_two_t(table[[0, 4, 3, 2, 1]]).pvalue)
    result = five_by_two_f(table)
    interval = result.confidence_interval(0.95)
    if not math.isnan(interval.low) and min(abs(interval.low), abs(interval.high)) > 1e-9:
        assert (interval.low > 0 or interval.high < 0) == (result.pvalue < 0.05)


@given(pairs, st.floats(0.01, 0.5), st.floats(1.0, 3.0))
def test_a_wider_margin_is_easier_to_show(pair: tuple[np.ndarray, np.ndarray], margin: float, factor: float) -> None:
    a, b = pair
    narrow, wide = tost(a, b, margin=margin), tost(a, b, margin=margin * factor)
    assume(not math.isnan(narrow.pvalue))
    assert wide.pvalue <= narrow.pvalue + 1e-12
    assert noninferiority(a, b, margin=margin).pvalue <= paired_t(a, b, alternative="greater").pvalue + 1e-12
    assert narrow.pvalue >= noninferiority(a, b, margin=margin).pvalue - 1e-12


@given(pairs, st.floats(0, 0.5), st.floats(0, 0.9))
def test_probabilities_add_to_one(pair: tuple[np.ndarray, np.ndarray], rope: float, rho: float) -> None:
    a, b = pair
    for forth, back in (
        (bayes_correlated_t(a - b, rho=rho, rope=rope), bayes_correlated_t(b - a, rho=rho, rope=rope)),
        (bayes_sign(a, b, rope=rope), bayes_sign(b, a, rope=rope)),
    ):
        assume(not math.isnan(forth.p_equivalent))
        assert forth.p_a_better + forth.p_equivalent + forth.p_b_better == pytest.approx(1.0, abs=1e-9)
        assert forth.p_a_better == pytest.approx(back.p_b_better, abs=1e-8)


@given(pairs, st.floats(0, 0.3), st.floats(0, 0.3))
def test_a_wider_rope_holds_more(pair: tuple[np.ndarray, np.ndarray], rope: float, more: float) -> None:
    a, b = pair
    narrow = bayes_correlated_t(a - b, rho=0.1, rope=rope)
    assume(not math.isnan(narrow.p_equivalent))
    assert bayes_correlated_t(a - b, rho=0.1, rope=rope + more).p_equivalent >= narrow.p_equivalent - 1e-9


@given(scores, scores)
def test_dominance_laws(a: list[float], b: list[float]) -> None:
    delta = cliffs_delta(a, b)
    assert -1 <= delta <= 1
    assert vargha_delaney_a(a, b) == pytest.approx((1 + delta) / 2)
    assert cliffs_delta(np.exp(a), np.exp(b)) == delta


@given(pairs)
def test_effect_size_laws(pair: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = pair
    assert -1 <= rank_biserial(a, b) <= 1
    assume(paired_t(a, b).standard_error > 0)
    dz = cohen_d(a, b)
    assert same(dz * math.sqrt(a.size), paired_t(a, b).statistic)
    interval = cohen_d_interval(a, b)
    assert interval.low < dz < interval.high


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_632_plus_stays_between_its_parts(training: float, outside: float, gamma: float) -> None:
    estimate, rate, weight = err632_plus(training, outside, gamma)
    assert 0 <= rate <= 1
    assert 0.632 <= weight <= 1 + 1e-12
    assert min(training, outside, gamma) - 1e-12 <= estimate <= max(training, outside) + 1e-12


@given(st.floats(0.01, 2), st.integers(2, 60), st.floats(1.0, 2.0))
def test_power_grows_with_effect_and_pairs(effect: float, n: int, factor: float) -> None:
    power = power_paired_t(effect, 1.0, n)
    assert 0.05 - 1e-9 <= power <= 1
    assert power_paired_t(effect * factor, 1.0, n) >= power - 1e-9
    assert power_paired_t(effect, 1.0, n + 1) >= power - 1e-9
    assert power_corrected_t(effect, 1.0, n_splits=n, n_train=9, n_test=1) <= power + 1e-9
    assert same(power_paired_t(-effect, 1.0, n), power, 1e-6)


@given(st.floats(0.0, 0.4), st.floats(0.0, 0.4), st.integers(1, 400))
def test_mcnemar_power_is_a_probability_and_symmetric(a_only: float, b_only: float, n: int) -> None:
    power = power_mcnemar(a_only, b_only, n)
    assert -1e-12 <= power <= 1 + 1e-9
    assert power == pytest.approx(power_mcnemar(b_only, a_only, n), abs=1e-9)


@given(st.floats(0.55, 0.97), st.floats(0.55, 0.97), st.integers(5, 500), st.floats(0, 0.95))
def test_delong_power_grows_with_correlation(auc_a: float, auc_b: float, n: int, correlation: float) -> None:
    assume(abs(auc_a - auc_b) > 1e-3)
    power = power_delong(auc_a, auc_b, n, n, correlation=correlation)
    assert power_delong(auc_a, auc_b, n, n, correlation=correlation + 0.04) >= power - 1e-9
    assert power == pytest.approx(power_delong(auc_b, auc_a, n, n, correlation=correlation), abs=1e-9)
