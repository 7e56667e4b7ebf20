"""Assumption checks as data: they are run and shown, and never change the test that was chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bakeoff._core.language import Text, joined, p_phrase
from bakeoff._core.text import number_text
from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.comparison._jobs import Check, Job, Pair, ScoreJob
from bakeoff.stats import normality, outliers
from bakeoff.stats.ranks import grid_keys

_LEVEL = 0.05
MOST_PAIRS = 50
"""With more pairs no checks of single pairs are made: nobody would read them."""
_FEW_DISCORDANT = 10
_TOO_FEW = Text(", too few to show any but a very lopsided difference")
_NORMALITY = {"shapiro-wilk": "Shapiro–Wilk", "dagostino-pearson": "D’Agostino–Pearson"}


def normality_checks(job: Job, values: FloatArray) -> tuple[Check, ...]:
    """Shapiro–Wilk on the differences of every pair (not on each model's own scores, which need not be normal)."""
    if len(job.pairs) > MOST_PAIRS:
        return ()
    return tuple(_normality(_minus(job, pair), values[:, pair.a] - values[:, pair.b]) for pair in job.pairs)


def _minus(job: Job, pair: Pair) -> str:
    return f"{job.models[pair.a]} − {job.models[pair.b]}"


def _both(job: Job, pair: Pair) -> str:
    return f"{job.models[pair.a]} – {job.models[pair.b]}"


def _normality(subject: str, differences: FloatArray) -> Check:
    result = normality(differences)
    if np.isnan(result.pvalue):
        unknown = Text("normality of {subject} cannot be evaluated from these differences.", subject=subject)
        return Check("normality", subject, None, unknown)
    passed = result.pvalue >= _LEVEL
    verdict = Text("are compatible with a normal distribution") if passed else Text("are not normally distributed")
    message = Text(
        "the {n} differences {subject} {verdict} ({test}, p {p}).",
        n=result.n, subject=subject, verdict=verdict, test=_NORMALITY[result.method], p=p_phrase(result.pvalue),
    )  # fmt: skip
    return Check("normality", subject, passed, message, result.statistic, result.pvalue)


def outlier_checks(job: ScoreJob) -> tuple[Check, ...]:
    """Differences more than 3.5 robust standard deviations from their median, by pair."""
    if len(job.pairs) > MOST_PAIRS or len(job.scores) < 5:
        return ()
    return tuple(_outliers(job, pair) for pair in job.pairs)


def _outliers(job: ScoreJob, pair: Pair) -> Check:
    subject = _minus(job, pair)
    differences = job.scores[:, pair.a] - job.scores[:, pair.b]
    far = outliers(differences).index
    if not far.size:
        none = Text("no difference {subject} lies far from the others.", subject=subject)
        return Check("outliers", subject, True, none, 0.0)
    named: list[Text | str] = [
        joined([job.units[i], " (", number_text(float(differences[i])), ")"], "") for i in far[:5]
    ]
    named += ["…"] * (far.size > 5)
    message = Text(
        "{count} of {n} differences {subject} lie far from the others: {named}.",
        count=far.size, n=differences.size, subject=subject, named=joined(named, ", "),
    )  # fmt: skip
    return Check("outliers", subject, False, message, float(far.size))


def discordant_check(job: Job, counted: BoolArray, pair: Pair) -> Check:
    """How many instances tell the two models apart."""
    subject = _both(job, pair)
    count = int((counted[:, pair.a] != counted[:, pair.b]).sum())
    enough = count >= _FEW_DISCORDANT
    message = Text(
        "{count} of {n} instances are right for one of {subject} and wrong for the other{weak}.",
        count=count, n=len(counted), subject=subject, weak="" if enough else _TOO_FEW,
    )  # fmt: skip
    return Check("discordant", subject, enough, message, float(count))


def sphericity_check(mauchly_w: float, mauchly_pvalue: float, epsilon_gg: float) -> Check:
    """Mauchly's test of equal variances of all differences."""
    if np.isnan(mauchly_pvalue):
        return Check("sphericity", "all models", None, Text("sphericity cannot be evaluated from so few data sets."))
    passed = mauchly_pvalue > _LEVEL
    verdict = Text("there is no evidence against") if passed else Text("there is evidence against")
    message = Text(
        "{verdict} equal variances of all differences (Mauchly, p {p}; Greenhouse–Geisser ε = {epsilon:.2f}). "
        "The p-value is corrected by ε either way.",
        verdict=verdict, p=p_phrase(mauchly_pvalue), epsilon=epsilon_gg,
    )  # fmt: skip
    return Check("sphericity", "all models", passed, message, mauchly_w, mauchly_pvalue)


def variance_check(models: Sequence[str], values: FloatArray) -> Check:
    """Ratio of the largest to the smallest spread of the models' scores."""
    spread = values.var(axis=0, ddof=1)
    low, high = int(spread.argmin()), int(spread.argmax())
    if spread[low] == 0:
        flat = Text("the scores of {model} do not vary.", model=models[low])
        return Check("variance-ratio", "all models", None, flat)
    ratio = float(spread[high] / spread[low])
    message = Text(
        "the variance of {high}'s scores is {ratio:.1f} times that of {low}'s.",
        high=models[high], ratio=ratio, low=models[low],
    )  # fmt: skip
    return Check("variance-ratio", "all models", ratio <= 4, message, ratio)


def zeros_check(job: ScoreJob, pair: Pair) -> Check:
    """How many data sets do not tell the two models apart."""
    subject, (first, second) = _both(job, pair), job.scores[:, [pair.a, pair.b]].T
    count = int((grid_keys(first - second, np.maximum(np.abs(first), np.abs(second))) == 0).sum())
    message = Text("{subject} tie on {count} of {n} data sets.", subject=subject, count=count, n=first.size)
    return Check("ties", subject, count <= first.size / 2, message, float(count))
