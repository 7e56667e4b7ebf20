"""Calibration: does what is given a chance of 30 % happen 30 times in a hundred?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.language import Text
from bakeoff._core.result import Note, Result, warning_note
from bakeoff._core.validation import (
    FloatArray,
    RngLike,
    as_binary_truth,
    as_generator,
    check_choice,
    check_count,
    check_level,
    combine,
    dot,
)
from bakeoff.decision._limits import normal_quantile, wilson
from bakeoff.stats import Tally, tally_scores

METHODS = ("isotonic", "bins")


@dataclass(frozen=True, repr=False)
class CalibrationCurve(Result):
    """How often the event happened, against the probability stated.

    Attributes
    ----------
    stated, observed, count
        Mean stated probability, observed share of positives and rows of each group, ``[g]``.
    low, high
        Confidence limits of the observed share (Wilson within the group), ``[g]``.
    calibrated_low, calibrated_high
        Where the observed share would lie, pointwise, if the model were calibrated, ``[g]``.
    method
        ``"isotonic"`` (groups found by pooling adjacent violators; they are the edges of the ROC hull) or ``"bins"``.
    intercept, slope
        Logistic recalibration: logit P(y) = intercept + slope·logit(p); (0, 1) is calibrated, slope below 1
        overconfident. NaN, with a note, when the classes separate or one probability was stated throughout.
    """

    stated: FloatArray
    observed: FloatArray
    count: FloatArray
    low: FloatArray
    high: FloatArray
    calibrated_low: FloatArray
    calibrated_high: FloatArray
    method: str
    intercept: float
    slope: float
    confidence_level: float = 0.95
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Any]:
        names = ("stated", "observed", "count", "low", "high", "calibrated_low", "calibrated_high")
        return {name: getattr(self, name) for name in names}

    def _headline(self) -> str:
        return f"{self.stated.size} groups, {self.method}, intercept={self.intercept:.3f}, slope={self.slope:.3f}"


def calibration_curve(
    y_true: ArrayLike,
    probability: ArrayLike,
    *,
    method: str = "isotonic",
    bins: int = 10,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 500,
    rng: RngLike = 0,
) -> CalibrationCurve:
    """Compare stated probabilities with what happened.

    Parameters
    ----------
    y_true, probability
        True classes and stated probabilities of the positive class, ``[n]``.
    method
        ``"isotonic"``: the best monotone curve (no bins to choose; CORP); ``"bins"``: `bins` of equal width.
    sample_weight
        Importance of each row, ``[n]``. Its scale is of no account: sizes are of as many rows as the weights are worth.
    n_resamples, rng
        Draws of outcomes from the stated probabilities, for where a calibrated model would lie.

    References
    ----------
    Dimitriadis, T., Gneiting, T. & Jordan, A. I. (2021). Stable reliability diagrams for probabilistic classifiers.
    PNAS 118, e2016191118. https://doi.org/10.1073/pnas.2016191118

    Examples
    --------
    >>> curve = calibration_curve([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9])
    >>> curve.observed.tolist(), curve.count.tolist()
    ([0.0, 0.5, 1.0], [2.0, 2.0, 2.0])
    """
    check_choice("method", method, METHODS)
    level, draws = check_level(confidence_level), check_count("n_resamples", n_resamples)
    tally = probability_tally(y_true, probability, pos_label=pos_label, sample_weight=sample_weight)
    group = groups_of(tally, method, check_count("bins", bins))
    stated, observed, count = group_means(tally, group)
    low, high = wilson(observed, count, normal_quantile(level))
    calibrated = _if_calibrated(tally, method, group, stated, level, draws, as_generator(rng))
    intercept, slope, notes = _recalibration(tally)
    return CalibrationCurve(
        stated, observed, count, low, high, calibrated[0], calibrated[1], method, intercept, slope, level, notes
    )


def probability_tally(
    y_true: ArrayLike, probability: ArrayLike, *, pos_label: object = None, sample_weight: ArrayLike | None = None
) -> Tally:
    """Count positives and negatives at each stated probability, in rising order."""
    positive = as_binary_truth(y_true, pos_label=pos_label)
    chance = np.asarray(probability, dtype=np.float64)
    if chance.shape != positive.shape or positive.size == 0:
        raise EvidenceError(f"probability must have one value per row. Got shape {chance.shape} for {positive.size}.")
    outside = ~((chance >= 0) & (chance <= 1))
    if outside.any():
        row = int(outside.argmax())
        raise EvidenceError(
            f"probability must lie between 0 and 1. Got {chance[row]:g} at row {row}.",
            hint="scores that are no probabilities have no calibration; calibrate the model first",
        )
    weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    if weight is not None and weight.any():
        weight = weight * (weight.sum() / dot(weight, weight))  # together they are worth (Σw)²/Σw² rows (Kish)
    falling = tally_scores(positive, chance, weight)
    return Tally(*(column[::-1].copy() for column in falling))


def groups_of(tally: Tally, method: str, bins: int) -> Any:
    """Return the group of each distinct probability, numbered from 0 upwards without gaps."""
    if method == "bins":
        edges = np.arange(1, bins) / bins
        place = np.searchsorted(edges, tally.thresholds, side="left")
    else:
        place = _isotonic_blocks(tally.positives, tally.positives + tally.negatives)
    return np.unique(place, return_inverse=True)[1]


def group_means(tally: Tally, group: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mean stated probability, observed share and size of each group."""
    size = (tally.positives + tally.negatives).astype(np.float64)
    count = np.bincount(group, size).astype(np.float64)
    stated = np.bincount(group, size * tally.thresholds) / count
    return stated, np.bincount(group, tally.positives) / count, count


def _isotonic_blocks(positives: Any, size: Any) -> Any:
    """Pool adjacent violators: the block of each distinct probability."""
    from scipy.optimize import isotonic_regression

    total = np.asarray(size, dtype=np.float64)
    fit = isotonic_regression(np.asarray(positives) / total, weights=total)
    # SciPy leaves neighbouring blocks of equal height apart; they are one level.
    level = np.asarray(fit.x)
    return np.cumsum(np.append(0, np.abs(np.diff(level)) > 1e-12))


def _if_calibrated(
    tally: Tally, method: str, group: Any, stated: FloatArray, level: float, draws: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Draw outcomes from the stated probabilities and group them again: where would the curve lie?"""
    size = np.rint(tally.positives + tally.negatives).astype(np.int64)
    found = np.empty((draws, stated.size))
    for i in range(draws):
        positives = rng.binomial(size, tally.thresholds)
        if method == "bins":
            found[i] = np.bincount(group, positives) / np.maximum(np.bincount(group, size), 1)
        else:
            blocks = _isotonic_blocks(positives, np.maximum(size, 1))
            heights = (np.bincount(blocks, positives) / np.maximum(np.bincount(blocks, size), 1))[blocks]
            found[i] = np.interp(stated, tally.thresholds, heights)
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def _recalibration(tally: Tally) -> tuple[float, float, tuple[Note, ...]]:
    """Fit logit P(y) = a + b·logit(p)."""
    positives, negatives = (np.asarray(c, dtype=np.float64) for c in (tally.positives, tally.negatives))
    logit, notes = clipped_logit(tally.thresholds, positives + negatives)
    undefined = no_slope(logit, positives, negatives)
    if undefined is not None:
        return np.nan, np.nan, (*notes, undefined)
    fit = fit_logistic(np.stack([np.ones(logit.size), logit], axis=1), positives, positives + negatives)
    return float(fit.beta[0]), float(fit.beta[1]), notes


# -- logistic recalibration: logit P(y) = a + b·logit(p), fitted by iteratively reweighted least squares ---------------

CLIP = 1e-12  # stated probabilities nearer to 0 or 1 than this have no usable logit
_STEPS, _HALVINGS = 100, 40


@dataclass(frozen=True)
class LogisticFit:
    """A logistic regression.

    Attributes
    ----------
    beta, covariance
        Coefficients and their covariance by the observed information, ``[p]`` and ``[p, p]``.
    fitted
        Chance of a positive at each line of the design, ``[m]``.
    """

    beta: FloatArray
    covariance: FloatArray
    fitted: FloatArray


def clipped_logit(probability: FloatArray, count: FloatArray) -> tuple[FloatArray, tuple[Note, ...]]:
    """Logits of stated probabilities ``[m]`` of `count` rows each; those of 0 and 1 are cut, and counted in a note."""
    kept = np.clip(probability, CLIP, 1 - CLIP)
    cut = int(np.rint(count[kept != probability].sum()))
    text = Text("{n} stated probabilities of (nearly) 0 or 1 were moved to {clip:g} from it.", n=cut, clip=CLIP)
    return np.log(kept) - np.log1p(-kept), (Note("certain-probabilities", text),) if cut else ()


def no_slope(logit: FloatArray, positives: FloatArray, negatives: FloatArray) -> Note | None:
    """Why no finite slope fits best, if so: one probability throughout, or classes that separate."""
    with_positives, with_negatives = logit[positives > 0], logit[negatives > 0]
    if not with_positives.size or not with_negatives.size:
        return warning_note("no-recalibration", Text("the recalibration slope is undefined: there is one class only."))
    if np.ptp(logit) == 0:
        text = Text("the recalibration slope is undefined: one probability was stated throughout.")
        return warning_note("no-recalibration", text)
    apart = with_positives.min() >= with_negatives.max() or with_positives.max() <= with_negatives.min()
    if not apart:
        return None
    text = Text("the recalibration slope is undefined: the stated probabilities separate the classes.")
    return warning_note("no-recalibration", text)


def fit_logistic(
    design: FloatArray, positives: FloatArray, size: FloatArray, offset: FloatArray | None = None
) -> LogisticFit:
    """Maximise the likelihood of `positives` among `size` at each line of the design ``[m, p]``.

    The likelihood is concave, so a Newton step that is halved until it gains cannot diverge where a maximum exists.
    The first coefficient is the intercept, and starts at the log odds; the others start at 0.
    """
    shift = np.zeros(size.size) if offset is None else offset
    beta = np.zeros(design.shape[1])
    share = positives.sum() / size.sum()
    beta[0] = np.log(share / (1 - share)) - float(np.average(shift, weights=size))

    def likelihood(at: FloatArray) -> float:
        eta = combine(design, at) + shift
        return float(dot(positives, eta) - dot(size, np.logaddexp(0.0, eta)))

    reached = likelihood(beta)
    for _ in range(_STEPS):
        fitted, information = _information(design, beta, shift, size)
        step = np.linalg.lstsq(information, dot(design, positives - size * fitted), rcond=None)[0]
        for _ in range(_HALVINGS):
            value = likelihood(beta + step)
            if value >= reached:
                break
            step = step / 2
        beta, gain, reached = beta + step, value - reached, value
        if np.abs(step).max() <= 1e-11 * max(1.0, float(np.abs(beta).max())) or gain <= 0:
            break
    fitted, information = _information(design, beta, shift, size)
    return LogisticFit(beta, np.asarray(np.linalg.pinv(information), dtype=np.float64), fitted)


def _information(
    design: FloatArray, beta: FloatArray, offset: FloatArray, size: FloatArray
) -> tuple[FloatArray, FloatArray]:
    fitted = 1 / (1 + np.exp(-np.clip(combine(design, beta) + offset, -700, 700)))
    return fitted, np.asarray(dot(design * (size * fitted * (1 - fitted))[:, None], design))
