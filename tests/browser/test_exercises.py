"""The exercises of the guide check a typed number in a real browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("typed", "said"), [("5,352", "Correcto."), ("6", "sin la corrección"), ("1", "Todavía no"), ("", "Todavía no")]
)
def test_an_answer_is_checked(watched: Any, typed: str, said: str) -> None:
    forms = re.findall(r"<form.*?</form>", (DOCS / "lectures/exercises.md").read_text(encoding="utf-8"), re.DOTALL)
    script = (DOCS / "_static/exercises.js").read_text(encoding="utf-8")
    watched.page.set_content(f"<!doctype html><body>{forms[0]}<script>{script}</script></body>")
    watched.page.fill("input", typed)
    watched.page.press("input", "Enter")
    assert said in watched.page.inner_text("output")
    assert watched.errors == []
