"""A margin over data sets: on the mean difference unless the median is asked for, and what each of them shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bakeoff._core.validation import FloatArray
from bakeoff.comparison._closeness import Close, close_pairs
from bakeoff.comparison._jobs import DatasetJob, Finding, Limits, limits_of
from bakeoff.stats import paired_t, wilcoxon

Over = Literal["mean", "median"]
OVER: tuple[Over, ...] = ("mean", "median")
_MOST_PAIRS = 30  # both are computed up to here; the verdict names them for few pairs only


@dataclass(frozen=True, kw_only=True)
class OverDatasets:
    """What else is to be told of a pair held against a margin over data sets.

    Attributes
    ----------
    over
        What must hold: the ``"mean"`` or the ``"median"`` difference.
    n, lost
        Data sets, and those on which a is worse than b by more than the margin.
    other
        What the other of the two shows, where that is something else.
    """

    over: Over
    n: int
    lost: int
    other: Close | None = None


def close_over_datasets(
    job: DatasetJob, findings: Sequence[Finding], margin: float, *, alpha: float, adjusted: bool
) -> list[tuple[Close, OverDatasets]]:
    """Hold every pair against the margin by mean or median, and see whether the other agrees."""
    over = job.question.over
    close = {
        which: close_pairs(_about(job, findings, which), margin, job.sign, alpha=alpha, adjusted=adjusted)
        for which in OVER
        if which == over or len(findings) <= _MOST_PAIRS
    }
    others = close.get("median" if over == "mean" else "mean", close[over])
    found = []
    for finding, near, other in zip(findings, close[over], others, strict=True):
        a, b = finding.pair
        lost = int((job.sign * (job.scores[:, a] - job.scores[:, b]) < -margin).sum())
        differs = other if other.shown != near.shown else None
        found.append((near, OverDatasets(over=over, n=len(job.scores), lost=lost, other=differs)))
    return found


def _about(job: DatasetJob, findings: Sequence[Finding], over: Over) -> list[Finding]:
    """The findings with limits of the mean difference (t), or of its pseudo-median (signed ranks)."""
    limits = {"mean": _mean_limits, "median": _median_limits}[over]
    return [
        replace(f, limits=limits(job.scores[:, f.pair.a], job.scores[:, f.pair.b]), smallest_pvalue=0.0)
        for f in findings
    ]


def _mean_limits(first: FloatArray, second: FloatArray) -> Limits:
    return limits_of(paired_t(first, second).confidence_interval)


def _median_limits(first: FloatArray, second: FloatArray) -> Limits:
    return limits_of(wilcoxon(first, second).confidence_interval)
