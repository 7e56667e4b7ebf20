"""`bakeoff run`: an experiment file becomes a store of paired predictions, resumed where it stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bakeoff._core.language import tr
from bakeoff.cli import _options as opt

_EXAMPLE = """Example:

  bakeoff run experiment.toml --store runs/churn --jobs 2

The file names data sets, models, protocol and measures:

  [protocol]
  name = "KFold"

  [datasets.churn]
  source = "churn.csv"
  target = "churned"
  positive = "yes"

  [models.forest]
  class = "sklearn.ensemble.RandomForestClassifier"
  steps = ["encode", "impute"]
"""

SOME_FAILED = 1
INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run", epilog=_EXAMPLE)(run)


def run(
    path: Annotated[Path, typer.Argument(help="Experiment file (TOML).", metavar="FILE", show_default=False)],
    store: Annotated[
        Path | None,
        typer.Option("--store", help="Folder to keep results in, and to resume from; runs/NAME by default."),
    ] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", help="Worker processes; -1 for one per core.")] = None,
    engine: Annotated[
        str | None, typer.Option("--engine", help="serial, processes, or a Dask scheduler (tcp://host:8786).")
    ] = None,
    time_limit: Annotated[float | None, typer.Option("--time-limit", help="Seconds a single fit may take.")] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Try again what failed in an earlier run.")] = False,
    plan: Annotated[bool, typer.Option("--plan", help="Show what would be done, and do nothing.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
    as_json: opt.Json = False,
) -> None:
    """Run models on data sets under a protocol, and keep every prediction."""
    from bakeoff.cli._output import fail
    from bakeoff.runner import Interrupted
    from bakeoff.runner._toml import read_experiment

    file = read_experiment(path)
    folder = store or file.store or Path("runs") / path.stem
    if plan:
        _show_plan(file.experiment.plan(folder), as_json)
        return
    given = {"n_jobs": jobs, "engine": engine, "time_limit": time_limit}
    options = {**file.options, **{k: v for k, v in given.items() if v is not None}}
    try:
        results = file.experiment.run(folder, progress=not quiet, retry_failures=retry, **options)
    except Interrupted as stop:
        fail(str(stop))
        raise typer.Exit(INTERRUPTED) from None
    _show(results, file.measures, folder, as_json)
    if len(results.failures):
        raise typer.Exit(SOME_FAILED)


def _show_plan(plan: Any, as_json: bool) -> None:
    from bakeoff.cli._output import print_json, print_table, say

    if as_json:
        print_json(plan)
        return
    say(plan.description)
    print_table(plan.columns)
    say(
        tr(
            "{units} units of work, {done} done, {todo} to do",
            units=plan.total("units"),
            done=plan.total("done"),
            todo=plan.total("todo"),
        )
    )


def _show(results: Any, measures: tuple[str, ...], folder: Path, as_json: bool) -> None:
    from bakeoff.cli._output import print_json, print_table, say

    evaluation = _evaluation(results, measures)
    failures = results.failures
    if as_json:
        print_json(
            {
                "kind": "Run",
                "schema_version": 1,
                "store": str(folder),
                "status": results.status.to_dict()["columns"],
                "failures": failures.to_dict()["columns"],
                "evaluation": None if evaluation is None else evaluation.to_dict(),
            }
        )
        return
    print_table(results.status.columns)
    if evaluation is not None:
        from bakeoff.cli._evaluate import show

        say()
        show(evaluation)
    if len(failures):
        say()
        say(tr("{n} units failed:", n=len(failures)))
        shown = ("dataset", "model", "repeat", "fold", "kind", "message")
        print_table({name: failures.columns[name] for name in shown})
    say()
    say(tr("Kept in {folder}. Next: bakeoff report {folder} -o report.html", folder=folder))


def _evaluation(results: Any, measures: tuple[str, ...]) -> Any:
    """Evaluate what there is; a run in which some model never worked still shows the others."""
    from bakeoff._core.errors import EvidenceError

    try:
        return results.evaluate(list(measures) or None, rng=0)
    except EvidenceError:
        if len(results.failures):
            return None
        raise
