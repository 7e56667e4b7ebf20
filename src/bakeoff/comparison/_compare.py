"""`compare`: is the difference between models real, and how large is it?"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from bakeoff._core.errors import BakeoffWarning, ParameterError
from bakeoff._core.language import Text, numeral
from bakeoff._core.result import Note, emit, settled, unique
from bakeoff._core.validation import (
    FloatArray,
    RngLike,
    as_generator,
    as_seed,
    check_alternative,
    check_choice,
    check_count,
    check_level,
    check_number,
)
from bakeoff.comparison._catalogue import Choice, catalogue, choose
from bakeoff.comparison._comparison import Comparison, PairComparison
from bakeoff.comparison._each_dataset import FEW, with_each_dataset
from bakeoff.comparison._entry import PostHoc, Test
from bakeoff.comparison._finish import (
    MOST_SIMULTANEOUS,
    best_first,
    check_adjust,
    few_data_warnings,
    groups_of,
    pair_table,
    row_warnings,
)
from bakeoff.comparison._jobs import (
    BayesPair,
    DatasetJob,
    Finding,
    InstanceJob,
    Job,
    Jobs,
    Outcome,
    Pair,
    Request,
    RowsOverFoldsJob,
)
from bakeoff.comparison._margin_datasets import OVER, Over
from bakeoff.comparison._posthocs import posthoc_for, run_posthoc
from bakeoff.comparison._prepare import prepare
from bakeoff.comparison._slices import slice_sentences, slices_of_pairs
from bakeoff.comparison._verdict import verdict_sentences
from bakeoff.comparison.tests.rule import with_quotients
from bakeoff.evidence import Design, Predictions, Run, Scores
from bakeoff.intervals import CLAIMS, Claim, evaluate
from bakeoff.measures import Measure, Trait, default_measure, find, get


def compare(
    evidence: Predictions | Scores | Run,
    measure: str | Measure | None = None,
    *,
    control: str | None = None,
    test: str = "auto",
    adjust: str = "auto",
    alternative: str = "two-sided",
    margin: float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int | Literal["auto"] = 2000,
    rng: RngLike = None,
    posthoc: str = "auto",
    rope: float | None = None,
    claim: Claim = "kind",
    over: Over = "mean",
    by: str | Sequence[str] | None = None,
    shares: Mapping[str, float] | None = None,
    min_n: int = 30,
) -> Comparison:
    """Is the difference between models real, how large is it, and how sure can I be?

    The design of the evidence decides the test (one test set, folds, several data sets; labels, scores, losses; rows in
    clusters or weighted), and the result says which test was taken, why, and why every other was not.

    Parameters
    ----------
    evidence
        `Predictions` (paired, row by row) or `Scores` (data sets × models, or folds).
    measure
        Name of a measure or a `Measure`. By default AUC where all models have scores and the positive class is known,
        else accuracy; RMSE for regression; the mean for outcomes. `Scores` carry their own.
    control
        Compare every model with this one only.
    test
        ``"auto"``, or the name of a test in `bakeoff.comparison.catalogue`: refused where it cannot be computed, and
        noted where it is unsound for the design.
    adjust
        For the number of pairs: ``"auto"`` (Holm), hochberg, hommel, bonferroni, finner, holland, rom, li, bh, by,
        shaffer, bergmann (all pairs only), or ``"none"``.
    alternative
        ``"greater"``: a − b > 0 in the measure's own units (for an error, greater is worse). Intervals stay two-sided.
    margin
        The largest difference that does not matter, in the measure's units. Every pair is then also called
        equivalent, not inferior, inferior or inconclusive, by one-sided tests at level 1 − confidence_level.
    confidence_level
        Of the intervals, which hold one at a time; 1 − confidence_level is the level of the tests.
    n_resamples, rng
        Bootstrap resamples and permutations, and their seed or generator; ``"auto"``: twice as many until that moves
        no limit by more than 2 % of its interval's width, and no p-value by more than a tenth.
    posthoc
        What follows a test of all models over data sets: ``"auto"``, or a name in `bakeoff.comparison.POSTHOCS`.
    over
        Over data sets, what must hold within the margin: the ``"mean"`` difference (t interval), or the ``"median"``
        (Hodges–Lehmann). The verdict names both where they disagree, and the data sets that lose by more.
    claim
        Over folds: about this ``"kind"`` of model, retrained on as many rows, or the ``"fitted"`` models.
    rope
        Half-width of the region of practical equivalence of the Bayesian tests; by default the margin, else 0.01 for
        measures between 0 and 1, else 0.
    by, shares, min_n
        A slice kept with the evidence (or several that are crossed), shares of the slices that the total is
        post-stratified to, and the units below which a slice is marked as small: adds `Comparison.slices`.

    Returns
    -------
    Comparison
        Pair table, omnibus, ranks, groups, the choice and its reasons, checks, notes and the verdict in sentences.

    Examples
    --------
    Demšar's comparison of four variants of C4.5 (AUC on 14 data sets, here the first two):

    >>> import bakeoff
    >>> plain = [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .940, .619, .972, .957]
    >>> tuned = [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978]
    >>> scores = bakeoff.Scores.from_wide(list(zip(tuned, plain)), models=["C4.5+m", "C4.5"], measure="auc")
    >>> comparison = bakeoff.compare(scores, rng=0)
    >>> print(comparison.choice.chosen, round(comparison.pair("C4.5+m", "C4.5").pvalue, 4))
    wilcoxon 0.0078
    """
    given = dict(locals())
    if isinstance(evidence, Run):
        return evidence.compare(**{k: v for k, v in given.items() if k != "evidence"})  # type: ignore[no-any-return]
    if n_resamples == "auto":
        given["rng"] = as_seed(rng)
        answer, told = settled(lambda n: compare(**{**given, "n_resamples": n}), _limits_of)
        emit(answer.notes, stacklevel=3)
        return replace(answer, notes=(*answer.notes, *told))
    check_choice("over", over, OVER)
    check_choice("claim", claim, CLAIMS)
    question = Request(
        control=None if control is None else str(control),
        alternative=check_alternative(alternative),
        level=check_level(confidence_level),
        margin=None if margin is None else check_number("margin", margin, low=0, closed="none"),
        n_resamples=check_count("n_resamples", n_resamples, minimum=100),
        rng=as_generator(rng),
        claim=claim,
        over=over,
        asked_rope=None if rope is None else check_number("rope", rope, low=0),
    )
    jobs = prepare(evidence, measure, question)
    choice, notes = choose(jobs.first.facts, test)
    entry = catalogue()[choice.chosen]
    following = None
    if entry.after or posthoc != "auto":
        following = posthoc_for(entry, posthoc, control=control is not None, alternative=alternative)
    outcome = run_test(entry, jobs, following)
    design = replace(evidence.design, n_datasets=jobs.first.facts.n_datasets, n_splits=jobs.first.facts.n_splits)
    comparison = _assemble(jobs, entry, following, choice, outcome, adjust, notes, design)
    if 2 <= comparison.design.n_datasets <= FEW and hasattr(evidence, "select"):
        comparison = with_each_dataset(
            comparison,
            evidence,
            lambda one: compare(
                one, measure, control=control, alternative=alternative, margin=margin, rope=rope, claim=claim,
                confidence_level=confidence_level, n_resamples=n_resamples, rng=question.rng,
            ),
        )  # fmt: skip
    if by is not None:
        comparison = _by_slice(comparison, evidence, measure, question, test, by, shares, min_n)
    elif shares is not None:
        raise ParameterError("shares= are those of slices: give by= too.")
    if swapped := _below_chance(evidence, comparison):
        comparison = replace(comparison, notes=(*comparison.notes, *swapped))
    emit(comparison.notes, stacklevel=3)
    return comparison


def _below_chance(evidence: Predictions | Scores, comparison: Comparison) -> list[Note]:
    """What `evaluate` says of models whose AUC is shown to be below one half; strictly, since there may be many."""
    low = [model for model, value in comparison.values.items() if value < 0.5]
    known = find(comparison.measure)
    if not low or known is None or not known.is_area or not isinstance(evidence, Predictions):
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BakeoffWarning)
        found = evaluate(evidence.select(models=low), known, confidence_level=_SURELY, rng=0, baselines=False)
    return [note for note in found.notes if note.code == "below-chance"]


_SURELY = 0.99


def _limits_of(result: Comparison) -> FloatArray:
    return np.array([[p.low, p.high, p.pvalue] for p in result.pairs]).reshape(-1, 3)


def _by_slice(
    comparison: Comparison, evidence: Any, measure: Any, question: Request, test: str, by: Any, shares: Any, min_n: int
) -> Comparison:
    """Add the slices, and what they say about the winner."""
    if not isinstance(evidence, Predictions):
        raise ParameterError("by= needs predictions, outcomes or sums; scores have no rows to cut.")
    asked = default_measure(evidence) if measure is None else get(measure)
    slices = slices_of_pairs(
        evidence, asked, comparison.pairs, question, run=run_test, test=test, by=by, shares=shares,
        min_n=check_count("min_n", min_n, minimum=1),
    )  # fmt: skip
    return replace(comparison, slices=slices, sentences=(*comparison.sentences, *slice_sentences(slices)))


# -- running ----------------------------------------------------------------------------------------------------------


def run_test(test: Test[Any], jobs: Jobs, posthoc: PostHoc | None = None) -> Outcome:
    """Run a test with what belongs to it: its pairs, a post hoc, and for two models its companions."""
    outcome: Outcome = test.run(jobs.of(test.reads))
    by = test if test.pairs_by is None else catalogue()[test.pairs_by]
    if by is not test:
        pairs = by.run(jobs.of(by.reads))
        outcome = replace(outcome, findings=pairs.findings, checks=(*outcome.checks, *pairs.checks))
    if jobs.apart is not None:
        outcome = replace(outcome, findings=tuple(_apart(by, jobs.apart, pair) for pair in jobs.first.pairs))
    elif isinstance(jobs.first, InstanceJob) and jobs.first.measure.has(Trait.QUOTIENT):
        outcome = replace(outcome, findings=with_quotients(jobs.first, outcome.findings))
    if posthoc is not None:
        outcome = run_posthoc(posthoc, test, jobs.of(DatasetJob), outcome)
    if outcome.omnibus is not None:
        label = test.label if test.omnibus is None else test.omnibus(outcome.omnibus)
        outcome = replace(outcome, omnibus=outcome.omnibus.named(test.name, label))
    return replace(outcome, bayes=(*_named(outcome.bayes, test), *_companions(test, jobs)))


def _apart(test: Test[Any], of: Callable[[Pair], Jobs], pair: Pair) -> Finding:
    """What a test says about two models on the items that these two share."""
    jobs = of(pair)
    outcome = test.run(jobs.of(test.reads))
    assert isinstance(jobs.first, InstanceJob)
    (finding,) = outcome.findings
    if jobs.first.measure.has(Trait.QUOTIENT):
        (finding,) = with_quotients(jobs.first, outcome.findings)
    values = (float(outcome.values[0]), float(outcome.values[1]))
    return replace(finding, pair=pair, values=values)


def _companions(test: Test[Any], jobs: Jobs) -> tuple[BayesPair, ...]:
    facts, every = jobs.first.facts, catalogue()
    names = test.companions
    if facts.n_models != 2:  # of many pairs they are given where a region was asked for
        asked = jobs.first.question.asked_rope is not None and not test.bayesian
        same = (one for one in every.values() if asked and one.reads is test.reads)
        names = tuple(dict.fromkeys(name for one in same for name in one.companions))
    entries = (every[name] for name in names)
    valid = (entry for entry in entries if not entry.broken(facts) and jobs.has(entry.reads))
    return tuple(pair for entry in valid for pair in _named(entry.run(jobs.of(entry.reads)).bayes, entry))


def _named(pairs: tuple[BayesPair, ...], test: Test[Any]) -> tuple[BayesPair, ...]:
    return tuple(replace(pair, test=test.name) for pair in pairs)


# -- the result -------------------------------------------------------------------------------------------------------


def _assemble(
    jobs: Jobs,
    test: Test[Any],
    posthoc: PostHoc | None,
    choice: Choice,
    outcome: Outcome,
    adjust: str,
    notes: tuple[Note, ...],
    design: Design,
) -> Comparison:
    job, read = jobs.first, jobs.of(test.reads)
    by_scores = not isinstance(read, (RowsOverFoldsJob, InstanceJob)) or read.measure.is_area
    method = check_adjust(adjust, control=job.against_control, posthoc=posthoc)
    pairs = pair_table(job, outcome.findings, outcome.values, method)
    groups = groups_of(job, pairs, _order(job, outcome, test))
    single = len(pairs) == 1 and method != "single-step"
    made = Comparison(
        measure=job.measure.name,
        greater_is_better=job.measure.greater_is_better,
        models=job.models,
        pairs=pairs,
        choice=replace(choice, posthoc="" if posthoc is None else posthoc.name, adjust="" if single else method),
        omnibus=outcome.omnibus,
        ranks=None if outcome.ranks is None else best_first(job.models, outcome.ranks.tolist(), False),
        groups=groups.groups,
        letters=groups.letters,
        values=best_first(job.models, outcome.values.tolist(), job.measure.greater_is_better),
        design=design,
        bayes=outcome.bayes,
        checks=outcome.checks,
        control=job.question.control,
        margin=job.question.margin,
        alternative=job.alternative,
        confidence_level=job.level,
        critical_difference=outcome.critical_difference,
        _units=getattr(job, "units", ()),
        notes=drop_redundant_notes(
            unique(
                (
                    *jobs.notes,
                    *(jobs.of_scores if by_scores else ()),
                    *notes,
                    *outcome.notes,
                    *(outcome.omnibus.notes if outcome.omnibus is not None else ()),
                    *(note for pair in pairs for note in pair.notes),
                    *groups.notes,
                    *few_data_warnings(job, test, posthoc, method),
                    *(row_warnings(read) if isinstance(read, (InstanceJob, RowsOverFoldsJob)) else ()),
                    *_option_notes(job, pairs, posthoc, test, outcome.critical_difference),
                )
            ),
            test,
        ),
    )
    return replace(made, sentences=verdict_sentences(made, test, posthoc))


def drop_redundant_notes(notes: tuple[Note, ...], test: Test[Any]) -> tuple[Note, ...]:
    """Drop what a broader warning already says (few pairs where there are few data sets), or what is not so here."""
    out = {"few-pairs"} if any(note.code == "few-data-sets" for note in notes) else set()
    if test.reads_folds:
        out.add("folds-averaged")
    return tuple(note for note in notes if note.code not in out)


def _order(job: Job, outcome: Outcome, test: Test[Any]) -> list[str]:
    """Models from best to worst: by mean rank where ranks were compared, else by value."""
    if outcome.ranks is not None and test.orders_by == "ranks":
        return list(best_first(job.models, outcome.ranks.tolist(), False))
    return list(best_first(job.models, outcome.values.tolist(), job.measure.greater_is_better))


def _option_notes(
    job: Job, pairs: tuple[PairComparison, ...], posthoc: PostHoc | None, test: Test[Any], distance: float | None
) -> tuple[Note, ...]:
    notes = []
    if len(pairs) > 1:
        notes += [_INDIVIDUAL, _simultaneous_note(job, len(pairs), posthoc)]
    if job.alternative != "two-sided":
        notes.append(_ONE_SIDED)
    if distance is not None:
        text = Text("Mean ranks that differ by more than {distance} are told apart (the critical difference).",
                    distance=numeral(distance, ".3f"))  # fmt: skip
        notes.append(Note("critical-difference", text))
    undefined = bool(pairs) and bool(np.isnan([p.pvalue for p in pairs]).all())
    if undefined and any(p.notes for p in pairs) and not test.bayesian:
        notes.append(_NO_PVALUE)
    return tuple(notes)


def _simultaneous_note(job: Job, m: int, posthoc: PostHoc | None) -> Note:
    code = "intervals-simultaneous"
    if m > MOST_SIMULTANEOUS:
        return Note(code, Text("Simultaneous limits are not computed for more than {n} pairs.", n=MOST_SIMULTANEOUS))
    how = None if posthoc is None else posthoc.joint_limits
    if how is None:
        how = Text("by Bonferroni's inequality, each at {level:.4g} %", level=100 * (1 - (1 - job.level) / m))
    text = Text(
        "simultaneous_low and simultaneous_high hold for all {m} pairs at once ({how}); they do not sharpen as Holm's "
        "p-values do, so one may include zero where a difference is shown.",
        m=m, how=how,
    )  # fmt: skip
    return Note(code, text)


_INDIVIDUAL = Note(
    "intervals-individual",
    Text(
        "Each interval holds its confidence alone. Whether a difference counts as shown is decided by the adjusted "
        "p-value, so an interval may exclude zero where no difference is shown."
    ),
)
_ONE_SIDED = Note("intervals-two-sided", Text("The p-values are one-sided; the intervals are two-sided."))
_NO_PVALUE = Note("no-pvalue", Text("No p-value could be computed; the reasons are in the other notes."))
