from __future__ import annotations

import warnings

import numpy as np
import pytest

from bakeoff import Predictions, compare
from bakeoff._core.errors import EvidenceError
from bakeoff.stats import delong_interval, delong_many, delong_test, delong_unpaired
from bakeoff.stats.roc import auc_covariance
from oracle import assert_case, cases, worked_examples

ASAH = worked_examples("roc_cost")["pROC_aSAH"]


def _naive_covariance(y: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """DeLong by the n⁺ × n⁻ table of comparisons."""
    tables = [
        np.sign(s[y][:, None] - s[~y][None, :]) / 2 + 0.5
        for s in np.where(np.isinf(scores), np.sign(scores) * 1e300, scores).T
    ]
    up, down = np.array([t.mean(1) for t in tables]), np.array([t.mean(0) for t in tables])
    n_up, n_down = y.sum(), (~y).sum()
    return up.mean(1), np.atleast_2d(np.cov(up)) / n_up + np.atleast_2d(np.cov(down)) / n_down


def test_golden_intervals_from_proc() -> None:
    (case,) = cases("auc_delong")
    got = {}
    for name, score in case["input"]["scores"].items():
        r = delong_interval(case["input"]["y"], score, method="wald")
        got[name] = {"auc": r.estimate, "var_delong": r.standard_error**2, "ci95": [r.low, r.high]}
    assert_case(case, got)


def test_golden_paired_from_proc() -> None:
    (case,) = cases("delong_paired")
    y, scores = case["input"]["y"], case["input"]["scores"]
    got = {}
    for a, b in case["input"]["pairs"]:
        r = delong_test(y, scores[a], scores[b])
        interval = r.confidence_interval(0.95)
        _, covariance = auc_covariance(np.array(y) == 1, np.column_stack([scores[a], scores[b]]).astype(float))
        got[f"{a}_vs_{b}"] = {
            "z": r.statistic,
            "p_two_sided": r.pvalue,
            "auc_difference": r.estimate,
            "covariance": covariance[0, 1],
            "ci95_difference": [interval.low, interval.high],
        }
    assert_case(case, got)


def test_golden_unpaired_from_proc() -> None:
    (case,) = cases("delong_unpaired")
    i = case["input"]
    r = delong_unpaired(i["y1"], i["s1"], i["y2"], i["s2"])
    assert_case(case, {"auc1": r.auc_a, "auc2": r.auc_b, "D": r.statistic, "df": r.df, "p_t": r.pvalue})


def test_asah_three_markers_at_once() -> None:
    y, scores = ASAH["y_outcome_Poor"], np.column_stack([ASAH[m] for m in ("s100b", "ndka", "wfns")])
    r = delong_many(y, scores)
    assert r.covariance == pytest.approx(np.array(ASAH["covariance"]), rel=1e-12)
    assert r.df == 2
    assert (r.statistic, r.pvalue) == pytest.approx(
        (ASAH["global_chi2_df2_three_markers"]["chi2"], ASAH["global_chi2_df2_three_markers"]["p"]), rel=1e-9
    )


def test_asah_pairs() -> None:
    y = ASAH["y_outcome_Poor"]
    for name, expected in ASAH["delong_paired"].items():
        a, b, kind = name.split("_")
        if kind == "paired":
            r = delong_test(y, ASAH[a], ASAH[b])
        else:
            r = delong_unpaired(y, ASAH[a], y, ASAH[b])
            assert r.df == pytest.approx(expected["par"], rel=1e-9)
        assert (r.statistic, r.pvalue) == pytest.approx((expected["statistic"], expected["p"]), rel=1e-9)


@pytest.mark.parametrize("example", ["fawcett2006_20", "seed000_20_as_printed"])
def test_twenty_instances(example: str) -> None:
    e = worked_examples("roc_cost")[example]
    logit, wald = (delong_interval(e["y"], e["score"], method=m) for m in ("logit", "wald"))
    assert logit.standard_error**2 == pytest.approx(e["delong_var"], rel=1e-12)
    assert (wald.low, wald.high) == pytest.approx(e["delong_ci95"], rel=1e-9)
    assert (logit.low, logit.high) == pytest.approx(e["delong_logit_ci95"], rel=1e-9)


@pytest.mark.parametrize("distinct", [2, 5, 1000])
def test_ties_are_exact_against_the_table_of_pairs(distinct: int, rng: np.random.Generator) -> None:
    y = rng.random(80) < 0.3
    scores = rng.integers(0, distinct, (80, 4)).astype(float) - distinct / 2
    scores[rng.random((80, 4)) < 0.05] = np.inf
    aucs, covariance = auc_covariance(y, scores)
    expected_aucs, expected = _naive_covariance(y, scores)
    assert aucs == pytest.approx(expected_aucs, rel=1e-13)
    assert covariance == pytest.approx(expected, rel=1e-11, abs=1e-16)


def test_identical_models_give_p_one_with_a_note() -> None:
    (case,) = cases("degenerate_inputs")
    y, s = case["input"]["roc_y"], case["input"]["roc_scores_compared_with_themselves"]
    r = delong_test(y, s, s)
    assert_case(case, {"delong_same_scores_z": r.statistic, "delong_same_scores_p": r.pvalue})
    assert [n.code for n in r.notes] == ["identical-models"]
    interval = r.confidence_interval()
    assert interval.low < 0 < interval.high
    monotone = delong_test(y, s, np.exp(s))
    assert monotone.pvalue == 1.0


def test_perfect_ranking_has_a_wide_interval_with_a_warning() -> None:
    (case,) = cases("degenerate_inputs")
    r = delong_interval(case["input"]["roc_y"], case["input"]["roc_perfect_scores"])
    assert_case(case, {"auc_perfect": r.estimate, "auc_perfect_var_delong": r.standard_error**2})
    assert r.high == 1.0
    assert 0.3 < r.low < 0.8
    assert (r.method, r.notes[0].code, r.notes[0].level) == ("newcombe", "auc-variance-undefined", "warning")
    reversed_ = delong_interval(case["input"]["roc_y"], -np.array(case["input"]["roc_perfect_scores"]))
    assert (reversed_.low, reversed_.high) == pytest.approx((0.0, 1.0 - r.low))


def test_perfect_interval_narrows_with_rows() -> None:
    lows = []
    for n in (5, 50, 500):
        r = delong_interval([0] * n + [1] * n, np.arange(2 * n), method="wald")
        lows.append(r.low)
    assert lows[0] < lows[1] < lows[2] < 1.0
    assert lows[2] > 0.98


def test_difference_of_variance_zero_has_the_p_value_of_its_interval() -> None:
    """p was undefined beside an interval that leaves out zero; `compare` gives the same answer."""
    y = [0, 0, 0, 1, 1, 1]
    for alternative in ("two-sided", "greater", "less"):
        perfect, constant = list(range(30)), [1.0] * 30
        r = delong_test([0] * 15 + [1] * 15, perfect, constant, alternative=alternative)
        if alternative != "less":
            edge = r.confidence_interval(1 - r.pvalue * (1 if alternative == "two-sided" else 2))
            assert edge.low == pytest.approx(0, abs=1e-6)
        assert (r.pvalue < 0.05) == (alternative != "less")
        rows = Predictions.from_arrays([0] * 15 + [1] * 15, y_score={"a": perfect, "b": constant}, pos_label=1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pair = compare(rows, "auc", test="delong", alternative=alternative).pair("a", "b")
        assert pair.pvalue == r.pvalue
    r = delong_test(y, [1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1])
    assert np.isposinf(r.statistic)
    assert r.notes[0].code == "auc-variance-zero"
    interval = r.confidence_interval()
    assert interval.low < 1.0 == interval.high
    many = delong_many(y, np.column_stack([[1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1]]))
    assert np.isnan(many.pvalue)
    assert many.notes[0].code == "auc-variance-zero"


def test_single_positive_is_answered_without_nan_limits() -> None:
    y, s = [1, 0, 0, 0, 0], [0.6, 0.9, 0.1, 0.2, 0.3]
    r = delong_interval(y, s)
    assert r.estimate == 0.75
    assert 0.0 < r.low < 0.75 < r.high < 1.0
    assert "single row" in r.notes[0].message
    t = delong_test(y, s, s[::-1])
    assert t.pvalue > 0.05
    assert t.notes[0].code == "auc-variance-undefined"
    assert t.confidence_interval().low < t.confidence_interval().high


def test_redundant_models_lower_the_degrees_of_freedom(rng: np.random.Generator) -> None:
    y = rng.random(60) < 0.5
    s = rng.normal(size=(60, 3))
    three = delong_many(y, s)
    five = delong_many(y, np.column_stack([s, np.exp(s[:, 0]), 3 * s[:, 2]]))
    assert (five.df, five.notes[0].code) == (2, "redundant-models")
    assert five.statistic == pytest.approx(three.statistic, rel=1e-8)
    same = delong_many(y, np.column_stack([s[:, 0]] * 3))
    assert (same.pvalue, same.df, same.notes[0].code) == (1.0, 0, "identical-models")


def test_two_models_chi_square_is_z_squared(rng: np.random.Generator) -> None:
    y = rng.random(60) < 0.5
    s = rng.normal(size=(60, 2)) + y[:, None]
    pair, many = delong_test(y, s[:, 0], s[:, 1]), delong_many(y, s)
    assert many.statistic == pytest.approx(pair.statistic**2, rel=1e-10)
    assert many.pvalue == pytest.approx(pair.pvalue, rel=1e-9)


def test_alternatives_and_swap(rng: np.random.Generator) -> None:
    y = rng.random(50) < 0.5
    a, b = rng.normal(size=50) + y, rng.normal(size=50)
    two, greater, less = (delong_test(y, a, b, alternative=x) for x in ("two-sided", "greater", "less"))
    assert two.estimate > 0
    assert greater.pvalue == pytest.approx(two.pvalue / 2)
    assert less.pvalue == pytest.approx(1 - two.pvalue / 2)
    assert delong_test(y, b, a, alternative="less").pvalue == pytest.approx(greater.pvalue)


def test_clusters_of_one_row_are_delong_but_for_the_cross_term(rng: np.random.Generator) -> None:
    y = rng.random(40) < 0.5
    s = rng.normal(size=40) + y
    plain, singles = delong_interval(y, s), delong_interval(y, s, groups=np.arange(40))
    assert singles.standard_error == pytest.approx(plain.standard_error, rel=1e-12)


def test_duplicated_rows_in_clusters_do_not_shrink_the_error(rng: np.random.Generator) -> None:
    y = rng.random(60) < 0.5
    s = rng.normal(size=60) + y
    once = delong_interval(y, s)
    rows = np.repeat(np.arange(60), 5)
    pooled, clustered = delong_interval(y[rows], s[rows]), delong_interval(y[rows], s[rows], groups=rows)
    assert pooled.standard_error < 0.5 * once.standard_error
    assert clustered.standard_error == pytest.approx(once.standard_error, rel=1e-9)


def test_bad_input_is_named() -> None:
    with pytest.raises(EvidenceError, match="no positive one among 3 rows"):
        delong_interval([0, 0, 0], [1, 2, 3])
    with pytest.raises(EvidenceError, match="score_b must have one score per row"):
        delong_test([0, 1], [1, 2], [1, 2, 3])
    with pytest.raises(EvidenceError, match="first at row 1, column 0"):
        delong_many([0, 1], [[1, 2], [np.nan, 3]])
    with pytest.raises(EvidenceError, match="one label per row"):
        delong_interval([0, 1, 1], [1, 2, 3], groups=[1, 2])
    with pytest.raises(EvidenceError, match="at least two models"):
        delong_many([0, 1], [[1], [2]])


def test_few_rows_of_a_class_are_warned_of(rng: np.random.Generator) -> None:
    y, s = np.arange(40) < 4, rng.normal(size=(40, 2))
    assert [n.code for n in delong_interval(y, s[:, 0]).notes] == ["few-rows-of-a-class"]
    assert "Only 4 positive rows" in delong_test(y, s[:, 0], s[:, 1]).notes[0].message
    assert delong_interval(np.arange(40) < 20, s[:, 0]).notes == ()


def test_scores_one_rounding_apart_are_told_apart(rng: np.random.Generator) -> None:
    y, steps = rng.random(200) < 0.5, rng.permutation(200)
    scores = np.column_stack([1.0 + steps * np.finfo(float).eps, steps.astype(float), -1.0 - steps * 2.0**-52])
    aucs, covariance = auc_covariance(y, scores)
    assert aucs[0] == aucs[1] == pytest.approx(1.0 - aucs[2], abs=1e-15)
    assert covariance[0, 0] == pytest.approx(covariance[1, 1], rel=1e-14)


def _coverage(n_positive: int, n_negative: int, area: float, repeats: int, rng: np.random.Generator) -> float:
    from scipy.special import ndtri

    y = np.arange(n_positive + n_negative) < n_positive
    scores = rng.normal(size=(repeats, y.size)) + y * np.sqrt(2) * ndtri(area)
    intervals = [delong_interval(y, s) for s in scores]
    return float(np.mean([i.low <= area <= i.high for i in intervals]))


@pytest.mark.parametrize(("n_positive", "n_negative", "area"), [(10, 10, 0.97), (30, 30, 0.995), (30, 30, 0.8)])
def test_coverage_near_the_edge(n_positive: int, n_negative: int, area: float, rng: np.random.Generator) -> None:
    # Half of the samples at (30, 30, 0.995) rank perfectly or nearly so; DeLong alone would cover none of those.
    assert _coverage(n_positive, n_negative, area, 400, rng) > 0.92


@pytest.mark.slow
@pytest.mark.parametrize("area", [0.7, 0.9, 0.97, 0.995])
@pytest.mark.parametrize("sizes", [(10, 10), (10, 50), (30, 30), (100, 20)])
def test_coverage_of_the_logit_interval(sizes: tuple[int, int], area: float, rng: np.random.Generator) -> None:
    # Lowest seen: 0.923 with 20 rows of one class at 0.97; the normal quantile knows nothing of a class's size.
    assert 0.915 < _coverage(*sizes, area, 4000, rng) < 0.99


def test_clustered_variance_holds_its_level(rng: np.random.Generator) -> None:
    n_clusters, repeats, rejected = 60, 300, np.zeros(2)
    for _ in range(repeats):
        cluster = np.repeat(np.arange(n_clusters), rng.integers(1, 7, n_clusters))
        y = (rng.random(n_clusters) < 0.4)[cluster]
        a, b = (rng.normal(size=n_clusters)[cluster] + rng.normal(size=y.size) + y for _ in range(2))
        rejected += [delong_test(y, a, b, groups=g).pvalue < 0.05 for g in (None, cluster)]
    plain, clustered = rejected / repeats
    assert plain > 0.12  # dependent rows taken as independent
    assert clustered < 0.09
