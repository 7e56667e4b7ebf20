"""What other packages answer about models over several data sets, beside ours and the oracle's (README)."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from bakeoff import stats
from oracle import cases

REASON = "a package we compare with, not needed by bakeoff: `make peers` installs it"


@pytest.fixture
def posthocs():
    return pytest.importorskip("scikit_posthocs", reason=REASON)


@pytest.fixture
def baycomp():
    return pytest.importorskip("baycomp", reason=REASON)


def demsar() -> np.ndarray:
    """Four models on 14 data sets, with one tie (Demšar 2006, table 6)."""
    return np.array(cases("friedman")[0]["input"]["scores"])


def case_of(procedure: str, start: str) -> dict:
    (found,) = [case for case in cases(procedure) if case["id"].startswith(start)]
    return found


@pytest.mark.filterwarnings("ignore")
def test_scipy_wilcoxon_with_ties_and_zeros_is_not_exact():
    """R's coin, exactRankTests and brute force: 0.025757. SciPy's "exact" uses the table for untied ranks."""
    case = case_of("wilcoxon", "S15b")
    differences, exact = np.array(case["input"]["differences"]), case["expected"]["p_exact_wilcox"]
    assert exact == pytest.approx(0.025757, abs=1e-6)
    assert scipy.stats.wilcoxon(differences, method="exact").pvalue == pytest.approx(0.029541, abs=1e-6)
    assert scipy.stats.wilcoxon(differences).pvalue == pytest.approx(0.027661, abs=1e-6)
    assert stats.wilcoxon(differences, zeros="wilcox").pvalue == pytest.approx(exact, rel=1e-12)


def test_scipy_wilcoxon_breaks_decimal_ties():
    """0.811 − 0.801 and 0.735 − 0.725 are a tie on paper and not in floating point."""
    case = case_of("wilcoxon", "S15c")
    a, b = np.array(case["input"]["a"]), np.array(case["input"]["b"])
    assert scipy.stats.wilcoxon(a, b).pvalue != pytest.approx(case["expected"]["p_exact_wilcox"], rel=0.05)
    assert stats.wilcoxon(a, b).pvalue == pytest.approx(case["expected"]["p_exact_wilcox"], rel=1e-12)


@pytest.mark.filterwarnings("ignore")
def test_autorank_tests_two_models_in_the_direction_the_data_show(rng):
    """Its p-value is half the two-sided one, whichever model happens to lead: 10 % false finds at a level of 5 %."""
    autorank = pytest.importorskip("autorank", reason=REASON)
    pandas = pytest.importorskip("pandas", reason=REASON)
    a = rng.exponential(size=15)
    b = a + rng.normal(0.1, 0.3, size=15)
    for scores in ((a, b), (b, a)):
        frame = pandas.DataFrame(dict(zip("xy", scores, strict=True)))
        theirs = autorank.autorank(frame, verbose=False, force_mode="nonparametric")
        assert theirs.omnibus == "wilcoxon"
        assert stats.wilcoxon(a, b).pvalue == pytest.approx(2 * theirs.pvalue, rel=1e-9)


@pytest.mark.filterwarnings("ignore")
def test_tukey_for_independent_groups_misses_what_pairing_shows(posthocs):
    """R's TukeyHSD(aov(y ~ block + treat)): p = 0.00046. SciPy and scikit-posthocs leave the blocks out: 0.156."""
    (case,) = cases("tukey_hsd_repeated")
    scores, expected = np.array(case["input"]["scores"]), np.array(case["expected"]["p_adj"])
    theirs = posthocs.posthoc_tukey_hsd(scores.T).to_numpy()
    assert theirs[0, 2] == pytest.approx(0.1564, abs=1e-3)
    assert scipy.stats.tukey_hsd(*scores.T).pvalue[0, 2] == pytest.approx(0.1564, abs=1e-3)
    assert stats.tukey(scores).pvalue == pytest.approx(expected, abs=1e-7)
    assert expected[1] < 0.0005


def test_dunnett_for_independent_groups_misses_what_pairing_shows():
    """R's glht(lm(y ~ block + treat), Dunnett): p = 0.00019. SciPy leaves the blocks out: 0.079."""
    (case,) = cases("dunnett_blocks")
    scores = np.array(case["input"]["scores"])
    assert scipy.stats.dunnett(*scores.T[1:], control=scores.T[0], rng=0).pvalue[1] == pytest.approx(0.079, abs=2e-3)
    assert stats.dunnett(scores, 0).pvalue == pytest.approx(case["expected"]["p"], abs=1e-6)


def test_scikit_posthocs_agrees_on_nemenyi_and_conover(posthocs):
    scores, upper = demsar(), np.triu_indices(4, 1)
    nemenyi = posthocs.posthoc_nemenyi_friedman(scores).to_numpy()[upper]
    conover = posthocs.posthoc_conover_friedman(scores).to_numpy()[upper]
    assert stats.nemenyi(scores).pvalue == pytest.approx(nemenyi, abs=1e-9)
    assert stats.conover(scores).pvalue == pytest.approx(conover, abs=1e-9)


def test_baycomp_agrees_on_the_correlated_t_test(baycomp):
    (case,) = cases("bayes_correlated_t")
    given = case["input"]
    a, b = np.array(given["a"]), np.array(given["b"])
    theirs = baycomp.two_on_single(a, b, rope=given["rope"], runs=given["runs"])
    result = stats.bayes_correlated_t(a - b, rho=1 / given["folds"], rope=given["rope"])
    assert (result.p_a_better, result.p_equivalent, result.p_b_better) == pytest.approx(theirs, abs=1e-12)


def test_baycomp_puts_a_difference_of_the_rope_outside_it(baycomp):
    """Six differences of exactly 0.01 and a ROPE of 0.01: floating point decides which of them count as equal."""
    a = np.array([0.81, 0.73, 0.65, 0.91, 0.55, 0.77])
    b = np.round(a - 0.01, 2)
    better, equal, _ = baycomp.two_on_multiple(a, b, rope=0.01, random_state=1)
    assert better > 0.9
    assert equal < 0.1
    result = stats.bayes_signed_rank(a, b, rope=0.01, rng=0)
    assert result.p_equivalent > 0.99


# ---- numbers printed in docs/coming-from ----------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
def test_autorank_of_demsar_s_table(capsys):
    """ANOVA by a look at each column, then a Tukey that forgets the data sets: four intervals that all overlap."""
    autorank = pytest.importorskip("autorank", reason=REASON)
    pandas = pytest.importorskip("pandas", reason=REASON)
    frame = pandas.DataFrame(demsar(), columns=["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"])
    theirs = autorank.autorank(frame, verbose=False)
    assert (theirs.omnibus, theirs.posthoc) == ("anova", "tukeyhsd")
    assert theirs.pvalue == pytest.approx(0.0088, abs=5e-5)
    assert theirs.rankdf["ci_lower"].max() < theirs.rankdf["ci_upper"].min()
    assert stats.tukey(demsar()).pvalue.min() == pytest.approx(0.013, abs=5e-4)
    ranked = autorank.autorank(frame, verbose=False, force_mode="nonparametric")
    assert ranked.cd == pytest.approx(stats.critical_difference(4, 14), abs=1e-5)
    two = autorank.autorank(frame[["C4.5", "C4.5+m+cf"]], verbose=False, force_mode="nonparametric")
    assert two.pvalue == pytest.approx(0.0079, abs=5e-5)


@pytest.mark.filterwarnings("ignore")
def test_scikit_posthocs_wilcoxon_and_quade_of_demsar_s_table(posthocs):
    pairs = posthocs.posthoc_wilcoxon(demsar().T, p_adjust="holm").to_numpy()
    assert pairs[0, 1] == pytest.approx(0.0645, abs=5e-5)
    ours = stats.adjust(stats.wilcoxon_pairs(demsar()).pvalue, "holm")
    assert ours[0] == pytest.approx(0.0469, abs=5e-5)
    assert posthocs.posthoc_quade(demsar()).to_numpy()[0, 1] == pytest.approx(0.039, abs=5e-4)
    assert posthocs.posthoc_quade(demsar(), dist="normal").to_numpy()[0, 1] == pytest.approx(0.0024, abs=5e-5)
    assert stats.quade_posthoc(demsar()).pvalue[0] == pytest.approx(0.057, abs=5e-4)


@pytest.mark.filterwarnings("ignore")
def test_baycomp_is_certain_of_a_constant_difference(baycomp):
    assert baycomp.two_on_single(np.full(10, 0.8), np.full(10, 0.7), rope=0.01) == (1.0, 0.0, 0.0)
    assert np.isnan(stats.bayes_correlated_t(np.full(10, 0.1), rho=0.1, rope=0.01).p_a_better)
