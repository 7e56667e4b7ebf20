"""Bayesian tests over folds and data sets: probabilities of worse, practically equal and better."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.language import Text
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray, named_stream
from bakeoff.comparison._checks import normality_checks, outlier_checks
from bakeoff.comparison._conditions import FOLDS_IN_DATASETS, HAS_FOLDS, ON_SCORES
from bakeoff.comparison._entry import Reference, Test
from bakeoff.comparison._jobs import BayesPair, DatasetJob, Finding, FoldJob, Outcome, Pair, ScoreJob, limits_of
from bakeoff.comparison._planners import CannotPlan
from bakeoff.comparison._ranks import EFFECT, biserial, mean_ranks
from bakeoff.comparison.tests._t import EFFECT as COHEN_DZ
from bakeoff.comparison.tests._t import cohen_dz
from bakeoff.comparison.tests.folds import known_sizes
from bakeoff.stats import bayes_correlated_t, bayes_hierarchical, bayes_sign, bayes_signed_rank, wilcoxon


@dataclass(frozen=True)
class _Ordered:
    """A pair in the order of its scores, so that random draws depend neither on names nor on the order asked for."""

    first: int
    second: int
    names: tuple[str, str]
    turned: bool

    @classmethod
    def of(cls, job: ScoreJob, pair: Pair) -> _Ordered:
        a, b = ((job.scores[:, m].tolist(), job.models[m]) for m in (pair.a, pair.b))
        turned = a > b
        first, second = (pair.b, pair.a) if turned else pair
        return cls(first, second, (job.models[first], job.models[second]), turned)

    def better(self, job: ScoreJob, scores: FloatArray) -> FloatArray:
        """Differences turned so that positive means the first is better."""
        return np.asarray(job.sign * (scores[:, self.first] - scores[:, self.second]))

    def posterior(self, job: ScoreJob, result: Any, notes: tuple[Note, ...]) -> BayesPair:
        """The posterior in the order asked for."""
        made = _bayes_pair(job, self.names, result, notes)
        return made.flipped() if self.turned else made


def _bayes_pair(job: ScoreJob, names: tuple[str, str], result: Any, notes: tuple[Note, ...]) -> BayesPair:
    return BayesPair(
        model_a=names[0], model_b=names[1], p_a_better=result.p_a_better, p_equivalent=result.p_equivalent,
        p_b_better=result.p_b_better, rope=job.rope, notes=notes,
    )  # fmt: skip


def _finding(pair: Pair, posterior: BayesPair, notes: tuple[Note, ...], **more: Any) -> Finding:
    """What a posterior decides: its statistic is the probability that the first is better."""
    statistic = posterior.p_a_better
    return Finding(
        pair=pair, statistic=statistic, pvalue=math.nan, signed=False, posterior=posterior, notes=notes, **more
    )


def _outcome(job: ScoreJob, found: Iterable[Finding], **more: Any) -> Outcome:
    findings = tuple(found)
    posteriors = tuple(f.posterior for f in findings if f.posterior is not None)
    return Outcome(findings, job.scores.mean(axis=0), bayes=posteriors, **more)


# -- over folds -------------------------------------------------------------------------------------------------------


def _correlated_t(job: FoldJob) -> Outcome:
    n_train, n_test, notes = known_sizes(job)
    rho = n_test / (n_train + n_test)  # the correlation of two folds' scores
    checks = (*normality_checks(job, job.scores), *outlier_checks(job))
    return _outcome(job, (_correlated_pair(job, pair, rho) for pair in job.pairs), checks=checks, notes=notes)


def _correlated_pair(job: FoldJob, pair: Pair, rho: float) -> Finding:
    differences = job.scores[:, pair.a] - job.scores[:, pair.b]
    result = bayes_correlated_t(differences, rho=rho, rope=job.rope)
    better = bayes_correlated_t(job.sign * differences, rho=rho, rope=job.rope)
    posterior = _bayes_pair(job, (job.models[pair.a], job.models[pair.b]), better, better.notes)
    return _finding(
        pair, posterior, result.notes, estimate=result.mean, limits=limits_of(result.credible_interval),
        effect_size=cohen_dz(pair, job.scores), effect=COHEN_DZ, working=result,
        method="Bayesian correlated t, credible interval",
    )  # fmt: skip


# -- over data sets ---------------------------------------------------------------------------------------------------


def _signed_rank(job: DatasetJob) -> Outcome:
    seed = int(job.question.rng.integers(2**63))

    def answer(better: FloatArray) -> Any:
        return bayes_signed_rank(better, rope=job.rope, rng=named_stream(seed, "signed-rank"))

    return _by_ranks(job, answer, "Bayesian signed-rank, Hodges–Lehmann interval")


def _sign(job: DatasetJob) -> Outcome:
    return _by_ranks(job, partial(bayes_sign, rope=job.rope), "Bayesian sign test, Hodges–Lehmann interval")


def _by_ranks(job: DatasetJob, answer: Callable[[FloatArray], Any], method: str) -> Outcome:
    """A posterior of each pair's differences, beside the estimate and interval of the signed ranks."""
    found = []
    for pair in job.pairs:
        ordered, first, second = _Ordered.of(job, pair), job.scores[:, pair.a], job.scores[:, pair.b]
        shift, result = wilcoxon(first, second), answer(ordered.better(job, job.scores))
        serious = (n for n in result.notes if n.level == "warning" or n.code in ("identical-models", "all-equal"))
        posterior = ordered.posterior(job, result, tuple(serious))
        found.append(
            _finding(
                pair, posterior, posterior.notes, estimate=shift.estimate, effect=EFFECT, method=method,
                limits=limits_of(shift.confidence_interval), effect_size=biserial(first, second),
            )
        )  # fmt: skip
    return _outcome(job, found, ranks=mean_ranks(job))


# -- over the folds of data sets --------------------------------------------------------------------------------------


def _hierarchical(job: DatasetJob) -> Outcome:
    seed = int(job.question.rng.integers(2**63))
    return _outcome(job, (_hierarchical_pair(job, pair, seed) for pair in job.pairs), ranks=mean_ranks(job))


def _hierarchical_pair(job: DatasetJob, pair: Pair, seed: int) -> Finding:
    lengths = {len(folds) for folds in job.folds}
    if len(lengths) != 1:
        raise EvidenceError(
            f"the hierarchical test needs the same number of splits on every data set. Got {sorted(lengths)}.",
            hint="select data sets with the same protocol, or use test='bayes-signed-rank'",
        )
    ordered = _Ordered.of(job, pair)
    better = np.stack([ordered.better(job, folds) for folds in job.folds])
    rng = named_stream(seed, "hierarchical")
    result = bayes_hierarchical(better, rho=float(np.mean(job.overlap)), rope=job.rope, rng=rng)
    posterior = ordered.posterior(job, result, result.notes)
    back = -job.sign if ordered.turned else job.sign  # from "the first is better" to a − b in the measure's units
    low, high = sorted((back * result.low, back * result.high))
    estimate, spread = back * float(result.mean), float(result.spread)
    return _finding(
        pair, posterior, result.notes, estimate=estimate, limits=lambda level: (float(low), float(high)),
        effect_size=estimate / spread if spread > 0 else math.nan, effect="mean over spread between data sets",
        method="Bayesian hierarchical, 95 % credible interval",
    )  # fmt: skip


# -- entries ----------------------------------------------------------------------------------------------------------

_POSTERIOR = CannotPlan(Text("a posterior probability has no power; plan for the test it is reported with"))
_BY_NAME = Text("valid here too; compares two models at a time, ask for it by name")
_TIME_FOR_A_CHANGE = Reference(
    "Benavoli, Corani, Demšar and Zaffalon (2017), Time for a change: a tutorial for comparing multiple classifiers "
    "through Bayesian analysis, Journal of Machine Learning Research 18(77)"
)

TESTS = (
    Test(
        name="bayes-correlated-t",
        label=Text("the Bayesian correlated t-test"),
        reads=FoldJob,
        run=_correlated_t,
        needs=(HAS_FOLDS,),
        also=_BY_NAME,
        plan=_POSTERIOR,
        bayesian=True,
        references=(
            Reference(
                "Corani and Benavoli (2015), A Bayesian approach for comparing cross-validated algorithms on multiple "
                "data sets",
                "10.1007/s10994-015-5486-z",
            ),
        ),
    ),
    Test(
        name="bayes-signed-rank",
        label=Text("the Bayesian signed-rank test"),
        reads=DatasetJob,
        run=_signed_rank,
        needs=ON_SCORES,
        also=_BY_NAME,
        plan=_POSTERIOR,
        orders_by="ranks",
        bayesian=True,
        references=(_TIME_FOR_A_CHANGE,),
    ),
    Test(
        name="bayes-sign",
        label=Text("the Bayesian sign test"),
        reads=DatasetJob,
        run=_sign,
        needs=ON_SCORES,
        also=Text("valid here too; it uses only the sign of each difference, so it has less power"),
        plan=_POSTERIOR,
        orders_by="ranks",
        bayesian=True,
        references=(_TIME_FOR_A_CHANGE,),
    ),
    Test(
        name="bayes-hierarchical",
        label=Text("the hierarchical Bayesian test"),
        reads=DatasetJob,
        run=_hierarchical,
        needs=(FOLDS_IN_DATASETS,),
        also=Text("valid here too, and uses the folds; it takes a simulation, ask for it by name"),
        plan=_POSTERIOR,
        orders_by="ranks",
        bayesian=True,
        reads_folds=True,
        references=(
            Reference(
                "Corani, Benavoli, Demšar, Mangili and Zaffalon (2017), Statistical comparison of classifiers through "
                "Bayesian hierarchical modelling",
                "10.1007/s10994-017-5641-9",
            ),
        ),
    ),
)
