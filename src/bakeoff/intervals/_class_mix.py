"""What the class mix of the training rows moves in a measure of labels.

Folds of one sample, above all stratified ones, all train on its class mix, so nothing in them shows what another mix
would change: most models call more cases positive the more positives they saw. Here rows move the mix, and the mix
moves the threshold as in a linear discriminant: by s / (Φ⁻¹(recall) − Φ⁻¹(false positive rate)) on the scale of normal
scores, for s, one standard deviation of the log odds of the mix.
"""

from __future__ import annotations

import numpy as np

from bakeoff._core.validation import FloatArray, dot
from bakeoff.counts import Cells, Counted
from bakeoff.measures import Measure

# Between samples the recall of stumps, neighbours and logistic regressions without signal moved by at most 0.65 for a
# unit of log odds, as that of a linear discriminant whose classes are 0.6 standard deviations apart.
_LEAST_APART = 0.6


def class_mix_stretch(
    counted: Counted, measure: Measure, models: tuple[int, ...], contrast: FloatArray, moved: FloatArray
) -> float:
    """By how much the standard error of a contrast, √Σ moved², grows by it; 1 with more than two classes."""
    form, units = counted.form, counted.units
    assert isinstance(form, Cells)
    if form.classes != 2 or form.positive is None:
        return 1.0
    weight, own = units.as_they_are()[0], 1.0 if units.weight is None else units.weight
    truth = form.code[:, 0] // 2 == form.positive
    total, share = float(weight.sum()), float(dot(weight, truth) / weight.sum())
    if not 0 < share < 1:
        return 1.0
    log_odds = units.sum_rows(own * (truth - share)) / (total * share * (1 - share))
    deviation = float(np.sqrt(dot(units.once, log_odds**2)))
    if deviation < 1e-9:  # groups of equal mix: drawing others leaves it as it is
        return 1.0
    moves = np.array([_move(measure, form, model, weight, share, deviation) for model in models])
    mixed = moved + float(moves @ contrast) * log_odds / deviation
    rows, both = float(dot(units.once, moved**2)), float(dot(units.once, mixed**2))
    return float(np.sqrt(both / rows)) if rows > 0 and np.isfinite(both) else 1.0


def _move(measure: Measure, form: Cells, model: int, weight: FloatArray, share: float, deviation: float) -> float:
    """How far one standard deviation of the log odds moves the measure of one model."""
    from scipy.special import ndtr, ndtri

    truth, called = form.code[:, 0] // 2 == form.positive, form.code[:, model] % 2 == form.positive
    rates = [(dot(weight, called & mine) + 0.5) / (dot(weight, mine) + 1) for mine in (truth, ~truth)]  # never 0 or 1
    places = ndtri(rates)
    step = deviation / max(float(places[0] - places[1]), _LEAST_APART)

    def moved_by(far: float) -> float:
        found = ndtr(places + far)
        cells = np.array([share, 1 - share])[:, None] * np.stack([found, 1 - found], axis=1)  # positive first
        return float(measure.value(cells if form.positive == 0 else cells[::-1, ::-1], form.positive))

    return (moved_by(step) - moved_by(-step)) / 2
