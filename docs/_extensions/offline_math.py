"""Formulas as MathML, made by docutils when the guide is built: no script and no network are needed to read them."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

logger = logging.getLogger(__name__)

_SIZES = re.compile(r"\\[bB]igg?[lrm]?(?![a-zA-Z])")  # MathML sizes brackets by itself
_BARE_FRACTION = re.compile(r"\\([td]?frac)\s*([0-9a-zA-Z])\s*([0-9a-zA-Z])")  # \frac12
# Names such as TP and FPR are one word, not a product of letters; what stands in \text{…} and its like is left alone.
_NAMES = re.compile(
    r"\\(?:text|mathrm|mathit|mathtt|texttt|operatorname|begin|end)\{[^}]*\}"
    r"|(?<![a-zA-Z\\])[A-Z]{2,}(?![a-zA-Z])"
)
_TYPEWRITER = re.compile(r"\\texttt(?![a-zA-Z])")


def mathml(tex: str, *, block: bool = False) -> str:
    """Write a LaTeX formula as MathML."""
    tex = tex.replace("…", r"\ldots ").replace("−", "-")
    tex = _TYPEWRITER.sub(r"\\mathtt", _BARE_FRACTION.sub(r"\\\1{\2}{\3}", _SIZES.sub("", tex.strip())))
    tex = _NAMES.sub(lambda m: m[0] if m[0].startswith("\\") else rf"\mathrm{{{m[0]}}}", tex)
    if block and "\\\\" in tex and "\\begin" not in tex:
        tex = f"\\begin{{aligned}}{tex}\\end{{aligned}}"
    written: str = tex2mathml(tex, as_block=block)
    return written


def _visit(translator: Any, node: Any, block: bool) -> None:
    try:
        text = mathml(node.astext(), block=block)
    except MathError as problem:
        logger.warning("formula not understood: %s (%s)", node.astext(), problem, location=node)
        text = f"<code>{translator.encode(node.astext())}</code>"
    translator.body.append(f'<div class="math">{text}</div>\n' if block else text)
    raise nodes.SkipNode


def visit_inline(translator: Any, node: nodes.math) -> None:
    """Write a formula in a line."""
    _visit(translator, node, block=False)


def visit_block(translator: Any, node: nodes.math_block) -> None:
    """Write a displayed formula."""
    _visit(translator, node, block=True)


def setup(app: Any) -> dict[str, bool]:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
