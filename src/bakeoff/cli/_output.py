"""What the commands print: text that fits the terminal, JSON for machines."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bakeoff._core.language import Text, translate
from bakeoff._core.view import Table, View, text_table, wrapped

if TYPE_CHECKING:
    from bakeoff._core.result import Note
    from bakeoff.cli._options import Answer


def fail(message: str, hint: str | None = None) -> None:
    """Print an error sentence, and the hint below it, on standard error."""
    print(f"bakeoff: {as_options(message)}", file=sys.stderr)  # noqa: T201 (this is the command line)
    if hint:
        print(f"  {translate('hint')}: {as_options(hint)}", file=sys.stderr)  # noqa: T201


# What Python calls an argument, and the option that gives it on the command line.
_OPTIONS = {
    "y_true": "--truth", "y_pred": "--pred", "y_score": "--score", "y_value": "--value", "pos_label": "--positive",
    "sample_weight": "--weight", "classes=": "--classes", "models=": "--models", "instance=": "--instance",
    "item=": "--item", "greater_is_better=": "--greater-is-better", "pos_label=": "--positive",
    "n_jobs": "--jobs", "time_limit": "--time-limit", "memory_limit": "--memory-limit",
    "engine=": "--engine=",
    "n_train=": "--n-train", "n_test=": "--n-test",
    "groups=": "--groups", "fold=": "--fold", "repeat=": "--repeat", "dataset=": "--dataset", "measure=": "--measure",
}  # fmt: skip
_ARGUMENT = r"\w+=(?:True|False|…|\[…\]|'[^']*')?(?: (?:or|o|ou) False)?"
_HERE = " (?:on the command line|en la línea de órdenes|na linha de comando)"
_BOTH_NAMES = (  # "repeat= or fold= (--repeat, --fold on the command line)", and "drop_missing=True, --drop-missing"
    re.compile(rf"\b{_ARGUMENT}(?:(?:, | or | ou? ){_ARGUMENT})* ?\((--[^()]+?)(?:{_HERE})?\)"),
    re.compile(rf"\b{_ARGUMENT},? (--[\w-]+)(?:{_HERE})?"),
)


def as_options(text: str) -> str:
    """Say it in the words of the command line: an error that names Python's argument names the option instead.

    What stands in quotes is the user's own word, a column called y_true for one.
    """
    for both in _BOTH_NAMES:
        text = both.sub(r"\1", text)
    for name, option in _OPTIONS.items():
        text = re.sub(rf"(?<![\w'-]){re.escape(name)}(?![\w])", option, text)
    return re.sub(_HERE, "", text)


def say(text: Text | str = "") -> None:
    """Print a sentence, broken where the terminal ends; lines that are made up already stay."""
    print("\n".join(line for part in str(text).split("\n") for line in wrapped(part, width())))  # noqa: T201


class Listened:
    """An output whose reader may go away (head, less): the command goes on, and its status is the answer's."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write, or lose what nobody reads."""
        try:
            return int(self._stream.write(text))
        except BrokenPipeError:
            self._lose()
            return len(text)

    def flush(self) -> None:
        """Send what was written."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._lose()

    def _lose(self) -> None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)


@contextmanager
def working(text: str = "") -> Iterator[None]:
    """Show what is being done, and for how long, on a terminal only; a quick answer leaves no trace of it."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    shown = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*shown, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(text or translate("Computing ..."), total=None)
        yield


def show(result: Any, answer: Answer, *, more: Callable[[], None] | None = None, **parts: Any) -> None:
    """Give an answer as it was asked for: its table as CSV; JSON, or what a person reads; and its working.

    `parts` of it are shown with it; what is printed after it for a person is `more`.
    """
    if answer.output is not None:
        write_csv(result, answer.output)
    if answer.as_json:
        print_json(result, steps=answer.steps, **parts)
        return
    print_view(result, *parts.values())
    if getattr(result, "slices", None) is not None:
        say()
        print_view(result.slices)
    if more is not None:
        more()
    if answer.steps:
        print_steps(result)


def print_json(result: Any, *, steps: bool = False, **parts: Any) -> None:
    """Print a result's `to_dict` (or plain data) as JSON, with that of its parts; with `steps`, its working too."""
    data = result.to_dict() if hasattr(result, "to_dict") else result
    data = {**data, **{name: part.to_dict() for name, part in parts.items()}}
    if steps:
        data = {**data, "steps": result.steps()._plain()}
    print(json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False))  # noqa: T201


def print_table(columns: Mapping[str, Sequence[Any]], *, title: str = "") -> None:
    """Print a table, as wide as the terminal allows."""
    say(text_table(Table(columns, title, max_rows=sys.maxsize), width()))


def print_view(*results: Any) -> None:
    """Print what is shown of each result: the answer first, then tables, then notes."""
    for number, result in enumerate(results):
        if number:
            say()
        say(as_options(result._view().text(width())))


def print_steps(result: Any) -> None:
    """Print the working of a result."""
    say()
    say(as_options(result.steps().text(width())))


def width() -> int | None:
    """Columns of the terminal; None in a pipe, where whoever reads it finds nothing broken or folded."""
    return max(shutil.get_terminal_size().columns, 40) if sys.stdout.isatty() else None


def print_notes(notes: Iterable[Note]) -> None:
    """Print notes below an answer, warnings first."""
    if text := View(notes=tuple(notes)).text(width()):
        say(as_options(text))


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
