"""Ranks over data sets: the models' mean ranks, and signed ranks of pairs with the Hodges–Lehmann estimate."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from bakeoff._core.validation import FloatArray
from bakeoff.comparison._jobs import Finding, Limits, Pair, ScoreJob, limits_of
from bakeoff.stats import friedman, rank_biserial, wilcoxon, wilcoxon_pairs
from bakeoff.stats.ranks import EXACT_LIMIT, PairShifts, as_tested

EFFECT = "rank-biserial correlation"
_FEW = 6  # nonzero differences up to which a pair has notes of its own
_ALIKE = 1e-12  # largest difference of scores that are the same, for the size of the scores


def mean_ranks(job: ScoreJob) -> FloatArray | None:
    """Mean rank of every model, 1 is best; a single unit gives no mean rank."""
    if len(job.scores) < 2:
        return None
    return friedman(job.scores, greater_is_better=job.measure.greater_is_better).mean_ranks


def biserial(first: FloatArray, second: FloatArray) -> float:
    """Rank-biserial correlation of matched pairs; 0 for scores that are the same."""
    largest = np.abs([first, second]).max()
    return 0.0 if np.abs(first - second).max() <= _ALIKE * largest else float(rank_biserial(first, second))


def signed_rank_findings(job: ScoreJob) -> tuple[Finding, ...]:
    """Test the pairs asked for; all pairs of several models take a few passes over the table."""
    if job.against_control or len(job.pairs) < 2:
        return tuple(_finding(job, pair) for pair in job.pairs)
    return _all_findings(job)


def _all_findings(job: ScoreJob) -> tuple[Finding, ...]:
    result = wilcoxon_pairs(job.scores, alternative=job.alternative)
    both_sides = result.pvalue if job.alternative == "two-sided" else wilcoxon_pairs(job.scores).pvalue
    shifts = PairShifts(job.scores, job.level)
    correlation = wilcoxon_pairs(job.scores, zeros="wilcox", method="normal").estimate
    effect = np.where(shifts.largest <= _ALIKE * np.abs(job.scores).max(), 0.0, correlation)
    direction = np.sign(result.r_plus - result.r_minus)
    n_nonzero = len(job.scores) - result.n_zero
    return tuple(
        _finding(job, pair)
        if n_nonzero[i] <= _FEW
        else Finding(
            pair=pair, estimate=float(shifts.estimate[i]), statistic=float(result.statistic[i]), signed=False,
            pvalue=float(result.pvalue[i]), limits=_limits(shifts, i, float(both_sides[i])),
            effect_size=float(effect[i]), effect=EFFECT, direction=float(direction[i]),
            method=_method("exact" if n_nonzero[i] <= EXACT_LIMIT else "normal"), working=_working(job, pair),
        )
        for i, pair in enumerate(job.pairs)
    )  # fmt: skip


def _working(job: ScoreJob, pair: Pair) -> Any:
    """What makes the single test when its steps are asked for: of many pairs few are."""
    return partial(wilcoxon, job.scores[:, pair.a], job.scores[:, pair.b], alternative=job.alternative)


def _limits(shifts: PairShifts, pair: int, pvalue: float) -> Limits:
    estimate, largest = float(shifts.estimate[pair]), float(shifts.largest[pair])
    return lambda level: as_tested(shifts.limits(pair, level), estimate, pvalue < 1 - level, largest)


def _method(name: str) -> str:
    return f"Wilcoxon signed-rank ({name}), Hodges–Lehmann interval"


def _finding(job: ScoreJob, pair: Pair) -> Finding:
    first, second = job.scores[:, pair.a], job.scores[:, pair.b]
    two_sided = wilcoxon(first, second)
    one_sided = job.alternative != "two-sided"
    result = wilcoxon(first, second, alternative=job.alternative) if one_sided else two_sided
    return Finding.of(
        result, pair=pair, effect_size=biserial(first, second), effect=EFFECT, method=_method(result.method),
        limits=limits_of(two_sided.confidence_interval),  # a one-sided test still has a two-sided interval
        signed=False, direction=float(np.sign(result.r_plus - result.r_minus)),
    )  # fmt: skip
