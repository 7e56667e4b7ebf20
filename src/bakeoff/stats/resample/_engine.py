"""From blocks of 64 lanes to exactly the replicates asked for, the same whatever the path and the threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.random import RngLike, as_generator
from bakeoff.stats._kernels import LANES, CountPlan, count_table

Progress = Callable[[int, int], object]
_KEPT = 0.97  # share of lanes a first wave of blocks counts on
_ABOUT_A_SECOND = 1 << 30  # counts drawn and read by the C kernels


def new_seed(rng: RngLike) -> int:
    """Draw the 64-bit seed of one resampling from the caller's generator."""
    return int(as_generator(rng).integers(0, 2**64, dtype=np.uint64))


def collect(n_resamples: int, n_units: int, run: Callable[[int, int], tuple[NDArray[Any], ...]]) -> list[NDArray[Any]]:
    """Run blocks until enough lanes are kept; `run(first, count)` returns arrays by lane, the last one `kept`.

    Replicate b is the b-th kept lane in order of blocks, so it does not matter how the blocks were shared out. A call
    of `run` takes about a second at most, so that Ctrl-C is heard.
    """
    at_once = max(8, _ABOUT_A_SECOND // (LANES * n_units))
    parts: list[list[NDArray[Any]]] = []
    have = first = 0
    while have < n_resamples:
        count = min(at_once, -(-int((n_resamples - have) / _KEPT) // LANES) or 1)
        *values, kept = run(first, count)
        parts.append([value[kept] for value in values])
        have += int(kept.sum())
        first += count
    return [np.concatenate(part)[:n_resamples] for part in zip(*parts, strict=True)]


def tables(plan: CountPlan, n_resamples: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Yield the kept lanes of block after block as counts ``[units + 1, lanes]`` until `n_resamples` were given."""
    left, block = n_resamples, 0
    while left > 0:
        table, kept = count_table(plan, seed, block)
        lanes = np.flatnonzero(kept)[:left]
        yield table if lanes.size == LANES else table[:, lanes]
        left -= lanes.size
        block += 1


def report(progress: Progress | None, done: int, total: int) -> None:
    """Tell the caller how far the work is."""
    if progress is not None:
        progress(done, total)
