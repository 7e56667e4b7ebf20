"""Claims: what the names of data sets and models mean in a store, fixed before the first unit is worked on.

The first run that uses a name writes ``claims/model=<name>.json`` (or ``dataset=<name>``) with its fingerprint; of two
runs at once one wins. A run that means something else by the name is refused; equal runs share the work. A claim of a
run that ended before it stored anything binds nobody.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bakeoff.runner._files import HOST, alone, is_alive, read_json, sealed_json, write_atomically, write_once
from bakeoff.runner._manifest import Manifest, another_meaning
from bakeoff.runner._records import DatasetEntry, Json, ModelEntry
from bakeoff.runner._schema import encode_name

if TYPE_CHECKING:
    from bakeoff.runner._store import Store

_FOLDER = "claims"
_KINDS: Mapping[str, Any] = {"dataset": DatasetEntry, "model": ModelEntry}


def claim(store: Store, manifest: Manifest) -> None:
    """Claim all names of a plan, or none: raise if one is claimed for something else."""
    (store.root / _FOLDER).mkdir(parents=True, exist_ok=True)
    taken: list[Path] = []
    with alone(store.root / _FOLDER / "lock"):
        try:
            for kind, entries in (("dataset", manifest.datasets), ("model", manifest.models)):
                for name, entry in entries.items():
                    path = _path(store.root, kind, name)
                    taken += [path] if _take(store, path, kind, name, entry) else []
        except BaseException:
            for path in taken:
                path.unlink(missing_ok=True)
            raise


def release(root: Path, names: Mapping[str, Collection[str]]) -> None:
    """Give up the claims of names whose results were removed."""
    for kind, some in names.items():
        for name in some:
            _path(root, kind, name).unlink(missing_ok=True)


def _path(root: Path, kind: str, name: str) -> Path:
    return root / _FOLDER / f"{kind}={encode_name(name)}.json"


def _take(store: Store, path: Path, kind: str, name: str, entry: Any) -> bool:
    """Write a claim; tell whether it is new. One with the same meaning is shared."""
    content = sealed_json({**entry.to_json(), "host": HOST, "pid": os.getpid()})
    if write_once(path, content, store.tmp):
        return True
    before = _read(path)
    if before is None or before.get("fingerprint") == entry.fingerprint:
        return False
    used = name in store.names(kind)
    if used or _is_running(before):
        what = "data set" if kind == "dataset" else kind
        old = _KINDS[kind].from_json(before)
        raise another_meaning(repr(store.name), what, name, old, entry, running=not used)
    write_atomically(path, content, store.tmp)
    return False


def _read(path: Path) -> Json | None:
    """Return a claim; None for one that is damaged, which binds nobody (what is stored does)."""
    try:
        body = read_json(path)
        _KINDS[path.name.partition("=")[0]].from_json(body)
    except (ValueError, TypeError):
        return None
    return body


def _is_running(body: Json) -> bool:
    """Tell whether the run that made a claim may still be going on; one on another machine may."""
    pid = body.get("pid")
    return body.get("host") != HOST or (pid != os.getpid() and isinstance(pid, int) and is_alive(pid))
