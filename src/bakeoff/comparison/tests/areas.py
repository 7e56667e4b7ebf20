"""Models on the same instances, compared by the area under the ROC curve: DeLong's test."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from bakeoff._core.language import Text
from bakeoff._core.validation import FloatArray
from bakeoff.comparison._closeness import inverted_pvalue
from bakeoff.comparison._conditions import AREA, ENOUGH_PER_CLASS, NOT_ONE_BY_ONE, ON_ROWS, ROWS_ALONE, DesignFacts
from bakeoff.comparison._entry import Reference, Test
from bakeoff.comparison._jobs import Finding, InstanceJob, Omnibus, Outcome, Pair, limits_of
from bakeoff.comparison._plan_areas import plan_areas
from bakeoff.comparison._planners import Planning
from bakeoff.comparison.tests._t import student_finding
from bakeoff.comparison.tests.resampling import undefined_finding
from bakeoff.comparison.tests.rule import difference, rule_of
from bakeoff.stats import delong_many, delong_test, sample_size_delong
from bakeoff.stats.roc import DeLongManyResult, DeLongTestResult, delong_columns

_TABLE_CELLS = 20_000_000  # rows × models up to which the scores of all models are held as one table


def _delong(job: InstanceJob) -> Outcome:
    values = job.values()
    aucs = np.array([v.value for v in values])
    if not np.isfinite(aucs).all():
        found = tuple(undefined_finding(pair, values, "delong") for pair in job.pairs)
        return Outcome(found, aucs)
    if job.rows.units.weight is not None or job.rows.frequency is not None:
        return _weighted(job, aucs)
    if job.rows.n * len(job.models) > _TABLE_CELLS and job.rows.units.of_row is None:
        return _delong_by_columns(job, aucs)
    scores = np.stack([job.rows.scores(m) for m in job.models], axis=1)
    findings = tuple(_pair(job, scores, pair) for pair in job.pairs)
    omnibus = None
    if len(job.models) > 2:
        omnibus = _omnibus(delong_many(job.rows.positives(), scores, groups=job.rows.units.of_row))
    return Outcome(findings, aucs, omnibus)


def _weighted(job: InstanceJob, aucs: FloatArray) -> Outcome:
    """DeLong's variance of weighted placements, with his factor m/(m − 1) in each class; Obuchowski's of groups."""
    influence, units = rule_of(job).influence, job.rows.units
    stratum = job.rows.positives().astype(np.int64)
    df = math.inf if units.of_row is None else max(units.n - 1, 1)
    method = "DeLong" if units.weight is None else "DeLong, weighted"
    found = []
    for pair in job.pairs:
        one = difference(influence, pair)
        se = float(one.standard_error("stratum", stratum)[0])
        gap = float(one.value[0])
        made = student_finding(pair, gap, se, df, units.n, alternative=job.alternative, method=method)
        factor, constant = job.measure.area or (1.0, 0.0)
        first, second = ((aucs[model] - constant) / factor for model in pair)
        found.append(replace(made, effect_size=_cohen_h(first, second), effect="Cohen's h"))
    return Outcome(tuple(found), aucs)


def _cohen_h(first: float, second: float) -> float:
    """The difference of two probabilities on the arcsine scale, where their spread is even."""
    return 2 * (math.asin(math.sqrt(first)) - math.asin(math.sqrt(second)))


def _delong_by_columns(job: InstanceJob, aucs: FloatArray) -> Outcome:
    """The same, looking at one model's scores at a time: for evidence whose scores would not fit as a table."""
    every = delong_columns(job.rows.positives(), (job.rows.scores(m) for m in job.models))
    findings = tuple(_finding(job, pair, every.pair(pair.a, pair.b, job.alternative), "") for pair in job.pairs)
    omnibus = _omnibus(every.homogeneity()) if len(job.models) > 2 else None
    return Outcome(findings, aucs, omnibus)


def _omnibus(result: DeLongManyResult) -> Omnibus:
    return Omnibus(statistic=result.statistic, df=(float(result.df),), pvalue=result.pvalue, notes=result.notes)


def _pair(job: InstanceJob, scores: FloatArray, pair: Pair) -> Finding:
    groups = job.rows.units.of_row
    result = delong_test(
        job.rows.positives(), scores[:, pair.a], scores[:, pair.b], alternative=job.alternative, groups=groups
    )
    return _finding(job, pair, result, ", clustered" if groups is not None else "")


def _finding(job: InstanceJob, pair: Pair, result: DeLongTestResult, clusters: str) -> Finding:
    factor, _ = job.measure.area or (1.0, 0.0)
    of_area = limits_of(result.confidence_interval)

    def limits(level: float) -> tuple[float, float]:
        low, high = of_area(level)
        return factor * low, factor * high

    return Finding(
        pair=pair,
        estimate=factor * result.estimate,
        statistic=result.statistic,
        pvalue=inverted_pvalue(limits, job.alternative) if math.isnan(result.pvalue) else result.pvalue,
        limits=limits,
        effect_size=_cohen_h(result.auc_a, result.auc_b),
        effect="Cohen's h",
        method=f"DeLong{clusters}",
        notes=result.notes,
    )


# -- planning ---------------------------------------------------------------------------------------------------------


def _typical_aucs() -> Text:
    return Text(
        "To tell AUCs of 0.90 and 0.85 apart with 80 % power, bakeoff.plan asks for about {n}.",
        n=sample_size_delong(0.90, 0.85, prevalence=0.5, correlation=0.5),
    )


# -- entry ------------------------------------------------------------------------------------------------------------


def _because(facts: DesignFacts) -> Text:
    if facts.grouped:
        return Text("AUC on rows in clusters: DeLong's variance is summed over whole clusters")
    return Text("AUC on one test set: the variance of paired AUCs is known in closed form")


TESTS = (
    Test(
        name="delong",
        label=Text("DeLong's test"),
        reads=InstanceJob,
        run=_delong,
        from_counts=True,
        needs=(*ON_ROWS, AREA, ROWS_ALONE, ENOUGH_PER_CLASS, NOT_ONE_BY_ONE),
        because=_because,
        why=Text("the variance of paired AUCs is known in closed form"),
        also=Text("valid here too, and needs no resampling"),
        plan=Planning(unit="instances", planner=plan_areas, example=_typical_aucs),
        references=(
            Reference(
                "DeLong, DeLong and Clarke-Pearson (1988), Comparing the areas under two or more correlated receiver "
                "operating characteristic curves",
                "10.2307/2531595",
            ),
            Reference("Obuchowski (1997), Nonparametric analysis of clustered ROC curve data", "10.2307/2533958"),
        ),
    ),
)
