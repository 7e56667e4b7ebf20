"""What the commands print: rich tables on a terminal, plain text in a pipe, JSON for machines."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bakeoff._core.language import Text, heading, render, translate
from bakeoff._core.notes import Note
from bakeoff._core.text import format_value


def fail(message: str, hint: str | None = None) -> None:
    """Print an error sentence, and the hint below it, on standard error."""
    print(f"bakeoff: {as_options(message)}", file=sys.stderr)  # noqa: T201 (this is the command line)
    if hint:
        print(f"  {translate('hint')}: {as_options(hint)}", file=sys.stderr)  # noqa: T201


# What Python calls an argument, and the option that gives it on the command line.
_OPTIONS = {
    "y_true": "--truth", "y_pred": "--pred", "y_score": "--score", "y_value": "--value", "pos_label": "--positive",
    "sample_weight": "--weight", "classes=": "--classes", "models=": "--models", "instance=": "--instance",
    "n_train=": "--n-train", "n_test=": "--n-test",
    "groups=": "--groups", "fold=": "--fold", "repeat=": "--repeat", "dataset=": "--dataset", "measure=": "--measure",
}  # fmt: skip
_VALUE = r"(?:True|False|…|\[…\]|'[^']*')?(?: or False)?"
_BOTH_NAMES = re.compile(rf"\b\w+={_VALUE}(?:,? \(?|\()(--[\w-]+)(?: on the command line)?")


def as_options(text: str) -> str:
    """Say it in the words of the command line: an error that names Python's argument names the option instead."""
    text = _BOTH_NAMES.sub(r"\1", text)
    for name, option in _OPTIONS.items():
        text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w])", option, text)
    return text.replace(" on the command line", "")


def say(text: Text | str = "") -> None:
    """Print one line."""
    print(text)  # noqa: T201


@contextmanager
def working(text: str) -> Iterator[None]:
    """Show that something is being computed, on a terminal only; a quick answer leaves no trace of it."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(text, spinner="dots"):
        yield


def print_json(result: Any) -> None:
    """Print a result's `to_dict` (or plain data) as JSON."""
    data = result.to_dict() if hasattr(result, "to_dict") else result
    say(json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False))


def print_table(columns: Mapping[str, Sequence[Any]], *, title: str = "", dim_rows: Iterable[int] = ()) -> None:
    """Print a table; names are shown as they are, never read as markup."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text as Cell  # plain text to rich: never read as markup

    table = Table(
        title=Cell(title) if title else None, title_justify="left", header_style="bold", box=None, pad_edge=False
    )
    for name, values in columns.items():
        numeric = bool(values) and all(isinstance(v, (int, float)) for v in values if v is not None)
        table.add_column(Cell(heading(name)), justify="right" if numeric else "left", overflow="fold")
    faint = set(dim_rows)
    for index, row in enumerate(zip(*columns.values(), strict=True)):
        table.add_row(*(Cell(format_value(v)) for v in row), style="dim" if index in faint else None)
    wide = None if sys.stdout.isatty() else 10_000  # in a pipe nothing is wrapped
    Console(width=wide, highlight=False).print(table)


def print_notes(notes: Iterable[Note]) -> None:
    """Print notes below an answer, warnings first."""
    ordered = sorted(notes, key=lambda n: n.level != "warning")
    for note in ordered:
        mark = translate("warning") if note.level == "warning" else translate("note")
        say(f"{mark}: {render(note.text)} [{note.code}]")


def write_csv(result: Any, path: Path) -> None:
    """Write a result's frame as CSV; a cell that a spreadsheet would run as a formula is quoted as text."""
    frame = result.to_frame(backend="polars")
    import polars as pl

    guarded = [
        pl.when(pl.col(c).str.contains(r"^[=+\-@\t\r]")).then("'" + pl.col(c)).otherwise(pl.col(c)).alias(c)
        for c, kind in zip(frame.columns, frame.dtypes, strict=True)
        if kind == pl.String
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.with_columns(guarded).write_csv(path)
