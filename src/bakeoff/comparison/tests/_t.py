"""What the t-tests of several families share: a finding from a t-test, and Cohen's d of paired differences."""

from __future__ import annotations

import math

from bakeoff._core.validation import FloatArray
from bakeoff.comparison._outcome import Finding, Pair, limits_of
from bakeoff.stats import TTestResult, cohen_d

EFFECT = "Cohen's dz"


def t_finding(pair: Pair, result: TTestResult, values: FloatArray, method: str) -> Finding:
    """Turn a t-test of two columns of ``values[units, k]`` into a finding."""
    return Finding(
        pair=pair,
        estimate=result.estimate,
        statistic=result.statistic,
        pvalue=result.pvalue,
        limits=limits_of(result.confidence_interval),
        effect_size=_effect_size(pair, result, values),
        effect=EFFECT,
        method=method,
        notes=result.notes,
    )


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
