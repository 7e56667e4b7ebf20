"""From findings to the pair table: adjustment, margin, conclusions, groups and letters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import said
from bakeoff._core.notes import Note
from bakeoff._core.validation import FloatArray, check_choice
from bakeoff.comparison._catalogue import SIMULTANEOUS
from bakeoff.comparison._closeness import adjust_margin_pvalues, closeness, margin_pvalues
from bakeoff.comparison._comparison import PairComparison
from bakeoff.comparison._finding import Finding, Job
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


def check_adjust(adjust: str, *, control: bool, posthoc: str) -> str:
    """Return the adjustment to use: Holm unless asked otherwise, none where the post hoc is simultaneous."""
    check_choice("adjust", adjust, ("auto", *ADJUSTMENTS))
    if adjust in _ALL_PAIRS_ONLY and control:
        raise ParameterError(
            f"adjust={adjust!r} uses the logic of all pairs, but the models are compared with a control only.",
            hint="use adjust='holm', 'hochberg' or 'hommel'",
        )
    if posthoc in SIMULTANEOUS:
        if adjust != "auto":
            raise ParameterError(
                f"posthoc={posthoc!r} allows for the number of comparisons by construction; adjust={adjust!r} would do "
                "it twice.",
                hint="leave adjust= out, or choose posthoc='wilcoxon' or 'conover'",
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


def pair_table(
    job: Job, findings: Sequence[Finding], values: FloatArray, method: str, margin: float | None
) -> tuple[PairComparison, ...]:
    """Build the rows of the comparison."""
    adjusted = adjusted_pvalues(findings, method, len(job.models))
    close = _closeness(job, findings, margin, method)
    return tuple(
        _row(job, finding, float(p), values, margin, None if close is None else close[i])
        for i, (finding, p) in enumerate(zip(findings, adjusted, strict=True))
    )


Close = tuple[tuple[str, float], tuple[str, float], float, tuple[float, float]]
"""What is shown of a and its p-value, the same of b, p-value of equivalence, and the 1 − 2α interval."""


def _closeness(job: Job, findings: Sequence[Finding], margin: float | None, method: str) -> list[Close] | None:
    if margin is None:
        return None
    alpha = 1 - job.level
    raw = margin_pvalues(findings, margin, job.sign)
    adjusted = raw if method == "none" else adjust_margin_pvalues(raw)
    m = 1 if method == "none" else len(findings)
    found: list[Close] = []
    for finding, p, q in zip(findings, adjusted, raw, strict=True):
        sides = (closeness(p, q, m, alpha), closeness(p[::-1], q[::-1], m, alpha))
        equivalent = float(p.max()) if not np.isnan(p).any() else float("nan")
        limits = finding.limits(1 - 2 * alpha)
        found.append(((sides[0], float(p[0])), (sides[1], float(p[1])), equivalent, limits))
    return found


def _row(
    job: Job, finding: Finding, adjusted: float, values: FloatArray, margin: float | None, close: Close | None
) -> PairComparison:
    low, high = finding.limits(job.level)
    together = simultaneous_limits(job, finding, (low, high))
    better, conclusion = _conclusion(job, finding, adjusted)
    nan = float("nan")
    (shown, p_shown), other, p_equivalent, reach = close or (("", nan), ("", nan), nan, (nan, nan))
    return PairComparison(
        job.models[finding.a], job.models[finding.b], job.measure.name, finding.estimate, low, high,
        finding.statistic, finding.pvalue, adjusted, finding.effect_size, finding.effect, finding.method,
        value_a=float(values[finding.a]), value_b=float(values[finding.b]), better=better, conclusion=conclusion,
        margin=margin, closeness=shown, pvalue_not_inferior=p_shown, pvalue_equivalent=p_equivalent,
        margin_low=reach[0], margin_high=reach[1], simultaneous_low=together[0], simultaneous_high=together[1],
        alternative=job.alternative, confidence_level=job.level,
        notes=finding.notes, _signed=finding.signed, _other_side=other,
    )  # fmt: skip


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
    a, b = job.models[finding.a], job.models[finding.b]
    if finding.posterior is not None:
        if finding.posterior.p_a_better >= job.level:
            return a, "a is better"
        return (b, "b is better") if finding.posterior.p_b_better >= job.level else ("", "no difference shown")
    if np.isnan(adjusted):
        return "", "undefined"
    direction = np.sign(finding.estimate) if finding.direction is None else finding.direction
    if adjusted > 1 - job.level or direction == 0:
        return "", "no difference shown"
    return (a, "a is better") if direction * job.sign > 0 else (b, "b is better")


# -- groups -----------------------------------------------------------------------------------------------------------


def groups_of(
    job: Job, pairs: Sequence[PairComparison], order: Sequence[str]
) -> tuple[tuple[tuple[str, ...], ...], dict[str, str], tuple[Note, ...]]:
    """Groups of models not told apart, best first, and their letters; `order` is best first."""
    if job.control is not None:
        control = job.models[job.control]
        alike = [m for m in order if m == control or not _pair_with(pairs, m).shown]
        return (tuple(alike),), {}, ()
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
    return named, dict(zip(ranked, marks, strict=True)), notes


def _pair_with(pairs: Sequence[PairComparison], model: str) -> PairComparison:
    return next(p for p in pairs if p.model_a == model)


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
    said(
        "With more than {MOST_FOR_CLIQUES} models the groups are runs of neighbours in the ranking, not all maximal "
        "groups.",
        MOST_FOR_CLIQUES=_MOST_FOR_CLIQUES,
    ),
)
