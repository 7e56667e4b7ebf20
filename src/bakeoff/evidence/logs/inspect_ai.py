"""inspect: its logs as JSON, or as ``.eval``, a ZIP archive compressed with deflate or Zstandard."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence.logs._record import Format, Log, Opened, Record, Value, canonical, has, number, parsed, scalars

_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}  # correct, partly, incorrect, no answer
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_HEADERS = ("header.json", "_journal/start.json")
_ZSTANDARD = 93


def _read(opened: Opened) -> Iterable[Log]:
    header, samples = _from_zip(opened) if opened.kind == "zip" else (opened.head, opened.head.get("samples"))
    about = header["eval"]
    if not samples:
        raise EvidenceError(
            f"the log {opened.name!r} holds no samples, so no items.", hint="run inspect with --log-samples"
        )
    if not isinstance(samples, list) or not all(isinstance(sample, Mapping) and "id" in sample for sample in samples):
        raise EvidenceError(f"the samples of the log {opened.name!r} are not as inspect writes them.")
    task, model = str(about.get("task") or "task"), str(about.get("model") or opened.path.stem)
    records = [
        Record(
            task, model, str(sample["id"]), _values(sample), attempt=sample.get("epoch"), text=_text(sample),
            about=scalars(sample.get("metadata")),
        )
        for sample in samples
    ]  # fmt: skip
    version = str((about.get("packages") or {}).get("inspect_ai") or "")
    yield Log(opened.name, version, records, told=(*_told(header, opened.name), *_strange(samples, opened.name)))


def _told(header: Mapping[str, Any], name: str) -> Iterator[str]:
    status = header.get("status", "started")
    if status != "success":
        yield f"{name}: the evaluation has the status {status!r}, so items may be lacking."
    config = header["eval"].get("config") or {}
    reducers = config.get("epochs_reducer") or []
    if (config.get("epochs") or 1) > 1 and reducers and reducers[0] != "mean":
        yield f"{name}: inspect reduces epochs by {reducers[0]!r}; here an item's attempts are kept, and averaged."


def _strange(samples: Iterable[Mapping[str, Any]], name: str) -> Iterator[str]:
    scores = [score for sample in samples for score in (sample.get("scores") or {}).values()]
    values = [score.get("value") if isinstance(score, Mapping) else score for score in scores]
    words = dict.fromkeys(v for v in values if isinstance(v, str) and _text_as_number(v) is None)
    if words:
        listed = ", ".join(map(repr, list(words)[:6]))
        yield f"{name}: {listed} are words that inspect takes for no score; as there, they count as 0."


def _values(sample: Mapping[str, Any]) -> dict[str, Value]:
    """Scores by scorer; of a scorer that gives several, by scorer and name."""
    values: dict[str, Value] = {}
    for scorer, score in (sample.get("scores") or {}).items():
        value = score.get("value") if isinstance(score, Mapping) else score
        if isinstance(value, Mapping):
            values |= {f"{scorer}/{name}": _number(v) for name, v in value.items()}
        elif isinstance(value, list):
            values |= {f"{scorer}/{place}": _number(v) for place, v in enumerate(value)}
        else:
            values[str(scorer)] = _number(value)
    return values


def _number(value: Any) -> float | None:
    known = _text_as_number(value) if isinstance(value, str) else value
    return 0.0 if known is None and isinstance(value, str) else number(known)  # so the tool takes an unknown word


def _text_as_number(value: str) -> float | None:
    """What inspect makes of a text; None for a word it does not know."""
    try:
        return float(value)
    except ValueError:
        return _LETTERS.get(value, _WORDS.get(value.lower()))


def _text(sample: Mapping[str, Any]) -> str:
    """What was asked: messages without what a run adds to them, such as their random names."""
    asked = sample.get("input")
    if isinstance(asked, list):
        asked = [{key: m.get(key) for key in ("role", "content")} if isinstance(m, dict) else m for m in asked]
    return canonical([asked, sample["choices"]] if sample.get("choices") else asked)


# -- the archive ------------------------------------------------------------------------------------------------------


def _from_zip(opened: Opened) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    with zipfile.ZipFile(io.BytesIO(opened.content)) as archive:
        entries = {entry.filename: entry for entry in archive.infolist()}  # of a name written twice the later one
        header = _document(archive, entries[next(n for n in _HEADERS if n in entries)], opened)
        names = [n for n in entries if n.startswith("samples/") and n.endswith(".json")]
        return header, [_document(archive, entries[n], opened) for n in names]


def _document(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, opened: Opened) -> Any:
    try:
        packed = entry.compress_type == _ZSTANDARD
        content = _zstandard(_packed(opened.content, entry)) if packed else archive.read(entry)
        if zlib.crc32(content) != entry.CRC:
            raise zipfile.BadZipFile
        return parsed(content, f"{opened.name}, {entry.filename}")
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, OSError) as problem:
        if isinstance(problem, EvidenceError):
            raise
        raise EvidenceError(
            f"the log {opened.name!r} is damaged: {entry.filename!r} in it cannot be read.",
            hint="copy or write it again",
        ) from None


def _packed(content: bytes, entry: zipfile.ZipInfo) -> bytes:
    """The bytes of an entry as they stand in the archive, behind its local header."""
    fixed = 30
    name, extra = struct.unpack("<HH", content[entry.header_offset + 26 : entry.header_offset + fixed])
    start = entry.header_offset + fixed + name + extra
    return content[start : start + entry.compress_size]


def _zstandard(content: bytes) -> bytes:
    """Unpack text. Polars unpacks what it reads, and JSON has neither of these two characters: it is one cell."""
    import polars as pl

    try:
        table = pl.read_csv(
            io.BytesIO(content), separator="\x01", eol_char="\x02", quote_char=None, has_header=False,
            schema={"text": pl.String},
        )  # fmt: skip
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        raise zipfile.BadZipFile from None
    return "".join(table["text"].fill_null("").to_list()).encode()


def _claims(opened: Opened) -> bool:
    if opened.kind == "zip":
        return any(name in opened.head for name in _HEADERS)
    return opened.kind == "json" and has(opened.head, "eval") and has(opened.head["eval"], "task", "model")


INSPECT = Format(
    name="inspect",
    files=".eval (a ZIP archive) or .json",
    recognised="an archive with header.json or _journal/start.json, or a document with eval.task and eval.model",
    claims=_claims,
    read=_read,
    beside=("eval-set.json", "logs.json", "listing.json"),
    how="run inspect with --log-samples",
)
