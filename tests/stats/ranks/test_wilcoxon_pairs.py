from __future__ import annotations

import numpy as np
import pytest

from bakeoff import BakeoffError
from bakeoff.stats import _kernels, adjust, wilcoxon, wilcoxon_pairs
from bakeoff.stats.ranks import _pair_sums as kernel
from bakeoff.stats.ranks import _rank_kernels


@pytest.fixture(params=["C", "NumPy"], autouse=True)
def path(request, monkeypatch):
    """Every test runs on both paths."""
    if request.param == "C" and _kernels._native is None:
        pytest.skip("no extension was built")
    monkeypatch.setenv("BAKEOFF_KERNELS", "numpy" if request.param == "NumPy" else "")
    assert _rank_kernels.in_c() == (request.param == "C")
    return request.param


def tables(rng, n, k):
    """Scores of every kind: each takes another road through the kernel."""
    base = rng.normal(size=(n, k))
    instances = rng.integers(50, 1000, (n, 1))
    return {
        "continuous": base,
        "clipped at 1": np.minimum(base, 0.7),
        "3 decimals": base.round(3),
        "1 decimal": base.round(1),
        "whole numbers": base.round(0),
        "k of n": rng.binomial(instances, 0.8, (n, k)) / instances,
        "thirtieths": rng.integers(0, 31, (n, k)) / 30,
        "scales apart": base * 10.0 ** rng.integers(-9, 9, (n, 1)),
        "scales apart, ties": base.round(1) * 10.0 ** rng.integers(-9, 9, (n, 1)),
        "nearly equal": base[:, :1] + 1e-8 * rng.normal(size=(n, k)),
        "dust": np.minimum(base, 0.7) + rng.choice([0, 1e-16], size=(n, k)),
        "identical": np.repeat(base[:, :1], k, axis=1),
    }


@pytest.mark.parametrize("n", [3, 25, 130])
@pytest.mark.parametrize("zeros", ["split", "pratt", "wilcox"])
def test_each_pair_gets_what_wilcoxon_gives_it_alone(rng, n, zeros):
    for name, table in tables(rng, n, 5).items():
        for method, alternative in (("auto", "two-sided"), ("normal", "greater"), ("auto", "less")):
            together = wilcoxon_pairs(table, zeros=zeros, method=method, alternative=alternative)
            alone = [
                wilcoxon(table[:, i], table[:, j], zeros=zeros, method=method, alternative=alternative)
                for i, j in together.pairs
            ]
            for field in ("statistic", "r_plus", "r_minus", "n_zero", "pvalue"):
                expected = [getattr(one, field) for one in alone]
                assert getattr(together, field) == pytest.approx(expected, rel=1e-11), (name, field)


def test_threads_and_chunks_change_nothing(rng, monkeypatch):
    table = tables(rng, 60, 12)["k of n"]
    whole = wilcoxon_pairs(table)
    monkeypatch.setattr(kernel, "_CHUNK", 100)
    monkeypatch.setattr(kernel, "_THREADS_FROM", 0)
    split = wilcoxon_pairs(table)
    assert np.array_equal(whole.statistic, split.statistic)
    assert np.array_equal(whole.pvalue, split.pvalue)


def test_p_values_are_not_adjusted_and_the_effect_is_signed():
    table = np.array([[3.0, 1, 2], [5, 2, 4], [9, 8, 7], [4, 1, 3], [6, 2, 5], [8, 3, 1]])
    result = wilcoxon_pairs(table)
    assert result.pairs == [(0, 1), (0, 2), (1, 2)]
    assert not result.adjusted
    assert result.estimate[0] == 1.0  # the first wins everywhere
    assert result.pvalue[0] == pytest.approx(2 / 64)
    assert (adjust(result.pvalue, "holm") >= result.pvalue).all()


def test_notes_name_identical_models_and_few_data_sets():
    result = wilcoxon_pairs([[1, 1, 2], [2, 2, 3], [3, 3, 5]])
    assert [note.code for note in result.notes] == ["identical-models", "few-pairs"]
    assert result.pvalue[0] == 1


def test_missing_cells_are_named():
    with pytest.raises(BakeoffError, match="row 1, column 2"):
        wilcoxon_pairs([[1, 2, 3], [1, 2, np.nan]])


def test_table_of_the_result():
    frame = wilcoxon_pairs([[1.0, 2.0, 4.0], [2.0, 5.0, 3.0]]).to_frame()
    assert list(frame.columns) == ["first", "second", "estimate", "statistic", "pvalue"]
    assert len(frame) == 3
