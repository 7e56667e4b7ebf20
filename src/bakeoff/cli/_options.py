"""The options that several commands share, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_COLUMNS = "Columns of the file"
_ANSWER = "The answer"

PredictionsPath = Annotated[
    Path,
    typer.Argument(
        help="CSV, TSV, JSON lines or Parquet file (compressed or not), folder of them, store of a run, or - for "
        "standard input.",
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
Instance = Annotated[
    str | None, typer.Option("--instance", help="Column identifying a row, for a long file.", rich_help_panel=_COLUMNS)
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
Lower = Annotated[
    bool | None,
    typer.Option(
        "--lower-is-better/--greater-is-better",
        help="Direction of scores or outcomes, where the measure does not tell.",
        show_default=False,
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
Measures = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", help="The measure; see `bakeoff measures`."),
]
Level = Annotated[float, typer.Option("--level", help="Confidence level.", rich_help_panel=_ANSWER)]
Resamples = Annotated[int, typer.Option("--resamples", help="Bootstrap resamples.", rich_help_panel=_ANSWER)]
Seed = Annotated[int, typer.Option("--seed", help="Seed of everything random.", rich_help_panel=_ANSWER)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.", rich_help_panel=_ANSWER)]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Also write the table as CSV.", rich_help_panel=_ANSWER)
]
