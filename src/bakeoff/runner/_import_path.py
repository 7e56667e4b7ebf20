"""Import paths in experiment files: they may name a class or a function that makes a model, and nothing else."""

from __future__ import annotations

import difflib
import importlib
import inspect
import re
from collections.abc import Mapping
from typing import Any

from bakeoff._core.errors import EvidenceError

_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")


def make_from_path(path: str, parameters: Mapping[str, Any], where: str, *, method: str = "fit") -> Any:
    """Import a class (or function) and call it with the parameters; the object made must have `method`."""
    maker = import_maker(path, where, method=method)
    _check_parameters(maker, parameters, path, where)
    try:
        made = maker(**parameters)
    except Exception as problem:
        raise EvidenceError(f"{where}: {path} could not be made: {problem}.") from None
    if not callable(getattr(made, method, None)):
        raise EvidenceError(f"{where}: {path} made a {type(made).__name__}, which has no {method} method.")
    return made


def import_maker(path: str, where: str, *, method: str = "fit") -> Any:
    """Return the class or function a dotted path names.

    A class must have the method wanted; a function must be one written in Python, whose result is checked. So a path
    cannot call built-in functions such as ``os.system``.
    """
    if not isinstance(path, str) or not _DOTTED.fullmatch(path):
        raise EvidenceError(
            f"{where} must be an import path such as 'sklearn.svm.SVC'. Got {path!r}.",
            hint="a module and a name, joined by dots; nothing else is allowed",
        )
    module_name, _, name = path.rpartition(".")
    module = _import(module_name, path, where)
    if not hasattr(module, name):
        close = difflib.get_close_matches(name, dir(module), n=1)
        raise EvidenceError(
            f"{where}: the module {module_name!r} has no {name!r}.",
            hint=f"did you mean {close[0]!r}?" if close else None,
        )
    maker = getattr(module, name)
    if inspect.isclass(maker):
        if not hasattr(maker, method):
            raise EvidenceError(f"{where}: the class {path} has no {method} method, so it is no model.")
    elif not inspect.isfunction(maker):
        raise EvidenceError(
            f"{where}: {path} is a {type(maker).__name__}; it must be a class, or a function that makes a model."
        )
    return maker


def _import(name: str, path: str, where: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as problem:
        missing = (problem.name or name).partition(".")[0]
        raise EvidenceError(
            f"{where}: there is no module {problem.name!r} to import {path} from.",
            hint=f"check the spelling, or install the package '{missing}'",
        ) from None
    except Exception as problem:
        raise EvidenceError(f"{where}: importing {name!r} failed: {problem}.") from None


def _check_parameters(maker: Any, parameters: Mapping[str, Any], path: str, where: str) -> None:
    try:
        known = inspect.signature(maker).parameters
    except (TypeError, ValueError):
        return
    if any(p.kind is p.VAR_KEYWORD for p in known.values()):
        return
    for name in parameters:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            raise EvidenceError(
                f"{where}: {path} has no parameter {name!r}.", hint=f"did you mean {close[0]!r}?" if close else None
            )
