"""`bakeoff evaluate`: every sensible measure of every model, with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bakeoff._core.errors import ParameterError
from bakeoff.cli import _options as opt

if TYPE_CHECKING:
    from bakeoff.evidence import Predictions, Run, Scores

_EXAMPLE = """Example:

  bakeoff evaluate preds.csv --truth y --score rf --score nb --positive yes
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("evaluate", epilog=_EXAMPLE)(evaluate)


@opt.takes_source()
def evaluate(
    source: opt.Source,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", "-m", help="Measure to show, once for each; see `bakeoff measures`."),
    ] = None,
    context: Annotated[
        str | None,
        typer.Option("--context", help="Add the expected cost in a context: prevalence=0.01,cost-fp=10,cost-fn=10000."),
    ] = None,
    interval: Annotated[str, typer.Option("--interval", help="Interval method; auto picks for each measure.")] = "auto",
    baselines: Annotated[
        bool, typer.Option("--baselines/--no-baselines", help="Show the trivial models next to the real ones.")
    ] = True,
    confusion: Annotated[
        bool,
        typer.Option("--confusion", help="Show the confusion matrix of every model.", rich_help_panel="The answer"),
    ] = False,
    per_class: Annotated[
        bool,
        typer.Option(
            "--per-class", help="Show precision, recall, F1 (and AUC) of each class.", rich_help_panel="The answer"
        ),
    ] = False,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Show what a database would be asked, instead.", rich_help_panel="The answer"),
    ] = False,
    by: opt.By = None,
    min_n: opt.MinN = 30,
    share: opt.Share = None,
    level: opt.Level = 0.95,
    resamples: opt.Resamples = 2000,
    seed: opt.Seed = 0,
    output: opt.Output = None,
    steps: opt.Steps = False,
    as_json: opt.Json = False,
) -> None:
    """Measure every model, with a confidence interval on every number."""
    from bakeoff.cli._inputs import listed, run_or_evidence, shares_of
    from bakeoff.cli._output import print_json, print_steps, print_view, show_slices, working, write_csv
    from bakeoff.evidence import Scanned
    from bakeoff.intervals import evaluate as run

    named = listed(measure)
    evidence = run_or_evidence(source, measure=named[0] if named else None, by=by)
    if explain:
        if not isinstance(evidence, Scanned):
            raise ParameterError("--explain shows the queries to a database; this evidence is not in one.")
        typer.echo(evidence.explain(_measures(evidence, named, context, source.lower)))
        return
    with working():
        result = run(
            evidence, _measures(evidence, named, context, source.lower), interval=interval, confidence_level=level,
            n_resamples=resamples, rng=seed, baselines=baselines, by=by, shares=shares_of(share), min_n=min_n,
        )  # fmt: skip
    if output is not None:
        write_csv(result, output)
    shown = {"confusion": confusion, "per_class": per_class}
    more = {name: getattr(result, name) for name, asked in shown.items() if asked}
    if as_json:
        working_out = {"steps": result.steps()._plain()} if steps else {}
        print_json({**result.to_dict(), **{name: found.to_dict() for name, found in more.items()}, **working_out})
    else:
        print_view(result, *more.values())
        if result.slices is not None:
            show_slices(result.slices)
        if steps:
            print_steps(result)


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
