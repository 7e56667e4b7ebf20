"""Any smooth measure on the same instances, from influence values: the interval rule, and the plain linearised test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bakeoff._core.language import Text
from bakeoff._core.validation import IntArray
from bakeoff.comparison._conditions import BY_NAME, ON_ROWS, SMOOTH, DesignFacts
from bakeoff.comparison._entry import Reference, Test
from bakeoff.comparison._jobs import Finding, InstanceJob, Outcome, Pair, RowsOverFoldsJob
from bakeoff.comparison._planners import Planning, plan_from_pilot
from bakeoff.comparison.tests._t import STANDARDISED, standardised, student_finding
from bakeoff.comparison.tests.resampling import identical_note, where_defined
from bakeoff.counts import Counted, Influence
from bakeoff.intervals import LEAVE_ONE_OUT, Rule, t_quantile, weak_notes
from bakeoff.measures import label_of
from bakeoff.stats.distributions import inverted_pvalue

_CONTRAST = np.array([1.0, -1.0])
_FROM_PILOT = Planning(unit="instances", planner=plan_from_pilot)


def rule_of(job: InstanceJob) -> Rule:
    """The interval rule of all models of a job."""
    counted = Counted(job.measure.form.of(job.rows, job.models, job.measure.needs), job.rows.units)
    return Rule(counted, job.measure, LEAVE_ONE_OUT if job.facts.kind == "leave-one-out" else 1.0)


def difference(influence: Influence, pair: Pair) -> Influence:
    """Value and influences of a − b."""
    contrast = np.zeros((influence.value.size, 1))
    contrast[pair.a], contrast[pair.b] = 1.0, -1.0
    return influence.combine(contrast)


def influence_findings(
    job: InstanceJob | RowsOverFoldsJob, influence: Influence, df: float, method: str, stratum: IntArray | None = None
) -> tuple[Finding, ...]:
    """Difference ± t·SE of every pair from influence values, with DeLong's factors where strata are given."""
    found = []
    for pair in job.pairs:
        one, n = difference(influence, pair), influence.units.n
        gap, se = float(one.value[0]), float(one.standard_error("stratum", stratum)[0])
        found.append(student_finding(pair, gap, se, df, n, alternative=job.alternative, method=method))
    return tuple(found)


def _rule(job: InstanceJob) -> Outcome:
    rule, method = rule_of(job), "interval rule"
    made = where_defined(job, method, lambda pair, _: rule_finding(rule, pair, job.models, job.alternative, method))
    return replace(made, notes=weak_notes(job.measure, job.rows, rule, range(len(job.models))))


def rule_finding(rule: Rule, pair: Pair, models: tuple[str, ...], alternative: str, method: str) -> Finding:
    """What the rule says about a pair: interval, and the p-value that inverts it."""
    spread = rule.spread(tuple(pair), _CONTRAST)
    estimate = float(rule.influence.value[pair.a] - rule.influence.value[pair.b])

    def limits(level: float) -> tuple[float, float]:
        low, high = rule.difference(pair.a, pair.b, level)
        return min(low, estimate), max(high, estimate)

    alike = spread.se == 0 and estimate == 0
    return Finding(
        pair=pair, estimate=estimate, limits=limits, effect=STANDARDISED, method=method,
        statistic=0.0 if alike else estimate / spread.se if spread.se > 0 else float("nan"),
        pvalue=1.0 if alike else inverted_pvalue(limits, alternative),
        effect_size=standardised(estimate, spread.se, rule.influence.units.n),
        notes=(identical_note(models, pair),) if alike else (),
    )  # fmt: skip


_LINEARISED = "linearised"


def with_quotients(job: InstanceJob, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Add a / b with its interval, on the log scale with t(units − 1): log a − log b moves by ψ_a / a − ψ_b / b.

    The spread is the rule's, in which few items of unequal size are left out one by one, unless the difference is
    linearised too.
    """
    rule = rule_of(job)
    influence = rule.influence
    t = t_quantile(max(influence.units.n - 1, 1), job.level)
    found = []
    for finding in findings:
        a, b = influence.value[list(finding.pair)]
        quotient = (float("nan"),) * 3
        if a > 0 and b > 0:
            contrast = np.zeros((influence.value.size, 1))
            contrast[finding.pair.a], contrast[finding.pair.b] = 1 / a, -1 / b
            linear = finding.method == _LINEARISED
            by_rule = rule.spread((finding.pair.a, finding.pair.b), np.array([1 / a, -1 / b]))
            half = t * (float(influence.combine(contrast).standard_error()[0]) if linear else by_rule.se)
            quotient = (float(a / b), float(a / b * np.exp(-half)), float(a / b * np.exp(half)))
        found.append(replace(finding, quotient=quotient))
    return tuple(found)


def _linearized(job: InstanceJob) -> Outcome:
    """Difference ± t(units − 1)·SE from influence values, on the measure's own scale."""
    influence = rule_of(job).influence
    found = influence_findings(job, influence, max(influence.units.n - 1, 1), _LINEARISED)
    return Outcome(found, influence.value)


def _because(facts: DesignFacts) -> Text:
    measure = label_of(facts.measure)
    if facts.weighted:
        return Text("{measure} on weighted rows: influences carry the weights", measure=measure)
    if facts.grouped:
        return Text("{measure} on rows in clusters: whole clusters are left out and summed", measure=measure)
    return Text("{measure} on one test set: one rule gives interval and p-value", measure=measure)


TESTS = (
    Test(
        name="rule",
        label=Text("the interval rule"),
        reads=InstanceJob,
        run=_rule,
        from_counts=True,
        needs=(*ON_ROWS, SMOOTH),
        because=_because,
        why=Text("one rule for every smooth measure: interval and p-value from influence values"),
        also=Text("valid here too; a known procedure holds"),
        plan=_FROM_PILOT,
        references=(
            Reference(
                "Efron (1982), The jackknife, the bootstrap and other resampling plans", "10.1137/1.9781611970319"
            ),
            Reference(
                "Bell and McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage "
                "samples"
            ),
        ),
    ),
    Test(
        name="linearized",
        label=Text("the linearised test"),
        reads=InstanceJob,
        run=_linearized,
        from_counts=True,
        needs=(*ON_ROWS, SMOOTH, BY_NAME),
        also=Text("valid here too; it is normal on the measure's own scale"),
        plan=_FROM_PILOT,
        references=(Reference("Wolter (2007), Introduction to variance estimation", "10.1007/978-0-387-35099-8"),),
    ),
)
