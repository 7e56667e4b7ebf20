"""Where people work: verdicts as pytest assertions, in MLflow runs, and as checks of skore reports.

Each module imports its package when it is used, and says what to install where that is missing.
"""

from __future__ import annotations

import importlib
from types import ModuleType

_MODULES = ("mlflow", "pytest_plugin", "skore")


def __getattr__(name: str) -> ModuleType:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return list(_MODULES)
