"""What a decision must tell about its own weak points."""

from __future__ import annotations

import numpy as np

from bakeoff._core.language import Text
from bakeoff._core.notes import Note, warning_note
from bakeoff._core.validation import FloatArray
from bakeoff.decision._context import OperatingContext
from bakeoff.decision._rules import Judged
from bakeoff.decision._uncertain import UncertainContext
from bakeoff.decision._verdict import amount

FEW = 30
SHIFT = 0.05


def cross_fitted(apparent: float) -> Note:
    """Tell that the threshold was judged on rows that did not choose it."""
    text = Text(
        "the threshold is judged on folds that did not choose it; on the rows that chose it the cost is {apparent} "
        "per case.",
        apparent=amount(apparent),
    )
    return Note("threshold-cross-fitted", text)


def same_data(apparent: float, honest: float) -> Note:
    """Tell that the threshold was chosen and judged on the same rows, and what that may hide."""
    text = Text(
        "the threshold was chosen and judged on the same rows, which is optimistic: chosen on nine tenths of the "
        "rows and judged on the rest, the cost is {honest} per case instead of {apparent}.",
        honest=amount(honest),
        apparent=amount(apparent),
    )
    return Note("threshold-same-data", text)


def trivial_may_be_better(rule: str) -> Note:
    """Warn that the model beats a trivial rule only on the rows that chose its threshold."""
    text = Text(
        "judged on rows that did not choose its threshold, the model costs more than {rule!r}: it may not be worth "
        "deploying. Predictions with folds, or more rows, would tell.",
        rule=rule,
    )
    return warning_note("trivial-may-be-better", text)


def hull_disagrees(model: str) -> Note:
    """Tell that another model looks cheaper on the rows that chose its threshold."""
    text = Text(
        "on the rows that chose the thresholds {model!r} looks cheaper; judged on other rows it is not.", model=model
    )
    return Note("hull-disagrees", text)


def calibration_notes(model: str, elkan: tuple[float, float], excess: FloatArray, level: float) -> list[Note]:
    """Tell when the threshold that is right for calibrated probabilities costs reliably more than the one found.

    `elkan` is that threshold and its cost; `excess` the resampled difference of the two costs.
    """
    if np.quantile(excess, (1 - level) / 2) <= 0:
        return []
    threshold, cost = elkan
    text = Text(
        "the probabilities of {model!r} are not calibrated for this: the threshold {threshold:.3g}, right for "
        "calibrated ones, costs {cost} per case. Use the threshold found, or calibrate the model.",
        model=model,
        threshold=threshold,
        cost=amount(cost),
    )
    return [Note("not-calibrated", text)]


def prevalence_notes(rows: Judged, given: OperatingContext | UncertainContext) -> list[Note]:
    """Tell where the prevalence comes from, or that it differs from that of the rows."""
    if given.prevalence is None:
        text = Text(
            "the prevalence is that of the rows, {prevalence:.4g}; give one if the model will meet another.",
            prevalence=rows.prevalence,
        )
        return [Note("prevalence-from-data", text)]
    stated = given.mean().prevalence if isinstance(given, UncertainContext) else given.prevalence
    if stated is None or abs(stated - rows.prevalence) <= SHIFT * max(stated, rows.prevalence):
        return []
    text = Text(
        "the rows have {observed:.3g} % positives, the context {stated:.3g} %: the error rates of each class are "
        "taken over, which holds if only the mix of the classes changes.",
        observed=100 * rows.prevalence,
        stated=100 * stated,
    )
    return [Note("prevalence-shift", text)]


def size_notes(rows: Judged) -> list[Note]:
    """Warn when one class has so few rows that its error rate is hardly known."""
    fewest = min(rows.n_classes) / rows.n_repeats
    if rows.weight is not None or fewest >= FEW:
        return []
    kind = "positives" if rows.n_classes[0] <= rows.n_classes[1] else "negatives"
    text = Text(
        "there are only {fewest:g} {kind}: the error rate of that class, and so the cost, is poorly known.",
        fewest=fewest,
        kind=kind,
    )
    return [warning_note("few-rows-of-a-class", text)]
