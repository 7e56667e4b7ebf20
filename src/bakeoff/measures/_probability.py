"""Measures of probability estimates: is the stated chance the real one?"""

from __future__ import annotations

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import Text, label, numeral
from bakeoff._core.result import Note, warning_note
from bakeoff._core.validation import FloatArray, check_number, dot
from bakeoff.counts import Counted, Draws, Sample, Sums, SumsKind
from bakeoff.evidence import Rows
from bakeoff.measures._measure import Measure, Trait, first_mean, first_slope

# The probability of the true class is kept this far from 0, or a single confident error would make the mean
# infinite. The constant changes the answer then (scikit-learn uses the same one).
LOG_LOSS_CLIP = float(np.finfo(np.float64).eps)

_AT_ONCE = 1 << 16  # rows
_ROUNDING = 1e-14  # a mean gap below this is none


def _true_class_probability(sample: Sample) -> FloatArray:
    table = np.asarray(sample.output, dtype=np.float64)
    return table[np.arange(sample.n), np.asarray(sample.truth, dtype=np.int64)]


def log_loss_terms(sample: Sample) -> FloatArray:
    """−log of the probability given to the true class, ``[n, 1]``."""
    chance = np.clip(_true_class_probability(sample), LOG_LOSS_CLIP, 1 - LOG_LOSS_CLIP)
    return np.asarray(-np.log(chance))[:, None]


def _clipped(rows: Rows, model: str) -> Note | None:
    """A certain answer that was wrong has no finite log loss: it is cut, and the value depends on where.

    Certain answers that were all right are told as well: what one error among them would cost is not in the rows.
    So are chances rounded so that 0 and 1 may be given: with hundredths a gate at its margin passed 31 %.
    """
    table = rows.probabilities(model)
    no_chance, most = table <= LOG_LOSS_CLIP, -np.log(LOG_LOSS_CLIP)
    times = np.ones(rows.n, dtype=np.int64) if rows.frequency is None else rows.frequency
    n = int(times[no_chance[np.arange(rows.n), rows.truth]].sum())
    certain = int(times[no_chance.any(axis=1)].sum())
    if certain == 0:
        return _rounded(table, float(most))
    if n == 0:
        text = Text(
            "A class was given no chance on {n} rows, rightly each time. One such error would cost {most:.1f}, which "
            "no interval of a log loss can allow for. The Brier score has no such step.",
            n=certain, most=most,
        )  # fmt: skip
    else:
        text = Text(
            "{n} rows turned out as {model!r} had given no chance of; their loss is cut at {most:.1f}, and the log "
            "loss depends on that. The Brier score does not.",
            n=n, model=model, most=most,
        )  # fmt: skip
    return warning_note("clipped-probabilities", text)


def _rounded(table: FloatArray, most: float) -> Note | None:
    """Chances rounded to tenths or hundredths: 0 is among what may be given."""
    first = table[:_MANY]
    if len(first) < _MANY or not _multiples(first, _FINEST) or not _multiples(table, _FINEST):
        return None
    if np.unique(first[:, 0]).size < _DIFFERENT:  # a constant is a multiple by accident
        return None
    step = 0.1 if _multiples(table, 0.1) else _FINEST
    text = Text(
        "All chances are multiples of {step}, so that 0 and 1 may be given, though not on these rows. One such error "
        "would cost {most:.1f}, which no interval of a log loss can allow for. The Brier score has no such step.",
        step=numeral(step),
        most=most,
    )
    return warning_note("clipped-probabilities", text)


def _multiples(values: FloatArray, step: float) -> bool:
    steps = values / step
    return bool(np.abs(steps - np.round(steps)).max() < _NEARLY)


_FINEST, _NEARLY = 0.01, 1e-6
_MANY, _DIFFERENT = 30, 4  # so many rows, and chances, are multiples by no accident


def brier_terms(sample: Sample) -> FloatArray:
    """Squared error of the probabilities, ``[n, 1]``: (p − y)² for two classes, summed over classes for more."""
    table = np.asarray(sample.output, dtype=np.float64)
    if len(sample.classes) == 2:
        return np.asarray((1.0 - _true_class_probability(sample)) ** 2)[:, None]
    # Σ_k (p_k − y_k)² = Σ p_k² − 2 p_true + 1
    losses: FloatArray = np.einsum("nk,nk->n", table, table) - 2 * _true_class_probability(sample) + 1.0
    return losses[:, None]


def calibration_error(bins: int = 10) -> Measure:
    """Expected calibration error over equal-width bins, right-closed: ``Σ_b n_b/n · |mean outcome − mean chance|``.

    Two classes: of the probability of the positive class. More: of the probability of the predicted class.

    Examples
    --------
    >>> import bakeoff
    >>> measure = bakeoff.measures.calibration_error(bins=2)
    >>> round(measure([0, 0, 1, 1], [0.2, 0.4, 0.6, 0.8]), 3)
    0.3
    """
    if bins < 1:
        raise ParameterError(f"bins must be at least 1. Got {bins!r}.")

    def gaps(sample: Sample) -> FloatArray:
        chance, outcome = confidence_and_outcome(sample)
        table = np.zeros((sample.n, bins))
        table.reshape(-1)[bins * np.arange(sample.n) + bin_of(chance, bins)] = outcome - chance
        return table

    def combine(means: FloatArray) -> FloatArray:
        return np.asarray(np.abs(means).sum(axis=-1))

    def slope(means: FloatArray) -> FloatArray:
        return np.where(np.abs(means) > _ROUNDING, np.sign(means), 0.0)

    name = "calibration_error" if bins == 10 else f"calibration_error[{bins} bins]"
    return Measure(
        name, False, (0.0, 1.0), "probabilities", f"how far stated chances are from what happened, over {bins} bins",
        "there are no rows", form=SumsKind(gaps), value=combine, gradient=slope, smooth=False,
        traits=frozenset({Trait.BIASED}), limits=("debiased",), debiased=_without_noise,
    )  # fmt: skip


def _without_noise(counted: Counted, draws: Draws) -> float:
    """Calibration error less what it would be on average if every stated chance p were the real one.

    The gap of a bin is then a sum of terms y − p with variance p(1 − p), and its absolute value is on average √(2/π)
    times its standard deviation. Whatever y was, |y − p|(1 − |y − p|) = p(1 − p). Rows of one unit (a group, a case
    with several answers) are not independent: their terms vary together, as the sums of units around their mean do.
    """
    assert isinstance(counted.form, Sums)
    units, terms = counted.units, counted.form.terms[:, 0]
    weight = units.as_they_are()[0]
    if units.of_row is None:
        each = weight if units.importance is None else weight * units.importance
        variance = np.zeros(terms.shape[1])
        for first in range(0, len(terms), _AT_ONCE):
            gap, own = np.abs(terms[first : first + _AT_ONCE]), each[first : first + _AT_ONCE]
            variance += units.answers * dot(own, gap * (1 - gap))
    else:
        binned = terms != 0
        mean = dot(weight, terms) / np.maximum(dot(weight, binned), 1e-300)
        sums = units.sum_rows(units.spread(np.ones((1, units.records)))[0][:, None] * (terms - mean * binned))
        variance = dot(units.once, sums**2) * (units.n / max(units.n - 1, 1))
    noise = np.sqrt(2 / np.pi * np.maximum(variance, 0.0)).sum()
    return float((np.abs(dot(weight, terms)).sum() - noise) / weight.sum())


def net_benefit(threshold: float = 0.5, *, standardized: bool = False) -> Measure:
    """Net benefit of treating whoever has at least this chance: TP/n − FP/n · t/(1 − t) (Vickers & Elkin 2006).

    With `standardized`, over the prevalence: 1 is what a perfect model gains.

    Examples
    --------
    >>> import bakeoff
    >>> measure = bakeoff.measures.net_benefit(0.2)
    >>> measure([0, 0, 1, 1], [0.1, 0.3, 0.6, 0.9])
    0.4375
    """
    at = check_number("threshold", threshold, low=0, high=1, closed="none")
    odds = at / (1 - at)

    def terms(sample: Sample) -> FloatArray:
        chance, outcome = confidence_and_outcome(sample)
        benefit = (chance >= at) * (outcome - (1 - outcome) * odds)
        return np.stack([benefit, outcome], axis=1) if standardized else benefit[:, None]

    def per_positive(means: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(means[..., 1] > 0, means[..., 0] / means[..., 1], np.nan))

    detail = ", ".join([f"{at:g}"] * (at != 0.5) + ["standardized"] * standardized)
    name = f"net_benefit[{detail}]" if detail else "net_benefit"
    return Measure(
        name, True, (-np.inf if standardized else -odds, 1.0), "probabilities",
        f"gain of treating at a chance of {at:g}, in true positives" + " of all positives" * standardized,
        "there are no positives" if standardized else "there are no rows", tasks=("binary",), form=SumsKind(terms),
        value=per_positive if standardized else first_mean, needs_positive=True,
        traits=frozenset() if standardized else frozenset({Trait.MEAN}), label=label(name.replace("_", " ", 1)),
    )  # fmt: skip


def bin_of(chance: FloatArray, bins: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Equal-width bins (lo, hi], the first closed on both sides; edges are exact: b/bins, not sums of 1/bins."""
    edges = np.arange(1, bins) / bins
    return np.searchsorted(edges, chance, side="left")


def confidence_and_outcome(sample: Sample) -> tuple[FloatArray, FloatArray]:
    """The stated chance, and whether it came true: of the positive class (binary) or of the predicted class."""
    table = np.asarray(sample.output, dtype=np.float64)
    truth = np.asarray(sample.truth, dtype=np.int64)
    if len(sample.classes) == 2:
        positive = 1 if sample.positive is None else sample.positive
        return table[:, positive], (truth == positive).astype(np.float64)
    called = table.argmax(axis=1)
    return table[np.arange(sample.n), called], (called == truth).astype(np.float64)


MEASURES: tuple[Measure, ...] = (
    Measure(
        "log_loss", False, (0.0, np.inf), "probabilities", "mean surprise: −log of the chance given to what happened",
        "there are no rows", form=SumsKind(log_loss_terms), value=first_mean, gradient=first_slope, link="log",
        traits=frozenset({Trait.MEAN}), caution=_clipped,
    ),
    Measure(
        "brier", False, (0.0, 2.0), "probabilities", "mean squared error of the probabilities (summed over classes)",
        "there are no rows", form=SumsKind(brier_terms), value=first_mean, gradient=first_slope, link="log",
        traits=frozenset({Trait.MEAN}),
        label=label("Brier score"),
    ),
    calibration_error(),
    net_benefit(),
)  # fmt: skip
