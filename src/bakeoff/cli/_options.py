"""The options that several commands share, declared once; `Source` is what every command that reads takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

_COLUMNS = "Columns of the file"
_ANSWER = "The answer"

PredictionsPath = Annotated[
    Path,
    typer.Argument(
        help="CSV, TSV, JSON lines or Parquet file (compressed or not), folder of them, store of a run, logs of an "
        "evaluation tool, or - for standard input.",
        metavar="FILE",
        show_default=False,
    ),
]
Truth = Annotated[
    str | None, typer.Option("--truth", help="Column of the true labels or values.", rich_help_panel=_COLUMNS)
]
Pred = Annotated[
    list[str] | None,
    typer.Option(
        "--pred", help="Column of predicted labels, once per model; or MODEL=COLUMN.", rich_help_panel=_COLUMNS
    ),
]
Score = Annotated[
    list[str] | None,
    typer.Option(
        "--score",
        help="Column of scores or probabilities, once per model; or MODEL=COLUMN; several classes: MODEL=COL1,COL2,…",
        rich_help_panel=_COLUMNS,
    ),
]
Value = Annotated[
    list[str] | None,
    typer.Option("--value", help="Column of predicted values (regression), once per model.", rich_help_panel=_COLUMNS),
]
Positive = Annotated[str | None, typer.Option("--positive", help="The positive class.", rich_help_panel=_COLUMNS)]
ModelColumn = Annotated[
    str | None,
    typer.Option(
        "--model", help="Column naming the model, for a long file (one row per model).", rich_help_panel=_COLUMNS
    ),
]
Dataset = Annotated[str | None, typer.Option("--dataset", help="Column naming the data set.", rich_help_panel=_COLUMNS)]
Repeat = Annotated[str | None, typer.Option("--repeat", help="Column of the repeat.", rich_help_panel=_COLUMNS)]
Fold = Annotated[str | None, typer.Option("--fold", help="Column of the fold.", rich_help_panel=_COLUMNS)]
Groups = Annotated[
    str | None, typer.Option("--groups", help="Column of the group (cluster) of a row.", rich_help_panel=_COLUMNS)
]
Weight = Annotated[str | None, typer.Option("--weight", help="Column of row weights.", rich_help_panel=_COLUMNS)]
Frequency = Annotated[
    str | None,
    typer.Option("--frequency", help="Column of how many whole cases a row stands for.", rich_help_panel=_COLUMNS),
]
Instance = Annotated[
    str | None, typer.Option("--instance", help="Column identifying a row, for a long file.", rich_help_panel=_COLUMNS)
]
Attempt = Annotated[
    str | None,
    typer.Option(
        "--attempt",
        help="Column of the attempt at an item; of logs a field, or file: runs are attempts.",
        rich_help_panel=_COLUMNS,
    ),
]
Slice = Annotated[
    list[str] | None,
    typer.Option("--slice", help="Column to keep for --by, once for each.", rich_help_panel=_COLUMNS),
]
Classes = Annotated[
    list[str] | None,
    typer.Option("--classes", help="All classes in order: a,b,c.", rich_help_panel=_COLUMNS),
]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--models", help="The models to take: a,b,c (of a wide table: its columns).", rich_help_panel=_COLUMNS
    ),
]
Datasets = Annotated[
    list[str] | None,
    typer.Option("--datasets", help="The data sets to take: a,b,c.", rich_help_panel=_COLUMNS),
]
Lower = Annotated[
    bool | None,
    typer.Option(
        "--lower-is-better/--greater-is-better",
        help="Direction of scores or outcomes, where the measure does not tell.",
        show_default=False,
        rich_help_panel=_COLUMNS,
    ),
]
MixedScales = Annotated[
    bool,
    typer.Option(
        "--mixed-scales",
        help="Scores or outcomes on different scales (fractions, percentages) are meant so.",
        rich_help_panel=_COLUMNS,
    ),
]
DropMissing = Annotated[
    bool,
    typer.Option(
        "--drop-missing", help="Leave out rows with a missing value, for all models alike.", rich_help_panel=_COLUMNS
    ),
]
Format = Annotated[
    str | None,
    typer.Option("--format", help="How the file is written, where that is not evident.", rich_help_panel=_COLUMNS),
]
SkipBad = Annotated[
    bool,
    typer.Option(
        "--skip-bad",
        help="Leave out the files of a folder that cannot be read; they are listed.",
        rich_help_panel=_COLUMNS,
    ),
]
_LOGS = "Logs of evaluation tools"
Task = Annotated[
    list[str] | None, typer.Option("--task", help="The task to take; again for several.", rich_help_panel=_LOGS)
]
Metric = Annotated[
    str | None, typer.Option("--metric", help="The score to read; by default the tool's first.", rich_help_panel=_LOGS)
]
Filter = Annotated[
    str | None,
    typer.Option(
        "--filter", help="Which reading of the answers, where the tool scores several.", rich_help_panel=_LOGS
    ),
]
Errors = Annotated[
    str,
    typer.Option("--errors", help="What the tool could not score is missing, or wrong (0).", rich_help_panel=_LOGS),
]
Item = Annotated[
    str | None, typer.Option("--item", help="Column or field that identifies an item.", rich_help_panel=_LOGS)
]
Outcomes = Annotated[
    bool,
    typer.Option(
        "--outcomes",
        help="The file holds outcomes: rows items, columns models, cells 0/1 or graded.",
        rich_help_panel=_COLUMNS,
    ),
]
Sums = Annotated[
    bool,
    typer.Option(
        "--sums",
        help="The file holds numbers that add up: one row per item (--instance) and model (--model).",
        rich_help_panel=_COLUMNS,
    ),
]
NTrain = Annotated[
    int | None,
    typer.Option("--n-train", help="Size of the training sets, where not derivable.", rich_help_panel=_COLUMNS),
]
NTest = Annotated[
    int | None,
    typer.Option("--n-test", help="Size of the test sets, where not derivable.", rich_help_panel=_COLUMNS),
]
Measures = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", help="The measure; see `bakeoff measures`."),
]
By = Annotated[
    list[str] | None,
    typer.Option("--by", help="Column to cut the answer by; again for a crossing.", rich_help_panel=_ANSWER),
]
MinN = Annotated[int, typer.Option("--min-n", help="Slices with fewer units are marked.", rich_help_panel=_ANSWER)]
Share = Annotated[
    list[str] | None,
    typer.Option("--share", help="Share of a slice in the population, SLICE=0.4, for all.", rich_help_panel=_ANSWER),
]
Level = Annotated[float, typer.Option("--level", help="Confidence level.", rich_help_panel=_ANSWER)]
Resamples = Annotated[int, typer.Option("--resamples", help="Bootstrap resamples.", rich_help_panel=_ANSWER)]
Seed = Annotated[int, typer.Option("--seed", help="Seed of everything random.", rich_help_panel=_ANSWER)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.", rich_help_panel=_ANSWER)]
Steps = Annotated[bool, typer.Option("--steps", help="Show the working, step by step.", rich_help_panel=_ANSWER)]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Also write the table as CSV.", rich_help_panel=_ANSWER)
]


More = Annotated[
    list[Path] | None,
    typer.Argument(help="Further counts files, added up with the first.", metavar="[COUNTS]...", show_default=False),
]
DuckTable = Annotated[str | None, typer.Option("--table", help="Table of a DuckDB file.", rich_help_panel=_COLUMNS)]
Sql = Annotated[
    str | None, typer.Option("--sql", help="Query on a DuckDB file: select … from ….", rich_help_panel=_COLUMNS)
]


@dataclass(frozen=True)
class Source:
    """What to read, and what its columns are: the options of every command that takes evidence."""

    path: PredictionsPath
    truth: Truth = None
    pred: Pred = None
    score: Score = None
    value: Value = None
    positive: Positive = None
    classes: Classes = None
    model: ModelColumn = None
    models: Models = None
    datasets: Datasets = None
    outcomes: Outcomes = False
    sums: Sums = False
    attempt: Attempt = None
    slice: Slice = None
    lower: Lower = None
    mixed_scales: MixedScales = False
    dataset: Dataset = None
    repeat: Repeat = None
    fold: Fold = None
    groups: Groups = None
    instance: Instance = None
    weight: Weight = None
    frequency: Frequency = None
    n_train: NTrain = None
    n_test: NTest = None
    drop_missing: DropMissing = False
    skip_bad: SkipBad = False
    file_format: Format = None
    task: Task = None
    metric: Metric = None
    filter: Filter = None
    errors: Errors = "missing"
    item: Item = None
    more: More = None
    table: DuckTable = None
    sql: Sql = None


def takes_source(*, without: Sequence[str] = (), path: Any = None) -> Callable[[Callable[..., None]], Any]:
    """Give a command with a parameter `source` the options of `Source`, but for those it has no use for.

    `path` stands in for the argument FILE where that may be left out; `source` is then None.
    """

    def made(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(Source, include_extras=True)
        taken = [f for f in fields(Source) if f.name not in without]
        shared = [inspect.Parameter(f.name, inspect.Parameter.KEYWORD_ONLY, default=_default(f.default),
                                    annotation=hints[f.name]) for f in taken]  # fmt: skip
        if path is not None:
            shared[0] = shared[0].replace(default=None, annotation=path)
        own = inspect.signature(command, eval_str=True).parameters.values()
        every = [*shared, *(p.replace(kind=p.KEYWORD_ONLY) for p in own if p.name != "source")]

        @wraps(command)
        def called(**given: Any) -> None:
            chosen = {f.name: given.pop(f.name) for f in taken}
            command(source=None if chosen["path"] is None else Source(**chosen), **given)

        called.__signature__ = inspect.Signature(every)  # type: ignore[attr-defined]  # what typer reads
        called.__annotations__ = {p.name: p.annotation for p in every}
        del called.__wrapped__  # else its signature would be read instead
        return called

    return made


def _default(value: Any) -> Any:
    return inspect.Parameter.empty if value is MISSING else value
