"""Models on the folds or hold-outs of one data set, whose training sets overlap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text, p_phrase
from bakeoff._core.result import Note, warning_note
from bakeoff._core.text import number_text
from bakeoff._core.validation import FloatArray
from bakeoff.comparison._checks import normality_checks, outlier_checks
from bakeoff.comparison._conditions import BY_NAME, FIVE_BY_TWO, HAS_FOLDS, PAIRED_REPEATS, ROWS_OVER_FOLDS
from bakeoff.comparison._entry import Reference, Test
from bakeoff.comparison._jobs import Check, Finding, FoldJob, Outcome, Pair, RowsOverFoldsJob, split_sizes
from bakeoff.comparison._planners import CannotPlan, PlanFacts, Planner, Planning, plan_from_pilot
from bakeoff.comparison.tests._t import EFFECT, cohen_dz, t_findings
from bakeoff.comparison.tests.rule import influence_findings, rule_finding
from bakeoff.evidence import Rows
from bakeoff.intervals import (
    FOLDS_DIFFER,
    ONE_PARTITION,
    FoldRule,
    claim_note,
    fold_rule,
    folds_differ,
    near_chance,
    near_chance_notes,
    overlap_from_folds,
    weak_notes,
)
from bakeoff.measures import Measure, compute_by_split
from bakeoff.stats import (
    corrected_t,
    detectable_corrected_t,
    five_by_two_f,
    five_by_two_t,
    power_corrected_t,
    sample_size_corrected_t,
)
from bakeoff.stats.distributions import inverted_pvalue


def known_sizes(job: FoldJob) -> tuple[float, float, tuple[Note, ...]]:
    """Sizes of the training and test sets; of k-fold cross-validation they follow from the number of folds."""
    sizes = split_sizes(job.splits)
    if sizes is not None:
        return sizes.n_train, sizes.n_test, ()
    folds = job.facts.n_folds
    if job.facts.kind in ("k-fold", "5x2cv") and folds > 1:
        return folds - 1.0, 1.0, (overlap_from_folds(folds),)
    raise EvidenceError(
        f"the corrected t-test needs the sizes of the training and test sets of the {job.facts.n_splits} splits.",
        hint="give n_train= (and n_test=) with the evidence",
    )


def _checks(job: FoldJob) -> tuple[Check, ...]:
    return (*normality_checks(job, job.scores), *outlier_checks(job))


# -- rows over folds --------------------------------------------------------------------------------------------------


def _cv_rows(job: RowsOverFoldsJob) -> Outcome:
    rule = _rule_over_folds(job)
    differing = {m for m in job.models if folds_differ(job.rows, m)}
    near = {job.models[i] for i in near_chance(job.measure, job.rows, job.question.claim, _of_the_job(job, rule))}
    found = []
    for pair in job.pairs:
        models = {job.models[i] for i in pair}
        jumps = bool(models & differing & near)
        used = replace(rule, weak=True, jumps=jumps) if models & near else rule
        finding = rule_finding(used, pair, job.models, job.alternative, "rows over folds")
        found.append(_wider(finding, job) if models & differing else finding)
    weak = weak_notes(job.measure, job.rows, rule, range(len(job.models)))
    notes = [claim_note(rule), *_cut_groups(job.rows), *weak]
    notes += [ONE_PARTITION] * (rule.n_repeats == 1) + [FOLDS_DIFFER] * bool(differing)
    notes += near_chance_notes(job.measure, bool(near))
    return Outcome(tuple(found), rule.influence.value, notes=tuple(notes))


def _of_the_job(job: RowsOverFoldsJob, rule: FoldRule) -> Callable[[Measure], FoldRule | None]:
    """The rule of another measure of the same models; of their own measure that which is made."""
    claim = job.question.claim
    return lambda other: rule if other is job.measure else fold_rule(other, job.rows, job.models, claim)


def _wider(finding: Finding, job: RowsOverFoldsJob) -> Finding:
    """The wider of the interval over rows and the corrected t, where fits differ in how much they call positive."""
    each = [[v.value for v in compute_by_split(job.measure, job.rows, job.models[i])] for i in finding.pair]
    sizes = split_sizes(job.rows.splits)
    if sizes is None or not np.isfinite(each).all():
        return finding
    result = corrected_t(*each, n_train=sizes.n_train, n_test=sizes.n_test)

    def limits(level: float) -> tuple[float, float]:
        low, high = finding.limits(level)
        other = result.confidence_interval(level)
        return min(low, float(other.low)), max(high, float(other.high))

    return replace(finding, limits=limits, pvalue=inverted_pvalue(limits, job.alternative))


def _cut_groups(rows: Rows) -> list[Note]:
    """Folds that cut groups: training saw the group, so the values themselves are too good."""
    if rows.groups is None or rows.split_index is None:
        return []
    repeat = np.array([s.repeat for s in rows.splits])[rows.split_index]
    places = np.unique(np.stack([repeat, rows.groups, rows.split_index]), axis=1)
    if places.shape[1] == np.unique(places[:2], axis=1).shape[1]:
        return []
    text = Text("folds cut groups: training saw rows of the groups it was tested on, so the values are too good.")
    return [warning_note("folds-cut-groups", text)]


def _cv_clt(job: RowsOverFoldsJob) -> Outcome:
    """Means over instances, averaged over repeats: sd/√n, t(n − 1); about the models as fitted."""
    influence = _rule_over_folds(job).influence
    found = influence_findings(job, influence, influence.units.n - 1, "rows, as fitted")
    return Outcome(found, influence.value)


def _rule_over_folds(job: RowsOverFoldsJob) -> FoldRule:
    rule = fold_rule(job.measure, job.rows, job.models, job.question.claim)
    if rule is None:
        raise EvidenceError(
            "a comparison over rows needs every case tested once in every repeat, and to know which case each row is.",
            hint="give instance=, or compare the fold scores: test='corrected-t'",
        )
    return rule


# -- corrected t ------------------------------------------------------------------------------------------------------


def _corrected_t(job: FoldJob) -> Outcome:
    n_train, n_test, notes = known_sizes(job)
    test = partial(corrected_t, n_train=n_train, n_test=n_test, alternative=job.alternative)
    findings = t_findings(job, job.scores, test, "corrected resampled t")
    return Outcome(findings, job.scores.mean(axis=0), checks=_checks(job), notes=(*notes, *_repeats_note(job)))


def _repeats_note(job: FoldJob) -> tuple[Note, ...]:
    """What the calibration showed of repeated cross-validation (docs/calibration.md)."""
    if job.facts.kind != "k-fold" or job.facts.n_repeats < 5:
        return ()
    text = Text(
        "The correction is a little weak for cross-validation repeated many times: in simulations on real data equal "
        "learners were told apart in up to 8 % of runs at the 5 % level. Take a p-value just below 0.05 with care."
    )
    return (Note("repeated-cv-level", text),)


_CORRECTED_T = Text("the corrected resampled t-test")


def _plan_corrected_t(facts: PlanFacts, difference: float | None) -> Planner:
    sd = facts.deviation(_CORRECTED_T)
    sizes: dict[str, Any] = {"n_train": facts.n_train or 9.0, "n_test": facts.n_test or 1.0}
    return Planner(
        power_at=lambda d, n, alpha: power_corrected_t(d, sd, n_splits=n, alpha=alpha, **sizes),
        needed=lambda d, alpha, power: sample_size_corrected_t(d, sd, alpha=alpha, power=power, **sizes),
        detectable=lambda n, alpha, power: detectable_corrected_t(sd, n_splits=n, alpha=alpha, power=power, **sizes),
        assumptions={"sd": sd, **sizes},
    )


# -- 5×2cv ------------------------------------------------------------------------------------------------------------


def _five_by_two(one: Callable[[FoldJob, Pair, FloatArray], Finding]) -> Callable[[FoldJob], Outcome]:
    """A test of the ten differences of every pair, as five replications of two folds."""

    def run(job: FoldJob) -> Outcome:
        if job.alternative != "two-sided":
            raise ParameterError(
                f"the 5×2cv tests are two-sided. Got alternative={job.alternative!r}.",
                hint="test='corrected-t' takes one-sided alternatives",
            )
        each = (np.asarray(job.scores[:, p.a] - job.scores[:, p.b]).reshape(5, 2) for p in job.pairs)
        findings = tuple(one(job, pair, differences) for pair, differences in zip(job.pairs, each, strict=True))
        return Outcome(findings, job.scores.mean(axis=0), checks=_checks(job), notes=(_TWO_FOLDS,))

    return run


def _alpaydin(job: FoldJob, pair: Pair, differences: FloatArray) -> Finding:
    result, dietterich = five_by_two_f(differences), five_by_two_t(differences)
    also = Text(
        "Dietterich's 5×2cv t, also reported, {model_a} − {model_b}: t = {statistic}, p {p}.",
        model_a=job.models[pair.a], model_b=job.models[pair.b], statistic=number_text(dietterich.statistic),
        p=p_phrase(dietterich.pvalue),
    )  # fmt: skip
    no_interval = (n for n in result.confidence_interval(0.95).notes if n.code == "no-interval")
    return Finding.of(
        result, pair=pair, effect_size=cohen_dz(pair, job.scores), effect=EFFECT, method="5×2cv combined F",
        signed=False, notes=(*result.notes, *no_interval, Note("5x2cv-t", also)),
    )  # fmt: skip


def _dietterich(job: FoldJob, pair: Pair, differences: FloatArray) -> Finding:
    result = five_by_two_t(differences)
    text = Text(
        "Dietterich's t is about the difference in the first fold, {first_difference}; the mean of all ten is "
        "{estimate}.",
        first_difference=number_text(result.first_difference), estimate=number_text(result.estimate),
    )  # fmt: skip
    return Finding.of(
        result, pair=pair, estimate=result.first_difference, effect_size=cohen_dz(pair, job.scores), effect=EFFECT,
        method="5×2cv t", notes=(*result.notes, Note("first-fold", text)),
    )  # fmt: skip


# What the calibration showed of 5×2cv (docs/calibration.md).
_TWO_FOLDS = Note(
    "5x2cv-level",
    Text(
        "5×2cv takes the two folds of a replication as independent: in simulations on small real data equal learners "
        "were told apart in up to 12 % of runs at the 5 % level. Take a p-value just below 0.05 with care."
    ),
)

# -- entries ----------------------------------------------------------------------------------------------------------

_FIVE_REPLICATIONS = CannotPlan(Text("the number of its splits is fixed; plan for corrected-t"))
_DIETTERICH = Reference(
    "Dietterich (1998), Approximate statistical tests for comparing supervised classification learning algorithms",
    "10.1162/089976698300017197",
)

_BAYLE = Reference(
    "Bayle, Bayle, Janson and Mackey (2020), Cross-validation confidence intervals for test error",
    "10.48550/arXiv.2007.12671",
)

TESTS = (
    Test(
        name="cv-rows",
        label=Text("the test over rows and folds"),
        reads=RowsOverFoldsJob,
        run=_cv_rows,
        needs=(ROWS_OVER_FOLDS, PAIRED_REPEATS),
        because=lambda f: Text(
            "{n} fits of one data set: rows are the unit, and what retraining changes is allowed for", n=f.n_splits
        ),
        why=Text("rows are the unit, and what retraining changes is allowed for"),
        also=Text("valid here too: rows are the unit"),
        companions=("bayes-correlated-t",),
        plan=Planning(unit="instances", planner=plan_from_pilot),
        references=(_BAYLE,),
    ),
    Test(
        name="5x2cv-f",
        label=Text("Alpaydin's 5×2cv F-test"),
        reads=FoldJob,
        run=_five_by_two(_alpaydin),
        needs=(FIVE_BY_TWO,),
        because=Text("5×2 cross-validation: the combined F uses all ten differences"),
        why=Text("it uses all ten differences"),
        also=Text("valid here too: it was made for 5×2 cross-validation"),
        includes=("5x2cv-t",),
        plan=_FIVE_REPLICATIONS,
        references=(
            Reference(
                "Alpaydin (1999), Combined 5×2 cv F test for comparing supervised classification learning algorithms",
                "10.1162/089976699300016007",
            ),
            _DIETTERICH,
        ),
    ),
    Test(
        name="5x2cv-t",
        label=Text("Dietterich's 5×2cv t-test"),
        reads=FoldJob,
        run=_five_by_two(_dietterich),
        needs=(FIVE_BY_TWO,),
        also=Text("valid here too; its answer depends on which of the ten folds comes first"),
        plan=_FIVE_REPLICATIONS,
        references=(_DIETTERICH,),
    ),
    Test(
        name="corrected-t",
        label=_CORRECTED_T,
        reads=FoldJob,
        run=_corrected_t,
        needs=(HAS_FOLDS,),
        because=lambda f: Text(
            "{n} train/test splits of one data set overlap: the corrected variance allows for it", n=f.n_splits
        ),
        why=Text("it allows for training sets that overlap"),
        also=Text("valid here too, with a heuristic allowance for overlap"),
        companions=("bayes-correlated-t",),
        plan=Planning(unit="splits", planner=_plan_corrected_t),
        references=(
            Reference("Nadeau and Bengio (2003), Inference for the generalization error", "10.1023/A:1024068626366"),
        ),
    ),
    Test(
        name="cv-clt",
        label=Text("the test over rows, as fitted"),
        reads=RowsOverFoldsJob,
        run=_cv_clt,
        needs=(ROWS_OVER_FOLDS, PAIRED_REPEATS, BY_NAME),
        also=Text("valid here too, for a claim about the models as fitted"),
        plan=Planning(unit="instances", planner=plan_from_pilot),
        references=(_BAYLE,),
    ),
)
