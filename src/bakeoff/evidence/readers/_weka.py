"""Weka's Experimenter: its result files (CSV or ARFF), one row per data set, scheme, run and fold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff.evidence._scores import Scores
from bakeoff.evidence.readers._arff import read_arff

# Weka's column → our measure and the factor between them.
MEASURES = {
    "Percent_correct": ("accuracy", 0.01),
    "Percent_incorrect": ("error", 0.01),
    "Kappa_statistic": ("kappa", 1.0),
    "Area_under_ROC": ("auc", 1.0),
    "Area_under_PRC": ("average_precision", 1.0),
    "F_measure": ("f1", 1.0),
    "IR_precision": ("precision", 1.0),
    "IR_recall": ("recall", 1.0),
    "Matthews_correlation": ("mcc", 1.0),
    "Mean_absolute_error": ("mae", 1.0),
    "Root_mean_squared_error": ("rmse", 1.0),
    "Relative_absolute_error": ("relative_absolute_error", 0.01),
    "Root_relative_squared_error": ("root_relative_squared_error", 0.01),
}
_KEYS = ("Key_Dataset", "Key_Scheme", "Key_Run")


def read_weka(path: str | Path, *, measure: str = "Percent_correct") -> Scores:
    """Read a result file of Weka's Experimenter.

    Parameters
    ----------
    path
        The CSV or ARFF file the Experimenter wrote.
    measure
        One of its columns, such as ``"Percent_correct"`` or ``"Area_under_ROC"``; percentages become shares.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from bakeoff.evidence.readers import read_weka
    >>> head = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Percent_correct"
    >>> rows = [head, "iris,1,1,weka.J48,93", "iris,1,2,weka.J48,96"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "weka.csv"
    ...     _ = file.write_text(chr(10).join(rows))
    ...     print(read_weka(file).cells["iris"].ravel().round(2).tolist())
    ...
    [0.93, 0.96]
    """
    if not isinstance(path, (str, Path)):
        raise ParameterError(f"path must be the path of a file. Got {type(path).__name__} instead.")
    path = Path(path)
    columns = _columns(path)
    for key in (*_KEYS, measure):
        if key not in columns:
            if key in _KEYS:
                raise EvidenceError(f"{path.name} is no result file of Weka's Experimenter: it has no column {key!r}.")
            raise unknown_choice(f"measure of {path.name}", measure, [c for c in columns if c not in _KEYS])
    name, factor = MEASURES.get(measure, (measure, 1.0))
    table = {
        "dataset": _texts(columns["Key_Dataset"]),
        "model": _schemes(columns),
        "repeat": _whole(columns["Key_Run"]),
        "fold": _whole(columns["Key_Fold"]) if "Key_Fold" in columns else [0] * len(columns["Key_Run"]),
        "value": (np.asarray(columns[measure], dtype=np.float64) * factor).tolist(),
    }
    return Scores.from_frame(
        table, model="model", value="value", dataset="dataset", repeat="repeat", fold="fold",
        measure=name, n_train=_size(columns, "Number_of_training_instances"),
        n_test=_size(columns, "Number_of_testing_instances"),
    )  # fmt: skip


def _columns(path: Path) -> dict[str, NDArray[Any]]:
    if path.suffix.lower() == ".arff":
        return read_arff(path).columns
    from bakeoff._core.frames import columns_of
    from bakeoff.evidence import read_table

    return columns_of(read_table(path))


def _texts(values: NDArray[Any]) -> list[str]:
    return [str(v).strip("'\"") for v in values.tolist()]


def _whole(values: NDArray[Any]) -> list[int]:
    return [int(float(v)) for v in values.tolist()]


def _schemes(columns: dict[str, NDArray[Any]]) -> list[str]:
    """Short class names; with the options where one scheme was run with several."""
    names = [n.rpartition(".")[2] for n in _texts(columns["Key_Scheme"])]
    if "Key_Scheme_options" not in columns:
        return names
    options = _texts(columns["Key_Scheme_options"])
    variants: dict[str, set[str]] = {}
    for name, option in zip(names, options, strict=True):
        variants.setdefault(name, set()).add(option)
    return [f"{n} {o}".strip() if len(variants[n]) > 1 else n for n, o in zip(names, options, strict=True)]


def _size(columns: dict[str, NDArray[Any]], name: str) -> int | None:
    if name not in columns:
        return None
    return round(float(np.mean(np.asarray(columns[name], dtype=np.float64))))
