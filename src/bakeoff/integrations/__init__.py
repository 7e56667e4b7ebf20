"""Where people work: verdicts as pytest assertions, in MLflow runs, and as checks of skore reports.

Each module imports its package when it is used, and says what to install where that is missing.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from bakeoff._core.errors import MissingDependencyError

_MODULES = ("mlflow", "pytest_plugin", "skore")


def __getattr__(name: str) -> ModuleType:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")


def needed(package: str) -> Any:
    """Import the package that a module of ours is for; an error that says what to install where it is missing."""
    try:
        return importlib.import_module(package)
    except ImportError:
        text = f"{__name__}.{package} needs the package '{package}', which is not installed."
        raise MissingDependencyError(text, hint=f"pip install {package}") from None


def __dir__() -> list[str]:
    return list(_MODULES)
