"""The fixture `bakeoff_gate`: passes, fails with the verdict alone, and writes the summary, with workers too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import bakeoff

def outcomes(gained, lost, n=1000):
    old = [i % 5 != 0 for i in range(n)]
    new = list(old)
    for i in [i for i in range(n) if not old[i]][:gained]: new[i] = True
    for i in [i for i in range(n) if old[i]][:lost]: new[i] = False
    return bakeoff.Predictions.from_outcomes({"old": [int(v) for v in old], "new": [int(v) for v in new]})

def test_good(bakeoff_gate):
    found = bakeoff_gate(outcomes(20, 20), baseline="old", candidate="new", margin=0.03)
    assert found.outcome == "passed"

def test_bad(bakeoff_gate):
    bakeoff_gate(outcomes(5, 90), baseline="old", candidate="new", margin=0.03)

def test_other():
    assert True
"""


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_release.py").write_text(TESTS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "bakeoff.integrations.pytest_plugin",
    ]
    environment = {**os.environ, "BAKEOFF_LANG": "en", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [*command, *options, "test_release.py"], cwd=folder, env=environment, capture_output=True, encoding="utf-8",
        check=False,
    )  # fmt: skip


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")])
def test_the_verdict_is_the_message_and_the_summary_has_both(tmp_path, workers) -> None:
    done = run(tmp_path, *workers, "--bakeoff-summary", "summary.md")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 2 passed" in done.stdout
    assert "FAILED: new is worse than old by more than 0.03." in done.stdout
    assert "Traceback" not in done.stdout
    assert "def held" not in done.stdout  # the code of the fixture is no part of the message
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert "## `test_release.py::test_good`\n\n### PASSED: new is not inferior to old" in summary
    assert "### FAILED: new is worse than old" in summary


def test_without_the_option_nothing_is_written(tmp_path) -> None:
    run(tmp_path)
    assert [p.name for p in tmp_path.glob("*.md")] == []
