"""Working of the answers: comparisons, gates, flips, plans, advice."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from bakeoff._core.language import Text, joined, render
from bakeoff._core.text import Figure
from bakeoff.steps._common import (
    ERRORS,
    Around,
    decision,
    errors,
    higher,
    hypotheses,
    interval_text,
    percent,
    small,
    table,
)
from bakeoff.steps._formula import Formula
from bakeoff.steps._measures import measure_label
from bakeoff.steps._step import Step

_MOST_PAIRS = 3  # told one by one; the rest stand in the table


def comparison(result: Any, around: Around) -> Iterator[Step]:
    """Why this test, the test of all, each pair, the adjustment, and what was found."""
    around = Around(result.confidence_level, models=result.models, units=result._units)
    yield Step(
        Text("Which test, and why"), Text("{test}: {reason}.", test=result.choice._label, reason=result.choice._because)
    )
    values = {Text("model"): list(result.values), Text("value"): list(result.values.values())}
    if result.ranks is not None:
        values[Text("mean rank")] = [result.ranks[m] for m in result.values]
    yield Step(
        Text("The models"), Text("Measure: {measure}.", measure=measure_label(result.measure)), table=table(values)
    )
    if result.omnibus is not None:
        for step in omnibus(result.omnibus, around):
            yield Step(Text("All models: {title}", title=step.title), step.text, step.formula, step.table)
    yield from _pairs(result, around)
    if len(result.pairs) > 1:
        yield _adjusted(result)
    yield Step(Text("What was found"), joined(result.sentences))


def omnibus(result: Any, around: Around) -> Iterator[Step]:
    """The working of the test behind it, and what was taken of it."""
    from bakeoff.steps._of import working_of

    if result._working is not None:
        yield from working_of(result._working, around)
    name = "χ²" if result.statistic_name == "chi2" else result.statistic_name
    df = "; ".join(str(Figure(round(d, 3))) for d in result.df)
    yield Step(
        Text("What is reported"),
        Text("{test}, p = {p}.", test=result._label, p=small(result.pvalue)),
        Formula("{name}({df}) = {r.statistic!t}", name=name, df=df, r=result),
    )


def _pairs(result: Any, around: Around) -> Iterator[Step]:
    shown = result.pairs[:_MOST_PAIRS]
    family = [p for p in shown if hasattr(p._working, "estimate_kind")]
    if family:  # one table of all pairs is behind every pair
        from bakeoff.steps._of import working_of

        yield from working_of(family[0]._working, around)
        return
    if len(result.pairs) == 1:
        yield from pair_steps(shown[0], around)
        return
    for pair in shown:
        for step in pair_steps(pair, replace(around, alone=False)):
            title = Text("{pair}: {title}", pair=f"{pair.model_a} − {pair.model_b}", title=step.title)
            if step.title != ERRORS:
                yield Step(title, step.text, step.formula, step.table)
    if len(result.pairs) > len(shown):
        left = len(result.pairs) - len(shown)
        text = Text(
            "{n} more pairs were compared in the same way; comparison.pair(a, b).steps() tells each.", n=Figure(left)
        )
        yield Step(Text("And so on"), text)


def pair_alone(result: Any, around: Around) -> Iterator[Step]:
    """One pair of a comparison."""
    yield from pair_steps(result, Around(result.confidence_level))


def pair_steps(pair: Any, around: Around) -> Iterator[Step]:
    """The working of the test behind a pair; where there is none, its difference over its standard error."""
    from bakeoff.steps._of import working_of

    a, b = (pair.model_b, pair.model_a) if pair._turned else (pair.model_a, pair.model_b)
    named = replace(around, a=a, b=b)
    made = pair._working() if isinstance(pair._working, partial) else pair._working
    if made is not None:
        yield from working_of(made, named)
        alone = getattr(made, "pvalue", pair.pvalue)
        if np.ndim(alone) == 0 and not math.isnan(pair.pvalue) and abs(alone - pair.pvalue) > 1e-12:
            text = Text(
                "The p-value reported is {p}: the larger of this one and the mid-p value.", p=small(pair.pvalue)
            )
            yield Step(Text("What is reported"), text)
        return
    yield from _plain_pair(pair, named)


def _plain_pair(pair: Any, around: Around) -> Iterator[Step]:
    yield hypotheses(Text("the two models are equally good"), Text("they are not"), around)
    va, vb, gap = pair.value_a, pair.value_b, pair.value_a - pair.value_b
    places = min(max(4, 3 - math.floor(math.log10(abs(gap)))), 9) if gap and math.isfinite(gap) else None
    formula = Formula("{va} − {vb} = {d}", va=Figure(va, places), vb=Figure(vb, places), d=gap)
    yield Step(Text("The difference"), formula=formula)
    if pair._signed and pair.statistic and math.isfinite(pair.statistic) and pair.estimate:
        yield Step(
            Text("Over its standard error"),
            Text("Method: {method}.", method=render(pair.method)),
            Formula("{p.estimate} / {e} = {p.statistic!t}", p=pair, e=pair.estimate / pair.statistic),
        )
    yield Step(Text("Confidence interval"), interval_text(pair))
    yield decision(pair.pvalue, around, found=higher(around, pair.estimate))
    yield errors(around)


def _adjusted(result: Any) -> Step:
    pairs = result.pairs
    columns = {
        Text("comparison"): [f"{p.model_a} − {p.model_b}" for p in pairs],
        Text("difference"): [p.estimate for p in pairs],
        "p": [p.pvalue for p in pairs],
        Text("p, adjusted"): [p.pvalue_adjusted for p in pairs],
        Text("better"): [p.better or "–" for p in pairs],
    }
    method = result.choice.adjust or result.choice.posthoc
    text = Text(
        "{n} comparisons: with several questions one looks for the p-values that allow for all of them ({method}).",
        n=Figure(len(pairs)), method=method,
    )  # fmt: skip
    return Step(Text("Allowing for the number of comparisons"), text, table=table(columns))


def gate(result: Any, around: Around) -> Iterator[Step]:
    """The comparison, and the end of the interval against the margin."""
    pair = result.pair
    yield from pair_steps(pair, Around(result.confidence_level, units=result.comparison._units))
    text = Text(
        "{candidate} − {baseline} = {estimate}, {level} % interval from {low} to {high}; margin {margin}. The end on "
        "the worse side decides.",
        candidate=result.candidate, baseline=result.baseline, estimate=Figure(result.estimate),
        level=percent(2 * result.confidence_level - 1), low=Figure(result.low), high=Figure(result.high),
        margin=Figure(result.margin),
    )  # fmt: skip
    yield Step(Text("The interval against the margin"), text)
    yield Step(Text("What was found"), joined(result.sentences))


def flips(result: Any, around: Around) -> Iterator[Step]:
    """The 2 × 2 table of before and after, and McNemar's test of it."""
    from bakeoff.stats import mcnemar_from_table
    from bakeoff.steps._of import working_of

    layout = [[result.both_right, result.gained], [result.lost, result.both_wrong]]
    around = Around(result.confidence_level, a=result.after, b=result.before)
    yield from working_of(mcnemar_from_table(layout, method="chi2"), around)
    yield Step(
        Text("Flips"),
        Text("Items whose answer changed sides: lost and gained."),
        Formula("({r.lost} + {r.gained}) / {r.n} = {r.flip_rate}", r=result),
    )
    yield Step(Text("What was found"), joined(result.sentences))


def plan(result: Any, around: Around) -> Iterator[Step]:
    """α after the number of comparisons, what was assumed, and power against size."""
    yield Step(
        Text("Level of each test"),
        Text("Shared among the comparisons (Bonferroni)."),
        Formula("α = {alpha} / {r.n_comparisons} = {r.alpha}", alpha=round(1 - result.confidence_level, 12), r=result),
    )
    if result.assumptions:
        columns = {
            Text("assumed"): [render(name) for name in result.assumptions],
            Text("value"): list(result.assumptions.values()),
        }
        yield Step(Text("What was assumed"), table=table(columns))
    if result.curve_n:
        text = Text("Power is 1 minus the probability of a type II error.")
        yield Step(
            Text("Power against size"), text, table=table({"n": result.curve_n, Text("power"): result.curve_power})
        )
    yield Step(Text("What was found"), joined(result.sentences))


def advice(result: Any, around: Around) -> Iterator[Step]:
    """The questions and their answers, the protocol, the test."""
    if result.path:
        columns = {
            Text("question"): [asked for asked, _ in result.path],
            Text("answer"): [said for _, said in result.path],
        }
        yield Step(Text("Questions and answers"), table=table(columns))
    if result._protocol is not None:
        text = Text("{what}: {why}.", what=result._protocol.title, why=result._protocol.reason)
        yield Step(Text("How to make the evidence"), text)
    yield Step(Text("Which test, and why"), Text("{test}: {reason}.", test=result._label, reason=result._because))
    if result._then is not None:
        yield Step(Text("Then"), result._then)
    rows = result.avoid
    if rows:
        yield Step(Text("What to avoid"), table=table({Text("what"): list(rows), Text("why"): list(rows.values())}))


WORKING = {
    "Comparison": (Text("How the models were compared"), comparison),
    "PairComparison": (Text("How two models were compared"), pair_alone),
    "Omnibus": (Text("All models together"), omnibus),
    "Gate": (Text("May the candidate replace the baseline?"), gate),
    "Flips": (Text("What changed, item by item"), flips),
    "Plan": (Text("How much data is needed"), plan),
    "Advice": (Text("Which protocol and which test"), advice),
}
