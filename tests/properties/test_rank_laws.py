"""Laws that hold for every table: what must not matter does not, and what must be smaller is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bakeoff import stats

LAW = settings(max_examples=40, deadline=None)
SLOW_LAW = settings(max_examples=15, deadline=None)

# scores with two decimals tie often; models and data sets are few
SCORES = st.integers(0, 30).map(lambda v: v / 100)
TABLES = st.tuples(st.integers(2, 9), st.integers(2, 5)).flatmap(lambda shape: arrays(float, shape, elements=SCORES))
VECTORS = st.integers(1, 14).flatmap(lambda n: arrays(float, n, elements=st.integers(-8, 8).map(lambda v: v / 100)))
PVALUES = st.lists(st.floats(0, 1), min_size=1, max_size=15).map(np.array)
PAIR_PVALUES = st.integers(2, 6).flatmap(
    lambda k: st.tuples(st.just(k), arrays(float, k * (k - 1) // 2, elements=st.floats(0, 1)))
)
SEEDS = st.integers(0, 2**16)

RULES = [(zeros, method) for zeros in ("split", "pratt", "wilcox") for method in ("exact", "normal")]
OMNIBUS = {
    "friedman": stats.friedman,
    "quade": stats.quade,
    "aligned_friedman": stats.aligned_friedman,
    "anova": stats.repeated_measures_anova,
}
PAIRS = {
    "nemenyi": stats.nemenyi,
    "friedman_pairs": stats.friedman_pairs,
    "conover": stats.conover,
    "quade_posthoc": stats.quade_posthoc,
    "aligned_posthoc": stats.aligned_posthoc,
    "wilcoxon_pairs": stats.wilcoxon_pairs,
}


def close(a, b):
    return a == pytest.approx(b, rel=1e-7, abs=1e-12, nan_ok=True)


# ---- two models ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("zeros", "method"), RULES)
@LAW
@given(d=VECTORS)
def test_swapping_the_models_swaps_the_answer(zeros, method, d):
    forward, backward = (stats.wilcoxon(sign * d, zeros=zeros, method=method) for sign in (1, -1))
    assert (forward.r_plus, forward.r_minus) == (backward.r_minus, backward.r_plus)
    assert close(forward.pvalue, backward.pvalue)
    assert close(forward.estimate, -backward.estimate)
    a, b = forward.confidence_interval(0.9), backward.confidence_interval(0.9)
    assert close((a.low, a.high), (-b.high, -b.low))
    greater = stats.wilcoxon(d, zeros=zeros, method=method, alternative="greater").pvalue
    less = stats.wilcoxon(-d, zeros=zeros, method=method, alternative="less").pvalue
    assert close(greater, less)


@pytest.mark.parametrize(("zeros", "method"), RULES)
@LAW
@given(d=VECTORS, seed=SEEDS)
def test_order_scale_and_tails_of_wilcoxon(zeros, method, d, seed):
    result = stats.wilcoxon(d, zeros=zeros, method=method)
    shuffled = np.random.default_rng(seed).permutation(d)
    assert close(stats.wilcoxon(shuffled, zeros=zeros, method=method).pvalue, result.pvalue)
    assert close(stats.wilcoxon(1e6 * d, zeros=zeros, method=method).pvalue, result.pvalue)
    assert 0 < result.pvalue <= 1
    one_sided = [stats.wilcoxon(d, zeros=zeros, method=method, alternative=a).pvalue for a in ("less", "greater")]
    assert result.pvalue <= min(1.0, 2 * min(one_sided)) + 1e-12
    if method == "exact" and d.any():
        assert sum(one_sided) >= 1  # both tails hold the observed value


@LAW
@given(d=VECTORS)
def test_rank_sums_add_up(d):
    n, z = d.size, int((d == 0).sum())
    totals = {"split": n * (n + 1) / 2, "pratt": n * (n + 1) / 2 - z * (z + 1) / 2, "wilcox": (n - z) * (n - z + 1) / 2}
    for zeros, total in totals.items():
        result = stats.wilcoxon(d, zeros=zeros)
        assert close(result.r_plus + result.r_minus, total)


@LAW
@given(d=VECTORS)
def test_split_and_pratt_have_the_same_exact_p_value(d):
    split, pratt = (stats.wilcoxon(d, zeros=zeros, method="exact").pvalue for zeros in ("split", "pratt"))
    assert split == pratt


@LAW
@given(d=VECTORS)
def test_sign_test_is_symmetric_and_counts(d):
    forward, backward = stats.sign_test(d), stats.sign_test(-d)
    assert (forward.wins, forward.losses) == (backward.losses, backward.wins)
    assert forward.wins + forward.losses + forward.ties == d.size
    assert close(forward.pvalue, backward.pvalue)


@LAW
@given(seed=SEEDS)
def test_exact_tends_to_normal(seed):
    d = np.random.default_rng(seed).normal(0.1, 1, 90)
    exact, normal = (stats.wilcoxon(d, method=method).pvalue for method in ("exact", "normal"))
    assert exact == pytest.approx(normal, abs=0.012)


# ---- tables ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OMNIBUS)
@LAW
@given(table=TABLES, seed=SEEDS)
def test_order_of_rows_and_columns_does_not_matter_to_an_omnibus_test(name, table, seed):
    rng = np.random.default_rng(seed)
    shuffled = table[rng.permutation(len(table))][:, rng.permutation(table.shape[1])]
    assert close(OMNIBUS[name](shuffled).pvalue, OMNIBUS[name](table).pvalue)
    assert close(OMNIBUS[name](shuffled).statistic, OMNIBUS[name](table).statistic)


@pytest.mark.parametrize("name", PAIRS)
@LAW
@given(table=TABLES, seed=SEEDS)
def test_order_of_rows_and_columns_permutes_the_pairs(name, table, seed):
    rng = np.random.default_rng(seed)
    columns = rng.permutation(table.shape[1])
    shuffled = table[rng.permutation(len(table))][:, columns]
    plain = PAIRS[name](table)
    by_pair = {frozenset(pair): p for pair, p in zip(plain.pairs, plain.pvalue, strict=True)}
    other = PAIRS[name](shuffled)
    for (i, j), p in zip(other.pairs, other.pvalue, strict=True):
        assert close(p, by_pair[frozenset((columns[i], columns[j]))])
        assert 0 < p <= 1


@LAW
@given(table=TABLES)
def test_monotone_transforms_of_each_data_set_keep_friedman(table):
    bent = np.exp(5 * table) * np.arange(1, len(table) + 1)[:, None]
    for field in ("statistic", "pvalue", "ff_pvalue", "mean_ranks"):
        assert close(getattr(stats.friedman(bent), field), getattr(stats.friedman(table), field))
    assert close(stats.nemenyi(bent).pvalue, stats.nemenyi(table).pvalue)


@LAW
@given(table=TABLES)
def test_reversing_the_scores_reverses_the_ranks(table):
    plain, reversed_ = stats.friedman(table), stats.friedman(-table)
    k = table.shape[1]
    assert close(plain.mean_ranks + reversed_.mean_ranks, np.full(k, k + 1.0))
    assert close(plain.statistic, reversed_.statistic)
    assert close(stats.friedman(table, greater_is_better=False).mean_ranks, reversed_.mean_ranks)


@LAW
@given(table=TABLES, shift=arrays(float, 9, elements=SCORES))
def test_easier_data_sets_do_not_matter(table, shift):
    moved = table + 7 * shift[: len(table), None]
    for function in (stats.quade, stats.aligned_friedman, stats.repeated_measures_anova):
        assert function(moved).pvalue == pytest.approx(function(table).pvalue, rel=1e-5, abs=1e-9, nan_ok=True)


@LAW
@given(d=VECTORS.filter(lambda d: d.size > 1))
def test_friedman_of_two_models_is_the_sign_test_s_normal_form(d):
    result = stats.sign_test(d)
    decided = result.wins + result.losses
    chi2 = stats.friedman(np.stack([d, np.zeros_like(d)], axis=1)).statistic
    expected = (result.wins - result.losses) ** 2 / decided if decided else np.nan
    assert close(chi2, expected)


@SLOW_LAW
@given(table=TABLES.filter(lambda t: t.size <= 20))
def test_exact_friedman_is_a_p_value_of_the_same_statistic(table):
    exact = stats.friedman(table, method="exact")
    assert 0 < exact.pvalue <= 1
    assert close(exact.statistic, stats.friedman(table).statistic)


@LAW
@given(table=TABLES)
def test_pairs_do_not_depend_on_the_other_models(table):
    alone = stats.wilcoxon_pairs(table[:, :2])
    assert close(stats.wilcoxon_pairs(table).pvalue[0], alone.pvalue[0])


# ---- adjustments -----------------------------------------------------------------------------------------------------

METHODS = ("bonferroni", "holm", "hochberg", "hommel", "finner", "li", "rom", "holland", "bh", "by")


@pytest.mark.parametrize("method", METHODS)
@LAW
@given(p=PVALUES, seed=SEEDS)
def test_adjusting_keeps_order_and_never_shrinks(method, p, seed):
    adjusted = stats.adjust(p, method)
    assert (adjusted >= p).all()
    assert (adjusted <= 1).all()
    order = np.argsort(p, kind="stable")
    assert (np.diff(adjusted[order]) >= -1e-12).all()
    shuffle = np.random.default_rng(seed).permutation(p.size)
    assert close(stats.adjust(p[shuffle], method), adjusted[shuffle])


@LAW
@given(p=PVALUES)
def test_the_ladder_of_procedures(p):
    by = {method: stats.adjust(p, method) for method in METHODS}
    for stronger, weaker in (
        ("holm", "bonferroni"),
        ("hochberg", "holm"),
        ("hommel", "hochberg"),
        ("holland", "holm"),
        ("finner", "holland"),
        ("rom", "holm"),
        ("bh", "hommel"),
        ("bh", "by"),
    ):
        assert (by[stronger] <= by[weaker] + 1e-12).all(), (stronger, weaker)


@LAW
@given(case=PAIR_PVALUES)
def test_logic_among_pairs_only_helps(case):
    k, p = case
    holm = stats.adjust(p, "holm")
    shaffer, bergmann = (stats.adjust_pairs(p, k, method) for method in ("shaffer", "bergmann"))
    assert (p <= bergmann).all()
    assert (bergmann <= shaffer + 1e-12).all()
    assert (shaffer <= holm + 1e-12).all()


@LAW
@given(case=PAIR_PVALUES, seed=SEEDS)
def test_naming_the_models_otherwise_permutes_the_adjusted_pairs(case, seed):
    k, p = case
    names = np.random.default_rng(seed).permutation(k)
    pairs = stats.all_pairs(k)
    where = {frozenset(pair): index for index, pair in enumerate(pairs)}
    moved = [where[frozenset((names[i], names[j]))] for i, j in pairs]
    for method in ("shaffer", "bergmann"):
        assert close(stats.adjust_pairs(p[moved], k, method), stats.adjust_pairs(p, k, method)[moved])


@LAW
@given(case=PAIR_PVALUES)
def test_groups_cover_all_models_and_hold_no_significant_pair(case):
    k, p = case
    groups = stats.indistinguishable_groups(p, k)
    assert {model for group in groups for model in group} == set(range(k))
    different = {pair for pair, value in zip(stats.all_pairs(k), p, strict=True) if value <= 0.05}
    assert not any({i, j} <= set(group) for group in groups for i, j in different)
