"""Text files to tables: compressed or not, in any usual encoding, with any usual separator."""

from __future__ import annotations

import bz2
import csv
import gzip
import importlib
import io
import lzma
import os
import re
import select
import stat
import sys
import time
import zlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from bakeoff._core.errors import EvidenceError, MissingDependencyError
from bakeoff.evidence._marks import numbers_where_meant, refuse_thousands

PACKED = (".gz", ".bz2", ".xz", ".zst")
_SEPARATORS = (",", ";", "\t", "|")
_UNNAMED = re.compile(r"_duplicated_\d+")
_DECIMAL_COMMA = re.compile(r"(^|;)\s*-?\d+,\d+\s*(;|$)")
_STATED = re.compile(r'"?sep=(.)"?', re.IGNORECASE)
_MOST_UNPACKED = 2**30  # bytes; a small file that unpacks to more is not a table that someone typed
_HEAD = 2**16
_PART = 2**20
_PIPE_SECONDS = 3.0


def content_of(path: Path | str) -> bytes | None:
    """The bytes behind standard input, a pipe or a compressed file; None for a plain file, which is read in place."""
    name = str(path)
    if name == "-":
        return unpacked(_bounded(iter(lambda: sys.stdin.buffer.read(_PART), b""), "standard input"), "standard input")
    kind = os.stat(path).st_mode
    if stat.S_ISFIFO(kind):
        return unpacked(_bounded(_piped(name), name), name)
    if not stat.S_ISREG(kind):  # a terminal, a device without an end
        with Path(path).open("rb") as file:
            return unpacked(_bounded(iter(lambda: file.read(_PART), b""), name), name)
    return unpacked(Path(path).read_bytes(), name) if _opener(beginning(path, None, 8)) is not None else None


def whole(path: Path | str, content: bytes | None) -> bytes:
    """All bytes of a file, of which `content_of` was asked."""
    return Path(path).read_bytes() if content is None else content


def beginning(path: Path | str, content: bytes | None, size: int) -> bytes:
    """The first bytes of a file, of which `content_of` was asked."""
    if content is not None:
        return content[:size]
    with Path(path).open("rb") as file:
        return file.read(size)


def suffix_of(path: Path) -> str:
    """How the name of a file ends, compressed or not, in lower case."""
    suffixes = [s.lower() for s in path.suffixes if s.lower() not in PACKED]
    return suffixes[-1] if suffixes else ""


def _bounded(parts: Iterable[bytes], name: str) -> bytes:
    """Put together what a stream gives, up to a bound."""
    content = bytearray()
    for part in parts:
        content += part
        if len(content) > _MOST_UNPACKED:
            raise EvidenceError(f"{name!r} gives more than {_MOST_UNPACKED // 2**20} MB.", hint="save it as Parquet")
    return bytes(content)


def _piped(name: str) -> Iterator[bytes]:
    """Yield what is written to a pipe; a pipe that nobody writes to is not waited for without end."""
    handle = os.open(name, os.O_RDONLY | os.O_NONBLOCK)
    patience = time.monotonic() + _PIPE_SECONDS
    written = False
    try:
        while True:
            try:
                part = os.read(handle, _PART)
            except BlockingIOError:  # somebody has it open and has not written yet
                written = True
                select.select([handle], [], [], 1.0)
                continue
            if part:
                written = True
                yield part
            elif written:
                return
            elif time.monotonic() > patience:
                raise EvidenceError(
                    f"nobody writes to the pipe {name!r}.", hint="start what writes to it, or give a file"
                )
            else:
                time.sleep(0.02)
    finally:
        os.close(handle)


def _opener(head: bytes) -> Any:
    openers = {b"\x1f\x8b": gzip.open, b"BZh": bz2.BZ2File, b"\xfd7zXZ\x00": lzma.LZMAFile}
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return _zstandard
    return next((opener for magic, opener in openers.items() if head.startswith(magic)), None)


def _zstandard(file: IO[bytes]) -> IO[bytes]:
    """Arrow reads all frames, and sees where the last one is cut; the package zstandard hands out what there is."""
    try:
        library = importlib.import_module("pyarrow")
    except ImportError:
        raise MissingDependencyError(
            "reading a file compressed with Zstandard needs the package 'pyarrow', which is not installed.",
            hint="pip install pyarrow, or compress it with gzip",
        ) from None
    reader: IO[bytes] = library.CompressedInputStream(file, "zstd")
    return reader


def unpacked(content: bytes, name: str, most: int = _MOST_UNPACKED) -> bytes:
    """Unpack gzip, bzip2, xz and Zstandard, up to a bound."""
    opener = _opener(content[:8])
    if opener is None:
        return content
    try:
        plain: bytes = opener(io.BytesIO(content)).read(most + 1)
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        raise EvidenceError(f"the file {name!r} is compressed and damaged.", hint="make it again") from None
    if len(plain) > most:
        raise EvidenceError(f"the file {name!r} unpacks to more than {most // 2**20} MB.", hint="save it as Parquet")
    return plain


def read_text(path: Path | str, content: bytes | None, suffix: str) -> Any:
    """Read a table written as text; rows with nothing in them are the blank lines of an editor or a spreadsheet."""
    import polars as pl

    name = str(path)
    head, content = _in_utf8(path, content)
    dialect = _dialect(name, head.decode("utf-8-sig", errors="replace"), suffix)
    source: Any = io.BytesIO(content) if content is not None else Path(path)
    try:
        table = _parse(source, dialect)
    except pl.exceptions.ComputeError as problem:
        if "utf-8" not in str(problem):
            raise
        # an accent far below the first lines
        source = io.BytesIO(whole(path, content).decode("cp1252", errors="replace").encode())
        table = _parse(source, dialect)
    if dialect["separator"] in ";\t":
        _refuse_thousands(source, dialect)
    table = _plain_names(name, table)
    if table.width > 1:
        table = table.filter(~pl.all_horizontal(pl.all().is_null()))
    return numbers_where_meant(table)


def _in_utf8(path: Path | str, content: bytes | None) -> tuple[bytes, bytes | None]:
    """Return the first bytes, and the content where it cannot be read in place."""
    head = beginning(path, content, _HEAD)
    if (encoding := _encoding(head)) is not None:
        content = whole(path, content).decode(encoding, errors="replace").encode()
        head = content[:_HEAD]
    if b"\r" in head and b"\n" not in head:  # lines end as on old Macintoshes
        content = whole(path, content).replace(b"\r", b"\n")
        head = content[:_HEAD]
    return head, content


def lines_of(path: Path, content: bytes | None, suffix: str) -> list[int]:
    """Return the line on which each row of a text table begins, as an editor counts them.

    Examples
    --------
    >>> import pathlib
    >>> from bakeoff.evidence._text import lines_of
    >>> lines_of(pathlib.Path("-"), b'y,a\\n1,"two\\nlines"\\n\\n0,2\\n', ".csv")
    [2, 5]
    """
    head, content = _in_utf8(path, content)
    dialect = _dialect(str(path), head.decode("utf-8-sig", errors="replace"), suffix)
    lines = (
        whole(path, content).decode("utf-8-sig", errors="replace").splitlines(keepends=True)[dialect["skip_lines"] :]
    )
    reader = csv.reader(lines, delimiter=dialect["separator"])
    begins, after = [], dialect["skip_lines"] + 1
    for cells in reader:
        if any(cells):
            begins.append(after)
        after = dialect["skip_lines"] + reader.line_num + 1
    return begins[1:]


def _parse(source: Any, dialect: dict[str, Any], **options: Any) -> Any:
    import polars as pl

    if isinstance(source, io.BytesIO):
        source.seek(0)
    return pl.read_csv(source, **{"infer_schema_length": None, "try_parse_dates": False, **dialect, **options})


def _refuse_thousands(source: Any, dialect: dict[str, Any]) -> None:
    texts = _parse(source, {**dialect, "decimal_comma": False}, infer_schema=False)
    for name in texts.columns:
        refuse_thousands(name, texts[name].unique().to_list())


def _encoding(head: bytes) -> str | None:
    """How text is written that is not in UTF-8: UTF-16 by its mark, else as Western spreadsheets do."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        head[: head.rfind(b"\n") + 1].decode()
    except UnicodeDecodeError:
        return "cp1252"
    return None


def _dialect(name: str, text: str, suffix: str) -> dict[str, Any]:
    """How the text is written: spreadsheets of many countries separate by semicolons and write decimals with commas."""
    if "\0" in text:
        raise EvidenceError(f"the file {name!r} is not a table.", hint="CSV, TSV, JSON lines and Parquet are read")
    lines = list(islice(text.splitlines(), 50))
    skipped, stated = 0, _STATED.fullmatch(lines[0].strip()) if lines else None
    if stated is not None:  # the first line of a spreadsheet's file may be sep=;
        lines, skipped = lines[1:], 1
    while len(lines) > 1 and lines[0].startswith("#") and not _same_width(lines[0], lines[1]):
        lines, skipped = lines[1:], skipped + 1
    head = lines[0] if lines else ""
    separator = _separator(head, "\t" if suffix == ".tsv" else ",") if stated is None else stated[1]
    try:
        names = [n.strip() for n in next(csv.reader(lines, delimiter=separator), [])]
    except csv.Error:  # not a table; the reader says so
        names = []
    twice = next((n for n in names if n and names.count(n) > 1), None)
    if twice is not None:
        raise EvidenceError(f"the file {name!r} has two columns named {twice!r}.", hint="rename one of them")
    comma = separator == ";" and any(_DECIMAL_COMMA.search(line) for line in lines[1:])
    return {"separator": separator, "decimal_comma": comma, "skip_lines": skipped}


def _separator(head: str, usual: str) -> str:
    outside = re.sub(r'"[^"]*"', "", head)
    counts = {s: outside.count(s) for s in _SEPARATORS}
    return usual if counts[usual] and counts[usual] >= counts[";"] else max(_SEPARATORS, key=lambda s: counts[s])


def _same_width(first: str, second: str) -> bool:
    """Whether the first line has as many columns as the second: then it is the heading, though it begins with '#'."""
    return any(first.count(s) == second.count(s) > 0 for s in _SEPARATORS)


def _plain_names(name: str, table: Any) -> Any:
    """Headings without stray spaces; an unnamed first column is the index that pandas writes."""
    unnamed = [c for c in table.columns if not c.strip() or _UNNAMED.fullmatch(c)]
    table = table.drop([c for c in unnamed if table[c].null_count() == len(table) > 0])  # commas at the ends of lines
    stripped = {c: c.strip().removeprefix("\ufeff") for c in table.columns}
    if len(set(stripped.values())) != len(stripped):
        raise EvidenceError(f"the file {name!r} has two columns of one name.", hint="rename one of them")
    return table.rename({old: new for old, new in stripped.items() if old != new})
