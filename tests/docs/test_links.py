"""Links of the guide: pages, headings and files that are linked to exist; DOIs have the form of DOIs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [p for p in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in p.parts]
LINK = re.compile(r"\]\(<?([^)\s>]+(?:\([^)\s]*\)[^)\s>]*)?)>?\)")
pytestmark = pytest.mark.skipif(not PAGES, reason="the guide is not part of this installation")


def prose(page: Path) -> str:
    """The text without code."""
    text = re.sub(r"^(```+|~~~+).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]+`", "", text)


def anchors(page: Path) -> set[str]:
    """Anchors of a page: headings as MyST writes them, and targets ``(name)=``."""
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#{1,3} +(.+?)\s*$", text, flags=re.MULTILINE)
    slugs = {re.sub(r"[^\w\u4e00-\u9fff\- ]", "", h.strip().lower()).replace(" ", "-") for h in headings}
    return slugs | set(re.findall(r"^\(([\w-]+)\)=", text, flags=re.MULTILINE))


def links(page: Path) -> list[str]:
    return LINK.findall(prose(page))


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda p: str(p.relative_to(ROOT)))
def test_links_inside_lead_somewhere(page):
    targets = {
        t for p in PAGES for t in re.findall(r"^\(([\w-]+)\)=", p.read_text(encoding="utf-8"), flags=re.MULTILINE)
    }
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        if path in targets:
            continue
        place = (page.parent / path).resolve() if path else page
        assert place.exists(), f"{link} leads nowhere"
        if anchor and place.suffix == ".md":
            assert anchor in anchors(place), f"{place.name} has no heading {anchor!r}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_outside_are_https_and_dois_have_their_form(page):
    for link in links(page):
        if not re.match(r"[a-z]+:", link):
            continue
        assert link.startswith("https://"), link
        if "doi.org/" in link:
            assert re.fullmatch(r"https://doi\.org/10\.\d{4,9}/\S+", link), link
