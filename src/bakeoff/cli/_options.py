"""The options that several commands share, declared once: `Source` is what is read, `Answer` how it is answered."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from typer import Argument, Option

Name: TypeAlias = str | None
Names: TypeAlias = list[str] | None

Measures = Annotated[Names, Option("--measure", "-m", help="The measure; see `bakeoff measures`.")]
Seed = Annotated[int, Option("--seed", help="Seed of everything random.")]
Json = Annotated[bool, Option("--json", help="Print JSON for machines.")]
Steps = Annotated[bool, Option("--steps", help="Show the working, step by step.")]


@dataclass(frozen=True)
class Source:
    """What to read, and what its columns are."""

    path: Annotated[
        Path,
        Argument(
            help="CSV, TSV, JSON lines or Parquet file (compressed or not), folder of them, store of a run, logs of an "
            "evaluation tool, or - for standard input.",
            metavar="FILE",
            show_default=False,
        ),
    ]
    truth: Annotated[Name, Option("--truth", help="Column of the true labels or values.")] = None
    pred: Annotated[Names, Option("--pred", help="Column of predicted labels, once per model; or MODEL=COLUMN.")] = None
    score: Annotated[
        Names,
        Option("--score", help="Column of scores or probabilities, once per model; or MODEL=COLUMN; several classes: "
               "MODEL=COL1,COL2,…"),
    ] = None  # fmt: skip
    value: Annotated[Names, Option("--value", help="Column of predicted values (regression), once per model.")] = None
    positive: Annotated[Name, Option("--positive", help="The positive class.")] = None
    classes: Annotated[Names, Option("--classes", help="All classes in order: a,b,c.")] = None
    model: Annotated[Name, Option("--model", help="Column naming the model, for a long file (one row per model).")] = (
        None
    )
    models: Annotated[Names, Option("--models", help="The models to take: a,b,c (of a wide table: its columns).")] = (
        None
    )
    datasets: Annotated[Names, Option("--datasets", help="The data sets to take: a,b,c.")] = None
    outcomes: Annotated[
        bool, Option("--outcomes", help="The file holds outcomes: rows items, columns models, cells 0/1 or graded.")
    ] = False
    sums: Annotated[
        bool,
        Option("--sums", help="The file holds numbers that add up: one row per item (--instance) and model (--model)."),
    ] = False
    attempt: Annotated[
        Name, Option("--attempt", help="Column of the attempt at an item; of logs a field, or file: runs are attempts.")
    ] = None
    slice: Annotated[Names, Option("--slice", help="Column to keep for --by, once for each.")] = None
    lower: Annotated[
        bool | None,
        Option("--lower-is-better/--greater-is-better", show_default=False,
               help="Direction of scores or outcomes, where the measure does not tell."),
    ] = None  # fmt: skip
    mixed_scales: Annotated[
        bool,
        Option("--mixed-scales", help="Scores or outcomes on different scales (fractions, percentages) are meant so."),
    ] = False
    dataset: Annotated[Name, Option("--dataset", help="Column naming the data set.")] = None
    repeat: Annotated[Name, Option("--repeat", help="Column of the repeat.")] = None
    fold: Annotated[Name, Option("--fold", help="Column of the fold.")] = None
    groups: Annotated[Name, Option("--groups", help="Column of the group (cluster) of a row.")] = None
    instance: Annotated[Name, Option("--instance", help="Column identifying a row, for a long file.")] = None
    weight: Annotated[Name, Option("--weight", help="Column of row weights.")] = None
    frequency: Annotated[Name, Option("--frequency", help="Column of how many whole cases a row stands for.")] = None
    n_train: Annotated[int | None, Option("--n-train", help="Size of the training sets, where not derivable.")] = None
    n_test: Annotated[int | None, Option("--n-test", help="Size of the test sets, where not derivable.")] = None
    drop_missing: Annotated[
        bool, Option("--drop-missing", help="Leave out rows with a missing value, for all models alike.")
    ] = False
    skip_bad: Annotated[
        bool, Option("--skip-bad", help="Leave out the files of a folder that cannot be read; they are listed.")
    ] = False
    format: Annotated[Name, Option("--format", help="How the file is written, where that is not evident.")] = None
    task: Annotated[Names, Option("--task", help="The task to take; again for several.")] = None
    metric: Annotated[Name, Option("--metric", help="The score to read; by default the tool's first.")] = None
    filter: Annotated[Name, Option("--filter", help="Which reading of the answers, where the tool scores several.")] = (
        None
    )
    errors: Annotated[str, Option("--errors", help="What the tool could not score is missing, or wrong (0).")] = (
        "missing"
    )
    item: Annotated[Name, Option("--item", help="Column or field that identifies an item.")] = None
    more: Annotated[
        list[Path] | None,
        Argument(help="Further counts files, added up with the first.", metavar="[COUNTS]...", show_default=False),
    ] = None
    table: Annotated[Name, Option("--table", help="Table of a DuckDB file.")] = None
    sql: Annotated[Name, Option("--sql", help="Query on a DuckDB file: select … from ….")] = None


@dataclass(frozen=True)
class Answer:
    """How sure an answer is to be, by what it is cut, and how it is shown."""

    by: Annotated[Names, Option("--by", help="Column to cut the answer by; again for a crossing.")] = None
    min_n: Annotated[int, Option("--min-n", help="Slices with fewer units are marked.")] = 30
    share: Annotated[Names, Option("--share", help="Share of a slice in the population, SLICE=0.4, for all.")] = None
    level: Annotated[float, Option("--level", help="Confidence level.")] = 0.95
    resamples: Annotated[int, Option("--resamples", help="Bootstrap resamples.")] = 2000
    seed: Seed = 0
    output: Annotated[Path | None, Option("--output", "-o", help="Also write the table as CSV.")] = None
    steps: Steps = False
    as_json: Json = False

    @property
    def drawn(self) -> Mapping[str, Any]:
        """Level, resamples and seed, as the verbs call them."""
        return {"confidence_level": self.level, "n_resamples": self.resamples, "rng": self.seed}


def given(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None}


_BUNDLES: Mapping[str, Any] = {"source": Source, "answer": Answer}


def takes(*, without: Sequence[str] = (), path: Any = None) -> Callable[[Callable[..., None]], Any]:
    """Give a command with parameters `source` and `answer` the options of `Source` and `Answer`.

    All but those it has no use for (`without`), and those of which it has one of its own. `path` stands in for the
    argument FILE where that may be left out; `source` is then None.
    """

    def made(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True).parameters
        taken = {
            name: [f.name for f in fields(bundle) if f.name not in (*without, *own)]
            for name, bundle in _BUNDLES.items()
            if name in own
        }
        every: dict[str, inspect.Parameter] = {}
        for name, parameter in own.items():
            if name in taken:
                options = inspect.signature(_BUNDLES[name], eval_str=True).parameters
                every |= {option: options[option] for option in taken[name]}
            else:
                every[name] = parameter
        if path is not None:
            every["path"] = every["path"].replace(default=None, annotation=path)

        @wraps(command)
        def called(**given: Any) -> None:
            for bundle, options in taken.items():
                chosen = {option: given.pop(option) for option in options}
                nothing = chosen.get("path", bundle) is None
                given[bundle] = None if nothing else _BUNDLES[bundle](**chosen)
            command(**given)

        parameters = [p.replace(kind=p.KEYWORD_ONLY) for p in every.values()]
        called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
        called.__annotations__ = {name: p.annotation for name, p in every.items()}
        del called.__wrapped__  # else its signature would be read instead
        return called

    return made
