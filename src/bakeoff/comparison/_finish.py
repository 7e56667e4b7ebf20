"""From findings to the pair table: adjustment, margin, conclusions, groups and letters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text, joined
from bakeoff._core.result import Note, warning_note
from bakeoff._core.validation import FloatArray, check_choice
from bakeoff.comparison._catalogue import planned_test
from bakeoff.comparison._closeness import Close, close_pairs
from bakeoff.comparison._comparison import Comparison, PairComparison
from bakeoff.comparison._conditions import DATASETS
from bakeoff.comparison._entry import LeastPvalue, PostHoc, Test
from bakeoff.comparison._jobs import DatasetJob, Finding, InstanceJob, Job, RowsOverFoldsJob
from bakeoff.comparison._margin_datasets import OverDatasets, close_over_datasets
from bakeoff.comparison._planners import Planning
from bakeoff.comparison._posthocs import POSTHOCS
from bakeoff.measures import Trait, as_loss, losses_of
from bakeoff.stats import adjust as adjust_pvalues
from bakeoff.stats import adjust_pairs, indistinguishable_groups, letter_display

ADJUSTMENTS = (
    "holm", "hochberg", "hommel", "bonferroni", "finner", "holland", "rom", "li", "bh", "by", "shaffer", "bergmann",
    "none",
)  # fmt: skip
_ALL_PAIRS_ONLY = ("shaffer", "bergmann")
MOST_SIMULTANEOUS = 500
"""With more pairs no simultaneous limits are computed: at such levels few intervals would be finite or steady."""
_MOST_FOR_CLIQUES = 40
"""With more models the groups are runs of neighbours in the ranking: all maximal cliques could be too many to list."""


def check_adjust(adjust: str, *, control: bool, posthoc: PostHoc | None) -> str:
    """Return the adjustment to use: Holm unless asked otherwise, none where the post hoc is simultaneous."""
    check_choice("adjust", adjust, ("auto", *ADJUSTMENTS))
    if adjust in _ALL_PAIRS_ONLY and control:
        raise ParameterError(
            f"adjust={adjust!r} uses the logic of all pairs, but the models are compared with a control only.",
            hint="use adjust='holm', 'hochberg' or 'hommel'",
        )
    if posthoc is not None and posthoc.simultaneous:
        if adjust != "auto":
            others = [repr(name) for name, entry in POSTHOCS.items() if not entry.simultaneous][:2]
            raise ParameterError(
                f"posthoc={posthoc.name!r} allows for the number of comparisons by construction; adjust={adjust!r} "
                "would do it twice.",
                hint=f"leave adjust= out, or choose posthoc={' or '.join(others)}",
            )
        return "single-step"
    return "holm" if adjust == "auto" else adjust


def adjusted_pvalues(findings: Sequence[Finding], method: str, n_models: int) -> FloatArray:
    """Adjust the p-values; an undefined one stays undefined, and counts as one more question asked."""
    raw = np.array([f.pvalue for f in findings])
    if method == "single-step":
        return np.array([f.pvalue if f.simultaneous is None else f.simultaneous for f in findings])
    if method == "none" or len(findings) < 2:
        return raw
    counted = np.where(np.isnan(raw), 1.0, raw)
    if method in _ALL_PAIRS_ONLY:
        adjusted = np.asarray(adjust_pairs(counted, n_models, method))
    else:
        adjusted = np.asarray(adjust_pvalues(counted, method))
    return np.where(np.isnan(raw), np.nan, adjusted)


def pair_table(job: Job, findings: Sequence[Finding], values: FloatArray, method: str) -> tuple[PairComparison, ...]:
    """Build the rows of the comparison."""
    adjusted = adjusted_pvalues(findings, method, len(job.models))
    margin = job.question.margin
    close: list[tuple[Close, OverDatasets | None]] = [(Close(), None)] * len(findings)
    if margin is not None:
        close = _against_margin(job, findings, margin, adjusted=method != "none")
    return tuple(
        replace(_row(job, finding, float(p), values, near), _over=over)
        for finding, p, (near, over) in zip(findings, adjusted, close, strict=True)
    )


def _against_margin(
    job: Job, findings: Sequence[Finding], margin: float, *, adjusted: bool
) -> list[tuple[Close, OverDatasets | None]]:
    alpha = 1 - job.level
    if isinstance(job, DatasetJob) and job.facts.several_datasets:
        return [*close_over_datasets(job, findings, margin, alpha=alpha, adjusted=adjusted)]
    close = close_pairs(findings, margin, job.sign, alpha=alpha, adjusted=adjusted)
    if job.facts.few_groups:
        close = [replace(c, shown="inconclusive", other_shown="inconclusive") for c in close]
    return [(c, None) for c in close]


_TAKEN_OVER = ("estimate", "statistic", "pvalue", "effect_size", "effect", "method", "notes")  # of a finding


def _row(job: Job, finding: Finding, adjusted: float, values: FloatArray, close: Close) -> PairComparison:
    a, b = finding.pair
    low, high = finding.limits(job.level)
    simultaneous = simultaneous_limits(job, finding, (low, high))
    better, conclusion = _conclusion(job, finding, adjusted)
    return PairComparison(
        model_a=job.models[a],
        model_b=job.models[b],
        measure=job.measure.name,
        **{name: getattr(finding, name) for name in _TAKEN_OVER},
        low=low,
        high=high,
        pvalue_adjusted=adjusted,
        value_a=float(values[a] if finding.values is None else finding.values[0]),
        value_b=float(values[b] if finding.values is None else finding.values[1]),
        _quotient=finding.quotient,
        better=better,
        conclusion=conclusion,
        margin=job.question.margin,
        closeness=close.shown,
        pvalue_not_inferior=close.pvalue,
        pvalue_equivalent=close.pvalue_equivalent,
        margin_low=close.low,
        margin_high=close.high,
        simultaneous_low=simultaneous[0],
        simultaneous_high=simultaneous[1],
        alternative=job.alternative,
        confidence_level=job.level,
        _working=finding.working,
        _signed=finding.signed,
        _other_side=(close.other_shown, close.other_pvalue),
    )


def simultaneous_limits(job: Job, finding: Finding, alone: tuple[float, float]) -> tuple[float, float]:
    """Limits that hold for all pairs at once: the procedure's own, else Bonferroni's, each at level 1 − α/m."""
    m = len(job.pairs)
    if m < 2 or finding.joint is not None:
        return finding.joint or alone
    if m > MOST_SIMULTANEOUS:
        return float("nan"), float("nan")
    low, high = finding.limits(1 - (1 - job.level) / m)
    return min(low, alone[0]), max(high, alone[1])


def _conclusion(job: Job, finding: Finding, adjusted: float) -> tuple[str, str]:
    """Name the better model, if one was shown to be: by the adjusted p-value, or by the posterior."""
    a, b = (job.models[i] for i in finding.pair)
    if finding.posterior is not None:
        if finding.posterior.p_a_better >= job.level:
            return a, "a is better"
        return (b, "b is better") if finding.posterior.p_b_better >= job.level else ("", "no difference shown")
    if np.isnan(adjusted):
        return "", "undefined"
    if job.facts.few_groups:  # the interval stands, a conclusion from so few does not
        return "", "no difference shown"
    direction = np.sign(finding.estimate) if finding.direction is None else finding.direction
    if adjusted > 1 - job.level or direction == 0:
        return "", "no difference shown"
    return (a, "a is better") if direction * job.sign > 0 else (b, "b is better")


# -- groups -----------------------------------------------------------------------------------------------------------


Group = tuple[str, ...]


@dataclass(frozen=True)
class Groups:
    """Groups of models not told apart, best first, and the letters of each model."""

    groups: tuple[Group, ...]
    letters: dict[str, str]
    notes: tuple[Note, ...] = ()


def groups_of(job: Job, pairs: Sequence[PairComparison], order: Sequence[str]) -> Groups:
    """Find the models not told apart; `order` is best first."""
    control = job.question.control
    if control is not None:
        shown = {p.model_a for p in pairs if p.better}
        return Groups((tuple(m for m in order if m not in shown),), {})
    if len(order) == 2:
        best, other = order
        if pairs[0].better:
            return Groups(((best,), (other,)), {best: "a", other: "b"})
        return Groups(((best, other),), {best: "a", other: "a"})
    told_apart = {frozenset((p.model_a, p.model_b)) for p in pairs if p.better}
    ranked = list(order)
    notes: tuple[Note, ...] = ()
    if len(ranked) > _MOST_FOR_CLIQUES:
        found, notes = _runs(ranked, told_apart), (_RUNS_NOTE,)
    else:
        pvalues = [0.0 if frozenset(pair) in told_apart else 1.0 for pair in combinations(ranked, 2)]
        found = indistinguishable_groups(pvalues, len(ranked), confidence_level=job.level)
    marks = letter_display(found, len(ranked))
    named = tuple(tuple(ranked[i] for i in group) for group in found)
    return Groups(named, dict(zip(ranked, marks, strict=True)), notes)


def _runs(ranked: list[str], told_apart: set[frozenset[str]]) -> list[tuple[int, ...]]:
    """Longest runs of neighbours in the ranking no two of which were told apart."""
    found: list[tuple[int, ...]] = []
    stop = 0
    for start in range(len(ranked)):
        stop = max(stop, start + 1)  # what follows the first of a run is a run too
        while stop < len(ranked) and all(
            frozenset((ranked[i], ranked[stop])) not in told_apart for i in range(start, stop)
        ):
            stop += 1
        if not found or stop > found[-1][-1] + 1:
            found.append(tuple(range(start, stop)))
    return found


_RUNS_NOTE = Note(
    "groups-are-runs",
    Text(
        "With more than {MOST_FOR_CLIQUES} models the groups are runs of neighbours in the ranking, not all maximal "
        "groups.",
        MOST_FOR_CLIQUES=_MOST_FOR_CLIQUES,
    ),
)

FEW_DATASETS, FEW_INSTANCES = 5, 30

_FREE_AT_BEST = ("none", "hochberg", "hommel", "li", "bh")


def row_warnings(job: InstanceJob | RowsOverFoldsJob) -> tuple[Note, ...]:
    """Pooled scores, a few rows that make the difference of two means, what a measure says about its own value."""
    cautions = [job.measure.caution(job.rows, m) for m in job.models]
    found = _pooled(job) + [note for note in cautions if note is not None]
    loss = as_loss(job.measure)
    if loss is not None and loss.has(Trait.MEAN) and job.rows.units.answers == 1 and job.facts.n_repeats < 2:
        losses = losses_of(loss, job.rows, job.models)
        for a, b in job.pairs[:MOST_PAIRS]:
            note = _carried(losses[:, a] - losses[:, b], job.models[a], job.models[b])
            found += [] if note is None else [note]
    return tuple(found)


MOST_PAIRS = 20


def _pooled(job: InstanceJob | RowsOverFoldsJob) -> list[Note]:
    """Scores of leave-one-out models are pooled, which a ranking measure may not forgive."""
    if job.facts.kind != "leave-one-out" or not job.measure.is_area:
        return []
    text = Text(
        "AUC was computed over the pooled scores of leave-one-out models, whose scores need not be comparable: a "
        "model that learns only the class frequencies gets AUC 0 this way."
    )
    return [warning_note("pooled-leave-one-out", text)]


def _carried(moved: FloatArray, a: str, b: str) -> Note | None:
    """Fewest rows that make 80 % of a difference: one in a hundred, or up to three where one in thirty is as many."""
    n, total, size = moved.size, float(moved.sum()), float(np.abs(moved).sum())
    if total == 0:
        return None
    order = np.argsort(-np.abs(moved), kind="stable")
    top = moved[order[: max(1, min(3, n // 30), n // 100)]]
    enough = (np.cumsum(top) / total >= 0.8) & (np.cumsum(np.abs(top)) >= 0.25 * size)
    if not enough.any():
        return None
    few = int(np.argmax(enough)) + 1
    text = Text(
        "{k} of {n} rows carry {share:.0f} % of the difference between {a!r} and {b!r} (row {row} most): look at them.",
        k=few, n=n, share=100 * float(top[:few].sum()) / total, a=a, b=b, row=int(order[0]),
    )  # fmt: skip
    return warning_note("few-rows-carry", text)


def few_data_warnings(job: Job, test: Test[Any], posthoc: PostHoc | None, adjust: str) -> tuple[Note, ...]:
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
    values: dict[str, Any] = {"n": n, "smallest": smallest, "needed": needed}
    text = Text(
        "With {n} data sets the smallest p-value of a pair is {smallest:.3g}; allowing for {comparisons} comparisons "
        "it is {least:.3g}, so no pair can be shown to differ, whatever the scores. It takes {needed} data sets, fewer "
        "models, or one control (control=).",
        comparisons=comparisons, least=min(factor * smallest, 1.0), **values,
    )  # fmt: skip
    if comparisons == 1:
        text = Text(
            "With {n} data sets the smallest p-value of a pair is {smallest:.3g}, so it cannot be shown to differ, "
            "whatever the scores. It takes {needed} data sets.",
            **values,
        )
    return [warning_note("no-pair-can-be-shown", text)]


def _few_datasets(n: int, alpha: float, sides: int) -> Note:
    message = Text(
        "There are only {n} data sets. Even if one model wins on every one of them, the signed-rank test cannot give "
        "a p-value below {least:.3g}; it takes at least {needed} data sets to reach {alpha:.3g}, and more to see "
        "small differences (see bakeoff.plan).",
        n=n, least=sides * 0.5**n, needed=math.ceil(math.log2(sides / alpha)), alpha=alpha,
    )  # fmt: skip
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


def add_pairs(comparison: Comparison, others: Sequence[Comparison], models: Sequence[str]) -> Comparison:
    """Add pairs with models that were compared apart, on less evidence: a second family, adjusted among themselves.

    What was found about the first models stays as it is. Each of `others` compares two models.
    """
    added = [pair for other in others for pair in other.pairs]
    raw = [1.0 if math.isnan(p.pvalue) else p.pvalue for p in added]
    adjusted: Sequence[float] = list(adjust_pvalues(raw, "holm")) if raw else []
    more = [_readjusted(pair, float(p)) for pair, p in zip(added, adjusted, strict=True)]
    values = {m: v for other in others for m, v in other.values.items() if m not in comparison.models}
    notes = comparison.notes
    if more:
        text = Text("{n} pairs with models that lack splits are adjusted among themselves, by Holm.", n=len(more))
        notes = (*notes, Note("second-family", text))
    return replace(
        comparison,
        models=tuple(m for m in models if m in comparison.models or m in values),
        pairs=(*comparison.pairs, *more),
        letters={**dict.fromkeys(values, ""), **comparison.letters},
        values={**comparison.values, **values},
        notes=notes,
    )


def _readjusted(pair: PairComparison, adjusted: float) -> PairComparison:
    """The pair with a p-value adjusted for more questions: what is no longer shown is not concluded."""
    if math.isnan(pair.pvalue):
        return pair
    if pair.better and adjusted >= 1 - pair.confidence_level:
        return replace(pair, pvalue_adjusted=adjusted, better="", conclusion="no difference shown")
    return replace(pair, pvalue_adjusted=adjusted)


def best_first(models: Sequence[str], values: Sequence[float], greater_is_better: bool) -> dict[str, float]:
    """Order models by value, best first; an undefined value comes last."""
    key = np.asarray(values, dtype=np.float64) * (-1 if greater_is_better else 1)
    order = np.argsort(np.where(np.isnan(key), np.inf, key), kind="stable")
    return {models[i]: float(values[i]) for i in order}
