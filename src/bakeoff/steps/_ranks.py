"""Working of tests on ranks and signs, and of families of comparisons: Wilcoxon, sign, Friedman, Quade, the pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from bakeoff._core.language import Text, joined
from bakeoff._core.text import Figure
from bakeoff.stats.distributions import Null
from bakeoff.stats.ranks import RankSums, average_ranks, rank_sums
from bakeoff.steps._common import (
    FOR_THE_PAIRS,
    Around,
    conclusion,
    decision,
    errors,
    higher,
    hypotheses,
    interval,
    region,
    small,
    table,
)
from bakeoff.steps._formula import Formula
from bakeoff.steps._step import Step


def wilcoxon(result: Any, around: Around) -> Iterator[Step]:
    """Differences, ranks of their sizes, the two rank sums, the smaller one against its table."""
    kept = result._inputs
    keys = kept["keys"]
    sums = rank_sums(keys, result.zeros)
    other = Text("they are not") if result.alternative == "two-sided" else _better(around, result.alternative)
    yield hypotheses(Text("the two models are equally good"), other, around)
    yield _ranked(result, keys, around)
    if result.n_zero:
        yield Step(Text("Differences of 0"), _zeros(result, sums))
    yield _rank_sum_step(result, keys, sums)
    yield _smaller_sum(result)
    z = _z(result, sums)
    if z is not None:
        yield z
    yield interval(result.confidence_interval(around.level))
    letter, found = "z" if result.method == "normal" else "T", higher(around, result.r_plus - result.r_minus)
    yield from conclusion(result, around, letter=letter, more=[_exactly(result)], found=found)


def _smaller_sum(result: Any) -> Step:
    title = Text("The test statistic")
    if result.alternative == "two-sided":
        return Step(title, formula=Formula("T = min({r.r_plus}; {r.r_minus}) = {r.statistic}", r=result))
    sign = "⁻" if result.alternative == "greater" else "⁺"
    text = Text("With one side it is the sum of the ranks that speak against it.")
    return Step(title, text, Formula("T = R{sign} = {r._sum}", sign=sign, r=result))


def _better(around: Around, alternative: str) -> Text:
    if alternative == "greater":
        return Text("{first} has the higher values", first=around.a)
    return Text("{first} has the lower values", first=around.a)


def _ranked(result: Any, keys: Any, around: Around) -> Step:
    kept = result._inputs
    counted = keys != 0 if result.zeros == "wilcox" else np.ones(keys.size, dtype=bool)
    ranks = np.full(keys.size, np.nan)
    ranks[counted] = average_ranks(np.abs(keys[counted]))
    order = np.argsort(np.abs(keys), kind="stable")
    differences = result._differences[order]
    columns: dict[Any, Any] = {"": [around.unit(int(i)) for i in order]}
    if kept.get("second") is not None:
        columns |= {around.a: kept["first"][order], around.b: kept["second"][order]}
    columns |= {"d": differences, "|d|": np.abs(differences), Text("rank"): ranks[order]}
    text = Text(
        "Differences d = {a} − {b}; their sizes are ranked from the smallest, equal ones share the mean rank.",
        a=around.a, b=around.b,
    )  # fmt: skip
    return Step(Text("Differences and ranks"), text, table=table(columns))


def _zeros(result: Any, sums: RankSums) -> Text:
    numbers = {"n": Figure(result.n_zero), "share": Figure(sums.share)}
    return {
        "split": Text("Differences of 0: {n}; half of their ranks, {share}, goes to each side.", **numbers),
        "pratt": Text("Differences of 0: {n}; they are ranked, and their ranks left out.", **numbers),
    }.get(result.zeros, Text("Differences of 0: {n}; they are dropped before ranking.", **numbers))


def _rank_sum_step(result: Any, keys: Any, sums: RankSums) -> Step:
    share = f" + {Figure(sums.share)!s}" if sums.share else ""
    formula = Formula(
        "R⁺ = {sums.positive}{share} = {r.r_plus}\nR⁻ = {negative}{share} = {r.r_minus}"
        if share
        else "R⁺ = {r.r_plus}\nR⁻ = {r.r_minus}",
        r=result, sums=sums, share=share, negative=sums.total - sums.positive,
    )  # fmt: skip
    n = result.n
    text: Any = Text("R⁺ sums the ranks of the positive differences, R⁻ those of the negative ones.")
    if result.zeros == "split":
        text = joined([text, Text("Together they are n (n + 1) / 2 = {total}.", total=Figure(n * (n + 1) / 2))])
    return Step(Text("Rank sums"), text, formula)


def _z(result: Any, sums: RankSums) -> Step | None:
    """The normal approximation, shown beside the exact answer."""
    deviation = math.sqrt(sums.variance)
    if deviation == 0:
        return None
    centre = (sums.total + 2 * sums.share) / 2
    text = (
        Text("The p-value is that of the normal distribution.")
        if result.method == "normal"
        else Text("For comparison only: the p-value below is exact.")
    )
    more = Text("The mean is n (n + 1) / 4; some lecture notes print n (n − 1) / 4, which is a slip.")
    formula = Formula(
        "μ = {centre}, σ = √(Σ r² / 4) = {deviation}\nz = (T − μ) / σ = ({r._sum} − {centre}) / {deviation} = {z!t}",
        r=result, centre=centre, deviation=deviation, z=(result._sum - centre) / deviation,
    )  # fmt: skip
    return Step(Text("Normal approximation"), joined([text, more]), formula)


def _exactly(result: Any) -> Text:
    if result.method == "exact":
        return Text(
            "The p-value counts all sign patterns of the ranks as they are, ties included; the table of "
            "critical values is that without ties."
        )
    return Text("The p-value is that of the normal distribution.")


def sign(result: Any, around: Around) -> Iterator[Step]:
    """Wins and losses as tosses of a coin."""
    wins, losses = result._decided
    yield hypotheses(Text("wins and losses are equally likely"), Text("they are not"), around)
    names = (Text("wins of {model}", model=around.a), Text("losses"), Text("ties"))
    counts = ([result.wins], [result.losses], [result.ties])
    yield Step(Text("Wins, losses, ties"), table=table(dict(zip(names, counts, strict=True))))
    yield Step(Text("The test statistic"), formula=Formula("k = {r._decisive}, n = {n}", r=result, n=wins + losses))
    yield interval(result.confidence_interval(around.level))
    yield from conclusion(result, around, letter="k", found=higher(around, result.wins - result.losses))


def _rank_table(ranks: Any, around: Around) -> Any:
    n, k = ranks.shape
    columns: dict[Any, Any] = {"": [*(around.unit(i) for i in range(n)), Text("sum"), Text("mean")]}
    columns |= {around.model(j): [*ranks[:, j], ranks[:, j].sum(), ranks[:, j].mean()] for j in range(k)}
    return table(columns)


def _within_rows(ranks: Any, around: Around) -> Step:
    text = Text("Within each row the best model has rank 1; ties share the mean rank.")
    return Step(Text("Ranks within each data set"), text, table=_rank_table(ranks, around))


def _same_mean_rank(around: Around) -> Step:
    return hypotheses(Text("all models have the same mean rank"), Text("at least two differ"), around)


def friedman(result: Any, around: Around) -> Iterator[Step]:
    """Ranks of each data set, their means, χ² with its correction for ties, Iman and Davenport's F."""
    ranks = result._inputs["ranks"]
    n, k = result.n, result.k
    yield _same_mean_rank(around)
    yield _within_rows(ranks, around)
    if math.isnan(result.statistic):
        yield decision(result.pvalue, around)
        return
    yield _friedman_chi2(result, ranks)
    below = n * (k - 1) - result.statistic
    if math.isfinite(result.ff_statistic):
        yield Step(
            Text("Iman and Davenport's F"),
            Text("The better approximation of the two."),
            Formula(
                "F = (n − 1) χ² / (n (k − 1) − χ²) = {less} · {chi2} / ({most} − {chi2}) = {r.ff_statistic!t}",
                r=result, less=n - 1, chi2=Figure(result.statistic, 3), most=n * (k - 1),
            ),
        )  # fmt: skip
    yield region(result.null_distribution, result.statistic, around)
    if below > 0:
        yield region(Null("F", result.ff_df, "upper"), result.ff_statistic, around)
    said = Text("χ²: p = {p}. F: p = {f}.", p=small(result.pvalue), f=small(result.ff_pvalue))
    yield decision(result.ff_pvalue, around, found=FOR_THE_PAIRS, more=[said])
    yield errors(around)


def _friedman_chi2(result: Any, ranks: Any) -> Step:
    n, k = result.n, result.k
    squares = float((result.mean_ranks**2).sum())
    factor = 12 * n / (k * (k + 1))
    ties = sum(int((t**3 - t).sum()) for t in (np.unique(row, return_counts=True)[1] for row in ranks))
    centre = k * (k + 1) ** 2 / 4
    places = max(4, 3 - math.floor(math.log10(max(squares - centre, 1e-9))))  # four digits of the small difference
    lines = (
        "χ² = 12 n / (k (k + 1)) · (Σ R̄² − k (k + 1)² / 4) = {factor} · ({squares:."
        f"{places}f}} − {{centre}}) = {{plain!t}}"
    )
    text: Text | str = ""
    if ties:
        text = Text(
            "Ties: Σ (t³ − t) = {ties} over groups of t equal ranks; χ² is divided by what they take away.",
            ties=Figure(ties),
        )
        lines += (
            "\nc = 1 − {ties} / ({r.n} · ({r.k}³ − {r.k})) = {share}\nχ² / c = {plain!t} / {share} = {r.statistic!t}"
        )
    formula = Formula(
        lines, r=result, factor=factor, squares=squares, centre=centre, plain=factor * (squares - centre), ties=ties,
        share=1 - ties / (n * (k**3 - k)),
    )  # fmt: skip
    return Step(Text("The test statistic"), text, formula)


def aligned(result: Any, around: Around) -> Iterator[Step]:
    """All residuals ranked together."""
    ranks = result._inputs["ranks"]
    n, k = ranks.shape
    yield _same_mean_rank(around)
    text = Text("The mean of each row is taken off, then all values are ranked together.")
    yield Step(Text("Aligned ranks"), text, table=_rank_table(ranks, around))
    if not math.isnan(result.statistic):
        between = float(((result.mean_ranks - ranks.mean()) ** 2).sum())
        within = float(((ranks - ranks.mean(axis=1, keepdims=True)) ** 2).sum())
        formula = Formula(
            "χ² = (k − 1) n² Σ (R̄ − r̄)² / Σ (r − r̄_i)² = {less} · {n}² · {between} / {within} = {r.statistic!t}",
            r=result, less=k - 1, n=n, between=between, within=within,
        )  # fmt: skip
        yield Step(Text("The test statistic"), formula=formula)
    yield from conclusion(result, around, found=FOR_THE_PAIRS)


def quade(result: Any, around: Around) -> Iterator[Step]:
    """Ranks weighted by how far the models of a data set lie apart."""
    yield _same_mean_rank(around)
    kept = result._inputs
    if kept:
        weights, centred = kept["weights"], kept["centred"]
        n, k = centred.shape
        columns: dict[Any, Any] = {"": [*(around.unit(i) for i in range(n)), Text("sum")], "Q": [*weights, None]}
        columns |= {around.model(j): [*centred[:, j], centred[:, j].sum()] for j in range(k)}
        text = Text("Q: rank of the row by the range of its values; in the columns Q · (rank − (k + 1) / 2).")
        yield Step(Text("Weighted ranks"), text, table=table(columns))
        total, between = float((centred**2).sum()), float((centred.sum(axis=0) ** 2).sum()) / n
        formula = Formula(
            "F = (n − 1) B / (A − B) = {less} · {between} / ({total} − {between}) = {r.statistic!t}",
            r=result, less=n - 1, between=between, total=total,
        )  # fmt: skip
        yield Step(Text("The test statistic"), formula=formula)
    yield from conclusion(result, around, found=FOR_THE_PAIRS)


def family(result: Any, around: Around) -> Iterator[Step]:
    """Every pair, or every model against a control: difference, statistic, p-value, and what is enough."""
    kept = result._inputs
    null = result.null_distribution
    if "ranks" in kept:
        yield _within_rows(kept["ranks"], around)
    elif "layout" in kept:
        layout = kept["layout"]
        yield Step(Text("Means"), table=table({"": around.names(layout.k), Text("mean"): layout.means}))
        formula = Formula(
            "SE = √(2 MS_{of_error} / n) = √(2 · {ms} / {layout.n}) = {layout.standard_error}",
            of_error=Text("error"), layout=layout, ms=layout.ss_error / layout.df_error if layout.df_error else 0.0,
        )  # fmt: skip
        yield Step(Text("Standard error of a difference"), formula=formula)
    enough = _critical_difference(result, around)
    if enough is not None:
        yield enough
    yield _comparisons(result, around)
    text = (
        Text("The p-values are already adjusted for the number of comparisons.")
        if result.adjusted
        else Text("The p-values are of single comparisons: adjust them for their number (Holm, Shaffer …).")
    )
    count = Text(
        "{below} of {n} p-values are below α = {alpha}.",
        below=int((result.pvalue < around.alpha).sum()), n=result.pvalue.size, alpha=Figure(around.alpha),
    )  # fmt: skip
    yield Step(Text("p-value and decision"), joined([count, text]))
    if null.law != "range":
        yield region(null, math.nan, around)
    yield errors(around)


def _critical_difference(result: Any, around: Around) -> Step | None:
    """The least difference of mean ranks, or of means, that counts."""
    null, kept = result.null_distribution, result._inputs
    of_pairs, simultaneous = null.law == "range", null.law in ("range", "many-to-one")
    if "ranks" in kept and (of_pairs or result.method == "bonferroni-dunn"):
        n, k = kept["ranks"].shape
        q = null.critical(around.alpha) / math.sqrt(2) if of_pairs else Null("normal").critical(around.alpha / (k - 1))
        formula = Formula(
            "CD = {letter} √(k (k + 1) / (6 n)) = {q:.3f} · √({k} · {more} / (6 · {n})) = {cd:.3f}",
            letter="q" if of_pairs else "z", q=q, k=k, more=k + 1, n=n, cd=q * math.sqrt(k * (k + 1) / (6 * n)),
        )  # fmt: skip
    elif simultaneous and "layout" in kept:
        q, error = null.critical(around.alpha) / (math.sqrt(2) if of_pairs else 1), kept["layout"].standard_error
        formula = Formula("CD = q · SE = {q:.3f} · {error} = {cd:.4f}", q=q, error=error, cd=q * error)
    else:
        return None
    return Step(Text("Critical difference"), Text("Smaller differences do not count."), formula)


def _comparisons(result: Any, around: Around) -> Step:
    pairs = result.pairs if hasattr(result, "pairs") else [(j, result.control) for j in result.others]
    columns: dict[Any, Any] = {
        Text("comparison"): [f"{around.model(i)} − {around.model(j)}" for i, j in pairs],
        Text("difference"): result.estimate,
        Text("statistic"): result.statistic,
        "p": result.pvalue,
    }
    return Step(Text("The comparisons"), table=table(columns))


WORKING = {
    "WilcoxonResult": (Text("Wilcoxon's signed-rank test"), wilcoxon),
    "SignTestResult": (Text("Sign test"), sign),
    "FriedmanResult": (Text("Friedman's test"), friedman),
    "AlignedFriedmanResult": (Text("Friedman's test on aligned ranks"), aligned),
    "QuadeResult": (Text("Quade's test"), quade),
    "PairsResult": (Text("Comparisons of all pairs"), family),
    "ControlResult": (Text("Comparisons with a control"), family),
}
