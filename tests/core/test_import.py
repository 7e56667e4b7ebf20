"""`import bakeoff` stays light, and the public names are as promised."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "pandas",
    "matplotlib",
    "sklearn",
    "polars",
    "scipy",
    "narwhals",
    "starlette",
    "typer",
    "rich",
    "pyarrow",
    "dask",
)


def modules_loaded_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def loaded_by(statement: str) -> set[str]:
    return {name.partition(".")[0] for name in modules_loaded_by(statement)}


def test_import_pulls_in_no_heavy_module():
    assert loaded_by("import bakeoff").isdisjoint(HEAVY)


def test_import_of_the_statistics_is_as_light():
    assert loaded_by("import bakeoff.stats").isdisjoint(HEAVY)


def test_help_on_the_command_line_imports_no_arrays():
    assert loaded_by("import bakeoff.cli._app").isdisjoint({*HEAVY, "numpy"} - {"typer", "rich"})


def test_asking_evidence_for_scores_imports_the_measures():
    code = "from bakeoff.evidence import Predictions; Predictions.from_arrays([0, 1], y_pred={'a': [0, 1]})"
    assert "bakeoff.measures" not in modules_loaded_by(code)
    assert "bakeoff.measures" in modules_loaded_by(code + ".scores('accuracy')")


def test_every_public_name_resolves():
    import bakeoff

    for name in bakeoff.__all__:
        assert getattr(bakeoff, name) is not None or name == "", name


def test_unknown_name_is_an_attribute_error():
    import pytest

    import bakeoff

    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        bakeoff.nonsense
