"""Working of estimates with an interval: bootstrap, .632, DeLong, Bayesian comparisons, checks of conditions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import ndtri

from bakeoff._core.language import Text, joined
from bakeoff._core.text import Figure
from bakeoff.steps._common import (
    FOR_THE_PAIRS,
    Around,
    conclusion,
    higher,
    hypotheses,
    interval,
    limits_title,
    percent,
    ratio,
    table,
    terms,
)
from bakeoff.steps._formula import Formula
from bakeoff.steps._step import Step


def single_interval(result: Any, around: Around) -> Iterator[Step]:
    """An interval by itself."""
    yield interval(result)


def bootstrap(result: Any, around: Around) -> Iterator[Step]:
    """Replicates, their standard deviation, and the quantiles that are read."""
    draws = np.asarray(result._inputs["draws"])
    if np.ndim(result.estimate):
        columns = {
            Text("estimate"): np.ravel(result.estimate),
            Text("standard error"): np.ravel(result.standard_error),
            Text("low"): np.ravel(result.low),
            Text("high"): np.ravel(result.high),
        }
        yield Step(Text("Estimates"), table=table(columns))
        return
    seen = draws[~np.isnan(draws)]
    quantiles = (0, 0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975, 1)
    text = Text(
        "{n} replicates: the statistic on samples drawn with replacement. Their quantiles:", n=Figure(seen.size)
    )
    read = {Text("share below"): quantiles, Text("replicate"): np.quantile(np.sort(seen), quantiles)}
    yield Step(Text("Replicates"), text, table=table(read))
    yield Step(
        Text("Bootstrap standard error"),
        Text("The standard deviation of the replicates."),
        Formula(
            "SE = √(Σ (T − T̄)² / (B − 1)) = √({squares} / {less}) = {r.standard_error}\nT̄ = {mean}, T̄ − T = {r.bias}",
            r=result, squares=float(((seen - seen.mean()) ** 2).sum()), less=seen.size - 1, mean=float(seen.mean()),
        ),
    )  # fmt: skip
    yield _bootstrap_limits(result)


def _bootstrap_limits(result: Any) -> Step:
    if result.method == "normal":
        formula = Formula(
            "2 T − T̄ ± z · SE = {centre} ± {z:.3f} · {r.standard_error} → [{r.low:.4f}; {r.high:.4f}]",
            r=result, centre=result.estimate - result.bias, z=float(ndtri((1 + result.confidence_level) / 2)),
        )  # fmt: skip
        return Step(limits_title(result), formula=formula)
    shares = {"low": Figure(result.level_low), "high": Figure(result.level_high)}
    text = Text("The replicates at the shares {low} and {high} are read.", **shares)
    if result.method == "percentile":
        level = percent(2 * result.confidence_level - 1)
        quantiles = Text("These are α/2 and 1 − α/2; α and 1 − α would give an interval of {level} %.", level=level)
        text = joined([text, quantiles])
    return Step(limits_title(result), text, Formula(_LIMITS, r=result))


_LIMITS = "[{r.low:.4f}; {r.high:.4f}]"


def point632(result: Any, around: Around) -> Iterator[Step]:
    """Error on the training rows, error on the rows left out, and their weighted mean."""
    yield Step(
        Text("The two errors it is made of"),
        Text(
            "Training error: on the rows the model was fitted on, too low. Bootstrap error: on rows left out of the "
            "resample, about 36.8 % of them, a little too high."
        ),
        Formula("err = {r.training_error}\nErr = {r.bootstrap_error}", r=result),
    )
    if result.estimator == "632+":
        yield Step(
            Text("Relative overfitting"),
            Text("0: none; 1: as bad as outputs that have nothing to do with the truth (error γ)."),
            Formula(
                "R = (Err − err) / (γ − err), γ = {r.no_information_rate}, R = {r.relative_overfitting}\n"
                "w = 0.632 / (1 − 0.368 R) = {r.weight}",
                r=result,
            ),
        )
    if result.estimator != "plain" and not math.isnan(result.training_error):
        formula = Formula(
            "(1 − w) err + w Err = {less} · {r.training_error} + {r.weight} · {r.bootstrap_error} = {r.estimate}",
            r=result, less=1 - result.weight,
        )  # fmt: skip
        yield Step(Text("Weighted mean"), formula=formula)
    yield interval(result.confidence_interval(around.level), Formula("SE = {r.standard_error}", r=result))


def delong_interval(result: Any, around: Around) -> Iterator[Step]:
    """AUC, its standard error, the limits on the logit scale."""
    kept = result._inputs
    if kept:
        pairs = kept["n_positive"] * kept["n_negative"]
        text = Text(
            "{n_positive} positives and {n_negative} negatives make {pairs} pairs; the AUC is the share of "
            "pairs in which the positive has the higher score, ties counting half.",
            n_positive=Figure(kept["n_positive"]), n_negative=Figure(kept["n_negative"]), pairs=Figure(pairs),
        )  # fmt: skip
        formula = Formula("AUC = {wins} / {pairs} = {r.estimate}", wins=result.estimate * pairs, pairs=pairs, r=result)
        yield Step(Text("AUC"), text, formula)
    yield Step(Text("Standard error (DeLong)"), formula=Formula("SE = {r.standard_error}", r=result))
    if result.method != "logit":
        yield Step(limits_title(result), formula=Formula(_LIMITS, r=result))
        return
    a = result.estimate
    yield Step(
        limits_title(result),
        Text("On the scale log(A / (1 − A)), then turned back."),
        Formula(
            "{logit} ± {z:.3f} · {r.standard_error} / ({r.estimate} · {less}) → " + _LIMITS,
            r=result, logit=math.log(a / (1 - a)), z=kept.get("quantile", math.nan), less=1 - a,
        ),
    )  # fmt: skip


def delong_test(result: Any, around: Around) -> Iterator[Step]:
    """Two AUCs, their variances and covariance, z."""
    yield hypotheses(Text("both AUCs are equal"), Text("they are not"), around)
    covariance = result._inputs.get("covariance")
    if covariance is not None:
        columns = {
            "": [around.a, around.b],
            "AUC": [result.auc_a, result.auc_b],
            Text("variance"): [covariance[0, 0], covariance[1, 1]],
        }
        yield Step(Text("The two AUCs"), table=table(columns))
        formula = Formula(
            "SE = √(V_a + V_b − 2 C) = √({v[0][0]} + {v[1][1]} − 2 · {v[0][1]}) = {r.standard_error}",
            r=result, v=covariance,
        )  # fmt: skip
        yield Step(Text("Standard error of the difference"), formula=formula)
    if result.standard_error > 0:
        yield Step(Text("The test statistic"), formula=ratio(result, "z" if math.isinf(result.df) else "t"))
    yield interval(result.confidence_interval(around.level))
    yield from conclusion(result, around, found=higher(around, result.estimate))


def delong_many(result: Any, around: Around) -> Iterator[Step]:
    """Several AUCs and their covariance."""
    aucs = np.asarray(result.aucs)
    yield hypotheses(Text("all AUCs are equal"), Text("at least two differ"), around)
    columns: dict[Any, Any] = {"": around.names(aucs.size), "AUC": aucs}
    columns |= {around.model(j): result.covariance[:, j] for j in range(aucs.size)}
    yield Step(Text("AUCs and their covariances"), table=table(columns))
    yield Step(
        Text("The test statistic"),
        Text("Differences of the AUCs, weighed by the inverse of their covariance."),
        Formula("χ² = d′ V⁻ d = {r.statistic!t}", r=result),
    )
    yield from conclusion(result, around, found=FOR_THE_PAIRS)


def bayes(result: Any, around: Around) -> Iterator[Step]:
    """Probabilities of three regions."""
    kept = result._inputs
    if "differences" in kept:
        d, rho = kept["differences"].values, kept["rho"]
        yield Step(
            Text("Mean and scale of the posterior"),
            Text("A t distribution; the correlation ρ of the splits widens it."),
            Formula(
                "d̄ = {mean}\n{word} = √((1 / n + ρ / (1 − ρ)) s²) = √((1 / {n} + {ratio}) · {variance}) = {r.scale}",
                r=result, word=Text("scale"), mean=float(d.mean()), n=d.size, ratio=rho / (1 - rho),
                variance=float(d.var(ddof=1)),
            ),
        )  # fmt: skip
    columns = {
        Text("region"): [
            Text("{model} is better", model=around.a),
            Text("practically equal (within ± {rope})", rope=Figure(result.rope)),
            Text("{model} is better", model=around.b),
        ],
        Text("probability"): [result.p_a_better, result.p_equivalent, result.p_b_better],
    }
    if hasattr(result, "n_a_better"):
        columns[Text("seen")] = [result.n_a_better, result.n_equivalent, result.n_b_better]
    yield Step(Text("Probabilities of the three regions"), table=table(columns))


def normality(result: Any, around: Around) -> Iterator[Step]:
    """A statistic and its p-value."""
    yield Step(
        Text("The test statistic"),
        Text("{method} on {n} differences.", method=result.method, n=Figure(result.n)),
        Formula("W = {r.statistic:.4f}, p = {r.pvalue}", r=result),
    )


def outliers(result: Any, around: Around) -> Iterator[Step]:
    """Distance from the median in robust standard deviations."""
    data = np.asarray(result._inputs["data"])
    yield Step(
        Text("Median and robust spread"),
        Text("The spread is 1.4826 times the median distance from the median."),
        Formula("m = {r.centre}, s = {r.scale}", r=result),
    )
    order = np.argsort(-np.abs(result.score), kind="stable")
    columns = {"": [around.unit(int(i)) for i in order], Text("value"): data[order], "(x − m) / s": result.score[order]}
    text = Text("Values beyond ± {threshold}: {n}.", threshold=Figure(result.threshold), n=Figure(len(result.index)))
    yield Step(Text("Distances"), text, table=table(columns))


def nested(result: Any, around: Around) -> Iterator[Step]:
    """Nested cross-validation."""
    text = Text(
        "The standard error of independent losses is multiplied by {inflation}; {bias} is taken off for the "
        "smaller training sets.",
        inflation=Figure(result.inflation), bias=Figure(result.bias),
    )  # fmt: skip
    yield Step(Text("Nested cross-validation"), text, Formula("{r.estimate} → " + _LIMITS, r=result))


def multiclass_auc(result: Any, around: Around) -> Iterator[Step]:
    """AUC of every pair of classes, and their mean."""
    names = [str(c) for c in result.classes]
    columns = {Text("classes"): [f"{names[i]}, {names[j]}" for i, j in result.pairs], "AUC": result.pair_aucs}
    yield Step(Text("AUC of every pair of classes"), table=table(columns))
    known = result.pair_aucs[~np.isnan(result.pair_aucs)]
    yield Step(
        Text("Their mean (Hand and Till)"),
        formula=Formula("M = ({sum}) / {n} = {r.hand_till}", sum=terms(known), n=known.size, r=result),
    )
    yield Step(Text("Each class against the rest"), table=table({Text("class"): names, "AUC": result.one_vs_rest}))


WORKING = {
    "Interval": (Text("A confidence interval"), single_interval),
    "BootstrapIntervalResult": (Text("Bootstrap: standard error and interval"), bootstrap),
    "BootstrapErrorResult": (Text("Error by the bootstrap"), point632),
    "DeLongIntervalResult": (Text("AUC and its confidence interval"), delong_interval),
    "DeLongTestResult": (Text("DeLong's test of two AUCs"), delong_test),
    "DeLongManyResult": (Text("DeLong's test of several AUCs"), delong_many),
    "BayesCorrelatedTResult": (Text("Bayesian correlated t-test"), bayes),
    "BayesSignedRankResult": (Text("Bayesian signed-rank test"), bayes),
    "BayesSignResult": (Text("Bayesian sign test"), bayes),
    "NormalityResult": (Text("Are the differences normal?"), normality),
    "OutliersResult": (Text("Which values lie far from the rest?"), outliers),
    "NestedCVResult": (Text("Error by nested cross-validation"), nested),
    "MulticlassAucResult": (Text("AUC with several classes"), multiclass_auc),
}
