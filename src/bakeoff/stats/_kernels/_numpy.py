"""The NumPy path: always there, and the definition of what the C path must give.

A table of counts is ``uint8 [units + 1, 64]``: one line per unit, one column per replicate, and a last line of zeros
that stands for "no unit" where arrays are padded.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.stats._kernels._inputs import LANES, MAX_COUNT, RUN, CountPlan, RankLayout
from bakeoff.stats._kernels._streams import N_STREAMS, ByteStreams, block_words, hashed, uniform_below

ByteArray = NDArray[np.uint8]

_CHUNK = 2048  # units at a time: 128 KB of counts, which stays in the second-level cache
_ADDED = 1 << 20  # units added at a time
SIGN_LANES = 1024  # replicates in a block of sign flips
_SIGN_BYTES = 1 << 21  # random bytes held at once


def count_table(plan: CountPlan, seed: int, block: int) -> tuple[ByteArray, NDArray[np.bool_]]:
    """Draw a block: counts ``[units + 1, 64]`` and which lanes are kept (see `_plan` for why they are exact)."""
    words = block_words(seed, block, 3 * N_STREAMS + 2)
    residual_key, extra_key = words[-2:]
    table = np.empty((plan.n_units + 1, LANES), dtype=np.uint8)
    table[-1] = 0
    missing = _coded_counts(table, plan, ByteStreams(words), residual_key)
    kept = np.asarray((missing >= 0).all(axis=0))
    _add_units(table, plan, np.maximum(missing, 0), extra_key)
    return table, kept


def _coded_counts(table: ByteArray, plan: CountPlan, streams: ByteStreams, key: int) -> IntArray:
    """Fill in the Poisson counts; return how many units each stratum still misses in each lane, ``[S, 64]``."""
    sizes = np.diff(plan.starts)
    missing = np.repeat(sizes[:, None], LANES, axis=1)
    words = np.empty((_CHUNK, N_STREAMS), dtype=np.uint64)
    flags = np.empty((_CHUNK, LANES), dtype=np.bool_)
    for stratum, law in enumerate(plan.law.tolist()):
        if law < 0:
            table[plan.starts[stratum] : plan.starts[stratum + 1]] = 0
            continue
        for first in range(int(plan.starts[stratum]), int(plan.starts[stratum + 1]), _CHUNK):
            last = min(first + _CHUNK, int(plan.starts[stratum + 1]))
            rows = last - first
            streams.fill(words[:rows])
            _decode(table[first:last], words[:rows].view(np.int8), flags[:rows], plan.cuts[law])
            _draw_residual(table, first, flags[:rows], plan.residual[law], key)
            missing[stratum] -= _lane_sums(table[first:last])
    return missing


def _decode(counts: ByteArray, signed: NDArray[np.int8], flags: NDArray[np.bool_], cuts: NDArray[np.int8]) -> None:
    """Turn random bytes into counts; leave in `flags` where the byte means the residual law."""
    np.greater(signed, cuts[0], out=counts.view(np.bool_))
    for cut in cuts[1:-1]:
        np.greater(signed, cut, out=flags)
        counts += flags.view(np.uint8)
    np.greater(signed, cuts[-1], out=flags)


def _draw_residual(table: ByteArray, first: int, flags: NDArray[np.bool_], cuts: NDArray[np.uint64], key: int) -> None:
    position = np.flatnonzero(flags) + first * LANES
    table.reshape(-1)[position] = np.searchsorted(cuts, hashed(key, position), side="right")


def _lane_sums(counts: ByteArray) -> IntArray:
    """Sum over units in each lane; 64 lines of at most 31 … fit 16 bits, so sum in two steps."""
    whole = counts.shape[0] // 64 * 64
    partial = counts[:whole].reshape(-1, 64, LANES).sum(axis=1, dtype=np.uint16)
    return np.asarray(partial.sum(axis=0, dtype=np.int64) + counts[whole:].sum(axis=0, dtype=np.int64))


def _add_units(table: ByteArray, plan: CountPlan, missing: IntArray, key: int) -> None:
    """Add the missing units of every stratum and lane, each drawn uniformly within its stratum."""
    per_lane = missing.reshape(-1)
    slab = np.cumsum(per_lane) // _ADDED  # bounded memory when many small strata are drawn unit by unit
    for cells in np.split(np.arange(per_lane.size), np.flatnonzero(np.diff(slab)) + 1):
        _add_some(table, plan, cells, per_lane[cells], key)


def _add_some(table: ByteArray, plan: CountPlan, cells: IntArray, counts: IntArray, key: int) -> None:
    stratum, lane = np.divmod(np.repeat(cells, counts), LANES)
    ordinal = np.arange(stratum.size) - np.repeat(np.cumsum(counts) - counts, counts)
    start, size = plan.starts[stratum], np.diff(plan.starts)[stratum].astype(np.uint64)
    unit = start + uniform_below(hashed(key, (start + ordinal) * LANES + lane), size)
    flat, position = table.reshape(-1), unit * LANES + lane
    np.add.at(flat, position, np.uint8(1))
    flat[position] = np.minimum(flat[position], MAX_COUNT)


def auc_pass(table: ByteArray, layout: RankLayout) -> tuple[IntArray, IntArray, IntArray]:
    """Return twice the Mann–Whitney count, and the positives and negatives drawn, for each lane.

    Rows are cut in runs of 16; within all runs of a slab at once, step t multiplies the positives of row t by the
    negatives met so far; between runs, block totals do the same. Ties between classes were counted as wins (negatives
    come first); half of each is taken back.
    """
    wins, ups, downs = (np.zeros(LANES, dtype=np.int64) for _ in range(3))
    positives, negatives = layout.steps
    for first in range(0, positives.shape[1], _CHUNK // RUN):
        part = slice(first, first + _CHUNK // RUN)
        inside, up, down = _runs(table, positives[:, part], negatives[:, part])
        before = np.cumsum(down, axis=0) - down
        wins += inside + np.einsum("rl,rl->l", up, before).astype(np.int64) + downs * _whole(up)
        ups += _whole(up)
        downs += _whole(down)
    return 2 * wins - _tied_pairs(table, layout), ups, downs


def _runs(table: ByteArray, positive: IntArray, negative: IntArray) -> tuple[IntArray, FloatArray, FloatArray]:
    """Pairs won inside runs (summed), and each run's positives and negatives, ``[runs, 64]``."""
    gain = table.take(positive, axis=0).astype(np.uint16)
    loss = table.take(negative, axis=0).astype(np.uint16)
    product = np.empty_like(gain[0])
    won = np.zeros_like(gain[0])
    for t in range(1, RUN):
        np.multiply(gain[t], loss[0], out=product)
        won += product
        loss[0] += loss[t]
        gain[0] += gain[t]
    return won.sum(axis=0, dtype=np.int64), gain[0].astype(np.float64), loss[0].astype(np.float64)


def _whole(values: FloatArray) -> IntArray:
    return np.asarray(values.sum(axis=0).astype(np.int64))


def _tied_pairs(table: ByteArray, layout: RankLayout) -> IntArray:
    """Sum over mixed tie groups of positives × negatives, for each lane."""
    pairs = np.zeros(LANES, dtype=np.int64)
    if not layout.ties.size:
        return pairs
    start, middle, end = layout.ties.T
    slab = np.cumsum(end - start) // (8 * _CHUNK)  # whole groups, some 16,000 rows at a time
    for chosen in np.split(np.arange(start.size), np.flatnonzero(np.diff(slab)) + 1):
        size = (end - start)[chosen]
        offset = np.cumsum(size) - size
        rows = np.repeat(start[chosen] - offset, size) + np.arange(size.sum())
        edges = np.stack([offset, offset + (middle - start)[chosen]], axis=1).reshape(-1)
        sums = np.add.reduceat(table.take(layout.units[rows], axis=0), edges, axis=0, dtype=np.int64)
        pairs += np.einsum("gl,gl->l", sums[0::2], sums[1::2])
    return pairs


def column_sums(table: ByteArray, columns: FloatArray) -> FloatArray:
    """Return Σ count · value for each lane and column, ``[64, k]``."""
    sums = np.zeros((LANES, columns.shape[1]))
    for first in range(0, columns.shape[0], _CHUNK):
        part = columns[first : first + _CHUNK]
        sums += table[first : first + part.shape[0]].T.astype(np.float64) @ part
    return sums


def sign_sums(contributions: FloatArray, n_resamples: int, seed: int) -> FloatArray:
    """Return Σ ± contribution with independent fair signs, ``[n_resamples, k]``.

    Eight rows share one random byte per replicate: the byte looks their signed sum up in a table of 256
    (the "four Russians" trick), so a replicate costs n / 8 look-ups.
    """
    n_blocks = -(-n_resamples // SIGN_LANES)
    streams = [ByteStreams(block_words(seed, block, 3 * N_STREAMS)) for block in range(n_blocks)]
    sums = np.zeros((contributions.shape[1], n_blocks * SIGN_LANES))
    steps = SIGN_LANES // LANES
    at_once = max(1, _SIGN_BYTES // (n_blocks * SIGN_LANES))
    words = np.empty((at_once * steps, N_STREAMS), dtype=np.uint64)
    codes = np.empty((at_once, n_blocks * SIGN_LANES), dtype=np.uint8)
    for first in range(0, contributions.shape[0], 8 * at_once):
        some = sign_tables(contributions[first : first + 8 * at_once])
        for block, stream in enumerate(streams):
            part = words[: some.shape[0] * steps]
            stream.fill(part)
            codes[: some.shape[0], block * SIGN_LANES : (block + 1) * SIGN_LANES] = part.view(np.uint8).reshape(
                some.shape[0], SIGN_LANES
            )
        _look_up(sums, some, codes)
    return np.ascontiguousarray(sums[:, :n_resamples].T)


def sign_tables(contributions: FloatArray) -> FloatArray:
    """Return the 256 signed sums of every eight rows, ``[rows / 8, k, 256]``; bit r set means +row r."""
    n, k = contributions.shape
    padded = np.zeros((-(-n // 8) * 8, k))
    padded[:n] = contributions
    eights = padded.reshape(-1, 8, k)
    tables = np.zeros((eights.shape[0], k, 256))
    for r in range(8):
        low, high = tables[..., : 1 << r], tables[..., 1 << r : 2 << r]
        np.add(low, eights[:, r, :, None], out=high)
        low -= eights[:, r, :, None]
    return tables


def _look_up(sums: FloatArray, tables: FloatArray, codes: ByteArray) -> None:
    found = np.empty(codes.shape[1])
    for table, code in zip(tables, codes, strict=False):
        for column in range(table.shape[0]):
            table[column].take(code, out=found, mode="clip")
            sums[column] += found


def called_from(counts: FloatArray, contexts: FloatArray) -> NDArray[np.uint16]:
    """The first context in which each bin is called, ``[c, m, 2, b]`` → ``[c, m, b]``: all in one isotonic fit."""
    from scipy.optimize import isotonic_regression

    parts, bins, _, draws = counts.shape
    whole = counts.sum(axis=1, keepdims=True)
    alarms, hits = np.moveaxis(counts / np.where(whole > 0, whole, 1.0), (2, 3), (0, 2)).reshape(2, -1, bins)
    weight = alarms + hits
    empty = weight <= 0
    # Steps of two keep lanes apart; an empty bin is above whatever follows it, and too light to move it.
    share = np.where(empty, 1.0, alarms / np.where(empty, 1.0, weight)) + 2.0 * np.arange(weight.shape[0])[:, None]
    fit = isotonic_regression(share.ravel(), weights=np.where(empty, 1e-30, weight).ravel())
    starts = np.asarray(fit.blocks)[:-1]
    pooled = fit.x[starts] - 2.0 * (starts // bins)
    first = np.searchsorted(contexts, pooled, side="right").astype(np.uint16)
    trailing = np.add.reduceat((~empty).ravel(), starts) == 0
    first[trailing] = contexts.size
    return np.ascontiguousarray(
        np.repeat(first, np.diff(np.append(starts, weight.size))).reshape(parts, draws, bins).swapaxes(1, 2)
    )
