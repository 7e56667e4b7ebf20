"""Little evidence: the answer stands, with a warning on what it can show and what `plan` would ask for."""

from __future__ import annotations

import math

from bakeoff._core.language import said
from bakeoff._core.notes import Note, warning_note
from bakeoff.comparison._finding import Job, Outcome
from bakeoff.comparison._situation import AUC, DATASETS, RIGHT_OR_WRONG

FEW_DATASETS, FEW_INSTANCES, FEW_CLUSTERS = 5, 30, 20


_FREE_AT_BEST = ("none", "hochberg", "hommel", "li", "bh")


def small_evidence_notes(job: Job, outcome: Outcome, test: str, adjust: str) -> tuple[Note, ...]:
    """Warn about fewer than 5 data sets, 30 instances or 20 clusters, and where no pair could ever be shown."""
    situation = job.situation
    if test in ("wilcoxon", "sign") or outcome.posthoc == "wilcoxon":
        hopeless = _hopeless(len(job.table()), len(job.pairs), 1 - job.level, adjust, job.alternative)
        if hopeless is not None and situation.n_datasets >= FEW_DATASETS:
            return (hopeless,)
    if situation.unit == DATASETS and situation.n_datasets < FEW_DATASETS:
        sides = 2 if job.alternative == "two-sided" else 1
        return (_few_datasets(situation.n_datasets, 1 - job.level, sides),)
    if situation.one_test_set and (situation.n_rows or 0) < FEW_INSTANCES:
        return (_few_instances(job),)
    known = any(note.code == "few-clusters" for finding in outcome.findings for note in finding.notes)
    if situation.one_test_set and 0 < situation.n_groups < FEW_CLUSTERS and not known:
        return (_few_clusters(situation.n_groups),)
    return ()


def _hopeless(n: int, comparisons: int, alpha: float, adjust: str, alternative: str) -> Note | None:
    """With n data sets the smallest two-sided p-value is 2/2ⁿ; adjusted for many pairs it may never reach the level.

    Step-up procedures leave equal p-values as they are (Benjamini–Yekutieli but for its constant), so with them the
    number of pairs costs nothing at best.
    """
    sides = 2 if alternative == "two-sided" else 1
    factor = 1.0 if adjust in _FREE_AT_BEST else float(comparisons)
    if adjust == "by":
        factor = sum(1 / i for i in range(1, comparisons + 1))
    least = factor * sides * 0.5**n
    if least <= alpha:
        return None
    needed = math.ceil(math.log2(sides * factor / alpha))
    message = said(
        "With {n} data sets the smallest p-value of a pair is {smallest:.3g}; allowing for {comparisons} comparisons "
        "it is {least:.3g}, so no pair can be shown to differ, whatever the scores. It takes {needed} data sets, "
        "fewer models, or one control (control=).",
        n=n,
        smallest=sides * 0.5**n,
        comparisons=comparisons,
        least=min(least, 1.0),
        needed=needed,
    )
    return warning_note("no-pair-can-be-shown", message)


def _few_datasets(n: int, alpha: float, sides: int) -> Note:
    least = sides * 0.5**n
    needed = math.ceil(math.log2(sides / alpha))
    message = said(
        "There are only {n} data sets. Even if one model wins on every one of them, the signed-rank test cannot give "
        "a p-value below {least:.3g}; it takes at least {needed} data sets to reach {alpha:.3g}, and more to see "
        "small differences (see bakeoff.plan).",
        n=n,
        least=least,
        needed=needed,
        alpha=alpha,
    )
    return warning_note("few-data-sets", message)


def _few_clusters(n: int) -> Note:
    message = said(
        "there are only {n} clusters: the spread between clusters is poorly known, and intervals are too narrow.", n=n
    )
    return warning_note("few-clusters", message)


def _few_instances(job: Job) -> Note:
    n = job.situation.n_rows or 0
    message = said(
        "There are only {n} instances: little but a very large difference can be shown.{job}", n=n, job=_needed(job)
    )
    return warning_note("few-instances", message)


def _needed(job: Job) -> str:
    """What `plan` would ask for, at a difference of 0.05 and correlated models."""
    from bakeoff.stats import discordant_rates, sample_size_delong, sample_size_mcnemar

    if job.situation.measure_kind == RIGHT_OR_WRONG:
        count = sample_size_mcnemar(*discordant_rates(0.90, 0.85, correlation=0.5))
        return f" To tell accuracies of 0.90 and 0.85 apart with 80 % power, bakeoff.plan asks for about {count}."
    if job.situation.measure_kind == AUC:
        count = sample_size_delong(0.90, 0.85, prevalence=0.5, correlation=0.5)
        return f" To tell AUCs of 0.90 and 0.85 apart with 80 % power, bakeoff.plan asks for about {count}."
    return " bakeoff.plan tells how many a difference of interest needs."
