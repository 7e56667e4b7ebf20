"""A package imports another through its `__init__` only, and binds late for `plot()` and `report()` only.

The directions of imports are checked by import-linter (`make check`), which sees modules and not names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import bakeoff

SOURCE = Path(bakeoff.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))

LATE = {("bakeoff.figures", "plot"), ("bakeoff.report", "report"), ("bakeoff.steps", "steps_of")}


def imported(tree: ast.AST) -> Iterator[str]:
    """Every name that is imported, with the module it is imported from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def is_private(name: str, own_package: str) -> bool:
    """Tell whether a name is private to another package; `_core` is private to bakeoff, and open to all of it."""
    root, _, rest = name.partition(".")
    package, *inner = rest.split(".")
    return root == "bakeoff" and package != own_package and any(part.startswith("_") for part in inner)


def private_imports(file: Path) -> set[tuple[str, str]]:
    place = file.relative_to(SOURCE)
    own_package = place.parts[0] if len(place.parts) > 1 else ""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {(place.as_posix(), name) for name in imported(tree) if is_private(name, own_package)}


def late_bindings(file: Path) -> set[tuple[str, ...]]:
    calls = (node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))
    late = (call for call in calls if getattr(call.func, "id", "") == "late")
    return {tuple(ast.literal_eval(argument) for argument in call.args) for call in late}


@pytest.fixture(scope="module")
def found() -> set[tuple[str, str]]:
    return set().union(*(private_imports(file) for file in FILES))


def test_no_import_of_what_is_private_to_another_package(found):
    assert sorted(found) == []


def test_late_binding_is_for_plot_report_and_steps():
    assert set().union(*(late_bindings(file) for file in FILES)) <= LATE


@pytest.mark.parametrize(
    ("name", "private"),
    [
        ("bakeoff.stats._kernels.draw", True),
        ("bakeoff.evidence._helper", True),
        ("bakeoff.evidence.Predictions", False),
        ("bakeoff.stats.resample.bootstrap", False),
        ("bakeoff._core.errors.BakeoffError", False),
        ("bakeoff._core.text._width", True),
        ("bakeoff.cli._app.app", False),
        ("numpy._core.x", False),
    ],
)
def test_what_is_private(name, private):
    assert is_private(name, "cli") is private
