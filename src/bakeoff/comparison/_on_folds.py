"""Models on the folds or hold-outs of one data set, whose training sets overlap."""

from __future__ import annotations

import math

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import said
from bakeoff._core.notes import Note
from bakeoff._core.text import format_number, format_pvalue
from bakeoff._core.validation import FloatArray
from bakeoff.comparison._checks import normality_checks, outlier_checks
from bakeoff.comparison._finding import BayesPair, Check, Finding, Job, Outcome, limits_of
from bakeoff.comparison._on_instances import t_finding
from bakeoff.stats import bayes_correlated_t, cohen_d, five_by_two_f, five_by_two_t, paired_t
from bakeoff.stats import corrected_t as corrected_t_test


def corrected_t(job: Job) -> Outcome:
    """Nadeau & Bengio's t-test of every pair; with two models the Bayesian correlated t-test beside it."""
    values = job.table()
    n_train, n_test, notes = sizes(job)
    findings = []
    for a, b in job.pairs:
        result = corrected_t_test(
            values[:, a], values[:, b], n_train=n_train, n_test=n_test, alternative=job.alternative
        )
        findings.append(t_finding(a, b, result, values, "corrected resampled t"))
    beside = _posteriors(job) if len(job.models) == 2 else ()
    notes = (*notes, *_repeats_note(job))
    return Outcome(tuple(findings), values.mean(axis=0), bayes=beside, checks=_checks(job), notes=notes)


def paired_t_scores(job: Job) -> Outcome:
    """Plain paired t-test over folds (inflated) or data sets."""
    values = job.table()
    findings = tuple(
        t_finding(a, b, paired_t(values[:, a], values[:, b], alternative=job.alternative), values, "paired t")
        for a, b in job.pairs
    )
    return Outcome(findings, values.mean(axis=0), checks=_checks(job))


def five_by_two_combined(job: Job) -> Outcome:
    """Alpaydin's F of every pair, with Dietterich's t beside it."""
    _refuse_one_sided(job)
    values = job.table()
    findings = tuple(_alpaydin(job, values, a, b) for a, b in job.pairs)
    return Outcome(findings, values.mean(axis=0), checks=_checks(job), notes=(_two_folds_note(),))


def five_by_two_dietterich(job: Job) -> Outcome:
    """Dietterich's t of every pair."""
    _refuse_one_sided(job)
    values = job.table()
    findings = tuple(_dietterich(values, a, b) for a, b in job.pairs)
    return Outcome(findings, values.mean(axis=0), checks=_checks(job), notes=(_two_folds_note(),))


def bayesian_correlated_t(job: Job) -> Outcome:
    """Posterior of every pair."""
    values = job.table()
    n_train, n_test, notes = sizes(job)
    rho = n_test / (n_train + n_test)
    findings = []
    for (a, b), posterior in zip(job.pairs, _posteriors(job), strict=True):
        result = bayes_correlated_t(values[:, a] - values[:, b], rho=rho, rope=job.rope)
        findings.append(
            Finding(
                a, b, result.mean, posterior.p_a_better, math.nan, limits_of(result.credible_interval),
                _dz(values, a, b), "Cohen's dz",
                "Bayesian correlated t, credible interval", signed=False, posterior=posterior, notes=result.notes,
            )
        )  # fmt: skip
    posteriors = tuple(f.posterior for f in findings if f.posterior is not None)
    return Outcome(tuple(findings), values.mean(axis=0), bayes=posteriors, checks=_checks(job), notes=notes)


# -- parts ------------------------------------------------------------------------------------------------------------


def sizes(job: Job) -> tuple[float, float, tuple[Note, ...]]:
    """Sizes of the training and test sets; of k-fold cross-validation they follow from the number of folds."""
    if job.n_train and job.n_test:
        return job.n_train, job.n_test, ()
    folds = job.situation.n_folds
    if job.situation.kind in ("k-fold", "5x2cv") and folds > 1:
        message = said(
            "The sizes of the folds were not given; n_test/n_train was taken as 1/{ratio}, from {folds} folds.",
            ratio=folds - 1,
            folds=folds,
        )
        return folds - 1.0, 1.0, (Note("overlap-from-folds", message),)
    raise EvidenceError(
        f"the corrected t-test needs the sizes of the training and test sets of the {job.situation.n_splits} splits.",
        hint="give n_train= (and n_test=) with the evidence",
    )


def _repeats_note(job: Job) -> tuple[Note, ...]:
    """Say what the calibration showed of repeated cross-validation (docs/calibration.md)."""
    if job.situation.kind != "k-fold" or job.situation.n_repeats < 5:
        return ()
    text = said(
        "The correction is a little weak for cross-validation repeated many times: in simulations on real data equal "
        "learners were told apart in up to 8 % of runs at the 5 % level. Take a p-value just below 0.05 with care."
    )
    return (Note("repeated-cv-level", text),)


def _two_folds_note() -> Note:
    """Say what the calibration showed of 5×2cv (docs/calibration.md)."""
    text = said(
        "5×2cv takes the two folds of a replication as independent: in simulations on small real data equal learners "
        "were told apart in up to 12 % of runs at the 5 % level. Take a p-value just below 0.05 with care."
    )
    return Note("5x2cv-level", text)


def _posteriors(job: Job) -> tuple[BayesPair, ...]:
    """Bayesian correlated t of every pair; differences are turned so that positive means a is better."""
    values = job.table()
    n_train, n_test, _ = sizes(job)
    found = []
    for a, b in job.pairs:
        better = job.sign * (values[:, a] - values[:, b])
        result = bayes_correlated_t(better, rho=n_test / (n_train + n_test), rope=job.rope)
        found.append(
            BayesPair(
                job.models[a], job.models[b], result.p_a_better, result.p_equivalent, result.p_b_better, job.rope,
                "bayes-correlated-t", result.notes,
            )
        )  # fmt: skip
    return tuple(found)


def _alpaydin(job: Job, values: FloatArray, a: int, b: int) -> Finding:
    differences = (values[:, a] - values[:, b]).reshape(5, 2)
    result, beside = five_by_two_f(differences), five_by_two_t(differences)
    note = Note(
        "5x2cv-t",
        said(
            "Dietterich's 5×2cv t beside it, {model_a} − {model_b}: t = {statistic}, p = {pvalue}.",
            model_a=job.models[a],
            model_b=job.models[b],
            statistic=format_number(beside.statistic),
            pvalue=format_pvalue(beside.pvalue),
        ),
    )
    return Finding(
        a, b, result.estimate, result.statistic, result.pvalue,
        limits=limits_of(result.confidence_interval),
        effect_size=_dz(values, a, b),
        effect="Cohen's dz",
        method="5×2cv combined F",
        signed=False,
        notes=(*result.notes, *_interval_notes(result), note),
    )  # fmt: skip


def _interval_notes(result: object) -> tuple[Note, ...]:
    interval = result.confidence_interval(0.95)  # type: ignore[attr-defined]
    return tuple(n for n in interval.notes if n.code == "no-interval")


def _dietterich(values: FloatArray, a: int, b: int) -> Finding:
    differences = (values[:, a] - values[:, b]).reshape(5, 2)
    result = five_by_two_t(differences)
    note = Note(
        "first-fold",
        said(
            "Dietterich's t is about the difference in the first fold, {first_difference}; the mean of all ten is "
            "{estimate}.",
            first_difference=format_number(result.first_difference),
            estimate=format_number(result.estimate),
        ),
    )
    return Finding(
        a, b, result.first_difference, result.statistic, result.pvalue,
        limits=limits_of(result.confidence_interval),
        effect_size=_dz(values, a, b),
        effect="Cohen's dz",
        method="5×2cv t",
        notes=(*result.notes, note),
    )  # fmt: skip


def _dz(values: FloatArray, a: int, b: int) -> float:
    differences = values[:, a] - values[:, b]
    if not differences.any():
        return 0.0
    spread = float(differences.std(ddof=1))
    noise = 1e-12 * float(abs(differences).max())
    return float(cohen_d(values[:, a], values[:, b], kind="dz")) if spread > noise else math.nan


def _checks(job: Job) -> tuple[Check, ...]:
    values = job.table()
    return (*normality_checks(job, values), *outlier_checks(job, values))


def _refuse_one_sided(job: Job) -> None:
    if job.alternative != "two-sided":
        raise ParameterError(
            f"the 5×2cv tests are two-sided. Got alternative={job.alternative!r}.",
            hint="test='corrected-t' takes one-sided alternatives",
        )
