"""Any measure on one test set: bootstrap interval (BCa) and permutation p-value, pair by pair."""

from __future__ import annotations

import numpy as np

from bakeoff._core.language import joined, said
from bakeoff._core.notes import Note, unique, warning_note
from bakeoff.comparison._draws import PairDraws, difference_draws, swap_replicates
from bakeoff.comparison._finding import Finding, Job, Limits, Outcome
from bakeoff.comparison._situation import RIGHT_OR_WRONG
from bakeoff.comparison._swaps import swap_pvalue
from bakeoff.evidence import Rows
from bakeoff.counts import sample_of
from bakeoff.measures import Measure, Value, compute, for_rows


def bootstrap(job: Job) -> Outcome:
    """Paired bootstrap of every pair, with the permutation p-value."""
    return _resampled(job, "bootstrap")


def permutation(job: Job) -> Outcome:
    """Paired permutation test of every pair, with the bootstrap interval; exact where the measure is a plain count."""
    return _resampled(job, "permutation")


def _resampled(job: Job, test: str) -> Outcome:
    rows = job.evidence_rows()
    assert isinstance(job.measure, Measure)
    measure = for_rows(job.measure, rows)
    values = model_values(job)
    seed = int(job.rng.integers(2**63))
    source = difference_draws(measure, rows.select(job.models), job.n_resamples, seed)
    notes = [_EXCHANGEABLE]
    if rows.units.weight is not None:
        notes.append(_WEIGHTED)
    found = []
    for a, b in job.pairs:
        names = job.models[a], job.models[b]
        if not all(np.isfinite(v.value) for v in (values[a], values[b])):
            found.append(undefined_finding(a, b, [values[a], values[b]], test))
        elif same_outputs(measure, rows, *names):
            found.append(_identical(job, a, b, test))
        else:
            found.append(_pair(job, measure, test, (a, b), values, source(*names), seed))
    return Outcome(tuple(found), np.array([v.value for v in values]), notes=unique(notes))


def model_values(job: Job) -> list[Value]:
    """The measure of each model over all rows."""
    assert isinstance(job.measure, Measure)
    return [compute(job.measure, job.evidence_rows(), m) for m in job.models]


def _pair(
    job: Job, measure: Measure, test: str, pair: tuple[int, int], values: list[Value], draws: PairDraws, seed: int
) -> Finding:
    rows, (a, b) = job.evidence_rows(), pair
    estimate = values[a].value - values[b].value
    pvalue, how, notes = _pvalue(job, measure, test, pair, estimate, seed)
    defined = draws.differences[np.isfinite(draws.differences)]
    error = float(defined.std(ddof=1)) if defined.size > 1 else float("nan")
    units = rows.units.n
    limits, more = bca_limits(estimate, draws)
    return Finding(
        a, b, estimate,
        statistic=estimate / error if error > 0 else float("nan"),
        pvalue=pvalue,
        limits=limits,
        effect_size=estimate / (error * np.sqrt(units)) if error > 0 else float("nan"),
        effect="standardised difference",
        method=f"{how}, BCa bootstrap interval",
        smallest_pvalue=1 / (job.n_resamples + 1),
        notes=(*notes, *more),
    )  # fmt: skip


def _pvalue(
    job: Job, measure: Measure, test: str, pair: tuple[int, int], estimate: float, seed: int
) -> tuple[float, str, tuple[Note, ...]]:
    from bakeoff.stats.resample import exact_swap_pvalue

    rows, (a, b) = job.evidence_rows(), (job.models[pair[0]], job.models[pair[1]])
    plain = rows.units.plain
    if test == "permutation" and plain and job.situation.measure_kind == RIGHT_OR_WRONG:
        first, second = rows.correct(a), rows.correct(b)
        if not measure.greater_is_better:
            first, second = ~first, ~second
        counts = int((first & ~second).sum()), int((second & ~first).sum())
        return exact_swap_pvalue(*counts, job.alternative), "exact permutation test", ()
    replicates = swap_replicates(measure, rows, a, b, job.n_resamples, seed)
    pvalue, notes = swap_pvalue(estimate, replicates, job.alternative)
    return pvalue, "permutation test", notes


def bca_limits(estimate: float, draws: PairDraws) -> tuple[Limits, tuple[Note, ...]]:
    """BCa limits at any level; they are widened to hold the estimate, and undefined where no draw varies."""
    from bakeoff.stats import bootstrap_interval

    defined = draws.differences[~np.isnan(draws.differences)]  # an infinite one has its place in the order
    lost = draws.differences.size - defined.size
    notes = _lost_note(lost, draws.differences.size) if lost else ()
    if defined.size < 2 or defined.min() == defined.max():
        return _no_limits, (*notes, _NO_SPREAD)

    def limits(level: float) -> tuple[float, float]:
        found = bootstrap_interval(
            estimate, defined, method="bca", confidence_level=level, acceleration=draws.acceleration
        )
        return min(float(found.low), estimate), max(float(found.high), estimate)

    return limits, notes


def _no_limits(level: float) -> tuple[float, float]:
    return float("nan"), float("nan")


def _lost_note(lost: int, total: int) -> tuple[Note, ...]:
    message = said(
        "The measure was undefined in {lost} of {total} resamples, which were left out of the interval.",
        lost=lost,
        total=total,
    )
    return (warning_note("undefined-replicates", message),)


def undefined_finding(a: int, b: int, values: list[Value], method: str) -> Finding:
    """The measure of one of the two does not exist: nothing can be compared, and the reason is said."""
    nan = float("nan")
    reasons = [v.reason or said("the value is {value}", value=v.value) for v in values if not np.isfinite(v.value)]
    note = warning_note("undefined", said("The difference is undefined: {reasons}.", reasons=joined(reasons, "; ")))
    estimate = values[0].value - values[1].value if np.isfinite([v.value for v in values]).all() else nan
    return Finding(a, b, estimate, nan, nan, _no_limits, nan, "", method, notes=(note,))


def same_outputs(measure: Measure, rows: Rows, a: str, b: str) -> bool:
    """Tell whether two models said the same on every row, as far as the measure can see."""
    first, second = (sample_of(rows, m, measure.needs).output for m in (a, b))
    return bool(np.array_equal(first, second))


def _identical(job: Job, a: int, b: int, test: str) -> Finding:
    names = job.models[a], job.models[b]
    limits, note = unseen_limits(job, *names)
    return Finding(a, b, 0.0, 0.0, 1.0, limits, 0.0, "standardised difference", test, notes=(note,))


def unseen_limits(job: Job, a: str, b: str) -> tuple[Limits, Note]:
    """Limits for models that never differed: what was not seen in n cases may still happen (score interval of 0/n)."""
    units = job.evidence_rows().units.n
    low, high = job.measure.bounds
    message = f"{a!r} and {b!r} gave the same answers on every row: no evidence of any difference, so p = 1"
    if not np.isfinite(high - low):
        return _no_limits, Note(
            "identical-models", said("{message}; nothing varies, so there is no interval.", message=message)
        )

    def limits(level: float) -> tuple[float, float]:
        from scipy.special import ndtri

        z2 = float(ndtri((1 + level) / 2)) ** 2
        reach = (high - low) * z2 / (units + z2)
        return -reach, reach

    return limits, Note(
        "identical-models", said("{message}. The interval allows for differences not seen yet.", message=message)
    )


_NO_SPREAD = warning_note(
    "no-spread",
    said("Every resample gave the same difference: resampling cannot tell how sure it is, so no interval exists."),
)
_EXCHANGEABLE = Note(
    "permutation-null",
    said(
        "The p-value asks whether the two models' answers are exchangeable (swapped at random, case by case); the "
        "interval is about the size of the difference. The two answer slightly different questions."
    ),
)
_WEIGHTED = Note("weighted", said("Rows were resampled (and swapped) with their weights."))
