"""The only place that meets data frames: pandas, Polars and Arrow in (through narwhals), one of them out."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, MissingDependencyError, ParameterError
from bakeoff._core.language import Text

BACKENDS = ("pandas", "polars", "pyarrow")


def is_frame(value: object) -> bool:
    """Tell whether the value is a data frame of a library narwhals knows (eager or lazy)."""
    if isinstance(value, (np.ndarray, Mapping, list, tuple, str, type)):
        return False
    import narwhals as nw

    try:
        return isinstance(nw.from_native(from_capsule(value), pass_through=True), (nw.DataFrame, nw.LazyFrame))
    except nw.exceptions.DuplicateError:  # a frame, with a fault that `columns_of` names
        return True


def is_lazy(value: object) -> bool:
    """Tell whether the value is a frame whose rows are elsewhere, or not read yet."""
    import narwhals as nw

    return is_frame(value) and isinstance(nw.from_native(from_capsule(value), pass_through=True), nw.LazyFrame)


def columns_of(frame: Any) -> dict[str, NDArray[Any]]:
    """Return the columns of any frame (or mapping of columns) as NumPy arrays, by name; gaps become None or NaN."""
    import narwhals as nw

    if isinstance(frame, Mapping):
        return {str(name): column_array(values) for name, values in frame.items()}
    try:
        wrapped = nw.from_native(from_capsule(frame))
    except TypeError:
        raise ParameterError(f"a data frame is needed here. Got {type(frame).__name__} instead.") from None
    except nw.exceptions.DuplicateError:
        names = [str(name) for name in frame.columns]
        twice = next(name for name in names if names.count(name) > 1)
        raise EvidenceError(f"the table has two columns named {twice!r}.", hint="rename one of them") from None
    if isinstance(wrapped, nw.LazyFrame):
        wrapped = wrapped.collect()
    # pandas may number its columns; asked for with [0], narwhals would give the first row
    return {str(name): column_array(wrapped.get_column(name)) for name in wrapped.columns}


def from_capsule(value: Any) -> Any:
    """A table that only has Arrow's PyCapsule protocol, as a frame; anything else as it is.

    Some are streams, empty when they are read again: what takes a table takes it from here first.
    """
    import narwhals as nw

    try:
        known = nw.from_native(value, pass_through=True, allow_series=True)
    except nw.exceptions.DuplicateError:  # a frame, with a fault that `columns_of` names
        return value
    if isinstance(known, (nw.DataFrame, nw.LazyFrame, nw.Series)) or not hasattr(value, "__arrow_c_stream__"):
        return value
    import polars as pl

    try:
        return pl.DataFrame(value)
    except (TypeError, ValueError, pl.exceptions.PolarsError):  # a stream of one array, not of a table
        return value


def index_of(values: Any) -> Any:
    """The row labels of a pandas series or frame; None for everything else."""
    index = getattr(values, "index", None)
    return index if hasattr(index, "get_indexer") else None


def in_order_of(index: Any, values: Any, what: str) -> Any:
    """Bring a pandas series or frame into the order of these row labels; different labels are refused."""
    own = index_of(values)
    if index is None or own is None or own is index or len(own) != len(index) or own.equals(index):
        return values
    if own.is_unique and index.is_unique:
        places = own.get_indexer(index)
        if (places >= 0).all():
            return values.iloc[places]
    raise EvidenceError(
        f"{what} has other row labels (pandas index) than the rest, so rows cannot be matched.",
        hint="give all the same index; if the rows are in the same order, give .to_numpy()",
    )


def refuse_unknown_order(given: Mapping[str, Any]) -> None:
    """Refuse columns without row labels beside pandas columns in different orders: whose order is theirs?"""
    indexes = {what: index for what, values in given.items() if (index := index_of(values)) is not None}
    bare = [
        w for w, v in given.items() if w not in indexes and hasattr(v, "__len__") and not isinstance(v, (str, Mapping))
    ]
    first = next(iter(indexes), None)
    moved = [w for w, i in indexes.items() if len(i) == len(indexes[first or w]) and not i.equals(indexes[first or w])]
    if bare and moved:
        raise EvidenceError(
            f"the rows of {first} and of {moved[0]} are in different orders (pandas index), and {bare[0]} has no "
            "index: its rows cannot be matched.",
            hint="give all with the same index; if the rows are in the same order, give .to_numpy()",
        )


def column_array(values: Any) -> NDArray[Any]:
    """Return a column (array, list, pandas, Polars or Arrow series) as a NumPy array.

    Categorical and extension types become plain values; a missing label stays missing (None or NaN), never a code.
    """
    if isinstance(values, (Mapping, Set)):  # their keys, or members in any order, are no column
        raise EvidenceError(f"a column must be a list, an array or a series. Got {type(values).__name__} instead.")
    if isinstance(values, np.ma.MaskedArray):  # what is masked is missing
        return _from_sequence(values.tolist()) if np.ma.is_masked(values) else np.asarray(values)
    if isinstance(values, np.ndarray):
        return values
    if isinstance(values, (list, tuple, range)):
        return _from_sequence(values)
    import narwhals as nw

    series = nw.from_native(values, series_only=True, pass_through=True)
    if not isinstance(series, nw.Series):
        if hasattr(values, "to_pylist"):  # an array of Arrow
            return _from_sequence(values.to_pylist())
        return _from_sequence(_listed(values)) if hasattr(values, "__iter__") else np.asarray(values)
    dtype = series.dtype
    if dtype.is_numeric() and not dtype.is_decimal() and dtype not in (nw.Int128, nw.UInt128):
        if series.null_count():
            return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
        return np.asarray(series.to_numpy())
    if dtype == nw.Boolean and not series.null_count():
        return np.asarray(series.to_numpy(), dtype=bool)
    return _from_sequence(series.to_list())


def _listed(values: Any) -> list[Any]:
    try:
        return list(values)
    except TypeError:  # it only looks like a sequence: a lazy frame, a sparse matrix
        raise ParameterError(f"a column of values is needed here. Got {type(values).__name__} instead.") from None


def _from_sequence(values: Sequence[Any]) -> NDArray[Any]:
    """Build an array that keeps labels as they are: mixed kinds stay objects instead of becoming strings."""
    kinds = {type(v) for v in values}
    if kinds <= {int, float, bool} and bool not in kinds:
        return np.asarray(values)
    if kinds == {bool} or kinds == {str}:
        return np.asarray(values)
    if all(
        isinstance(v, (np.generic, list, tuple, np.ndarray, int, float)) and not isinstance(v, bool) for v in values
    ):
        try:
            return np.asarray(values)
        except ValueError:
            raise EvidenceError("rows must have equal lengths, but the nested lists given do not.") from None
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def make_frame(columns: Mapping[str, Sequence[Any]], backend: str | None = None) -> Any:
    """Build a data frame: pandas where it is installed (else Polars), or the backend asked for."""
    chosen = backend or ("pandas" if importlib.util.find_spec("pandas") else "polars")
    if chosen not in BACKENDS:
        raise ParameterError(f"backend must be one of {', '.join(map(repr, BACKENDS))}. Got {backend!r} instead.")
    if importlib.util.find_spec(chosen) is None:
        raise MissingDependencyError(
            f"to_frame(backend={chosen!r}) needs the package '{chosen}', which is not installed.",
            hint=f"pip install {chosen}",
        )
    plain = {name: _plain_column(values) for name, values in columns.items()}
    if chosen == "pandas":
        import pandas as pd

        return pd.DataFrame(plain)
    if chosen == "polars":
        import polars as pl

        return pl.DataFrame(plain, strict=False)
    import pyarrow as pa

    return pa.table(plain)


def _plain_column(values: Sequence[Any]) -> list[Any]:
    return [_plain(value) for value in values]


def _plain(value: Any) -> Any:
    if isinstance(value, Text):  # a frame is for programs: its words are English
        return value.english
    return value.item() if isinstance(value, np.generic) else value
