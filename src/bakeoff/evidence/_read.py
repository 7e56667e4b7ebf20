"""Reading files: CSV and Parquet into memory, folders of Parquet by scanning."""

from __future__ import annotations

import csv
import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence._columns import output_columns

if TYPE_CHECKING:
    from bakeoff.evidence._predictions import Predictions

_TEXT = {".csv": ",", ".tsv": "\t", ".txt": ","}
_DECIMAL_COMMA = re.compile(r"(^|;)\s*-?\d+,\d+\s*(;|$)")


def read_table(path: Path) -> Any:
    """Read a CSV, TSV or Parquet file as a Polars frame, with errors that name the file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import polars as pl
    >>> from bakeoff.evidence import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "preds.csv"
    ...     pl.DataFrame({"y": ["yes", "no"], "rf": [0.9, 0.2]}).write_csv(file)
    ...     print(read_table(file).columns)
    ...
    ['y', 'rf']
    """
    import polars as pl

    if not path.exists():
        raise EvidenceError(f"there is no file {str(path)!r}.", hint="check the spelling and the current folder")
    if path.is_dir():
        raise EvidenceError(f"{str(path)!r} is a folder, but a file is needed here.")
    if path.stat().st_size == 0:
        raise EvidenceError(f"the file {str(path)!r} is empty.")
    suffix = path.suffix.lower()
    try:
        if suffix in _TEXT:
            return pl.read_csv(path, infer_schema_length=None, try_parse_dates=False, **_dialect(path, _TEXT[suffix]))
        if suffix in (".parquet", ".pq"):
            return pl.read_parquet(path, hive_partitioning=False)
    except pl.exceptions.PolarsError as problem:
        reason = str(problem).strip().splitlines()[0][:200]
        raise EvidenceError(
            f"the file {str(path)!r} could not be read: {reason}.", hint="is it really a table?"
        ) from None
    except UnicodeDecodeError:
        raise EvidenceError(f"the file {str(path)!r} is not text in UTF-8.") from None
    raise EvidenceError(
        f"the file {str(path)!r} is of a kind that is not known.",
        hint="CSV (.csv, .tsv) and Parquet (.parquet) are read",
    )


def _dialect(path: Path, separator: str) -> dict[str, Any]:
    """How the text is written: spreadsheets of many countries separate by semicolons and write decimals with commas."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as text:
        lines = list(islice(text, 50))
    head = lines[0] if lines else ""
    if separator == "," and ";" in head and "," not in head:
        separator = ";"
    try:
        names = next(csv.reader(lines, delimiter=separator), [])
    except csv.Error:  # not a table; the reader says so
        names = []
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise EvidenceError(f"the file {str(path)!r} has two columns named {twice!r}.", hint="rename one of them")
    comma = separator == ";" and any(_DECIMAL_COMMA.search(line) for line in lines[1:])
    return {"separator": separator, "decimal_comma": comma}


def read_predictions(path: Path, columns: dict[str, Any]) -> Predictions:
    """Read a file into memory, or scan a folder."""
    from bakeoff.evidence._predictions import Predictions

    if path.is_dir():
        from bakeoff.evidence._scan import scan_store, scan_wide, whole_folder

        if columns.get("y_true") is None:
            return scan_store(path, pos_label=columns.get("pos_label"))
        if columns.get("repeat") is not None and columns.get("fold") is None:
            # Several answers to one test set, or several test sets: only the rows themselves tell.
            return Predictions.from_frame(whole_folder(path), **columns)
        return scan_wide(path, columns)
    if columns.get("y_true") is None:
        raise EvidenceError(
            f"the column of the truth in {str(path)!r} must be named.", hint="y_true=… (--truth on the command line)"
        )
    wanted = [c for kind in ("y_pred", "y_score", "y_value") for c in output_columns(columns.get(kind))]
    if not wanted:
        raise EvidenceError(
            f"no column of {str(path)!r} was named as a model's predictions.",
            hint="y_pred=, y_score= or y_value= (--pred, --score or --value on the command line)",
        )
    return Predictions.from_frame(read_table(path), **columns)
