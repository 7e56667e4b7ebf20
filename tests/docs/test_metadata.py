"""Versions agree wherever they are written; forms and citation are well formed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import bakeoff

ROOT = Path(__file__).parents[2]


def test_one_version_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert cited is not None
    assert project == bakeoff.__version__ == cited[1]


def test_citation_has_what_the_schema_requires():
    yaml = pytest.importorskip("yaml", reason="PyYAML comes with some development tools only")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    for reference in citation["references"]:
        assert {"type", "title", "authors"} <= set(reference)


@pytest.mark.parametrize("name", ["wrong-number", "bug", "request"])
def test_issue_forms_have_distinct_fields(name):
    yaml = pytest.importorskip("yaml", reason="PyYAML comes with some development tools only")
    form = yaml.safe_load((ROOT / f".github/ISSUE_TEMPLATE/{name}.yml").read_text())
    assert {"name", "description", "body"} <= set(form)
    fields = [part["id"] for part in form["body"]]
    assert len(fields) == len(set(fields)) >= 3
