from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats as scipy_stats

from bakeoff import BakeoffError
from bakeoff.stats import wilcoxon
from bakeoff.stats.ranks._signed_rank import tail_probability, untied_cdf
from bakeoff.stats.ranks._walsh import _selected, hodges_lehmann, walsh_order_statistics


def enumerated(ranks, total):
    """P(sum of the ranks with positive sign <= total), over all sign patterns."""
    signs = np.array(list(itertools.product((0, 1), repeat=len(ranks))))
    return np.mean(signs @ np.array(ranks) <= total)


@pytest.mark.parametrize(
    "ranks", [[1, 2, 3, 4, 5], [1.5, 1.5, 3, 4.5, 4.5, 6], [2.5] * 4 + [5.5, 5.5], [4, 5, 6, 7], [3], [2, 2, 2]]
)
def test_tail_is_the_share_of_sign_patterns(ranks):
    for total in np.arange(-0.5, sum(ranks) + 1, 0.5):
        assert tail_probability(np.array(ranks, dtype=float), total) == pytest.approx(
            enumerated(ranks, total), abs=1e-15
        )


def test_table_equals_dynamic_programming_with_ties_broken_into_it():
    assert untied_cdf(0, 4).tolist() == [1 / 16, 2 / 16, 3 / 16, 5 / 16, 7 / 16, 9 / 16]
    assert untied_cdf(2, 4).tolist() == [1 / 4, 1 / 4, 1 / 4, 2 / 4]  # ranks 3 and 4


def test_many_ranks_neither_overflow_nor_vanish():
    assert tail_probability(np.arange(1.0, 1101.0), 0) == np.finfo(float).tiny  # 2^-1100 has no float
    half = tail_probability(np.arange(1.0, 1101.0), 1100 * 1101 / 4)
    assert half == pytest.approx(0.5, abs=1e-4)
    tied = np.repeat(np.arange(1, 1100, 2) + 0.5, 2)  # pairs of ties
    assert tail_probability(tied, 1100 * 1101 / 4) == pytest.approx(0.5, abs=1e-4)


def test_exact_p_values_of_untied_data_are_scipy_s(rng):
    for n in (5, 12, 40):
        d = rng.normal(0.3, 1, n)
        for alternative in ("two-sided", "less", "greater"):
            theirs = scipy_stats.wilcoxon(d, alternative=alternative, method="exact")
            assert wilcoxon(d, alternative=alternative).pvalue == pytest.approx(theirs.pvalue, rel=1e-10)


def test_exact_p_values_with_ties_and_zeros_are_a_full_permutation():
    d = np.array([3.0, 0, -1, 4, 2, 0, -3, 1, 4])
    full = scipy_stats.PermutationMethod(n_resamples=5000)
    for zeros, scipy_zeros in (("split", "zsplit"), ("pratt", "pratt"), ("wilcox", "wilcox")):
        theirs = scipy_stats.wilcoxon(d, zero_method=scipy_zeros, method=full)
        ours = wilcoxon(d, zeros=zeros)
        assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-12)
        assert ours.statistic == theirs.statistic


@pytest.mark.parametrize("zeros", ["split", "pratt", "wilcox"])
def test_normal_approximation_is_scipy_s_without_continuity(rng, zeros):
    d = rng.integers(-6, 9, 60).astype(float)
    name = {"split": "zsplit"}.get(zeros, zeros)
    for alternative in ("two-sided", "less", "greater"):
        theirs = scipy_stats.wilcoxon(
            d, zero_method=name, method="asymptotic", alternative=alternative, correction=False
        )
        assert wilcoxon(d, zeros=zeros, method="normal", alternative=alternative).pvalue == pytest.approx(
            theirs.pvalue, rel=1e-10
        )


def test_ties_are_decided_in_decimal():
    a = [0.811, 0.742, 0.903, 0.688, 0.655]
    b = [0.801, 0.752, 0.883, 0.668, 0.625]  # differences 10, -10, 20, 20, 30 thousandths
    result = wilcoxon(a, b)
    assert (result.r_plus, result.r_minus) == (13.5, 1.5)


def test_float_dust_is_zero_but_small_scores_are_not():
    dust = wilcoxon([0.1 + 0.2, 0.5, 0.7], [0.3, 0.4, 0.5])
    assert dust.n_zero == 1
    small = wilcoxon([1e-13, 3e-13, 2e-13], [0, 0, 0])
    assert (small.n_zero, small.r_plus) == (0, 6)


def test_data_sets_of_very_different_scales_keep_their_differences():
    result = wilcoxon([3e6, 2e-6, 5e-7], [1e6, 1e-6, 2e-7])
    assert (result.n_zero, result.r_plus) == (0, 6)


def test_auto_is_exact_up_to_one_hundred(rng):
    d = rng.normal(size=101)
    assert wilcoxon(d[:100]).method == "exact"
    assert wilcoxon(d).method == "normal"
    assert wilcoxon(np.r_[d[:100], 0.0]).method == "exact"  # zeros have no sign to flip
    assert wilcoxon(d, method="exact").pvalue == pytest.approx(wilcoxon(d).pvalue, abs=5e-3)


def test_identical_models():
    result = wilcoxon([0.8, 0.9, 0.7], [0.8, 0.9, 0.7])
    assert result.pvalue == 1
    assert result.r_plus == result.r_minus == 3
    assert result.estimate == 0
    assert [note.code for note in result.notes] == ["identical-models"]
    for zeros, method in itertools.product(("pratt", "wilcox"), ("exact", "normal")):
        assert wilcoxon([0.0, 0.0], zeros=zeros, method=method).pvalue == 1


def test_constant_difference_has_an_answer():
    assert wilcoxon([0.01] * 8).pvalue == 2 * 0.5**8


def test_few_pairs_are_said_to_be_few():
    (note,) = wilcoxon([0.3, 0.2, 0.1]).notes
    assert note.code == "few-pairs"
    assert "0.25" in note.message
    assert wilcoxon([0.3, 0.2, 0.1, 0.5, 0.4, 0.6]).notes == ()


# --- estimate and interval --------------------------------------------------------------------------------------------


def test_estimate_is_the_median_walsh_average(rng):
    d = rng.normal(size=9)
    averages = [(x + y) / 2 for i, x in enumerate(d) for y in d[i:]]
    assert wilcoxon(d).estimate == pytest.approx(np.median(averages), rel=1e-12)


def test_selection_of_walsh_averages_without_listing_them(rng):
    for values in (rng.normal(size=60), rng.integers(-5, 6, 60) / 7):
        ordered = np.sort(values)
        count = 60 * 61 // 2
        for position in (0, 1, 17, count // 2, count - 2, count - 1):
            (expected,) = walsh_order_statistics(values, [position])
            assert _selected(ordered, [position])[0] / 2 == expected


def test_interval_holds_exactly_the_shifts_that_are_not_rejected(rng):
    d = rng.normal(0.4, 1, 12)
    interval = wilcoxon(d).confidence_interval(0.95)
    nudge = 1e-9
    assert wilcoxon(d - interval.low - nudge).pvalue > 0.05
    assert wilcoxon(d - interval.low + nudge).pvalue <= 0.05
    assert wilcoxon(d - interval.high + nudge).pvalue > 0.05
    assert wilcoxon(d - interval.high - nudge).pvalue <= 0.05


def test_interval_of_r_s_depression_data():
    # R: wilcox.test(x, y, paired = TRUE, conf.int = TRUE): pseudomedian 0.46, interval [0.010, 0.786]
    x = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    interval = wilcoxon(x, y).confidence_interval(0.95)
    assert (interval.estimate, interval.low, interval.high) == pytest.approx((0.46, 0.01, 0.786), abs=1e-9)


def test_one_sided_intervals_have_one_limit(rng):
    d = rng.normal(size=15)
    low = wilcoxon(d, alternative="greater").confidence_interval(0.95)
    two_sided = wilcoxon(d).confidence_interval(0.90)
    assert (low.low, low.high) == (two_sided.low, np.inf)
    high = wilcoxon(d, alternative="less").confidence_interval(0.95)
    assert (high.low, high.high) == (-np.inf, two_sided.high)


def test_interval_of_too_few_pairs_is_unbounded_and_says_so():
    interval = wilcoxon([1.0, 2.0, 3.0, 4.0, 5.0]).confidence_interval(0.95)
    assert (interval.low, interval.high) == (-np.inf, np.inf)
    assert interval.notes[0].code == "interval-unbounded"
    assert wilcoxon([1.0, 2.0, 3.0, 4.0, 5.0]).confidence_interval(0.90).low == 1.0


def test_interval_of_many_pairs_is_close_to_the_exact_one(rng):
    d = rng.normal(0.2, 1, 520)
    normal = wilcoxon(d).confidence_interval(0.95)
    averages = np.sort([(x + y) / 2 for i, x in enumerate(d) for y in d[i:]])
    exact = int(np.searchsorted(untied_cdf(0, 520), 0.025, side="right"))
    assert normal.low == pytest.approx(averages[exact - 1], abs=1e-3)
    assert normal.high == pytest.approx(averages[-exact], abs=1e-3)
    assert hodges_lehmann(d) == pytest.approx(np.median(averages))


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"a": [1, 2, np.nan]}, "a must be finite"),
        ({"a": [1, 2], "b": [1]}, "paired, value by value. Got 2 and 1"),
        ({"a": []}, "at least 1 value"),
        ({"a": [1, 2], "zeros": "zsplit"}, "did you mean 'split'"),
        ({"a": [1, 2], "method": "exakt"}, "did you mean 'exact'"),
        ({"a": [1, 2], "alternative": "larger"}, "alternative must be one of"),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(BakeoffError, match=message):
        wilcoxon(**arguments)


def test_exact_beyond_reason_is_refused():
    with pytest.raises(BakeoffError, match="at most 10000"):
        wilcoxon(np.arange(1, 10_002), method="exact")


def test_result_speaks():
    result = wilcoxon([1, 2, -0.5, 3, 4, 2.5, 1.5])
    assert "pvalue=0.0312" in repr(result)
    assert "_differences" not in result.to_dict()
    assert result.to_dict()["pvalue"] == result.pvalue
