"""`import bakeoff` stays light, and the public doors are as promised."""

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


def loaded_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(' '.join(m.partition('.')[0] for m in sys.modules))"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_import_pulls_in_no_heavy_module():
    assert loaded_by("import bakeoff").isdisjoint(HEAVY)


def test_import_of_the_statistics_is_as_light():
    assert loaded_by("import bakeoff.stats").isdisjoint(HEAVY)


def test_every_public_name_resolves():
    import bakeoff

    for name in bakeoff.__all__:
        assert getattr(bakeoff, name) is not None or name == "", name


def test_unknown_name_is_an_attribute_error():
    import pytest

    import bakeoff

    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        bakeoff.nonsense
