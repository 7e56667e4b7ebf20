"""Notebooks and slides are made from the pages of the lectures: every cell is there, and what it answered."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import matplotlib.pyplot as plt
import pytest

DOCS = Path(__file__).parents[2] / "docs"


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("teaching", DOCS / "teaching.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["teaching"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def teaching() -> ModuleType:
    return loaded()


PAGES = loaded().PAGES
PAGE = """---
file_format: mystnb
---

# Clase

Una fórmula, $p < 1$, y 5 $ sueltos.

```{code-cell} python
from bakeoff import set_language, stats

set_language("es")
w = stats.wilcoxon([0.1, 0.2, -0.05, 0.3, 0.4, 0.25])
w.plot()
print("R+ =", w.r_plus)
w.steps()
```

## Ejercicio

:::{admonition} Observación: uno
:class: warning
Un desliz.
:::

```{raw} html
<form class="exercise"></form>
```

```{code-cell} python
:tags: [hide-cell]

w.statistic
```
"""


class _Sections(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.n = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.n += tag == "section"
        self.open += [] if tag in ("meta", "img", "br", "hr", "link", "input") else [tag]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_becomes_a_notebook_with_its_answers(teaching: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "clase.md").write_text(PAGE, encoding="utf-8")
    somebody_elses = plt.figure()
    book, deck = teaching.build(tmp_path / "clase.md", tmp_path / "made")
    made = json.loads(book.read_text(encoding="utf-8"))
    assert [cell["cell_type"] for cell in made["cells"]] == ["markdown", "code", "markdown", "code"]
    assert "".join(made["cells"][2]["source"]).startswith("## Ejercicio\n\n> **Observación: uno**")
    printed, working, drawn = made["cells"][1]["outputs"]
    assert printed["text"] == ["R+ = 20.0\n"]
    assert "Sumas de rangos" in working["data"]["text/html"]
    assert set(drawn["data"]) >= {"image/png"}
    assert plt.fignum_exists(somebody_elses.number)
    plt.close(somebody_elses)
    assert made["cells"][3]["metadata"]["jupyter"]["source_hidden"]
    text = deck.read_text(encoding="utf-8")
    reader = _Sections()
    reader.feed(text)
    assert reader.open == []
    assert reader.n == 2  # one for each heading
    assert "<summary>Solución</summary>" in text
    assert 'class="exercise"' not in text
    assert not re.search(r"(?:src|href)=\"https?:", text)  # it needs no network


@pytest.mark.parametrize("name", PAGES)
def test_every_cell_of_a_page_is_taken(teaching: ModuleType, name: str) -> None:
    page = (DOCS / "lectures" / f"{name}.md").read_text(encoding="utf-8")
    cells = teaching.cells_of(page)
    code = [cell for cell in cells if cell.kind == "code"]
    assert len(code) == page.count("```{code-cell}")
    for cell in code:
        ast.parse(cell.text)
    prose = "\n".join(cell.text for cell in cells if cell.kind == "markdown")
    assert ":::" not in prose
    assert prose.count("**Observación") + prose.count("**Observação") >= page.count("{admonition} Observa")


@pytest.mark.parametrize("name", [p for p in PAGES if p != "exercises"])
def test_a_lecture_has_figures_and_steps(teaching: ModuleType, name: str) -> None:
    """No hand computation where the product shows its working, and pictures that the product draws."""
    code = [
        c.text for c in teaching.cells_of((DOCS / "lectures" / f"{name}.md").read_text("utf-8")) if c.kind == "code"
    ]
    assert sum(text.count(".plot(") for text in code) >= 3
    assert sum(text.count(".steps(") for text in code) >= 2
    assert "rankdata(np.abs(d))" not in "".join(code)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_a_page_runs_whole(teaching: ModuleType, name: str, tmp_path: Path) -> None:
    book, deck = teaching.build(DOCS / "lectures" / f"{name}.md", tmp_path)
    assert json.loads(book.read_text(encoding="utf-8"))["cells"]
    assert deck.stat().st_size > 20_000
