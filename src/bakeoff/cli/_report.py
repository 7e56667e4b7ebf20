"""`bakeoff report`: the whole story in one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bakeoff._core.language import translate
from bakeoff.cli import _options as opt

_EXAMPLE = """Examples:

  bakeoff report runs/churn -o report.html

  bakeoff report preds.csv --truth y --score rf --score nb --positive yes -o report.html
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report", epilog=_EXAMPLE)(report)


def report(
    path: Annotated[Path, typer.Argument(help="Store of a run, predictions file, or scores CSV (data sets × models).")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file to write.")] = Path("report.html"),
    truth: opt.Truth = None,
    pred: opt.Pred = None,
    score: opt.Score = None,
    value: opt.Value = None,
    positive: opt.Positive = None,
    measure: Annotated[str | None, typer.Option("--measure", "-m", help="Measure to compare by.")] = None,
    title: Annotated[str | None, typer.Option("--title", help="Title of the page.")] = None,
    model: opt.ModelColumn = None,
    dataset: opt.Dataset = None,
    repeat: opt.Repeat = None,
    fold: opt.Fold = None,
    groups: opt.Groups = None,
    weight: opt.Weight = None,
    instance: opt.Instance = None,
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
    from bakeoff.cli._output import print_json, say, working
    from bakeoff.report import report as make

    columns = {
        "truth": truth, "pred": pred, "score": score, "value": value, "positive": positive, "model": model,
        "dataset": dataset, "repeat": repeat, "fold": fold, "groups": groups, "sample_weight": weight,
        "instance": instance,
    }  # fmt: skip
    given: list[Any] = [_evidence(path, columns)]
    if any(v is not None for v in (prevalence, cost_fp, cost_fn)):
        from bakeoff.decision import OperatingContext

        costs = {"cost_fp": cost_fp, "cost_fn": cost_fn}
        given.append(OperatingContext(prevalence=prevalence, **{k: v for k, v in costs.items() if v is not None}))
    with working(translate("Computing ...")):
        made = make(*given, title=title or path.stem or None, measure=measure, rng=seed)
    made.save(output)
    if exports is not None:
        made.export(exports)
    if as_json:
        print_json(made)
    else:
        for sentence in made.to_dict()["verdict"]:
            say(sentence)
        say(translate("Report: {path}", path=output))


def _evidence(path: Path, columns: dict[str, Any]) -> Any:
    """A store, a predictions file, or (with no truth named) a table of scores."""
    from bakeoff._core.errors import EvidenceError
    from bakeoff.cli._inputs import read_predictions
    from bakeoff.evidence import Scores, read_table

    if not path.exists():
        raise EvidenceError(f"there is no file {str(path)!r}.", hint="check the spelling and the current folder")
    if path.is_dir() and columns["truth"] is None:
        from bakeoff.runner import Results

        return Results.open(path)
    if columns["truth"] is None and not any(columns[k] for k in ("pred", "score", "value")):
        return Scores.from_wide(read_table(path))
    return read_predictions(path, **columns)
