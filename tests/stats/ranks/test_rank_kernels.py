"""The two paths of the rank tests: C and NumPy give the same answers, bit by bit."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff.stats import _kernels, wilcoxon, wilcoxon_pairs
from bakeoff.stats.ranks import _pair_sums, _rank_kernels, _signed_rank, _walsh

needs_c = pytest.mark.skipif(_kernels._native is None, reason="no extension was built")


def tables(rng: np.random.Generator, n: int, k: int) -> dict[str, np.ndarray]:
    base = rng.normal(size=(n, k))
    shares = 1 / (1 + np.exp(-base))
    instances = rng.integers(50, 5000, (n, 1))
    return {
        "continuous": base,
        "solved by several": np.where(shares > 0.7, 1.0, shares),
        "solved by nearly all": np.where(shares > 0.1, 1.0, shares),
        "3 decimals": shares.round(3),
        "2 decimals": shares.round(2),
        "9 decimals": shares.round(9),
        "whole numbers": base.round(),
        "large whole numbers": (1e7 * base).round(),
        "k of n": rng.binomial(instances, shares) / instances,
        "thirtieths": rng.integers(0, 31, (n, k)) / 30,
        "scales apart": base * 10.0 ** rng.integers(-9, 9, (n, 1)),
        "scales apart, ties": base.round(1) * 10.0 ** rng.integers(-9, 9, (n, 1)),
        "nearly equal": base[:, :1] + 1e-8 * rng.normal(size=(n, k)),
        "dust": np.minimum(base, 0.7) + rng.choice([0, 1e-16], size=(n, k)),
        "tiny": 1e-285 * base.round(2),
        "huge": 1e289 * base.round(2),
        "identical": np.repeat(base[:, :1], k, axis=1),
        "zero": np.zeros((n, k)),
    }


@needs_c
@pytest.mark.parametrize("level", [2, 1, 0], ids=["AVX-512", "AVX2", "plain"])
@pytest.mark.parametrize("n", [1, 2, 14, 41, 130, 500])
def test_rank_sums_of_both_paths_are_the_same(n: int, level: int, rng: np.random.Generator) -> None:
    try:
        _kernels._native.use_level(level)
        for name, table in tables(rng, n, 7).items():
            for given in (table, _pair_sums.integer_grid(table)):
                if given is not None:
                    in_c = _rank_kernels.pair_sums(given, 2)
                    for ours, expected in zip(in_c, _pair_sums.pair_sums_numpy(table), strict=True):
                        assert np.array_equal(ours, expected), name
    finally:
        _kernels._native.use_level(2)


@needs_c
@pytest.mark.parametrize("n", [14, 60, 130])
@pytest.mark.parametrize("zeros", ["split", "pratt", "wilcox"])
def test_p_values_of_both_paths_are_the_same(
    n: int, zeros: str, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, table in tables(rng, n, 5).items():
        for method in ("auto", "normal"):
            answers = []
            for path in ("", "numpy"):
                monkeypatch.setenv("BAKEOFF_KERNELS", path)
                assert _rank_kernels.in_c() == (path == "")
                _signed_rank.untied_cdf.cache_clear()
                answers.append(wilcoxon_pairs(table, zeros=zeros, method=method))
            for field in ("pvalue", "statistic", "r_plus", "r_minus", "estimate", "n_zero"):
                assert np.array_equal(*(getattr(answer, field) for answer in answers)), (name, method, field)


@needs_c
def test_scores_that_do_not_fit_take_the_other_path(rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BAKEOFF_KERNELS", raising=False)
    monkeypatch.setattr(_rank_kernels, "pair_sums", lambda *args: pytest.fail("does not fit"))
    assert wilcoxon_pairs(1e300 * rng.normal(size=(30, 3))).pvalue.size == 3
    monkeypatch.setattr(_rank_kernels, "MOST_ROWS", 10)
    assert wilcoxon_pairs(rng.normal(size=(30, 3))).pvalue.size == 3


def listed(row: np.ndarray, positions: list[int]) -> list[float]:
    """All Walsh averages, sorted: the definition."""
    first, second = np.triu_indices(row.size)
    averages = np.sort((row[first] + row[second]) / 2)
    return [float(averages[p]) for p in positions]


def columns(rng: np.random.Generator, n: int) -> dict[str, np.ndarray]:
    found = {name: table[:, 0] - table[:, 1] for name, table in tables(rng, n, 2).items()}
    outlier = rng.normal(size=n)
    outlier[0] = 1e12
    skewed = np.exp(5 * rng.normal(size=n))
    two_lumps = np.where(rng.random(n) < 0.5, -1.0, 1.0) + 1e-3 * rng.normal(size=n)
    constant = np.full(n, 0.1)
    return found | {"outlier": outlier, "skewed": skewed, "two lumps": two_lumps, "constant": constant}


@pytest.mark.parametrize("n", [1, 2, 5, 41, 101, 300])
def test_walsh_averages_are_those_of_the_whole_list(n: int, rng: np.random.Generator) -> None:
    count = n * (n + 1) // 2
    positions = sorted({0, 1 % count, count // 20, count * 45 // 100, (count - 1) // 2, count // 2, count - 1})
    for name, row in columns(rng, n).items():
        expected = listed(row, positions)
        assert _walsh.walsh_rows_numpy(row[None, :], positions)[0].tolist() == expected, name
        if _kernels._native is not None:
            assert _rank_kernels.walsh_rows(row[None, :], positions, 1)[0].tolist() == expected, name


@needs_c
def test_walsh_averages_of_many_rows_on_threads(rng: np.random.Generator) -> None:
    rows = rng.normal(size=(37, 90)).round(2)
    expected = [listed(row, [100, 2000]) for row in rows]
    for threads in (1, 3):
        assert _rank_kernels.walsh_rows(rows, [100, 2000], threads).tolist() == expected


def test_tied_differences_are_counted_together(rng: np.random.Generator) -> None:
    row = rng.integers(-2, 3, 200) / 8
    assert _walsh.walsh_rows_numpy(row[None, :], [5000, 12_000])[0].tolist() == listed(row, [5000, 12_000])


@needs_c
@pytest.mark.parametrize("every", [7, 900])
def test_sign_patterns_of_both_paths_are_the_same(every: int, rng: np.random.Generator) -> None:
    for ranks in (np.arange(1, 60), np.sort(rng.integers(1, 400, 150)), np.array([1]), np.array([9, 9, 9])):
        for target in (0, 5, int(ranks.sum()) // 2, int(ranks.sum())):
            ours = _rank_kernels.sign_patterns(ranks, target, every)
            assert np.array_equal(ours, _signed_rank.sign_patterns_numpy(ranks, target, every))


@needs_c
def test_exact_p_value_and_interval_do_not_depend_on_the_path(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n, decimals in ((30, 1), (200, 2), (1100, 1)):
        differences = rng.normal(0.1, 1, n).round(decimals)
        found = []
        for path in ("", "numpy"):
            monkeypatch.setenv("BAKEOFF_KERNELS", path)
            result = wilcoxon(differences, method="exact")
            interval = result.confidence_interval(0.9)
            found.append((result.pvalue, result.estimate, interval.low, interval.high))
        assert found[0] == found[1]


@needs_c
def test_a_wrong_or_older_extension_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BAKEOFF_KERNELS", raising=False)

    class Wrong:
        def __getattr__(self, name: str) -> object:
            return (lambda *args: None) if name == "walsh_rows" else getattr(native, name)

    class Older:
        def __getattr__(self, name: str) -> object:
            if name == "pair_sums":
                raise AttributeError(name)
            return getattr(native, name)

    native = _kernels._native
    for other in (Wrong(), Older()):
        monkeypatch.setattr(_kernels, "_native", other)
        _rank_kernels._right.cache_clear()
        try:
            assert _kernels.active_path() == "C"
            assert not _rank_kernels.in_c()
        finally:
            _rank_kernels._right.cache_clear()


@needs_c
def test_the_extension_refuses_what_would_leave_its_buffers() -> None:
    values, answer = np.zeros((1, 4)), np.empty((1, 1))
    with pytest.raises(ValueError, match="no Walsh average stands at this position"):
        _kernels._native.walsh_rows(1, 1, 4, values, np.array([10]), answer)
    with pytest.raises(ValueError, match="bytes was expected"):
        _kernels._native.walsh_rows(1, 2, 4, values, np.array([1]), answer)
    with pytest.raises(ValueError, match="whole numbers from 1 on"):
        _kernels._native.add_ranks(np.array([2, 0]), 900, np.zeros(5))
    sums = np.empty((4, 3))
    with pytest.raises(ValueError, match="bytes was expected"):
        _kernels._native.pair_sums(1, 4, 2, True, np.zeros((2, 4), dtype=np.int32), None, None, None, *sums)
