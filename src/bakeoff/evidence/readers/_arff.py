"""ARFF: the text format of Weka and OpenML, read without executing or guessing anything."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError

_ATTRIBUTE = re.compile(r"@attribute\s+('(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|\S+)\s+(.+)$", re.IGNORECASE | re.DOTALL)
_NUMERIC = ("numeric", "real", "integer")


@dataclass(frozen=True)
class Relation:
    """An ARFF file: its name, its columns in order, and the declared categories of the nominal ones."""

    name: str
    columns: dict[str, NDArray[Any]]
    categories: dict[str, tuple[str, ...]]


def read_arff(path: str | Path) -> Relation:
    """Read an ARFF file: numbers as floats (missing: NaN), nominal and text attributes as text (missing: None).

    Dense and sparse rows, quoted names and values, comments and dates (as text) are understood; relational attributes
    and instance weights are not.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from bakeoff.evidence.readers import read_arff
    >>> rows = ["@relation tiny", "@attribute size numeric", "@attribute class {no, yes}", "@data", "1.5,yes", "2.5,no"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "tiny.arff"
    ...     _ = file.write_text(chr(10).join(rows))
    ...     print({name: values.tolist() for name, values in read_arff(file).columns.items()})
    ...
    {'size': [1.5, 2.5], 'class': ['yes', 'no']}
    """
    path = Path(path)
    if not path.is_file():
        raise EvidenceError(f"there is no file {str(path)!r}.", hint="check the spelling and the current folder")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        lines = path.read_text(encoding="latin-1").splitlines()
    return _Parser(path.name, lines).parse()


class _Parser:
    def __init__(self, file: str, lines: list[str]) -> None:
        self.file, self.lines = file, lines
        self.name, self.kinds = "", {}  # type: str, dict[str, str]
        self.categories: dict[str, tuple[str, ...]] = {}

    def parse(self) -> Relation:
        start = self._header()
        rows = [self._row(number, line) for number, line in self._data(start)]
        if not rows:
            raise EvidenceError(f"{self.file} has no data rows.")
        cells = list(zip(*rows, strict=True))
        columns = {n: self._column(n, values) for n, values in zip(self.kinds, cells, strict=True)}
        return Relation(self.name, columns, self.categories)

    def _header(self) -> int:
        """Read up to ``@data``; return the number of the line after it."""
        for number, line in enumerate(self.lines):
            text = line.strip()
            word = text.split(None, 1)[0].lower() if text else ""
            if word == "@relation":
                self.name = _unquote(text.split(None, 1)[1]) if " " in text or "\t" in text else ""
            elif word == "@attribute":
                self._attribute(number, text)
            elif word == "@data":
                if not self.kinds:
                    raise EvidenceError(f"{self.file} declares no attributes before @data.")
                return number + 1
            elif text and not text.startswith("%"):
                raise EvidenceError(f"{self.file}, line {number + 1}: {text[:40]!r} is not ARFF.")
        raise EvidenceError(f"{self.file} has no @data section.", hint="is it an ARFF file?")

    def _attribute(self, number: int, text: str) -> None:
        match = _ATTRIBUTE.match(text)
        if match is None:
            raise EvidenceError(f"{self.file}, line {number + 1}: an attribute needs a name and a kind.")
        name, kind = _unquote(match[1]), match[2].strip()
        if name in self.kinds:
            raise EvidenceError(f"{self.file}, line {number + 1}: two attributes are named {name!r}.")
        if kind.startswith("{"):
            inside = kind[1 : kind.rindex("}")] if "}" in kind else kind[1:]
            self.categories[name] = tuple(v or "" for v in _split(inside))
            self.kinds[name] = "nominal"
            return
        word = kind.split()[0].lower()
        if word not in (*_NUMERIC, "string", "date"):
            raise EvidenceError(f"{self.file}, line {number + 1}: attributes of kind {word!r} are not read.")
        self.kinds[name] = "numeric" if word in _NUMERIC else "text"

    def _data(self, start: int) -> list[tuple[int, str]]:
        rows = ((number + 1, line.strip()) for number, line in enumerate(self.lines[start:], start))
        return [(n, line) for n, line in rows if line and not line.startswith("%")]

    def _row(self, number: int, line: str) -> list[str | None]:
        cells = self._sparse(number, line) if line.startswith("{") else _split(line)
        if len(cells) != len(self.kinds):
            raise EvidenceError(
                f"{self.file}, line {number}: the row has {len(cells)} values, for {len(self.kinds)} attributes."
            )
        return cells

    def _sparse(self, number: int, line: str) -> list[str | None]:
        """Sparse rows name the cells that are not zero (for a nominal attribute, not its first category)."""
        first: list[str | None] = [self.categories[n][0] if n in self.categories else "0" for n in self.kinds]
        for part in _split(line.strip("{} \t"), keep_quotes=True):
            if part is None or not part:
                continue
            place, _, value = part.strip().partition(" ")
            if not place.isdigit() or int(place) >= len(first):
                raise EvidenceError(f"{self.file}, line {number}: {part!r} is not a cell of a sparse row.")
            first[int(place)] = _cell(value.strip())
        return first

    def _column(self, name: str, values: tuple[str | None, ...]) -> NDArray[Any]:
        if self.kinds[name] == "numeric":
            try:
                return np.array([np.nan if v is None else float(v) for v in values])
            except ValueError as problem:
                raise EvidenceError(f"{self.file}: attribute {name!r} must hold numbers: {problem}.") from None
        known = self.categories.get(name)
        if known is not None:
            stray = next((v for v in values if v is not None and v not in known), None)
            if stray is not None:
                raise EvidenceError(f"{self.file}: {stray!r} is not among the declared values of {name!r}.")
        column = np.empty(len(values), dtype=object)
        column[:] = values
        return column


def _split(text: str, *, keep_quotes: bool = False) -> list[str | None]:
    """Split at commas outside quotes; ``?`` is a missing value."""
    if "'" not in text and '"' not in text:
        parts = text.split(",")
        return list(parts) if keep_quotes else [_cell(p.strip()) for p in parts]
    cells, current, quote, escaped = [], "", "", False
    for char in text:
        if escaped:
            current, escaped = current + char, False
        elif char == "\\" and quote:
            current, escaped = current + char, True
        elif quote:
            current, quote = current + char, "" if char == quote else quote
        elif char in "'\"":
            current, quote = current + char, char
        elif char == ",":
            cells.append(current)
            current = ""
        else:
            current += char
    cells.append(current)
    return list(cells) if keep_quotes else [_cell(c.strip()) for c in cells]


def _cell(text: str) -> str | None:
    return None if text == "?" else _unquote(text)


def _unquote(text: str) -> str:
    text = text.strip()
    if len(text) >= 2 and text[0] in "'\"" and text[-1] == text[0]:
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text
