"""`bakeoff evaluate`: every sensible measure of every model, with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import translate
from bakeoff.cli import _options as opt
from bakeoff.cli._compare import Outcomes

if TYPE_CHECKING:
    from bakeoff.evidence import Predictions, Scores

_EXAMPLE = """Example:

  bakeoff evaluate preds.csv --truth y --score rf --score nb --positive yes
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("evaluate", epilog=_EXAMPLE)(evaluate)


def evaluate(
    path: opt.PredictionsPath,
    truth: opt.Truth = None,
    pred: opt.Pred = None,
    score: opt.Score = None,
    value: opt.Value = None,
    positive: opt.Positive = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", "-m", help="Measure to show, once for each; see `bakeoff measures`."),
    ] = None,
    model: opt.ModelColumn = None,
    dataset: opt.Dataset = None,
    repeat: opt.Repeat = None,
    fold: opt.Fold = None,
    groups: opt.Groups = None,
    weight: opt.Weight = None,
    instance: opt.Instance = None,
    outcomes: Outcomes = False,
    models: opt.Models = None,
    classes: opt.Classes = None,
    lower: opt.Lower = None,
    drop_missing: opt.DropMissing = False,
    file_format: opt.Format = None,
    context: Annotated[
        str | None,
        typer.Option("--context", help="Add the expected cost in a context: prevalence=0.01,cost-fp=10,cost-fn=10000."),
    ] = None,
    interval: Annotated[str, typer.Option("--interval", help="Interval method; auto picks for each measure.")] = "auto",
    baselines: Annotated[
        bool, typer.Option("--baselines/--no-baselines", help="Show the trivial models beside the real ones.")
    ] = True,
    level: opt.Level = 0.95,
    resamples: opt.Resamples = 2000,
    seed: opt.Seed = 0,
    output: opt.Output = None,
    as_json: opt.Json = False,
) -> None:
    """Measure every model, with an honest confidence interval on every number."""
    from bakeoff.cli._inputs import listed, read_evidence
    from bakeoff.cli._output import print_json, working, write_csv
    from bakeoff.intervals import evaluate as run

    named = listed(measure)
    evidence = read_evidence(
        path, truth=truth, pred=pred, score=score, value=value, positive=positive, model=model, dataset=dataset,
        repeat=repeat, fold=fold, groups=groups, sample_weight=weight, instance=instance, outcomes=outcomes,
        measure=named[0] if named else None, models=models, classes=classes, lower=lower,
        drop_missing=drop_missing, file_format=file_format,
    )  # fmt: skip
    with working(translate("Computing ...")):
        result = run(
            evidence, _measures(evidence, named, context, lower), interval=interval, confidence_level=level,
            n_resamples=resamples, rng=seed, baselines=baselines,
        )  # fmt: skip
    if output is not None:
        write_csv(result, output)
    if as_json:
        print_json(result)
    else:
        show(result, evidence)


def _measures(
    evidence: Predictions | Scores, named: list[str] | None, context: str | None, lower: bool | None
) -> list[Any] | None:
    """The measures asked for (None: the usual ones), with the expected cost in a context where one is given."""
    from bakeoff.cli._inputs import measure_for
    from bakeoff.evidence import Predictions

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


def show(result: object, evidence: object = None) -> None:
    """Print an evaluation: one table per data set, measures in rows, models in columns."""
    from bakeoff.cli._inputs import evidence_notes
    from bakeoff.cli._output import print_notes, print_table, say
    from bakeoff.intervals import Evaluation

    assert isinstance(result, Evaluation)
    say(result.design.describe())
    for dataset in result.datasets:
        print_table(result.table(dataset), title=dataset if len(result.datasets) > 1 else "")
    say(translate("{level} % confidence intervals", level=f"{100 * result.confidence_level:g}"))
    told = result._notes()
    print_notes([*evidence_notes(evidence, told), *told])
