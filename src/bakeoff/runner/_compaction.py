"""Compaction: many small files of a store become one large file per data set and model."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence import COMPACT, seals, superseded
from bakeoff.runner._digest import digest
from bakeoff.runner._files import alone, sync_folder, temporary_name
from bakeoff.runner._schema import FOOTER, footer_text
from bakeoff.runner._store import FOLDERS, Store


def compact(store: Store) -> int:
    """Merge the files of every data set and model; return how many files became fewer.

    The large file is complete under its name before the small ones go, and `finish` removes what a crash in between
    left twice, so nothing is lost or counted double whatever happens. Run it when no run is going on.
    """
    store.check_is_store()
    busy = f"another compaction of {str(store.root)!r} is going on."
    with alone(store.root / "compact.lock", busy):
        finish(store)
        return sum(_compact_folder(store, folder) for folder in _folders(store))


def finish(store: Store) -> int:
    """Remove files whose units are all in a larger file (a compaction that was cut off); return how many."""
    removed = 0
    for folder in _folders(store):
        if not any(name.startswith(COMPACT) for name in os.listdir(folder)):
            continue
        for file in superseded(sorted(folder.glob("*.parquet")), lambda f: _keys(store, f)):
            with suppress(OSError):  # a disk that is only to be read: they are left out wherever units are counted
                file.unlink(missing_ok=True)
                removed += 1
    return removed


def _folders(store: Store) -> Iterator[Path]:
    for name in FOLDERS.values():
        yield from sorted((store.root / name).glob("dataset=*/model=*"))


def _keys(store: Store, file: Path) -> set[str]:
    """Return the units of a file; none of a damaged one, which replaces no other and is named when it is read."""
    try:
        seals.require_sound(file)
        return {record.key for record in store.footer(file)}
    except EvidenceError:
        return set()


def _compact_folder(store: Store, folder: Path) -> int:
    import polars as pl

    files = sorted(folder.glob("*.parquet"))
    if len(files) < 2:
        return 0
    for file in files:
        seals.require_sound(file)
    found = [(record, file) for file in files for record in store.footer(file)]
    found.sort(key=lambda pair: pair[0].place)
    ordered = list(dict.fromkeys(file for _, file in found))
    units = [record for record, _ in found]
    part = temporary_name(store.tmp)
    try:
        lazy = pl.scan_parquet(ordered, hive_partitioning=False)
        lazy.sink_parquet(part, metadata={FOOTER: footer_text(units)}, maintain_order=True)
        seals.seal_file(part)
        part.replace(folder / f"{COMPACT}{digest(*(u.key for u in units))}.parquet")
    finally:
        part.unlink(missing_ok=True)
    sync_folder(folder)
    for file in files:
        file.unlink()
    return len(files) - 1
