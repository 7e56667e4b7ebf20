"""The paired permutation test of any measure: answers of exchangeable models may be swapped row by row."""

from __future__ import annotations

import numpy as np

from bakeoff._core.language import Text
from bakeoff._core.notes import Note, warning_note
from bakeoff._core.random import named_stream
from bakeoff._core.validation import FloatArray
from bakeoff.comparison._draws import stacked_terms
from bakeoff.comparison._patterns import Patterns
from bakeoff.evidence import Rows
from bakeoff.measures import Measure, Sample, sample_of


def swap_replicates(measure: Measure, rows: Rows, a: str, b: str, n_resamples: int, seed: int) -> FloatArray:
    """Differences measure(a) − measure(b) after random swaps, ``[B]``; NaN where the measure is undefined."""
    first, second = sorted((a, b))
    rng = named_stream(seed, rows.name, first, second, "swaps")
    sign = 1.0 if (a, b) == (first, second) else -1.0
    if measure.from_confusion is not None:
        return sign * Patterns.of(rows, first, second).swapped(measure, n_resamples, rng)
    if measure.terms is not None and measure.combine is not None:
        return sign * _swap_terms(measure, rows, first, second, n_resamples, rng)
    if measure.name == "auc" and rows.weight is None:
        return sign * _swap_auc(rows, first, second, n_resamples, rng)
    return sign * _swap_outputs(measure, rows, first, second, n_resamples, rng)


def swap_pvalue(observed: float, replicates: FloatArray, alternative: str) -> tuple[float, tuple[Note, ...]]:
    """The p-value, at least 1/(B + 1), and a note where some swaps gave no value."""
    from bakeoff.stats.resample import permutation_pvalue

    defined = replicates[np.isfinite(replicates)]
    if defined.size == 0:
        note = warning_note(
            "undefined-replicates", Text("The measure was undefined after every swap: there is no p-value.")
        )
        return float("nan"), (note,)
    lost = replicates.size - defined.size
    message = Text(
        "The measure was undefined in {lost} of {size} swaps, which were left out.", lost=lost, size=replicates.size
    )
    notes = (warning_note("undefined-replicates", message),) if lost else ()
    return permutation_pvalue(observed, defined, alternative), notes


def _swap_terms(measure: Measure, rows: Rows, a: str, b: str, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Means of swapped terms: half the sum stays, half the difference changes sign with the coin."""
    from bakeoff.stats.resample import sign_flip

    assert measure.combine is not None
    terms = stacked_terms(measure, rows, [a, b])
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    scaled = terms * (weight / weight.sum())[:, None, None]
    middle = scaled.sum(axis=(0, 1)) / 2
    flips = sign_flip((scaled[:, 0] - scaled[:, 1]) / 2, n_resamples, rng, groups=rows.groups)
    return np.asarray(measure.combine(middle + flips) - measure.combine(middle - flips))


def _swap_auc(rows: Rows, a: str, b: str, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Ranks are swapped rather than scores: the scales of two models need not be comparable."""
    from bakeoff.stats.resample import auc_swap_contributions, sign_flip

    contributions = auc_swap_contributions(rows.positives(), rows.scores(a), rows.scores(b), ranks=True)
    return sign_flip(contributions, n_resamples, rng, groups=rows.groups)[:, 0]


def _swap_outputs(
    measure: Measure, rows: Rows, a: str, b: str, n_resamples: int, rng: np.random.Generator
) -> FloatArray:
    """The measure computed again after every swap: the last resort, for measures that are no sums."""
    samples = [_rankable(measure, sample_of(rows, m, measure.needs)) for m in (a, b)]
    unit = np.arange(rows.n) if rows.groups is None else rows.groups
    n_units = int(unit.max()) + 1
    found = [
        _difference_after(measure, samples[0], samples[1], rng.integers(0, 2, n_units).astype(bool)[unit])
        for _ in range(n_resamples)
    ]
    return np.array(found)


def _rankable(measure: Measure, sample: Sample) -> Sample:
    """Scores that serve only for ranking are swapped as mid-ranks."""
    if measure.from_tally is None:
        return sample
    _, inverse, counts = np.unique(sample.output, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - 0.5 * (counts - 1.0))[inverse]
    return Sample(sample.truth, ranks, sample.classes, sample.positive, sample.weight)


def _difference_after(measure: Measure, a: Sample, b: Sample, swap: FloatArray) -> float:
    mask = swap.reshape(-1, *[1] * (a.output.ndim - 1))
    new_a = np.where(mask, b.output, a.output)
    new_b = np.where(mask, a.output, b.output)
    one, other = (Sample(a.truth, new, a.classes, a.positive, a.weight) for new in (new_a, new_b))
    return measure.of_sample(one) - measure.of_sample(other)
