"""Fingerprints: the same data, model and split have the same one in every process and on every machine."""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import inspect
import json
import sysconfig
import textwrap
from collections.abc import Mapping
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from bakeoff._core.frames import columns_of, is_frame

_SIZE = 16


def digest(*parts: bytes | str) -> str:
    """Hash some parts, keeping their boundaries."""
    hasher = hashlib.blake2b(digest_size=_SIZE)
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
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


def data_fingerprint(X: Any, y: Any, groups: Any, weight: Any, task: str) -> str:
    """Hash everything of a data set that can change a prediction; its name does not count."""
    extras = ("" if v is None else hash_array(v) for v in (groups, weight))
    return digest("data", hash_table(X), hash_array(y), *extras, task)


def model_fingerprint(model: Any) -> str:
    """Hash a model by its class and parameters (and its code, where it is not an installed package's)."""
    return digest("model", json.dumps(canonical(model), sort_keys=True))


def unit_key(*determinants: object) -> str:
    """Hash all that determines one unit of work and where it is stored."""
    return digest("unit", *(str(d) for d in determinants))


def split_fingerprint(train: Any, test: Any) -> str:
    """Hash the row numbers of a train/test pair."""
    return digest(hash_array(np.asarray(train, np.int64)), hash_array(np.asarray(test, np.int64)))


def canonical(value: Any, depth: int = 0) -> Any:
    """Turn a model or parameter into plain JSON values that do not depend on addresses, hashes or order of sets."""
    if depth > 20:
        return f"<{type(value).__qualname__}>"
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (float, np.floating)):
        return {"float": float(value).hex()}
    if isinstance(value, np.generic):
        return canonical(value.item(), depth + 1)
    if isinstance(value, (bytes, complex)) or value is ...:
        return {type(value).__name__: repr(value)}
    if isinstance(value, np.ndarray):
        return {"array": hash_array(value)}
    if isinstance(value, Mapping):
        return {"map": sorted([json.dumps(canonical(k)), canonical(v, depth + 1)] for k, v in value.items())}
    if isinstance(value, (list, tuple, range)):
        return {type(value).__name__: [canonical(v, depth + 1) for v in value]}
    if isinstance(value, (set, frozenset)):
        return {"set": sorted(json.dumps(canonical(v, depth + 1), sort_keys=True) for v in value)}
    return _canonical_object(value, depth)


def _canonical_object(value: Any, depth: int) -> Any:
    if isinstance(value, type):
        return {"class": _class_name(value), "code": _class_code(value)}
    if isinstance(value, FunctionType):
        bound = canonical([value.__defaults__, value.__kwdefaults__, _closure(value)], depth + 1)
        return {"function": f"{value.__module__}.{value.__qualname__}", "code": _function_code(value), "bound": bound}
    if is_frame(value):
        return {"frame": hash_table(value)}
    state = _state(value)
    body = {"object": _class_name(type(value)), "code": _class_code(type(value))}
    return {**body, "state": canonical(state, depth + 1) if isinstance(state, Mapping) else repr(state)}


def _state(value: Any) -> Any:
    """What distinguishes two objects of a class: an estimator's parameters, a dataclass' fields, or its attributes."""
    if hasattr(value, "get_params") and not isinstance(value, type):
        return value.get_params(deep=False)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    if isinstance(value, np.random.RandomState):
        return {"state": str(value.get_state(legacy=True))}
    if isinstance(value, np.random.Generator):
        return dict(value.bit_generator.state)
    if hasattr(value, "__dict__"):
        return {k: v for k, v in vars(value).items() if not k.startswith("__")}
    return getattr(value, "__name__", type(value).__name__)


def _class_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _class_code(cls: type) -> str:
    """Hash the code of the user's own classes: a changed ``fit`` is another model. Installed packages go by name."""
    if is_installed(cls):
        return ""
    return _source_hash(cls) or digest(*(f"{n}:{_function_code(f)}" for n, f in sorted(_methods(cls).items())))


def _methods(cls: type) -> dict[str, FunctionType]:
    return {n: f for n, f in vars(cls).items() if isinstance(f, FunctionType)}


def _function_code(function: FunctionType) -> str:
    if is_installed(function):
        return ""
    if function.__name__ == "<lambda>":  # the source is that of the whole line, which may hold several
        return _code_hash(function.__code__)
    return _source_hash(function) or _code_hash(function.__code__)


def _closure(function: FunctionType) -> list[Any]:
    """Values a function took from where it was defined; an empty cell has none yet."""
    values = []
    for cell in function.__closure__ or ():
        try:
            values.append(cell.cell_contents)
        except ValueError:
            values.append(None)
    return values


def _source_hash(thing: Any) -> str:
    """Hash the syntax tree of the source, so that comments and layout do not count; empty where there is no source."""
    try:
        return digest(ast.dump(ast.parse(textwrap.dedent(inspect.getsource(thing)))))
    except (OSError, TypeError, SyntaxError):
        return ""


def _code_hash(code: CodeType) -> str:
    constants = (_code_hash(c) if isinstance(c, CodeType) else json.dumps(canonical(c)) for c in code.co_consts)
    return digest(code.co_code, *constants, *code.co_names)


def is_installed(thing: Any) -> bool:
    """Tell whether the code belongs to Python, an installed package or bakeoff, whose versions the manifest records."""
    module = inspect.getmodule(thing)
    file = getattr(module, "__file__", None)
    if module is None or module.__name__ == "__main__":
        return False
    if file is None or module.__name__.partition(".")[0] == "bakeoff":
        return True
    roots = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return any(Path(file).is_relative_to(root) for root in roots if root)
