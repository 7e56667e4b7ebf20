"""Rows of the calibration table: one procedure on one design, its rates at every nominal level, and what they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from scipy.stats import binom

Row = dict[str, Any]
ALPHAS = (0.01, 0.05, 0.10)
LEVELS = (0.80, 0.90, 0.95, 0.99)
ERRORS = 3.0  # Monte-Carlo errors beyond which a rate is called off its nominal value
_TAIL = 0.00135  # one-sided tail of three normal errors


def percent(nominal: float) -> str:
    return f"{100 * nominal:g} %"


def level_row(procedure: str, design: str, pvalues: Iterable[float]) -> Row:
    """Type-I error at 1, 5 and 10 %: the share of p-values at or below each; an undefined one rejects nothing."""
    found = np.nan_to_num(np.asarray(list(pvalues), dtype=float), nan=1.0)
    return rejection_row(procedure, design, {a: int((found <= a + 1e-12).sum()) for a in ALPHAS}, found.size)


def rejection_row(procedure: str, design: str, rejected: Mapping[float, int], runs: int) -> Row:
    rates = {percent(a): rejected[a] / runs for a in rejected}
    return {"procedure": procedure, "design": design, "runs": runs, **rates, "reads": reads_level(rejected, runs)}


def coverage_row(procedure: str, design: str, held: Mapping[float, int], runs: int) -> Row:
    """Coverage at 80, 90, 95 and 99 %: the share of intervals that hold the true value."""
    rates = {percent(level): held[level] / max(runs, 1) for level in held}
    missed = {1 - level: runs - held[level] for level in held}
    return {"procedure": procedure, "design": design, "runs": runs, **rates, "reads": reads_level(missed, runs)}


def reads_level(errors: Mapping[float, int], runs: int) -> str:
    """ "liberal" when errors come more often than chance allows at any level, "safe" when never and rarer at some.

    Bounds are binomial: with few runs and a level of 1 % the normal error would be too tight.
    """
    if not runs:
        return "undefined"
    if any(count > binom.isf(_TAIL, runs, rate) for rate, count in errors.items()):
        return "liberal"
    rarer = any(count < binom.ppf(_TAIL, runs, rate) for rate, count in errors.items())
    return "safe" if rarer else "nominal"


def levels_of(tests: Mapping[str, Callable[[Any], float]], design: str, samples: list[Any]) -> list[Row]:
    """One row for each test, all on the same samples."""
    return [level_row(name, design, [test(sample) for sample in samples]) for name, test in tests.items()]


def coverage_of(procedure: str, design: str, truth: float, intervals: Iterable[Callable[[float], Any]]) -> Row:
    """`intervals` are functions level → something with `low` and `high`; undefined limits are left out."""
    held, runs = dict.fromkeys(LEVELS, 0), 0
    for interval in intervals:
        found = {level: interval(level) for level in LEVELS}
        if any(np.isnan(i.low) or np.isnan(i.high) for i in found.values()):
            continue
        runs += 1
        for level, i in found.items():
            held[level] += bool(i.low - 1e-12 <= truth <= i.high + 1e-12)
    return coverage_row(procedure, design, held, runs)
