"""inspect-ai: its log files, as JSON or as the zipped ``.eval`` format."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bakeoff._core.errors import EvidenceError, unknown_choice
from bakeoff.evidence._predictions import Predictions
from bakeoff.evidence.readers._items import ItemTable, predictions_of

# How inspect-ai writes right, wrong, partly right and not answered.
_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}


def read_inspect(
    source: str | Path | Iterable[str | Path],
    *,
    scorer: str | None = None,
    cluster: str | None = None,
    samples: str = "mean",
    only_common: bool = False,
) -> Predictions:
    """Read per-item scores from inspect-ai logs, paired by sample; each task is a data set.

    Parameters
    ----------
    source
        A log file (``.json`` or ``.eval``), several, or a folder of them. The model's name is the log's own.
    scorer
        Name of the scorer; may be left out when there is one.
    cluster
        Field of a sample's metadata that several samples share, such as a document's identifier.
    samples
        Several epochs of a sample: ``"mean"`` averages them, ``"each"`` keeps them as a cluster.
    only_common
        Keep the samples that all models have.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> from bakeoff.evidence.readers import read_inspect
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for model, answers in {"small": "CIIC", "large": "CCIC"}.items():
    ...         samples = [{"id": i, "scores": {"match": {"value": a}}} for i, a in enumerate(answers)]
    ...         log = {"eval": {"task": "arc", "model": model}, "samples": samples}
    ...         _ = (pathlib.Path(folder) / f"{model}.json").write_text(json.dumps(log))
    ...     print(read_inspect(folder).datasets, read_inspect(folder).models)
    ...
    ('arc',) ('large', 'small')
    """
    tables: dict[str, ItemTable] = {}
    for path in _paths(source):
        log = _read_log(path)
        task, model = str(log["eval"].get("task", "task")), str(log["eval"].get("model", path.stem))
        table = tables.setdefault(task, ItemTable(task))
        if model in table.outcomes:
            raise EvidenceError(
                f"two logs are of model {model!r} on {task!r} (the second is {path.name}).",
                hint="read one log per model and task",
            )
        for sample in log["samples"]:
            group = (sample.get("metadata") or {}).get(cluster) if cluster else None
            table.add(model, sample["id"], _value(sample, scorer, path), group)
    return predictions_of(tables, samples=samples, only_common=only_common)


def _paths(source: Any) -> list[Path]:
    if isinstance(source, (str, Path)):
        path = Path(source)
        found = sorted(p for p in path.rglob("*") if p.suffix in (".json", ".eval")) if path.is_dir() else [path]
    else:
        found = [Path(p) for p in source]
    if not found:
        raise EvidenceError(f"{str(source)!r} holds no inspect-ai logs (.json or .eval).")
    return found


def _read_log(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise EvidenceError(f"there is no file {str(path)!r}.")
    log = _from_zip(path) if path.suffix == ".eval" else _parse(path.read_text(encoding="utf-8"), path)
    if not isinstance(log, dict) or "eval" not in log:
        raise EvidenceError(f"{path.name} is not an inspect-ai log: it has no 'eval' section.")
    if not log.get("samples"):
        raise EvidenceError(f"{path.name} has no samples.", hint="was it written with --no-log-samples?")
    return log


def _from_zip(path: Path) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            header = next((n for n in ("header.json", "_journal/start.json") if n in names), None)
            if header is None:
                raise EvidenceError(f"{path.name} is not an inspect-ai log: it has no header.")
            log: dict[str, Any] = json.loads(archive.read(header))
            inside = [n for n in names if n.startswith("samples/") and n.endswith(".json")]
            log["samples"] = [json.loads(archive.read(n)) for n in sorted(inside)]
            return log
    except (zipfile.BadZipFile, NotImplementedError) as problem:
        raise EvidenceError(
            f"{path.name} could not be unzipped: {problem}.",
            hint="convert it: inspect log convert FILE --to json --output-dir FOLDER",
        ) from None


def _parse(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as problem:
        raise EvidenceError(f"{path.name} is not valid JSON: {problem}.") from None


def _value(sample: Mapping[str, Any], scorer: str | None, path: Path) -> float:
    scores = sample.get("scores") or {}
    name = _chosen(scores, scorer, path, sample.get("id"))
    value = scores[name].get("value") if isinstance(scores[name], Mapping) else scores[name]
    if isinstance(value, str) and value in _LETTERS:
        return _LETTERS[value]
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, (int, float)):
        return float(value)
    raise EvidenceError(f"{path.name}, sample {sample.get('id')!r}: the score {name!r} is {value!r}, not a number.")


def _chosen(scores: Mapping[str, Any], scorer: str | None, path: Path, sample: Any) -> str:
    if scorer is not None:
        if scorer not in scores:
            raise unknown_choice(f"scorer of {path.name}", scorer, scores)
        return scorer
    if not scores:
        raise EvidenceError(
            f"{path.name}, sample {sample!r} has no score.", hint="did the evaluation end with an error?"
        )
    if len(scores) != 1:
        names = ", ".join(map(repr, scores))
        raise EvidenceError(f"{path.name}, sample {sample!r} has several scores: {names}.", hint="choose with scorer=")
    return str(next(iter(scores)))
