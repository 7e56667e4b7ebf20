"""Code as content: whose it is, its source (comments and layout do not count), and the names that it uses."""

from __future__ import annotations

import ast
import dis
import importlib
import importlib.metadata
import importlib.util
import linecache
import site
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from bakeoff.runner._digest import digest

_LIBRARY_FOLDERS = {"site-packages", "dist-packages"}
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM", "LOAD_SUPER_ATTR")
_GLOBALS = ("LOAD_GLOBAL", "LOAD_NAME")


def qualified_name(thing: Any) -> str:
    """Return module and name."""
    if isinstance(thing, ModuleType):
        return thing.__name__
    name = getattr(thing, "__qualname__", None) or getattr(thing, "__name__", type(thing).__qualname__)
    return f"{getattr(thing, '__module__', None)}.{name}"


# -- whose code it is -------------------------------------------------------------------------------------------------


def is_installed(thing: Any) -> bool:
    """Tell whether the code belongs to Python, an installed package or bakeoff: those count by name and version."""
    if isinstance(thing, FunctionType):  # not by its module, which a decorator may have copied from another function
        file, name = thing.__code__.co_filename, thing.__module__ or ""
        if file.startswith("<") and not file.startswith("<frozen"):  # typed in, or made by exec
            return _installed_module(name) if name != "__main__" and name in sys.modules else False
        return _installed_file(file) or _is_bakeoff_file(file)
    name = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None) or "builtins"
    return _installed_module(name)


def _installed_module(name: str) -> bool:
    if name == "__main__":
        return False
    if name.partition(".")[0] == "bakeoff":
        return True
    module = sys.modules.get(name)
    if module is None:
        return False
    file = getattr(module, "__file__", None)
    if file is None:  # built in, or a folder of modules
        return name.partition(".")[0] in sys.stdlib_module_names or not getattr(module, "__path__", None)
    return _installed_file(file)


@cache
def _installed_file(file: str) -> bool:
    if file.startswith("<frozen"):
        return True
    path = Path(file)
    return bool(_LIBRARY_FOLDERS & set(path.parts)) or any(path.is_relative_to(root) for root in _roots())


@cache
def _roots() -> tuple[str, ...]:
    named = (sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    return tuple(root for root in (*named, site.getusersitepackages()) if root)


def _is_bakeoff_file(file: str) -> bool:
    return Path(file).is_relative_to(Path(__file__).parent.parent)


def package_version(thing: Any) -> tuple[str, str]:
    """Return the installed package that a thing comes from, and its version; no version for Python's own."""
    if not isinstance(thing, str):
        thing = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None) or "builtins"
    top = thing.partition(".")[0]
    if top in sys.stdlib_module_names or top == "__main__":
        return top, ""
    version = getattr(sys.modules.get(top), "__version__", None)
    return top, version if isinstance(version, str) else _version_on_disk(top)


@cache
def _version_on_disk(top: str) -> str:
    for name in (top, *importlib.metadata.packages_distributions().get(top, ())):
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return ""


# -- source ----------------------------------------------------------------------------------------------------------


def code_parts(thing: Any) -> tuple[str, ...]:
    """Return what is hashed of the code itself: a function's source or instructions, a module's source.

    A class has none of its own: it is its methods and attributes.
    """
    if isinstance(thing, FunctionType):
        return ("code", _source_of(thing) or _instructions(thing.__code__))
    if isinstance(thing, ModuleType):
        tree = _tree(getattr(thing, "__file__", None) or "")
        return ("source", "" if tree is None else ast.unparse(tree))
    return ()


def _source_of(function: FunctionType) -> str:
    """Return a function's source without comments and layout; empty where there is none or it is not what runs.

    The file may have been edited after it was imported. Then its source is not that of the code in memory, which is
    what will make the predictions; so the source is taken only where compiling it gives that code.
    """
    code = function.__code__
    if code.co_name == "<lambda>":  # several may stand in one line
        return ""
    linecache.checkcache(code.co_filename)
    lines = tuple(linecache.getlines(code.co_filename, function.__globals__))
    for compiled in _compiled("".join(lines), code.co_filename).get(code.co_qualname, ()):
        if _instructions(compiled) == _instructions(code):
            return _definition("".join(lines), compiled.co_name, compiled.co_firstlineno)
    return ""


@cache
def _compiled(source: str, file: str) -> dict[str, list[CodeType]]:
    """Return the code of every function of a file by its qualified name."""
    found: dict[str, list[CodeType]] = {}
    try:
        waiting = [compile(source, file, "exec", dont_inherit=True)] if source else []
    except (SyntaxError, ValueError):
        return found
    while waiting:
        code = waiting.pop()
        found.setdefault(code.co_qualname, []).append(code)
        waiting += [c for c in code.co_consts if isinstance(c, CodeType)]
    return found


@cache
def _definition(source: str, name: str, line: int) -> str:
    """Return the definition that starts in a line (with its first decorator), written anew from its syntax tree."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first == line:
                return ast.unparse(node)
    return ""


def _tree(file: str) -> ast.Module | None:
    linecache.checkcache(file)
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return None


def _instructions(code: CodeType) -> str:
    """Hash what is executed, wherever in a file it stands."""
    constants = (_instructions(c) if isinstance(c, CodeType) else _constant(c) for c in code.co_consts)
    names = (*code.co_names, "|", *code.co_varnames, "|", *code.co_freevars, "|", *code.co_cellvars)
    return digest(code.co_name, str(code.co_flags), code.co_code, *constants, *names)


def _constant(value: Any) -> str:
    """Write a constant of the code; the elements of a set in an order of their own."""
    if isinstance(value, frozenset):
        return f"frozenset({sorted(map(_constant, value))})"
    if isinstance(value, tuple):
        return f"({', '.join(map(_constant, value))})"
    return f"{type(value).__name__}:{value!r}"


# -- what it uses -----------------------------------------------------------------------------------------------------


def used_globals(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the globals that a function uses by name, those of the functions inside it too; built-ins are left out."""
    for name in sorted(_names(function.__code__, _GLOBALS)):
        if name in function.__globals__:
            yield name, function.__globals__[name]


def used_attributes(function: FunctionType, module: ModuleType) -> list[tuple[str, Any]]:
    """Return what a function may use of a module: everything there that has the name of one of its attributes."""
    names = _names(function.__code__, _ATTRIBUTES)
    return [(name, vars(module)[name]) for name in sorted(names) if name in vars(module)]


def used_imports(function: FunctionType) -> list[str]:
    """Return the full names of the modules that a function imports when it is called."""
    package = function.__globals__.get("__package__") or ""
    found = set()
    for code in _nested(function.__code__):
        before: list[Any] = []
        for instruction in dis.get_instructions(code):
            if instruction.opname == "IMPORT_NAME":
                level = before[-2] if len(before) > 1 and isinstance(before[-2], int) else 0
                dots = "." * level
                found.add(importlib.util.resolve_name(f"{dots}{instruction.argval}", package) if dots
                          else str(instruction.argval))  # fmt: skip
            before.append(instruction.argval)
    return sorted(found)


def own_source(name: str) -> Path | None:
    """Return the file of a module of the user's own without importing it; None for installed and unknown ones."""
    top, *rest = name.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None
    if spec is None or (spec.origin is not None and (not spec.has_location or _installed_file(spec.origin))):
        return None
    if not rest:
        return None if spec.origin is None else Path(spec.origin)
    for folder in spec.submodule_search_locations or ():
        base = Path(folder).joinpath(*rest)
        for file in (base.with_suffix(".py"), base / "__init__.py"):
            if file.is_file():
                return None if _installed_file(str(file)) else file
    return None


def import_own(name: str) -> ModuleType | None:
    """Return a module of the user's own by its name, imported as its user would; None for installed or missing ones."""
    module = sys.modules.get(name)
    if module is None:
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            return None
        if spec is None or spec.origin is None or not spec.has_location or _installed_file(spec.origin):
            return None
        module = importlib.import_module(name)
    return None if is_installed(module) else module


@cache
def _names(code: CodeType, kinds: tuple[str, ...]) -> frozenset[str]:
    found = (i for c in _nested(code) for i in dis.get_instructions(c) if i.opname in kinds)
    return frozenset(str(i.argval) for i in found)


def _nested(code: CodeType) -> list[CodeType]:
    """Return a function's code and that of every function inside it."""
    found = [code]
    for one in found:
        found += [c for c in one.co_consts if isinstance(c, CodeType)]
    return found
