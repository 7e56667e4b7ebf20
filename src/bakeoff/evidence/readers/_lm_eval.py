"""lm-evaluation-harness: the ``samples_<task>_<time>.jsonl`` files of ``--log_samples``, one folder per model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bakeoff._core.errors import EvidenceError, unknown_choice
from bakeoff.evidence._predictions import Predictions
from bakeoff.evidence.readers._items import ItemTable, predictions_of

_NAME = re.compile(r"samples_(?P<task>.+?)(_\d{4}-\d{2}-\d{2}T[\d.:-]+)?\.jsonl")
_NOT_METRICS = {"doc_id", "resps", "filtered_resps"}


def read_lm_eval(
    source: str | Path | Mapping[str, str | Path],
    *,
    metric: str | None = None,
    task: str | None = None,
    filter: str | None = None,
    cluster: str | None = None,
    samples: str = "mean",
    only_common: bool = False,
) -> Predictions:
    """Read per-item scores of language models, paired by document.

    Parameters
    ----------
    source
        The harness's output folder, with one folder per model; or model name → its folder or file.
    metric
        Per-item score to read, such as ``"acc"``; may be left out when there is one.
    task
        One task; by default all tasks in the files, each a data set.
    filter
        Answer filter, such as ``"strict-match"``; may be left out when there is one.
    cluster
        Field of the document that several items share, such as a passage's identifier: items of a cluster are not
        independent, and the intervals then know it.
    samples
        Several samples of an item: ``"mean"`` averages them, ``"each"`` keeps them as a cluster.
    only_common
        Keep the items that all models have.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> from bakeoff.evidence.readers import read_lm_eval
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for model, answers in {"small": [1, 0, 0, 1], "large": [1, 1, 0, 1]}.items():
    ...         lines = [json.dumps({"doc_id": i, "metrics": ["acc"], "acc": a}) for i, a in enumerate(answers)]
    ...         place = pathlib.Path(folder) / model
    ...         place.mkdir()
    ...         _ = (place / "samples_arc.jsonl").write_text(chr(10).join(lines))
    ...     print(read_lm_eval(folder).models)
    ...
    ('large', 'small')
    """
    tables: dict[str, ItemTable] = {}
    for model, file in _files(source):
        name = _NAME.fullmatch(file.name)
        label = name["task"] if name else file.stem
        if task is None or label == task:
            _read_file(tables.setdefault(label, ItemTable(label)), model, file, metric, filter, cluster)
    if task is not None and not tables:
        raise EvidenceError(f"there are no samples of task {task!r} in {str(source)!r}.")
    return predictions_of(tables, samples=samples, only_common=only_common)


def _files(source: Any) -> Iterator[tuple[str, Path]]:
    """Yield (model, file); of several runs of a task by one model, only the latest file."""
    named = source if isinstance(source, Mapping) else _model_folders(Path(source))
    for model, place in named.items():
        path = Path(place)
        if not path.exists():
            raise EvidenceError(f"there is no file or folder {str(path)!r}.")
        found = [path] if path.is_file() else sorted(path.rglob("samples_*.jsonl"))
        if not found:
            raise EvidenceError(f"{str(path)!r} holds no samples_*.jsonl file.", hint="run lm_eval with --log_samples")
        latest: dict[str, Path] = {}
        for file in found:
            match = _NAME.fullmatch(file.name)
            latest[match["task"] if match else file.stem] = file
        yield from ((str(model), file) for file in latest.values())


def _model_folders(root: Path) -> dict[str, Path]:
    if not root.is_dir():
        raise EvidenceError(f"there is no folder {str(root)!r}.", hint="or give a mapping: model name → file")
    folders = sorted({p.parent for p in root.rglob("samples_*.jsonl")})
    if not folders:
        raise EvidenceError(f"{str(root)!r} holds no samples_*.jsonl file.", hint="run lm_eval with --log_samples")
    return {f.name: f for f in folders}


def _read_file(
    table: ItemTable, model: str, file: Path, metric: str | None, wanted: str | None, cluster: str | None
) -> None:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    filters = list(dict.fromkeys(str(line.get("filter", "none")) for line in lines))
    chosen = _one_of("filter", wanted, filters, file)
    for number, line in enumerate(lines):
        if str(line.get("filter", "none")) != chosen:
            continue
        score = _one_of("metric", metric, _metrics(line), file)
        value = line[score]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise EvidenceError(f"{file.name}, line {number + 1}: {score} is {value!r}, not a number per item.")
        group = line.get("doc", {}).get(cluster) if cluster else None
        if cluster and group is None:
            raise EvidenceError(f"{file.name}, line {number + 1}: the document has no field {cluster!r}.")
        table.add(model, line["doc_id"], float(value), group)


def _metrics(line: Mapping[str, Any]) -> list[str]:
    """Names of the per-item scores of a line: as it says, or every number that is not bookkeeping."""
    listed = line.get("metrics")
    if isinstance(listed, list):
        return [m for m in listed if isinstance(line.get(m), (int, float))]
    return [k for k, v in line.items() if isinstance(v, (int, float)) and k not in _NOT_METRICS]


def _one_of(what: str, wanted: str | None, known: list[str], file: Path) -> str:
    if wanted is not None:
        if wanted not in known:
            raise unknown_choice(f"{what} of {file.name}", wanted, known)
        return wanted
    if len(known) != 1:
        names = ", ".join(map(repr, known)) or "none"
        raise EvidenceError(f"{file.name} has several {what}s per item: {names}.", hint=f"choose with {what}=")
    return known[0]
