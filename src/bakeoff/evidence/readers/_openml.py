"""OpenML: the predictions file (ARFF) of a run; several runs of one task make paired evidence."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.evidence._predictions import Predictions
from bakeoff.evidence.readers._arff import Relation, read_arff

_CONFIDENCE = "confidence."
_TRUTH = ("correct", "truth")


def read_openml(
    files: Mapping[str, str | Path], *, dataset: str = "data", pos_label: Hashable | None = None
) -> Predictions:
    """Read the predictions files of OpenML runs on one task.

    Parameters
    ----------
    files
        Model name → its ``predictions.arff``.
    dataset
        Name of the data set.
    pos_label
        The positive class of two.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from bakeoff.evidence.readers import read_openml
    >>> head = ["@relation p", *(f"@attribute {n} numeric" for n in ("repeat", "fold", "row_id"))]
    >>> head += ["@attribute prediction {no,yes}", "@attribute correct {no,yes}", "@data"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "predictions.arff"
    ...     _ = file.write_text(chr(10).join([*head, "0,0,0,yes,yes", "0,0,1,no,yes", "0,1,2,no,no", "0,1,3,no,no"]))
    ...     print(read_openml({"a": file}, pos_label="yes").design.describe())
    ...
    2-fold cross-validation of 1 model on 1 data set (4 rows)
    """
    if not isinstance(files, Mapping):
        raise ParameterError(
            f"files must map model names to files. Got {type(files).__name__} instead.",
            hint="give {model name: predictions.arff}",
        )
    if not files:
        raise EvidenceError("no files were given.", hint="give {model name: predictions.arff}")
    tables = {str(model): _sorted(read_arff(path), Path(path)) for model, path in files.items()}
    first_name, first = next(iter(tables.items()))
    for model, table in tables.items():
        for key in ("repeat", "fold", "row_id"):
            if not np.array_equal(first[key], table[key]):
                raise EvidenceError(
                    f"all runs must be on the same splits of one task, but {key} differs between {first_name!r} and "
                    f"{model!r}.",
                    hint="are both files of the same OpenML task?",
                )
    shared: dict[str, Any] = {
        "dataset": dataset,
        "repeat": first["repeat"].astype(np.int64),
        "fold": first["fold"].astype(np.int64),
        "instance": first["row_id"].astype(np.int64),
    }
    truth = first[next(n for n in _TRUTH if n in first)]
    if truth.dtype.kind == "f":
        return Predictions.from_arrays(truth, y_value={m: t["prediction"] for m, t in tables.items()}, **shared)
    labels = {m: t["prediction"].astype(str) for m, t in tables.items()}
    classes = _classes(first, truth)
    scores = {m: _probabilities(t, classes) for m, t in tables.items() if _has_probabilities(t)}
    return Predictions.from_arrays(
        truth.astype(str), y_pred=labels, y_score=scores or None, classes=classes, pos_label=pos_label, **shared
    )


def _sorted(relation: Relation, path: Path) -> dict[str, NDArray[Any]]:
    columns = relation.columns
    missing = [n for n in ("repeat", "fold", "row_id", "prediction") if n not in columns]
    if missing:
        raise EvidenceError(f"{path.name} is no OpenML predictions file: it has no column {missing[0]!r}.")
    if not any(n in columns for n in _TRUTH):
        raise EvidenceError(
            f"{path.name} does not say what was true (column 'correct').", hint="older runs need the task's data set"
        )
    order = np.lexsort((columns["row_id"], columns["fold"], columns["repeat"]))
    return {name: values[order] for name, values in columns.items()}


def _classes(table: Mapping[str, NDArray[Any]], truth: NDArray[Any]) -> tuple[str, ...]:
    named = [n.removeprefix(_CONFIDENCE) for n in table if n.startswith(_CONFIDENCE)]
    return tuple(named) if named else tuple(sorted(set(truth.astype(str).tolist())))


def _has_probabilities(table: Mapping[str, NDArray[Any]]) -> bool:
    """Models without probabilities write 1 for the class they predict: that is a label, not a probability."""
    columns = [v for n, v in table.items() if n.startswith(_CONFIDENCE)]
    return bool(columns) and not all(np.isin(v, (0.0, 1.0)).all() for v in columns)


def _probabilities(table: Mapping[str, NDArray[Any]], classes: tuple[str, ...]) -> NDArray[np.float64]:
    return np.stack([table[f"{_CONFIDENCE}{c}"].astype(np.float64) for c in classes], axis=1)
