"""Hooks: questions that a lower package asks and a higher one answers, without an import that points upward."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_providers: dict[str, str] = {}


class Hook(Generic[P, R]):
    """A function declared in one package and filled in by a package above it, when that is imported.

    The package above may not have been imported yet when the hook is first called. Which one it is, is known by the
    front package alone (`set_providers`): it is imported before any other and may know them all. So neither the package
    that asks nor this module names a higher package.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._answer: Callable[P, R] | None = None

    def fill(self, answer: Callable[P, R]) -> None:
        """Answer the question from now on."""
        self._answer = answer

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Ask; on the first call the package that answers is imported, if it was not."""
        if self._answer is None:
            importlib.import_module(_providers[self.name])
        if self._answer is None:
            raise RuntimeError(f"{_providers[self.name]} was imported and did not fill the hook {self.name!r}.")
        return self._answer(*args, **kwargs)


def set_providers(providers: Mapping[str, str]) -> None:
    """Name the package that fills each hook."""
    _providers.update(providers)
