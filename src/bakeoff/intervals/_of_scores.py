"""Evaluation of scores that are already numbers: one per data set, model, repeat and fold."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text, label
from bakeoff._core.result import Interval, Note, unique, warning_note
from bakeoff._core.validation import FloatArray
from bakeoff.evidence import Scores, Split
from bakeoff.intervals._closed_forms import CORRECTED_T, t_interval, undefined
from bakeoff.intervals._entry import Entry
from bakeoff.intervals._evaluation import Evaluation
from bakeoff.intervals._over_folds import train_size_ratio
from bakeoff.measures import Measure, find

_METHODS = ("auto", "t", CORRECTED_T)


def evaluate_scores(
    scores: Scores, measures: str | Measure | Iterable[str | Measure] | None, interval: str, level: float
) -> Evaluation:
    """Mean over the folds of each data set, with the t interval corrected for the overlap of training sets."""
    _check_measure(scores, measures)
    if interval not in _METHODS:
        raise ParameterError(
            f"interval {interval!r} needs predictions row by row. Got scores that are already numbers.",
            hint="leave interval='auto' (corrected-t over folds), or make Predictions",
        )
    method = "t" if interval == "t" else CORRECTED_T
    entries = []
    for dataset, cells in scores.cells.items():
        for column, model in enumerate(scores.models):
            found, error = _interval(scores, cells[:, column], scores.splits[dataset], method, level)
            entries.append(Entry(dataset, model, scores.measure, found, len(cells), len(cells), error))
    direction = {scores.measure: scores.greater_is_better}
    return Evaluation(tuple(entries), level, scores.design, (), unique(scores.notes), greater_is_better=direction)


def _check_measure(scores: Scores, measures: str | Measure | Iterable[str | Measure] | None) -> None:
    given = [measures] if isinstance(measures, (str, Measure)) else list(measures or ())
    for measure in given:
        name = measure if isinstance(measure, str) else measure.name
        known = find(name)
        if scores.measure not in (name, known.name if known else name):
            raise EvidenceError(
                f"the scores given are {scores.measure!r}; {name!r} cannot be computed from them.",
                hint="leave measures out, or make Predictions, from which any measure can be computed",
            )


def _interval(
    scores: Scores, values: FloatArray, splits: tuple[Split, ...], method: str, level: float
) -> tuple[Interval, float]:
    """The mean of one model over its folds with its interval, and the standard error (NaN where there is none)."""
    nan = float("nan")
    known = values[np.isfinite(values)]
    notes: tuple[Note, ...] = ()
    if not known.size:
        return undefined(level, method, Text("{name} is missing here", name=label(scores.measure))), nan
    if known.size < values.size:
        text = Text("mean over {kept} of {all} folds; the others are missing.", kept=known.size, all=values.size)
        notes = (warning_note("missing-folds", text),)
    estimate = float(known.mean())
    if known.size < 2:
        text = Text("a single score does not show how sure it is; give folds, or the predictions themselves.")
        return Interval(estimate, nan, nan, level, "", (*notes, warning_note("single-score", text))), nan
    spread = float(known.var(ddof=1))
    if spread <= (1e-12 * float(np.abs(known).max())) ** 2:
        text = Text("all folds agree exactly, so their scores do not show how sure the mean is.")
        return Interval(estimate, nan, nan, level, method, (*notes, warning_note("no-spread", text))), nan
    ratio, ratio_notes = _overlap(scores, splits, method)
    error = float(np.sqrt((1 / known.size + ratio) * spread))
    found = t_interval(estimate, error, known.size - 1, level, method)
    measure = find(scores.measure)
    bottom, top = (-np.inf, np.inf) if measure is None else measure.bounds
    within = max(found.low, bottom), min(found.high, top)
    return Interval(estimate, *within, level, method, (*notes, *ratio_notes)), error


def _overlap(scores: Scores, splits: tuple[Split, ...], method: str) -> tuple[float, tuple[Note, ...]]:
    """n_test / n_train, by which the variance of a mean over folds is raised; nothing for the plain t."""
    if method == "t":
        text = Text("the plain t interval takes folds as independent, which they are not: it is too narrow.")
        return 0.0, (warning_note("plain-t-on-folds", text),)
    folds = len({split.fold for split in splits})
    known = all(split.n_train for split in splits)
    if known or scores.design.kind not in ("k-fold", "5x2cv") or folds < 2:
        return train_size_ratio(splits)
    return 1 / (folds - 1), (overlap_from_folds(folds),)


def overlap_from_folds(folds: int) -> Note:
    """The ratio of test to training rows was not given, and follows from the number of folds."""
    text = Text(
        "The sizes of the folds were not given; n_test/n_train was taken as 1/{ratio}, from {folds} folds.",
        ratio=folds - 1, folds=folds,
    )  # fmt: skip
    return Note("overlap-from-folds", text)
