"""The GitHub Actions step of docs/in-ci.md, run as the runner would: exit status and summary."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "in-ci.md"


def step() -> str:
    """The shell lines of the step named Gate."""
    (found,) = re.findall(r"- name: Gate\n +run: \|\n((?: {10,}.*\n)+)", PAGE.read_text(encoding="utf-8"))
    return textwrap.dedent(found)


def run(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run lines in bash -e, as GitHub does, with `bakeoff` on the path."""
    (folder / "bakeoff").write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -c "import sys; from bakeoff.cli import main; sys.exit(main())" "$@"\n'
    )
    (folder / "bakeoff").chmod(0o755)
    place = {"PATH": f"{folder}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    environment = {**os.environ, **place, "BAKEOFF_LANG": "en"}
    return subprocess.run(
        ["bash", "-e", "-c", script], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )


def write_predictions(folder: Path, lift: float, columns: tuple[str, str] = ("old", "new")) -> None:
    rng = np.random.default_rng(3)
    truth = rng.random(800) < 0.4
    old = rng.normal(1.5 * truth)
    new = old + rng.normal(lift * truth, 0.1)
    rows = [f"{'yes' if t else 'no'},{a:.5f},{b:.5f}" for t, a, b in zip(truth, old, new, strict=True)]
    (folder / "preds.csv").write_text("\n".join([f"y,{columns[0]},{columns[1]}", *rows]) + "\n")


@pytest.mark.parametrize(("lift", "status", "word"), [(0.3, 0, "PASSED"), (-0.6, 1, "FAILED")])
def test_the_step_passes_and_fails_with_the_gate(tmp_path, lift, status, word):
    write_predictions(tmp_path, lift)
    done = run(tmp_path, step())
    assert done.returncode == status, done.stderr
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert summary.startswith(f"### {word}")
    assert summary.strip() == done.stdout.strip()
    run(tmp_path, step().replace("--markdown", "--markdown page.md"))
    assert (tmp_path / "page.md").read_text(encoding="utf-8").strip() == summary.strip()
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").count("###") == 2


def test_a_missing_column_is_bad_input(tmp_path):
    write_predictions(tmp_path, 0.3, columns=("old", "newer"))
    done = run(tmp_path, step())
    assert done.returncode == 2
    assert "new" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_json_has_what_the_page_says(tmp_path):
    write_predictions(tmp_path, 0.3)
    told = json.loads(run(tmp_path, step().replace("--markdown", "--json")).stdout)
    table = PAGE.read_text(encoding="utf-8").split("## For machines")[1].split("## What to gate on")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert set(re.findall(r"`(\w+)`", " ".join(rows))) == set(told)
    assert told["passed"] is True
