"""The kernels: exact multinomial counts, and one answer whatever path, instruction set or threads."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import sysconfig
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from bakeoff._core.errors import ParameterError
from bakeoff.stats import _kernels
from bakeoff.stats._kernels import _numpy
from bakeoff.stats._kernels._inputs import LANES, N_RESIDUAL, poisson_code

needs_c = pytest.mark.skipif(_kernels._native is None, reason="the C kernels are not built here")
SEED = 0x9E3779B97F4A7C15

DESIGNS = {
    "one stratum": [1000],
    "three strata, one tiny": [5, 300, 70],
    "drawn one by one": [40],
    "one unit alone": [3000, 1],
    "longer than a chunk": [5000],
}


def lanes(sizes: list[int], blocks: int) -> np.ndarray:
    """Kept lanes of several blocks as replicates × units."""
    plan = _kernels.count_plan(np.array(sizes))
    drawn = [_kernels.count_table(plan, SEED, block) for block in range(blocks)]
    return np.concatenate([table[:-1, kept].T for table, kept in drawn]).astype(np.int64)


def scored(rng: np.random.Generator, n: int, decimals: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    y = rng.random(n) < 0.3
    columns = [np.round(rng.normal(size=n) + y, d) for d in decimals]
    return y, np.stack(columns, axis=1)


@pytest.mark.parametrize("rate", [0.0, 0.3, 0.937, 1.0])
def test_byte_code_is_the_poisson_law(rate: float) -> None:
    cuts, residual = poisson_code(rate)
    steps = np.diff([-129, *cuts])  # bytes that mean 0 … 4
    left = 256 - (cuts[-1] + 129)
    below = [Fraction(0), *(Fraction(cut, 2**64) for cut in residual), Fraction(1)]
    for k in range(N_RESIDUAL):
        whole = int(steps[k]) if k < len(steps) else 0
        law = (whole + left * float(below[k + 1] - below[k])) / 256
        assert law == pytest.approx(float(stats.poisson.pmf(k, rate)), abs=1e-16, rel=1e-12)


@pytest.mark.parametrize("sizes", DESIGNS.values(), ids=DESIGNS.keys())
def test_every_kept_lane_draws_as_many_units_as_each_stratum_has(sizes: list[int]) -> None:
    counts = lanes(sizes, 4)
    edges = np.cumsum([0, *sizes])
    for first, last, size in zip(edges[:-1], edges[1:], sizes, strict=True):
        assert (counts[:, first:last].sum(axis=1) == size).all()


@pytest.mark.parametrize("sizes", [[1], [1000], [100_000], [70] * 50, [400] * 7])
def test_few_lanes_are_dropped(sizes: list[int]) -> None:
    plan = _kernels.count_plan(np.array(sizes))
    kept = np.concatenate([_kernels.count_table(plan, SEED, block)[1] for block in range(4)])
    assert kept.mean() > 0.93


@pytest.mark.parametrize("n", [7, 64, 200])
def test_counts_have_the_margins_and_covariances_of_a_multinomial(n: int) -> None:
    counts = lanes([n], 250)
    replicates = counts.shape[0]
    # One unit's count is Binomial(n, 1/n): a chi-square over the pooled histogram of all units would not have
    # independent entries, so one unit is looked at, at each end and in the middle.
    for unit in (0, n // 2, n - 1):
        seen = np.bincount(np.minimum(counts[:, unit], 5), minlength=6)
        law = stats.binom.pmf(np.arange(5), n, 1 / n)
        expected = replicates * np.append(law, 1 - law.sum())
        assert stats.chisquare(seen, expected).pvalue > 1e-4
    assert counts.mean(axis=0) == pytest.approx(np.ones(n), abs=5 / np.sqrt(replicates))
    covariance = np.cov(counts.T)
    expected_covariance = np.eye(n) - 1 / n
    # Covariances of counts with variance near 1 (and 3 for the squares) have standard errors below 2/√B.
    assert np.abs(covariance - expected_covariance).max() < 5 * 2 / np.sqrt(replicates)
    # The total of half the units is Binomial(n, ½): a sensitive check of the dependence between units.
    half = counts[:, : n // 2].sum(axis=1)
    assert half.var() == pytest.approx(n * (n // 2 / n) * (1 - n // 2 / n), rel=5 * np.sqrt(2 / replicates))


def test_counts_match_the_naive_bootstrap_in_distribution(rng: np.random.Generator) -> None:
    n = 150
    counts = lanes([n], 60)
    naive = np.array([np.bincount(rng.integers(0, n, n), minlength=n) for _ in range(len(counts))])
    for statistic in (
        lambda c: (c == 0).sum(axis=1),  # units left out
        lambda c: c.max(axis=1),
        lambda c: (c**2).sum(axis=1),
        lambda c: c @ np.arange(n),
    ):
        ours, theirs = statistic(counts), statistic(naive)
        jitter = 1e-6 * rng.random((2, len(ours)))  # discrete values: ties broken at random keep the KS level
        assert stats.ks_2samp(ours + jitter[0], theirs + jitter[1]).pvalue > 1e-4


def test_lanes_and_blocks_are_not_correlated() -> None:
    n = 2000
    plan = _kernels.count_plan(np.array([n]))
    both = np.concatenate([_kernels.count_table(plan, SEED, block)[0][:-1] for block in (0, 1)], axis=1)
    correlation = np.corrcoef(both.T.astype(float)) - np.eye(2 * LANES)
    assert np.abs(correlation).max() < 5 / np.sqrt(n)


@needs_c
@pytest.mark.parametrize("level", [2, 1, 0], ids=["AVX-512", "AVX2", "plain"])
@pytest.mark.parametrize("sizes", DESIGNS.values(), ids=DESIGNS.keys())
def test_c_and_numpy_draw_the_same_counts(sizes: list[int], level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BAKEOFF_KERNELS", raising=False)
    plan = _kernels.count_plan(np.array(sizes))
    try:
        _kernels._native.use_level(level)
        for block in (0, 17):
            table, kept = _kernels.count_table(plan, SEED, block)
            expected, expected_kept = _numpy.count_table(plan, SEED, block)
            assert np.array_equal(kept, expected_kept)
            assert np.array_equal(table, expected)
    finally:
        _kernels._native.use_level(2)


def answers(rng: np.random.Generator) -> list[np.ndarray]:
    """What every kernel gives for scores from a handful of distinct values to no ties at all."""
    n = 3000
    y, scores = scored(rng, n, (0, 1, 3, 12))
    plan = _kernels.count_plan(np.array([n]))
    layouts = [_kernels.rank_layout(y, column, np.arange(n), n) for column in scores.T]
    return [
        *_kernels.count_table(plan, SEED, 3),
        *_kernels.auc_blocks(plan, SEED, 3, 2, layouts),
        *_kernels.sum_blocks(plan, SEED, 3, 2, _kernels.word_columns(scores)),
        _kernels.sign_sums(scores[:1001], 1500, SEED),
    ]


def assert_same(ours: list[np.ndarray], expected: list[np.ndarray]) -> None:
    for mine, other in zip(ours, expected, strict=True):
        assert np.array_equal(mine, other)


@needs_c
@pytest.mark.parametrize("level", [2, 1, 0], ids=["AVX-512", "AVX2", "plain"])
def test_c_and_numpy_give_the_same_answers(
    level: int, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator
) -> None:
    monkeypatch.delenv("BAKEOFF_KERNELS", raising=False)
    try:
        _kernels._native.use_level(level)
        assert _kernels.active_path() == "C"
        in_c = answers(rng)
    finally:
        _kernels._native.use_level(2)
    monkeypatch.setenv("BAKEOFF_KERNELS", "numpy")
    assert _kernels.active_path() == "NumPy"
    assert_same(in_c, answers(np.random.default_rng(20260701)))


@needs_c
def test_counts_too_large_for_sixteen_bits_are_added_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """A law that draws every unit 24 times: no Poisson does, so the plan is made up."""
    n = 1000
    honest = _kernels.count_plan(np.array([n]))
    plan = _kernels.CountPlan(
        honest.starts, honest.law, np.full_like(honest.cuts, -128), np.zeros_like(honest.residual)
    )
    columns = _kernels.word_columns(np.random.default_rng(0).random((n, 2)))
    monkeypatch.delenv("BAKEOFF_KERNELS", raising=False)
    in_c = _kernels.sum_blocks(plan, SEED, 0, 1, columns)
    monkeypatch.setenv("BAKEOFF_KERNELS", "numpy")
    assert np.array_equal(in_c[0], _kernels.sum_blocks(plan, SEED, 0, 1, columns)[0])


@pytest.mark.parametrize("path", ["", "numpy"])
def test_threads_do_not_change_the_answer(path: str, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator) -> None:
    monkeypatch.setenv("BAKEOFF_KERNELS", path)
    y, scores = scored(rng, 700, (1, 9))
    plan = _kernels.count_plan(np.array([700]))
    layouts = [_kernels.rank_layout(y, column, np.arange(700), 700) for column in scores.T]
    for kernel in (
        lambda jobs: _kernels.auc_blocks(plan, SEED, 0, 5, layouts, jobs),
        lambda jobs: _kernels.sum_blocks(plan, SEED, 0, 5, _kernels.word_columns(scores), jobs),
        lambda jobs: (_kernels.sign_sums(scores, 3000, SEED, jobs),),
    ):
        for one, three in zip(kernel(1), kernel(3), strict=True):
            assert np.array_equal(one, three)


def test_a_process_without_the_extension_gives_the_same_answer() -> None:
    script = (
        "import numpy as np; from bakeoff.stats import _kernels, resample;"
        "rng = np.random.default_rng(5); y = rng.random(400) < 0.4; s = rng.normal(size=(400, 2)).round(1);"
        "print(_kernels.active_path(), repr(resample.auc_bootstrap(y, s, 70, 1).sum()),"
        "repr(resample.sign_flip(s, 70, 1).sum()), repr(resample.cell_bootstrap([[3, 4], [5, 6]], 70, 1).sum()))"
    )
    answers = {}
    for path in ("numpy", ""):
        environment = {**os.environ, "BAKEOFF_KERNELS": path}
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        )
        active, *numbers = done.stdout.split(" ", 1)
        answers[path] = numbers
        assert active == ("NumPy" if path or _kernels._native is None else "C")
    assert answers["numpy"] == answers[""]


@pytest.mark.parametrize(("n_jobs", "threads"), [(1, 1), (3, 3)])
def test_thread_count_is_what_was_asked(n_jobs: int, threads: int) -> None:
    assert _kernels.thread_count(n_jobs) == threads


def test_thread_count_follows_the_environment_and_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    assert _kernels.thread_count(None) == 5
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert _kernels.thread_count(None) == _kernels.thread_count(-1) >= 1
    with pytest.raises(ParameterError, match=r"n_jobs must be None, a positive number of threads or −1 .* Got 0"):
        _kernels.thread_count(0)


@needs_c
@pytest.mark.parametrize("mistake", ["short table", "wrong plan"])
def test_the_extension_refuses_buffers_of_the_wrong_size(mistake: str) -> None:
    plan = _kernels.count_plan(np.array([100]))
    table, kept = np.empty((101, LANES), dtype=np.uint8), np.empty(LANES, dtype=bool)
    buffers = [plan.starts, plan.law, plan.cuts, plan.residual, plan.guide]
    if mistake == "short table":
        table = table[:50]
    else:
        buffers[0] = plan.starts[:1]
    with pytest.raises(ValueError, match="bytes was expected"):
        _kernels._native.count_block(SEED, 0, *buffers, table, kept)


@needs_c
def test_too_many_rows_for_32_bits_take_the_other_path(
    monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator
) -> None:
    expected = answers(rng)
    monkeypatch.setattr(_kernels, "_MOST_ROWS", 10)
    monkeypatch.setattr(_kernels, "_auc_blocks_c", lambda *args: pytest.fail("32 bits would not do"))
    assert_same(answers(np.random.default_rng(20260701)), expected)


def test_units_are_added_in_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = _kernels.count_plan(np.array([5, 300, 70]))
    expected = _numpy.count_table(plan, SEED, 0)[0]
    monkeypatch.setattr(_numpy, "_ADDED", 100)
    assert np.array_equal(_numpy.count_table(plan, SEED, 0)[0], expected)


@needs_c
def test_a_miscompiled_extension_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong:
        def __getattr__(self, name: str) -> object:
            return lambda *args: None  # leaves the output as it was

    _kernels._compiled_right.cache_clear()
    monkeypatch.setattr(_kernels, "_native", Wrong())
    try:
        assert _kernels.active_path() == "NumPy"
    finally:
        _kernels._compiled_right.cache_clear()


@needs_c
@pytest.mark.slow
@pytest.mark.parametrize("level", ["-O2", "-O3"])
def test_without_vector_extensions_the_answers_are_the_same(
    level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator
) -> None:
    """Compile the plain loops (what a compiler without GCC's vectors gets) and hold them to NumPy."""
    monkeypatch.delenv("BAKEOFF_KERNELS", raising=False)
    monkeypatch.setattr(_kernels, "_native", compile_plain(tmp_path, level))
    _kernels._compiled_right.cache_clear()
    try:
        assert _kernels.active_path() == "C"
        in_c = answers(rng)
    finally:
        _kernels._compiled_right.cache_clear()
    monkeypatch.setenv("BAKEOFF_KERNELS", "numpy")
    assert_same(in_c, answers(np.random.default_rng(20260701)))


def compile_plain(folder: Path, level: str) -> object:
    source = Path(_kernels.__file__).with_name("_native.c")
    binary = folder / "_native.so"
    include = sysconfig.get_paths()["include"]
    command = ["cc", "-shared", "-fPIC", level, "-std=c11", "-pthread", "-DBAKEOFF_PLAIN", f"-I{include}"]
    subprocess.run([*command, str(source), "-o", str(binary)], check=True)
    spec = importlib.util.spec_from_file_location("_native", binary)
    assert spec is not None
    assert spec.loader is not None
    plain = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(plain)
    return plain


def test_the_context_from_which_a_bin_is_called_is_that_of_trying_all(rng: np.random.Generator) -> None:
    """Both paths against the definition: at PC(+) the threshold that saves most, of tied ones the highest."""
    counts = rng.poisson(0.6, (3, 25, 2, 7)).astype(np.float64)
    contexts = np.sort(rng.random(40))
    whole = np.where(counts.sum(axis=1) > 0, counts.sum(axis=1), 1.0)
    called = np.cumsum(counts, axis=1)
    expected = np.full((3, 25, 7), contexts.size)
    for place in reversed(range(contexts.size)):
        pc = contexts[place]
        saved = pc * called[:, :, 1] / whole[:, None, 1] - (1 - pc) * called[:, :, 0] / whole[:, None, 0]
        best = np.where(
            saved.max(axis=1) > 1e-12, (saved > saved.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1), -1
        )
        expected[np.arange(25)[None, :, None] <= best[:, None, :]] = place
    assert (_numpy.called_from(counts, contexts) == expected).all()
    assert (_kernels.called_from(counts, contexts) == expected).all()


def test_counts_by_context_and_running_counts_are_those_of_numpy(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = rng.poisson(0.6, (3, 25, 2, 13)).astype(np.float64)
    own, contexts = rng.random(rest.shape), np.sort(rng.random(40))
    first = _numpy.called_from(rest, contexts)
    expected = np.array(
        [[[own[:, :, side, b][first[:, :, b] <= c].sum() for c in range(40)] for b in range(13)] for side in (0, 1)]
    )
    whole = rng.integers(0, 9, (4, 30, 2, 64), dtype=np.uint32)
    ways = []
    for path in ("", "numpy"):
        monkeypatch.setenv("BAKEOFF_KERNELS", path)
        ways.append([_kernels.called_counts(rest, own, contexts), _kernels.running_counts(whole)])
        assert np.allclose(ways[-1][0], expected, rtol=1e-12)
        assert (ways[-1][1] == np.cumsum(whole, axis=1)).all()
        assert (_kernels.running_counts(own) == np.cumsum(own, axis=1)).all()
    assert_same(*ways)
