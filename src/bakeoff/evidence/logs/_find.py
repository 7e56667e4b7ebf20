"""Finding logs: which files of a folder hold items, of which tool, and what cannot be read."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePath
from typing import Any

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence._text import content_of, suffix_of
from bakeoff.evidence.logs._record import Format, Log, Opened, has, parsed
from bakeoff.evidence.logs.deepeval import DEEPEVAL
from bakeoff.evidence.logs.every_eval_ever import EVERY_EVAL_EVER
from bakeoff.evidence.logs.helm import HELM
from bakeoff.evidence.logs.inspect_ai import INSPECT
from bakeoff.evidence.logs.lm_eval import LM_EVAL
from bakeoff.evidence.logs.mlflow import MLFLOW
from bakeoff.evidence.logs.promptfoo import PROMPTFOO

_TOOLS = (LM_EVAL, INSPECT, PROMPTFOO, DEEPEVAL, HELM, EVERY_EVAL_EVER, MLFLOW)
# Known, but one number and never items.
_SUMMARY = Format(
    name="Hugging Face evaluate",
    files=".json",
    recognised="a document with _evaluate_version",
    claims=lambda opened: False,
    read=lambda opened: (),
    part=lambda opened: has(opened.head, "_evaluate_version"),
    how="write the score of every item to a table, and read that",
)
LOG_FORMATS = tuple(tool.name for tool in _TOOLS)
_LOOKED_INTO = (".eval", ".json", ".jsonl", ".ndjson", ".csv")
_HEAD = 2**18
_BLANK = b"\xef\xbb\xbf \t\r\n"
_RUN_MARKS = ("meta.yaml", "per_instance_stats.json")


def formats() -> dict[str, str]:
    """The kinds of files that `bakeoff.read` knows: name → how each is recognised, by content and not by file name.

    Examples
    --------
    >>> import bakeoff
    >>> bakeoff.evidence.formats()["lm-eval"]
    'lines with doc_id and resps'
    """
    tables = {
        "csv": "text in columns", "tsv": "text in columns, separated by tabs", "jsonl": "lines of JSON objects",
        "json": "a list of objects, or an object of columns", "parquet": "first bytes PAR1",
        "arrow": "first bytes ARROW1 or FEA1", "store": "folders dataset=…/model=… of a run",
        "cv-results": "a table with params and split0_test_score …: cv_results_ of a search",
        "scores": "a table, when asked for: one number per data set and model",
        "outcomes": "a table, when asked for: one outcome per item and model",
        "sums": "a table, when asked for: numbers per item and model that add up",
        "counts": "a zip with a manifest of counts (bakeoff count)", "duckdb": "a DuckDB database, with table= or sql=",
        "delta": "a folder with _delta_log, the log of a Delta table",
    }  # fmt: skip
    return {tool.name: tool.recognised for tool in _TOOLS} | tables


@dataclass
class Found:
    """Logs of one format, what they are called, and what was left aside: file → reason."""

    format: str
    logs: list[Log] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)


def find_logs(place: Path, format: str | None, skip_bad: bool) -> Found | None:
    """Read the logs of a file or folder; None where it holds none, and no log was asked for."""
    return _in_folder(place, format, skip_bad) if place.is_dir() else _in_file(place, format)


def has_logs(folder: Path) -> bool:
    """Whether a folder holds logs: looked for in the folder, and in those that a tool makes for a model or a run."""
    names = ("*", "*/*", "*/*/artifacts/*", "data/*/*/*/*")
    files = (p for name in names for p in sorted(folder.glob(name)) if p.is_file() and suffix_of(p) in _LOOKED_INTO)
    return any(_tool_of(_open(path, path.name))[0] in _TOOLS for path in islice(files, 50))


# -- one file ---------------------------------------------------------------------------------------------------------


def _in_file(path: Path, format: str | None) -> Found | None:
    if format is None and suffix_of(path) not in _LOOKED_INTO:
        return None
    opened = _open(path, path.name)
    tool, is_part = _tool_of(opened)
    if format is not None and (tool is None or tool.name != format):
        seems = f"it looks like one of {tool.name}" if tool else f"logs that are known: {', '.join(LOG_FORMATS)}"
        raise EvidenceError(f"the file {str(path)!r} is no log of {format}.", hint=seems)
    if tool is None:
        if suffix_of(path) == ".eval":
            raise not_known(path)
        return None
    if is_part:
        raise _no_items(str(path), tool)
    assert opened is not None
    return Found(tool.name, _logs_of(tool, opened))


def _logs_of(tool: Format, opened: Opened) -> list[Log]:
    """Read a log; where what it holds has another form than the tool gives it, one sentence says so."""
    try:
        return list(tool.read(opened))
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as problem:
        if isinstance(problem, EvidenceError):
            raise
        raise EvidenceError(
            f"the log {opened.name!r} is not as {tool.name} writes it ({type(problem).__name__}: {problem}).",
            hint="it may be cut off, damaged, or of a version that is not known",
        ) from None


def not_known(path: Path) -> EvidenceError:
    """The error for a file that is neither a table nor a log."""
    return EvidenceError(
        f"the file {str(path)!r} is neither a table of scores nor a log that is known ({', '.join(LOG_FORMATS)}).",
        hint="is it the right file? bakeoff.evidence.formats() tells how each is recognised",
    )


def _no_items(name: str, tool: Format) -> EvidenceError:
    return EvidenceError(
        f"{name!r} is a summary of {tool.name}: it holds no items, and a mean without its items is no evidence.",
        hint=tool.how,
    )


# -- a folder ---------------------------------------------------------------------------------------------------------


def _in_folder(folder: Path, format: str | None, skip_bad: bool) -> Found | None:
    claimed: dict[str, list[tuple[Format, Opened]]] = {}
    parts: list[tuple[Format, str]] = []
    bad: dict[str, EvidenceError] = {}
    other: dict[str, str] = {}
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        if suffix_of(path) not in _LOOKED_INTO:
            other[name] = "no log"
            continue
        try:
            opened = _open(path, name)
        except EvidenceError as problem:
            bad[name] = problem
            continue
        tool, is_part = _tool_of(opened)
        if tool is None:
            other[name] = "not recognised"
        elif is_part:
            parts.append((tool, name))
        elif opened is not None:
            claimed.setdefault(tool.name, []).append((tool, opened))
    tables = [n for n, why in other.items() if why == "not recognised"]
    if bad and not claimed and (parts or not tables) and not skip_bad:
        raise next(iter(bad.values()))
    chosen = _chosen(folder, claimed, parts, format, other)
    if chosen is None:
        return None
    own = claimed[chosen][0][0].beside
    unknown = [n for n, why in other.items() if why == "not recognised" and format is None]
    foreign = {n: not_known(folder / n) for n in unknown if not _of_the_tool(folder, n, own)}
    for name, broken in {**bad, **foreign}.items():
        if not skip_bad:
            raise EvidenceError(broken.message, hint=f"skip_bad=True (--skip-bad) leaves it out; {broken.hint}")
        other[name] = broken.message
    found = Found(chosen, skipped=_told_of(folder, other, claimed, parts, chosen))
    for tool, opened in claimed[chosen]:
        try:
            found.logs += _logs_of(tool, opened)
        except EvidenceError as problem:
            if not skip_bad:
                raise
            found.skipped[opened.name] = problem.message
    if not any(log.records for log in found.logs):
        raise EvidenceError(f"no file of {str(folder)!r} holds items.", hint=claimed[chosen][0][0].how)
    return found


def _chosen(
    folder: Path, claimed: dict[str, Any], parts: Sequence[tuple[Format, str]], format: str | None,
    other: dict[str, str],
) -> str | None:  # fmt: skip
    """The one format of a folder, or the one asked for."""
    if format is not None:
        if format not in claimed:
            there = ", ".join(claimed) or "none"
            raise EvidenceError(f"the folder {str(folder)!r} holds no logs of {format}.", hint=f"logs found: {there}")
        return format
    tables = [n for n, why in other.items() if why == "not recognised" and suffix_of(Path(n)) == ".csv"]
    if not claimed:
        if parts and not tables:
            raise _no_items(parts[0][1], parts[0][0])
        return None
    kinds = [*claimed, *(["csv"] if tables else [])]
    if len(kinds) > 1:
        raise EvidenceError(
            f"the folder {str(folder)!r} holds files of several kinds: {', '.join(sorted(kinds))}.",
            hint="choose with format= (--format), or give each a folder of its own",
        )
    return kinds[0]


def _told_of(
    folder: Path, other: dict[str, str], claimed: dict[str, list[tuple[Format, Opened]]],
    parts: Sequence[tuple[Format, str]], chosen: str,
) -> dict[str, str]:  # fmt: skip
    """What was not read, and why; the bookkeeping of a run in its own folder is no news."""
    skipped = {n: why for n, why in other.items() if not _belongs_to_run(folder, folder / n)}
    skipped |= {o.name: f"a log of {kind}" for kind, logs in claimed.items() if kind != chosen for _, o in logs}
    return skipped | {name: f"a summary of {tool.name}" for tool, name in parts if tool.name != chosen}


def _of_the_tool(folder: Path, name: str, names: Sequence[str]) -> bool:
    """Whether a tool keeps this file, that holds no items, with its logs."""
    return _belongs_to_run(folder, folder / name) or any(PurePath(name).match(one) for one in names)


def _belongs_to_run(root: Path, path: Path) -> bool:
    inside = [p for p in path.parents if p == root or root in p.parents]
    return any((p / mark).is_file() for p in inside for mark in _RUN_MARKS)


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts):
            yield path


# -- looking into a file ----------------------------------------------------------------------------------------------


def _tool_of(opened: Opened | None) -> tuple[Format | None, bool]:
    """The format of a file, and whether it belongs to such a log without holding items."""
    if opened is None:
        return None, False
    for tool in _TOOLS:
        if tool.claims(opened):
            return tool, False
    return next(((tool, True) for tool in (*_TOOLS, _SUMMARY) if tool.part(opened)), (None, False))


def _open(path: Path, name: str) -> Opened | None:
    """Look into a file: an archive, JSON, JSON lines or a table with a header; None for anything else."""
    unpacked = content_of(path)
    stream: Any = path.open("rb") if unpacked is None else io.BytesIO(unpacked)
    with stream:
        head = stream.read(_HEAD)
        start = head.lstrip(_BLANK)[:1]
        if not start:
            raise EvidenceError(f"the file {name!r} is empty.")
        if head.startswith(b"PK"):
            return Opened(path, name, "zip", _names(stream, name), unpacked)
        if start in (b"{", b"["):
            stream.seek(len(head) - len(head.lstrip(_BLANK)))
            line = _line(stream.readline())
            if isinstance(line, dict) and stream.read(_HEAD).strip():  # more lines, and the first of them is whole
                return Opened(path, name, "jsonl", line, unpacked)
            stream.seek(0)
            return Opened(path, name, "json", parsed(stream.read(), name), unpacked)
    try:
        header = next(csv.reader(io.StringIO(head.decode("utf-8-sig", "ignore"))), [])
    except csv.Error:
        return None
    return Opened(path, name, "csv", header, unpacked)


def _line(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _names(stream: Any, name: str) -> list[str]:
    try:
        with zipfile.ZipFile(stream) as archive:
            return archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError):
        raise EvidenceError(
            f"the file {name!r} is an archive without an end: it seems to be cut off or damaged.",
            hint="copy or write it again",
        ) from None
