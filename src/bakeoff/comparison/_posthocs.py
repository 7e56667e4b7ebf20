"""What follows a test of all models over data sets: pairs, or every model against a control; one entry each."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import Text
from bakeoff._core.result import Note
from bakeoff._core.validation import check_choice
from bakeoff.comparison._catalogue import catalogue
from bakeoff.comparison._entry import PairTable, PostHoc, Test, all_signs_alike
from bakeoff.comparison._jobs import DatasetJob, Finding, J, Outcome
from bakeoff.comparison._ranks import EFFECT, biserial, signed_rank_findings
from bakeoff.comparison.tests._t import EFFECT as COHEN_DZ
from bakeoff.comparison.tests._t import cohen_dz, student_finding, t_findings
from bakeoff.stats import (
    DunnettResult,
    PairsResult,
    TukeyResult,
    aligned_posthoc,
    bonferroni_dunn,
    conover,
    critical_difference,
    dunnett,
    friedman_control,
    friedman_pairs,
    nemenyi,
    paired_t,
    quade_posthoc,
    tukey,
    wilcoxon,
)
from bakeoff.stats.multiplicity import ControlResult
from bakeoff.stats.ranks import QUADE

# -- signed ranks -----------------------------------------------------------------------------------------------------


def _wilcoxon(job: DatasetJob) -> PairTable:
    return PairTable(findings=signed_rank_findings(job))


# -- mean ranks -------------------------------------------------------------------------------------------------------


def _simultaneous(
    plain: Callable[..., Any], family: Callable[..., Any], method: str, kind: str
) -> Callable[[DatasetJob], PairTable]:
    """Mean ranks held against one critical difference: of all pairs, or of every model against the control."""

    def run(job: DatasetJob) -> PairTable:
        against = (job.pairs[0].b,) if kind == "bonferroni-dunn" else ()
        better, (n, k) = job.measure.greater_is_better, job.scores.shape
        alone, both = (procedure(job.scores, *against, greater_is_better=better) for procedure in (plain, family))
        distance = critical_difference(k, n, confidence_level=job.level, kind=kind)
        return PairTable(findings=_rank_findings(job, alone, method, both), critical_difference=distance)

    return run


def _all_pairs(procedure: Callable[..., PairsResult], method: str) -> Callable[[DatasetJob], PairTable]:
    def run(job: DatasetJob) -> PairTable:
        result = procedure(job.scores, greater_is_better=job.measure.greater_is_better)
        return PairTable(findings=_rank_findings(job, result, method))

    return run


def _places(family: PairsResult | ControlResult) -> dict[tuple[int, int], tuple[int, int]]:
    """Pair → its line in a table of all pairs (i < j), or of models against a control, and 1, or −1 if it is turned."""
    pairs = family.pairs if isinstance(family, PairsResult) else [(other, family.control) for other in family.others]
    return {(b, a): (i, -1) for i, (a, b) in enumerate(pairs)} | {pair: (i, 1) for i, pair in enumerate(pairs)}


def _rank_findings(
    job: DatasetJob,
    result: PairsResult | ControlResult,
    method: str,
    simultaneous: PairsResult | ControlResult | None = None,
) -> tuple[Finding, ...]:
    """Pairs compared by ranks: the differences themselves are Hodges–Lehmann estimates, in the measure's units."""
    at, found = _places(result), []
    for pair in job.pairs:
        index, turn = at[pair]
        first, second = job.scores[:, pair.a], job.scores[:, pair.b]
        shift = wilcoxon(first, second)
        # A lower mean rank is better: turn it to the sign of a − b.
        direction = -job.sign * float(np.sign(turn * float(result.estimate[index])))
        found.append(
            Finding.of(
                shift, pair=pair, statistic=direction * abs(float(result.statistic[index])), notes=(),
                pvalue=float(result.pvalue[index]), effect_size=biserial(first, second), effect=EFFECT,
                method=f"{method}, Hodges–Lehmann interval", direction=direction,
                simultaneous=None if simultaneous is None else float(simultaneous.pvalue[index]),
                working=result if simultaneous is None else simultaneous,
            )
        )  # fmt: skip
    return tuple(found)


# -- means ------------------------------------------------------------------------------------------------------------


def _tukey(job: DatasetJob) -> PairTable:
    return _mean_findings(job, tukey(job.scores, confidence_level=job.level), "Tukey (blocked)")


def _dunnett(job: DatasetJob) -> PairTable:
    return _mean_findings(job, dunnett(job.scores, job.pairs[0].b, confidence_level=job.level), "Dunnett (blocked)")


def _bonferroni(job: DatasetJob) -> PairTable:
    """Paired t-tests, each with its own error: no sphericity is assumed."""
    m, found = len(job.pairs), t_findings(job, job.scores, paired_t, "paired t, Bonferroni")
    each = 1 - (1 - job.level) / m
    joint = (replace(f, simultaneous=min(1.0, m * f.pvalue), joint=f.limits(each)) for f in found)
    return PairTable(findings=tuple(joint))


def _mean_findings(job: DatasetJob, family: TukeyResult | DunnettResult, method: str) -> PairTable:
    """Means compared with the error of the two-way layout: what neither the data set nor the model explains."""
    values, at, found = job.scores, _places(family), []
    n, k = values.shape
    residual = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    df = (n - 1) * (k - 1)
    error = math.sqrt(2 * float((residual**2).sum()) / df / n)
    for pair in job.pairs:
        index, _ = at[pair]
        estimate = float(values[:, pair.a].mean() - values[:, pair.b].mean())
        made = student_finding(pair, estimate, error, df, n, alternative="two-sided", method=method)
        joint = float(family.low[index]), float(family.high[index])
        found.append(
            replace(
                made, limits=made.limits if error > 0 else _no_limits, effect_size=cohen_dz(pair, values),
                effect=COHEN_DZ, simultaneous=float(family.pvalue[index]), joint=joint, working=family,
            )
        )  # fmt: skip
    return PairTable(findings=tuple(found))


def _no_limits(level: float) -> tuple[float, float]:
    return math.nan, math.nan


# -- entries ----------------------------------------------------------------------------------------------------------

FRIEDMAN, ANOVA = ("friedman",), ("anova",)
RANKED = ("friedman", QUADE, "aligned-friedman")

_ENTRIES = (
    PostHoc(
        name="wilcoxon",
        label=Text("Wilcoxon's signed-rank test"),
        follows=RANKED,
        run=_wilcoxon,
        one_sided=True,
        least_pvalue=all_signs_alike,
    ),
    PostHoc(
        name="nemenyi",
        label=Text("Nemenyi's test"),
        follows=FRIEDMAN,
        run=_simultaneous(friedman_pairs, nemenyi, "Nemenyi (mean ranks)", "nemenyi"),
        compares="pairs",
        with_control="bonferroni-dunn",
        simultaneous=True,
    ),
    PostHoc(
        name="conover", label=Text("Conover's test"), run=_all_pairs(conover, "Conover (rank sums)"), follows=FRIEDMAN
    ),
    PostHoc(
        name="tukey",
        label=Text("Tukey's test"),
        follows=ANOVA,
        run=_tukey,
        compares="pairs",
        with_control="dunnett",
        simultaneous=True,
        joint_limits=Text("by Tukey's distribution"),
    ),
    PostHoc(
        name="dunnett",
        label=Text("Dunnett's test"),
        follows=ANOVA,
        run=_dunnett,
        compares="control",
        simultaneous=True,
        joint_limits=Text("by Dunnett's distribution"),
    ),
    PostHoc(
        name="bonferroni-dunn",
        label=Text("the Bonferroni–Dunn test"),
        follows=FRIEDMAN,
        run=_simultaneous(friedman_control, bonferroni_dunn, "Bonferroni–Dunn (mean ranks)", "bonferroni-dunn"),
        compares="control",
        simultaneous=True,
    ),
    PostHoc(
        name="bonferroni",
        label=Text("paired t-tests with Bonferroni's correction"),
        follows=ANOVA,
        run=_bonferroni,
        simultaneous=True,
        joint_limits=Text("by Bonferroni's inequality"),
    ),
    # To be adjusted: Demšar (2006) against a control, García and Herrera (2008) for all pairs.
    PostHoc(
        name="mean-ranks",
        label=Text("z-tests of mean ranks"),
        run=_all_pairs(friedman_pairs, "mean ranks (z)"),
        follows=FRIEDMAN,
    ),
    PostHoc(
        name=QUADE,
        label=Text("Quade's post hoc"),
        follows=(QUADE,),
        run=_all_pairs(quade_posthoc, "Quade post hoc (weighted ranks)"),
    ),
    PostHoc(
        name="aligned",
        label=Text("the aligned-rank post hoc"),
        follows=("aligned-friedman",),
        run=_all_pairs(aligned_posthoc, "aligned-rank post hoc"),
    ),
)

POSTHOCS: Mapping[str, PostHoc] = MappingProxyType({entry.name: entry for entry in _ENTRIES})
"""Every post hoc by name."""


# -- choosing and running ---------------------------------------------------------------------------------------------


def check_posthoc(posthoc: str, *, control: bool, alternative: str) -> None:
    """Refuse a post hoc that does not exist, or does not fit what was asked."""
    check_choice("posthoc", posthoc, ("auto", *POSTHOCS))
    if posthoc == "auto":
        return
    entry = POSTHOCS[posthoc]
    if entry.compares == "control" and not control:
        raise ParameterError(
            f"posthoc={posthoc!r} compares every model with a control, and none was named.", hint="give control="
        )
    if not entry.fits(control=control):
        raise ParameterError(
            f"posthoc={posthoc!r} compares all pairs, but a control was named.",
            hint=f"use posthoc={entry.with_control!r}",
        )
    if alternative != "two-sided" and not entry.one_sided:
        other = next(name for name, entry in POSTHOCS.items() if entry.one_sided)
        raise ParameterError(
            f"posthoc={posthoc!r} is two-sided. Got alternative={alternative!r}.", hint=f"use posthoc={other!r}"
        )


def posthoc_for(test: Test[J], asked: str, *, control: bool, alternative: str) -> PostHoc | None:
    """Return what follows the test: as asked, else the first of its own that fits; None where nothing does."""
    check_posthoc(asked, control=control, alternative=alternative)
    if asked != "auto" and not test.after:
        names = ", ".join(repr(name) for name, entry in catalogue().items() if entry.after)
        raise ParameterError(
            f"posthoc={asked!r} follows a test of all models over data sets, but the test here is {test.name!r}.",
            hint=f"leave posthoc= out, or ask for one of {names} with test=",
        )
    if not test.after:
        return None
    name = asked
    if asked == "auto":
        name = next(name for name in test.after if POSTHOCS[name].fits(control=control))
    check_posthoc(name, control=control, alternative=alternative)
    return POSTHOCS[name]


def run_posthoc(posthoc: PostHoc, test: Test[J], job: DatasetJob, outcome: Outcome) -> Outcome:
    """Add the pairs to the outcome of a test of all models."""
    table = posthoc.run(job)
    return replace(
        outcome,
        findings=table.findings,
        critical_difference=table.critical_difference,
        notes=(*outcome.notes, *_family_note(posthoc, test), *_gate_note(outcome, job.level)),
    )


def _family_note(posthoc: PostHoc, test: Test[J]) -> tuple[Note, ...]:
    """Caution where the pairs are compared by something else than the test of all models compared."""
    if not posthoc.follows or test.name in posthoc.follows or posthoc.name in test.after:
        return ()
    text = Text(
        "Here {posthoc} comes after {test}, but it was made to follow {proper}: the test of all models and the one of "
        "the pairs ask about different things (means, ranks), and one may find what the other does not.",
        posthoc=posthoc.label,
        test=test.label,
        proper=catalogue()[posthoc.follows[0]].label,
    )
    return (Note("posthoc-of-another-test", text, "warning"),)


def _gate_note(outcome: Outcome, level: float) -> tuple[Note, ...]:
    if outcome.omnibus is None or not outcome.omnibus.pvalue > 1 - level:
        return ()
    text = Text(
        "The test of all models together shows no difference. The pairs are listed all the same: their adjusted "
        "p-values guard against false finds on their own."
    )
    return (Note("omnibus-not-significant", text),)
