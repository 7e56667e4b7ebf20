"""`evaluate`: every sensible measure of every model, with an honest interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text
from bakeoff._core.notes import Note, emit, unique
from bakeoff._core.random import RngLike, as_generator
from bakeoff._core.result import Interval
from bakeoff._core.validation import check_choice, check_count, check_level
from bakeoff.counts import TALLY
from bakeoff.evidence import Predictions, Rows, Scores, is_baseline
from bakeoff.intervals._closed_forms import (
    BOOTSTRAP,
    FOLD_METHODS,
    METHODS,
    ModelRows,
    check_method,
    has_slope,
    leaves_one_out,
    undefined,
)
from bakeoff.intervals._evaluation import Entry, Evaluation
from bakeoff.intervals._fold_rule import Claim, fold_rule
from bakeoff.intervals._of_scores import evaluate_scores
from bakeoff.intervals._one import test_set_interval
from bakeoff.intervals._over_folds import fold_interval
from bakeoff.measures import Measure, Trait, compute, default_measures, for_rows, get_all, unavailable


def evaluate(
    evidence: Predictions | Scores,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    interval: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    baselines: bool = False,
    stratified: bool = False,
    claim: Claim = "kind",
) -> Evaluation:
    """How good is each model, and how sure are we of that?

    Parameters
    ----------
    evidence
        The predictions; or scores, whose folds give a mean with a corrected t interval for each data set.
    measures
        Names or `Measure` objects; by default those worth knowing for the task.
    interval
        ``"auto"`` picks for each measure and says which; or one of wilson, wald, clopper-pearson, agresti-coull,
        jeffreys, delong, delong-wald, rule, linearized, delta, t, bootstrap (= bca), percentile, basic, normal; over
        folds cv-rows, cv-clt, corrected-t.
    confidence_level
        Nominal coverage.
    n_resamples
        Bootstrap resamples, where the method is one.
    rng
        Seed or generator of the bootstrap.
    baselines
        Add the trivial models (``always <class>``, ``prior``), which every model must beat.
    stratified
        Resample within each class, keeping the class counts fixed.
    claim
        Over folds: about this ``"kind"`` of model, retrained on as many rows, or the ``"fitted"`` models.

    Returns
    -------
    Evaluation
        ``evaluation[model, measure]`` is an `Interval`; `to_frame` has one row per data set, model and measure.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_arrays([0, 1] * 50, y_pred={"a": [0, 1] * 40 + [1, 0] * 5 + [0, 1] * 5})
    >>> print(bakeoff.evaluate(p)["a", "accuracy"])
    0.9000 [0.8256, 0.9448] (95 %, wilson)
    """
    check_choice("interval", interval, METHODS)
    if isinstance(evidence, Scores):
        of_scores = evaluate_scores(evidence, measures, interval, check_level(confidence_level))
        emit(of_scores._notes())
        return of_scores
    if not isinstance(evidence, Predictions):
        raise ParameterError(
            f"evaluate needs Predictions or Scores. Got {type(evidence).__name__}.",
            hint="make them with Predictions.from_arrays",
        )
    level, draws = check_level(confidence_level), check_count("n_resamples", n_resamples, minimum=50)
    generator = as_generator(rng)
    seed = cache(lambda: int(generator.integers(2**63)))  # only those who draw ask for it
    chosen = None if measures is None else get_all(measures)
    tables = list(evidence.with_baselines() if baselines else evidence)
    entries: list[Entry] = []
    shown: list[Measure] = []
    for rows in tables:
        wanted = default_measures(rows) if chosen is None else chosen
        _check_available(wanted, rows, chosen is not None)
        shown += wanted
        for model in rows.models:
            asked = ModelRows(rows, model, draws, seed, stratified)
            entries += [_entry(m, asked, interval, level, claim) for m in wanted]
    names = {e.model for e in entries}
    classes = tuple(c for rows in tables for c in rows.classes)
    trivial = tuple(m for m in dict.fromkeys(e.model for e in entries) if is_baseline(m, classes)) if names else ()
    labels = any(m.needs == "labels" for m in shown)
    found = [*_evidence_notes(tables, labels), *_measure_notes(shown)]
    found += [] if rng is not None else _bootstrap_notes(entries, draws)
    result = Evaluation(tuple(entries), level, evidence.design, trivial, unique(found) if found else ())
    if warned := result._notes():
        emit(warned)
    return result


def _check_available(measures: Iterable[Measure], rows: Rows, asked: bool) -> None:
    """A measure that no model can give is an error when it was asked for by name."""
    for measure in measures if asked else ():
        reasons = [unavailable(measure, rows, m) for m in rows.models]
        if all(reasons):
            raise EvidenceError(
                f"{measure.name} cannot be computed on {rows.name!r}: {reasons[0]}.",
                hint="`bakeoff measures` lists what each measure needs",
            )


def _entry(measure: Measure, asked: ModelRows, interval: str, level: float, claim: Claim) -> Entry:
    rows, measure = asked.rows, for_rows(measure, asked.rows)
    found = _interval(measure, asked, interval, level, claim)
    if measure.caution is not None and np.isfinite(found.estimate):
        note = measure.caution(rows, asked.model)
        found = found if note is None else replace(found, notes=(*found.notes, note))
    error = float("nan") if np.isnan(found.low) else standard_error(measure, asked, claim)
    return Entry(rows.name, asked.model, measure.name, found, rows.cases, rows.units.n, error)


def _interval(measure: Measure, asked: ModelRows, interval: str, level: float, claim: Claim) -> Interval:
    rows, model = asked.rows, asked.model
    reason = unavailable(measure, rows, model)
    if reason is not None:
        return undefined(level, "", Text("{name} is not available: {reason}", name=measure.name, reason=reason.text))
    if interval == "auto" and (exact := _fixed_by_rule(measure, asked, level)) is not None:
        return exact
    folds = _averages_over_folds(rows)
    method = check_method(interval, measure, asked, folds=folds)
    if folds and (method in FOLD_METHODS or method == "t"):
        return fold_interval(measure, asked, method, level, claim)
    return test_set_interval(measure, asked, method, level)


def _fixed_by_rule(measure: Measure, asked: ModelRows, level: float) -> Interval | None:
    """A trivial rule whose value no row can move (AUC of a constant, recall of "always no") is known exactly."""
    if not is_baseline(asked.model, asked.rows.classes) or not has_slope(measure):
        return None
    value = compute(measure, asked.rows, asked.model).value
    if not np.isfinite(value) or asked.standard_error(measure) > 1e-12 * max(abs(value), 1e-300):
        return None
    if measure.form is not TALLY and abs(value - measure.bounds[0]) > 0 and abs(value - measure.bounds[1]) > 0:
        return None
    note = Note("exact", Text("a trivial rule: this value does not depend on the rows."))
    return Interval(value, value, value, level, "exact", (note,))


def standard_error(measure: Measure, asked: ModelRows, claim: Claim) -> float:
    """Linearised standard error, over folds with what retraining changes; NaN where a measure is not smooth."""
    if not has_slope(measure):
        return float("nan")
    if _averages_over_folds(asked.rows):
        rule = fold_rule(measure, asked.rows, (asked.model,), claim)
        return float("nan") if rule is None else rule.spread((0,), np.ones(1)).se
    return asked.rule(measure).spread((0,), np.ones(1)).se


def _averages_over_folds(rows: Rows) -> bool:
    """Folds are averaged, not pooled, unless each holds a single row (leave-one-out), where nothing can be averaged."""
    return len(rows.splits) > 1 and not leaves_one_out(rows)


def _evidence_notes(tables: Iterable[Rows], labels: bool) -> list[Note]:
    notes = []
    for rows in tables:
        derived = [m for m in rows.models if rows.task in ("binary", "multiclass") and _labels_guessed(rows, m)]
        if derived and labels:
            rule = Text("probability at least 0.5") if rows.task == "binary" else Text("the likeliest class")
            names = ", ".join(map(repr, derived[:4])) + (" …" if len(derived) > 4 else "")
            text = Text(
                "labels of {names} are taken from their scores ({rule}). Give y_pred for another rule.",
                names=names,
                rule=rule,
            )
            notes.append(Note("labels-from-scores", text))
        if len(rows.splits) > 1 and not _averages_over_folds(rows):
            text = Text("leave-one-out: rows are pooled over folds; ranking measures over pooled folds can mislead.")
            notes.append(Note("pooled-folds", text))
    return notes


def _labels_guessed(rows: Rows, model: str) -> bool:
    return rows.labels_are_derived(model) and rows.provides(model, "labels")


def _measure_notes(measures: Iterable[Measure]) -> list[Note]:
    """What no interval can mend: the bins of a calibration error hold noise, which counts as error."""
    if not any(measure.has(Trait.BIASED) for measure in measures):
        return []
    text = Text(
        "the calibration error of finitely many rows is biased upwards, since noise in its bins counts as error, and "
        "its interval may lie above the true value; look at the calibration curve and the Brier score."
    )
    return [Note("calibration-error-biased", text)]


def _bootstrap_notes(entries: Iterable[Entry], draws: int) -> list[Note]:
    if not any(e.interval.method in BOOTSTRAP for e in entries):
        return []
    return []
    return [
        Note(
            "seed",
            Text(
                "bootstrap intervals used {draws} resamples without a seed; give rng= to repeat them exactly.",
                draws=draws,
            ),
        )
    ]
