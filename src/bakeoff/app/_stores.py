"""The stores below a folder: what is there, how far each is, and opening one by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bakeoff._core.errors import BakeoffError, EvidenceError


def _is_store(folder: Path) -> bool:
    return (folder / "manifest.json").is_file() or (folder / "predictions").is_dir()


def find_stores(root: Path | None) -> list[dict[str, Any]]:
    """List the stores at or directly below `root`, with their progress."""
    if root is None or not root.is_dir():
        return []
    folders = [root] if _is_store(root) else sorted(p for p in root.iterdir() if p.is_dir() and _is_store(p))
    return [_described(root, folder) for folder in folders]


def _described(root: Path, folder: Path) -> dict[str, Any]:
    from bakeoff.runner import Results

    name = "." if folder == root else folder.name
    try:
        status = Results.open(folder).status._columns()
    except BakeoffError as problem:
        return {"name": name, "title": folder.name, "problem": str(problem)}
    sums = {k: int(sum(status[k])) for k in ("planned", "done", "failed", "missing")}
    models, datasets = len(set(status["model"])), len(set(status["dataset"]))
    return {"name": name, "title": folder.name, "models": models, "datasets": datasets, **sums}


def open_store(root: Path | None, name: str) -> Any:
    """Open a store by the name it is listed under; only listed names open, so no path can be asked for."""
    from bakeoff.runner import Results

    listed = {entry["name"] for entry in find_stores(root)}
    if root is None or name not in listed:
        raise EvidenceError(f"there is no store {name!r} here.")
    return Results.open(root if name == "." else root / name)
