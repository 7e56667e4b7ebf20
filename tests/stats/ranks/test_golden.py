"""Rank tests over data sets against R (base, coin, exactRankTests, car, multcomp), SciPy and published tables."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bakeoff import stats
from oracle import assert_case, cases, worked_examples

DEMSAR = worked_examples("tests")["demsar_2006"]
GH2008 = worked_examples("tests")["garcia_herrera_2008"]
GH2010 = worked_examples("tests")["garcia_2010"]
CONSTANTS = worked_examples("tests")["constants"]


def demsar_with_the_paper_s_ranks():
    """The printed table with the tie of 'voting' broken as the unrounded scores were."""
    table = np.array(DEMSAR["data"])
    table[12, 2] = 0.97501
    return table


def parameters(procedure):
    return [pytest.param(case, id=case["id"]) for case in cases(procedure)]


# --- two models -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", parameters("wilcoxon"))
def test_wilcoxon_cases(case):
    given = case["input"]
    a, b = (given["a"], given["b"]) if "a" in given else (given.get("x"), given.get("y"))
    a, b = (given["differences"], None) if a is None else (a, b)
    for zeros in ("wilcox", "pratt"):
        exact = stats.wilcoxon(a, b, zeros=zeros, method="exact")
        normal = stats.wilcoxon(a, b, zeros=zeros, method="normal")
        got = {
            "n": exact.n,
            "n_zero": exact.n_zero,
            f"W_plus_{zeros}": exact.r_plus,
            f"W_minus_{zeros}": exact.r_minus,
            f"p_exact_{zeros}": exact.pvalue,
            f"p_asym_{zeros}": normal.pvalue,
        }
        assert_case(case, got)


def test_wilcoxon_of_demsar_s_table_2():
    plain, tuned = np.array(DEMSAR["data"])[:, :2].T
    published = DEMSAR["published"]["wilcoxon_table2"]
    computed = DEMSAR["independently_computed"]["wilcoxon_C45_vs_C45m"]
    result = stats.wilcoxon(tuned, plain)
    assert (result.r_plus, result.r_minus, result.statistic) == (93, 12, published["T"])
    assert result.n == published["N"]
    assert result.pvalue == pytest.approx(computed["exact_zsplit"]["p"], rel=1e-12)
    for zeros, key in (("wilcox", "drop_zeros"), ("pratt", "pratt"), ("split", "zsplit")):
        exact = stats.wilcoxon(tuned, plain, zeros=zeros, method="exact")
        normal = stats.wilcoxon(tuned, plain, zeros=zeros, method="normal")
        assert exact.pvalue == pytest.approx(computed[f"exact_{key}"]["p"], rel=1e-12)
        assert normal.pvalue == pytest.approx(computed[f"asymptotic_{key}"]["p"], rel=1e-9)


@pytest.mark.parametrize("case", parameters("sign_test"))
def test_sign_test_case(case):
    result = stats.sign_test(case["input"]["differences"])
    interval = result.confidence_interval(0.95)
    got = {
        "n_pos": result.wins,
        "n_neg": result.losses,
        "n_zero": result.ties,
        "p_two_sided": result.pvalue,
        "p_greater": stats.sign_test(case["input"]["differences"], alternative="greater").pvalue,
        "ci95_win_prob": [interval.low, interval.high],
    }
    assert_case(case, got)


def test_sign_test_of_demsar_s_table_2():
    plain, tuned = np.array(DEMSAR["data"])[:, :2].T
    computed = DEMSAR["independently_computed"]["sign_test_exact_two_sided"]
    dropped, shared = stats.sign_test(tuned, plain), stats.sign_test(tuned, plain, ties="split")
    assert dropped.pvalue == pytest.approx(computed["10_of_12_ties_dropped"], rel=1e-12)
    assert shared.pvalue == pytest.approx(computed["11_of_14"], rel=1e-12)


def test_sign_test_critical_values_of_demsar_s_table_3():
    table = CONSTANTS["demsar_table3_sign_test"]
    for n, two_sided, one_sided in zip(
        table["N"], table["exact_two_sided_w05"], table["exact_one_sided_w05"], strict=True
    ):
        wins = range(n + 1)

        def smallest(alternative, n=n, wins=wins):
            p = [stats.sign_test([1] * w + [-1] * (n - w), alternative=alternative).pvalue for w in wins]
            found = [w for w in wins if w > n / 2 and p[w] <= 0.05]
            return min(found) if found else None

        assert smallest("two-sided") == two_sided
        assert smallest("greater") == one_sided


# --- omnibus ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", parameters("friedman"))
def test_friedman_cases(case):
    result = stats.friedman(case["input"]["scores"])
    got = {
        "mean_ranks_1_is_best": result.mean_ranks,
        "chi2": result.statistic,
        "df": result.df,
        "p": result.pvalue,
        "iman_davenport": {
            "F": result.ff_statistic,
            "df1": result.ff_df[0],
            "df2": result.ff_df[1],
            "p": result.ff_pvalue,
        },
        "kendalls_w": result.kendalls_w,
    }
    assert_case(case, got)


def test_friedman_of_demsar_with_the_tie_broken_as_in_the_paper():
    result = stats.friedman(demsar_with_the_paper_s_ranks())
    published = DEMSAR["published"]
    computed = DEMSAR["independently_computed"]["from_tie_broken_table"]
    assert result.mean_ranks == pytest.approx(published["average_ranks"], abs=5e-4)
    assert result.statistic == pytest.approx(computed["chi2_tie_corrected"], rel=1e-9)
    assert result.ff_pvalue == pytest.approx(computed["p_F_tie"], rel=1e-9)
    # the paper's own 9.28 and 3.69 lack the tie correction: Σ(t³ − t) = 60 + 6 + 6 of its tied rows
    n, k = 14, 4
    uncorrected = result.statistic * (1 - (60 + 6 + 6 + 6) / (n * (k**3 - k)))
    assert uncorrected == pytest.approx(published["friedman_chi2"], abs=5e-3)
    assert (n - 1) * uncorrected / (n * (k - 1) - uncorrected) == pytest.approx(published["iman_davenport_F"], abs=5e-3)


def test_exact_friedman_of_demsar_s_table():
    pvalue = stats.friedman(DEMSAR["data"], method="exact").pvalue
    simulated = DEMSAR["independently_computed"]["friedman_permutation_p_200k_MC_printed_table"]
    assert pvalue == pytest.approx(simulated, abs=3 * math.sqrt(pvalue / 200_000))


@pytest.mark.parametrize(("paper", "corrected"), [(GH2008, True), (GH2010, True)], ids=["2008", "2010"])
def test_friedman_of_garcia_and_herrera(paper, corrected):
    result = stats.friedman(paper["data"])
    computed = paper["independently_computed"]["friedman"]
    assert result.mean_ranks == pytest.approx(computed["average_ranks"], rel=1e-9)
    assert result.statistic == pytest.approx(computed["chi2_tie_corrected"], rel=1e-9)
    assert result.pvalue == pytest.approx(computed["p_chi2_tie"], rel=1e-9)
    assert result.ff_statistic == pytest.approx(computed["F_tie_corrected"], rel=1e-9)
    assert result.ff_pvalue == pytest.approx(computed["p_F_tie"], rel=1e-9)
    assert result.kendalls_w == pytest.approx(computed["kendall_W_tie_corrected"], rel=1e-9)


@pytest.mark.parametrize("case", parameters("quade"))
def test_quade_case(case):
    result = stats.quade(case["input"]["scores"])
    assert_case(case, {"F": result.statistic, "df1": result.df[0], "df2": result.df[1], "p": result.pvalue})


@pytest.mark.parametrize("paper", [GH2008, GH2010], ids=["2008", "2010"])
def test_quade_of_garcia_and_herrera(paper):
    statistic, pvalue = paper["independently_computed"]["quade_R_quade.test"]
    result = stats.quade(paper["data"])
    assert result.statistic == pytest.approx(statistic, rel=1e-9)
    assert result.pvalue == pytest.approx(pvalue, rel=1e-9)


def test_quade_of_demsar():
    computed = DEMSAR["independently_computed"]["quade"]
    result = stats.quade(DEMSAR["data"])
    assert result.statistic == pytest.approx(computed["F_R_quade.test"], rel=1e-9)
    assert result.pvalue == pytest.approx(computed["p"], rel=1e-8)


@pytest.mark.parametrize("case", parameters("aligned_friedman"))
def test_aligned_friedman_cases(case):
    result = stats.aligned_friedman(case["input"]["scores"])
    got = {
        "T": result.statistic,
        "df": result.df,
        "p": result.pvalue,
        "mean_aligned_ranks_1_is_best": result.mean_ranks,
    }
    assert_case(case, got)


@pytest.mark.parametrize("case", parameters("rm_anova"))
def test_rm_anova_case(case):
    result = stats.repeated_measures_anova(case["input"]["scores"])
    got = {
        "F": result.statistic,
        "df1": result.df[0],
        "df2": result.df[1],
        "p": result.pvalue,
        "ss_treat": result.ss_models,
        "ss_error": result.ss_error,
        "mauchly_W": result.mauchly_w,
        "mauchly_p": result.mauchly_pvalue,
        "gg_eps": result.epsilon_gg,
        "p_gg": result.pvalue_gg,
        "hf_eps": result.epsilon_hf,
        "p_hf": result.pvalue_hf,
        "partial_eta_sq": result.partial_eta_squared,
    }
    assert_case(case, got)


def test_rm_anova_of_demsar():
    computed = DEMSAR["independently_computed"]["rm_anova"]
    result = stats.repeated_measures_anova(DEMSAR["data"])
    assert result.statistic == pytest.approx(computed["F"], abs=5e-6)
    assert list(result.df) == computed["df"]
    assert result.pvalue == pytest.approx(computed["p"], abs=5e-8)
    assert result.mauchly_w == pytest.approx(computed["mauchly_W"], abs=5e-9)
    assert result.mauchly_pvalue == pytest.approx(computed["mauchly_p"], abs=5e-9)
    assert result.epsilon_gg == pytest.approx(computed["gg_eps"], abs=5e-8)
    assert result.pvalue_gg == pytest.approx(computed["p_gg"], abs=5e-7)
    assert result.epsilon_hf == pytest.approx(computed["hf_eps"], abs=5e-10)
    assert result.pvalue_hf == pytest.approx(computed["p_hf"], abs=5e-11)


# --- post hoc ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", parameters("friedman_posthoc"))
def test_friedman_posthoc_cases(case):
    scores = case["input"]["scores"]
    n, k = np.shape(scores)
    nemenyi, pairs, conover = stats.nemenyi(scores), stats.friedman_pairs(scores), stats.conover(scores)
    control = stats.friedman_control(scores, case["input"]["control_1based"] - 1)
    dunn = stats.bonferroni_dunn(scores, case["input"]["control_1based"] - 1)
    got = {
        "pairs_1based": [[i + 1, j + 1] for i, j in nemenyi.pairs],
        "rank_diff": np.abs(nemenyi.estimate),
        "z": np.abs(pairs.statistic),
        "siegel_p_unadjusted": pairs.pvalue,
        "siegel_p_holm": stats.adjust(pairs.pvalue, "holm"),
        "siegel_p_bh": stats.adjust(pairs.pvalue, "bh"),
        "nemenyi_q": nemenyi.statistic,
        "nemenyi_p": nemenyi.pvalue,
        "nemenyi_cd_0.05": stats.critical_difference(k, n),
        "nemenyi_cd_0.10": stats.critical_difference(k, n, confidence_level=0.90),
        "bonferroni_dunn_cd_0.05": stats.critical_difference(k, n, kind="bonferroni-dunn"),
        "conover_t": conover.statistic,
        "conover_df": conover.df,
        "conover_p_unadjusted": conover.pvalue,
        "conover_p_holm": stats.adjust(conover.pvalue, "holm"),
        "control_others_1based": [j + 1 for j in control.others],
        "control_z": control.statistic,
        "control_p": control.pvalue,
        "control_p_holm": stats.adjust(control.pvalue, "holm"),
        "control_p_hommel": stats.adjust(control.pvalue, "hommel"),
        "control_p_bonferroni": dunn.pvalue,
    }
    assert_case(case, got)


def test_demsar_s_comparisons_with_a_control():
    published = DEMSAR["published"]
    table = demsar_with_the_paper_s_ranks()
    result = stats.friedman_control(table, 0)
    names = [DEMSAR["algorithms"][j] for j in result.others]
    # the paper prints 2.342 as (3.143 − 2.000)/0.488; full precision gives 2.34216
    assert np.abs(result.statistic) == pytest.approx([published["z_vs_control"][m] for m in names], abs=2e-3)
    assert result.pvalue == pytest.approx([published["p_vs_control"][m] for m in names], abs=2e-3)
    for method in ("holm", "hochberg", "hommel"):
        rejected = {m for m, p in zip(names, stats.adjust(result.pvalue, method), strict=True) if p <= 0.05}
        assert rejected == set(published["rejected_by_holm_hochberg_hommel"])
    dunn = stats.bonferroni_dunn(table, 0)
    assert [m for m, p in zip(names, dunn.pvalue, strict=True) if p <= 0.05] == published["rejected_by_bonferroni_dunn"]


def test_demsar_s_nemenyi_conclusions():
    result = stats.nemenyi(demsar_with_the_paper_s_ranks())
    assert (result.pvalue > 0.05).all()
    assert [pair for pair, p in zip(result.pairs, result.pvalue, strict=True) if p <= 0.10] == [(0, 1), (0, 3)]


def test_critical_difference_constants():
    for key, level in (("nemenyi_q_05_true", 0.95), ("nemenyi_q_10_true", 0.90), ("nemenyi_q_01_true", 0.99)):
        for k, q in CONSTANTS[key].items():
            k = int(k)
            unit = math.sqrt(k * (k + 1) / (6 * 20))
            assert stats.critical_difference(k, 20, confidence_level=level) == pytest.approx(q * unit, rel=1e-10)
    for k, q in CONSTANTS["bonferroni_dunn_05_true"].items():
        k = int(k)
        unit = math.sqrt(k * (k + 1) / (6 * 20))
        assert stats.critical_difference(k, 20, kind="bonferroni-dunn") == pytest.approx(q * unit, rel=1e-10)


@pytest.mark.parametrize("paper", [DEMSAR, GH2008, GH2010], ids=["demsar", "2008", "2010"])
def test_posthocs_with_the_permutation_variance(paper):
    computed = paper["independently_computed"]
    found = computed.get("posthoc_permutation_variance") or computed["posthoc_permutation_variance_recommended"]
    for name, function in (("quade", stats.quade_posthoc), ("aligned", stats.aligned_posthoc)):
        result = function(paper["data"])
        for (i, j), z, p in zip(result.pairs, result.statistic, result.pvalue, strict=True):
            assert z == pytest.approx(found[name][f"{i}-{j}"]["z"], rel=1e-9, abs=1e-12)
            assert p == pytest.approx(found[name][f"{i}-{j}"]["p"], rel=1e-8)


@pytest.mark.parametrize("case", parameters("tukey_hsd_repeated"))
def test_tukey_case(case):
    result = stats.tukey(case["input"]["scores"])
    got = {
        "pairs_1based": [[i + 1, j + 1] for i, j in result.pairs],
        "diff": -result.estimate,  # R's difference is second − first
        "q": result.statistic,
        "lower": -result.high,
        "upper": -result.low,
        "p_adj": result.pvalue,
        "df_error": result.df,
        "hsd_0.05": (result.high[0] - result.low[0]) / 2,
    }
    assert_case({**case, "tolerance": {**case["tolerance"], "per_key": per_key(case)}}, got)


def per_key(case):
    """R's qtukey is good to about 1e-9: the half-width gets the tolerance of the limits it makes."""
    return {**case["tolerance"]["per_key"], "hsd_0.05": case["tolerance"]["per_key"]["lower"]}


def test_tukey_of_demsar():
    computed = DEMSAR["independently_computed"]["tukey_blocked_model_p"]
    names = DEMSAR["algorithms"]
    result = stats.tukey(DEMSAR["data"])
    for (i, j), p in zip(result.pairs, result.pvalue, strict=True):
        assert p == pytest.approx(computed[f"{names[i]}-{names[j]}"], abs=5e-5)
    signed = result.statistic / math.sqrt(2) * np.sign(result.estimate)
    assert signed == pytest.approx(computed["t_ratio"], abs=5e-4)


@pytest.mark.parametrize("case", parameters("dunnett_blocks"))
def test_dunnett_case(case):
    result = stats.dunnett(case["input"]["scores"], case["input"]["control_1based"] - 1)
    assert_case(case, {"t": result.statistic, "df": result.df, "p": result.pvalue})
    assert result.pvalue == pytest.approx(case["expected"]["p"], rel=1e-9)


def test_dunnett_of_demsar():
    computed = DEMSAR["independently_computed"]["dunnett_blocked_model_p_vs_C45"]
    result = stats.dunnett(DEMSAR["data"], 0)
    assert result.pvalue == pytest.approx([computed[DEMSAR["algorithms"][j]] for j in result.others], abs=2e-4)


# --- adjustments ------------------------------------------------------------------------------------------------------

METHODS = {"bonf": "bonferroni"} | {
    m: m for m in ("holm", "hochberg", "hommel", "finner", "li", "rom", "holland", "shaffer", "bergmann")
}


@pytest.mark.parametrize("case", parameters("p_adjust"))
def test_adjust_cases(case):
    assert_case(case, {key: stats.adjust(case["input"]["p"], key.lower()) for key in case["expected"]})


def in_pair_order(paper, rows):
    names, by_name = paper["algorithms"], {row["pair"]: row for row in rows}
    return [by_name[f"{names[i]} vs {names[j]}"] for i, j in stats.all_pairs(len(names))]


@pytest.mark.parametrize(
    ("paper", "key"),
    [
        (DEMSAR, "scmamp_printed"),
        (DEMSAR, "scmamp_tie_broken"),
        (GH2008, "all_pairs_table_scmamp"),
        (GH2010, "all_pairs_table_scmamp"),
    ],
    ids=["demsar", "demsar-unrounded", "2008", "2010"],
)
def test_every_adjustment_of_all_pairs(paper, key):
    rows = in_pair_order(paper, paper["independently_computed"][key])
    raw = [row["raw"] for row in rows]
    k = len(paper["algorithms"])
    for column, method in METHODS.items():
        adjust = (
            stats.adjust(raw, method) if method not in ("shaffer", "bergmann") else stats.adjust_pairs(raw, k, method)
        )
        assert adjust == pytest.approx([row[column] for row in rows], rel=1e-9, abs=1e-15), method
    data = demsar_with_the_paper_s_ranks() if key == "scmamp_tie_broken" else paper["data"]
    assert stats.friedman_pairs(data).pvalue == pytest.approx(raw, rel=1e-8)


@pytest.mark.parametrize(("paper", "key"), [(GH2008, "vs_control_C4.5"), (GH2010, "vs_control_PDFC")])
def test_every_adjustment_against_a_control(paper, key):
    rows = paper["independently_computed"][key]
    raw = [row["raw"] for row in rows]
    result = stats.friedman_control(paper["data"], 0)
    assert [paper["algorithms"][j] for j in result.others] == [row["alg"] for row in rows]
    assert result.pvalue == pytest.approx(raw, rel=1e-8)
    for column, method in METHODS.items():
        if column in rows[0]:
            assert stats.adjust(raw, method) == pytest.approx([row[column] for row in rows], rel=1e-9), method


# --- degenerate input -------------------------------------------------------------------------------------------------


def test_degenerate_inputs():
    (case,) = cases("degenerate_inputs")
    perfect, tied = case["input"]["friedman_perfect"], case["input"]["friedman_all_tied"]
    result, exact, nothing = stats.friedman(perfect), stats.friedman(perfect, method="exact"), stats.friedman(tied)
    got = {
        "friedman_chi2": result.statistic,
        "friedman_p_chi2": result.pvalue,
        "iman_davenport_F": result.ff_statistic,
        "iman_davenport_p": result.ff_pvalue,
        "friedman_exact_p": exact.pvalue,
        "friedman_all_tied_chi2": nothing.statistic,
        "wilcoxon_p": stats.wilcoxon(case["input"]["wilcoxon_all_zero_differences"]).pvalue,
    }
    assert_case(case, got)
    assert result.ff_pvalue > 0
    assert "perfect-agreement" in [note.code for note in result.notes]
    assert (nothing.pvalue, nothing.ff_pvalue) == (1, 1)
    assert "identical-models" in [note.code for note in nothing.notes]
