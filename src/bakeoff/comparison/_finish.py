"""From findings to the pair table: adjustment, margin, conclusions, groups and letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import Text
from bakeoff._core.notes import Note
from bakeoff._core.validation import FloatArray, check_choice
from bakeoff.comparison._closeness import Close, close_pairs
from bakeoff.comparison._comparison import PairComparison
from bakeoff.comparison._entry import PostHoc
from bakeoff.comparison._jobs import DatasetJob, Job
from bakeoff.comparison._margin_datasets import OverDatasets, close_over_datasets
from bakeoff.comparison._outcome import Finding
from bakeoff.comparison._posthocs import POSTHOCS
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


def _row(job: Job, finding: Finding, adjusted: float, values: FloatArray, close: Close) -> PairComparison:
    a, b = finding.pair
    low, high = finding.limits(job.level)
    simultaneous = simultaneous_limits(job, finding, (low, high))
    better, conclusion = _conclusion(job, finding, adjusted)
    return PairComparison(
        model_a=job.models[a],
        model_b=job.models[b],
        measure=job.measure.name,
        estimate=finding.estimate,
        low=low,
        high=high,
        statistic=finding.statistic,
        pvalue=finding.pvalue,
        pvalue_adjusted=adjusted,
        effect_size=finding.effect_size,
        effect=finding.effect,
        method=finding.method,
        value_a=float(values[a]),
        value_b=float(values[b]),
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
        notes=finding.notes,
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
        shown = {p.model_a for p in pairs if p.shown}
        return Groups((tuple(m for m in order if m not in shown),), {})
    if len(order) == 2:
        best, other = order
        if pairs[0].shown:
            return Groups(((best,), (other,)), {best: "a", other: "b"})
        return Groups(((best, other),), {best: "a", other: "a"})
    told_apart = {frozenset((p.model_a, p.model_b)) for p in pairs if p.shown}
    ranked = list(order)
    notes: tuple[Note, ...] = ()
    if len(ranked) > _MOST_FOR_CLIQUES:
        found, notes = _runs(ranked, told_apart), (_RUNS_NOTE,)
    else:
        pvalues = [
            0.0 if frozenset((ranked[i], ranked[j])) in told_apart else 1.0
            for i in range(len(ranked))
            for j in range(i + 1, len(ranked))
        ]
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
