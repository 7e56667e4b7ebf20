"""Lazy exports: a package's public names are imported when they are first used."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any


def lazy_exports(
    package: str,
    exports: Mapping[str, str] | None = None,
    packages: str = "",
    *,
    internal: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` for a package whose names live in other modules.

    The names stand once, in the package's stub ``__init__.pyi``, which type checkers read: a package with a
    ``__getattr__`` has every name, all of them ``Any``. With `exports`, a package says its names itself: then call
    this where a type checker does not look (``if not TYPE_CHECKING``), and import the names where only one looks.

    Parameters
    ----------
    package
        The package's ``__name__``.
    exports
        Module, relative to the package (``"_kfold"``, ``"_core.errors"``) or in full, → the public names it has, with
        spaces between them; None reads them from the stub.
    packages
        Subpackages that are public names themselves, with spaces between them.
    internal
        As `exports`, for the packages above and not for users: reachable, not listed. Under ``""`` are subpackages.
    """
    public = _homes_in_stub(package) if exports is None else _homes(exports)
    home = {**public, **_homes(internal or {})}
    subpackages = packages.split()

    def getter(name: str) -> Any:
        if name in subpackages or home.get(name) == "":
            value: Any = importlib.import_module(f"{package}.{name}")
        elif name in home:
            module = home[name]
            value = getattr(
                importlib.import_module(module if module.startswith("bakeoff.") else f"{package}.{module}"), name
            )
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)
        return value

    def lister() -> list[str]:
        return sorted({*public, *subpackages, *vars(sys.modules[package])})

    return getter, lister, sorted([*public, *subpackages])


def _homes(exports: Mapping[str, str]) -> dict[str, str]:
    return {name: module for module, names in exports.items() for name in names.split()}


def _homes_in_stub(package: str) -> dict[str, str]:
    """Read which module each name of ``__init__.pyi`` is imported from."""
    stub = resources.files(package).joinpath("__init__.pyi").read_text(encoding="utf-8")
    imports = (node for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom))
    return {alias.name: node.module or "" for node in imports for alias in node.names}
