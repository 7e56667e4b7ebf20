"""Working of tests and intervals on counts: McNemar, Cochran, marginal homogeneity, kappa, a proportion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bakeoff._core.language import Text, joined
from bakeoff._core.text import Figure
from bakeoff.steps._common import Around, conclusion, higher, hypotheses, interval, percent, table, terms, three
from bakeoff.steps._formula import Formula
from bakeoff.steps._step import Step


def mcnemar(result: Any, around: Around) -> Iterator[Step]:
    """The 2 × 2 table of right and wrong answers, and what its two unequal cells tell."""
    a, b = around.a, around.b
    n01, n10, n = result.n_b_only, result.n_a_only, result.n
    yield hypotheses("n01 = n10", "n01 ≠ n10" if result.alternative == "two-sided" else _side(result), around)
    yield _contingency(result, around)
    yield Step(Text("The test statistic"), _how(result), _statistic(result, n01, n10))
    yield interval(
        result.confidence_interval(around.level),
        Formula(
            "(n10 − n01) / n = ({n10} − {n01}) / {n} = {estimate}", n10=n10, n01=n01, n=n, estimate=result.estimate
        ),
    )
    more = [Text("It is about these two trained models, with any number of classes.")]
    chi2, one_side = result.method.startswith("chi2"), result.alternative != "two-sided"
    letter = "k" if not chi2 else "z" if one_side else "M"
    yield from conclusion(
        result.null_distribution,
        result._decisive,
        result.pvalue,
        around,
        letter=letter,
        found=higher(a, b, result.estimate),
        more=more,
    )


def _side(result: Any) -> str:
    return "n10 > n01" if result.alternative == "greater" else "n10 < n01"


def _contingency(result: Any, around: Around) -> Step:
    n01, n10, n = result.n_b_only, result.n_a_only, result.n
    both = result._inputs.get("both_right")
    text = Text(
        "n01: only {b} is right; n10: only {a} is right. Only these {discordant} of {n} cases tell the two apart.",
        a=around.a,
        b=around.b,
        discordant=Figure(n01 + n10),
        n=Figure(n),
    )
    if both is None:
        return Step(Text("Contingency table"), text, Formula("n01 = {n01}, n10 = {n10}", n01=n01, n10=n10))
    wrong = n - both - n01 - n10
    layout: dict[Any, Any] = {
        "": [Text("{model} wrong", model=around.a), Text("{model} right", model=around.a), Text("sum")],
        Text("{model} wrong", model=around.b): [f"n00 = {wrong}", f"n10 = {n10}", str(wrong + n10)],
        Text("{model} right", model=around.b): [f"n01 = {n01}", f"n11 = {both}", str(both + n01)],
        Text("sum"): [wrong + n01, n10 + both, n],
    }
    return Step(Text("Contingency table"), text, table=table(layout))


def _how(result: Any) -> Text:
    if result.method == "chi2_corrected":
        return Text("Chi-square with Edwards' continuity correction.")
    if result.method == "chi2":
        return Text("Chi-square without a continuity correction.")
    if result.method == "midp":
        return Text(
            "The smaller of the two counts; the p-value takes half of the probability of the count seen (mid-p)."
        )
    return Text("The smaller of the two counts; the p-value is the exact binomial one.")


def _statistic(result: Any, n01: int, n10: int) -> Formula:
    if result.method.startswith("chi2") and n01 + n10:
        less = " − 1" if result.method == "chi2_corrected" and n01 != n10 else ""
        top = max(abs(n01 - n10) - (1 if less else 0), 0)
        root = "" if result.alternative == "two-sided" else "\nz = {sign}√M = {z:.3f}"
        return Formula(
            "M = (|n01 − n10|{less})² / (n01 + n10) = (|{n01} − {n10}|{less})² / ({n01} + {n10}) = {square} / {total} "
            "= {statistic}" + root,
            sign="" if n10 >= n01 else "−",
            z=result._decisive,
            less=less,
            n01=n01,
            n10=n10,
            square=top**2,
            total=n01 + n10,
            statistic=three(result.statistic),
        )
    if result.alternative != "two-sided":
        name = "n01" if result.alternative == "greater" else "n10"
        return Formula("k = {name} = {k}", name=name, k=result._decisive)
    return Formula("k = min({n01}; {n10}) = {statistic}", n01=n01, n10=n10, statistic=result.statistic)


def kappa(result: Any, around: Around) -> Iterator[Step]:
    """Observed and chance agreement from the table and the products of its margins."""
    counts = result._inputs["counts"]
    cells = counts / counts.sum()
    rows, columns = cells.sum(axis=1), cells.sum(axis=0)
    names = around.models or tuple(f"C{i + 1}" for i in range(len(cells)))
    shown: dict[Any, list[Any]] = {"": [*names, Text("column")]}
    shown |= {name: [*cells[:, j], columns[j]] for j, name in enumerate(names)}
    shown[Text("row")] = [*rows, 1.0]
    yield Step(Text("The table as shares of {n} cases", n=Figure(result.n)), table=table(shown))
    if result.weights == "none":
        po = Formula("P_o = {sum} = {observed}", sum=terms(np.diag(cells)), observed=result.observed)
        pc = Formula(
            "P_c = {products} = {sum} = {chance}",
            products=" + ".join(f"{Figure(r)!s} · {Figure(c)!s}" for r, c in zip(rows, columns, strict=True)),
            sum=terms(rows * columns),
            chance=result.chance,
        )
    else:
        po = Formula("P_o = Σ w · p = {observed}", observed=result.observed)
        pc = Formula("P_c = Σ w · p_i · p_j = {chance}", chance=result.chance)
    yield Step(Text("Observed agreement"), Text("The diagonal of the table: with weight 1 it is the accuracy."), po)
    yield Step(
        Text("Agreement by chance"), Text("Products of the margins: what the class shares alone would give."), pc
    )
    if np.isnan(result.estimate):
        yield Step(Text("Kappa"), Text("Agreement by chance is perfect already, so kappa is 0/0."))
        return
    yield Step(
        Text("Kappa"),
        formula=Formula(
            "κ = (P_o − P_c) / (1 − P_c) = ({po} − {pc}) / (1 − {pc}) = {estimate:.4f}",
            po=result.observed,
            pc=result.chance,
            estimate=result.estimate,
        ),
    )
    found = result.confidence_interval(around.level)
    yield interval(found, Formula("SE = {standard_error}", standard_error=result.standard_error))
    yield hypotheses("κ = 0", "κ ≠ 0", around)
    text = Text("The standard error under H0 is another one than that of the interval.")
    formula = Formula(
        "z = {estimate} / {error} = {statistic}",
        estimate=result.estimate,
        error=result.standard_error_null,
        statistic=three(result.statistic),
    )
    yield Step(Text("The test statistic"), text, formula)
    yield from conclusion(result.null_distribution, result.statistic, result.pvalue, around)


def cochran(result: Any, around: Around) -> Iterator[Step]:
    """Right answers by model and by case."""
    kept = result._inputs
    totals, per_case = kept["by_model"], kept["by_instance"]
    k = len(totals)
    yield hypotheses(Text("all models are right equally often"), Text("not all are"), around)
    columns = {Text("model"): around.names(k), Text("right answers"): totals, Text("accuracy"): result.accuracies}
    yield Step(Text("Right answers of each model"), table=table(columns))
    spread = int((per_case * (k - per_case)).sum())
    text = Text(
        "{informative} of {n} cases have both right and wrong answers; only these tell the models apart. L is the "
        "number of right answers of a case.",
        informative=Figure(result.n_informative),
        n=Figure(per_case.size),
    )
    square = float(((totals - totals.mean()) ** 2).sum())
    formula = Formula(
        "Q = k (k − 1) Σ (G − Ḡ)² / Σ L (k − L)\nQ = {k} · {less} · {square} / {spread} = {statistic}",
        k=k,
        less=k - 1,
        square=square,
        spread=max(spread, 1),
        statistic=three(result.statistic),
    )
    yield Step(Text("The test statistic"), text, formula)
    yield from conclusion(
        result.null_distribution,
        result.statistic,
        result.pvalue,
        around,
        letter="Q",
        found=Text("Which models differ is a question for the pairs."),
    )


def symmetry(result: Any, around: Around) -> Iterator[Step]:
    """Labels of a against labels of b: do the margins agree (Stuart–Maxwell), do mirrored cells (Bowker)?"""
    counts, bowker = result._inputs["counts"], result._inputs["by"] == "cells"
    names = around.units or tuple(f"C{i + 1}" for i in range(len(counts)))
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    same = Text("mirrored cells are equally likely") if bowker else Text("both models give each class equally often")
    yield hypotheses(same, Text("not all are") if bowker else Text("they do not"), around)
    shown: dict[Any, list[Any]] = {"": [*names, Text("column")]}
    shown |= {name: [*counts[:, j], columns[j]] for j, name in enumerate(names)}
    shown[Text("row")] = [*rows, counts.sum()]
    text = Text("Rows: labels of {a}; columns: labels of {b}.", a=around.a, b=around.b)
    yield Step(Text("Table of labels"), text, table=table(shown))
    if bowker:
        pairs = [
            (i, j) for i in range(len(counts)) for j in range(i + 1, len(counts)) if counts[i, j] + counts[j, i] > 0
        ]
        cells = [(counts[i, j], counts[j, i]) for i, j in pairs]
        parts = {
            Text("classes"): [f"{names[i]}, {names[j]}" for i, j in pairs],
            "n_ij": [one for one, _ in cells],
            "n_ji": [other for _, other in cells],
            "(n_ij − n_ji)² / (n_ij + n_ji)": [(one - other) ** 2 / (one + other) for one, other in cells],
        }
        formula = Formula("B = Σ (n_ij − n_ji)² / (n_ij + n_ji) = {statistic}", statistic=three(result.statistic))
        yield Step(Text("The test statistic"), formula=formula, table=table(parts))
    else:
        margins = {Text("class"): names, Text("row"): rows, Text("column"): columns, "d": rows - columns}
        text = Text("d: differences of the margins; V: their covariance if the margins are equal.")
        formula = Formula("χ² = d′ V⁻ d = {statistic}", statistic=three(result.statistic))
        yield Step(Text("The test statistic"), text, formula, table(margins))
    yield from conclusion(
        result.null_distribution, result.statistic, result.pvalue, around, letter="B" if bowker else "χ²"
    )


def proportion(result: Any, around: Around) -> Iterator[Step]:
    """An interval for k of n."""
    from scipy.special import ndtri

    kept = result._inputs
    if np.ndim(result.estimate):
        columns = {
            "k": np.ravel(kept["k"]),
            "n": np.ravel(kept["n"]),
            Text("estimate"): np.ravel(result.estimate),
            Text("low"): np.ravel(result.low),
            Text("high"): np.ravel(result.high),
        }
        yield Step(Text("The proportions"), table=table(columns))
        return
    k, n, p = kept["k"], kept["n"], result.estimate
    yield Step(Text("The proportion"), formula=Formula("p = {k} / {n} = {estimate}", k=k, n=n, estimate=p))
    z = float(ndtri((1 + result.confidence_level) / 2))
    share = 1 - (1 - result.confidence_level) / 2
    text = Text("Quantile of the normal distribution for {level} %.", level=percent(result.confidence_level))
    yield Step(Text("Quantile"), text, Formula("z({share}) = {z:.3f}", share=round(share, 6), z=z))
    yield Step(
        Text("Standard error"),
        formula=Formula(
            "SE = √(p (1 − p) / n) = √({p} · {q} / {n}) = {error}",
            p=p,
            q=1 - p,
            n=n,
            error=float(np.sqrt(p * (1 - p) / n)),
        ),
    )
    yield Step(_limits_title(result), _limits_text(result, k, n, z), _limits(result, k, n, z))


def _limits_title(result: Any) -> Text:
    return Text("Confidence interval ({method})", method=result.method)


def _limits_text(result: Any, k: float, n: float, z: float) -> Text:
    level = percent(result.confidence_level)
    said = Text(
        "{level} % interval of {estimate}: from {low} to {high} ({method}).",
        level=level,
        estimate=Figure(result.estimate),
        low=Figure(result.low),
        high=Figure(result.high),
        method=result.method,
    )
    p = k / n
    half = z * float(np.sqrt(p * (1 - p) / n))
    if result.method == "wald" and (p + half > 1 or p - half < 0):
        return joined([said, Text("The formula goes beyond 0 or 1 here; the limit is cut there.")])
    return said


def _limits(result: Any, k: float, n: float, z: float) -> Formula:
    p = k / n
    if result.method == "wald":
        half = z * float(np.sqrt(p * (1 - p) / n))
        return Formula(
            "p ± z · SE = {p} ± {z:.3f} · {error} = {p} ± {half} → [{raw_low:.4f}; {raw_high:.4f}]",
            p=p,
            z=z,
            error=half / z,
            half=half,
            raw_low=p - half,
            raw_high=p + half,
        )
    if result.method == "wilson":
        return Formula(
            "(k + z² / 2) / (n + z²) ± z / (n + z²) · √(k (n − k) / n + z² / 4) → [{low:.4f}; {high:.4f}]",
            low=result.low,
            high=result.high,
        )
    if result.method == "agresti-coull":
        return Formula(
            "p̃ = (k + z² / 2) / (n + z²) = {p}, ñ = n + z² = {n} → [{low:.4f}; {high:.4f}]",
            p=(k + z * z / 2) / (n + z * z),
            n=n + z * z,
            low=result.low,
            high=result.high,
        )
    shape = (
        ("k", "n − k + 1", "k + 1", "n − k") if result.method == "clopper-pearson" else ("k + 0.5", "n − k + 0.5") * 2
    )
    return Formula(
        "Beta(α / 2; {a}; {b}) → {low:.4f}, Beta(1 − α / 2; {c}; {d}) → {high:.4f}",
        a=shape[0],
        b=shape[1],
        c=shape[2],
        d=shape[3],
        low=result.low,
        high=result.high,
    )


TITLES = {
    "McNemarResult": Text("McNemar's test: do the two models err equally often?"),
    "KappaResult": Text("Cohen's kappa: agreement beyond chance"),
    "CochranQResult": Text("Cochran's Q: are several models right equally often?"),
    "SymmetryResult": Text("Do two models give the classes alike?"),
    "BinomialIntervalResult": Text("A proportion and its confidence interval"),
}
WORKING = {
    "McNemarResult": mcnemar, "KappaResult": kappa, "CochranQResult": cochran, "SymmetryResult": symmetry,
    "BinomialIntervalResult": proportion,
}  # fmt: skip
