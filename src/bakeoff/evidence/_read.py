"""Reading files: CSV and Parquet into memory, folders of Parquet by scanning."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence._columns import output_columns

if TYPE_CHECKING:
    from bakeoff.evidence._predictions import Predictions

_TEXT = {".csv": ",", ".tsv": "\t", ".txt": ","}


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
            return pl.read_csv(path, separator=_TEXT[suffix], infer_schema_length=None, try_parse_dates=False)
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


def read_predictions(path: Path, columns: dict[str, Any]) -> Predictions:
    """Read a file into memory, or scan a folder."""
    from bakeoff.evidence._predictions import Predictions

    if path.is_dir():
        from bakeoff.evidence._scan import scan_store, scan_wide

        if columns.get("y_true") is None:
            return scan_store(path, pos_label=columns.get("pos_label"))
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
