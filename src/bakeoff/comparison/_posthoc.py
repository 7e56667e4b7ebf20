"""What follows a test of all models together: pairs, or every model against a control."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import FloatArray, check_choice
from bakeoff.comparison._catalogue import AGAINST_CONTROL, POSTHOCS
from bakeoff.comparison._finding import Finding, Job, Limits, limits_of
from bakeoff.comparison._signed_ranks import signed_rank_findings
from bakeoff.stats import (
    DunnettResult,
    PairsResult,
    TukeyResult,
    aligned_posthoc,
    bonferroni_dunn,
    cohen_d,
    conover,
    critical_difference,
    dunnett,
    friedman_control,
    friedman_pairs,
    nemenyi,
    quade_posthoc,
    rank_biserial,
    tukey,
    wilcoxon,
)

Found = tuple[tuple[Finding, ...], float | None]


def check_posthoc(posthoc: str, *, control: bool, alternative: str) -> None:
    """Refuse a post hoc that does not exist, or does not fit what was asked."""
    check_choice("posthoc", posthoc, ("auto", *POSTHOCS))
    if posthoc in AGAINST_CONTROL and not control:
        raise ParameterError(
            f"posthoc={posthoc!r} compares every model with a control, and none was named.", hint="give control="
        )
    if posthoc in ("nemenyi", "tukey") and control:
        other = {"nemenyi": "bonferroni-dunn", "tukey": "dunnett"}[posthoc]
        raise ParameterError(
            f"posthoc={posthoc!r} compares all pairs, but a control was named.", hint=f"use posthoc={other!r}"
        )
    if posthoc not in ("auto", "wilcoxon") and alternative != "two-sided":
        raise ParameterError(
            f"posthoc={posthoc!r} is two-sided. Got alternative={alternative!r}.", hint="use posthoc='wilcoxon'"
        )


def after(posthoc: str, job: Job) -> Found:
    """Run the post hoc; also return the critical difference of mean ranks where it has one."""
    check_posthoc(posthoc, control=job.control is not None, alternative=job.alternative)
    return _PROCEDURES[posthoc](job)


# -- signed ranks -----------------------------------------------------------------------------------------------------


def _wilcoxon(job: Job) -> Found:
    return signed_rank_findings(job), None


# -- mean ranks -------------------------------------------------------------------------------------------------------


def _nemenyi(job: Job) -> Found:
    better = job.measure.greater_is_better
    plain = friedman_pairs(job.table(), greater_is_better=better)
    simultaneous = nemenyi(job.table(), greater_is_better=better)
    found = _rank_findings(job, plain, "Nemenyi (mean ranks)", simultaneous.pvalue)
    return found, critical_difference(len(job.models), len(job.table()), confidence_level=job.level)


def _bonferroni_dunn(job: Job) -> Found:
    assert job.control is not None
    better = job.measure.greater_is_better
    plain = friedman_control(job.table(), job.control, greater_is_better=better)
    family = bonferroni_dunn(job.table(), job.control, greater_is_better=better)
    at = {other: i for i, other in enumerate(plain.others)}
    found = tuple(
        _rank_finding(
            job, a, b, plain.statistic[at[a]], plain.pvalue[at[a]], plain.estimate[at[a]],
            "Bonferroni–Dunn (mean ranks)", family.pvalue[at[a]],
        )
        for a, b in job.pairs
    )  # fmt: skip
    distance = critical_difference(
        len(job.models), len(job.table()), confidence_level=job.level, kind="bonferroni-dunn"
    )
    return found, distance


def _mean_ranks(job: Job) -> Found:
    """z-tests on mean ranks, to be adjusted (Demšar against a control; García & Herrera for all pairs)."""
    return _from_pairs(job, friedman_pairs, "mean ranks (z)")


def _conover(job: Job) -> Found:
    return _from_pairs(job, conover, "Conover (rank sums)")


def _quade(job: Job) -> Found:
    return _from_pairs(job, quade_posthoc, "Quade post hoc (weighted ranks)")


def _aligned(job: Job) -> Found:
    return _from_pairs(job, aligned_posthoc, "aligned-rank post hoc")


def _from_pairs(job: Job, procedure: Callable[..., PairsResult], method: str) -> Found:
    result = procedure(job.table(), greater_is_better=job.measure.greater_is_better)
    return _rank_findings(job, result, method), None


def _rank_findings(
    job: Job, result: PairsResult, method: str, simultaneous: FloatArray | None = None
) -> tuple[Finding, ...]:
    """Findings of the pairs asked for, from a table of all pairs (i < j)."""
    at = {pair: i for i, pair in enumerate(result.pairs)}
    found = []
    for a, b in job.pairs:
        index, turn = (at[a, b], 1) if (a, b) in at else (at[b, a], -1)
        family = None if simultaneous is None else float(simultaneous[index])
        found.append(
            _rank_finding(
                job, a, b, float(result.statistic[index]), float(result.pvalue[index]),
                turn * float(result.estimate[index]), method, family,
            )
        )  # fmt: skip
    return tuple(found)


def _rank_finding(
    job: Job, a: int, b: int, statistic: float, pvalue: float, ranks_apart: float, method: str,
    simultaneous: float | None,
) -> Finding:  # fmt: skip
    """One pair compared by ranks: the difference itself is the Hodges–Lehmann estimate, in the measure's units."""
    first, second = job.table()[:, a], job.table()[:, b]
    shift = wilcoxon(first, second)
    # A lower mean rank is better: turn it to the sign of a − b.
    direction = -job.sign * float(np.sign(ranks_apart))
    same = np.allclose(first, second, rtol=0, atol=1e-12)
    return Finding(
        a, b, shift.estimate, direction * abs(float(statistic)), float(pvalue),
        limits=limits_of(shift.confidence_interval),
        effect_size=0.0 if same else float(rank_biserial(first, second)),
        effect="rank-biserial correlation",
        method=f"{method}, Hodges–Lehmann interval",
        simultaneous=None if simultaneous is None else float(simultaneous),
        direction=direction,
    )  # fmt: skip


# -- means ------------------------------------------------------------------------------------------------------------


def _tukey(job: Job) -> Found:
    result = tukey(job.table(), confidence_level=job.level)
    at = {pair: i for i, pair in enumerate(result.pairs)}
    return tuple(_mean_finding(job, a, b, result, at[a, b], "Tukey (blocked)") for a, b in job.pairs), None


def _dunnett(job: Job) -> Found:
    assert job.control is not None
    result = dunnett(job.table(), job.control, confidence_level=job.level)
    at = {other: i for i, other in enumerate(result.others)}
    found = tuple(_mean_finding(job, a, b, result, at[a], "Dunnett (blocked)") for a, b in job.pairs)
    return found, None


def _mean_finding(job: Job, a: int, b: int, family: TukeyResult | DunnettResult, index: int, method: str) -> Finding:
    """Two means with the error of the two-way layout: what neither the data set nor the model explains."""
    values = job.table()
    n, k = values.shape
    residual = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    df = (n - 1) * (k - 1)
    error = math.sqrt(2 * float((residual**2).sum()) / df / n)
    estimate = float(values[:, a].mean() - values[:, b].mean())
    statistic = estimate / error if error > 0 else (0.0 if estimate == 0 else math.nan)
    return Finding(
        a, b, estimate, statistic, _two_sided_t(statistic, df),
        limits=_t_limits(estimate, error, df),
        effect_size=_dz(values[:, a], values[:, b]),
        effect="Cohen's dz",
        method=method,
        simultaneous=float(family.pvalue[index]),
        joint=(float(family.low[index]), float(family.high[index])),
    )  # fmt: skip


def _two_sided_t(statistic: float, df: int) -> float:
    from scipy.special import stdtr

    return float(2 * stdtr(df, -abs(statistic)))


def _t_limits(estimate: float, error: float, df: int) -> Limits:
    def limits(level: float) -> tuple[float, float]:
        from scipy.special import stdtrit

        half = float(stdtrit(df, 0.5 + level / 2)) * error if error > 0 else math.nan
        return estimate - half, estimate + half

    return limits


def _dz(first: FloatArray, second: FloatArray) -> float:
    differences = first - second
    if np.ptp(differences) <= 1e-12 * max(1.0, float(np.abs(differences).max())):
        return 0.0 if np.allclose(differences, 0, atol=1e-12) else math.nan
    return float(cohen_d(first, second, kind="dz"))


_PROCEDURES: dict[str, Callable[[Job], Found]] = {
    "wilcoxon": _wilcoxon,
    "nemenyi": _nemenyi,
    "bonferroni-dunn": _bonferroni_dunn,
    "conover": _conover,
    "mean-ranks": _mean_ranks,
    "quade": _quade,
    "aligned": _aligned,
    "tukey": _tukey,
    "dunnett": _dunnett,
}
