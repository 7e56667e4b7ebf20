"""Working of tests and intervals on counts: McNemar, Cochran, marginal homogeneity, kappa, a proportion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy.special import ndtri

from bakeoff._core.language import Text, joined
from bakeoff._core.text import Figure
from bakeoff._core.view import Table
from bakeoff.steps._common import (
    FOR_THE_PAIRS,
    Around,
    conclusion,
    higher,
    hypotheses,
    interval,
    interval_text,
    limits_title,
    percent,
    table,
    terms,
)
from bakeoff.steps._formula import Formula
from bakeoff.steps._step import Step


def mcnemar(result: Any, around: Around) -> Iterator[Step]:
    """The 2 × 2 table of right and wrong answers, and what its two unequal cells tell."""
    yield hypotheses("n01 = n10", "n01 ≠ n10" if result.alternative == "two-sided" else _side(result), around)
    yield _contingency(result, around)
    yield Step(Text("The test statistic"), _how(result), _statistic(result))
    gap = Formula("(n10 − n01) / n = ({r.n_a_only} − {r.n_b_only}) / {r.n} = {r.estimate}", r=result)
    yield interval(result.confidence_interval(around.level), gap)
    more = [Text("It is about these two trained models, with any number of classes.")]
    chi2, one_side = result.method.startswith("chi2"), result.alternative != "two-sided"
    letter = "k" if not chi2 else "z" if one_side else "M"
    yield from conclusion(result, around, letter=letter, found=higher(around, result.estimate), more=more)


def _side(result: Any) -> str:
    return "n10 > n01" if result.alternative == "greater" else "n10 < n01"


def _contingency(result: Any, around: Around) -> Step:
    n01, n10, n = result.n_b_only, result.n_a_only, result.n
    both = result._inputs.get("both_right")
    text = Text(
        "n01: only {b} is right; n10: only {a} is right. Only these {discordant} of {n} cases tell the two apart.",
        a=around.a, b=around.b, discordant=Figure(n01 + n10), n=Figure(n),
    )  # fmt: skip
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
    return {
        "chi2_corrected": Text("Chi-square with Edwards' continuity correction."),
        "chi2": Text("Chi-square without a continuity correction."),
        "midp": Text(
            "The smaller of the two counts; the p-value takes half of the probability of the count seen (mid-p)."
        ),
    }.get(result.method, Text("The smaller of the two counts; the p-value is the exact binomial one."))


def _statistic(result: Any) -> Formula:
    n01, n10 = result.n_b_only, result.n_a_only
    if result.method.startswith("chi2") and n01 + n10:
        less = " − 1" if result.method == "chi2_corrected" and n01 != n10 else ""
        top = max(abs(n01 - n10) - (1 if less else 0), 0)
        root = "" if result.alternative == "two-sided" else "\nz = {sign}√M = {r._decisive:.3f}"
        return Formula(
            "M = (|n01 − n10|{less})² / (n01 + n10) = (|{n01} − {n10}|{less})² / ({n01} + {n10}) = {square} / {total} "
            "= {r.statistic!t}" + root,
            r=result, sign="" if n10 >= n01 else "−", less=less, n01=n01, n10=n10, square=top**2, total=n01 + n10,
        )  # fmt: skip
    if result.alternative != "two-sided":
        return Formula("k = {name} = {r._decisive}", name="n01" if result.alternative == "greater" else "n10", r=result)
    return Formula("k = min({n01}; {n10}) = {r.statistic}", n01=n01, n10=n10, r=result)


def kappa(result: Any, around: Around) -> Iterator[Step]:
    """Observed and chance agreement from the table and the products of its margins."""
    counts = result._inputs["counts"]
    cells = counts / counts.sum()
    rows, columns = cells.sum(axis=1), cells.sum(axis=0)
    yield Step(Text("The table as shares of {n} cases", n=Figure(result.n)), table=_margins(cells, around.models))
    if result.weights == "none":
        po = Formula("P_o = {sum} = {r.observed}", sum=terms(np.diag(cells)), r=result)
        products = " + ".join(f"{Figure(r)!s} · {Figure(c)!s}" for r, c in zip(rows, columns, strict=True))
        pc = Formula("P_c = {products} = {sum} = {r.chance}", products=products, sum=terms(rows * columns), r=result)
    else:
        po = Formula("P_o = Σ w · p = {r.observed}", r=result)
        pc = Formula("P_c = Σ w · p_i · p_j = {r.chance}", r=result)
    yield Step(Text("Observed agreement"), Text("The diagonal of the table: with weight 1 it is the accuracy."), po)
    yield Step(
        Text("Agreement by chance"), Text("Products of the margins: what the class shares alone would give."), pc
    )
    if np.isnan(result.estimate):
        yield Step(Text("Kappa"), Text("Agreement by chance is perfect already, so kappa is 0/0."))
        return
    lines = "κ = (P_o − P_c) / (1 − P_c) = ({r.observed} − {r.chance}) / (1 − {r.chance}) = {r.estimate:.4f}"
    yield Step(Text("Kappa"), formula=Formula(lines, r=result))
    yield interval(result.confidence_interval(around.level), Formula("SE = {r.standard_error}", r=result))
    yield hypotheses("κ = 0", "κ ≠ 0", around)
    text = Text("The standard error under H0 is another one than that of the interval.")
    formula = Formula("z = {r.estimate} / {r.standard_error_null} = {r.statistic!t}", r=result)
    yield Step(Text("The test statistic"), text, formula)
    yield from conclusion(result, around)


def _margins(cells: Any, names: Sequence[Text | str]) -> Table:
    """A square table with the sums of its rows and columns."""
    names, columns = names or [f"C{i + 1}" for i in range(len(cells))], cells.sum(axis=0)
    shown: dict[Any, list[Any]] = {"": [*names, Text("column")]}
    shown |= {name: [*cells[:, j], columns[j]] for j, name in enumerate(names)}
    return table(shown | {Text("row"): [*cells.sum(axis=1), cells.sum()]})


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
        informative=Figure(result.n_informative), n=Figure(per_case.size),
    )  # fmt: skip
    square = float(((totals - totals.mean()) ** 2).sum())
    formula = Formula(
        "Q = k (k − 1) Σ (G − Ḡ)² / Σ L (k − L)\nQ = {k} · {less} · {square} / {spread} = {r.statistic!t}",
        r=result, k=k, less=k - 1, square=square, spread=max(spread, 1),
    )  # fmt: skip
    yield Step(Text("The test statistic"), text, formula)
    yield from conclusion(result, around, letter="Q", found=FOR_THE_PAIRS)


def symmetry(result: Any, around: Around) -> Iterator[Step]:
    """Labels of a against labels of b: do the margins agree (Stuart–Maxwell), do mirrored cells (Bowker)?"""
    counts, bowker = result._inputs["counts"], result._inputs["by"] == "cells"
    names = around.units or tuple(f"C{i + 1}" for i in range(len(counts)))
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    same = Text("mirrored cells are equally likely") if bowker else Text("both models give each class equally often")
    yield hypotheses(same, Text("not all are") if bowker else Text("they do not"), around)
    text = Text("Rows: labels of {a}; columns: labels of {b}.", a=around.a, b=around.b)
    yield Step(Text("Table of labels"), text, table=_margins(counts, around.units))
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
        formula = Formula("B = Σ (n_ij − n_ji)² / (n_ij + n_ji) = {r.statistic!t}", r=result)
        yield Step(Text("The test statistic"), formula=formula, table=table(parts))
    else:
        margins = {Text("class"): names, Text("row"): rows, Text("column"): columns, "d": rows - columns}
        text = Text("d: differences of the margins; V: their covariance if the margins are equal.")
        formula = Formula("χ² = d′ V⁻ d = {r.statistic!t}", r=result)
        yield Step(Text("The test statistic"), text, formula, table(margins))
    yield from conclusion(result, around, letter="B" if bowker else "χ²")


def proportion(result: Any, around: Around) -> Iterator[Step]:
    """An interval for k of n."""
    kept = result._inputs
    if np.ndim(result.estimate):
        columns = {
            "k": np.ravel(kept["k"]), "n": np.ravel(kept["n"]), Text("estimate"): np.ravel(result.estimate),
            Text("low"): np.ravel(result.low), Text("high"): np.ravel(result.high),
        }  # fmt: skip
        yield Step(Text("The proportions"), table=table(columns))
        return
    k, n, p = kept["k"], kept["n"], result.estimate
    yield Step(Text("The proportion"), formula=Formula("p = {k} / {n} = {p}", k=k, n=n, p=p))
    z = float(ndtri((1 + result.confidence_level) / 2))
    share = 1 - (1 - result.confidence_level) / 2
    text = Text("Quantile of the normal distribution for {level} %.", level=percent(result.confidence_level))
    yield Step(Text("Quantile"), text, Formula("z({share}) = {z:.3f}", share=round(share, 6), z=z))
    error = float(np.sqrt(p * (1 - p) / n))
    formula = Formula("SE = √(p (1 − p) / n) = √({p} · {q} / {n}) = {error}", p=p, q=1 - p, n=n, error=error)
    yield Step(Text("Standard error"), formula=formula)
    said = interval_text(result)
    if result.method == "wald" and (p + z * error > 1 or p - z * error < 0):
        said = joined([said, Text("The formula goes beyond 0 or 1 here; the limit is cut there.")])
    numbers = {"r": result, "p": p, "z": z, "error": error, "half": z * error}
    numbers |= {"raw_low": p - z * error, "raw_high": p + z * error, "middle": (k + z * z / 2) / (n + z * z)}
    yield Step(limits_title(result), said, Formula(_LIMITS[result.method], **numbers, more=n + z * z))


_BETA = "Beta(α / 2; {}; {}) → {{r.low:.4f}}, Beta(1 − α / 2; {}; {}) → {{r.high:.4f}}"
_LIMITS = {
    "wald": "p ± z · SE = {p} ± {z:.3f} · {error} = {p} ± {half} → [{raw_low:.4f}; {raw_high:.4f}]",
    "wilson": ("(k + z² / 2) / (n + z²) ± z / (n + z²) · √(k (n − k) / n + z² / 4) → [{r.low:.4f}; {r.high:.4f}]"),
    "agresti-coull": "p̃ = (k + z² / 2) / (n + z²) = {middle}, ñ = n + z² = {more} → [{r.low:.4f}; {r.high:.4f}]",
    "clopper-pearson": _BETA.format("k", "n − k + 1", "k + 1", "n − k"),
    "jeffreys": _BETA.format(*("k + 0.5", "n − k + 0.5") * 2),
}


WORKING = {
    "McNemarResult": (Text("McNemar's test: do the two models err equally often?"), mcnemar),
    "KappaResult": (Text("Cohen's kappa: agreement beyond chance"), kappa),
    "CochranQResult": (Text("Cochran's Q: are several models right equally often?"), cochran),
    "SymmetryResult": (Text("Do two models give the classes alike?"), symmetry),
    "BinomialIntervalResult": (Text("A proportion and its confidence interval"), proportion),
}
