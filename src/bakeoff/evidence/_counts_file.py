"""Counts files: a zip with a manifest that a person can read before sending it, and one Parquet file for each table.

The same tables give the same bytes; the manifest holds a hash of every member and the last member a hash of the
manifest, and a file is read only if packing it again gives the same bytes, so that every edit is seen.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence._engine import Items, Table
from bakeoff.evidence._stored import Stored, sorted_frame

FORMAT, VERSION = "bakeoff.counts", 1


def is_counts(path: Path) -> bool:
    """Whether a file is a counts file, by its content; a damaged one by its name."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(64)
    return path.suffix == ".counts" or (head.startswith(b"PK") and b"manifest.json" in head)


def fingerprint(stored: Stored) -> str:
    """Of all that is held, by its content: the same whichever version of Polars or Parquet wrote it."""
    digest = hashlib.sha256(json.dumps(_told(stored), sort_keys=True).encode())
    for name, table in sorted(stored.tables.items()):
        for column in sorted_frame(table):
            digest.update(json.dumps([name, column.name]).encode())
            numeric = column.dtype.is_float() or column.dtype.is_integer()
            plain = column.to_numpy().astype("<f8" if column.dtype.is_float() else "<i8") if numeric else None
            digest.update(json.dumps(column.to_list()).encode() if plain is None else plain.tobytes())
    return digest.hexdigest()


def _parquet(table: Table) -> bytes:
    out = io.BytesIO()
    sorted_frame(table).write_parquet(out, compression="zstd", statistics=False)
    return out.getvalue()


def _told(held: Stored) -> dict[str, Any]:
    """What a manifest tells of the counts of one data set, next to their tables."""
    return {
        "models": list(held.models),
        "answers": {m: dict(p) for m, p in held.parts_of.items()},
        "keys": list(held.keys),
        "weighted": held.weighted,
        "classes": [_plain(c) for c in held.classes],
        "pos_label": _plain(held.pos_label),
        "n": held.n,
        "score_bits": dict(held.bits),
        "joint_bits": held.joint_bits,
        "min_cell": held.min_cell,
        "sites": list(held.sites),
        "items": None if held.items is None else asdict(held.items),
        "against": held.against,
    }


def packed(stored: Mapping[str, Stored]) -> bytes:
    from bakeoff import __version__

    members: dict[str, bytes] = {}
    facts: dict[str, Any] = {}
    for d, (name, held) in enumerate(stored.items()):
        own = {f"{d}-{table}.parquet": _parquet(columns) for table, columns in held.tables.items()}
        members |= own
        tables = {t: f"{d}-{t}.parquet" for t in held.tables}
        facts[name] = _told(held) | {"tables": tables, "content": fingerprint(held)}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "bakeoff": __version__,
        "datasets": facts,
        "members": {k: {"sha256": hashlib.sha256(v).hexdigest(), "bytes": len(v)} for k, v in members.items()},
    }
    return _zipped(json.dumps(manifest, indent=1, ensure_ascii=False).encode(), members)


def _zipped(manifest: bytes, members: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
        ends = {"manifest.json": manifest, **members, "manifest.sha256": hashlib.sha256(manifest).hexdigest().encode()}
        for name, content in ends.items():
            file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return out.getvalue()


def unpacked(content: bytes, where: str) -> dict[str, Stored]:
    damaged = EvidenceError(
        f"{where!r} is damaged or was edited: it is not as bakeoff wrote it.", hint="ask for the file again"
    )
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            members = {name: file.read(name) for name in file.namelist()}
        manifest = json.loads(members["manifest.json"])
        known = manifest["format"] == FORMAT
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, EOFError, OSError, NotImplementedError, RuntimeError):
        known = False
        if content[:2] == b"PK" and b"manifest.json" in content[:200]:
            raise damaged from None
    if not known:
        raise EvidenceError(
            f"{where!r} is no counts file.", hint="counts files are written by `bakeoff count`"
        ) from None
    own = {k: v for k, v in members.items() if k not in ("manifest.json", "manifest.sha256")}
    if _zipped(members["manifest.json"], own) != content:
        raise damaged
    version = manifest.get("version")
    if isinstance(version, int) and version > VERSION:
        raise EvidenceError(f"{where!r} was written by a newer bakeoff (format {version}).", hint="update")
    try:
        hashes = {k: facts["sha256"] for k, facts in manifest["members"].items()}
        if version != VERSION or hashes != {k: hashlib.sha256(v).hexdigest() for k, v in own.items()}:
            raise damaged
        return {name: _stored(facts, own) for name, facts in _some(manifest["datasets"]).items()}
    except EvidenceError:
        raise
    except Exception:  # whoever edits a manifest and signs it again may have written anything
        raise damaged from None


def _stored(facts: Mapping[str, Any], members: Mapping[str, bytes]) -> Stored:
    import polars as pl

    from bakeoff._core.frames import column_array

    tables = {}
    for name, member in facts["tables"].items():
        frame = pl.read_parquet(io.BytesIO(members[member]))
        tables[name] = {c: column_array(frame[c]) for c in frame.columns}
    held = Stored(
        tuple(facts["models"]), facts["answers"], tuple(facts["keys"]), facts["weighted"], tables, facts["score_bits"],
        facts["joint_bits"], tuple(facts["classes"]), facts["pos_label"], facts["min_cell"], tuple(facts["sites"]),
        Items(**facts["items"] | {"columns": tuple(facts["items"]["columns"])}) if facts.get("items") else None,
        facts.get("against"),
    )  # fmt: skip
    told = json.loads(json.dumps(_told(held)))
    if {k: facts[k] for k in told} != told or fingerprint(held) != facts["content"]:
        raise ValueError("what the manifest tells is not what the tables hold")
    return held


def _some(datasets: Mapping[str, Any]) -> Mapping[str, Any]:
    if not datasets:
        raise ValueError("no data set")
    return datasets


def _plain(value: Any) -> Any:
    plain = value.item() if isinstance(value, np.generic) else value
    if not isinstance(plain, (str, int, float, bool, type(None))):
        raise EvidenceError(
            f"counts can be kept of classes that are text, numbers or booleans. Got {plain!r}.",
            hint="write the classes as text",
        )
    return plain
