"""The glossary and the catalogues say the same: a sentence with the English word has the glossary's word for it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs/lectures/glossary.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ")
][1:]
TERMS = ["confusion matrix", "standard error", "rejection region", "critical value", "confidence interval",
         "convex hull", "slope", "threshold", "expected cost"]  # fmt: skip


def words(cell: str) -> list[str]:
    """The terms of a cell, without what stands in brackets."""
    return [word.strip().split(" (")[0] for word in cell.split(",")]


def uses(sentence: str, term: str) -> bool:
    """Whether every word of the term is there, in the singular or the plural."""
    return all(word[:5].lower() in sentence.lower() for word in term.split() if len(word) > 2)


@pytest.mark.parametrize("term", TERMS)
@pytest.mark.parametrize(("column", "lang"), [(1, "es"), (2, "pt")])
def test_a_sentence_uses_the_word_of_the_glossary(term: str, column: int, lang: str) -> None:
    catalogue = json.loads((ROOT / f"src/bakeoff/_core/locales/{lang}.json").read_text(encoding="utf-8"))
    row = next(row for row in ROWS if term in words(row[0]))
    place = words(row[0]).index(term)
    allowed = words(row[column]) if len(words(row[0])) == 1 else [words(row[column])[place]]
    about = re.compile(rf"\b{term}s?\b", re.IGNORECASE)
    sentences = [said for key, said in catalogue.items() if about.search(re.sub(r"\{.*?\}", "", key))]
    assert sentences
    assert [said for said in sentences if not any(uses(said, word) for word in allowed)] == []
