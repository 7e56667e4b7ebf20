"""`compare`: is the difference between models real, and how large is it?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import said
from bakeoff._core.notes import Note, emit, unique
from bakeoff._core.random import RngLike, as_generator
from bakeoff._core.validation import check_alternative, check_count, check_level, check_number
from bakeoff.comparison._catalogue import BY_MEANS, SIMULTANEOUS
from bakeoff.comparison._choose import Choice, choose
from bakeoff.comparison._comparison import Comparison, best_first
from bakeoff.comparison._finding import Job, Outcome
from bakeoff.comparison._finish import MOST_SIMULTANEOUS, check_adjust, groups_of, pair_table
from bakeoff.comparison._posthoc import check_posthoc
from bakeoff.comparison._prepare import Prepared, find_model, prepare
from bakeoff.comparison._smallness import small_evidence_notes
from bakeoff.evidence import Predictions, Scores
from bakeoff.measures import Measure

Procedure = Callable[[Job], Outcome]
_OMNIBUS_OVER_DATASETS = ("friedman", "quade", "aligned-friedman", "anova")


def compare(
    evidence: Predictions | Scores,
    measure: str | Measure | None = None,
    *,
    control: str | None = None,
    test: str = "auto",
    adjust: str = "auto",
    alternative: str = "two-sided",
    margin: float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    posthoc: str = "auto",
    rope: float | None = None,
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
        ``"auto"``, or a test by name (see CONTRACT or `bakeoff.advise`): refused where it cannot be computed, and
        noted where it is unsound for the design.
    adjust
        For the number of pairs: ``"auto"`` (Holm), hochberg, hommel, bonferroni, finner, holland, rom, li, bh, by,
        shaffer, bergmann (all pairs only), or ``"none"``.
    alternative
        ``"greater"``: a − b > 0 in the measure's own units (for an error, greater is worse). Intervals stay two-sided.
    margin
        The largest difference that does not matter, in the measure's units. Every pair is then also judged equivalent,
        not inferior, inferior or inconclusive, by one-sided tests at level 1 − confidence_level.
    confidence_level
        Of the intervals, which hold one at a time; 1 − confidence_level is the level of the tests.
    n_resamples, rng
        Bootstrap resamples and permutations, and their seed or generator.
    posthoc
        What follows a test of all models over data sets: ``"auto"``, wilcoxon, nemenyi, conover, tukey, dunnett,
        bonferroni-dunn, mean-ranks (z-tests, to be adjusted), quade, aligned.
    rope
        Half-width of the region of practical equivalence of the Bayesian tests; by default the margin, else 0.01 for
        measures between 0 and 1, else 0.

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
    >>> comparison.choice.chosen, round(comparison.pair("C4.5+m", "C4.5").pvalue, 4)
    ('wilcoxon', 0.0078)
    """
    prepared = prepare(evidence, measure, control=control)
    _check_options(alternative, margin, posthoc, control)
    choice, notes = choose(prepared.situation, test)
    job = _job(
        prepared, control, alternative=alternative, level=check_level(confidence_level),
        n_resamples=check_count("n_resamples", n_resamples, minimum=100), rng=as_generator(rng),
        rope=_rope(rope, margin, prepared), posthoc=_posthoc_for(choice.chosen, posthoc),
    )  # fmt: skip
    outcome = procedure(choice.chosen, prepared)(job)
    comparison = _assemble(evidence, job, choice, outcome, adjust, margin, (*prepared.notes, *notes))
    emit(comparison.notes, stacklevel=3)
    return comparison


def _check_options(alternative: str, margin: float | None, posthoc: str, control: str | None) -> None:
    check_alternative(alternative)
    check_posthoc(posthoc, control=control is not None, alternative=alternative)
    if margin is not None:
        check_number("margin", margin, low=0, closed="none")


def _posthoc_for(test: str, posthoc: str) -> str:
    if posthoc != "auto" and test not in _OMNIBUS_OVER_DATASETS:
        raise ParameterError(
            f"posthoc={posthoc!r} follows a test of all models over data sets, but the test here is {test!r}.",
            hint=f"leave posthoc= out, or ask for one of {', '.join(map(repr, _OMNIBUS_OVER_DATASETS))} with test=",
        )
    return posthoc


def _rope(rope: float | None, margin: float | None, prepared: Prepared) -> float:
    if rope is not None:
        return check_number("rope", rope, low=0)
    if margin is not None:
        return float(margin)
    low, high = prepared.measure.bounds
    return 0.01 if (low, high) == (0.0, 1.0) else 0.0


def _job(prepared: Prepared, control: str | None, **options: Any) -> Job:
    models = prepared.models
    if len(models) < 2:
        pairs: tuple[tuple[int, int], ...] = ()
        place = None
    elif control is None:
        pairs = tuple((i, j) for i in range(len(models)) for j in range(i + 1, len(models)))
        place = None
    else:
        place = find_model(models, control, "control")
        pairs = tuple((i, place) for i in range(len(models)) if i != place)
    return Job(
        models, pairs, prepared.measure, prepared.situation, place, prepared.rows, prepared.matrix, prepared.units,
        prepared.n_train, prepared.n_test, prepared.folds, prepared.overlap, **options,
    )  # fmt: skip


def procedure(test: str, prepared: Prepared) -> Procedure:
    """Return the function that runs a test of the catalogue on evidence of this kind."""
    from bakeoff.comparison import _on_datasets as datasets
    from bakeoff.comparison import _on_folds as folds
    from bakeoff.comparison import _on_instances as instances
    from bakeoff.comparison import _on_resampling as resampling
    from bakeoff.comparison import _posteriors as posteriors

    paired = instances.paired_t_rows
    if not prepared.situation.one_test_set:
        paired = datasets.paired_t_datasets if prepared.situation.several_datasets else folds.paired_t_scores
    table: Mapping[str, Procedure] = {
        "mcnemar": instances.mcnemar,
        "cochran-q": instances.cochran,
        "delong": instances.delong,
        "cluster-t": instances.clustered_t,
        "bootstrap": resampling.bootstrap,
        "permutation": resampling.permutation,
        "paired-t": paired,
        "corrected-t": folds.corrected_t,
        "5x2cv-t": folds.five_by_two_dietterich,
        "5x2cv-f": folds.five_by_two_combined,
        "bayes-correlated-t": folds.bayesian_correlated_t,
        "wilcoxon": datasets.signed_rank,
        "sign": datasets.signs,
        "bayes-signed-rank": posteriors.bayesian_signed_rank,
        "bayes-sign": posteriors.bayesian_sign,
        "bayes-hierarchical": posteriors.hierarchical,
        "friedman": datasets.friedman_then,
        "quade": datasets.quade_then,
        "aligned-friedman": datasets.aligned_then,
        "anova": datasets.anova_then,
    }
    return table[test]


def _assemble(
    evidence: Predictions | Scores,
    job: Job,
    choice: Choice,
    outcome: Outcome,
    adjust: str,
    margin: float | None,
    notes: tuple[Note, ...],
) -> Comparison:
    method = check_adjust(adjust, control=job.control is not None, posthoc=outcome.posthoc)
    pairs = pair_table(job, outcome.findings, outcome.values, method, margin)
    ranked = _order(job, outcome, choice.chosen)
    groups, letters, group_notes = groups_of(job, pairs, ranked)
    single = len(pairs) == 1 and outcome.posthoc not in SIMULTANEOUS
    choice = replace(choice, posthoc=outcome.posthoc, adjust="" if single else method)
    omnibus_notes = outcome.omnibus.notes if outcome.omnibus is not None else ()
    pair_notes = tuple(n for p in pairs for n in p.notes)
    small = small_evidence_notes(job, outcome, choice.chosen, method)
    options = _option_notes(job, pairs, outcome)
    everything = (*notes, *outcome.notes, *omnibus_notes, *pair_notes, *group_notes, *small, *options)
    ranks = None
    if outcome.ranks is not None:
        ranks = best_first(job.models, outcome.ranks.tolist(), False)
    return Comparison(
        measure=job.measure.name,
        greater_is_better=job.measure.greater_is_better,
        models=job.models,
        pairs=pairs,
        choice=choice,
        omnibus=outcome.omnibus,
        ranks=ranks,
        groups=groups,
        letters=letters,
        values=best_first(job.models, outcome.values.tolist(), job.measure.greater_is_better),
        design=replace(evidence.design, n_datasets=job.situation.n_datasets, n_splits=job.situation.n_splits),
        bayes=outcome.bayes,
        checks=outcome.checks,
        control=None if job.control is None else job.models[job.control],
        margin=margin,
        alternative=job.alternative,
        confidence_level=job.level,
        critical_difference=outcome.critical_difference,
        notes=_without_echoes(unique(everything), choice.chosen),
    )


def _without_echoes(notes: tuple[Note, ...], test: str) -> tuple[Note, ...]:
    """Drop what a broader warning already says (few pairs where there are few data sets), or what is not so here."""
    out = {"few-pairs"} if any(note.code == "few-data-sets" for note in notes) else set()
    if test == "bayes-hierarchical":  # the one test that reads the folds of every data set
        out.add("folds-averaged")
    return tuple(note for note in notes if note.code not in out)


def _order(job: Job, outcome: Outcome, test: str) -> list[str]:
    """Models from best to worst: by mean rank where ranks were compared, else by value."""
    if outcome.ranks is not None and test not in BY_MEANS:
        return list(best_first(job.models, outcome.ranks.tolist(), False))
    return list(best_first(job.models, outcome.values.tolist(), job.measure.greater_is_better))


def _option_notes(job: Job, pairs: tuple[Any, ...], outcome: Outcome) -> tuple[Note, ...]:
    notes = []
    if len(pairs) > 1:
        notes += [_INDIVIDUAL, _simultaneous_note(job, len(pairs), outcome.posthoc)]
    if job.alternative != "two-sided":
        notes.append(_ONE_SIDED)
    bayesian = any(finding.posterior is not None for finding in outcome.findings)
    if any(p.notes for p in pairs) and np.isnan([p.pvalue for p in pairs]).all() and pairs and not bayesian:
        notes.append(_NO_PVALUE)
    return tuple(notes)


def _simultaneous_note(job: Job, m: int, posthoc: str) -> Note:
    code = "intervals-simultaneous"
    if m > MOST_SIMULTANEOUS:
        return Note(code, f"Simultaneous limits are not computed for more than {MOST_SIMULTANEOUS} pairs.")
    if posthoc in ("tukey", "dunnett"):
        how = f"by {posthoc.capitalize()}'s distribution"
    else:
        how = f"by Bonferroni's inequality, each at {100 * (1 - (1 - job.level) / m):.4g} %"
    return Note(
        code,
        f"simultaneous_low and simultaneous_high hold for all {m} pairs at once ({how}); "
        "they do not sharpen as Holm's p-values do, so one may include zero where a difference is shown.",
    )


_INDIVIDUAL = Note(
    "intervals-individual",
    said(
        "Each interval holds its confidence alone. Whether a difference counts as shown is decided by the adjusted "
        "p-value, so an interval may exclude zero where no difference is shown."
    ),
)
_ONE_SIDED = Note("intervals-two-sided", said("The p-values are one-sided; the intervals are two-sided."))
_NO_PVALUE = Note("no-pvalue", said("No p-value could be computed; the reasons are in the other notes."))
