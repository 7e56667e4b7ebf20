"""Notebooks and slides of the lectures, from the same pages as the guide: `make lectures`.

The pages are MyST Markdown. Their cells are run here, in one process, without Jupyter; the notebooks hold the outputs
and can be run again anywhere. The slides are one HTML file each, which needs no network: arrow keys turn them.
"""

from __future__ import annotations

import argparse
import ast
import base64
import html
import io
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGES = (
    "evaluacion-de-modelos", "intervalos-y-bootstrap", "comparacion-de-modelos", "comparacao-de-classificadores",
    "costes-y-desbalanceo", "exercises",
)  # fmt: skip
_MARK = re.compile(r"^(```+|:::+)\{([\w-]+)\} ?(.*)$")


@dataclass
class Cell:
    """A piece of a page: Markdown, code, or HTML that only a page with scripts can use."""

    kind: str
    text: str
    tags: tuple[str, ...] = ()
    outputs: list[dict[str, str]] = field(default_factory=list)


# -- reading a page ------------------------------------------------------------


def cells_of(page: str) -> list[Cell]:
    """Cut a page into cells; admonitions become quotations, forms are left to the page."""
    lines = iter(re.sub(r"\A---\n.*?\n---\n", "", page, flags=re.DOTALL).splitlines())
    found: list[Cell] = []
    prose: list[str] = []

    def close() -> None:
        if text := "\n".join(prose).strip():
            found.append(Cell("markdown", text))
        prose.clear()

    for line in lines:
        mark = _MARK.match(line)
        if mark is None:
            if line.startswith("#"):
                close()
            prose.append(line)
            continue
        fence, name, title = mark.groups()
        tags, body = _inside(lines, fence)
        if name == "code-cell":
            close()
            found.append(Cell("code", body, tags))
        elif name == "admonition":
            prose += [f"> **{title}**", ">", *(f"> {part}".rstrip() for part in body.splitlines()), ""]
        elif name == "raw":
            close()
            found.append(Cell("form", body))
    close()
    return found


def _inside(lines: Iterator[str], fence: str) -> tuple[tuple[str, ...], str]:
    """Options and body of a directive, up to its closing fence."""
    body: list[str] = []
    tags: tuple[str, ...] = ()
    for line in lines:
        if line.rstrip() == fence:
            break
        if not body and (option := re.match(r":(\w+): *(.*)$", line)):
            if option[1] == "tags":
                tags = tuple(re.findall(r"[\w-]+", option[2]))
            continue
        body.append(line)
    return tags, "\n".join(body).strip("\n")


# -- running its cells ------------------------------------------------------------


def run(cells: Iterable[Cell], folder: Path) -> None:
    """Run the code cells in order, as a notebook would, and keep what they print, return and draw."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    import bakeoff

    names: dict[str, Any] = {"__name__": "__lecture__"}
    try:
        with chdir(folder):
            for cell in cells:
                if cell.kind == "code":
                    cell.outputs = _outputs(cell.text, names, plt)
    finally:
        bakeoff.set_language("en")  # a page sets its own


def _outputs(code: str, names: dict[str, Any], plt: Any) -> list[dict[str, str]]:
    tree = ast.parse(code)
    last = tree.body[-1] if tree.body else None
    shown = isinstance(last, ast.Expr) and not code.rstrip().endswith(";")
    body = tree.body[:-1] if shown else tree.body
    said = io.StringIO()
    value = None
    before = set(plt.get_fignums())  # figures of somebody else, who shares the process
    with redirect_stdout(said):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
        if shown and isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    found: list[dict[str, str]] = []
    if said.getvalue():
        found.append({"stream": said.getvalue()})
    if value is not None:
        rich = value._repr_html_() if hasattr(value, "_repr_html_") else None
        found.append({"text/plain": repr(value), **({} if rich is None else {"text/html": rich})})
    for number in sorted(set(plt.get_fignums()) - before):
        picture = io.BytesIO()
        plt.figure(number).savefig(picture, dpi=110)
        plt.close(number)
        found.append({"text/plain": "figure", "image/png": base64.b64encode(picture.getvalue()).decode()})
    return found


# -- notebooks ------------------------------------------------------------


def notebook(cells: Iterable[Cell]) -> dict[str, Any]:
    """The cells as a notebook, version 4.5."""
    made = [_notebook_cell(cell, number) for number, cell in enumerate(cells) if cell.kind != "form"]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _notebook_cell(cell: Cell, number: int) -> dict[str, Any]:
    source = cell.text.splitlines(keepends=True)
    hidden = {"jupyter": {"source_hidden": True, "outputs_hidden": True}} if "hide-cell" in cell.tags else {}
    made = {"id": f"cell-{number}", "cell_type": cell.kind, "metadata": {"tags": list(cell.tags), **hidden}}
    if cell.kind == "markdown":
        return {**made, "source": source}
    outputs = [_notebook_output(output) for output in cell.outputs]
    return {**made, "source": source, "outputs": outputs, "execution_count": None}


def _notebook_output(output: dict[str, str]) -> dict[str, Any]:
    if "stream" in output:
        return {"output_type": "stream", "name": "stdout", "text": output["stream"].splitlines(keepends=True)}
    return {"output_type": "display_data", "data": dict(output), "metadata": {}}


# -- slides ------------------------------------------------------------

_STYLE = """
body{margin:0;font:1.25rem/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff}
section{display:none;box-sizing:border-box;min-height:100vh;max-width:62rem;margin:auto;padding:2.5rem 2rem 4rem}
section.on{display:block}
h1,h2,h3{line-height:1.2;color:#00527a}
pre{background:#f3f4f6;border-radius:6px;padding:.7rem 1rem;overflow:auto;font-size:.85rem;
line-height:1.4;white-space:pre-wrap}
pre.out{background:#fff;border-left:3px solid #0072b2;border-radius:0}
blockquote{margin:1rem 0;padding:.2rem 1rem;border-left:4px solid #d55e00;background:#fff6ee}
img{max-width:100%;max-height:62vh}
table{border-collapse:collapse}td,th{padding:.15rem .6rem;text-align:left}
iframe{width:100%;height:70vh;border:1px solid #ccc}
details{margin:1rem 0}summary{cursor:pointer;color:#00527a}
nav{position:fixed;right:1rem;bottom:.6rem;font-size:.9rem;color:#555}
nav button{font-size:1.1rem;margin:0 .2rem}
.out{overflow-x:auto}
@media print{section{display:block;min-height:0;page-break-after:always}nav{display:none}}
"""
_SCRIPT = """
const all=[...document.querySelectorAll("section")];
const go=(n)=>{const i=Math.min(all.length-1,Math.max(0,n));all.forEach((s,j)=>s.classList.toggle("on",i===j));
document.getElementById("n").textContent=`${i+1} / ${all.length}`;
history.replaceState(null,"",`#${i+1}`);scrollTo(0,0);};
const now=()=>all.findIndex((s)=>s.classList.contains("on"));
addEventListener("keydown",(e)=>{if(e.target.closest("input,iframe"))return;
const step={ArrowRight:1,PageDown:1,ArrowLeft:-1,PageUp:-1}[e.key];if(step){e.preventDefault();go(now()+step);}});
document.getElementById("back").onclick=()=>go(now()-1);document.getElementById("next").onclick=()=>go(now()+1);
addEventListener("hashchange",()=>go(Number(location.hash.slice(1))-1));
go((Number(location.hash.slice(1))||1)-1);
"""


def slides(cells: Iterable[Cell], language: str = "es") -> str:
    """The cells as slides: one for each heading, and one more for each cell of code that follows."""
    kept = [cell for cell in cells if cell.kind != "form"]
    groups: list[list[Cell]] = []
    for cell in kept:
        full = bool(groups) and any(c.kind == "code" for c in groups[-1])
        if (
            not groups
            or (cell.kind == "markdown" and (cell.text.startswith("#") or full))
            or (cell.kind == "code" and full)
        ):
            groups.append([])
        groups[-1].append(cell)
    title = re.sub(r"^#+ *", "", next((c.text for c in kept if c.text.startswith("# ")), "bakeoff").splitlines()[0])
    words = {"pt": ("slide anterior", "slide seguinte", "Solução")}.get(
        language, ("diapositiva anterior", "siguiente", "Solución")
    )
    body = "\n".join(f"<section>{''.join(_slide_part(cell, words[2]) for cell in group)}</section>" for group in groups)
    turn = f'<button id="back" aria-label="{words[0]}">←</button><button id="next" aria-label="{words[1]}">→</button>'
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{html.escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body><main>{body}</main>"
        f'<nav><span id="n"></span> {turn}</nav><script>{_SCRIPT}</script></body></html>\n'
    )


def _slide_part(cell: Cell, solution: str) -> str:
    if cell.kind == "markdown":
        return _markdown(cell.text)
    code = "" if "remove-input" in cell.tags else f"<pre><code>{html.escape(cell.text)}</code></pre>"
    made = code + "".join(map(_slide_output, cell.outputs))
    return f"<details><summary>{solution}</summary>{made}</details>" if "hide-cell" in cell.tags else made


def _slide_output(output: dict[str, str]) -> str:
    if "stream" in output:
        return f'<pre class="out">{html.escape(output["stream"].rstrip())}</pre>'
    if "image/png" in output:
        return f'<p><img alt="" src="data:image/png;base64,{output["image/png"]}"></p>'
    if "text/html" in output:
        return f'<div class="out">{output["text/html"]}</div>'
    return f'<pre class="out">{html.escape(output["text/plain"])}</pre>'


def _markdown(text: str) -> str:
    from markdown_it import MarkdownIt

    formulas: list[str] = []

    def keep(found: re.Match[str]) -> str:
        formulas.append(_formula(found[2], block=found[1] == "$$"))
        return f"\x02{len(formulas) - 1}\x03"

    bare = re.sub(r"(\$\$?)(?! )(.+?)(?<! )\1", keep, text, flags=re.DOTALL)
    made = MarkdownIt("commonmark").enable("table").render(bare)
    made = re.sub("\x02(\\d+)\x03", lambda found: formulas[int(found[1])], made)
    return re.sub(r'href="[^"]*?([\w-]+)\.md"', r'href="\1.html"', made)


def _formula(tex: str, *, block: bool) -> str:
    """MathML where docutils is installed (extra ``docs``), else the formula as it is typed."""
    sys.path.insert(0, str(HERE / "_extensions"))
    try:
        from offline_math import mathml

        return str(mathml(tex, block=block))
    except ImportError:
        return f"<code>{html.escape(tex)}</code>"
    finally:
        sys.path.pop(0)


# -- all of it ------------------------------------------------------------


def build(page: Path, folder: Path) -> tuple[Path, Path]:
    """Run a page, and write its notebook and its slides."""
    cells = cells_of(page.read_text(encoding="utf-8"))
    run(cells, page.parent)
    folder.mkdir(parents=True, exist_ok=True)
    book, deck = folder / f"{page.stem}.ipynb", folder / f"{page.stem}.html"
    book.write_text(json.dumps(notebook(cells), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    deck.write_text(slides(cells, "pt" if page.stem.startswith("comparacao") else "es"), encoding="utf-8")
    return book, deck


def main(arguments: list[str] | None = None) -> None:
    """Build the pages named, by default all."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("pages", nargs="*", default=list(PAGES))
    asked.add_argument("--out", type=Path, default=HERE / "_build" / "lectures")
    given = asked.parse_args(arguments)
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    for name in given.pages:
        for made in build(HERE / "lectures" / f"{name}.md", given.out.resolve()):
            print(made)


if __name__ == "__main__":
    main()
