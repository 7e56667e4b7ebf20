"""What the t-tests of several families share: a finding from a t-test, and Cohen's d of paired differences."""

from __future__ import annotations

import math
from collections.abc import Callable

from bakeoff._core.validation import FloatArray
from bakeoff.comparison._jobs import Finding, Job, Pair
from bakeoff.stats import TTestResult, cohen_d

EFFECT, STANDARDISED = "Cohen's dz", "standardised difference"


def t_finding(pair: Pair, result: TTestResult, values: FloatArray, method: str) -> Finding:
    """Turn a t-test of two columns of ``values[units, k]`` into a finding."""
    return Finding.of(result, pair=pair, effect_size=_effect_size(pair, result, values), effect=EFFECT, method=method)


def t_findings(
    job: Job, values: FloatArray, test: Callable[[FloatArray, FloatArray], TTestResult], method: str
) -> tuple[Finding, ...]:
    """The t-test of two columns of ``values[units, k]``, for every pair."""
    return tuple(t_finding(p, test(values[:, p.a], values[:, p.b]), values, method) for p in job.pairs)


def student_finding(
    pair: Pair, estimate: float, se: float, df: float, n: int, *, alternative: str, method: str
) -> Finding:
    """A finding from a difference, its standard error and degrees of freedom (infinite: normal)."""
    from scipy.special import ndtr, ndtri, stdtr, stdtrit

    def below(x: float) -> float:
        return float(stdtr(df, x) if math.isfinite(df) else ndtr(x))

    def limits(level: float) -> tuple[float, float]:
        at = (1 + level) / 2
        half = float(stdtrit(df, at) if math.isfinite(df) else ndtri(at)) * se
        return estimate - half, estimate + half

    if se == 0:  # nothing varies: alike, or a difference whose spread cannot be known
        statistic, pvalue = (0.0, 1.0) if estimate == 0 else (math.nan, math.nan)
    else:
        statistic = estimate / se
        tail = {"greater": below(-statistic), "less": below(statistic)}
        pvalue = tail.get(alternative, 2 * below(-abs(statistic)))
    return Finding(
        pair=pair, estimate=estimate, statistic=statistic, pvalue=pvalue, limits=limits, method=method,
        effect_size=standardised(estimate, se, n), effect=STANDARDISED,
    )  # fmt: skip


def standardised(estimate: float, se: float, n: int) -> float:
    """The difference in units of the spread of one unit's influence."""
    if se > 0:
        return float(estimate / (se * math.sqrt(n)))
    return 0.0 if estimate == 0 else math.nan


def _effect_size(pair: Pair, result: TTestResult, values: FloatArray) -> float:
    if result.pvalue == 1.0 and result.standard_error == 0:
        return 0.0
    if result.standard_error == 0:
        return math.nan
    return float(cohen_d(values[:, pair.a], values[:, pair.b], kind="dz"))


def cohen_dz(pair: Pair, values: FloatArray) -> float:
    """Mean difference in units of its spread: 0 if there is no difference at all, undefined if it is constant."""
    differences = values[:, pair.a] - values[:, pair.b]
    if not differences.any():
        return 0.0
    spread = float(differences.std(ddof=1))
    noise = 1e-12 * float(abs(differences).max())  # what rounding alone can make of a constant difference
    return float(cohen_d(values[:, pair.a], values[:, pair.b], kind="dz")) if spread > noise else math.nan
