"""Tables that an engine keeps: DuckDB files, Delta tables and Arrow data sets are counted where they are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bakeoff._core.errors import EvidenceError, MissingDependencyError, ParameterError

if TYPE_CHECKING:
    from bakeoff.evidence._predictions import Predictions


def is_duckdb(path: Path) -> bool:
    """Whether a file is a DuckDB database."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(12)[8:] == b"DUCK"


def scan_duckdb(path: Path, columns: Mapping[str, Any], table: str | None, sql: str | None) -> Predictions:
    """Count in a DuckDB file, which is opened for reading only."""
    try:
        import duckdb
    except ImportError:
        raise MissingDependencyError(
            "a DuckDB file needs the package duckdb.", hint="pip install 'bakeoff[duckdb]'"
        ) from None
    if (table is None) == (sql is None):
        raise ParameterError(f"{str(path)!r} is a database.", hint="name its table= (--table) or a query, sql= (--sql)")
    try:
        connection = duckdb.connect(str(path), read_only=True)
        relation = connection.table(str(table)) if sql is None else connection.sql(sql)
    except duckdb.Error as problem:
        raise EvidenceError(f"{str(path)!r} could not be asked: {str(problem).splitlines()[0][:200]}") from None
    if relation is None:
        raise ParameterError("the query returns no table.", hint="--sql 'select … from …'")
    return _scanned(relation, columns)


def is_delta(path: Path) -> bool:
    """Whether a folder is a Delta table: its log tells which of the Parquet files are valid, so it must be asked."""
    return (path / "_delta_log").is_dir()


def scan_delta(path: Path, columns: Mapping[str, Any]) -> Predictions:
    """Count in the present version of a Delta table, by Polars."""
    import polars as pl

    try:
        frame = pl.scan_delta(str(path))
        frame.collect_schema()
    except ImportError:
        raise MissingDependencyError(
            "a Delta table needs the package deltalake.", hint="pip install 'bakeoff[delta]'"
        ) from None
    except Exception as problem:  # whatever deltalake raises is told in one sentence, with its own words
        reason = (str(problem).strip().splitlines() or [type(problem).__name__])[0][:200]
        raise EvidenceError(f"the Delta table {str(path)!r} could not be read: {reason}") from None
    return _scanned(frame, {"dataset": path.name, **columns})


def _scanned(source: Any, columns: Mapping[str, Any]) -> Predictions:
    from bakeoff.evidence._predictions import Predictions

    if "y_true" not in columns:
        raise ParameterError("the column of the truth must be named.", hint="y_true= (--truth)")
    return Predictions.scan(source, **columns)


def as_frame(source: Any) -> Any:
    """A Delta table or an Arrow data set as a lazy Polars frame; anything else as it is."""
    kind = f"{type(source).__module__}.{type(source).__name__}"
    if not kind.startswith(("deltalake.", "pyarrow._dataset.")):
        return source
    import polars as pl

    return pl.scan_delta(source) if kind.startswith("deltalake.") else pl.scan_pyarrow_dataset(source)
