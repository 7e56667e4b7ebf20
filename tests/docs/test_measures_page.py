"""The page of measures has an entry for every measure of the catalogue: formula, facts, when it misleads, a picture."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bakeoff.measures import catalogue

PAGE = Path(__file__).parents[2] / "docs" / "measures.md"
TEXT = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
pytestmark = pytest.mark.skipif(not TEXT, reason="the guide is not part of this installation")


def entries() -> dict[str, str]:
    """Name of a measure → the text from its heading to the next heading."""
    parts = re.split(r"^\(measure-(\w+)\)=\n", TEXT, flags=re.MULTILINE)
    return {
        name: re.split(r"^## |^\(measures-", body, flags=re.MULTILINE)[0]
        for name, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_the_page_has_the_measures_of_the_catalogue_and_no_others():
    assert sorted(entries()) == sorted(catalogue())


@pytest.mark.parametrize("name", list(catalogue()))
def test_every_entry_has_its_parts(name):
    body = entries()[name]
    assert f"### {name}\n" in body
    assert f"```{{measure-facts}} {name}\n" in body
    assert re.search(r"\$\$.+?\$\$", body, flags=re.DOTALL), "no formula"
    assert "**Misleads**" in body


def test_every_family_has_a_picture():
    families = re.split(r"^\((measures-[\w-]+)\)=\n", TEXT, flags=re.MULTILINE)
    for name, body in zip(families[1::2], families[2::2], strict=True):
        assert "plt.show()" in body, f"{name} has no picture"
        assert "(measure-" in body, f"{name} has no measures"
