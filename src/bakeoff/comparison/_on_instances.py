"""Models on the instances of one test set, where a formula is at hand: right or wrong, AUC, means, clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from bakeoff._core.language import said
from bakeoff._core.notes import Note
from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.comparison._checks import discordant_check, normality_checks
from bakeoff.comparison._finding import Finding, Job, Omnibus, Outcome, limits_of
from bakeoff.comparison._on_resampling import model_values, undefined_finding
from bakeoff.counts import Sums
from bakeoff.measures import Measure, Value, for_rows
from bakeoff.stats import (
    DeLongTestResult,
    TTestResult,
    cluster_t,
    cochran_q,
    cohen_d,
    delong_many,
    delong_test,
    paired_t,
)
from bakeoff.stats import mcnemar as mcnemar_test
from bakeoff.stats.roc import delong_columns

_TABLE_CELLS = 20_000_000  # rows × models up to which the scores of all models are held as one table

# -- right or wrong ---------------------------------------------------------------------------------------------------


def mcnemar(job: Job) -> Outcome:
    """McNemar's test of every pair."""
    counted = _counted(job)
    findings = tuple(_mcnemar_pair(job, counted, a, b) for a, b in job.pairs)
    checks = tuple(discordant_check(job, counted, a, b) for a, b in job.pairs)
    return Outcome(findings, counted.mean(axis=0), checks=checks)


def cochran(job: Job) -> Outcome:
    """Cochran's Q of all models, then McNemar's test of every pair."""
    counted = _counted(job)
    result = cochran_q(counted)
    omnibus = Omnibus("cochran-q", result.statistic, (float(result.df),), result.pvalue, notes=result.notes)
    pairs = mcnemar(job)
    return Outcome(pairs.findings, pairs.values, omnibus, checks=pairs.checks)


def _counted(job: Job) -> BoolArray:
    """What the measure counts on each row, ``[n, k]``: right answers for accuracy, wrong ones for error."""
    rows = job.evidence_rows()
    right = np.stack([rows.correct(m) for m in job.models], axis=1)
    return right if job.measure.greater_is_better else ~right


def _mcnemar_pair(job: Job, counted: BoolArray, a: int, b: int) -> Finding:
    result = mcnemar_test(counted[:, a], counted[:, b], alternative=job.alternative)
    discordant = result.n_a_only + result.n_b_only
    kind = {"midp": "mid-p", "chi2": "χ²"}.get(result.method, result.method)
    return Finding(
        a, b, result.estimate, result.statistic, result.pvalue,
        limits=limits_of(result.confidence_interval),
        # Cohen's g: how far the split of the discordant instances is from even, −½ to ½.
        effect_size=(result.n_a_only / discordant - 0.5) if discordant else 0.0,
        effect="Cohen's g",
        method=f"McNemar ({kind}), Tango score interval",
        signed=False,
        notes=tuple(n for n in result.notes if n.code == "no-discordant-pairs"),
    )  # fmt: skip


# -- AUC --------------------------------------------------------------------------------------------------------------


def delong(job: Job) -> Outcome:
    """DeLong's test of every pair, after the test of all where there are more than two."""
    rows = job.evidence_rows()
    values = model_values(job)
    if not all(math.isfinite(v.value) for v in values):
        found = tuple(undefined_finding(a, b, [values[a], values[b]], "delong") for a, b in job.pairs)
        return Outcome(found, np.array([v.value for v in values]))
    if rows.n * len(job.models) > _TABLE_CELLS and rows.units.of_row is None:
        return _delong_by_columns(job, values)
    scores = np.stack([rows.scores(m) for m in job.models], axis=1)
    findings = tuple(_delong_pair(job, scores, a, b) for a, b in job.pairs)
    return Outcome(findings, np.array([v.value for v in values]), _delong_omnibus(job, scores), notes=_auc_notes(job))


def _delong_by_columns(job: Job, values: Sequence[Value]) -> Outcome:
    """The same, looking at one model's scores at a time: for evidence whose scores would not fit as a table."""
    rows = job.evidence_rows()
    every = delong_columns(rows.positives(), (rows.scores(m) for m in job.models))
    findings = tuple(_delong_finding(a, b, every.pair(a, b, job.alternative), "") for a, b in job.pairs)
    omnibus = None
    if len(job.models) > 2:
        result = every.homogeneity()
        omnibus = Omnibus("delong", result.statistic, (float(result.df),), result.pvalue, notes=result.notes)
    return Outcome(findings, np.array([v.value for v in values]), omnibus, notes=_auc_notes(job))


def _delong_omnibus(job: Job, scores: FloatArray) -> Omnibus | None:
    if len(job.models) < 3:
        return None
    rows = job.evidence_rows()
    result = delong_many(rows.positives(), scores, groups=rows.units.of_row)
    return Omnibus("delong", result.statistic, (float(result.df),), result.pvalue, notes=result.notes)


def _delong_pair(job: Job, scores: FloatArray, a: int, b: int) -> Finding:
    rows = job.evidence_rows()
    result = delong_test(rows.positives(), scores[:, a], scores[:, b], alternative=job.alternative, groups=rows.units.of_row)
    return _delong_finding(a, b, result, ", clustered" if rows.units.of_row is not None else "")


def _delong_finding(a: int, b: int, result: DeLongTestResult, clusters: str) -> Finding:
    return Finding(
        a, b, result.estimate, result.statistic, result.pvalue,
        limits=limits_of(result.confidence_interval),
        # Cohen's h: the difference of two probabilities on the arcsine scale, where their spread is even.
        effect_size=2 * (math.asin(math.sqrt(result.auc_a)) - math.asin(math.sqrt(result.auc_b))),
        effect="Cohen's h",
        method=f"DeLong{clusters}",
        notes=result.notes,
    )  # fmt: skip


def _auc_notes(job: Job) -> tuple[Note, ...]:
    if job.situation.kind != "leave-one-out":
        return ()
    message = said(
        "AUC was computed over the pooled scores of leave-one-out models, whose scores need not be comparable: a "
        "model that learns only the class frequencies gets AUC 0 this way."
    )
    return (Note("pooled-leave-one-out", message, "warning"),)


# -- means ------------------------------------------------------------------------------------------------------------


def paired_t_rows(job: Job) -> Outcome:
    """Paired t-test over the instances, for measures that are means of a value per instance."""
    values = _row_values(job)
    findings = tuple(
        t_finding(a, b, paired_t(values[:, a], values[:, b], alternative=job.alternative), values, "paired t")
        for a, b in job.pairs
    )
    return Outcome(findings, values.mean(axis=0), checks=normality_checks(job, values))


def clustered_t(job: Job) -> Outcome:
    """Cluster-robust t-test, for measures that are means of a value per instance."""
    groups = job.evidence_rows().units.of_row
    assert groups is not None
    values = _row_values(job)
    findings = tuple(
        t_finding(
            a, b, cluster_t(values[:, a], values[:, b], groups=groups, alternative=job.alternative), values,
            "cluster-robust t",
        )
        for a, b in job.pairs
    )  # fmt: skip
    return Outcome(findings, values.mean(axis=0))


def _row_values(job: Job) -> FloatArray:
    """The value on each instance whose mean is the measure, ``[n, k]``."""
    rows = job.evidence_rows()
    assert isinstance(job.measure, Measure)
    measure = for_rows(job.measure, rows)
    form = measure.form.of(rows, job.models, measure.needs)
    return form.terms[:, :, 0] if isinstance(form, Sums) else _counted(job).astype(np.float64)


def t_finding(a: int, b: int, result: TTestResult, values: FloatArray, method: str) -> Finding:
    """Turn a t-test of two columns into a finding, with Cohen's d of the differences."""
    return Finding(
        a, b, result.estimate, result.statistic, result.pvalue,
        limits=limits_of(result.confidence_interval),
        effect_size=_dz(values[:, a], values[:, b], result),
        effect="Cohen's dz",
        method=method,
        notes=result.notes,
    )  # fmt: skip


def _dz(first: FloatArray, second: FloatArray, result: TTestResult) -> float:
    if result.pvalue == 1.0 and result.standard_error == 0:
        return 0.0
    return float("nan") if result.standard_error == 0 else float(cohen_d(first, second, kind="dz"))
