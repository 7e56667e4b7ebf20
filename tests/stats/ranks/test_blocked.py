"""Quade, aligned ranks, analysis of variance and the post hocs on blocks: laws and degenerate tables."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from bakeoff import BakeoffError, stats
from bakeoff.stats.distributions._studentized import studentized_range_sf
from bakeoff.stats.ranks._aligned import _aligned_ranks
from bakeoff.stats.ranks._quade import _weighted_ranks

POSTHOCS = {
    "nemenyi": stats.nemenyi,
    "friedman_pairs": stats.friedman_pairs,
    "conover": stats.conover,
    "quade_posthoc": stats.quade_posthoc,
    "aligned_posthoc": stats.aligned_posthoc,
    "tukey": stats.tukey,
    "wilcoxon_pairs": stats.wilcoxon_pairs,
}
AGAINST_CONTROL = {
    "friedman_control": stats.friedman_control,
    "bonferroni_dunn": stats.bonferroni_dunn,
    "dunnett": stats.dunnett,
}
IDENTICAL = [[0.8] * 3, [0.7] * 3, [0.9] * 3, [0.6] * 3]
SHIFTED = [[0.8, 0.7, 0.6], [0.75, 0.65, 0.55], [0.9, 0.8, 0.7], [0.5, 0.4, 0.3]]


def permuted_variance(values, i, j, rng, n_permutations=20_000):
    """Variance of the difference of two column means when each row is shuffled."""
    shuffled = rng.permuted(np.broadcast_to(values, (n_permutations, *values.shape)), axis=2)
    means = shuffled.mean(axis=1)
    return (means[:, i] - means[:, j]).var()


@pytest.mark.parametrize("name", ["quade_posthoc", "aligned_posthoc"])
def test_posthoc_variance_is_that_of_shuffled_rows(rng, name):
    scores = rng.normal(size=(7, 4)).round(1)
    result = POSTHOCS[name](scores)
    spread = result.estimate[0] / result.statistic[0]
    values = _weighted_ranks(scores, True)[1] if name == "quade_posthoc" else _aligned_ranks(scores, True)
    assert spread**2 == pytest.approx(permuted_variance(values, 0, 1, rng), rel=0.05)


@pytest.mark.parametrize("name", POSTHOCS)
def test_posthoc_of_identical_models(name):
    result = POSTHOCS[name](IDENTICAL)
    assert result.pvalue == pytest.approx([1, 1, 1])
    assert not np.isnan(result.statistic).any()
    assert "identical-models" in [note.code for note in result.notes]


@pytest.mark.parametrize("name", AGAINST_CONTROL)
def test_control_comparisons_of_identical_models(name):
    result = AGAINST_CONTROL[name](IDENTICAL, 1)
    assert result.others == [0, 2]
    assert result.pvalue == pytest.approx([1, 1])
    assert "identical-models" in [note.code for note in result.notes]


@pytest.mark.parametrize("name", POSTHOCS)
def test_posthoc_of_models_a_constant_apart_is_never_zero(name):
    result = POSTHOCS[name](SHIFTED)
    defined = result.pvalue[~np.isnan(result.pvalue)]
    assert (defined > 0).all()


def test_models_a_constant_apart_are_undefined_where_an_error_is_needed():
    anova = stats.repeated_measures_anova(SHIFTED)
    assert anova.statistic == np.inf
    assert np.isnan([anova.pvalue, anova.pvalue_gg, anova.pvalue_hf]).all()
    assert anova.notes[0].code == "constant-difference"
    for result in (stats.tukey(SHIFTED), stats.dunnett(SHIFTED, 0)):
        assert np.isinf(result.statistic).all()
        assert np.isnan(result.pvalue).all()
        assert np.isnan(result.low).all()
        assert result.notes[0].code == "constant-difference"
    some = stats.tukey([[0.8, 0.8, 0.6], [0.7, 0.7, 0.5], [0.9, 0.9, 0.7]])
    assert some.pvalue[0] == 1
    assert np.isnan(some.pvalue[1:]).all()


@pytest.mark.parametrize("omnibus", [stats.quade, stats.aligned_friedman, stats.repeated_measures_anova])
def test_omnibus_of_identical_models(omnibus):
    result = omnibus(IDENTICAL)
    assert np.isnan(result.statistic)
    assert result.pvalue == 1
    assert result.notes[0].code == "identical-models"


def test_quade_of_data_sets_that_agree_has_conover_s_p_value():
    result = stats.quade([[1, 2, 3], [2, 3, 4], [5, 6, 7]])  # equal ranges weigh alike
    assert result.statistic == np.inf
    assert result.pvalue == pytest.approx((1 / 6) ** 2)
    assert result.notes[0].code == "perfect-agreement"


def test_conover_of_data_sets_that_agree():
    result = stats.conover([[1, 2, 3], [2, 4, 6], [1, 3, 8]])
    assert np.isinf(result.statistic).all()
    assert result.pvalue == pytest.approx([0.25] * 3)
    assert result.notes[0].code == "perfect-agreement"


def test_mean_ranks_of_quade_and_aligned_put_the_best_first():
    scores = [[0.9, 0.7, 0.8], [0.6, 0.3, 0.5], [0.95, 0.9, 0.91]]
    assert stats.quade(scores).mean_ranks.tolist() == [1, 3, 2]
    assert stats.aligned_friedman(scores).mean_ranks.argmin() == 0
    assert stats.aligned_friedman(scores, greater_is_better=False).mean_ranks.argmax() == 0


def test_two_models_tukey_dunnett_and_anova_are_the_paired_t_test(rng):
    scores = rng.normal([0, 0.5], 1, (9, 2))
    theirs = scipy_stats.ttest_rel(scores[:, 0], scores[:, 1])
    assert stats.tukey(scores).pvalue[0] == pytest.approx(theirs.pvalue, rel=1e-9)
    assert stats.dunnett(scores, 1).pvalue[0] == pytest.approx(theirs.pvalue, rel=1e-9)
    assert stats.dunnett(scores, 1).statistic[0] == pytest.approx(theirs.statistic, rel=1e-9)
    anova = stats.repeated_measures_anova(scores)
    assert anova.pvalue == anova.pvalue_gg == pytest.approx(theirs.pvalue, rel=1e-9)
    interval = theirs.confidence_interval(0.95)
    limits = stats.tukey(scores)
    assert (limits.low[0], limits.high[0]) == pytest.approx((interval.low, interval.high), rel=1e-8)


def test_anova_is_statsmodels(rng):
    anova = pytest.importorskip("statsmodels.stats.anova")
    pandas = pytest.importorskip("pandas")
    scores = rng.normal(size=(8, 4))
    long = pandas.DataFrame(
        {"y": scores.ravel(), "block": np.repeat(np.arange(8), 4), "model": np.tile(np.arange(4), 8)}
    )
    theirs = anova.AnovaRM(long, "y", "block", within=["model"]).fit().anova_table.iloc[0]
    ours = stats.repeated_measures_anova(scores)
    assert (ours.statistic, ours.pvalue) == pytest.approx((theirs["F Value"], theirs["Pr > F"]), rel=1e-9)


def test_mauchly_needs_as_many_data_sets_as_models(rng):
    result = stats.repeated_measures_anova(rng.normal(size=(3, 5)))
    assert np.isnan(result.mauchly_w)
    assert result.notes[0].code == "mauchly-undefined"
    assert 0 < result.pvalue_gg <= 1


def test_tukey_intervals_agree_with_its_p_values(rng):
    scores = rng.normal([0, 0.3, 0.9, 1.0], 1, (12, 4))
    for level in (0.90, 0.95, 0.99):
        result = stats.tukey(scores, confidence_level=level)
        excludes_zero = (result.low > 0) | (result.high < 0)
        assert np.array_equal(excludes_zero, result.pvalue < 1 - level)


def test_dunnett_intervals_agree_with_its_p_values(rng):
    scores = rng.normal([0, 0.3, 0.9, 1.0], 1, (12, 4))
    for level in (0.90, 0.95, 0.99):
        result = stats.dunnett(scores, 0, confidence_level=level)
        excludes_zero = (result.low > 0) | (result.high < 0)
        assert np.array_equal(excludes_zero, result.pvalue < 1 - level)


def test_critical_difference_is_where_nemenyi_rejects():
    cd = stats.critical_difference(3, 12)
    q = cd / np.sqrt(3 * 4 / (6 * 12)) * np.sqrt(2)
    assert studentized_range_sf(q, 3) == pytest.approx(0.05, abs=1e-12)


def test_ties_are_noted_by_tests_that_ignore_them():
    tied = [[0.8, 0.8, 0.6], [0.7, 0.6, 0.5], [0.9, 0.8, 0.7]]
    assert [note.code for note in stats.nemenyi(tied).notes] == ["ties"]
    assert stats.nemenyi(SHIFTED).notes == ()


@pytest.mark.parametrize("control", [-1, 3, 1.0, "a", True])
def test_control_must_be_a_column(control):
    with pytest.raises(BakeoffError, match="column of a model, from 0 to 2"):
        stats.bonferroni_dunn(IDENTICAL, control)


def test_critical_difference_errors():
    with pytest.raises(BakeoffError, match="n_models must be a whole number of at least 2"):
        stats.critical_difference(1, 10)
    with pytest.raises(BakeoffError, match=r"give a fraction: 0\.95"):
        stats.critical_difference(3, 10, confidence_level=95)
    with pytest.raises(BakeoffError, match="kind must be one of"):
        stats.critical_difference(3, 10, kind="tukey")


def test_results_speak():
    result = stats.tukey([[1.0, 2, 3], [2, 2, 5], [3, 5, 4]])
    assert list(result.to_frame().columns) == ["first", "second", "estimate", "statistic", "pvalue", "low", "high"]
    assert "method='tukey (blocked)', pairs=3" in repr(result)
    control = stats.dunnett([[1.0, 2, 3], [2, 2, 5], [3, 5, 4]], 2)
    assert list(control.to_frame()["model"]) == [0, 1]
    assert "control=2" in repr(control)
