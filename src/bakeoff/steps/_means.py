"""Working of tests on means: paired, corrected and cluster t, 5 × 2, equivalence, analysis of variance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import stdtrit

from bakeoff._core.language import Text
from bakeoff._core.text import Figure
from bakeoff.steps._common import (
    FOR_THE_PAIRS,
    Around,
    conclusion,
    higher,
    hypotheses,
    interval,
    ratio,
    table,
    terms,
)
from bakeoff.steps._formula import Formula
from bakeoff.steps._step import Step


def t_test(result: Any, around: Around) -> Iterator[Step]:
    """Differences, their mean and spread, the standard error, t."""
    yield hypotheses(Text("the mean difference is 0"), _other(result.alternative), around)
    if result._inputs.get("sums") is not None:
        yield from _cluster_error(result, around)
    else:
        yield from _difference_steps(result, around)
    if result.standard_error > 0:
        yield Step(Text("The test statistic"), formula=ratio(result))
        t = float(stdtrit(result.df, 1 - around.alpha / 2))
        formula = Formula("d̄ ± t · SE = {r.estimate} ± {t:.3f} · {r.standard_error}", r=result, t=t)
        yield interval(result.confidence_interval(around.level), formula)
    yield from conclusion(result, around, found=higher(around, result.estimate))


def _other(alternative: str) -> Text:
    if alternative == "greater":
        return Text("the mean difference is above 0")
    return Text("the mean difference is below 0") if alternative == "less" else Text("the mean difference is not 0")


def _difference_steps(result: Any, around: Around) -> Iterator[Step]:
    """The table of differences, their mean and variance, and the standard error with or without correction."""
    kept = result._inputs
    values = kept["differences"].values if "differences" in kept else np.array([])
    n = values.size
    if not n:
        formula = Formula("d̄ = {r.estimate}, SE = {r.standard_error}", r=result)
        yield Step(Text("Mean difference and standard error"), formula=formula)
        return
    yield Step(Text("Differences d = {a} − {b}", a=around.a, b=around.b), table=_pairs(kept, values, around))
    mean, variance = float(values.mean()), kept["differences"].variance
    yield Step(
        Text("Mean and variance of the {n} differences", n=Figure(n)),
        formula=Formula(
            "d̄ = Σ d / n = ({sum}) / {n} = {mean}\ns² = Σ (d − d̄)² / (n − 1) = {squares} / {less} = {variance}",
            sum=terms(values), n=n, mean=mean, squares=float(((values - mean) ** 2).sum()), less=n - 1,
            variance=variance,
        ),
    )  # fmt: skip
    if variance == 0:
        yield Step(Text("Standard error"), Text("All differences are equal: there is no spread to divide by."))
    elif "ratio" in kept:
        text = Text(
            "The training sets of the splits overlap, so the differences are not independent: 1/n alone would be too "
            "small. The correction of Nadeau and Bengio adds test size over training size, {ratio}.",
            ratio=Figure(kept["ratio"]),
        )
        formula = Formula(
            "SE = √((1 / n + n_test / n_train) s²) = √((1 / {n} + {ratio}) · {variance}) = {r.standard_error}",
            r=result, n=n, ratio=kept["ratio"], variance=variance,
        )  # fmt: skip
        yield Step(Text("Corrected standard error"), text, formula)
    else:
        lines = "SE = √(s² / n) = √({variance} / {n}) = {r.standard_error}"
        yield Step(Text("Standard error"), formula=Formula(lines, r=result, variance=variance, n=n))


def _pairs(kept: dict[str, Any], values: Any, around: Around) -> Any:
    columns: dict[Any, Any] = {"": [around.unit(i) for i in range(values.size)]}
    if kept.get("first") is not None and kept.get("second") is not None:
        columns |= {around.a: kept["first"], around.b: kept["second"]}
    return table(columns | {"d": values})


def _cluster_error(result: Any, around: Around) -> Iterator[Step]:
    kept = result._inputs
    sums, share, n = kept["sums"], kept["share"], kept["n"]
    text = Text(
        "{n} rows in {clusters} groups. Rows of one group are not independent, so each group counts by the sum "
        "of its differences from the mean; h is its share of the rows.",
        n=Figure(n), clusters=Figure(sums.size),
    )  # fmt: skip
    columns = {
        Text("group"): [str(g + 1) for g in range(sums.size)],
        Text("rows"): share * n,
        "u = Σ (d − d̄)": sums,
        "u² / (1 − h)": sums**2 / (1 - share),
    }
    yield Step(Text("Sums by group"), text, table=table(columns))
    formula = Formula(
        "SE = √(Σ u² / (1 − h)) / n = √({squares}) / {n} = {r.standard_error}",
        r=result, squares=float((sums**2 / (1 - share)).sum()), n=n,
    )  # fmt: skip
    yield Step(Text("Standard error by groups"), formula=formula)


def five_by_two(result: Any, around: Around) -> Iterator[Step]:
    """Ten differences, five variances, and Dietterich's t or Alpaydin's F of them."""
    differences = result._inputs["table"]
    means = differences.mean(axis=1)
    squares = ((differences - means[:, None]) ** 2).sum(axis=1)
    yield hypotheses(Text("the two models are equally good"), Text("they are not"), around)
    columns = {
        Text("replication"): [str(i + 1) for i in range(5)],
        "d₁": differences[:, 0],
        "d₂": differences[:, 1],
        "d̄": means,
        "s²": squares,
    }
    text = Text("d = {a} − {b} in both folds of each replication; s² = (d₁ − d̄)² + (d₂ − d̄)².", a=around.a, b=around.b)
    yield Step(Text("The ten differences"), text, table=table(columns))
    if hasattr(result, "first_difference"):
        formula = Formula(
            "t = d_first / √(Σ s² / 5) = {r.first_difference} / √({within} / 5) = {r.first_difference} / "
            "{r.standard_error} = {r.statistic!t}",
            r=result, within=float(squares.sum()),
        )  # fmt: skip
        said = Text("Dietterich's t takes the first of the ten differences.")
    else:
        formula = Formula("F = Σ d² / (2 Σ s²) = {r.sum_of_squares} / (2 · {r.within}) = {r.statistic!t}", r=result)
        said = Text("Alpaydin's F takes all ten differences.")
    yield Step(Text("The test statistic"), said, formula)
    yield interval(result.confidence_interval(around.level))
    yield from conclusion(result, around, found=higher(around, result.estimate))


def equivalence(result: Any, around: Around) -> Iterator[Step]:
    """Two one-sided tests against a margin."""
    margin = Figure(result.margin)
    yield hypotheses(Text("the models differ by {margin} or more", margin=margin), Text("they differ by less"), around)
    yield from _difference_steps(result, around)
    yield Step(
        Text("Two one-sided tests"),
        Text("Both must reject, so the larger p-value counts."),
        Formula(
            "t_lower = (d̄ + m) / SE = ({r.estimate} + {r.margin}) / {r.standard_error} = {r.statistic_lower!t}\n"
            "t_upper = (d̄ − m) / SE = ({r.estimate} − {r.margin}) / {r.standard_error} = {r.statistic_upper!t}",
            r=result,
        ),
        table(
            {
                Text("test"): ["d ≤ −m", "d ≥ m"],
                "t": [result.statistic_lower, result.statistic_upper],
                "p": [result.pvalue_lower, result.pvalue_upper],
            }
        ),
    )
    yield from conclusion(result, around)


def noninferiority(result: Any, around: Around) -> Iterator[Step]:
    """A one-sided test against a margin."""
    margin = Figure(result.margin)
    yield hypotheses(
        Text("{a} is worse than {b} by {margin} or more", a=around.a, b=around.b, margin=margin),
        Text("{a} is worse by less than that, or not at all", a=around.a),
        around,
    )
    yield from _difference_steps(result, around)
    sign = "+" if result.greater_is_better else "−"
    formula = Formula(
        "t = (d̄ {sign} m) / SE = ({r.estimate} {sign} {r.margin}) / {r.standard_error} = {r.statistic!t}",
        r=result, sign=sign,
    )  # fmt: skip
    yield Step(Text("The test statistic"), formula=formula)
    yield from conclusion(result, around)


def anova(result: Any, around: Around) -> Iterator[Step]:
    """The table of sums of squares of data sets, models and error."""
    scores, layout = result._inputs["table"], result._inputs["layout"]
    n, k = layout.n, layout.k
    yield hypotheses(Text("all models have the same mean"), Text("at least two means differ"), around)
    by_unit = scores.mean(axis=1)
    columns: dict[Any, Any] = {"": [*(around.unit(i) for i in range(n)), Text("mean")]}
    columns |= {around.model(j): [*scores[:, j], layout.means[j]] for j in range(k)}
    columns[Text("mean")] = [*by_unit, scores.mean()]
    yield Step(Text("The scores and their means"), table=table(columns))
    rows = result.ss_datasets
    ms_models, ms_error = layout.ss_models / (k - 1), layout.ss_error / layout.df_error
    shown = {
        Text("source"): [Text("data sets"), Text("models"), Text("error"), Text("sum")],
        Text("sum of squares"): [rows, layout.ss_models, layout.ss_error, rows + layout.ss_models + layout.ss_error],
        Text("degrees of freedom"): [n - 1, k - 1, layout.df_error, n * k - 1],
        Text("mean square"): [rows / (n - 1), ms_models, ms_error, None],
        "F": [None, result.statistic, None, None],
        "p": [None, result.pvalue, None, None],
    }
    text = Text(
        "Each score is the mean of all, plus an effect of its data set, plus one of its model, plus an error; the "
        "variation of the data sets is taken out."
    )
    yield Step(Text("Sums of squares"), text, table=table(shown))
    if ms_error > 0:
        formula = Formula(
            "F = MS_{of_models} / MS_{of_error} = {models} / {error} = {r.statistic!t}",
            r=result, of_models=Text("models"), of_error=Text("error"), models=ms_models, error=ms_error,
        )  # fmt: skip
        yield Step(Text("The test statistic"), formula=formula)
    words = Text(
        "Sphericity: the differences of every two models should vary alike. Mauchly's W = {w}, p = {p}. If they do "
        "not, Greenhouse and Geisser multiply both degrees of freedom by ε = {epsilon}: p = {corrected}.",
        w=Figure(result.mauchly_w), p=Figure(result.mauchly_pvalue), epsilon=Figure(result.epsilon_gg),
        corrected=Figure(result.pvalue_gg),
    )  # fmt: skip
    yield Step(Text("A condition"), words)
    yield from conclusion(result, around, found=FOR_THE_PAIRS)


WORKING = {
    "TTestResult": (Text("Test of t on paired differences"), t_test),
    "FiveByTwoTResult": (Text("Five times 2-fold cross-validation: Dietterich's t"), five_by_two),
    "FiveByTwoFResult": (Text("Five times 2-fold cross-validation: Alpaydin's F"), five_by_two),
    "EquivalenceResult": (Text("Equivalence: two one-sided tests of t"), equivalence),
    "NonInferiorityResult": (Text("Not worse by a margin: one-sided test of t"), noninferiority),
    "AnovaResult": (Text("Analysis of variance with repeated measures"), anova),
}
