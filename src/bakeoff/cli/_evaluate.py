"""`bakeoff evaluate`: every sensible measure of every model, with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from bakeoff._core.errors import ParameterError
from bakeoff.cli import _options as opt

if TYPE_CHECKING:
    from bakeoff.evidence import Predictions, Run, Scores

EXAMPLE = """Example:

  bakeoff evaluate preds.csv --truth y --score rf --score nb --positive yes
"""


@opt.takes()
def evaluate(
    source: opt.Source,
    answer: opt.Answer,
    measure: Annotated[
        list[str] | None, Option("--measure", "-m", help="Measure to show, once for each; see `bakeoff measures`.")
    ] = None,
    context: Annotated[
        str | None,
        Option("--context", help="Add the expected cost in a context: prevalence=0.01,cost-fp=10,cost-fn=10000."),
    ] = None,
    interval: Annotated[str, Option("--interval", help="Interval method; auto picks for each measure.")] = "auto",
    baselines: Annotated[
        bool, Option("--baselines/--no-baselines", help="Show the trivial models next to the real ones.")
    ] = True,
    confusion: Annotated[bool, Option("--confusion", help="Show the confusion matrix of every model.")] = False,
    per_class: Annotated[
        bool, Option("--per-class", help="Show precision, recall, F1 (and AUC) of each class.")
    ] = False,
    explain: Annotated[bool, Option("--explain", help="Show what a database would be asked, instead.")] = False,
) -> None:
    """Measure every model, with a confidence interval on every number."""
    from bakeoff.cli._inputs import listed, run_or_evidence, shares_of
    from bakeoff.cli._output import show, working
    from bakeoff.evidence import Scanned
    from bakeoff.intervals import evaluate as run

    named = listed(measure)
    evidence = run_or_evidence(source, measure=named[0] if named else None, by=answer.by)
    asked = _measures(evidence, named, context, source.lower)
    if explain:
        if not isinstance(evidence, Scanned):
            raise ParameterError("--explain shows the queries to a database; this evidence is not in one.")
        typer.echo(evidence.explain(asked))
        return
    with working():
        result = run(
            evidence, asked, interval=interval, baselines=baselines, by=answer.by, shares=shares_of(answer.share),
            min_n=answer.min_n, **answer.drawn,
        )  # fmt: skip
    wanted = {"confusion": confusion, "per_class": per_class}
    show(result, answer, **{name: getattr(result, name) for name, shown in wanted.items() if shown})


def _measures(
    evidence: Predictions | Scores | Run, named: list[str] | None, context: str | None, lower: bool | None
) -> list[Any] | None:
    """The measures asked for (None: the usual ones), with the expected cost in a context where one is given."""
    from bakeoff.cli._inputs import measure_for
    from bakeoff.evidence import Predictions, Run

    if isinstance(evidence, Run):
        if context is not None:
            raise ParameterError("a run of which models lack splits has no expected cost.", hint="choose the --models")
        return list(named) if named is not None else None
    if not isinstance(evidence, Predictions):
        if context is not None or len(named or ()) > 1:
            raise ParameterError("a table of scores has one measure, and no expected cost.")
        return None  # they carry it
    if context is None:
        if named is None:
            asked = measure_for(evidence, None, lower)
            return None if asked is None else [asked]
        return [measure_for(evidence, name, lower) for name in named]
    predictions = evidence
    from bakeoff.cli._context import cost_measure, parse_context
    from bakeoff.measures import default_measures

    chosen: list[Any] = list(named or default_measures(next(iter(predictions))))
    return [*chosen, cost_measure(predictions, parse_context(context))]
