"""Hashes of bytes, arrays and tables."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from bakeoff._core.frames import columns_of, is_frame

_SIZE = 16


def digest(*parts: bytes | str) -> str:
    """Hash some parts, keeping their boundaries."""
    hasher = hashlib.blake2b(digest_size=_SIZE)
    for part in parts:
        raw = part.encode(errors="surrogatepass") if isinstance(part, str) else part
        hasher.update(len(raw).to_bytes(8, "little"))
        hasher.update(raw)
    return hasher.hexdigest()


def hash_array(array: Any) -> str:
    """Hash an array by its values, shape and kind; objects by their text."""
    array = np.asarray(array)
    if array.dtype.kind in "OUT":
        text = "\x1e".join(f"{type(v).__name__}\x1f{v}" for v in array.ravel().tolist())
        return digest("objects", str(array.shape), text)
    return digest(array.dtype.str, str(array.shape), np.ascontiguousarray(array).tobytes())


def hash_table(X: Any) -> str:
    """Hash features: an array, a sparse matrix, or a frame with its column names and kinds."""
    if hasattr(X, "tocsr"):
        csr = X.tocsr()
        return digest("sparse", str(X.shape), *(hash_array(p) for p in (csr.data, csr.indices, csr.indptr)))
    if is_frame(X):
        kinds = [str(k) for k in X.dtypes]
        parts = (f"{n}:{k}:{hash_array(v)}" for (n, v), k in zip(columns_of(X).items(), kinds, strict=True))
        return digest("frame", *parts)
    return hash_array(X)
