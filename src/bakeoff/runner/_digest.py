"""Hashes of bytes, arrays and tables."""

from __future__ import annotations

import datetime
import decimal
import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

from bakeoff._core.frames import columns_of, index_of, is_frame

_SIZE = 16
_PRINTED = (str, bytes, int, float, complex, type(None), np.generic, decimal.Decimal)
_DATES = (datetime.date, datetime.time, datetime.timedelta)
Of = Callable[[Any], str]


def digest(*parts: bytes | str) -> str:
    """Hash some parts, keeping their boundaries."""
    hasher = hashlib.blake2b(digest_size=_SIZE)
    for part in parts:
        raw = part.encode(errors="surrogatepass") if isinstance(part, str) else part
        hasher.update(len(raw).to_bytes(8, "little"))
        hasher.update(raw)
    return hasher.hexdigest()


def hash_array(array: Any, of: Of) -> str:
    """Hash an array by its values, shape and kind; `of` hashes objects that their text does not tell apart."""
    array = np.asarray(array)
    if array.dtype.kind in "OUT":
        texts = [_text(v, of) for v in array.ravel().tolist()]
        clear = not any("\x1e" in text or text.count("\x1f") > 1 for text in texts)
        return digest("objects", str(array.shape), "\x1e".join(texts) if clear else digest(*texts))
    return digest(array.dtype.str, str(array.shape), np.ascontiguousarray(array).tobytes())


def _text(value: Any, of: Of) -> str:
    text = str(value) if isinstance(value, (*_PRINTED, *_DATES)) else of(value)
    return f"{type(value).__name__}\x1f{text}"


def hash_table(X: Any, of: Of) -> str:
    """Hash features: an array, a sparse matrix, or a frame with the names and kinds of its columns and its row labels.

    Row labels that only number the rows, as a frame has them by default, do not count.
    """
    if hasattr(X, "tocsr"):
        csr = X.tocsr()
        return digest("sparse", str(X.shape), *(hash_array(p, of) for p in (csr.data, csr.indices, csr.indptr)))
    if is_frame(X):
        kinds = [_kind(k, of) for k in X.dtypes]
        parts = (f"{n}:{k}:{hash_array(v, of)}" for (n, v), k in zip(columns_of(X).items(), kinds, strict=True))
        return digest("frame", *parts, *_row_labels(X, of))
    return hash_array(X, of)


def _kind(dtype: Any, of: Of) -> str:
    """Write a column's type; a pandas category with its levels, whose order a model may use."""
    levels = getattr(dtype, "categories", None)
    if levels is None or not hasattr(levels, "get_indexer"):
        return str(dtype)
    return f"{dtype.name} {dtype.ordered} {hash_array(levels.to_numpy(), of)}"


def _row_labels(X: Any, of: Of) -> list[str]:
    index = index_of(X)
    if index is None or (type(index).__name__ == "RangeIndex" and (index.start, index.step) == (0, 1)):
        return []
    return [hash_array(index.to_numpy(), of)]
