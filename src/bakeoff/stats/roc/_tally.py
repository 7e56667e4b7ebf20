"""Scores of two classes: checked, then counted at each distinct score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import BoolArray, FloatArray, IntArray, as_binary_truth, as_floats, dot


def as_score_vector(name: str, values: ArrayLike, *, n: int | None = None) -> FloatArray:
    """Return one score per row as float64; ±inf is a score like any other, NaN is an error located by row."""
    score = as_floats(name, values)
    if score.ndim != 1:
        raise EvidenceError(
            f"{name} must be one-dimensional, one score per row. Got shape {score.shape} instead.",
            hint="for probabilities of two classes, give the column of the positive class" if score.ndim == 2 else None,
        )
    if n is not None and score.size != n:
        raise EvidenceError(f"{name} must have one score per row of y_true. Got {score.size} scores and {n} rows.")
    check_no_nan(name, score)
    return score


def check_no_nan(name: str, score: FloatArray) -> None:
    """Raise with the row of the first NaN; the minimum carries a NaN along, so clean data cost one fast pass."""
    if score.size and np.isnan(score.min()):
        missing = np.isnan(score)
        where = np.argwhere(missing)[0]
        place = f"row {where[0]}" if score.ndim == 1 else f"row {where[0]}, column {where[1]}"
        raise EvidenceError(
            f"{name} must not have missing values, but has {int(missing.sum())} NaN (the first at {place}).",
            hint="drop those rows for every model alike, or give the model's lowest score to what it could not score",
        )


def as_weights(values: ArrayLike | None, n: int) -> FloatArray | None:
    """Return one non-negative finite weight per row, or None."""
    if values is None:
        return None
    weight = as_floats("sample_weight", values)
    if weight.shape != (n,):
        raise EvidenceError(f"sample_weight must have one weight per row. Got shape {weight.shape} for {n} rows.")
    bad = ~(np.isfinite(weight) & (weight >= 0))
    if bad.any():
        row = int(bad.argmax())
        raise EvidenceError(f"sample_weight must be finite and not negative. Got {weight[row]} at row {row}.")
    return weight


def as_binary_scores(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: object = None, sample_weight: ArrayLike | None = None
) -> tuple[BoolArray, FloatArray, FloatArray | None]:
    """Return (positive, score, weight) of equal lengths, with at least one row of each class."""
    positive = as_binary_truth(y_true, pos_label=pos_label)
    score = as_score_vector("y_score", y_score, n=positive.size)
    weight = as_weights(sample_weight, positive.size)
    check_both_classes(positive, weight)
    return positive, score, weight


def check_both_classes(positive: BoolArray, weight: FloatArray | None = None) -> None:
    """Raise unless both classes are there: without one of them there are no pairs to rank."""
    present = positive if weight is None else positive[weight > 0]
    n_positive = int(np.count_nonzero(present))
    if 0 < n_positive < present.size:
        return
    missing = "positive" if n_positive == 0 else "negative"
    raise EvidenceError(
        f"y_true must have rows of both classes, but there is no {missing} one among {present.size} rows.",
        hint="with one class only, ROC curve and AUC are undefined; use stratified folds",
    )


CHUNK = 1 << 15
"""Rows handled at a time before and after the sort, so that several passes over them stay in the cache."""


class Tally(NamedTuple):
    """Positives and negatives at each distinct score.

    Attributes
    ----------
    thresholds
        The distinct scores, from the highest to the lowest, ``[m]``.
    positives, negatives
        Rows of each class with that score, ``[m]``: whole numbers, or sums of weights.
    """

    thresholds: FloatArray
    positives: NDArray[Any]
    negatives: NDArray[Any]


def tally_scores(positive: BoolArray, score: FloatArray, weight: FloatArray | None = None) -> Tally:
    """Count positives and negatives at each distinct score, the highest score first.

    Parameters
    ----------
    positive
        True for rows of the positive class, ``[n]``.
    score
        float64 scores without NaN, ``[n]``; infinities allowed.
    weight
        Non-negative weights, ``[n]``; rows of weight zero are left out.
    """
    if weight is not None:
        return _weighted_tally(positive, score, weight)
    ranked = rank_scores(positive, score)
    size, done = ranked.n_distinct(), 0
    thresholds, upto = np.empty(size), np.empty((2, size), dtype=np.int64)  # positives and rows at or above each
    for step in ranked.steps():
        part = slice(done, done + step.rows.size)
        thresholds[part], upto[0, part], upto[1, part] = step
        done = part.stop
    positives, rows = np.diff(upto, prepend=0)
    return Tally(thresholds, positives, rows - positives)


def _weighted_tally(positive: BoolArray, score: FloatArray, weight: FloatArray) -> Tally:
    used = weight > 0
    values, place = np.unique(score[used], return_inverse=True)
    truth, heavy = positive[used], weight[used]
    positives = np.bincount(place[truth], heavy[truth], minlength=values.size)
    negatives = np.bincount(place[~truth], heavy[~truth], minlength=values.size)
    return Tally(values[::-1].copy(), positives[::-1].copy(), negatives[::-1].copy())


_WIDEST = 24  # bits of the row number; 40 are left of the score, which rarely fail to tell two scores apart


def sorted_order(score: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the rows in ascending order of score, and the scores in that order (no NaN)."""
    width = max(score.size - 1, 1).bit_length()
    if width > _WIDEST:
        order = np.argsort(score)
        return order, score[order]
    keys = (score + 0.0).view(np.int64)  # + 0.0 makes −0.0 equal to 0.0
    keys ^= (keys >> 63) & np.int64(2**63 - 1)  # whole numbers in the order of the floats
    keys &= np.int64(-1 << width)
    keys |= np.arange(score.size)
    keys.sort()
    order = keys & np.int64((1 << width) - 1)
    ranked = score[order]
    if (ranked[1:] < ranked[:-1]).any():
        _sort_equal_prefixes(keys >> width, score, order, ranked)
    return order, ranked


def _sort_equal_prefixes(prefix: IntArray, score: FloatArray, order: IntArray, ranked: FloatArray) -> None:
    """Sort again, in place, the few rows whose scores differ only in the bits that gave way to the row number."""
    alike = prefix[1:] == prefix[:-1]
    places = np.flatnonzero(np.concatenate([alike, [False]]) | np.concatenate([[False], alike]))
    rows = order[places]
    order[places] = rows[np.argsort(score[rows])]  # places stand in order of prefix, so one sort does for all of them
    ranked[places] = score[order[places]]


def code_order(code: IntArray) -> IntArray:
    """Return the rows in rising order of their codes, whole numbers from 0 on; rows of one code stay in order.

    Two bytes at a time: NumPy sorts those by counting, many times faster than it compares.
    """
    order = np.argsort(code.astype(np.uint16), kind="stable")
    for shift in range(16, int(code.max(initial=0)).bit_length(), 16):
        order = order[np.argsort((code[order] >> shift).astype(np.uint16), kind="stable")]
    return order


def falling_places(score: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the distinct scores, falling ``[m]``, and the place of each row among them ``[n]``."""
    order, ranked = (column[::-1] for column in sorted_order(score))
    opens = np.concatenate([[True], ranked[1:] != ranked[:-1]])
    place = np.empty(score.size, dtype=np.int64)
    place[order] = np.cumsum(opens) - 1
    return ranked[opens], place


def auc_from_tally(positives: NDArray[Any], negatives: NDArray[Any]) -> FloatArray:
    """Return P(score⁺ > score⁻) + ½ P(tie) from counts in order of falling score, ``[..., m]``.

    Leading axes are replicates (bootstrap, folds), and the result has their shape ``[...]``. Whole counts are added as
    whole numbers, so it is exact up to the last division; NaN where a class is empty.
    """
    positives, negatives = _wide(positives), _wide(negatives)
    below = negatives.sum(axis=-1, keepdims=True) - np.cumsum(negatives, axis=-1)
    doubled = (positives * (2 * below + negatives)).sum(axis=-1)
    pairs = positives.sum(axis=-1).astype(np.float64) * negatives.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(doubled / (2.0 * pairs))


def auc_error_from_tally(positives: FloatArray, negatives: FloatArray) -> float:
    """Return DeLong's standard error of an AUC from counts in order of falling score."""
    n_positive, n_negative = positives.sum(), negatives.sum()
    of_positive = 1 - (np.cumsum(negatives) - negatives / 2) / n_negative  # share of the negatives below
    of_negative = (np.cumsum(positives) - positives / 2) / n_positive  # share of the positives above
    area = dot(positives, of_positive) / n_positive
    variance = sum(
        dot(counts, (places - area) ** 2) / (counts.sum() * (counts.sum() - 1))
        for counts, places in ((positives, of_positive), (negatives, of_negative))
    )
    return float(np.sqrt(variance))


def average_precision_from_tally(positives: NDArray[Any], negatives: NDArray[Any]) -> FloatArray:
    """Return average precision from counts in order of falling score, ``[..., m]``; leading axes are replicates."""
    found = np.cumsum(positives, axis=-1)
    called = found + np.cumsum(negatives, axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        # Above the first row that was drawn nothing is called positive: 0/0, but nothing is found there either.
        precision = np.where(called > 0, found / called, 0.0)
        total = found[..., -1] if found.shape[-1] else 0.0  # of no rows at all there is no average: NaN
        return np.asarray(np.divide((precision * positives).sum(axis=-1), total))


def ks_from_tally(positives: NDArray[Any], negatives: NDArray[Any]) -> FloatArray:
    """Return max(TPR − FPR, 0) from counts in order of falling score, ``[..., m]``; NaN where a class is empty."""
    with np.errstate(invalid="ignore", divide="ignore"):
        tpr = np.cumsum(positives, axis=-1) / positives.sum(axis=-1, keepdims=True)
        fpr = np.cumsum(negatives, axis=-1) / negatives.sum(axis=-1, keepdims=True)
    return np.asarray(np.maximum((tpr - fpr).max(axis=-1), 0.0))


def _wide(counts: NDArray[Any]) -> NDArray[Any]:
    """Small integer counts (bytes of a bootstrap) must not overflow in products."""
    counts = np.asarray(counts)
    return counts.astype(np.int64) if counts.dtype.kind in "iub" else counts


class ScoreSteps(NamedTuple):
    """Consecutive distinct scores, from the highest down, and the positives and rows at or above each."""

    scores: FloatArray
    positives: IntArray
    rows: IntArray


@dataclass(frozen=True, slots=True)
class RankedScores:
    """Scores and classes in order.

    Attributes
    ----------
    keys
        Rising ``2·code + class``, ``[n]``.
    gap
        For signed codes: what was subtracted from the bits of each magnitude. Unsigned codes are the bits themselves.
    table
        The distinct scores, when codes are places in it.
    """

    keys: NDArray[Any]
    gap: int = 0
    table: FloatArray | None = None

    def scores(self, codes: NDArray[Any]) -> FloatArray:
        """Return the scores of codes."""
        if self.table is not None:
            return np.asarray(self.table[codes])
        if codes.dtype == np.uint64:
            return np.asarray(codes.view(np.float64))
        magnitude = np.abs(codes)
        magnitude += self.gap * (magnitude > 0)
        scores: FloatArray = magnitude.view(np.float64)
        return np.negative(scores, out=scores, where=codes < 0)

    def n_distinct(self) -> int:
        """Return the number of distinct scores."""
        changes = (int(np.count_nonzero(part > 1)) for part in _differences(self.keys))
        return 1 + sum(changes) if self.keys.size else 0

    def steps(self) -> Iterator[ScoreSteps]:
        """Yield the distinct scores from the highest down, a chunk of rows at a time."""
        keys, positives, n = self.keys, 0, self.keys.size
        for stop in range(n, 0, -CHUNK):
            start = max(stop - CHUNK, 0)
            falling = keys[start:stop][::-1]
            running = np.cumsum(falling & 1, dtype=np.int64)
            running += positives
            positives = int(running[-1])
            rows = np.arange(n - stop + 1, n - start + 1)
            # A score's last row is where the next key has another code; the lowest score ends with the rows.
            last = np.empty(stop - start, dtype=bool)
            last[-1] = start == 0 or keys[start - 1] >> 1 != keys[start] >> 1
            np.greater((falling[1:] ^ falling[:-1]).view(np.uint64), 1, out=last[:-1])
            if not last.all():
                falling, running, rows = falling[last], running[last], rows[last]
            if rows.size:
                yield ScoreSteps(self.scores(falling >> 1), running, rows)


def _differences(keys: NDArray[Any]) -> Iterator[NDArray[np.uint64]]:
    """Yield ``key ^ next key`` in chunks: 0 the same row twice, 1 a tie between classes, more for another score."""
    for start in range(0, keys.size - 1, CHUNK):
        piece = keys[start : start + CHUNK + 1]
        yield (piece[1:] ^ piece[:-1]).view(np.uint64)


def rank_scores(positive: BoolArray, score: FloatArray) -> RankedScores:
    """Sort scores with their class; `score` is float64 without NaN."""
    score = np.ascontiguousarray(score)
    if score.size == 0 or score.min() >= 0.0:
        ranked = RankedScores(_unsigned_keys(positive, score))
    else:
        gap, largest = _magnitudes(score)
        if largest - gap < 2**62:
            ranked = RankedScores(_signed_keys(positive, score, gap), gap)
        else:
            table, place = np.unique(score, return_inverse=True)
            ranked = RankedScores(2 * place.astype(np.int64) + positive, table=table)
    ranked.keys.sort()
    return ranked


def _unsigned_keys(positive: BoolArray, score: FloatArray) -> NDArray[Any]:
    keys = score.view(np.uint64) << np.uint64(1)  # the shift also drops the sign of -0.0
    keys |= positive
    return keys


def _magnitudes(score: FloatArray) -> tuple[int, int]:
    """Return the bits of the smallest magnitude but zero, less one, and of the largest."""
    smallest, largest = 2**63, 0
    for start in range(0, score.size, CHUNK):
        bits = np.abs(score[start : start + CHUNK]).view(np.int64)
        largest = max(largest, int(bits.max()))
        bits -= 1
        smallest = min(smallest, int(bits.view(np.uint64).min()))  # zero wraps around to the largest number
    return min(smallest, largest), largest


def _signed_keys(positive: BoolArray, score: FloatArray, gap: int) -> NDArray[Any]:
    keys = np.empty(score.size, dtype=np.int64)
    for start in range(0, score.size, CHUNK):
        part = slice(start, start + CHUNK)
        bits = np.abs(score[part]).view(np.int64)
        bits -= gap
        np.maximum(bits, 0, out=bits)  # zero, of either sign
        sign = score[part].view(np.int64) >> 63
        bits ^= sign
        bits -= sign
        bits <<= 1
        np.bitwise_or(bits, positive[part], out=keys[part])
    return keys


def wins_twice(ranked: RankedScores) -> int:
    """Return twice the pairs in which the positive is above the negative, plus the tied pairs; exact.

    With rows numbered from the lowest, the sum of the positives' numbers less P(P − 1)/2 counts wins and ties alike,
    because the keys put tied negatives before tied positives.
    """
    number = np.arange(CHUNK, dtype=np.float64)
    total, positives, keys = 0, 0, ranked.keys
    for start in range(0, keys.size, CHUNK):
        truth = (keys[start : start + CHUNK] & 1).astype(np.float64)
        count = int(truth.sum())
        total += start * count + int(np.einsum("i,i->", truth, number[: truth.size]))
        positives += count
    return 2 * total - positives * (positives - 1) - _tied_pairs(ranked)


def _tied_pairs(ranked: RankedScores) -> int:
    if not any((part == 1).any() for part in _differences(ranked.keys)):
        return 0
    pairs, positives_above, rows_above = 0, 0, 0
    for step in ranked.steps():
        positives = np.diff(step.positives, prepend=positives_above)
        negatives = np.diff(step.rows, prepend=rows_above) - positives
        pairs += int((positives * negatives).sum())
        positives_above, rows_above = int(step.positives[-1]), int(step.rows[-1])
    return pairs
