"""Models on the same instances, compared by the area under the ROC curve: DeLong's test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from bakeoff._core.language import Text
from bakeoff._core.validation import FloatArray
from bakeoff.comparison._conditions import AREA, ENOUGH_PER_CLASS, NOT_ONE_BY_ONE, ON_ROWS, ROWS_ALONE, DesignFacts
from bakeoff.comparison._entry import Reference, Test
from bakeoff.comparison._jobs import Finding, InstanceJob, Omnibus, Outcome, Pair, limits_of
from bakeoff.comparison._plan_areas import plan_areas
from bakeoff.comparison._planners import Planning
from bakeoff.comparison.tests.resampling import undefined_finding
from bakeoff.comparison.tests.rule import influence_findings, rule_of
from bakeoff.stats import delong_many, delong_test, sample_size_delong
from bakeoff.stats.roc import DeLongTestResult, delong_columns

_TABLE_CELLS = 20_000_000  # rows × models up to which the scores of all models are held as one table


def _delong(job: InstanceJob) -> Outcome:
    rows, positive = job.rows, job.rows.positives()
    if rows.units.weight is not None or rows.frequency is not None or positive.all() or not positive.any():
        values = job.values()
        areas = np.array([v.value for v in values])
        if np.isfinite(areas).all():
            return _weighted(job, areas)
        return Outcome(tuple(undefined_finding(pair, values, "delong") for pair in job.pairs), areas)
    groups = rows.units.of_row
    if rows.n * len(job.models) > _TABLE_CELLS and groups is None:
        # One model's scores at a time: those of all would not fit as a table.
        every = delong_columns(positive, (rows.scores(m) for m in job.models))
        tested, together = [every.pair(a, b, job.alternative) for a, b in job.pairs], every.homogeneity
    else:
        scores = np.stack([rows.scores(m) for m in job.models], axis=1)
        test = partial(delong_test, positive, alternative=job.alternative, groups=groups)
        tested = [test(scores[:, a], scores[:, b]) for a, b in job.pairs]
        together = partial(delong_many, positive, scores, groups=groups)
    clusters = ", clustered" if groups is not None else ""
    findings = tuple(_finding(job, pair, one, clusters) for pair, one in zip(job.pairs, tested, strict=True))
    return Outcome(findings, _values(job, tested), Omnibus.of(together()) if len(job.models) > 2 else None)


def _values(job: InstanceJob, tested: Sequence[DeLongTestResult]) -> FloatArray:
    """The measure of each model, from the areas that the tests of its pairs have found, ``[k]``."""
    factor, constant = job.measure.area
    areas = np.empty(len(job.models))
    for pair, one in zip(job.pairs, tested, strict=True):
        areas[[pair.a, pair.b]] = one.auc_a, one.auc_b
    return factor * areas + constant


def _weighted(job: InstanceJob, values: FloatArray) -> Outcome:
    """DeLong's variance of weighted placements, with his factor m/(m − 1) in each class; Obuchowski's of groups."""
    units, (factor, constant) = job.rows.units, job.measure.area
    df = math.inf if units.of_row is None else max(units.n - 1, 1)
    method = "DeLong" if units.importance is None else "DeLong, weighted"
    stratum, areas = job.rows.positives().astype(np.int64), (values - constant) / factor
    found = influence_findings(job, rule_of(job).influence, df, method, stratum)
    sized = (replace(f, effect_size=_cohen_h(*areas[list(f.pair)]), effect="Cohen's h") for f in found)
    return Outcome(tuple(sized), values)


def _cohen_h(first: float, second: float) -> float:
    """The difference of two probabilities on the arcsine scale, where their spread is even."""
    return 2 * (math.asin(math.sqrt(first)) - math.asin(math.sqrt(second)))


def _finding(job: InstanceJob, pair: Pair, result: DeLongTestResult, clusters: str) -> Finding:
    factor, _ = job.measure.area
    of_area = limits_of(result.confidence_interval)

    def limits(level: float) -> tuple[float, float]:
        low, high = of_area(level)
        return factor * low, factor * high

    return Finding.of(
        result, pair=pair, estimate=factor * result.estimate, limits=limits, effect="Cohen's h",
        effect_size=_cohen_h(result.auc_a, result.auc_b), method=f"DeLong{clusters}",
    )  # fmt: skip


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
