"""Wilcoxon's signed-rank test of pairs of models, with the Hodges–Lehmann estimate and its interval."""

from __future__ import annotations

import numpy as np

from bakeoff._core.validation import FloatArray
from bakeoff.comparison._finding import Finding, Job, Limits, limits_of
from bakeoff.stats import rank_biserial, wilcoxon, wilcoxon_pairs
from bakeoff.stats.ranks import EXACT_LIMIT, PairShifts

_FEW = 6  # nonzero differences up to which a pair has notes of its own
_EFFECT = "rank-biserial correlation"
_ALIKE = 1e-12  # largest difference of scores that are the same


def signed_rank_findings(job: Job) -> tuple[Finding, ...]:
    """Test the pairs asked for; all pairs of several models take a few passes over the table."""
    if job.control is not None or len(job.pairs) < 2:
        return tuple(_finding(job, a, b) for a, b in job.pairs)
    return _all_findings(job)


def _all_findings(job: Job) -> tuple[Finding, ...]:
    table = job.table()
    result = wilcoxon_pairs(table, alternative=job.alternative)
    shifts = PairShifts(table, job.level)
    biserial = wilcoxon_pairs(table, zeros="wilcox", method="normal").estimate
    effect = np.where(shifts.largest <= _ALIKE, 0.0, biserial).tolist()
    n_nonzero = (len(table) - result.n_zero).tolist()
    rows = zip(
        job.pairs, shifts.estimate.tolist(), result.statistic.tolist(), result.pvalue.tolist(),
        np.sign(result.r_plus - result.r_minus).tolist(), strict=True,
    )  # fmt: skip
    return tuple(
        _finding(job, a, b) if n_nonzero[i] <= _FEW else Finding(
            a, b, estimate, statistic, pvalue,
            limits=_limits(shifts, i),
            effect_size=effect[i],
            effect=_EFFECT,
            method=_method("exact" if n_nonzero[i] <= EXACT_LIMIT else "normal"),
            signed=False,
            direction=direction,
        )
        for i, ((a, b), estimate, statistic, pvalue, direction) in enumerate(rows)
    )  # fmt: skip


def _limits(shifts: PairShifts, pair: int) -> Limits:
    return lambda level: shifts.limits(pair, level)


def _method(name: str) -> str:
    return f"Wilcoxon signed-rank ({name}), Hodges–Lehmann interval"


def _finding(job: Job, a: int, b: int) -> Finding:
    """Test one pair."""
    first, second = job.table()[:, a], job.table()[:, b]
    two_sided = wilcoxon(first, second)
    one_sided = job.alternative != "two-sided"
    result = wilcoxon(first, second, alternative=job.alternative) if one_sided else two_sided
    return Finding(
        a, b, result.estimate, result.statistic, result.pvalue,
        limits=limits_of(two_sided.confidence_interval),
        effect_size=_biserial(first, second),
        effect=_EFFECT,
        method=_method(result.method),
        signed=False,
        direction=float(np.sign(result.r_plus - result.r_minus)),
        notes=result.notes,
    )  # fmt: skip


def _biserial(first: FloatArray, second: FloatArray) -> float:
    return 0.0 if np.allclose(first, second, rtol=0, atol=_ALIKE) else float(rank_biserial(first, second))
