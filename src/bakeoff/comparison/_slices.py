"""A comparison by slices: does the difference hold everywhere, and does the winner change?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bakeoff._core.errors import BakeoffError, ParameterError
from bakeoff._core.language import Text
from bakeoff._core.result import Interval, warning_note
from bakeoff.comparison._catalogue import catalogue, choose
from bakeoff.comparison._closeness import close_pairs
from bakeoff.comparison._comparison import PairComparison
from bakeoff.comparison._jobs import Finding, Outcome, Request
from bakeoff.comparison._prepare import prepare
from bakeoff.evidence import Predictions, Rows
from bakeoff.intervals import (
    Slices,
    Subject,
    check_shares,
    cut,
    known_of,
    names_of,
    poststratified,
    t_quantile,
    table_of,
)
from bakeoff.measures import Measure, for_rows, rows_for

Run = Callable[..., Outcome]


def slices_of_pairs(
    evidence: Predictions,
    measure: Measure,
    pairs: Sequence[PairComparison],
    question: Request,
    *,
    run: Run,
    test: str,
    by: Any,
    shares: Mapping[str, float] | None = None,
    min_n: int = 30,
) -> Slices:
    """Cut every pair by slices; with a margin in the question each slice is also held against it, alone."""
    if len(evidence.datasets) != 1:
        raise ParameterError("by= is for one data set.", hint="choose it with .select(datasets=[…])")
    rows = evidence.table()
    subjects = [_subject(rows, for_rows(measure, rows), pair, question, run, test, by, shares) for pair in pairs]
    return table_of(" × ".join(names_of(by)), ("model_a", "model_b"), subjects, question.level, min_n)


def _subject(
    rows: Rows, measure: Measure, pair: PairComparison, question: Request, run: Run, test: str, by: Any,
    shares: Mapping[str, float] | None,
) -> Subject:  # fmt: skip
    models = (pair.model_a, pair.model_b)
    mine = rows_for(measure, rows.select(models).about(models, measure.needs), models)
    whole = cut(mine, by)
    parts = whole.parts(mine)
    alone = replace(question, control=None, margin=None, alternative="two-sided")  # as are the limits
    findings = [_finding(part, measure, alone, run, test) for part in parts]
    known = known_of(measure, mine, models, whole.names, parts)
    level = question.level
    pointwise = [_interval(one, level) for one in findings]
    if not measure.has_slope:
        widths = np.array([p.high - p.low for p in pointwise])
        known = replace(known, error=widths / (2 * t_quantile(1e9, level)))

    def ends(s: int, level: float) -> tuple[float, float]:
        one = findings[s]
        return (float("nan"), float("nan")) if isinstance(one, Text) else one.limits(level)

    given = check_shares(shares, whole.names)
    total = Interval(pair.estimate, pair.low, pair.high, level, pair.method)
    if given is not None:
        total = poststratified(measure, mine, models, whole, given, level)
    sign = 1 if measure.greater_is_better else -1
    close = [] if question.margin is None else [_closeness(one, question.margin, sign, level) for one in findings]
    pvalues = [float("nan") if isinstance(one, Text) else one.pvalue for one in findings]
    return Subject(
        rows.name, models, measure, known, [part.n_written for part in parts], pointwise, ends, total, close,
        pvalues=pvalues, every=whole.names if mine.n == rows.n else cut(rows, by).names,
    )  # fmt: skip


def _finding(part: Rows, measure: Measure, question: Request, run: Run, test: str) -> Finding | Text:
    """What the test says about one slice alone; where it cannot be made, why."""
    try:
        jobs = prepare(Predictions({part.name: part}), measure, question)
        choice, _ = choose(jobs.first.facts, test)
        (found,) = run(catalogue()[choice.chosen], jobs).findings
    except BakeoffError as problem:
        return problem.texts[0]
    return found


def _interval(finding: Finding | Text, level: float) -> Interval:
    if isinstance(finding, Text):
        nan = float("nan")
        note = warning_note("undefined", finding)
        return Interval(nan, nan, nan, level, "", (note,))
    return Interval(finding.estimate, *finding.limits(level), level, finding.method, finding.notes)


def _closeness(finding: Finding | Text, margin: float, sign: int, level: float) -> str:
    if isinstance(finding, Text):
        return "inconclusive"
    return close_pairs([finding], margin, sign, alpha=1 - level, adjusted=False)[0].shown


def slice_sentences(slices: Slices) -> tuple[Text, ...]:
    """What the slices say about the winner: where it changes, or whether they differ at all."""
    found = []
    for (_, a, b, _), test in slices.heterogeneity.answers.items():
        names: dict[str, Any] = {"a": a, "b": b, "by": slices.by}
        if test.winner_changes:
            text = Text(
                "By {by} the winner of {a} and {b} changes: in {slices} it is the other.",
                slices=", ".join(test.winner_changes), **names,
            )  # fmt: skip
            found.append(text.as_role("caution"))
        elif test.pvalue < 1 - slices.confidence_level:
            text = Text(
                "The difference of {a} and {b} is not the same for every {by} (p {p:.2g}).", p=test.pvalue, **names
            )
            found.append(text.as_role("caution"))
    return tuple(found)
