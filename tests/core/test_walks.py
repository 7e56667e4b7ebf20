"""A call of a verb can be followed: it does not lead through more files than a reader can hold."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@cache
def walks() -> dict[str, list[str]]:
    """Files entered by each call, traced in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.walks", "--json"]
    return json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)


# A report decides too, in every context: it enters the files of `decide` and those of its card.
@pytest.mark.parametrize(("call", "most"), [("evaluate", 17), ("compare", 21), ("decide", 20), ("report", 75)])
def test_a_call_enters_few_files(call, most):
    files = walks()[call]
    assert len(files) <= most, files


def test_the_report_of_a_store_is_traced_too():
    assert 75 < len(walks()["report-store"]) <= 113


def test_no_place_probes_the_optional_parts_of_a_measure():
    """A measure is asked what it can do (`has_gradient`, `is_area`), never for its name or whether a part is None."""
    command = [sys.executable, "-m", "benchmarks.house", "--json"]
    counts = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)["counts"]
    assert counts["measure.name compared"] == 0
    assert counts["measure.<form> is None"] == 0
