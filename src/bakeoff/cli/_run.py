"""`bakeoff run`: an experiment file becomes a store of paired predictions, resumed where it stopped."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from bakeoff._core.errors import BakeoffWarning
from bakeoff._core.language import translate
from bakeoff.cli import _options as opt

EXAMPLE = """Examples:

\b
  bakeoff run experiment.toml --store runs/churn --jobs 2
  bakeoff run experiment.toml --estimate        the plan, with the time it will take

Run the same again to go on after an interruption, or to add models, data sets or repeats to the file.

The file names data sets, models, protocol and measures:

\b
  measures = ["auc", "accuracy"]

\b
  [protocol]
  name = "KFold"

\b
  [datasets.churn]
  source = "churn.csv"
  target = "churned"
  positive = "yes"

\b
  [models.forest]
  class = "sklearn.ensemble.RandomForestClassifier"
  steps = ["encode", "impute"]
"""

SOME_FAILED = 1
INTERRUPTED = 130
MOST_ROWS = 40


def run(
    path: Annotated[Path, Argument(help="Experiment file (TOML).", metavar="FILE", show_default=False)],
    store: Annotated[
        Path | None,
        Option("--store", help="Folder to keep results in, and to resume from; runs/NAME by default."),
    ] = None,
    jobs: Annotated[int | None, Option("--jobs", "-j", help="Worker processes; -1 for one per core.")] = None,
    engine: Annotated[
        str | None, Option("--engine", help="serial, processes, or a Dask scheduler (tcp://host:8786).")
    ] = None,
    time_limit: Annotated[float | None, Option("--time-limit", help="Seconds a single fit may take.")] = None,
    memory_limit: Annotated[float | None, Option("--memory-limit", help="Megabytes a single fit may take.")] = None,
    retry: Annotated[bool, Option("--retry", help="Try again what failed in an earlier run.")] = False,
    plan: Annotated[bool, Option("--plan", help="Show what would be done, and do nothing.")] = False,
    estimate: Annotated[
        bool, Option("--estimate", help="Fit the first fold of every model (it is kept), and show the time left.")
    ] = False,
    watch: Annotated[bool, Option("--watch", help="Show which fits are running, and where.")] = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="No progress bar.")] = False,
    steps: opt.Steps = False,
    as_json: opt.Json = False,
) -> None:
    """Run models on data sets under a protocol, and keep every prediction."""
    from bakeoff.runner import Interrupted, Limits, choose_engine, read_experiment

    with _warnings_told():
        file = read_experiment(path)
    folder = store or file.store or Path("runs") / path.stem
    options = file.options | opt.given(n_jobs=jobs, engine=engine, time_limit=time_limit, memory_limit=memory_limit)
    limits = Limits.checked(options.get("time_limit"), options.get("memory_limit"))
    choose_engine(options.get("engine"), options.get("n_jobs"), limited=limits.any)
    try:
        if plan or estimate:
            _show_plan(file.experiment.plan(folder, probe=estimate), as_json, options.get("n_jobs"))
            return
        if not (quiet or as_json):
            _announce(file.experiment.plan(folder), retry)
        with _warnings_told():
            results = file.experiment.run(folder, progress=not quiet, retry_failures=retry, watch=watch, **options)
    except Interrupted as stop:
        _say_how_to_resume(stop, folder, path, store)
        raise typer.Exit(INTERRUPTED) from None
    _show(results, file.measures, folder, as_json, steps)
    if len(results.failures):
        raise typer.Exit(SOME_FAILED)


@contextmanager
def _warnings_told() -> Iterator[None]:
    """Say each warning once, as a sentence."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BakeoffWarning)
        yield
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        print(f"bakeoff: {text}", file=sys.stderr)  # noqa: T201 (this is the command line)


def _announce(plan: Any, retry: bool) -> None:
    """Say on the error stream what is about to be done, and what an earlier run has left."""
    units, done, failed = plan.total("units"), plan.total("done"), 0 if retry else plan.total("failed")
    parts = [plan.description, _counted(units, done, units - done - failed)]
    if failed:
        parts.append(translate("{n} units failed earlier and are left alone (--retry tries them again)", n=failed))
    print("\n".join(parts), file=sys.stderr)  # noqa: T201 (this is the command line)


def _counted(units: int, done: int, todo: int) -> str:
    return translate("{units} units of work, {done} done, {todo} to do", units=units, done=done, todo=todo)


def _say_how_to_resume(stop: Any, folder: Path, path: Path, store: Path | None) -> None:
    from bakeoff.cli._output import fail

    again = f"bakeoff run {path}" + ("" if store is None else f" --store {store}")
    counts = {"n": stop.n, "total": stop.total, "folder": folder}
    done = translate("stopped after {n} of {total} units; they are kept in {folder}.", **counts)
    fail(done, translate("go on with: {command}", command=again))


def _show_plan(plan: Any, as_json: bool, jobs: int | None) -> None:
    from bakeoff.cli._output import print_json, print_table, say

    if as_json:
        print_json(plan)
        return
    say(plan.description)
    print_table(plan.columns)
    say(_counted(*(plan.total(name) for name in ("units", "done", "todo"))))
    if plan.seconds and plan.total("todo"):
        from bakeoff.runner import count_jobs, duration

        n_jobs = count_jobs(jobs)
        say(translate("about {time} with {n} at a time", time=duration(plan.seconds / n_jobs), n=n_jobs))


def _show_status(columns: dict[str, Any]) -> None:
    """Show every data set and model; of very many only those with something failed or missing, and the totals."""
    from bakeoff.cli._output import print_table, say

    rows = range(len(columns["dataset"]))
    if len(rows) <= MOST_ROWS:
        print_table(columns)
        return
    wanted = [i for i in rows if columns["failed"][i] or columns["missing"][i]]
    if wanted:
        print_table({name: [values[i] for i in wanted] for name, values in columns.items()})
    say(_counted(*(sum(columns[name]) for name in ("planned", "done", "missing"))))


def _show(results: Any, measures: tuple[str, ...], folder: Path, as_json: bool, steps: bool) -> None:
    from bakeoff.cli._output import print_json, print_steps, print_view, say

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
                **({"steps": evaluation.steps()._plain()} if steps and evaluation is not None else {}),
            }
        )
        return
    _show_status(results.status.columns)
    if evaluation is not None:
        say()
        print_view(evaluation)
        if steps:
            print_steps(evaluation)
    if len(failures):
        say()
        say(translate("{n} units failed:", n=len(failures)))
        print_view(failures)
        say(translate("Their tracebacks are in {folder}; --retry tries them again.", folder=folder / "failures"))
        say(translate("To leave the models that failed out: bakeoff store drop {folder} --failed", folder=folder))
    say()
    say(translate("Kept in {folder}. Next: bakeoff report {folder} -o report.html", folder=folder))


def _evaluation(results: Any, measures: tuple[str, ...]) -> Any:
    """Evaluate what there is; a run in which some model never worked still shows the others."""
    from bakeoff._core.errors import EvidenceError

    try:
        return results.evaluate(list(measures) or None, rng=0)
    except EvidenceError:
        if len(results.failures):
            return None
        raise
