"""A type checker sees the real signature of every public name."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bakeoff

ROOT = Path(__file__).parents[2]
LEARNERS = (
    "make_cost_scorer",
    "oversample_pipeline",
    "smote_pipeline",
    "smote_wilson_pipeline",
    "undersample_pipeline",
)
NAMES = [*(f"bakeoff.{name}" for name in bakeoff.__all__), *(f"bakeoff.learners.{name}" for name in LEARNERS)]


@pytest.fixture(scope="module")
def revealed(tmp_path_factory) -> dict[str, str]:
    """What mypy says that each name is."""
    pytest.importorskip("mypy")
    folder = tmp_path_factory.mktemp("types")
    script = folder / "names.py"
    script.write_text("\n".join(["import bakeoff", "import bakeoff.learners", *(f"reveal_type({n})" for n in NAMES)]))
    # Function bodies of what is imported are not checked here (silent): `make check` does that.
    options = ["--cache-dir", str(folder / "cache"), "--follow-imports", "silent", "--config-file", "pyproject.toml"]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *options, str(script)],
        cwd=ROOT,
        env={"MYPYPATH": str(Path(bakeoff.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ": error: " not in run.stdout, run.stdout
    lines = dict(re.findall(r'names\.py:(\d+): note: Revealed type is "(.*)"', run.stdout))
    return {name: lines[str(number)] for number, name in enumerate(NAMES, start=3)}


# What NumPy says of its own arrays and numbers, and functions whose arguments depend on the form of the counts.
NUMPY = re.compile(r"numpy\.ndarray\[(builtins\.)?tuple\[Any, \.\.\.\]|integer\[Any\]|dtype\[Any\]|\*Any, \*\*Any")


@pytest.mark.parametrize("name", NAMES)
def test_type_of_a_public_name_is_known(revealed, name):
    kind = NUMPY.sub("", revealed[name])
    assert "Any" not in kind, kind
    if callable(getattr(bakeoff, name.removeprefix("bakeoff."), None)):
        assert kind.startswith(("def ", "Overload(")), kind


LAZY = ("bakeoff", "bakeoff.runner", "bakeoff.evidence.readers")


@pytest.mark.parametrize("package", LAZY)
def test_names_of_the_type_checker_are_those_of_the_program(package):
    """Two lists stand in the file: one for type checkers, one of what is imported on first use."""
    module = importlib.import_module(package)
    literals = [
        ast.literal_eval(node.value)
        for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__"
    ]
    assert [sorted(names) for names in literals] == [module.__all__]


@pytest.mark.parametrize("stub", sorted(Path(bakeoff.__file__).parent.rglob("*.pyi")), ids=lambda p: p.parent.name)
def test_a_stub_names_what_there_is_for_export(stub):
    """One list for both: each line exports a name, which is there at run time and listed."""
    package = importlib.import_module(".".join(stub.parent.relative_to(Path(bakeoff.__file__).parents[1]).parts))
    lines = stub.read_text(encoding="utf-8").splitlines()
    names = [re.fullmatch(r"from bakeoff\.[\w.]+ import (\w+) as \1", line)[1] for line in lines]
    assert package.__all__ == sorted(set(names))
    assert all(hasattr(package, name) for name in names)
