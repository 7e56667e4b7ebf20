"""`bakeoff report`: the whole story in one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bakeoff._core.language import translate
from bakeoff.cli import _options as opt
from bakeoff.cli._compare import Outcomes

_EXAMPLE = """Examples:

  bakeoff report runs/churn -o report.html

  bakeoff report preds.csv --truth y --score rf --score nb --positive yes -o report.html
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report", epilog=_EXAMPLE)(report)


def report(
    path: opt.PredictionsPath,
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file to write.")] = Path("report.html"),
    truth: opt.Truth = None,
    pred: opt.Pred = None,
    score: opt.Score = None,
    value: opt.Value = None,
    positive: opt.Positive = None,
    measure: opt.Measures = None,
    title: Annotated[str | None, typer.Option("--title", help="Title of the page.")] = None,
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
    prevalence: Annotated[
        float | None, typer.Option("--prevalence", help="Prevalence where the model will work.")
    ] = None,
    cost_fp: Annotated[float | None, typer.Option("--cost-fp", help="Cost of a false alarm.")] = None,
    cost_fn: Annotated[float | None, typer.Option("--cost-fn", help="Cost of a miss.")] = None,
    exports: Annotated[
        Path | None, typer.Option("--exports", help="Folder for CSV, LaTeX, Markdown, SVG, PNG and JSON of everything.")
    ] = None,
    seed: opt.Seed = 0,
    as_json: opt.Json = False,
) -> None:
    """Write the report of a run, of predictions, or of scores."""
    from bakeoff.cli._inputs import only_one
    from bakeoff.cli._output import print_json, print_notes, say, working
    from bakeoff.report import report as make

    asked = only_one(measure)
    columns = {
        "truth": truth, "pred": pred, "score": score, "value": value, "positive": positive, "model": model,
        "dataset": dataset, "repeat": repeat, "fold": fold, "groups": groups, "sample_weight": weight,
        "instance": instance, "outcomes": outcomes, "models": models, "classes": classes, "lower": lower,
        "drop_missing": drop_missing, "file_format": file_format,
    }  # fmt: skip
    evidence = _evidence(path, asked, columns)
    given: list[Any] = [evidence]
    if any(v is not None for v in (prevalence, cost_fp, cost_fn)):
        from bakeoff.decision import OperatingContext

        costs = {"cost_fp": cost_fp, "cost_fn": cost_fn}
        given.append(OperatingContext(prevalence=prevalence, **{k: v for k, v in costs.items() if v is not None}))
    with working(translate("Computing ...")):
        made = make(*given, title=title or path.stem or None, measure=_measure(evidence, asked, lower), rng=seed)
    made.save(output)
    if exports is not None:
        made.export(exports)
    if as_json:
        print_json(made)
    else:
        for sentence in made.to_dict()["verdict"]:
            say(sentence)
        print_notes(getattr(evidence, "notes", ()))
        say(translate("Report: {path}", path=output))


def _evidence(path: Path, measure: str | None, columns: dict[str, Any]) -> Any:
    """A store, a predictions file, outcomes, or (with no truth named) a table of scores."""
    from bakeoff.cli._inputs import read_evidence

    if path.is_dir() and columns["truth"] is None and not columns["outcomes"] and columns["model"] is None:
        from bakeoff.runner import Results

        return Results.open(path)
    return read_evidence(path, measure=measure, **columns)


def _measure(evidence: Any, asked: str | None, lower: bool | None) -> Any:
    from bakeoff.cli._inputs import measure_for
    from bakeoff.evidence import Predictions, Scores

    return measure_for(evidence, asked, lower) if isinstance(evidence, (Predictions, Scores)) else asked
