"""The interval of one measure of one model on one data set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bakeoff._core.language import Text
from bakeoff._core.notes import Note, warning_note
from bakeoff._core.result import Interval
from bakeoff._core.validation import FloatArray
from bakeoff.evidence import LossSums, Rows, Split
from bakeoff.intervals._edge import EDGE_NOTE, edge_limits
from bakeoff.intervals._methods import BINOMIAL, DELONG
from bakeoff.intervals._replicates import Resampler
from bakeoff.measures import Measure, Value, compute, sample_of

_ASSUMED_RATIO = 0.5  # n_test / n_train of the usual one third / two thirds


def undefined(level: float, method: str, reason: Text) -> Interval:
    """An interval that does not exist, with the reason."""
    nan = float("nan")
    return Interval(nan, nan, nan, level, method, (warning_note("undefined", Text("{reason}.", reason=reason)),))


def test_set_interval(measure: Measure, resampler: Resampler, method: str, level: float) -> Interval:
    """Interval of a measure over all rows, taken as one test set."""
    rows, model = resampler.rows, resampler.model
    value = compute(measure, rows, model)
    if np.isnan(value.value):
        return undefined(level, method, value.reason or Text("{name} is undefined", name=measure.name))
    if np.isinf(value.value):
        return _infinite(measure, value.value, level, method)
    if method in BINOMIAL:
        interval = _binomial(measure, rows, model, value.value, method, level)
    elif method in DELONG:
        interval = _delong(rows, model, method, level)
    elif method == "delta":
        interval = _delta(measure, rows, model, value.value, level)
    elif method == "t":
        interval = _t_of_losses(measure, rows, model, value.value, level)
    else:
        return _bootstrap(measure, resampler, value.value, method, level)
    return _finished(interval, measure, resampler)


def _infinite(measure: Measure, estimate: float, level: float, method: str) -> Interval:
    note = warning_note(
        "infinite", Text("{name} is infinite here (a zero in its denominator); no finite limits.", name=measure.name)
    )
    return Interval(estimate, float("nan"), estimate, level, method, (note,))


def _binomial(measure: Measure, rows: Rows, model: str, estimate: float, method: str, level: float) -> Interval:
    from bakeoff.stats import binomial_interval

    if measure.proportion is not None:
        successes, trials = measure.proportion(rows.confusion(model).cells, rows.positive)
    else:
        values = sample_of(rows, model, measure.needs)
        trials = np.asarray(float(values.n))
        successes = np.asarray(float(round(estimate * values.n)))
    notes: tuple[Note, ...] = ()
    if rows.groups is not None:
        notes = (
            warning_note(
                "ignores-groups",
                Text("the {method} interval takes rows as independent, but they are grouped.", method=method),
            ),
        )
    result = binomial_interval(float(successes), float(trials), confidence_level=level, method=method)
    if method == "wald" and result.low == result.high:
        result = binomial_interval(float(successes), float(trials), confidence_level=level, method="wilson")
        note = Note(
            "wald-zero-width", Text("Wald's interval has zero width at 0 % and 100 %; Wilson's is shown instead.")
        )
        return Interval(estimate, float(result.low), float(result.high), level, "wilson", (*notes, note))
    return Interval(estimate, float(result.low), float(result.high), level, method, notes)


def _delong(rows: Rows, model: str, method: str, level: float) -> Interval:
    from bakeoff.stats import delong_interval

    kind = "logit" if method == "delong" else "wald"
    result = delong_interval(
        rows.positives(), rows.scores(model), confidence_level=level, method=kind, groups=rows.groups
    )
    return Interval(float(result.estimate), float(result.low), float(result.high), level, method, result.notes)


def _delta(measure: Measure, rows: Rows, model: str, estimate: float, level: float) -> Interval:
    """Delta method: the measure is a smooth function of multinomial cell proportions."""
    from scipy.special import ndtri

    cells = rows.confusion(model).cells
    error = delta_standard_error(measure, cells, rows.positive)
    half = float(ndtri((1 + level) / 2)) * error
    return Interval(estimate, estimate - half, estimate + half, level, "delta")


def delta_standard_error(measure: Measure, cells: FloatArray, positive: int | None) -> float:
    """√(Σ p g² − (Σ p g)²)/√n, where g is the gradient of the measure over cell proportions.

    For kappa this is Fleiss, Cohen & Everitt's asymptotic standard error, for F1 averages it is Takahashi's.

    Examples
    --------
    >>> import bakeoff
    >>> import numpy as np
    >>> from bakeoff.intervals import delta_standard_error
    >>> cells = np.array([[40.0, 10.0], [5.0, 45.0]])
    >>> round(delta_standard_error(bakeoff.measures.get("kappa"), cells, None), 4)
    0.0711
    """
    assert measure.from_confusion is not None
    n = float(cells.sum())
    share = (cells / n).ravel()
    step = 1e-5
    bumps = np.eye(share.size).reshape(share.size, *cells.shape) * step
    # Empty cells have no variance of their own, so one-sided differences there cost nothing.
    up = np.asarray(measure.from_confusion(cells / n + bumps, positive))
    down = np.asarray(measure.from_confusion(np.maximum(cells / n - bumps, 0.0), positive))
    width = step + np.minimum(share, step)
    gradient = np.where(share > 0, (up - down) / width, 0.0)
    variance = (share * gradient**2).sum() - (share * gradient).sum() ** 2
    return float(np.sqrt(max(variance, 0.0) / n))


def _t_of_losses(measure: Measure, rows: Rows, model: str, estimate: float, level: float) -> Interval:
    """t interval of a mean loss; clusters of rows are averaged as clusters."""
    assert measure.terms is not None
    sample = sample_of(rows, model, measure.needs)
    sums = LossSums.of(measure.terms(sample)[:, 0], rows.weight)
    n_effective = sums.weight**2 / sums.weight_squared
    if n_effective < 2:
        return undefined(level, "t", Text("{name} of a single row has no interval", name=measure.name))
    spread = float(sums.total_squared[0] / sums.weight - estimate**2)
    error = np.sqrt(max(spread, 0.0) / (n_effective - 1))
    return t_interval(estimate, float(error), n_effective - 1, level, "t")


def t_interval(estimate: float, error: float, df: float, level: float, method: str) -> Interval:
    """Student's interval: estimate ± t·error."""
    from scipy.special import stdtrit

    half = float(stdtrit(df, (1 + level) / 2)) * error
    return Interval(estimate, estimate - half, estimate + half, level, method)


def _bootstrap(measure: Measure, resampler: Resampler, estimate: float, method: str, level: float) -> Interval:
    from bakeoff.stats import bootstrap_interval

    if measure.from_tally is not None and resampler.rows.positives().all():
        return _only_positives(measure, estimate, level, method)
    replicates = resampler.replicates(measure)
    notes: tuple[Note, ...] = ()
    lost = int(np.isnan(replicates).sum())
    ordered_only = method in ("bca", "percentile")  # an infinite ratio has a place in the order, but no mean
    infinite = int(np.isinf(replicates).sum())
    replicates = replicates[~np.isnan(replicates) if ordered_only else np.isfinite(replicates)]
    if lost:
        share = Text("{n} of {total}", n=lost, total=resampler.n_resamples)
        notes = (
            warning_note(
                "undefined-replicates",
                Text("{name} was undefined in {share} resamples: left out.", name=measure.name, share=share),
            ),
        )
    if infinite and not ordered_only:
        share = Text("{n} of {total}", n=infinite, total=resampler.n_resamples)
        text = Text(
            "{name} was infinite in {share} resamples: left out, so the limit on that side is too near.",
            name=measure.name, share=share,
        )  # fmt: skip
        notes = (*notes, warning_note("infinite-replicates", text))
    if replicates.size < 20:
        return undefined(level, method, Text("{name} was undefined in nearly all resamples", name=measure.name))
    acceleration = resampler.acceleration(measure) if method == "bca" else None
    result = bootstrap_interval(
        estimate,
        replicates,
        method=method,
        confidence_level=level,
        acceleration=0.0 if acceleration is None else acceleration,
    )
    if rows_few := (resampler.rows.n_groups and resampler.rows.n_groups < 20):
        text = Text(
            "only {n_groups} groups: a cluster bootstrap of so few is too narrow.", n_groups=resampler.rows.n_groups
        )
        notes = (*notes, warning_note("few-groups", text)) if rows_few else notes
    interval = Interval(estimate, float(result.low), float(result.high), level, method, notes)
    # Whether resampling saw any spread must not depend on the level, or a wider level could give a narrower interval.
    tolerance = 1e-12 * max(1.0, abs(estimate))
    unmoved = float(np.mean(np.abs(replicates - estimate) <= tolerance))
    # The end of the scale, or of what these rows can give: a partial AUC has a floor of its own.
    beyond = replicates.min() >= estimate - tolerance or replicates.max() <= estimate + tolerance
    at_the_end = beyond or min(abs(estimate - bound) for bound in measure.bounds) <= 1e-12
    return _finished(interval, measure, resampler, degenerate=bool(unmoved >= 0.5 or at_the_end))


def _only_positives(measure: Measure, estimate: float, level: float, method: str) -> Interval:
    """A ranking measure that has a value without negatives (average precision) says nothing there."""
    text = Text(
        "there are no negatives: {name} is then the same whatever the model says, so it has no interval.",
        name=measure.name,
    )
    return Interval(estimate, float("nan"), float("nan"), level, method, (warning_note("no-negatives", text),))


def _finished(interval: Interval, measure: Measure, resampler: Resampler, *, degenerate: bool = False) -> Interval:
    """Keep the interval within the measure's bounds, around its estimate, and never of zero width."""
    estimate, notes, level = interval.estimate, interval.notes, interval.confidence_level
    low, high = interval.low, interval.high
    if np.isnan(low) or np.isnan(high):
        return interval
    if degenerate or high - low <= 1e-12 * max(1.0, abs(estimate)):
        limits = edge_limits(measure, resampler, estimate, level)
        if limits is None or limits[1] - limits[0] <= 0:
            return undefined_width(interval, measure)
        low, high = min(low, limits[0]), max(high, limits[1])
        notes = (*notes, EDGE_NOTE)
    bottom, top = measure.bounds
    low, high = float(np.clip(low, bottom, top)), float(np.clip(high, bottom, top))
    return Interval(estimate, min(low, estimate), max(high, estimate), level, interval.method, notes)


def undefined_width(interval: Interval, measure: Measure) -> Interval:
    """All rows have the same loss: the spread, and so the interval, cannot be estimated."""
    nan = float("nan")
    note = warning_note(
        "no-spread", Text("{name} is the same on every row, so its uncertainty cannot be estimated.", name=measure.name)
    )
    return Interval(interval.estimate, nan, nan, interval.confidence_level, interval.method, (*interval.notes, note))


def fold_interval(
    measure: Measure, values: Sequence[Value], resampler: Resampler, method: str, level: float
) -> Interval:
    """Interval of a mean over folds, corrected for the overlap of their training sets (Nadeau & Bengio).

    √((1/J + n_test/n_train)·S²) in place of √(S²/J): folds share training rows, they are not J independent looks.
    """
    rows = resampler.rows
    numbers = np.array([v.value for v in values])
    defined = np.isfinite(numbers)
    if not defined.any():
        nowhere = Text("{name} is undefined in every fold", name=measure.name)
        return undefined(level, method, values[0].reason or nowhere)
    notes = _fold_notes(measure, values, defined)
    found = numbers[defined]
    estimate, j = float(found.mean()), int(found.size)
    if j < 2:
        return undefined(level, method, Text("{name} is defined in one fold only", name=measure.name))
    ratio, ratio_notes = (0.0, ()) if method == "t" else test_train_ratio(rows)
    if method == "t":
        text = Text("the plain t interval takes folds as independent, which they are not: it is too narrow.")
        ratio_notes = (warning_note("plain-t-on-folds", text),)
    spread = float(found.var(ddof=1))
    if spread <= 1e-24:
        pooled = test_set_interval(measure, resampler, _pooled_method(measure), level)
        note = Note("no-spread-over-folds", Text("all folds agree exactly; the interval is that of the pooled rows."))
        low, high = min(pooled.low, estimate), max(pooled.high, estimate)
        return Interval(estimate, low, high, level, pooled.method, (*notes, note))
    interval = t_interval(estimate, float(np.sqrt((1 / j + ratio) * spread)), j - 1, level, method)
    bottom, top = measure.bounds
    low, high = max(interval.low, bottom), min(interval.high, top)
    return Interval(estimate, low, high, level, method, (*notes, *ratio_notes))


def _pooled_method(measure: Measure) -> str:
    if measure.proportion is not None:
        return "wilson"
    return "delong" if measure.name == "auc" else "bca"


def _fold_notes(measure: Measure, values: Sequence[Value], defined: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> tuple[Note, ...]:  # fmt: skip  # noqa: E501
    lost = int((~defined).sum())
    if not lost:
        return ()
    reason = next((v.reason for v in values if v.reason), Text("undefined"))
    kept = Text("{n} of {total} folds", n=int(defined.sum()), total=defined.size)
    return (warning_note("undefined-folds", Text("mean over {kept}; {reason}.", kept=kept, reason=reason)),)


def test_train_ratio(rows: Rows) -> tuple[float, tuple[Note, ...]]:
    """n_test / n_train over the splits, or the usual 1/2 with a warning where the training size is not known.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.intervals import test_train_ratio
    >>> from bakeoff.protocols import KFold
    >>> from sklearn.naive_bayes import GaussianNB
    >>> rows = bakeoff.run({"nb": GaussianNB()}, "sklearn:iris", KFold(5), progress=False).predictions().table()
    >>> test_train_ratio(rows)
    (0.25, ())
    """
    return train_size_ratio(rows.splits)


def train_size_ratio(splits: Sequence[Split]) -> tuple[float, tuple[Note, ...]]:
    """n_test / n_train over splits; see `test_train_ratio`."""
    known = [s.n_test / s.n_train for s in splits if s.n_train]
    if splits and len(known) == len(splits):
        return float(np.mean(known)), ()
    text = Text(
        "the size of the training sets is not known; two thirds of the rows is assumed. Give n_train= to be exact."
    )
    return _ASSUMED_RATIO, (warning_note("assumed-train-size", text),)
