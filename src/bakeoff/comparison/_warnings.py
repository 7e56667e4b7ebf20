"""Few data: the answer stands, with a warning on what it can show and what `plan` would ask for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.language import Text, joined
from bakeoff._core.notes import Note, warning_note
from bakeoff._core.validation import FloatArray
from bakeoff.comparison._choose import planned_test
from bakeoff.comparison._entry import LeastPvalue, PostHoc, Test
from bakeoff.comparison._facts import DATASETS
from bakeoff.comparison._jobs import InstanceJob, Job
from bakeoff.comparison._outcome import Outcome
from bakeoff.comparison._planners import Planning
from bakeoff.counts import Sums, SumsKind

FEW_DATASETS, FEW_INSTANCES = 5, 30

_FREE_AT_BEST = ("none", "hochberg", "hommel", "li", "bh")


def tail_warnings(job: InstanceJob) -> tuple[Note, ...]:
    """Where a few rows make the difference of two means, and what a measure says about its own value."""
    cautions = [job.measure.caution(job.rows, m) for m in job.models] if job.measure.caution is not None else []
    found = [note for note in cautions if note is not None]
    counted = job.measure.form if isinstance(job.measure.form, SumsKind) else None
    form = None if counted is None else counted.of(job.rows, job.models, job.measure.needs)
    if isinstance(form, Sums):
        for a, b in job.pairs[:MOST_PAIRS]:
            moved = form.terms[:, a, 0] - form.terms[:, b, 0]
            note = _carried(moved, job.models[a], job.models[b])
            found += [] if note is None else [note]
    return tuple(found)


MOST_PAIRS = 20


def _carried(moved: FloatArray, a: str, b: str) -> Note | None:
    few = max(1, moved.size // 100)
    order = np.argsort(-np.abs(moved), kind="stable")
    total, size = float(moved.sum()), float(np.abs(moved).sum())
    top = moved[order[:few]]
    if total == 0 or top.sum() / total < 0.8 or np.abs(top).sum() < 0.25 * size:
        return None
    text = Text(
        "{k} of {n} rows carry nearly all of the difference between {a!r} and {b!r} (row {row} most): look at them.",
        k=few,
        n=moved.size,
        a=a,
        b=b,
        row=int(order[0]),
    )
    return warning_note("few-rows-carry", text)


def few_data_warnings(
    job: Job, outcome: Outcome, test: Test[Any], posthoc: PostHoc | None, adjust: str
) -> tuple[Note, ...]:
    """Warn about fewer than 5 data sets or 30 instances, and where no pair could ever be shown."""
    facts = job.facts
    if facts.unit == DATASETS and facts.n_datasets < FEW_DATASETS:
        return (_few_datasets(facts.n_datasets, 1 - job.level, _sides(job)),)
    if facts.unit == DATASETS:
        return _no_pair_can_be_shown(job, (posthoc or test).least_pvalue, adjust)
    if facts.one_test_set and (facts.n_rows or 0) < FEW_INSTANCES:
        return (_few_instances(job),)
    return ()


def _sides(job: Job) -> int:
    return 2 if job.alternative == "two-sided" else 1


def _no_pair_can_be_shown(job: Job, least_pvalue: LeastPvalue, adjust: str) -> tuple[Note, ...]:
    """The smallest p-value of a pair, adjusted for many pairs, may never reach the level.

    Step-up procedures leave equal p-values as they are (Benjamini–Yekutieli but for its constant), so with them the
    number of pairs costs nothing at best.
    """
    n, comparisons, sides, alpha = job.facts.n_datasets, len(job.pairs), _sides(job), 1 - job.level
    factor = 1.0 if adjust in _FREE_AT_BEST else float(comparisons)
    if adjust == "by":
        factor = sum(1 / i for i in range(1, comparisons + 1))
    return tuple(hopeless_pairs(n, least_pvalue, comparisons=comparisons, factor=factor, sides=sides, alpha=alpha))


def hopeless_pairs(
    n: int, least_pvalue: LeastPvalue, *, comparisons: int, factor: float, sides: int = 2, alpha: float = 0.05
) -> list[Note]:
    """A warning where the smallest p-value of a pair, times `factor` for the number of pairs, is above the level."""
    smallest = least_pvalue(n, sides)
    if factor * smallest <= alpha:
        return []
    needed = n
    while factor * least_pvalue(needed, sides) > alpha:
        needed += 1
    text = Text(
        "With {n} data sets the smallest p-value of a pair is {smallest:.3g}; allowing for {comparisons} comparisons "
        "it is {least:.3g}, so no pair can be shown to differ, whatever the scores. It takes {needed} data sets, "
        "fewer models, or one control (control=).",
        n=n,
        smallest=smallest,
        comparisons=comparisons,
        least=min(factor * smallest, 1.0),
        needed=needed,
    )
    return [warning_note("no-pair-can-be-shown", text)]


def _few_datasets(n: int, alpha: float, sides: int) -> Note:
    least = sides * 0.5**n
    needed = math.ceil(math.log2(sides / alpha))
    message = Text(
        "There are only {n} data sets. Even if one model wins on every one of them, the signed-rank test cannot give "
        "a p-value below {least:.3g}; it takes at least {needed} data sets to reach {alpha:.3g}, and more to see "
        "small differences (see bakeoff.plan).",
        n=n,
        least=least,
        needed=needed,
        alpha=alpha,
    )
    return warning_note("few-data-sets", message)


def _few_instances(job: Job) -> Note:
    text = Text(
        "There are only {n} instances: little but a very large difference can be shown.", n=job.facts.n_rows or 0
    )
    return warning_note("few-instances", joined([text, _needed(job)]))


def _needed(job: Job) -> Text:
    """What `plan` would ask for, at a difference of 0.05 and correlated models."""
    try:
        plan = planned_test(job.facts).plan
    except EvidenceError:  # no test of this design can be planned for without a pilot
        plan = None
    if isinstance(plan, Planning) and plan.example is not None:
        return plan.example()
    return Text("bakeoff.plan tells how many a difference of interest needs.")
