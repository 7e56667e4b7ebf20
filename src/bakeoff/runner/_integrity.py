"""Checking a store against its checksums, and setting aside what does not fit them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence.seals import DAMAGED, SOUND, UNVERIFIED, examine_footer
from bakeoff.runner._files import read_json, sync_folder
from bakeoff.runner._schema import decode_name
from bakeoff.runner._store import FOLDERS, Store, full_disk_explained
from bakeoff.runner._tables import RunTable

ASIDE = "damaged"
_COLUMNS = ("unit", "status", "reason")


@dataclass(frozen=True)
class Checked:
    """A file of the store: its place in it, whether it is sound, and what is wrong with it."""

    unit: str
    status: str
    reason: str


@dataclass(frozen=True, repr=False)
class Verification(RunTable):
    """What a check found: unit (the file's place in the store), status and reason."""

    def total(self, status: str) -> int:
        """Count the files of a status."""
        return list(self.columns["status"]).count(status)

    def _headline(self) -> str:
        return ", ".join(f"{self.total(s)} {s}" for s in (SOUND, UNVERIFIED, DAMAGED) if self.total(s)) or "no files"


def verify_store(store: Store) -> Verification:
    """Check every file of a store."""
    store.check_is_store()
    return Verification.of_records(_COLUMNS, _checked(store))


def repair_store(store: Store) -> Verification:
    """Set damaged files aside and write damaged metadata anew; return what was found.

    The next run of the same experiment does the units again that were set aside.
    """
    found = list(_checked(store))
    damaged = [Path(c.unit) for c in found if c.status == DAMAGED]
    if damaged:
        header, manifest = store.check_is_store(), store.manifest()
        with full_disk_explained(store.root):
            for place in damaged:
                _set_aside(store, place)
            store.write_header(header)
            if manifest is not None and any(p.parts[0] == "runs" for p in damaged):
                store.write_manifest(manifest)
    return Verification.of_records(_COLUMNS, found)


def _set_aside(store: Store, place: Path) -> None:
    """Move a file out of the store; one that another run has replaced by a whole one meanwhile is left."""
    source, target = store.root / place, store.root / ASIDE / place
    if not os.path.lexists(source) or (place.suffix == ".parquet" and _examined(store, source)[0] != DAMAGED):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    source.replace(target)
    sync_folder(source.parent)


def _checked(store: Store) -> Iterator[Checked]:
    for path in store.files(FOLDERS):
        yield Checked(_place(store, path), *_examined(store, path))
    metadata = [p for folder in ("runs", "claims") for p in sorted((store.root / folder).glob("*.json"))]
    if store.header() is None:
        yield Checked("store.json", DAMAGED, "it is missing" if not store.header_path.exists() else "it is damaged")
    _, damaged = store.manifests()
    for path in [*metadata, *store.failure_files()]:
        yield Checked(_place(store, path), *_examined_json(path, path in damaged))


def _place(store: Store, path: Path) -> str:
    return path.relative_to(store.root).as_posix()


def _examined(store: Store, path: Path) -> tuple[str, str]:
    """Examine a file of predictions; one without a checksum, or perhaps not in its place, is at least opened."""
    status, reason, raw = examine_footer(path)
    if status == UNVERIFIED or (status == SOUND and not all(mark in raw for mark in _marks(path))):
        try:
            store.footer(path)
        except EvidenceError as problem:
            return DAMAGED, problem.message.rstrip(".")
    return status, reason


def _marks(path: Path) -> list[bytes]:
    """What the footer of a unit's file says when it is in its place; cheaper to look for than to read all of it."""
    role = next((role for role, folder in FOLDERS.items() if folder == path.parts[-4]), "")
    names = {
        "key": path.stem,
        "dataset": decode_name(path.parts[-3]),
        "model": decode_name(path.parts[-2]),
        "role": role,
    }
    return [json.dumps({key: name})[1:-1].encode() for key, name in names.items()]


def _examined_json(path: Path, damaged: bool) -> tuple[str, str]:
    try:
        read_json(path)
    except ValueError as problem:
        return DAMAGED, str(problem)
    return (DAMAGED, "it is not what bakeoff writes") if damaged else (SOUND, "")
