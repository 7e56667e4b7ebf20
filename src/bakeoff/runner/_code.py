"""Code as content: whose it is, its source (comments and layout do not count), and the names that it uses."""

from __future__ import annotations

import ast
import builtins
import dis
import hashlib
import importlib
import importlib.metadata
import importlib.util
import inspect
import linecache
import site
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from itertools import pairwise
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from bakeoff.runner._digest import digest

_MADE_IN_PYTHON = 1 << 9  # the flag of classes that were made while a program runs
_LIBRARY_FOLDERS = {"site-packages", "dist-packages"}
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM", "LOAD_SUPER_ATTR")
_BY_NAME = {"getattr", "globals", "vars", "eval", "exec", "__dict__", "attrgetter", "methodcaller"}
_IMPORTS = {"import_module", "__import__"}
_IMPORTS_BY_NAME = {*_IMPORTS, "modules"}  # sys.modules["helpers"]
_RUNS_TEXT = {"eval", "exec", "compile"}
_GLOBALS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
_WHERE = {"__builtins__", "__cached__", "__file__", "__loader__", "__name__", "__package__", "__path__", "__spec__"}
_LOADS = (*_GLOBALS, "LOAD_FAST", "LOAD_DEREF")


class BrokenModule(Exception):
    """A module of the user's own that cannot be imported; the text says why."""


def qualified_name(thing: Any) -> str:
    """Return module and name."""
    if isinstance(thing, ModuleType):
        return thing.__name__
    if isinstance(thing, FunctionType):  # not as it is called: a decorator may have copied the name of another
        return f"{_module_of(thing)}.{thing.__code__.co_qualname}"
    name = getattr(thing, "__qualname__", None) or getattr(thing, "__name__", type(thing).__qualname__)
    return f"{_module_of(thing)}.{name}"


# -- whose code it is -------------------------------------------------------------------------------------------------


def is_installed(thing: Any) -> bool:
    """Tell whether the code belongs to Python, an installed package or bakeoff: those count by name and version."""
    if isinstance(thing, FunctionType):
        file, name = thing.__code__.co_filename, _module_of(thing)
        if "__name__" not in thing.__globals__:  # made by exec, of no module
            return False
        if file.startswith("<") and not file.startswith("<frozen"):  # typed in, or made by exec
            return _installed_module(name) if name != "__main__" and name in sys.modules else False
        return _installed_file(file) or _is_bakeoff_file(file)
    return _installed_module(_module_of(thing))


def _module_of(thing: Any) -> str:
    if isinstance(thing, FunctionType):
        name = thing.__globals__.get("__name__")
    else:
        name = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None)
    return name if isinstance(name, str) else "builtins"


def _installed_module(name: str) -> bool:
    if name == "__main__":
        return False
    if name.partition(".")[0] == "bakeoff":
        return True
    module = sys.modules.get(name)
    if module is None:
        return False
    top = name.partition(".")[0]
    # Built in, a part of a compiled package, a folder of modules, or made while the program runs.
    file = getattr(module, "__file__", None) or getattr(sys.modules.get(top), "__file__", None)
    return top in sys.stdlib_module_names if file is None else _installed_file(file)


def is_patched(value: Any) -> bool:
    """Tell whether something found in installed code is a function of the user's own.

    Functions that a library writes as text and runs, as named tuples do, belong to no module, and to that library.
    """
    if isinstance(value, (staticmethod, classmethod, property)):
        value = value.fget if isinstance(value, property) else value.__func__
    known = isinstance(value, FunctionType) and value.__globals__.get("__name__") in sys.modules
    return known and not is_installed(value)


def patches(thing: Any) -> dict[str, Any]:
    """Return what of an installed class, bases included, was replaced by functions of the user's own."""
    bases = reversed(thing.__mro__) if isinstance(thing, type) else ()
    return {name: v for base in bases if is_installed(base) for name, v in vars(base).items() if is_patched(v)}


def is_under_its_name(thing: Any) -> bool:
    """Tell whether a class or function is what its module has under its name, so that the name says which it is.

    Not so for what was made by a call: lambdas, inner functions, classes put together while the program runs.
    """
    found = sys.modules.get(_module_of(thing))
    for part in thing.__qualname__.split("."):
        found = inspect.getattr_static(found, part, None)
    found = getattr(found, "__func__", found)  # of a class method or static method
    return found is thing or (isinstance(thing, type) and not thing.__flags__ & _MADE_IN_PYTHON)


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
        thing = _module_of(thing)
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
        file = getattr(thing, "__file__", None) or ""
        if file.endswith(tuple(EXTENSION_SUFFIXES)):
            return ("compiled", hashlib.blake2b(Path(file).read_bytes()).hexdigest())
        tree = _tree(file)
        return ("source", "" if tree is None else _written(tree))
    return ()


def source_parts(module: ModuleType) -> tuple[str, ...]:
    """Return what is hashed of a whole module of the user's own: its source and that of its own ones that it imports.

    Nothing for a module without a file.
    """
    file = getattr(module, "__file__", None) or ""
    if not file or file.endswith(tuple(EXTENSION_SUFFIXES)):
        return code_parts(module) if file else ()
    files, waiting = {module.__name__: file}, [module.__name__]
    parts = []
    while waiting:
        name = waiting.pop()
        tree = _tree(files[name])
        if tree is None:
            continue
        is_package = Path(files[name]).name == "__init__.py"
        for imported in _imports_of(tree, name if is_package else name.rpartition(".")[0]):
            path = None if imported in files else own_source(imported)
            if path is not None:
                files[imported] = str(path)
                waiting.append(imported)
        parts.append(digest("" if name == module.__name__ else name, _written(tree)))
    return ("source", *sorted(parts))


def _imports_of(tree: ast.Module, package: str) -> set[str]:
    """Return the full names of the modules that a module may import, and of the packages that they are in."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {whole for alias in node.names for whole in _with_packages(alias.name)}
        elif isinstance(node, ast.ImportFrom):
            with suppress(ImportError):  # above the top of its package
                base = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
                found |= {whole for alias in node.names for whole in _with_packages(f"{base}.{alias.name}")}
    return found


def _with_packages(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[: i + 1]) for i in range(len(parts))]


def compiled_module(thing: Any) -> ModuleType | None:
    """Return the compiled module of the user's own that a thing comes from; None for everything else."""
    module = sys.modules.get(_module_of(thing))
    file = getattr(module, "__file__", None) or ""
    return module if file.endswith(tuple(EXTENSION_SUFFIXES)) and not _installed_file(file) else None


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


def _definition(source: str, name: str, line: int) -> str:
    """Return the definition that starts in a line (with its first decorator), written anew from its syntax tree."""
    node = _definitions(source).get((name, line))
    return "" if node is None else _written(node)


@cache
def _definitions(source: str) -> dict[tuple[str, int], ast.AST]:
    """Return the functions of a file by name and first line."""
    found = (n for n in ast.walk(ast.parse(source)) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return {(n.name, min([n.lineno, *(d.lineno for d in n.decorator_list)])): n for n in found}


def _written(tree: ast.AST) -> str:
    """Write code anew from its syntax tree, without comments, layout and the texts that only document it."""
    for node in ast.walk(tree):
        body: Any = getattr(node, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        text = first.value if isinstance(first, ast.Expr) else None
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            body[:] = body[1:] or [ast.Pass()]
    return ast.unparse(tree)


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
    handlers = [code.co_exceptiontable] if code.co_exceptiontable else []  # which instructions a try covers
    return digest(code.co_name, str(code.co_flags), code.co_code, *handlers, *constants, *names)


def _constant(value: Any) -> str:
    """Write a constant of the code; the elements of a set in an order of their own."""
    if isinstance(value, frozenset):
        return f"frozenset({sorted(map(_constant, value))})"
    if isinstance(value, tuple):
        return f"({', '.join(map(_constant, value))})"
    return f"{type(value).__name__}:{value!r}"


# -- what it uses -----------------------------------------------------------------------------------------------------


def used_globals(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the globals that a function may use, those of the functions inside it too; built-ins are left out.

    It may name them in a text, as in ``globals()["helper"]`` or ``eval("helper(1)")``. Where the code lies does not
    count; what somebody put among the built-ins does.
    """
    for name in sorted({n for code in _codes(function) for n in _names(code, _GLOBALS) | _texts(code)} - _WHERE):
        if name in function.__globals__:
            yield name, function.__globals__[name]
        elif is_patched(vars(builtins).get(name)):
            yield name, vars(builtins)[name]


def used_attributes(function: FunctionType, module: ModuleType) -> list[tuple[str, Any]]:
    """Return what a function may use of a module: everything there that has the name of one of its attributes."""
    names = {n for code in _codes(function) for n in _names(code, _ATTRIBUTES) | _texts(code)} | {"__getattr__"}
    return [(name, vars(module)[name]) for name in sorted(names) if name in vars(module)]


def used_imports(function: FunctionType) -> list[tuple[str, bool]]:
    """Return the full names of the modules that a function imports when it is called, and whether it may use any of it.

    Of the user's own also those that it takes from a package, the packages themselves, and those that it names in a
    text, as in ``import_module("helpers")``.
    """
    package = function.__globals__.get("__package__") or ""
    found: dict[str, bool] = {}
    own = dict.fromkeys(_named_modules(function), True)
    for code in _codes(function):
        for number, level, parts, variables in _import_statements(code):
            with suppress(ImportError):  # above the top of its package: it fails when it is called, too
                name = importlib.util.resolve_name(f"{'.' * level}{number}", package)
                whole = {v for v, part in variables if part is None or own_source(f"{name}.{part}")}
                passed = any(is_passed_on(function, v) for v in whole)
                found[name] = found.get(name, False) or passed
                for one in (*_with_packages(name), *(f"{name}.{part}" for part in parts)):
                    own[one] = own.get(one, False) or passed
    return sorted({**{n: whole for n, whole in own.items() if own_source(n) is not None}, **found}.items())


def _named_modules(function: FunctionType) -> set[str]:
    """Return the modules that a function may name in a text, its own or a global one that it uses."""
    used = {n for code in _codes(function) for n in _names(code, (*_GLOBALS, *_ATTRIBUTES))}
    texts = _all_texts(function, _codes(function)) if used & _IMPORTS_BY_NAME else set()
    named = {text for text in texts if _is_dotted(text)}
    return named if used & _IMPORTS else {name for name in named if name in sys.modules}


def _import_statements(code: CodeType) -> Iterator[tuple[str, int, tuple[str, ...], list[tuple[str, str | None]]]]:
    """Yield module, level, the parts taken of it and the variables with the part that each gets (None: the module)."""
    steps = _steps(code)
    for i, step in enumerate(steps):
        if step.opname != "IMPORT_NAME":
            continue
        level, parts = (s.argval for s in steps[i - 2 : i])
        variables: list[tuple[str, str | None]] = []
        part = None
        for after in steps[i + 1 :]:
            if after.opname == "IMPORT_FROM":
                part = after.argval if parts else None  # without parts it is "import a.b as c"
            elif after.opname.startswith("STORE_"):
                variables.append((after.argval, part))
            elif after.opname not in ("SWAP", "POP_TOP"):
                break
        yield step.argval, level if isinstance(level, int) else 0, tuple(parts or ()), variables


def _steps(code: CodeType) -> list[dis.Instruction]:
    return [i for i in dis.get_instructions(code) if i.opname != "EXTENDED_ARG"]


def _is_dotted(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def is_passed_on(function: FunctionType, name: str) -> bool:
    """Tell whether a function does more with a module than to take attributes of it: others may then use any."""
    for code in _codes(function):
        for step, after in pairwise(_steps(code)):
            loads = step.opname.startswith(_LOADS) and step.argval == name
            if loads and after.opname not in _ATTRIBUTES:
                return True
    return False


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
    """Return a module of the user's own by its name, imported as its user would; None for installed or missing ones.

    One that says so with an ImportError, as for want of another module, counts as missing; any other failure raises
    `BrokenModule`.
    """
    module = sys.modules.get(name)
    if module is None:
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            return None
        if spec is None or spec.origin is None or not spec.has_location or _installed_file(spec.origin):
            return None
        try:
            module = importlib.import_module(name)
        except ImportError:
            return None
        except (Exception, SystemExit) as problem:  # whatever the user's own code does when it is imported
            raise BrokenModule(f"importing {name!r} failed with {type(problem).__name__}: {problem}") from problem
    return None if is_installed(module) else module


@cache
def _names(code: CodeType, kinds: tuple[str, ...]) -> frozenset[str]:
    found = (i for c in _nested(code) for i in dis.get_instructions(c) if i.opname in kinds)
    return frozenset(str(i.argval) for i in found)


@cache
def _texts(code: CodeType) -> frozenset[str]:
    """Return the texts that code may use as names: ``getattr(module, "helper")``; none where it has no use for names.

    A text that only happens to be the name of something, such as that of a column, must not bind the two together.
    """
    if not _names(code, (*_GLOBALS, *_ATTRIBUTES)) & _BY_NAME:
        return frozenset()
    return frozenset(t for c in _nested(code) for t in c.co_consts if isinstance(t, str) and t.isidentifier())


def _codes(function: FunctionType) -> list[CodeType]:
    """Return a function's code, that of every function inside it, and that of the texts that it may run as code."""
    found = _nested(function.__code__)
    if not any(_names(code, _GLOBALS) & _RUNS_TEXT for code in found):
        return found
    for text in sorted(_all_texts(function, found)):
        with suppress(SyntaxError, ValueError):
            found += _nested(compile(text, "<text>", "exec", dont_inherit=True))
    return found


def _all_texts(function: FunctionType, codes: list[CodeType]) -> set[str]:
    """Return the texts in some code of a function, and those that it has from globals."""
    names = {name for code in codes for name in _names(code, _GLOBALS)}
    values = [c for code in codes for c in code.co_consts] + [function.__globals__.get(name) for name in names]
    return {value for value in values if isinstance(value, str)}


def _nested(code: CodeType) -> list[CodeType]:
    """Return a function's code and that of every function inside it."""
    found = [code]
    for one in found:
        found += [c for c in one.co_consts if isinstance(c, CodeType)]
    return found
