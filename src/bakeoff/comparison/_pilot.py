"""What a pilot tells about the models to be compared: discordance, correlation, spread, prevalence."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import singledispatch

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.comparison._facts import AUC, RIGHT_OR_WRONG
from bakeoff.comparison._jobs import DatasetJob, FoldJob, InstanceJob, Job, split_sizes
from bakeoff.comparison._planners import PlanFacts
from bakeoff.comparison._prepare import prepare
from bakeoff.evidence import Predictions, Rows, Scores
from bakeoff.measures import Measure, Trait
from bakeoff.stats import auc


@dataclass(frozen=True)
class Pilot:
    """What evidence already at hand tells: the measure's name, and the facts a plan needs."""

    measure: str = ""
    facts: PlanFacts = field(default_factory=PlanFacts)


def read_pilot(evidence: Predictions | Scores, measure: str | Measure | None) -> Pilot:
    """Read the planning parameters of two models (the first two) from evidence already at hand."""
    job = prepare(evidence, measure).first
    if len(job.models) < 2:
        raise EvidenceError("a pilot needs the results of at least two models.", hint="give both models' predictions")
    return Pilot(job.measure.name, _facts(job))


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
    known = {"n_models": len(job.models), "n_rows": job.rows.n}
    a, b = job.models[:2]
    if job.facts.measure_kind == RIGHT_OR_WRONG:
        return PlanFacts(**known, discordant=float(np.mean(job.rows.correct(a) != job.rows.correct(b))))
    if job.facts.measure_kind == AUC:
        return _auc_facts(known, job.rows, a, b)
    measure = job.measure
    if not measure.has(Trait.MEAN):
        raise EvidenceError(
            f"there is no power calculation for {measure.name}.",
            hint="plan for accuracy, auc, or a mean loss such as log_loss or mae",
        )
    values = job.unit_values()
    return PlanFacts(**known, sd=float((values[:, 0] - values[:, 1]).std(ddof=1)))


def _auc_facts(known: dict[str, int], rows: Rows, a: str, b: str) -> PlanFacts:
    positive = rows.positives()
    scores = [rows.scores(m) for m in (a, b)]
    return PlanFacts(
        n_models=known["n_models"],
        n_rows=known["n_rows"],
        baseline=max(auc(positive, s) for s in scores),
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
