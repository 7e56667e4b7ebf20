"""The hot loops, in two paths that give the same answers for the same seed.

The NumPy path always works. The C path (one optional extension, built on install when a compiler is there) does the
same arithmetic on the same random words, faster and on several threads. ``BAKEOFF_KERNELS=numpy`` in the environment
turns it off; `active_path` says which one runs.

Everything random is made in *blocks*: 64 replicates whose streams depend on the seed and the block's number only. So
the answer depends neither on the path nor on the number of threads.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.stats._kernels import _numpy, _passes
from bakeoff.stats._kernels._inputs import (
    AHEAD,
    LANES,
    CountPlan,
    RankLayout,
    WordColumns,
    count_plan,
    padded,
    rank_layout,
    word_columns,
)
from bakeoff.stats._kernels._passes import FallingRows

try:
    from bakeoff.stats._kernels import _native  # type: ignore[attr-defined, unused-ignore]
except ImportError:  # no compiler when this was installed: the NumPy path does it all
    _native = None

__all__ = [
    "LANES", "CountPlan", "FallingRows", "RankLayout", "WordColumns", "active_path", "auc_blocks", "bin_counts",
    "called_counts",
    "called_from", "cell_sum_blocks", "count_plan", "count_table", "hull_chain", "hull_lanes", "over_tables", "padded",
    "partial_pass", "precision_pass", "rank_layout", "roc_points", "running_counts", "sign_sums", "slice_powers",
    "slice_sums", "sum_blocks", "thread_count", "word_columns",
]  # fmt: skip

_MOST_ROWS = 1 << 27  # of the C pass of AUC: 31 draws of every row still fit 32 bits

_MOST_SQUARED = 1 << 25  # products of counts below 2²⁶ and their differences are exact in doubles

T = TypeVar("T")


def active_path() -> str:
    """Return ``"C"`` or ``"NumPy"``: which path the kernels run now."""
    switched_off = os.environ.get("BAKEOFF_KERNELS", "").lower() == "numpy"
    return "NumPy" if _native is None or switched_off or not _compiled_right() else "C"


@cache
def _compiled_right() -> bool:
    """Hold the extension to NumPy's answers once per process: a compiler's mistake must not become a wrong number."""
    n = 300
    values = np.sin(np.arange(n, dtype=np.float64))[:, None].copy()
    positive, plan = values[:, 0] > 0.3, count_plan(np.array([n - 20, 20]))
    layouts = [rank_layout(positive, (3 * values[::-1, 0]).round(), np.arange(n), n)]
    words = word_columns(values).words
    right = (
        zip(_auc_blocks_c(plan, 1, 0, 1, layouts, 1), _auc_blocks_numpy(plan, 1, 0, 1, layouts, 1), strict=True),
        zip(_sum_blocks_c(plan, 1, 0, 1, words, 1), _sum_blocks_numpy(plan, 1, 0, 1, words, 1), strict=True),
        [(_sign_sums_c(values, 100, 1, 1), _numpy.sign_sums(values, 100, 1))],
    )
    return all(np.allclose(ours, expected, rtol=1e-9, atol=1e-9) for part in right for ours, expected in part)


def thread_count(n_jobs: int | None) -> int:
    """Turn `n_jobs` into threads: None is ``OMP_NUM_THREADS`` or all cores this process may use, −1 all of them."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if n_jobs is None:
        asked = os.environ.get("OMP_NUM_THREADS", "")
        return int(asked) if asked.isdigit() and int(asked) > 0 else cores
    if isinstance(n_jobs, (int, np.integer)) and not isinstance(n_jobs, bool) and n_jobs != 0:
        return int(n_jobs) if n_jobs > 0 else max(1, cores + 1 + int(n_jobs))
    raise ParameterError(
        f"n_jobs must be None, a positive number of threads or −1 for all cores. Got {n_jobs!r} instead."
    )


def _over_blocks(work: Callable[[int], T], first: int, count: int, n_jobs: int | None) -> list[T]:
    """Run `work` on each block, on threads (NumPy's loops release the interpreter lock); results in block order."""
    threads = min(thread_count(n_jobs), count)
    if threads == 1:
        return [work(block) for block in range(first, first + count)]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, range(first, first + count)))


def count_table(
    plan: CountPlan, seed: int, block: int, out: NDArray[np.uint8] | None = None
) -> tuple[NDArray[np.uint8], BoolArray]:
    """Draw one block: counts ``[units + 1, 64]`` (a last line of zeros) and the lanes that are kept ``[64]``.

    `out` is a table of before that is no longer needed: its memory is used again.
    """
    if active_path() == "NumPy":
        return _numpy.count_table(plan, seed, block)
    table = np.empty((plan.n_units + 1, LANES), dtype=np.uint8) if out is None else out
    kept = np.empty(LANES, dtype=np.bool_)
    _native.count_block(seed, block, *_plan_buffers(plan), table, kept)
    return table, kept


def _plan_buffers(plan: CountPlan) -> tuple[NDArray[Any], ...]:
    return plan.starts, plan.law, plan.cuts, plan.residual, plan.guide


def auc_blocks(
    plan: CountPlan, seed: int, first: int, count: int, layouts: Sequence[RankLayout], n_jobs: int | None = None
) -> tuple[IntArray, IntArray, IntArray, BoolArray]:
    """Twice the Mann–Whitney counts ``[64·count, k]``, positives, negatives and kept lanes ``[64·count]``."""
    fits = layouts[0].units.size < _MOST_ROWS
    run = _auc_blocks_c if fits and active_path() == "C" else _auc_blocks_numpy
    return run(plan, seed, first, count, layouts, n_jobs)


def _auc_blocks_c(
    plan: CountPlan, seed: int, first: int, count: int, layouts: Sequence[RankLayout], n_jobs: int | None
) -> tuple[IntArray, IntArray, IntArray, BoolArray]:
    n = layouts[0].units.size
    units = np.zeros((len(layouts), n + AHEAD), dtype=np.int32)
    for line, layout in zip(units, layouts, strict=True):
        line[:n] = layout.units
    positive = np.stack([layout.positive for layout in layouts])
    ties = np.concatenate([layout.ties for layout in layouts])
    tie_ends = np.cumsum([0, *(len(layout.ties) for layout in layouts)], dtype=np.int64)
    twice = np.empty((count * LANES, len(layouts)), dtype=np.int64)
    positives, negatives = np.empty((2, count * LANES), dtype=np.int64)
    kept = np.empty(count * LANES, dtype=np.bool_)
    models = len(layouts), n, units, positive, ties, tie_ends
    answer = twice, positives, negatives, kept
    _native.auc_blocks(seed, first, count, thread_count(n_jobs), *_plan_buffers(plan), *models, *answer)
    return answer


def _auc_blocks_numpy(
    plan: CountPlan, seed: int, first: int, count: int, layouts: Sequence[RankLayout], n_jobs: int | None
) -> tuple[IntArray, IntArray, IntArray, BoolArray]:
    def work(block: int) -> tuple[Any, ...]:
        table, kept = _numpy.count_table(plan, seed, block)
        passes = [_numpy.auc_pass(table, layout) for layout in layouts]
        return np.stack([p[0] for p in passes], axis=1), passes[0][1], passes[0][2], kept

    parts = zip(*_over_blocks(work, first, count, n_jobs), strict=True)
    twice, positives, negatives, kept = (np.concatenate(part) for part in parts)
    return twice, positives, negatives, kept


def sum_blocks(
    plan: CountPlan, seed: int, first: int, count: int, columns: WordColumns, n_jobs: int | None = None
) -> tuple[FloatArray, BoolArray]:
    """Σ count · value of every column ``[64·count, k]`` (values by unit) and kept lanes."""
    run = _sum_blocks_c if active_path() == "C" else _sum_blocks_numpy
    totals, kept = run(plan, seed, first, count, columns.words, n_jobs)
    return columns.sums(totals), kept


def _sum_blocks_c(
    plan: CountPlan, seed: int, first: int, count: int, words: NDArray[np.uint32], n_jobs: int | None
) -> tuple[FloatArray, BoolArray]:
    totals = np.empty((count * LANES, words.shape[1]))
    kept = np.empty(count * LANES, dtype=np.bool_)
    threads = thread_count(n_jobs)
    _native.sum_blocks(seed, first, count, threads, *_plan_buffers(plan), words.shape[1], words, totals, kept)
    return totals, kept


def _sum_blocks_numpy(
    plan: CountPlan, seed: int, first: int, count: int, words: NDArray[np.uint32], n_jobs: int | None
) -> tuple[FloatArray, BoolArray]:
    columns = words.astype(np.float64)

    def work(block: int) -> tuple[FloatArray, BoolArray]:
        table, kept = _numpy.count_table(plan, seed, block)
        return _numpy.column_sums(table, columns), kept

    parts = zip(*_over_blocks(work, first, count, n_jobs), strict=True)
    totals, kept = (np.concatenate(part) for part in parts)
    return totals, kept


def cell_sum_blocks(
    plan: CountPlan, seed: int, first: int, count: int, columns: WordColumns, cell: IntArray, n_cells: int,
    n_jobs: int | None = None,
) -> tuple[FloatArray, BoolArray]:  # fmt: skip
    """Σ count · value by cell ``[64·count, n_cells]`` of one column of non-negative values, and kept lanes."""
    words = columns.words
    run = _entry("cell_sum_blocks")
    if run is None:
        of_cell = words.astype(np.float64)
        work = partial(_cell_sum_block, plan, seed, of_cell, cell, n_cells)
        parts = zip(*_over_blocks(work, first, count, n_jobs), strict=True)
        totals, kept = (np.concatenate(part) for part in parts)
    else:
        totals, kept = np.empty((count * LANES, n_cells * words.shape[1])), np.empty(count * LANES, dtype=np.bool_)
        how = n_cells, words.shape[1], cell.astype(np.int32), np.ascontiguousarray(words)
        run(seed, first, count, thread_count(n_jobs), *_plan_buffers(plan), *how, totals, kept)
    return columns.sums(totals.reshape(-1, words.shape[1])).reshape(-1, n_cells), kept


def _cell_sum_block(
    plan: CountPlan, seed: int, words: FloatArray, cell: IntArray, n_cells: int, block: int
) -> tuple[FloatArray, BoolArray]:
    table, kept = _numpy.count_table(plan, seed, block)
    return _passes.cell_sums(table, words, cell, n_cells), kept


def bin_counts(
    table: NDArray[np.uint8],
    units: NDArray[np.int32],
    starts: IntArray,
    weights: FloatArray | None = None,
    *,
    absent: bool = False,
) -> list[NDArray[Any]]:
    """How often the rows of each bin were drawn ``[bins, 64]``, and with `absent` how many of them were not.

    `units` are those of the rows, bin by bin, `padded`; bin b holds the rows from ``starts[b]`` to ``starts[b + 1]``.
    With `weights` of the rows, sums of these.
    """
    run = _entry("bin_counts")
    if run is None:
        return _passes.bin_counts(table, units, starts, weights, absent=absent)
    kind = np.uint32 if weights is None else np.float64
    found = [np.empty((starts.size - 1, LANES), dtype=kind) for _ in range(1 + absent)]
    run(table, units, starts, weights, found[0], found[1] if absent else None)
    return found


def running_counts(counts: NDArray[Any]) -> NDArray[Any]:
    """Sums of counts ``[parts, bins, ...]`` along the bins, of the same kind."""
    run = _entry("run_along")
    if run is None or counts.dtype.itemsize != 4 or counts.dtype.kind not in "iu":
        return np.cumsum(counts, axis=1, dtype=counts.dtype)
    sums = counts.copy()
    run(sums, *sums.shape[:2], int(np.prod(sums.shape[2:])))
    return sums


def slice_sums(terms: FloatArray, code: IntArray, out: FloatArray) -> None:
    """Add terms ``[t, n]`` up by slice, to `out` ``[S, t]``."""
    run = _entry("slice_sums") or _passes.slice_sums
    run(np.ascontiguousarray(terms), code, out)


def slice_powers(terms: FloatArray, code: IntArray, slope: FloatArray, moved: FloatArray, out: FloatArray) -> None:
    """Add Σ ψ² and Σ ψ⁴ of rows by slice, and of all rows, to `out` ``[S + 1, 2]``.

    ψ = slope · terms − moved, of terms ``[t, n]``, with the slope ``[t, S + 1]`` and constant ``[S + 1]`` of the row's
    slice, and last with those of the whole.
    """
    run = _entry("slice_powers") or _passes.slice_powers
    run(np.ascontiguousarray(terms), code, slope, moved, out)


def hull_chain(x: NDArray[np.int64], y: NDArray[np.int64]) -> IntArray | None:
    """Places of the vertices of the hull above a staircase of whole numbers below 2³¹; None where NumPy must do it."""
    run = _entry("hull_chain")
    if run is None or max(int(x[-1]), int(y[-1])) >= 2**31:
        return None
    places = np.empty(x.size, dtype=np.int64)
    return places[: run(x, y, places)]


def hull_lanes(
    table: NDArray[np.uint8], units: NDArray[np.int32], starts: IntArray
) -> list[tuple[NDArray[np.int32], NDArray[np.int32]]] | None:
    """Vertices (alarms, hits) of each lane's hull; rows come step by step, negatives of a step before positives.

    `units` are those of the rows, `padded`, and ``starts`` ``[2·steps + 1]`` says where each class of a step begins.
    None where NumPy must do it: without the extension, or where squares of counts are too large for doubles.
    """
    run = _entry("hull_lanes")
    if run is None or units.size >= _MOST_SQUARED:
        return None
    across, up = np.empty((2, LANES, starts.size // 2 + 1), dtype=np.int32)
    sizes = np.empty(LANES, dtype=np.int64)
    run(table, units, starts, across, up, sizes)
    return [(across[lane, :size], up[lane, :size]) for lane, size in enumerate(sizes.tolist())]


def over_tables(
    plan: CountPlan, seed: int, first: int, count: int, work: Callable[[NDArray[np.uint8]], FloatArray],
    n_jobs: int | None = None,
) -> tuple[FloatArray, BoolArray]:  # fmt: skip
    """Draw some blocks and put what `work` makes of their tables, ``[64, ...]``, together; and kept lanes.

    Every thread has one table, so `work` must keep nothing of it: fresh memory for each block costs as much as drawing.
    """
    own = threading.local()

    def one(block: int) -> tuple[FloatArray, BoolArray]:
        own.table, kept = count_table(plan, seed, block, getattr(own, "table", None))
        return work(own.table), kept

    values, kept = (np.concatenate(p) for p in zip(*_over_blocks(one, first, count, n_jobs), strict=True))
    return values, kept


def precision_pass(table: NDArray[np.uint8], rows: FallingRows) -> FloatArray:
    """Average precision of each lane of a table, ``[64]``."""
    run = _entry("rank_pass")
    if run is None:
        return _passes.precision_pass(table, rows)
    values = np.empty(LANES)
    run(table, rows.units, rows.flags, None, values)
    return values


def partial_pass(table: NDArray[np.uint8], rows: FallingRows, limit: FloatArray) -> FloatArray:
    """Area in hits × alarms up to `limit` alarms of each lane, ``[64]``."""
    run = _entry("rank_pass")
    if run is None:
        return _passes.partial_pass(table, rows, limit)
    values = np.empty(LANES)
    run(table, rows.units, rows.flags, np.ascontiguousarray(limit), values)
    return values


def _entry(name: str) -> Any:
    """A function of the extension, None where NumPy must do it: also where an older extension lacks it."""
    return getattr(_native, name, None) if active_path() == "C" else None


def sign_sums(contributions: FloatArray, n_resamples: int, seed: int, n_jobs: int | None = None) -> FloatArray:
    """Σ ± contribution with independent fair signs, ``[n_resamples, k]`` (contributions ``[n, k]``)."""
    if active_path() == "NumPy":
        return _numpy.sign_sums(contributions, n_resamples, seed)
    return _sign_sums_c(contributions, n_resamples, seed, n_jobs)


def _sign_sums_c(contributions: FloatArray, n_resamples: int, seed: int, n_jobs: int | None) -> FloatArray:
    count = -(-n_resamples // _numpy.SIGN_LANES)
    sums = np.zeros((contributions.shape[1], count * _numpy.SIGN_LANES))
    _native.sign_sums(seed, count, thread_count(n_jobs), *contributions.shape, contributions, sums)
    return np.ascontiguousarray(sums[:, :n_resamples].T)


def roc_points(
    keys: NDArray[Any], gap: int, n_positive: int, n_negative: int, points: tuple[FloatArray, FloatArray, FloatArray]
) -> bool:
    """Fill in false and true positive rate and score at each distinct score, falling; False where NumPy must do it.

    `keys` are rising ``2·code + class`` of `_ranked_keys`, signed codes with their `gap` or unsigned ones.
    """
    if active_path() == "NumPy":
        return False
    _native.roc_points(keys, keys.dtype == np.int64, gap, n_positive, n_negative, *points)
    return True


def called_from(counts: FloatArray, contexts: FloatArray) -> NDArray[np.uint16]:
    """The first of rising `contexts` PC(+) in which each bin of falling scores is called positive, ``[c, m, b]``.

    `counts` are the negatives and positives of each bin, ``[c, m, 2, b]``, for c parts and b draws. A bin is called
    where its positives, pooled with those of its neighbours until costs fall along the scores, are worth more than its
    negatives; ``len(contexts)`` where it never is.
    """
    run = _entry("called_from")
    if run is None:
        return _numpy.called_from(counts, contexts)
    parts, bins, _, lanes = counts.shape
    found = np.empty((parts, bins, lanes), dtype=np.uint16)
    run(parts, bins, lanes, np.ascontiguousarray(counts), contexts, found)
    return found


def called_counts(counts: FloatArray, own: FloatArray, contexts: FloatArray) -> FloatArray:
    """Of `own` negatives and positives, as `counts` in shape, those called up to each context, ``[2, b, n]``.

    A bin is called from the context that `called_from` finds for it in `counts`.
    """
    run = _entry("called_counts")
    parts, bins, _, lanes = counts.shape
    n = contexts.size
    if run is None:
        place = (called_from(counts, contexts) + (n + 1) * np.arange(lanes)).ravel()
        by_kind = [np.bincount(place, own[:, :, kind].ravel(), lanes * (n + 1)) for kind in (0, 1)]
        sums: FloatArray = np.stack(by_kind).astype(np.float64)
    else:
        sums = np.zeros((2, lanes, n + 1))
        run(parts, bins, lanes, np.ascontiguousarray(counts), np.ascontiguousarray(own), contexts, sums)
    return np.asarray(np.cumsum(sums.reshape(2, lanes, n + 1), axis=2)[:, :, :n])
