"""The corrected resampled t-test against Weka, R, scikit-learn's example, scmamp and 54 published p-values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.stats import corrected_t, paired_t
from oracle import assert_case, cases, worked_examples


@pytest.mark.parametrize(("key", "n_train", "n_test"), [("ratio_1_9", 900, 100), ("ratio_1_2", 20, 10)])
def test_agrees_with_weka(key: str, n_train: int, n_test: int) -> None:
    (case,) = cases("corrected_resampled_t")
    result = corrected_t(case["input"]["a"], case["input"]["b"], n_train=n_train, n_test=n_test)
    interval = result.confidence_interval(0.95)
    got = {"t": result.statistic, "df": result.df, "p": result.pvalue, "ci95": [interval.low, interval.high]}
    assert_case(case, {key: got})


def test_scikit_learn_example_of_model_comparison() -> None:
    example = worked_examples("tests")["sklearn_plot_grid_search_stats"]
    scores, published = example["scores"], example["published_in_docs_from_memory_reproduced"]["rbf_vs_linear"]
    result = corrected_t(scores["rbf"], scores["linear"], n_train=90, n_test=10, alternative="greater")
    computed = example["independently_computed"]
    assert result.statistic == pytest.approx(computed["corrected_t"], rel=1e-9)
    assert result.pvalue == pytest.approx(computed["one_sided_p"], rel=1e-9)
    assert paired_t(scores["rbf"], scores["linear"]).statistic == pytest.approx(computed["uncorrected_t"], rel=1e-9)
    for level in (50, 75, 95):
        interval = result.confidence_interval(level / 100)
        assert [interval.low, interval.high] == pytest.approx(published[f"interval_{level}"], abs=1e-6)


def test_scmamp_example() -> None:
    example = worked_examples("tests")["scmamp_kcv_example_DB1"]
    result = corrected_t(example["data"]["AlgC"], example["data"]["AlgD"], n_train=9, n_test=1)
    expected = example["independently_computed"]["correlatedTtest_rho_0.1"]
    assert result.statistic == pytest.approx(expected["t"], abs=1e-7)
    assert result.pvalue == pytest.approx(expected["p"], abs=1e-6)


def test_all_54_data_sets_of_benavoli_2017() -> None:
    example = worked_examples("tests")["benavoli_2017"]
    nbc, aode = np.array(example["percent_correct"][0]), np.array(example["percent_correct"][1])
    pvalues = [corrected_t(a, b, n_train=9, n_test=1).pvalue for a, b in zip(nbc, aode, strict=True)]
    exact = example["independently_computed"]["correlated_t_p_54"]
    assert pvalues == pytest.approx([1.0 if p is None else p for p in exact], rel=1e-8, abs=1e-12)
    assert pvalues == pytest.approx(example["published"]["nbc_vs_aode_correlated_t_p_54"], abs=6e-4)


def test_fold_sizes_may_be_given_one_by_one() -> None:
    d = [0.01, 0.03, -0.01, 0.02]
    result = corrected_t(d, n_train=[75, 75, 76, 77], n_test=[26, 26, 25, 24])
    assert result.pvalue == corrected_t(d, n_train=303, n_test=101).pvalue


def test_swapped_sizes_are_remarked_upon() -> None:
    result = corrected_t([0.01, 0.03, -0.01], n_train=10, n_test=90)
    assert [(note.code, note.level) for note in result.notes] == [("test-larger-than-train", "warning")]


def test_degenerate_differences() -> None:
    same = corrected_t([0.8, 0.9], [0.8, 0.9], n_train=9, n_test=1)
    assert same.pvalue == 1.0
    constant = corrected_t([0.81, 0.91], [0.8, 0.9], n_train=9, n_test=1)
    assert math.isnan(constant.pvalue)
    assert "constant-difference" in [note.code for note in constant.notes]


def test_sizes_must_make_sense() -> None:
    with pytest.raises(ParameterError, match="n_train must be positive"):
        corrected_t([0.1, 0.2], n_train=0, n_test=10)
    with pytest.raises(EvidenceError, match=r"one per train/test split \(2\)"):
        corrected_t([0.1, 0.2], n_train=[1, 2, 3], n_test=1)
