"""Plain English: the words that CONTRIBUTING lists as house metaphors do not come back into what users read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Those that are never right here; whether "said" or "judge" is depends on the sentence.
METAPHOR = re.compile(r"\b(rooms?|doors?|dealt|mend(?:s|ed|ing)?|dear|beliefs?|beside)\b", re.IGNORECASE)
PAGES = [
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in page.parts),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "MAINTENANCE.md") if (ROOT / name).exists()),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_pages_are_in_plain_english(page: Path) -> None:
    lines = enumerate(page.read_text(encoding="utf-8").splitlines(), start=1)
    assert [(number, line) for number, line in lines if METAPHOR.search(line)] == []
