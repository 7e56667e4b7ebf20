"""The exercises of the lectures: the answer that is checked is the product's own, and no slip is taken for it."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parents[2] / "docs/lectures/exercises.md").read_text(encoding="utf-8")
SETUP, *EXERCISES = PAGE.split("\n## ")


def cells(text: str) -> list[str]:
    """The code of a piece of the page."""
    return re.findall(r"```\{code-cell\} python\n(?::tags: .*\n\n)?(.*?)```", text, flags=re.DOTALL)


def asked(text: str) -> dict[str, str]:
    """What the form of an exercise holds."""
    return {name: unescape(value) for name, value in re.findall(r'data-(\w+)="([^"]*)"', text)}


@pytest.mark.parametrize("text", EXERCISES, ids=lambda text: text.splitlines()[0])
def test_the_answer_is_the_products(text: str) -> None:
    names: dict[str, Any] = {}
    for cell in (*cells(SETUP), *cells(text)):
        exec(cell, names)
    form = asked(text)
    tolerance = float(form["tolerance"])
    assert names["answer"] == pytest.approx(float(form["answer"]), abs=tolerance)
    for slip in json.loads(form["slips"]):
        assert abs(float(slip) - names["answer"]) > 2 * tolerance
