"""What every log is brought to: records, one per item, model and attempt."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence._text import PACKED, content_of

Value = float | Mapping[str, float] | None
"""A per-item score; numbers that add up, by column; or None for what the tool could not score."""


@dataclass(frozen=True, slots=True)
class Record:
    """What a tool wrote about one answer of one model to one item.

    Attributes
    ----------
    task, model, item
        The data set, the model, and what identifies the item within the task, whoever answers it.
    values
        Metric → score.
    attempt
        Which attempt at the item; None where only their order tells.
    filter
        How the answer was read, where the tool scores one answer in several ways.
    shown, text
        What people call the item, and what it asks: the same item must ask the same everywhere.
    about
        What else the tool kept about the item.
    copy_of
        The instance that the item is a changed copy of: copies are no new cases, and belong together.
    file, place
        The file it stands in, and which it is of the answers to its item there; filled in for all tools alike.
    """

    task: str
    model: str
    item: str
    values: Mapping[str, Value]
    attempt: Any = None
    filter: str | None = None
    shown: str | None = None
    text: str | None = None
    about: Mapping[str, Any] = field(default_factory=dict)
    copy_of: str | None = None
    file: str = ""
    place: int = 1

    @property
    def name(self) -> str:
        """What people call the item, or what identifies it."""
        return self.shown or self.item


@dataclass(frozen=True)
class Log:
    """The records of one file (or run folder).

    Attributes
    ----------
    greater
        (task, metric) → whether more is better, as far as the tool tells.
    told
        What is to be noted about the file.
    """

    file: str
    version: str
    records: Sequence[Record]
    greater: Mapping[tuple[str, str], bool] = field(default_factory=dict)
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class Opened:
    """A file that was looked into: its kind (zip, json, jsonl or csv), and what tells its format.

    `head` is the document of a JSON file, the first line of JSON lines, the header of a CSV file, the names in a ZIP
    archive.
    """

    path: Path
    name: str
    kind: str
    head: Any
    unpacked: bytes | None = None

    @cached_property
    def content(self) -> bytes:
        """All of the file; what was compressed, or came from standard input, is in memory already."""
        return self.path.read_bytes() if self.unpacked is None else self.unpacked

    def lines(self) -> list[dict[str, Any]]:
        """Every line of JSON lines."""
        if self.kind == "json" and isinstance(self.head, list):  # some versions write one list
            return self._objects(self.head)
        found = []
        # Not splitlines: text may hold characters that it takes for ends of lines, such as U+2028.
        for number, line in enumerate(self.content.decode("utf-8-sig").split("\n"), start=1):
            if not line.strip():
                continue
            try:
                found.append(json.loads(line))
            except json.JSONDecodeError:
                raise EvidenceError(
                    f"line {number} of the file {self.name!r} is not valid JSON: it seems to be cut off or damaged.",
                    hint="copy or write it again",
                ) from None
        return self._objects(found)

    def _objects(self, found: list[Any]) -> list[dict[str, Any]]:
        for number, one in enumerate(found, start=1):
            if not isinstance(one, dict):
                raise EvidenceError(f"entry {number} of the file {self.name!r} is no JSON object.")
        return found

    @property
    def first(self) -> Any:
        """What an entry looks like: the first line, or the first of a list."""
        return self.head[0] if isinstance(self.head, list) and self.head else self.head

    def beside(self, name: str) -> Any:
        """The JSON document of a file in the same folder; None where there is none."""
        places = (self.path.with_name(name + packed) for packed in ("", *PACKED))
        place = next((p for p in places if p.is_file()), None)
        return None if place is None else parsed(content_of(place) or place.read_bytes(), place.name)


@dataclass(frozen=True)
class Format:
    """A kind of log.

    Attributes
    ----------
    name, files, recognised
        What it is called, which files it has, and what in them tells it.
    claims, read
        Whether a file is of this kind and holds items, and its records.
    part, how
        Whether a file belongs to such a log but holds no items, and how to log items.
    beside
        Names of files that the tool itself keeps in the folders of its logs, and that hold no items.
    """

    name: str
    files: str
    recognised: str
    claims: Callable[[Opened], bool]
    read: Callable[[Opened], Iterable[Log]]
    part: Callable[[Opened], bool] = lambda opened: False
    how: str = ""
    beside: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asked:
    """Which part of the logs is wanted, and how it is read; the arguments of `bakeoff.read`."""

    task: Any = None
    metric: str | None = None
    filter: str | None = None
    model: Any = None
    item: str | None = None
    attempt: str | None = None
    errors: str = "missing"
    groups: str | None = None
    drop_missing: bool = False
    greater_is_better: bool | None = None


@dataclass(frozen=True)
class Source:
    """Where evidence was read from.

    Attributes
    ----------
    format, version
        The kind of file, and the version of what wrote it, where that is told.
    files, skipped
        What was read, and what was not: file → reason.
    tasks, metrics, notes
        What the files hold, and what was decided on the way.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import bakeoff
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "errors.csv"
    ...     _ = file.write_text("dataset,new,old\\niris,0.05,0.07\\nwine,0.02,0.04\\n")
    ...     print(bakeoff.read(file, measure="error").source.format)
    ...
    csv
    """

    format: str
    version: str = ""
    files: tuple[str, ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)
    tasks: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


# -- helpers of the readers -------------------------------------------------------------------------------------------


def parsed(content: bytes, name: str) -> Any:
    """A JSON document, or one sentence about why it is none."""
    try:
        return json.loads(content.decode("utf-8-sig"))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise EvidenceError(
            f"the file {name!r} is not whole JSON ({problem}): it seems to be cut off or damaged.",
            hint="copy or write it again",
        ) from None


def number(value: Any) -> float | None:
    """A finite number, or true and false as 1 and 0; None for anything else."""
    if isinstance(value, (bool, int, float)) and math.isfinite(value):
        return float(value)
    return None


_WORDS = {"true": 1.0, "yes": 1.0, "pass": 1.0, "false": 0.0, "no": 0.0, "fail": 0.0}


def score(value: Any) -> float | None:
    """A number, also one written as text, or a word for right or wrong; None for what was not scored."""
    if not isinstance(value, str):
        return number(value)
    word = value.strip().lower()
    try:
        return _WORDS[word] if word in _WORDS else number(float(word))
    except ValueError:
        return None


def scalars(*tables: Any) -> dict[str, Any]:
    """The plain values (text, numbers, true and false) of mappings; a list of them is joined."""
    found: dict[str, Any] = {}
    for table in tables:
        for key, value in table.items() if isinstance(table, Mapping) else ():
            if isinstance(value, (str, bool, int, float)):
                found[str(key)] = value
            elif isinstance(value, list) and value and all(isinstance(v, (str, int, float)) for v in value):
                found[str(key)] = ", ".join(map(str, value))
    return found


def canonical(value: Any) -> str:
    """One text for one content, however it was laid out."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def has(value: Any, *keys: str) -> bool:
    """Whether a JSON value is an object with these keys."""
    return isinstance(value, dict) and all(key in value for key in keys)
