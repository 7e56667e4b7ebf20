"""Models on several data sets, one score each: signed ranks, signs, and tests of all models together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bakeoff._core.language import Text
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray
from bakeoff.comparison._checks import MOST_PAIRS, outlier_checks, sphericity_check, variance_check, zeros_check
from bakeoff.comparison._conditions import COMPARABLE, MANY_MODELS, ON_SCORES, TWO_MODELS
from bakeoff.comparison._entry import Reference, Test, all_signs_alike
from bakeoff.comparison._jobs import Check, DatasetJob, Finding, Omnibus, Outcome, Pair
from bakeoff.comparison._planners import CannotPlan, FromDeviation, Planning
from bakeoff.comparison._ranks import mean_ranks, signed_rank_findings
from bakeoff.stats import (
    aligned_friedman,
    detectable_wilcoxon,
    friedman,
    power_wilcoxon,
    quade,
    repeated_measures_anova,
    sample_size_wilcoxon,
    sign_test,
)
from bakeoff.stats.ranks import as_tested

_SIMULATED_POINTS = 8  # of a power curve whose every point is a simulation

# -- pairs ------------------------------------------------------------------------------------------------------------


def _wilcoxon(job: DatasetJob) -> Outcome:
    return _outcome(job, signed_rank_findings(job))


def _sign(job: DatasetJob) -> Outcome:
    return _outcome(job, tuple(_sign_pair(job, pair) for pair in job.pairs))


def _sign_pair(job: DatasetJob, pair: Pair) -> Finding:
    """The sign test, with the median difference and its order-statistic interval."""
    first, second = job.scores[:, pair.a], job.scores[:, pair.b]
    result = sign_test(first, second, alternative=job.alternative)
    both_sides, decided = sign_test(first, second).pvalue, result.wins + result.losses
    median, largest = float(np.median(first - second)), float(np.abs(first - second).max())
    return Finding.of(
        result, pair=pair, estimate=median, statistic=float(min(result.wins, result.losses)), signed=False,
        limits=lambda level: as_tested(median_limits(first - second, level), median, both_sides < 1 - level, largest),
        # share of wins minus share of losses among the data sets that decide
        effect_size=(result.wins - result.losses) / decided if decided else 0.0, effect="wins minus losses",
        method="sign test, median with order-statistic interval", direction=float(np.sign(result.wins - result.losses)),
    )  # fmt: skip


def median_limits(differences: FloatArray, level: float) -> tuple[float, float]:
    """Order statistics between which the median lies with at least the confidence asked for; infinite if none do."""
    from scipy.stats import binom

    ordered = np.sort(differences)
    n = ordered.size
    # The r-th smallest and r-th largest miss the median with probability 2 P(Binomial(n, ½) < r).
    rank = int(binom.ppf((1 - level) / 2, n, 0.5))
    rank = rank if 2 * binom.cdf(rank - 1, n, 0.5) <= 1 - level else rank - 1
    if rank < 1:
        return -math.inf, math.inf
    return float(ordered[rank - 1]), float(ordered[n - rank])


def _outcome(job: DatasetJob, found: Omnibus | tuple[Finding, ...], checks: tuple[Check, ...] = ()) -> Outcome:
    omnibus, findings = (found, ()) if isinstance(found, Omnibus) else (None, found)
    if len(job.pairs) <= MOST_PAIRS:
        checks = (*checks, *outlier_checks(job), *(zeros_check(job, pair) for pair in job.pairs))
    return Outcome(findings, job.scores.mean(axis=0), omnibus, ranks=mean_ranks(job), checks=checks)


# -- all models together ----------------------------------------------------------------------------------------------

# Data sets up to which Friedman's test is exact: the approximations are poor there and enumeration is instant.
_EXACT_FRIEDMAN = {3: 20, 4: 10, 5: 6, 6: 4}


def _friedman(job: DatasetJob) -> Outcome:
    n, k = job.scores.shape
    exact = n <= _EXACT_FRIEDMAN.get(k, 0)
    method = "exact" if exact else "chi2"
    result = friedman(job.scores, greater_is_better=job.measure.greater_is_better, method=method)
    agree = math.isinf(result.ff_statistic)
    notes = tuple(note for note in result.notes if note.code != "perfect-agreement")
    names = ("ff_statistic", "ff_df", "ff_pvalue", "kendalls_w")
    details = {"chi2": result.statistic, "chi2_df": result.df, **{name: getattr(result, name) for name in names}}
    changed: dict[str, Any] = {}
    if not exact:  # Iman and Davenport's F: the χ² approximation is conservative
        pvalue = _agreement_pvalue(result.mean_ranks, n) if agree else result.ff_pvalue
        df = tuple(float(d) for d in result.ff_df)
        changed = {"statistic": result.ff_statistic, "df": df, "pvalue": pvalue, "statistic_name": "F"}
    notes = (*notes, _AGREEMENT) if agree else notes
    return _outcome(job, Omnibus.of(result, details={**details, "method": method}, notes=notes, **changed))


def _agreement_pvalue(ranks: FloatArray, n: int) -> float:
    """All data sets rank the models alike: the chance of that, if every order of the same ranks were as likely."""
    _, ties = np.unique(ranks, return_counts=True)
    orders = math.factorial(ranks.size) / math.prod(math.factorial(int(t)) for t in ties)
    return float(orders ** -(n - 1.0))


_AGREEMENT = Note(
    "perfect-agreement",
    Text("All data sets rank the models in the same order; the p-value is the chance of that among all orders."),
)


def _friedman_label(omnibus: Omnibus) -> Text:
    if omnibus.statistic_name == "F":
        return Text("Friedman's test with Iman–Davenport's F")
    return Text("Friedman's test, exact")


def _quade(job: DatasetJob) -> Outcome:
    result = quade(job.scores, greater_is_better=job.measure.greater_is_better)
    return _outcome(job, Omnibus.of(result, statistic_name="F"))


def _aligned_friedman(job: DatasetJob) -> Outcome:
    return _outcome(job, Omnibus.of(aligned_friedman(job.scores, greater_is_better=job.measure.greater_is_better)))


def _anova(job: DatasetJob) -> Outcome:
    """Greenhouse–Geisser corrected whatever Mauchly's test says: a test that chooses a test has no level of its own."""
    result = repeated_measures_anova(job.scores)
    names = ("mauchly_w", "mauchly_pvalue", "epsilon_gg", "pvalue_gg", "epsilon_hf", "pvalue_hf")
    details = {name: getattr(result, name) for name in names} | {"pvalue_sphericity": result.pvalue, "df": result.df}
    df = (result.df[0] * result.epsilon_gg, result.df[1] * result.epsilon_gg)
    omnibus = Omnibus.of(result, df=df, pvalue=result.pvalue_gg, statistic_name="F", details=details)
    sphericity = sphericity_check(result.mauchly_w, result.mauchly_pvalue, result.epsilon_gg)
    return _outcome(job, omnibus, (sphericity, variance_check(job.models, job.scores)))


# -- entries ----------------------------------------------------------------------------------------------------------

_WILCOXON = Text("Wilcoxon's signed-rank test")
_PAIRS_DECIDE = CannotPlan(Text("which models differ is decided by pairs; plan for wilcoxon with n_models="))
_DEMSAR = Reference(
    "Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning "
    "Research 7, 1–30"
)

TESTS = (
    Test(
        name="wilcoxon",
        label=_WILCOXON,
        reads=DatasetJob,
        run=_wilcoxon,
        needs=(*ON_SCORES, TWO_MODELS),
        because=lambda f: Text(
            "two models on {n} data sets: signed ranks need no normality and count larger differences more",
            n=f.n_datasets,
        ),
        why=Text("signed ranks need no normality and count larger differences more"),
        also=Text("valid here too: signed ranks, two models at a time"),
        companions=("bayes-signed-rank",),
        plan=Planning(
            unit="data sets",
            planner=FromDeviation(
                test=_WILCOXON,
                power=power_wilcoxon,
                size=sample_size_wilcoxon,
                detectable=detectable_wilcoxon,
                curve_points=_SIMULATED_POINTS,
            ),
        ),
        orders_by="ranks",
        least_pvalue=all_signs_alike,
        references=(
            Reference("Wilcoxon (1945), Individual comparisons by ranking methods", "10.2307/3001968"),
            _DEMSAR,
        ),
    ),
    Test(
        name="sign",
        label=Text("the sign test"),
        reads=DatasetJob,
        run=_sign,
        needs=(*ON_SCORES, TWO_MODELS),
        also=Text("valid here too; it uses only the sign of each difference, so it has less power"),
        plan=CannotPlan(Text("plan for wilcoxon, which needs no more data sets than it")),
        orders_by="ranks",
        least_pvalue=all_signs_alike,
        references=(Reference("Dixon and Mood (1946), The statistical sign test", "10.1080/01621459.1946.10501898"),),
    ),
    Test(
        name="friedman",
        label=Text("Friedman's test"),
        reads=DatasetJob,
        run=_friedman,
        needs=(*ON_SCORES, MANY_MODELS),
        because=lambda f: Text(
            "{k} models on {n} data sets: ranks within each data set need no common scale across data sets",
            k=f.n_models,
            n=f.n_datasets,
        ),
        why=Text("ranks within each data set need no common scale across data sets"),
        also=Text("valid here too: ranks within each data set"),
        after=("wilcoxon",),
        plan=_PAIRS_DECIDE,
        orders_by="ranks",
        omnibus=_friedman_label,
        references=(
            Reference(
                "Friedman (1937), The use of ranks to avoid the assumption of normality implicit in the analysis of "
                "variance",
                "10.1080/01621459.1937.10503522",
            ),
            Reference(
                "Iman and Davenport (1980), Approximations of the critical region of the Friedman statistic",
                "10.1080/03610928008827904",
            ),
            _DEMSAR,
        ),
    ),
    Test(
        name="quade",
        label=Text("Quade's test"),
        reads=DatasetJob,
        run=_quade,
        needs=(*ON_SCORES, MANY_MODELS),
        also=Text("valid here too; it weights data sets by how much the models differ there"),
        after=("quade",),
        plan=_PAIRS_DECIDE,
        orders_by="ranks",
        references=(
            Reference(
                "Quade (1979), Using weighted rankings in the analysis of complete blocks with additive block effects",
                "10.1080/01621459.1979.10481670",
            ),
        ),
    ),
    Test(
        name="aligned-friedman",
        label=Text("the aligned-rank Friedman test"),
        reads=DatasetJob,
        run=_aligned_friedman,
        needs=(*ON_SCORES, MANY_MODELS),
        also=Text("valid here too; it compares differences across data sets as if on one scale"),
        after=("aligned",),
        plan=_PAIRS_DECIDE,
        orders_by="ranks",
        references=(
            Reference(
                "Hodges and Lehmann (1962), Rank methods for combination of independent experiments in analysis of "
                "variance",
                "10.1214/aoms/1177704575",
            ),
        ),
    ),
    Test(
        name="anova",
        label=Text("repeated-measures analysis of variance"),
        reads=DatasetJob,
        run=_anova,
        needs=(*ON_SCORES, MANY_MODELS, COMPARABLE),
        also=Text("valid here too, if the differences are normal and of one size"),
        after=("tukey", "dunnett"),
        plan=_PAIRS_DECIDE,
        omnibus=lambda _: Text("repeated-measures analysis of variance with Greenhouse–Geisser's correction"),
        references=(
            Reference(
                "Greenhouse and Geisser (1959), On methods in the analysis of profile data", "10.1007/BF02289823"
            ),
        ),
    ),
)
