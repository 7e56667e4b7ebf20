"""The Bayesian correlated t-test against baycomp, scmamp, scikit-learn's example and Benavoli et al. 2017."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bakeoff._core.errors import ParameterError
from bakeoff.stats import bayes_correlated_t, corrected_t
from oracle import assert_case, cases, worked_examples


def test_agrees_with_baycomp() -> None:
    (case,) = cases("bayes_correlated_t")
    given = case["input"]
    differences = np.array(given["a"]) - given["b"]
    with_rope = bayes_correlated_t(differences, rho=1 / given["folds"], rope=given["rope"])
    without = bayes_correlated_t(differences, rho=1 / given["folds"])
    got = {
        "p_a_better": with_rope.p_a_better,
        "p_rope": with_rope.p_equivalent,
        "p_b_better": with_rope.p_b_better,
        "no_rope_p_a_better": without.p_a_better,
        "no_rope_p_b_better": without.p_b_better,
    }
    assert_case(case, got)


def test_all_54_data_sets_of_benavoli_2017() -> None:
    example = worked_examples("tests")["benavoli_2017"]
    nbc, aode = np.array(example["percent_correct"][0]), np.array(example["percent_correct"][1])
    for d, expected in zip(nbc - aode, example["independently_computed"]["correlated_t_p_54"], strict=True):
        result = bayes_correlated_t(d, rho=0.1)
        if expected is None:
            assert (result.p_equivalent, result.notes[0].code) == (1.0, "identical-models")
        else:
            assert 2 * min(result.p_a_better, result.p_b_better) == pytest.approx(expected, rel=1e-8, abs=1e-12)


@pytest.mark.parametrize(("name", "index"), [("anneal", 0), ("audiology", 1)])
def test_published_probabilities(name: str, index: int) -> None:
    example = worked_examples("tests")["benavoli_2017"]
    scores = np.array(example["percent_correct"])[:2, index] / 100
    result = bayes_correlated_t(scores[1] - scores[0], rho=0.1, rope=0.01)
    got = [result.p_a_better, result.p_equivalent, result.p_b_better]
    computed = example["independently_computed"][name]
    published = example["published"][f"{name}_aode_nbc_correlated_t_rope_0.01"]
    assert got == pytest.approx(computed, rel=1e-8)
    assert got == pytest.approx(published, abs=3e-4)


def test_published_posterior_of_one_data_set() -> None:
    example = worked_examples("tests")["benavoli_2017"]
    scores = np.array(example["percent_correct"])[:2, 45] / 100
    expected = example["published"]["index45_posterior_nbc_minus_aode"]
    result = bayes_correlated_t(scores[0] - scores[1], rho=0.1)
    assert result.mean == pytest.approx(expected["mean"], abs=1e-6)
    assert result.scale == pytest.approx(expected["scale"], rel=1e-5)
    assert result.df == expected["df"]


def test_scmamp_and_scikit_learn_examples() -> None:
    scmamp = worked_examples("tests")["scmamp_kcv_example_DB1"]
    d = np.array(scmamp["data"]["AlgC"]) - scmamp["data"]["AlgD"]
    result = bayes_correlated_t(d, rho=0.1, rope=0.01)
    expected = scmamp["independently_computed"]["bCorrelatedTtest_rope_0.01"]
    got = (result.p_b_better, result.p_equivalent, result.p_a_better)
    assert got == pytest.approx((expected["left"], expected["rope"], expected["right"]), abs=1e-9)

    learn = worked_examples("tests")["sklearn_plot_grid_search_stats"]
    d = np.array(learn["scores"]["rbf"]) - learn["scores"]["linear"]
    published = learn["published_in_docs_from_memory_reproduced"]["rbf_vs_linear"]
    assert bayes_correlated_t(d, rho=0.1).p_a_better == pytest.approx(published["P_rbf_better"], abs=5e-4)
    with_rope = bayes_correlated_t(d, rho=0.1, rope=0.01)
    assert with_rope.p_equivalent == pytest.approx(published["P_rope_0.01"], abs=5e-4)
    interval = with_rope.credible_interval(0.75)
    assert [interval.low, interval.high] == pytest.approx(published["interval_75"], abs=1e-6)


def test_without_rope_it_is_the_one_sided_corrected_t(rng: np.random.Generator) -> None:
    d = rng.normal(0.01, 0.03, 50)
    frequentist = corrected_t(d, n_train=9, n_test=1, alternative="greater")
    assert bayes_correlated_t(d, rho=0.1).p_b_better == pytest.approx(frequentist.pvalue, rel=1e-12)


def test_constant_difference_has_no_posterior() -> None:
    result = bayes_correlated_t([0.01] * 10, rho=0.1, rope=0.01)
    assert math.isnan(result.p_a_better)
    assert result.notes[0].code == "constant-difference"


@pytest.mark.parametrize(("rho", "rope", "name"), [(1.0, 0.0, "rho"), (-0.1, 0.0, "rho"), (0.1, -0.01, "rope")])
def test_parameters_out_of_range(rho: float, rope: float, name: str) -> None:
    with pytest.raises(ParameterError, match=f"{name} must be a finite number"):
        bayes_correlated_t([0.1, 0.2], rho=rho, rope=rope)
