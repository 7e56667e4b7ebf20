"""`bakeoff decide`: which model, at which threshold, for these costs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bakeoff.cli import _options as opt

_CONTEXT = "The context"

_EXAMPLE = """Examples:

  bakeoff decide preds.csv --truth y --score rf --score nb --positive yes --prevalence 0.01 --cost-fp 10 --cost-fn 10000

  bakeoff decide preds.csv --truth y --score rf --positive yes --prevalence 0.005:0.02 --cost-fn 5000:20000 --ranges
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("decide", epilog=_EXAMPLE)(decide)


@opt.takes_source(without=["value", "outcomes", "sums", "attempt", "lower", "n_train", "n_test"])
def decide(
    source: opt.Source,
    prevalence: Annotated[
        str | None,
        typer.Option(
            "--prevalence",
            help="Share of positives where the model will work, or a range low:high; by default as in the file.",
            rich_help_panel=_CONTEXT,
        ),
    ] = None,
    cost_fp: Annotated[
        str | None, typer.Option("--cost-fp", help="Cost of a false alarm (or low:high).", rich_help_panel=_CONTEXT)
    ] = None,
    cost_fn: Annotated[
        str | None, typer.Option("--cost-fn", help="Cost of a miss (or low:high).", rich_help_panel=_CONTEXT)
    ] = None,
    cost_tp: Annotated[
        str | None, typer.Option("--cost-tp", help="Cost of a hit; negative is a gain.", rich_help_panel=_CONTEXT)
    ] = None,
    cost_tn: Annotated[
        str | None,
        typer.Option("--cost-tn", help="Cost of a correct rejection; negative is a gain.", rich_help_panel=_CONTEXT),
    ] = None,
    costs: Annotated[
        Path | None,
        typer.Option(
            "--costs",
            help="CSV with a cost matrix for several classes: true class first, then a column per predicted class.",
            rich_help_panel=_CONTEXT,
        ),
    ] = None,
    priors: Annotated[
        str | None, typer.Option("--priors", help="Class priors for --costs: a=0.2,b=0.8.", rich_help_panel=_CONTEXT)
    ] = None,
    ranges: Annotated[
        bool, typer.Option("--ranges", help="Also list who is cheapest in which contexts.", rich_help_panel=_CONTEXT)
    ] = False,
    by: opt.By = None,
    min_n: opt.MinN = 30,
    level: opt.Level = 0.95,
    resamples: opt.Resamples = 2000,
    seed: opt.Seed = 0,
    output: opt.Output = None,
    steps: opt.Steps = False,
    as_json: opt.Json = False,
) -> None:
    """Choose the model and the threshold that cost least in your context, or none at all."""
    from bakeoff._core.errors import ParameterError
    from bakeoff.cli._context import context_of, read_cost_matrix
    from bakeoff.cli._inputs import read_predictions
    from bakeoff.cli._output import print_json, print_steps, print_view, show_slices, working, write_csv
    from bakeoff.decision import decide as run

    if costs is not None and (prevalence, cost_fp, cost_fn, cost_tp, cost_tn) != (None,) * 5:
        raise ParameterError("give either --costs with --priors, or --prevalence and --cost-..., not both.")
    if costs is not None:
        context = read_cost_matrix(costs, priors)
    else:
        context = context_of(prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn, cost_tp=cost_tp, cost_tn=cost_tn)  # type: ignore[assignment]
    predictions = read_predictions(source, by=by)
    with working():
        result = run(predictions, context, confidence_level=level, n_resamples=resamples, rng=seed, by=by, min_n=min_n)
    if output is not None:
        write_csv(result, output)
    if as_json:
        print_json(result, steps=steps)
        return
    print_view(result)
    if result.slices is not None:
        show_slices(result.slices)
    if ranges and costs is None:
        show_ranges(predictions, result)
    if steps:
        print_steps(result)


def show_ranges(predictions: object, result: object) -> None:
    """Print who is cheapest on which interval of contexts."""
    from bakeoff._core.language import translate
    from bakeoff.cli._output import print_table, say
    from bakeoff.decision import Decision, OperatingContext, cost_curves
    from bakeoff.evidence import Predictions

    assert isinstance(predictions, Predictions)
    assert isinstance(result, Decision)
    context = result.context if isinstance(result.context, OperatingContext) else result.context.mean()  # type: ignore[union-attr]
    found = cost_curves(predictions).ranges(by="model")
    prevalences = [r.prevalences(context) for r in found]
    say()
    print_table(
        {
            translate("cheapest"): [r.model for r in found],
            translate("PC(+) from"): [r.pc_low for r in found],
            translate("PC(+) to"): [r.pc_high for r in found],
            translate("prevalence from"): [low for low, _ in prevalences],
            translate("prevalence to"): [high for _, high in prevalences],
        },
        title=translate("Who is cheapest where (prevalences at the costs given)"),
    )
