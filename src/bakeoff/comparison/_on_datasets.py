"""Models on several data sets, one score each: signed ranks, signs, and tests of all models together."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from bakeoff._core.language import said
from bakeoff._core.notes import Note
from bakeoff._core.validation import FloatArray
from bakeoff.comparison._checks import outlier_checks, sphericity_check, variance_check, zeros_check
from bakeoff.comparison._finding import Check, Finding, Job, Omnibus, Outcome
from bakeoff.comparison._on_folds import paired_t_scores
from bakeoff.comparison._posteriors import signed_rank_posteriors
from bakeoff.comparison._posthoc import after
from bakeoff.comparison._signed_ranks import signed_rank_findings
from bakeoff.stats import (
    aligned_friedman,
    friedman,
    quade,
    repeated_measures_anova,
    sign_test,
)

# Data sets up to which Friedman's test is exact: the approximations are poor there and enumeration is instant.
_EXACT_FRIEDMAN = {3: 20, 4: 10, 5: 6, 6: 4}


def paired_t_datasets(job: Job) -> Outcome:
    """Plain paired t-test over data sets."""
    return _with_ranks(job, paired_t_scores(job))


def signed_rank(job: Job) -> Outcome:
    """Wilcoxon's signed-rank test of every pair; with two models the Bayesian signed-rank test beside it."""
    beside = signed_rank_posteriors(job) if len(job.models) == 2 and job.situation.several_datasets else ()
    return _with_ranks(
        job, Outcome(signed_rank_findings(job), job.table().mean(axis=0), bayes=beside, checks=_checks(job))
    )


def signs(job: Job) -> Outcome:
    """Sign test of every pair, with the median difference and its order-statistic interval."""
    findings = tuple(_sign_pair(job, a, b) for a, b in job.pairs)
    return _with_ranks(job, Outcome(findings, job.table().mean(axis=0), checks=_checks(job)))


def _sign_pair(job: Job, a: int, b: int) -> Finding:
    differences = job.table()[:, a] - job.table()[:, b]
    result = sign_test(job.table()[:, a], job.table()[:, b], alternative=job.alternative)
    decided = result.wins + result.losses
    return Finding(
        a, b, float(np.median(differences)), float(min(result.wins, result.losses)), result.pvalue,
        limits=lambda level: median_limits(differences, level),
        # share of wins minus share of losses among the data sets that decide
        effect_size=(result.wins - result.losses) / decided if decided else 0.0,
        effect="wins minus losses",
        method="sign test, median with order-statistic interval",
        signed=False,
        direction=float(np.sign(result.wins - result.losses)),
        notes=result.notes,
    )  # fmt: skip


def median_limits(differences: FloatArray, level: float) -> tuple[float, float]:
    """Order statistics between which the median lies with at least the confidence asked for; infinite if none do."""
    from scipy.stats import binom

    ordered = np.sort(differences)
    n = ordered.size
    # The r-th smallest and r-th largest miss the median with probability 2 P(Binomial(n, ½) < r).
    rank = int(binom.ppf((1 - level) / 2, n, 0.5))
    rank = rank if 2 * binom.cdf(rank - 1, n, 0.5) <= 1 - level else rank - 1
    if rank < 1:
        return -math.inf, math.inf
    return float(ordered[rank - 1]), float(ordered[n - rank])


# -- all models together ----------------------------------------------------------------------------------------------


def friedman_then(job: Job) -> Outcome:
    """Friedman's test of all models, then pairs."""
    values = job.table()
    n, k = values.shape
    exact = n <= _EXACT_FRIEDMAN.get(k, 0)
    method = "exact" if exact else "chi2"
    result = friedman(values, greater_is_better=job.measure.greater_is_better, method=method)
    details = {
        "chi2": result.statistic, "chi2_df": result.df, "ff_statistic": result.ff_statistic, "ff_df": result.ff_df,
        "ff_pvalue": result.ff_pvalue, "kendalls_w": result.kendalls_w, "method": method,
    }  # fmt: skip
    if exact:
        omnibus = Omnibus("friedman", result.statistic, (float(result.df),), result.pvalue, "chi2", details)
    else:
        df = (float(result.ff_df[0]), float(result.ff_df[1]))
        pvalue = _agreement_pvalue(values) if math.isinf(result.ff_statistic) else result.ff_pvalue
        omnibus = Omnibus("friedman", result.ff_statistic, df, pvalue, "F", details)
    notes = tuple(note for note in result.notes if note.code != "perfect-agreement")
    if math.isinf(result.ff_statistic):
        notes = (*notes, _AGREEMENT)
    return _then_pairs(job, replace(omnibus, notes=notes), "wilcoxon")


def _agreement_pvalue(values: FloatArray) -> float:
    """All data sets rank the models alike: the chance of that, if every order of the same ranks were as likely."""
    _, ties = np.unique(values[0].round(10), return_counts=True)
    orders = math.factorial(values.shape[1]) / math.prod(math.factorial(int(t)) for t in ties)
    return float(orders ** -(len(values) - 1.0))


_AGREEMENT = Note(
    "perfect-agreement",
    said("All data sets rank the models in the same order; the p-value is the chance of that among all orders."),
)


def quade_then(job: Job) -> Outcome:
    """Quade's test of all models, then pairs."""
    result = quade(job.table(), greater_is_better=job.measure.greater_is_better)
    df = (float(result.df[0]), float(result.df[1]))
    omnibus = Omnibus("quade", result.statistic, df, result.pvalue, "F", notes=result.notes)
    return _then_pairs(job, omnibus, "quade")


def aligned_then(job: Job) -> Outcome:
    """Friedman's test on aligned ranks, then pairs."""
    result = aligned_friedman(job.table(), greater_is_better=job.measure.greater_is_better)
    omnibus = Omnibus(
        "aligned-friedman", result.statistic, (float(result.df),), result.pvalue,
        notes=result.notes,
    )  # fmt: skip
    return _then_pairs(job, omnibus, "aligned")


def anova_then(job: Job) -> Outcome:
    """Repeated-measures analysis of variance, Greenhouse–Geisser corrected whatever Mauchly's test says, then pairs."""
    values = job.table()
    result = repeated_measures_anova(values)
    names = ("mauchly_w", "mauchly_pvalue", "epsilon_gg", "pvalue_gg", "epsilon_hf", "pvalue_hf")
    details = {name: getattr(result, name) for name in names} | {"pvalue_sphericity": result.pvalue, "df": result.df}
    shrunk = (result.df[0] * result.epsilon_gg, result.df[1] * result.epsilon_gg)
    omnibus = Omnibus("anova", result.statistic, shrunk, result.pvalue_gg, "F", details, result.notes)
    checks = (
        sphericity_check(result.mauchly_w, result.mauchly_pvalue, result.epsilon_gg),
        variance_check(job.models, values),
    )
    default = "tukey" if job.control is None else "dunnett"
    outcome = _then_pairs(job, omnibus, default)
    return replace(outcome, checks=(*checks, *outcome.checks))


def _then_pairs(job: Job, omnibus: Omnibus, default: str) -> Outcome:
    posthoc = default if job.posthoc == "auto" else job.posthoc
    findings, distance = after(posthoc, job)
    values = job.table().mean(axis=0)
    notes = _gate_note(omnibus, job.level)
    outcome = Outcome(
        findings, values, omnibus, checks=_checks(job), critical_difference=distance, posthoc=posthoc, notes=notes
    )
    return _with_ranks(job, outcome)


def _gate_note(omnibus: Omnibus, level: float) -> tuple[Note, ...]:
    if not omnibus.pvalue > 1 - level:
        return ()
    message = said(
        "The test of all models together shows no difference. The pairs are listed all the same: their adjusted "
        "p-values guard against false finds on their own."
    )
    return (Note("omnibus-not-significant", message),)


def _with_ranks(job: Job, outcome: Outcome) -> Outcome:
    """Add the mean rank of every model (1 = best)."""
    if len(job.table()) < 2:
        return outcome
    result = friedman(job.table(), greater_is_better=job.measure.greater_is_better)
    return replace(outcome, ranks=result.mean_ranks)


def _checks(job: Job) -> tuple[Check, ...]:
    values = job.table()
    if len(job.pairs) > 50:
        return ()
    ties = tuple(zeros_check(job, values[:, a] - values[:, b], a, b) for a, b in job.pairs)
    return (*outlier_checks(job, values), *ties)
