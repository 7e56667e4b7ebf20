"""Every public name has an example in its docstring; the test run executes them (``--doctest-modules``)."""

from __future__ import annotations

import importlib
import inspect
import types
from pathlib import Path
from typing import Any

import pytest

ROOMS = (
    "bakeoff", "bakeoff.evidence", "bakeoff.measures", "bakeoff.intervals", "bakeoff.comparison", "bakeoff.decision",
    "bakeoff.figures", "bakeoff.figures.displays", "bakeoff.protocols", "bakeoff.learners", "bakeoff.runner",
    "bakeoff.evidence.readers", "bakeoff.report", "bakeoff.stats", "bakeoff.stats.resample", "bakeoff.app",
)  # fmt: skip
# The constructors and questions of the contract's nouns, promises as much as the nouns are.
METHODS = (
    "Predictions.from_arrays", "Predictions.from_frame", "Predictions.read", "Predictions.from_outcomes",
    "Predictions.scores", "Predictions.select",
    "Scores.from_wide", "Scores.from_frame", "Scores.from_cv_results", "Scores.wide",
    "Measure.from_function", "Measure.from_scorer", "Measure.as_scorer",
    "OperatingContext.expected_cost", "OperatingContext.multiclass",
    "Comparison.pair",
    "RocHull.best", "RocHull.ranges", "CostCurve.at", "CostCurve.difference",
    "Experiment.run", "Experiment.plan", "Experiment.from_toml",
    "Results.open", "Results.predictions", "Results.scores", "Results.evaluate", "Results.compare",
    "Report.save",
)  # fmt: skip
# These start a server, or need a package that is no dependency of ours: their examples are shown, not run.
NOT_RUN = {"create_app", "serve", "log_mlflow"}


def public_names() -> dict[str, Any]:
    """Every class and function in an ``__all__``, once, by its full name."""
    found: dict[int, tuple[str, Any]] = {}
    for room in ROOMS:
        module = importlib.import_module(room)
        for name in module.__all__:
            thing = getattr(module, name)
            if isinstance(thing, type) and issubclass(thing, BaseException):
                continue  # an error explains itself by its message, where it is raised
            if not isinstance(thing, types.ModuleType) and callable(thing):
                found.setdefault(id(thing), (f"{room}.{name}", thing))
    return dict(found.values())


NAMES = public_names()


@pytest.mark.parametrize("name", list(NAMES))
def test_has_an_example(name):
    text = NAMES[name].__doc__ or ""
    assert ">>>" in text, f"{name} has no example in its docstring"
    if name.rpartition(".")[2] not in NOT_RUN:
        assert "+SKIP" not in text, f"the example of {name} is not run"


@pytest.mark.parametrize("name", METHODS)
def test_methods_of_the_contract_have_an_example(name):
    import bakeoff

    owner, _, method = name.partition(".")
    text = inspect.getdoc(getattr(getattr(bakeoff, owner), method)) or ""
    assert ">>>" in text, f"{name} has no example in its docstring"


def test_every_public_package_is_walked():
    source = Path(importlib.import_module("bakeoff").__file__).parent
    packages = {".".join(("bakeoff", *p.parent.relative_to(source).parts)) for p in source.rglob("__init__.py")}
    private = {p for p in packages if any(part.startswith("_") for part in p.split("."))} | {"bakeoff.cli"}
    assert packages - private <= set(ROOMS)


def test_the_test_run_executes_examples():
    settings = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert "--doctest-modules" in settings
    assert 'testpaths = ["tests", "src"]' in settings
