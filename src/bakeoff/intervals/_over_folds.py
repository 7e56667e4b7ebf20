"""The interval of one measure of one model over folds: by rows, with what retraining changes, or by fold scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from bakeoff._core.language import Text, label
from bakeoff._core.result import Interval, Note, warning_note
from bakeoff._core.validation import BoolArray, FloatArray, dot
from bakeoff.evidence import Rows, Split
from bakeoff.intervals._closed_forms import (
    CORRECTED_T,
    ModelRows,
    auto_method,
    debiased_limits,
    t_interval,
    undefined,
    weak_notes,
)
from bakeoff.intervals._fold_rule import Claim, FoldRule, called_shares_differ
from bakeoff.intervals._one import EDGE_NOTE, test_set_interval
from bakeoff.intervals._rule import linked, t_quantile
from bakeoff.measures import Measure, Value, compute_by_split, get

_ASSUMED_RATIO = 0.5  # n_test / n_train of the usual one third / two thirds


def fold_interval(measure: Measure, asked: ModelRows, method: str, level: float, claim: Claim) -> Interval:
    """Interval over the folds of one data set."""
    if method in ("t", CORRECTED_T):
        return corrected_t(measure, asked, method, level)
    rule = asked.fold_rule(measure, claim)
    if rule is None:
        return _by_fold_scores(measure, asked, level)
    value = float(rule.influence.value[0])
    if not np.isfinite(value):
        return undefined(level, method, Text("{name} is undefined", name=label(measure.name)))
    if method == "cv-clt":
        n = rule.whole.units.n
        error = float(np.sqrt(dot(rule.influence.units.once, rule._deviations[:, 0] ** 2)))
        return t_interval(value, error, n - 1, level, method)
    differ = folds_differ(asked.rows, asked.model)
    near = bool(near_chance(measure, asked.rows, claim, lambda reference: asked.fold_rule(reference, claim)))
    if near:
        rule = replace(rule, weak=True, jumps=differ)
    if measure.has_bias:
        low, high = debiased_limits(measure, asked, rule, level)
    else:
        low, high = rule.one(0, level)
    notes: tuple[Note, ...] = (claim_note(rule), *weak_notes(measure, asked.rows, rule))
    if np.isnan(low) or np.isnan(high):
        return Interval(value, low, high, level, method, (*notes, warning_note("no-spread", _NO_SPREAD)))
    if rule._at_edge(0, rule.spread((0,), np.ones(1)).se):
        notes = (*notes, EDGE_NOTE)
    if rule.n_repeats == 1:
        notes = (*notes, ONE_PARTITION)
    if differ:
        other = corrected_t(measure, asked, CORRECTED_T, level)
        if np.isfinite(other.low) and np.isfinite(other.high):
            low, high = min(low, other.low), max(high, other.high)
        notes = (*notes, FOLDS_DIFFER)
    notes = (*notes, *near_chance_notes(measure, near))
    return Interval(value, min(low, value), max(high, value), level, method, notes)


def _by_fold_scores(measure: Measure, asked: ModelRows, level: float) -> Interval:
    """Rows are not all tested alike, or the measure is not smooth: the corrected t over fold scores."""
    return corrected_t(measure, asked, CORRECTED_T, level)


def claim_note(rule: FoldRule) -> Note:
    """What the interval is about."""
    if rule.claim == "fitted":
        return Note("claim", Text("the interval is about the models as fitted here, not about retraining them."))
    return Note("claim", Text("the interval is about this kind of model, retrained on as many rows."))


def near_chance(
    measure: Measure, rows: Rows, claim: Claim, rule_of: Callable[[Measure], FoldRule | None]
) -> frozenset[int]:
    """Which models (by their place in the rule) may be near chance: were the standard error twice what rows show.

    What retraining changes then moves all rows at once, and the folds of one data set, which share most of their
    training rows, hardly show it: F1 of a stump covered 81 to 87 %. Its error varied up to four times as much
    (variance) as rows allow, so that a lucky sample is told from chance at the usual level, and still is no better.
    """
    reference, chance = (get("kappa"), 0.0) if measure.of_cells else (get("auc"), 0.5)
    if claim != "kind" or not (measure.of_cells or (measure.of_ranks and len(rows.classes) == 2)):
        return frozenset()
    rule = rule_of(reference)
    if rule is None:
        return frozenset()
    defined = np.flatnonzero(np.isfinite(rule.influence.value)).tolist()
    return frozenset(i for i in defined if not _reach_down(rule, i) > chance)


def _reach_down(rule: FoldRule, model: int) -> float:
    """The lower limit, were the standard error twice what is seen; the factor of one partition is not seen."""
    spread = rule.spread((model,), np.ones(1))
    if rule._at_edge(model, spread.se):
        return rule.one(model, _LEVEL)[0]
    seen = spread.se if rule.n_repeats > 1 else spread.se / rule.stretch((model,), np.ones(1))
    step = 2 * t_quantile(spread.df, _LEVEL) * seen
    return float(linked(rule.measure.link, rule.influence.value[[model]], np.array([-step]))[0])


def near_chance_notes(measure: Measure, near: bool) -> tuple[Note, ...]:
    """The warning that goes with it."""
    text = Text(
        "these rows do not tell the model far enough from chance: other training rows could move {name} for all rows "
        'at once, which folds hardly show, so its interval is weak. Collect more rows, or take claim="fitted": it is '
        "about the models as they are.",
        name=label(measure.name),
    )
    return (warning_note("near-chance", text),) if near else ()


_LEVEL = 0.95  # whatever level is asked for: a p-value does not hang on it

_NO_SPREAD = Text("all rows have the same loss, so its uncertainty cannot be estimated.")
ONE_PARTITION = Note(
    "one-partition",
    Text("one partition cannot show how much training matters; repeat 5 folds (2 × 5 or more) for a sharper answer."),
)
FOLDS_DIFFER = warning_note(
    "folds-differ",
    Text(
        "the fitted models differ in how many cases they call positive; the wider of the interval over rows and the "
        "corrected t is shown."
    ),
)


def folds_differ(rows: Rows, model: str) -> bool:
    """Whether the fits of a model differ in how many cases they call positive by more than chance."""
    if rows.positive is None or rows.split_index is None or not rows.provides(model, "labels"):
        return False
    called = rows.labels(model) == rows.positive
    times = np.ones(rows.n) if rows.frequency is None else rows.frequency.astype(np.float64)
    sizes, calls = (
        np.bincount(rows.split_index, w, minlength=len(rows.splits)).astype(np.float64) for w in (times, times * called)
    )
    repeat, used = np.array([s.repeat for s in rows.splits], dtype=np.float64), sizes > 0
    share = calls / np.where(used, sizes, 1)
    alike = 1.0 if rows.groups is None else _design_effect(called - share[rows.split_index], times, rows)
    if np.isinf(alike):
        return False
    return called_shares_differ(share[used], sizes[used] / alike, repeat[used])


def _design_effect(left: FloatArray, times: FloatArray, rows: Rows) -> float:
    """How many times as much the sums over a fold vary as if the cases of a group were independent."""
    groups, split = rows.groups, rows.split_index
    assert groups is not None
    assert split is not None
    _, cell = np.unique(np.stack([groups, split]), axis=1, return_inverse=True)
    cells, folds, spread = int(cell.max()) + 1, np.unique(split).size, float(times @ left**2)
    if cells == folds or spread == 0:
        return np.inf  # a group in each fold: its own share and what its fit calls cannot be told apart
    sums = np.bincount(cell.ravel(), weights=times * left)
    freedom = (cells / (cells - folds)) * (1 - folds / float(times.sum()))
    return max(freedom * float(sums @ sums) / spread, 1.0)


def corrected_t(measure: Measure, asked: ModelRows, method: str, level: float) -> Interval:
    """Interval of a mean over folds, corrected for the overlap of their training sets (Nadeau & Bengio).

    √((1/J + n_test/n_train)·S²) in place of √(S²/J): folds share training rows, they are not J independent looks.
    """
    rows, values = asked.rows, compute_by_split(measure, asked.rows, asked.model)
    numbers = np.array([v.value for v in values])
    defined = np.isfinite(numbers)
    if not defined.any():
        nowhere = Text("{name} is undefined in every fold", name=label(measure.name))
        return undefined(level, method, values[0].reason or nowhere)
    notes = _fold_notes(values, defined)
    found = numbers[defined]
    estimate, j = float(found.mean()), int(found.size)
    if j < 2:
        return undefined(level, method, Text("{name} is defined in one fold only", name=label(measure.name)))
    ratio, ratio_notes = (0.0, ()) if method == "t" else train_size_ratio(rows.splits)
    if method == "t":
        text = Text("the plain t interval takes folds as independent, which they are not: it is too narrow.")
        ratio_notes = (warning_note("plain-t-on-folds", text),)
    spread = float(found.var(ddof=1))
    if spread <= (1e-12 * float(np.abs(found).max())) ** 2:
        pooled = test_set_interval(measure, asked, auto_method(measure, asked), level)
        note = Note("no-spread-over-folds", Text("all folds agree exactly; the interval is that of the pooled rows."))
        low, high = min(pooled.low, estimate), max(pooled.high, estimate)
        return Interval(estimate, low, high, level, pooled.method, (*notes, note))
    interval = t_interval(estimate, float(np.sqrt((1 / j + ratio) * spread)), j - 1, level, method)
    bottom, top = measure.bounds
    low, high = max(interval.low, bottom), min(interval.high, top)
    return Interval(estimate, low, high, level, method, (*notes, *ratio_notes))


def _fold_notes(values: Sequence[Value], defined: BoolArray) -> tuple[Note, ...]:
    lost = int((~defined).sum())
    if not lost:
        return ()
    reason = next((v.reason for v in values if v.reason), Text("undefined"))
    kept = Text("{n} of {total} folds", n=int(defined.sum()), total=defined.size)
    return (warning_note("undefined-folds", Text("mean over {kept}; {reason}.", kept=kept, reason=reason)),)


def train_size_ratio(splits: Sequence[Split]) -> tuple[float, tuple[Note, ...]]:
    """n_test / n_train over splits."""
    if splits and all(s.n_train for s in splits):
        return sum(s.n_test for s in splits) / sum(
            s.n_train or 0 for s in splits
        ), ()  # of the totals, as `corrected_t`
    text = Text(
        "the size of the training sets is not known; two thirds of the rows is assumed. Give n_train= to be exact."
    )
    return _ASSUMED_RATIO, (warning_note("assumed-train-size", text),)
