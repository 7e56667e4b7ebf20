"""Assumption checks as data: they are run and shown, and never change the test that was chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bakeoff._core.text import format_number, format_pvalue
from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.comparison._finding import Check, Job
from bakeoff.stats import normality, outliers

_LEVEL = 0.05
_MOST_PAIRS = 50
_FEW_DISCORDANT = 10
_NORMALITY = {"shapiro-wilk": "Shapiro–Wilk", "dagostino-pearson": "D’Agostino–Pearson"}


def normality_checks(job: Job, values: FloatArray) -> tuple[Check, ...]:
    """Shapiro–Wilk on the differences of every pair (not on each model's own scores, which need not be normal)."""
    if len(job.pairs) > _MOST_PAIRS:
        return ()
    return tuple(_normality(job, values[:, a] - values[:, b], a, b) for a, b in job.pairs)


def _normality(job: Job, differences: FloatArray, a: int, b: int) -> Check:
    subject = f"{job.models[a]} − {job.models[b]}"
    result = normality(differences)
    if np.isnan(result.pvalue):
        return Check("normality", subject, None, f"normality of {subject} cannot be judged from these differences.")
    passed = result.pvalue >= _LEVEL
    verdict = "are compatible with a normal distribution" if passed else "are not normally distributed"
    message = f"the {result.n} differences {subject} {verdict} ({_NORMALITY[result.method]}, p {_p(result.pvalue)})."
    return Check("normality", subject, passed, message, result.statistic, result.pvalue)


def outlier_checks(job: Job, values: FloatArray) -> tuple[Check, ...]:
    """Differences more than 3.5 robust standard deviations from their median, by pair."""
    if len(job.pairs) > _MOST_PAIRS or len(values) < 5:
        return ()
    return tuple(_outliers(job, values[:, a] - values[:, b], a, b) for a, b in job.pairs)


def _outliers(job: Job, differences: FloatArray, a: int, b: int) -> Check:
    subject = f"{job.models[a]} − {job.models[b]}"
    far = outliers(differences).index
    if not far.size:
        return Check("outliers", subject, True, f"no difference {subject} lies far from the others.", 0.0)
    named = ", ".join(f"{_unit(job, i)} ({format_number(float(differences[i]))})" for i in far[:5])
    more = ", …" if far.size > 5 else ""
    message = f"{far.size} of {differences.size} differences {subject} lie far from the others: {named}{more}."
    return Check("outliers", subject, False, message, float(far.size))


def _unit(job: Job, index: int) -> str:
    return job.units[index] if index < len(job.units) else f"unit {index + 1}"


def discordant_check(job: Job, counted: BoolArray, a: int, b: int) -> Check:
    """How many instances tell the two models apart."""
    subject = f"{job.models[a]} – {job.models[b]}"
    count = int((counted[:, a] != counted[:, b]).sum())
    enough = count >= _FEW_DISCORDANT
    weak = "" if enough else ", too few to show any but a very lopsided difference"
    message = f"{count} of {len(counted)} instances are right for one of {subject} and wrong for the other{weak}."
    return Check("discordant", subject, enough, message, float(count))


def sphericity_check(mauchly_w: float, mauchly_pvalue: float, epsilon_gg: float) -> Check:
    """Mauchly's test of equal variances of all differences."""
    if np.isnan(mauchly_pvalue):
        return Check("sphericity", "all models", None, "sphericity cannot be judged from so few data sets.")
    passed = mauchly_pvalue > _LEVEL
    verdict = "nothing speaks against" if passed else "the data speak against"
    message = (
        f"{verdict} equal variances of all differences (Mauchly, p {_p(mauchly_pvalue)}; Greenhouse–Geisser ε = "
        f"{epsilon_gg:.2f}). The p-value is corrected by ε either way."
    )
    return Check("sphericity", "all models", passed, message, mauchly_w, mauchly_pvalue)


def variance_check(models: Sequence[str], values: FloatArray) -> Check:
    """Ratio of the largest to the smallest spread of the models' scores."""
    spread = values.var(axis=0, ddof=1)
    low, high = int(spread.argmin()), int(spread.argmax())
    if spread[low] == 0:
        return Check("variance-ratio", "all models", None, f"the scores of {models[low]} do not vary.")
    ratio = float(spread[high] / spread[low])
    message = f"the variance of {models[high]}'s scores is {ratio:.1f} times that of {models[low]}'s."
    return Check("variance-ratio", "all models", ratio <= 4, message, ratio)


def zeros_check(job: Job, differences: FloatArray, a: int, b: int) -> Check:
    """How many data sets do not tell the two models apart."""
    subject = f"{job.models[a]} – {job.models[b]}"
    count = int((np.abs(differences) <= 1e-10).sum())
    message = f"{subject} tie on {count} of {differences.size} data sets."
    return Check("ties", subject, count <= differences.size / 2, message, float(count))


def _p(pvalue: float) -> str:
    text = format_pvalue(pvalue)
    return text if text.startswith("<") else f"= {text}"
