"""Models on the same instances, where a formula is at hand: right or wrong, and means of a value per instance."""

from __future__ import annotations

from functools import partial
from math import ceil

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import Text
from bakeoff._core.validation import BoolArray, check_number
from bakeoff.comparison._checks import discordant_check, normality_checks, outlier_checks
from bakeoff.comparison._conditions import (
    ACCURACY,
    BY_NAME,
    COMPARABLE,
    GROUPED,
    INDEPENDENT_UNITS,
    MANY_CARRIERS,
    MANY_MODELS,
    MEAN_MEASURE,
    MEAN_OF_ROWS,
    NOT_ONE_BY_ONE,
    ON_ROWS,
    PAIRS,
    TWO_OR_WITHIN,
    UNGROUPED,
    UNWEIGHTED,
    WITHIN_CLASS,
)
from bakeoff.comparison._entry import Reference, Test
from bakeoff.comparison._jobs import DatasetJob, Finding, InstanceJob, Job, Omnibus, Outcome, Pair, ScoreJob
from bakeoff.comparison._planners import CannotPlan, FromDeviation, PlanFacts, Planner, Planning
from bakeoff.comparison._ranks import mean_ranks
from bakeoff.comparison.tests._t import t_findings
from bakeoff.stats import (
    cluster_t,
    cochran_q,
    detectable_mcnemar,
    detectable_paired_t,
    discordant_rates,
    mcnemar,
    paired_t,
    power_mcnemar,
    power_paired_t,
    sample_size_mcnemar,
    sample_size_paired_t,
)

# -- right or wrong ---------------------------------------------------------------------------------------------------


def _mcnemar(job: InstanceJob) -> Outcome:
    counted = job.counted()[job.in_class()]
    findings = tuple(mcnemar_pair(job, counted, pair) for pair in job.pairs)
    checks = tuple(discordant_check(job, counted, pair) for pair in job.pairs)
    return Outcome(findings, counted.mean(axis=0), checks=checks)


def mcnemar_pair(job: InstanceJob, counted: BoolArray, pair: Pair) -> Finding:
    """The larger of mid-p and χ² without correction; Tango's interval, reaching to zero where that does not reject."""
    columns = counted[:, pair.a], counted[:, pair.b]
    result, exact = (mcnemar(*columns, method=how, alternative=job.alternative) for how in ("chi2", "midp"))
    discordant = result.n_a_only + result.n_b_only
    pvalue = 1.0 if discordant == 0 else max(result.pvalue, exact.pvalue)

    def limits(level: float) -> tuple[float, float]:
        interval = result.confidence_interval(level)
        low, high = float(interval.low), float(interval.high)
        if job.alternative == "two-sided" and pvalue > 1 - level:
            return min(low, 0.0), max(high, 0.0)
        return low, high

    return Finding.of(
        result, pair=pair, pvalue=pvalue, limits=limits, method="McNemar, Tango score interval", signed=False,
        # Cohen's g: how far the split of the discordant instances is from even, −½ to ½.
        effect_size=(result.n_a_only / discordant - 0.5) if discordant else 0.0, effect="Cohen's g",
        notes=tuple(n for n in result.notes if n.code == "no-discordant-pairs"),
    )  # fmt: skip


def _cochran_q(job: InstanceJob) -> Outcome:
    counted = job.counted()
    return Outcome((), counted.mean(axis=0), Omnibus.of(cochran_q(counted)))


def _plan_mcnemar(facts: PlanFacts, difference: float | None) -> Planner:
    """What matters is how often exactly one of two models is right."""
    gap = 0.0 if difference is None else difference
    more = ("prevalence",) if facts.within else ()
    if facts.discordant is not None:
        share = check_number("discordant", facts.discordant, low=0, high=1, closed="right")
        if abs(gap) > share:
            raise ParameterError(
                f"difference must be at most the share of instances where exactly one model is right, {share:.3g}. Got "
                f"{abs(gap):g}.",
                hint="ask for a smaller difference, or give discordant=",
            )
        return _discordant_planner(share, facts.counted_share, facts.unknown(*more))
    base = check_number("baseline", facts.or_default("baseline"), low=0, high=1)
    if not 0 <= base + gap <= 1:
        raise ParameterError(
            f"baseline + difference must be between 0 and 1, as no model is right more often. Got {base:g} + {gap:g}.",
            hint="give baseline=, the value of the model to beat, or ask for a smaller difference",
        )
    share = sum(discordant_rates(base + gap, base, facts.or_default("correlation")))
    return _discordant_planner(share, facts.counted_share, facts.unknown("baseline", "correlation", *more))


def _discordant_planner(discordant: float, counted: float, assumed: tuple[str, ...]) -> Planner:
    """`counted` is the share of the rows that the measure is about: those of one class, for recall."""

    def rates(difference: float) -> tuple[float, float]:
        return (discordant + difference) / 2, max(discordant - difference, 0.0) / 2

    def about(n: int) -> int:
        return max(round(n * counted), 1)

    return Planner(
        power_at=lambda d, n, alpha: power_mcnemar(*rates(d), about(n), alpha=alpha),
        needed=lambda d, alpha, power: ceil(sample_size_mcnemar(*rates(d), alpha=alpha, power=power) / counted),
        detectable=lambda n, alpha, power: detectable_mcnemar(discordant, about(n), alpha=alpha, power=power),
        assumptions={"discordant": discordant} | ({} if counted == 1 else {"counted": counted}),
        assumed=assumed,
        minimum=1,
    )


def _typical_accuracies() -> Text:
    return Text(
        "To tell accuracies of 0.90 and 0.85 apart with 80 % power, bakeoff.plan asks for about {n}.",
        n=sample_size_mcnemar(*discordant_rates(0.90, 0.85, correlation=0.5)),
    )


# -- means ------------------------------------------------------------------------------------------------------------


def _paired_t(job: Job) -> Outcome:
    """Paired t-test over whatever the units are: instances, folds (its level is then inflated) or data sets."""
    values = job.unit_values()
    findings = t_findings(job, values, partial(paired_t, alternative=job.alternative), "paired t")
    checks = normality_checks(job, values)
    if isinstance(job, ScoreJob):
        checks = (*checks, *outlier_checks(job))
    ranks = mean_ranks(job) if isinstance(job, DatasetJob) else None
    return Outcome(findings, values.mean(axis=0), ranks=ranks, checks=checks)


def _cluster_t(job: InstanceJob) -> Outcome:
    values, test = job.unit_values(), partial(cluster_t, groups=job.groups(), alternative=job.alternative)
    return Outcome(t_findings(job, values, test, "cluster-robust t"), values.mean(axis=0))


# -- entries ----------------------------------------------------------------------------------------------------------

_PAIRED_T = Text("the paired t-test")

TESTS = (
    Test(
        name="mcnemar",
        label=Text("McNemar's test"),
        reads=InstanceJob,
        run=_mcnemar,
        needs=(*ON_ROWS, WITHIN_CLASS, UNWEIGHTED, UNGROUPED, TWO_OR_WITHIN, NOT_ONE_BY_ONE),
        because=Text("two models, right or wrong on the same instances: only those where they differ can tell"),
        why=Text("only the instances where the two models differ can tell"),
        also=Text("valid here too; it is the special case for two models"),
        plan=Planning(unit="instances", planner=_plan_mcnemar, example=_typical_accuracies),
        references=(
            Reference(
                "McNemar (1947), Note on the sampling error of the difference between correlated proportions or "
                "percentages",
                "10.1007/BF02295996",
            ),
            Reference(
                "Tango (1998), Equivalence test and confidence interval for the difference in proportions for the "
                "paired-sample design",
                "10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B",
            ),
        ),
    ),
    Test(
        name="cochran-q",
        label=Text("Cochran's Q test"),
        reads=InstanceJob,
        run=_cochran_q,
        needs=(*ON_ROWS, ACCURACY, UNWEIGHTED, UNGROUPED, MANY_MODELS, NOT_ONE_BY_ONE),
        because=lambda f: Text("{k} models, right or wrong on the same instances", k=f.n_models),
        why=Text("right or wrong on the same instances, all models together"),
        also=Text("valid here too, before looking at the pairs"),
        pairs_by="mcnemar",
        plan=CannotPlan(Text("plan for its pairs, with mcnemar and n_models=")),
        references=(
            Reference("Cochran (1950), The comparison of percentages in matched samples", "10.1093/biomet/37.3-4.256"),
        ),
    ),
    Test(
        name="cluster-t",
        label=Text("the cluster-robust t-test"),
        reads=InstanceJob,
        run=_cluster_t,
        needs=(*ON_ROWS, MEAN_OF_ROWS, UNWEIGHTED, GROUPED, BY_NAME),
        because=Text("the rows come in clusters: differences are summed over whole clusters"),
        why=Text("only clusters are taken as independent"),
        also=Text("valid here too: differences summed over whole clusters"),
        plan=CannotPlan(Text("it depends on how alike the rows of a cluster are")),
        references=(
            Reference(
                "Cameron and Miller (2015), A practitioner's guide to cluster-robust inference", "10.3368/jhr.50.2.317"
            ),
        ),
    ),
    Test(
        name="paired-t",
        label=_PAIRED_T,
        reads=Job,
        run=_paired_t,
        needs=(
            PAIRS,
            MEAN_MEASURE,
            UNWEIGHTED,
            UNGROUPED,
            INDEPENDENT_UNITS,
            COMPARABLE,
            MANY_CARRIERS,
            NOT_ONE_BY_ONE,
        ),
        because=Text("a mean over the same cases: the mean of the paired differences"),
        why=Text("the mean of paired differences of many items is close to normal"),
        also=Text("valid here too when the pairs are many; it assumes that the mean is normal"),
        plan=Planning(
            unit="instances",
            planner=FromDeviation(
                test=_PAIRED_T, power=power_paired_t, size=sample_size_paired_t, detectable=detectable_paired_t
            ),
        ),
        references=(Reference("Student (1908), The probable error of a mean", "10.1093/biomet/6.1.1"),),
    ),
)
