"""Import paths in experiment files: they name a class, and nothing is imported that cannot be one.

An experiment file is data. A path of an installed package is imported and must be a class with the right method. Of a
module of the user's own the source is read first, and it is imported only if it defines such a class there. Python's
own library has no models, so nothing of it is imported or called. A function is called only where the file says so,
with the key ``function`` in place of ``class``.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Mapping
from typing import Any

from bakeoff._core.errors import EvidenceError, did_you_mean
from bakeoff._core.text import shorten
from bakeoff.runner._code import own_source

_LONGEST_PATH = 500
_PROGRAM = "__main__"
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")


def make_from_path(
    path: str, parameters: Mapping[str, Any], where: str, *, method: str = "fit", function: bool = False
) -> Any:
    """Import a class (or a function, where that is said) and call it; the object made must have `method`."""
    maker = import_maker(path, where, method=method, function=function)
    _check_parameters(maker, parameters, path, where)
    try:
        made = maker(**parameters)
    except (Exception, SystemExit) as problem:
        raise EvidenceError(f"{where}: {path} could not be made: {problem}.") from None
    if not callable(getattr(made, method, None)):
        raise EvidenceError(f"{where}: {path} made a {type(made).__name__}, which has no {method} method.")
    return made


def import_maker(path: str, where: str, *, method: str = "fit", function: bool = False) -> Any:
    """Return the class (or function) a dotted path names, importing its module only if it may hold one."""
    if not isinstance(path, str) or len(path) > _LONGEST_PATH or not _DOTTED.fullmatch(path):
        raise EvidenceError(
            f"{where} must be an import path such as 'sklearn.svm.SVC'. Got {shorten(str(path))!r}.",
            hint="a module and a name, joined by dots; nothing else is allowed",
        )
    module_name, _, name = path.rpartition(".")
    if path.partition(".")[0] in sys.stdlib_module_names:
        raise EvidenceError(f"{where}: {path} belongs to Python itself, which has no models; it is not imported.")
    if _PROGRAM in path.split("."):
        raise EvidenceError(f"{where}: {path} is a program, which has no models; it is not imported.")
    _check_source(module_name, name, where, function)
    module = _import(module_name, path, where)
    if not hasattr(module, name):
        text = f"{where}: the module {module_name!r} has no {name!r}."
        raise EvidenceError(text, hint=did_you_mean(name, dir(module)))
    maker = getattr(module, name)
    wanted = inspect.isfunction(maker) if function else inspect.isclass(maker)
    if not wanted:
        is_function = inspect.isfunction(maker)
        hint = f'write function = "{path}" to have it called, if you trust it' if is_function else None
        kind = "a function" if function else "a class"
        raise EvidenceError(f"{where}: {path} is a {type(maker).__name__}; it must be {kind}.", hint=hint)
    if not function and not hasattr(maker, method):
        raise EvidenceError(f"{where}: the class {path} has no {method} method, so it is no model.")
    return maker


def _check_source(module: str, name: str, where: str, function: bool) -> None:
    """Raise, before a module of the user's own is imported, if its source defines nothing of the kind."""
    if module in sys.modules or (file := own_source(module)) is None:
        return
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, RecursionError, OSError) as problem:
        raise EvidenceError(f"{where}: the source of {module!r} could not be read: {problem}.") from None
    kinds = (ast.FunctionDef,) if function else (ast.ClassDef,)
    for node in ast.walk(tree):
        if isinstance(node, kinds) and node.name == name and _may_be_model(node):
            return
        if isinstance(node, (ast.ImportFrom, ast.Import)) and any((a.asname or a.name) == name for a in node.names):
            return
    what = "function" if function else "class that could be a model"
    raise EvidenceError(f"{where}: the module {module!r} defines no {what} named {name!r}, so it is not imported.")


def _may_be_model(node: ast.AST) -> bool:
    """Tell whether a class has methods or a base that may have them."""
    return not isinstance(node, ast.ClassDef) or bool(node.bases) or any(
        isinstance(inner, ast.FunctionDef) for inner in node.body
    )  # fmt: skip


def _import(name: str, path: str, where: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as problem:
        missing = (problem.name or name).partition(".")[0]
        raise EvidenceError(
            f"{where}: there is no module {problem.name!r} to import {path} from.",
            hint=f"check the spelling, or install the package '{missing}'",
        ) from None
    except (Exception, SystemExit) as problem:  # a program, whatever it does
        raise EvidenceError(f"{where}: importing {name!r} failed: {type(problem).__name__}: {problem}.") from None


def _check_parameters(maker: Any, parameters: Mapping[str, Any], path: str, where: str) -> None:
    try:
        known = inspect.signature(maker).parameters
    except (TypeError, ValueError):
        return
    if any(p.kind is p.VAR_KEYWORD for p in known.values()):
        return
    for name in parameters:
        if name not in known:
            raise EvidenceError(f"{where}: {path} has no parameter {name!r}.", hint=did_you_mean(name, known))
