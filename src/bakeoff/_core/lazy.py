"""Lazy public doors: a package's names are imported when they are first used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def lazy_door(
    package: str, exports: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` for a package whose names live in private modules.

    Parameters
    ----------
    package
        The package's ``__name__``.
    exports
        Public name → the module it lives in, relative to the package (``"_mcnemar"``) or absolute; a name that maps
        to itself with a leading dot (``".stats"``) is a subpackage.
    """

    def getter(name: str) -> Any:
        if name not in exports:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        target = exports[name]
        if target.startswith("."):
            value = importlib.import_module(package + target)
        else:
            module = importlib.import_module(f"{package}.{target}")
            value = getattr(module, name)
        setattr(sys.modules[package], name, value)
        return value

    def lister() -> list[str]:
        return sorted({*exports, *vars(sys.modules[package])})

    return getter, lister, sorted(exports)
