"""Bayesian tests over data sets: probabilities of worse, practically equal and better."""

from __future__ import annotations

import math

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.notes import Note
from bakeoff._core.random import named_stream
from bakeoff._core.validation import FloatArray
from bakeoff.comparison._finding import BayesPair, Finding, Job, Outcome, limits_of
from bakeoff.stats import bayes_hierarchical, bayes_sign, bayes_signed_rank, friedman, rank_biserial, wilcoxon


def signed_rank_posteriors(job: Job) -> tuple[BayesPair, ...]:
    """Bayesian signed-rank test of every pair; every pair has its own random stream, whatever the order of models."""
    seed = int(job.rng.integers(2**63))
    return tuple(_signed_rank(job, a, b, seed) for a, b in job.pairs)


def bayesian_signed_rank(job: Job) -> Outcome:
    """Bayesian signed-rank test as the test itself."""
    return _outcome(job, signed_rank_posteriors(job), "Bayesian signed-rank, Hodges–Lehmann interval")


def bayesian_sign(job: Job) -> Outcome:
    """Bayesian sign test as the test itself."""
    posteriors = tuple(_sign(job, a, b) for a, b in job.pairs)
    return _outcome(job, posteriors, "Bayesian sign test, Hodges–Lehmann interval")


def hierarchical(job: Job) -> Outcome:
    """Hierarchical Bayesian test of every pair, from the folds of all data sets."""
    seed = int(job.rng.integers(2**63))
    found = [_hierarchical(job, a, b, seed) for a, b in job.pairs]
    posteriors = tuple(f.posterior for f in found if f.posterior is not None)
    return Outcome(tuple(found), job.table().mean(axis=0), ranks=_ranks(job), bayes=posteriors)


def _signed_rank(job: Job, a: int, b: int, seed: int) -> BayesPair:
    names, turn, better = _oriented(job, a, b)
    rng = named_stream(seed, *names, "signed-rank")
    result = bayes_signed_rank(better, rope=job.rope, rng=rng)
    pair = BayesPair(
        *names, result.p_a_better, result.p_equivalent, result.p_b_better, job.rope, "bayes-signed-rank",
        _serious(result.notes),
    )  # fmt: skip
    return pair if turn > 0 else pair.flipped()


def _sign(job: Job, a: int, b: int) -> BayesPair:
    names, turn, better = _oriented(job, a, b)
    result = bayes_sign(better, rope=job.rope)
    pair = BayesPair(
        *names,
        result.p_a_better,
        result.p_equivalent,
        result.p_b_better,
        job.rope,
        "bayes-sign",
        _serious(result.notes),
    )
    return pair if turn > 0 else pair.flipped()


def _oriented(job: Job, a: int, b: int) -> tuple[tuple[str, str], int, FloatArray]:
    """The pair in the order of the names, and its differences turned so that positive means the first is better."""
    turn = 1 if job.models[a] <= job.models[b] else -1
    first, second = (a, b) if turn > 0 else (b, a)
    better = job.sign * (job.table()[:, first] - job.table()[:, second])
    return (job.models[first], job.models[second]), turn, better


def _serious(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    return tuple(n for n in notes if n.level == "warning" or n.code in ("identical-models", "all-equal"))


def _outcome(job: Job, posteriors: tuple[BayesPair, ...], method: str) -> Outcome:
    found = []
    for (a, b), posterior in zip(job.pairs, posteriors, strict=True):
        first, second = job.table()[:, a], job.table()[:, b]
        shift = wilcoxon(first, second)
        same = np.allclose(first, second, rtol=0, atol=1e-12)
        found.append(
            Finding(
                a, b, shift.estimate, posterior.p_a_better, math.nan, limits_of(shift.confidence_interval),
                0.0 if same else float(rank_biserial(first, second)), "rank-biserial correlation", method,
                signed=False, posterior=posterior, notes=posterior.notes,
            )
        )  # fmt: skip
    return Outcome(tuple(found), job.table().mean(axis=0), ranks=_ranks(job), bayes=posteriors)


def _hierarchical(job: Job, a: int, b: int, seed: int) -> Finding:
    lengths = {len(folds) for folds in job.folds}
    if len(lengths) != 1:
        raise EvidenceError(
            f"the hierarchical test needs the same number of splits on every data set. Got {sorted(lengths)}.",
            hint="select data sets with the same protocol, or use test='bayes-signed-rank'",
        )
    names, turn, _ = _oriented(job, a, b)
    first, second = (a, b) if turn > 0 else (b, a)
    better = np.stack([job.sign * (f[:, first] - f[:, second]) for f in job.folds])
    rng = named_stream(seed, *names, "hierarchical")
    result = bayes_hierarchical(better, rho=float(np.mean(job.overlap)), rope=job.rope, rng=rng)
    pair = BayesPair(
        *names, result.p_a_better, result.p_equivalent, result.p_b_better, job.rope, "bayes-hierarchical", result.notes
    )
    posterior = pair if turn > 0 else pair.flipped()
    low, high = sorted((job.sign * turn * result.low, job.sign * turn * result.high))
    spread = float(result.spread)
    estimate = job.sign * turn * float(result.mean)
    return Finding(
        a, b, estimate, posterior.p_a_better, math.nan, lambda level: (float(low), float(high)),
        estimate / spread if spread > 0 else math.nan, "mean over spread between data sets",
        "Bayesian hierarchical, 95 % credible interval", signed=False, posterior=posterior, notes=result.notes,
    )  # fmt: skip


def _ranks(job: Job) -> FloatArray | None:
    if len(job.table()) < 2:
        return None
    return friedman(job.table(), greater_is_better=job.measure.greater_is_better).mean_ranks
