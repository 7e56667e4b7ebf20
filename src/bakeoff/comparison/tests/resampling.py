"""Any measure on the same instances, by resampling and swapping them: bootstrap and permutation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from bakeoff._core.language import Text, joined
from bakeoff._core.result import Note, unique, warning_note
from bakeoff._core.validation import FloatArray
from bakeoff.comparison._conditions import BY_NAME, ON_ROWS, RIGHT_OR_WRONG, DesignFacts
from bakeoff.comparison._draws import PairDraws, difference_draws, swap_replicates
from bakeoff.comparison._entry import Reference, Test
from bakeoff.comparison._jobs import Finding, InstanceJob, Limits, Outcome, Pair
from bakeoff.comparison._planners import CannotPlan
from bakeoff.comparison.tests._t import STANDARDISED
from bakeoff.counts import sample_of
from bakeoff.evidence import Rows
from bakeoff.measures import Measure, Value, label_of
from bakeoff.stats.distributions import inverted_pvalue

_SIMULATE = CannotPlan(Text("it would take a simulation of your own models' answers"))


def _because(facts: DesignFacts) -> Text:
    measure = label_of(facts.measure)
    if facts.weighted:
        return Text("the rows are weighted: they are resampled with their weights")
    if facts.grouped:
        return Text("{measure} on rows in clusters: whole clusters are resampled", measure=measure)
    return Text("{measure} on one test set: rows are resampled for all models alike", measure=measure)


def bootstrap(job: InstanceJob) -> Outcome:
    """Paired bootstrap of every pair; the p-value inverts the interval."""
    return _resampled(job, "bootstrap")


def permutation(job: InstanceJob) -> Outcome:
    """Paired permutation test of every pair, with the bootstrap interval; exact where the measure is a plain count."""
    return _resampled(job, "permutation")


def _resampled(job: InstanceJob, test: str) -> Outcome:
    rows, measure, seed = job.rows, job.measure, int(job.question.rng.integers(2**63))
    source = difference_draws(measure, rows.select(job.models), job.question.n_resamples, seed)
    notes = [_EXCHANGEABLE] if test == "permutation" else []
    if rows.units.importance is not None:
        notes.append(_WEIGHTED)

    def of_pair(pair: Pair, estimate: float) -> Finding:
        names = job.models[pair.a], job.models[pair.b]
        if same_outputs(measure, rows, *names):
            return _identical(job, pair, test)
        return _pair(job, test, pair, estimate, source(*names), seed)

    return replace(where_defined(job, test, of_pair), notes=unique(notes))


def _pair(job: InstanceJob, test: str, pair: Pair, estimate: float, draws: PairDraws, seed: int) -> Finding:
    defined = draws.differences[np.isfinite(draws.differences)]
    error = float(defined.std(ddof=1)) if defined.size > 1 else float("nan")
    limits, more = bca_limits(estimate, draws)
    least = 1 / (job.question.n_resamples + 1)
    notes: tuple[Note, ...] = ()
    if test == "bootstrap":
        pvalue, how = inverted_pvalue(limits, job.alternative, smallest=least), "paired bootstrap"
    else:
        pvalue, how, notes = _pvalue(job, pair, estimate, seed)
    return Finding(
        pair=pair, estimate=estimate, statistic=estimate / error if error > 0 else float("nan"), pvalue=pvalue,
        limits=limits, effect_size=estimate / (error * np.sqrt(job.rows.units.n)) if error > 0 else float("nan"),
        effect=STANDARDISED, method=f"{how}, BCa bootstrap interval", smallest_pvalue=least, notes=(*notes, *more),
    )  # fmt: skip


def _pvalue(job: InstanceJob, pair: Pair, estimate: float, seed: int) -> tuple[float, str, tuple[Note, ...]]:
    """The p-value of the paired permutation test; exact where the measure counts right answers of single rows."""
    from bakeoff.stats.resample import exact_swap_pvalue

    if job.rows.units.plain and job.facts.measure_kind == RIGHT_OR_WRONG:
        first, second = job.counted()[:, list(pair)].T
        counts = int((first & ~second).sum()), int((second & ~first).sum())
        return exact_swap_pvalue(*counts, job.alternative), "exact permutation test", ()
    names = job.models[pair.a], job.models[pair.b]
    replicates = swap_replicates(job.measure, job.rows, *names, job.question.n_resamples, seed)
    pvalue, notes = _swap_pvalue(estimate, replicates, job.alternative)
    return pvalue, "permutation test", notes


def _swap_pvalue(observed: float, replicates: FloatArray, alternative: str) -> tuple[float, tuple[Note, ...]]:
    """The p-value, at least 1/(B + 1), and a note where some swaps gave no value."""
    from bakeoff.stats.resample import permutation_pvalue

    defined = replicates[np.isfinite(replicates)]
    if defined.size == 0:
        none = Text("The measure was undefined after every swap: there is no p-value.")
        return float("nan"), (warning_note("undefined-replicates", none),)
    lost, size = replicates.size - defined.size, replicates.size
    text = Text("The measure was undefined in {lost} of {size} swaps, which were left out.", lost=lost, size=size)
    notes = (warning_note("undefined-replicates", text),) if lost else ()
    return permutation_pvalue(observed, defined, alternative), notes


def bca_limits(estimate: float, draws: PairDraws) -> tuple[Limits, tuple[Note, ...]]:
    """BCa limits at any level; they are widened to hold the estimate, and undefined where no draw varies."""
    from bakeoff.stats import bootstrap_interval

    defined = draws.differences[~np.isnan(draws.differences)]  # an infinite one has its place in the order
    lost, total = draws.differences.size - defined.size, draws.differences.size
    text = Text(
        "The measure was undefined in {lost} of {total} resamples, which were left out of the interval.",
        lost=lost, total=total,
    )  # fmt: skip
    notes = (warning_note("undefined-replicates", text),) if lost else ()
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


def where_defined(job: InstanceJob, method: str, of_pair: Callable[[Pair, float], Finding]) -> Outcome:
    """A finding about every pair and its difference; where the measure of one does not exist, that it does not."""
    values = job.values()
    numbers = np.array([v.value for v in values])
    with np.errstate(invalid="ignore"):  # both infinite: undefined
        gaps = [float(numbers[pair.a] - numbers[pair.b]) for pair in job.pairs]
    pairs = zip(job.pairs, gaps, strict=True)
    found = (of_pair(p, gap) if np.isfinite(gap) else undefined_finding(p, values, method) for p, gap in pairs)
    return Outcome(tuple(found), numbers)


def undefined_finding(pair: Pair, values: list[Value], method: str) -> Finding:
    """The measure of one of the two does not exist: nothing can be compared, and a note gives the reason."""
    nan, both = float("nan"), (values[pair.a], values[pair.b])
    reasons = [v.reason or Text("the value is {value}", value=v.value) for v in both if not np.isfinite(v.value)]
    note = warning_note("undefined", Text("The difference is undefined: {reasons}.", reasons=joined(reasons, "; ")))
    return Finding(
        pair=pair, estimate=nan, statistic=nan, pvalue=nan, limits=_no_limits, effect_size=nan, effect="",
        method=method, notes=(note,),
    )  # fmt: skip


def same_outputs(measure: Measure, rows: Rows, a: str, b: str) -> bool:
    """Tell whether two models gave the same answer on every row, as far as the measure can see."""
    first, second = (sample_of(rows, m, measure.needs).output for m in (a, b))
    return bool(np.array_equal(first, second))


def _identical(job: InstanceJob, pair: Pair, test: str) -> Finding:
    limits, note = unseen_limits(job, pair)
    return Finding(
        pair=pair, estimate=0.0, statistic=0.0, pvalue=1.0, limits=limits, effect_size=0.0, effect=STANDARDISED,
        method=test, notes=(note,),
    )  # fmt: skip


def unseen_limits(job: InstanceJob, pair: Pair) -> tuple[Limits, Note]:
    """Limits for models that never differed: what was not seen in n cases may still happen (score interval of 0/n)."""
    units = job.rows.units.n
    low, high = job.measure.bounds
    if not np.isfinite(high - low):
        text = Text(
            "{a!r} and {b!r} gave the same answers on every row: no evidence of any difference, so p = 1; nothing "
            "varies, so there is no interval.",
            a=job.models[pair.a], b=job.models[pair.b],
        )  # fmt: skip
        return _no_limits, Note("identical-models", text)

    def limits(level: float) -> tuple[float, float]:
        from scipy.special import ndtri

        z2 = float(ndtri((1 + level) / 2)) ** 2
        reach = (high - low) * z2 / (units + z2)
        return -reach, reach

    return limits, identical_note(job.models, pair)


def identical_note(models: tuple[str, ...], pair: Pair) -> Note:
    """Two models that never differed."""
    text = Text(
        "{a!r} and {b!r} gave the same answers on every row: no evidence of any difference, so p = 1. The interval "
        "allows for differences not seen yet.",
        a=models[pair.a], b=models[pair.b],
    )  # fmt: skip
    return Note("identical-models", text)


_NO_SPREAD = warning_note(
    "no-spread",
    Text("Every resample gave the same difference: resampling cannot tell how sure it is, so no interval exists."),
)
_EXCHANGEABLE = Note(
    "permutation-null",
    Text(
        "The p-value asks whether the two models' answers are exchangeable (swapped at random, case by case); the "
        "interval is about the size of the difference. The two answer slightly different questions."
    ),
)
_WEIGHTED = Note("weighted", Text("Rows were resampled (and swapped) with their weights."))


TESTS = (
    Test(
        name="bootstrap",
        label=Text("the paired bootstrap"),
        reads=InstanceJob,
        run=bootstrap,
        needs=ON_ROWS,
        because=_because,
        why=Text("no formula is known: rows are resampled for all models alike"),
        also=Text("valid here too; it needs random numbers where a formula is at hand"),
        plan=_SIMULATE,
        references=(
            Reference("Efron (1987), Better bootstrap confidence intervals", "10.1080/01621459.1987.10478410"),
        ),
    ),
    Test(
        name="permutation",
        label=Text("the paired permutation test"),
        reads=InstanceJob,
        run=permutation,
        needs=(*ON_ROWS, BY_NAME),
        also=Text("valid here too; it asks whether the models are exchangeable, and needs random numbers"),
        plan=_SIMULATE,
        in_words=Text("permutation test"),
        references=(
            Reference(
                "Pitman (1937), Significance tests which may be applied to samples from any populations",
                "10.2307/2984124",
            ),
        ),
    ),
)
