"""The stores and logs below a folder: what is there, how far each is, and opening one by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bakeoff._core.errors import BakeoffError, EvidenceError
from bakeoff.evidence import has_logs, read


def _is_store(folder: Path) -> bool:
    return (folder / "manifest.json").is_file() or (folder / "predictions").is_dir()


def find_stores(root: Path | None) -> list[dict[str, Any]]:
    """List the stores at or directly below `root`, with their progress."""
    if root is None or not root.is_dir():
        return []
    whole = [_described(root, root)] if _is_store(root) or _has_logs(root) else []
    if whole and "problem" not in whole[0]:
        return whole
    folders = sorted(p for p in root.iterdir() if p.is_dir() and (_is_store(p) or _has_logs(p)))
    return [_described(root, folder) for folder in folders] or whole


def _has_logs(folder: Path) -> bool:
    """Whether logs of an evaluation tool stand in the folder itself, or a level below (a folder per model or run)."""
    try:
        return not _is_store(folder) and has_logs(folder)
    except BakeoffError:
        return True  # damaged ones are listed, with what is wrong


def _described(root: Path, folder: Path) -> dict[str, Any]:
    from bakeoff.runner import Results

    name = "." if folder == root else folder.name
    try:
        if not _is_store(folder):
            logs = read(folder)
            held = {"models": len(logs.models), "datasets": logs.design.n_datasets}
            counts = {"planned": logs.design.n_rows, "done": logs.design.n_rows, "failed": 0, "missing": 0}
            return {"name": name, "title": folder.name, **held, **counts}
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
    folder = root if name == "." else root / name
    return Results.open(folder) if _is_store(folder) else read(folder)
