"""Little evidence: the answer stands, with a warning on what it can show and what `plan` would ask for."""

from __future__ import annotations

import math

from bakeoff._core.notes import Note, warning_note
from bakeoff.comparison._finding import Job, Outcome
from bakeoff.comparison._situation import AUC, DATASETS, RIGHT_OR_WRONG

FEW_DATASETS, FEW_INSTANCES = 5, 30


def small_evidence_notes(job: Job, outcome: Outcome) -> tuple[Note, ...]:
    """Warn about fewer than 5 data sets or fewer than 30 instances."""
    situation = job.situation
    if situation.unit == DATASETS and situation.n_datasets < FEW_DATASETS:
        return (_few_datasets(situation.n_datasets, 1 - job.level),)
    if situation.one_test_set and (situation.n_rows or 0) < FEW_INSTANCES:
        return (_few_instances(job),)
    return ()


def _few_datasets(n: int, alpha: float) -> Note:
    least = 2 * 0.5**n
    needed = math.ceil(1 - math.log2(alpha))
    message = (
        f"There are only {n} data sets. Even if one model wins on every one of them, the signed-rank test cannot "
        f"give a p-value below {least:.3g}; it takes at least {needed} data sets to reach {alpha:.3g}, and more to "
        "see small differences (see bakeoff.plan)."
    )
    return warning_note("few-data-sets", message)


def _few_instances(job: Job) -> Note:
    n = job.situation.n_rows or 0
    message = f"There are only {n} instances: little but a very large difference can be shown.{_needed(job)}"
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
