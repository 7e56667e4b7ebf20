"""What a pilot tells about the models to be compared: discordance, correlation, spread, prevalence."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import singledispatch

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.comparison._conditions import AUC, MEAN, PAIRED_REPEATS, RIGHT_OR_WRONG, ROWS_OVER_FOLDS
from bakeoff.comparison._jobs import DatasetJob, FoldJob, InstanceJob, Job, RowsOverFoldsJob, split_sizes
from bakeoff.comparison._planners import PilotError, PlanFacts, class_within
from bakeoff.comparison._prepare import prepare
from bakeoff.comparison.tests.rule import rule_of
from bakeoff.counts import Counted
from bakeoff.evidence import Predictions, Rows, Scores, Units
from bakeoff.intervals import FoldRule, Rule, fold_rule
from bakeoff.measures import Measure
from bakeoff.stats import auc


@dataclass(frozen=True)
class Pilot:
    """What evidence already at hand tells: the measure's name, and the facts a plan needs."""

    measure: str = ""
    facts: PlanFacts = field(default_factory=PlanFacts)


def read_pilot(evidence: Predictions | Scores, measure: str | Measure | None) -> Pilot:
    """Read the planning parameters of two models (the first two) from evidence already at hand."""
    jobs = prepare(evidence, measure)
    job = next((j for j in jobs.every if isinstance(j, RowsOverFoldsJob) and _rows_are_compared(j)), jobs.first)
    if len(job.models) < 2:
        raise EvidenceError("a pilot needs the results of at least two models.", hint="give both models' predictions")
    return Pilot(job.measure.name, _facts(job))


def _rows_are_compared(job: RowsOverFoldsJob) -> bool:
    """Over folds `compare` takes rows as the unit where it can."""
    return ROWS_OVER_FOLDS.holds(job.facts) and PAIRED_REPEATS.holds(job.facts)


@singledispatch
def _facts(job: Job) -> PlanFacts:
    raise NotImplementedError


@_facts.register
def _of_datasets(job: DatasetJob) -> PlanFacts:
    sd = _mean_pair_deviation(job.scores)
    if not job.facts.several_datasets:  # one score of each model: counted as a split
        return PlanFacts(n_models=len(job.models), sd=sd, n_splits=len(job.scores))
    return PlanFacts(n_models=len(job.models), sd=sd, n_datasets=len(job.scores))


@_facts.register
def _of_folds(job: FoldJob) -> PlanFacts:
    sizes, folds = split_sizes(job.splits), job.facts.n_folds
    n_train, n_test = (None, None) if folds < 2 else (folds - 1.0, 1.0)
    return PlanFacts(
        n_models=len(job.models),
        sd=_mean_pair_deviation(job.scores),
        n_splits=len(job.scores),
        n_train=n_train if sizes is None else sizes.n_train,
        n_test=n_test if sizes is None else sizes.n_test,
    )


def _mean_pair_deviation(values: FloatArray) -> float:
    """Root mean square, over pairs of models, of the standard deviation of their differences."""
    k = values.shape[1]
    variances = [float((values[:, i] - values[:, j]).var(ddof=1)) for i in range(k) for j in range(i + 1, k)]
    return float(np.sqrt(np.mean(variances)))


@_facts.register
def _of_instances(job: InstanceJob) -> PlanFacts:
    within, plain = class_within(job.measure), job.rows.units.plain
    known = PlanFacts(n_models=len(job.models), n_rows=job.rows.n, plain=plain, pilot=_influence_error(job))
    kind, a, b = job.facts.measure_kind, *job.models[:2]
    if not plain or (kind not in (RIGHT_OR_WRONG, AUC, MEAN) and not within):
        if known.pilot is None:
            raise EvidenceError(
                f"this pilot tells nothing of how a difference in {job.measure.name} varies.",
                hint="give two models that differ, and a measure that changes smoothly with the rows",
            )
        return known
    if kind == AUC:
        return _with_auc_facts(known, job.measure, job.rows, a, b)
    if within or kind == RIGHT_OR_WRONG:
        counted, mine = job.counted(), job.in_class()
        return replace(
            known,
            discordant=float(np.mean(counted[mine, 0] != counted[mine, 1])),
            prevalence=float(job.rows.positives().mean()) if within else None,
        )
    values = job.unit_values()
    return replace(known, sd=float((values[:, 0] - values[:, 1]).std(ddof=1)))


@_facts.register
def _of_rows_over_folds(job: RowsOverFoldsJob) -> PlanFacts:
    """The next run is of the same protocol: its standard error shrinks with the rows as the pilot's would."""
    rule = fold_rule(job.measure, job.rows, job.models)
    if rule is None:
        raise EvidenceError(
            "a pilot over folds needs every case tested once in every repeat, and to know which case each row is.",
            hint="give instance=, or the fold scores",
        )
    n = rule.counted.units.rows
    return PlanFacts(n_models=len(job.models), n_rows=n, plain=False, over_folds=True, pilot=_error(rule, n))


def _influence_error(job: InstanceJob) -> PilotError | None:
    """Standard error of the difference of the first two models, and what groups make of it."""
    if not job.facts.smooth:
        return None
    rule, units = rule_of(job), job.rows.units
    found = _error(rule, job.rows.n)
    if found is None or units.of_row is None:
        return found
    alone = _error(
        Rule(
            Counted(rule.counted.form, Units.of(job.rows.n, weight=job.rows.weight, frequency=job.rows.frequency)),
            job.measure,
        ),
        units.rows,
    )
    return found if alone is None else replace(found, design_effect=(found.se / alone.se) ** 2)


def _error(rule: Rule, n: int) -> PilotError | None:
    """None where the models do not differ on any row."""
    spread = rule.spread((0, 1), np.array([1.0, -1.0]))
    if spread.se <= 0:
        return None
    one_run = isinstance(rule, FoldRule) and rule.n_repeats < 2
    return PilotError(
        se=spread.se,
        df=spread.df,
        rows=n,
        guard=float(np.sqrt(spread.weight)) * spread.move,
        stretch=rule.stretch((0, 1), np.array([1.0, -1.0])) if one_run else 1.0,
    )


def _with_auc_facts(known: PlanFacts, measure: Measure, rows: Rows, a: str, b: str) -> PlanFacts:
    factor, constant = measure.area
    positive = rows.positives()
    scores = [rows.scores(m) for m in (a, b)]
    return replace(
        known,
        baseline=constant + factor * min(auc(positive, s) for s in scores),  # the other is the difference above it
        prevalence=float(positive.mean()),
        correlation=_within_class_correlation(positive, *scores),
    )


def _within_class_correlation(positive: BoolArray, first: FloatArray, second: FloatArray) -> float:
    """Correlation of normal scores (ranks turned into normal quantiles) within each class, averaged by size."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    total, weight = 0.0, 0
    for side in (positive, ~positive):
        n = int(side.sum())
        if n > 2:
            normal = [ndtri((rankdata(s[side]) - 0.5) / n) for s in (first, second)]
            if all(np.ptp(v) > 0 for v in normal):
                total += n * float(np.corrcoef(*normal)[0, 1])
                weight += n
    return float(np.clip(total / weight, -0.99, 0.99)) if weight else 0.5
