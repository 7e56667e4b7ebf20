"""Formulas in one line of text, read once and written as MathML (no network needed) or LaTeX.

The notation is what a person would type: ``t = d̄ / √(s² / n) = 0.02 / √(0.0003 / 5) = 2.582``. A letter followed by
digits, or by ``_`` and a word, has a subscript; ``/`` makes a fraction of what stands left and right of it.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import Any

from bakeoff._core.language import Words, current_language
from bakeoff._core.text import Figure

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:[.,]\d+)?(?:e[+-]?\d+)?)"
    r"|(?P<name>[^\W\d_²³][\u0300-\u036f]*(?:[^\W\d_²³][\u0300-\u036f]*)*)(?P<digits>\d*)(?:_(?P<sub>\w+))?"
    r"|(?P<op>.))"
)
_RAISED = {"²": "2", "³": "3", "⁺": "+", "⁻": "−"}
_CLOSE = {"(": ")", "[": "]", "|": "|"}


class Formula:
    """One or more lines of mathematics with the data's own numbers.

    Examples
    --------
    >>> from bakeoff.steps import Formula
    >>> print(Formula("M = (|{b} − {c}| − 1)² / ({b} + {c}) = {m}", b=25, c=10, m=5.6))
    M = (|25 − 10| − 1)² / (25 + 10) = 5.6
    """

    def __init__(self, template: str, /, **values: Any) -> None:
        self.template, self.values = template, values

    @property
    def lines(self) -> list[str]:
        """The lines as text, numbers with the decimal mark of the active language."""
        made = _Numbers(current_language()).format(self.template, **self.values) if self.values else self.template
        return made.split("\n")

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return f"Formula({str(self)!r})"

    def mathml(self) -> str:
        """Write it as MathML, which browsers show without any script."""
        made = "".join(f'<math display="block">{_mathml(parse(line))}</math>' for line in self.lines)
        return f'<div style="margin:.4em 0;overflow-x:auto">{made}</div>'

    def latex(self) -> str:
        """Write it as LaTeX between double dollars."""
        return "\n".join(f"$$ {_latex(parse(line))} $$" for line in self.lines)


def figure(value: Any) -> Any:
    """Show a number as a hand computation has it; words stay as they are."""
    return Figure(value) if isinstance(value, (int, float)) and not isinstance(value, (bool, Figure)) else value


def three(statistic: float) -> Figure:
    """A statistic to three decimals; a small one to four digits, so that a reader finds the same quotient."""
    return Figure(statistic, None if 0 < abs(statistic) < 1 else 3)


class _Numbers(Words):
    """Fills a formula with numbers as a hand computation has them; ``{statistic!t}`` has three decimals."""

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        """A value by its name, or a field of one: ``{result.statistic}``."""
        found, key = super().get_field(field_name, args, kwargs)
        return figure(found), key

    def convert_field(self, value: Any, conversion: Any) -> Any:
        """A statistic to three decimals, anything else as ever."""
        return three(value) if conversion == "t" else super().convert_field(value, conversion)


@dataclass
class Node:
    """A piece of a formula: its kind, its text where it is a leaf, and its parts."""

    kind: str
    text: str = ""
    parts: list[Node] = field(default_factory=list)


# -- reading ----------------------------------------------------------------------------------------------------------


def parse(line: str) -> Node:
    """Read one line; anything unknown stands as it is."""
    tokens = [match for match in _TOKEN.finditer(line) if match.lastgroup]
    row, _ = _row(tokens, 0, "")
    return row


def _row(tokens: list[re.Match[str]], at: int, closing: str) -> tuple[Node, int]:
    items: list[Node] = []
    while at < len(tokens):
        op = tokens[at]["op"]
        if op and op == closing:
            return Node("row", parts=items), at + 1
        if op == "/" and items and at + 1 < len(tokens):
            below, at = _factor(tokens, at + 1)
            items.append(Node("frac", parts=[_bare(items.pop()), _bare(below)]))
            continue
        item, at = _factor(tokens, at)
        items.append(item)
    return Node("row", parts=items), at


def _factor(tokens: list[re.Match[str]], at: int) -> tuple[Node, int]:
    """A number, a name, a group or a root, with what is raised beside it."""
    token = tokens[at]
    if token["number"]:
        made, at = Node("number", token["number"]), at + 1
    elif token["name"]:
        made, at = _name(token), at + 1
    elif token["op"] in _CLOSE:
        inner, at = _row(tokens, at + 1, _CLOSE[token["op"]])
        made = Node("group", token["op"], [inner])
    elif token["op"] == "√" and at + 1 < len(tokens):
        inner, at = _factor(tokens, at + 1)
        return Node("root", parts=[_bare(inner)]), at
    else:
        return Node("op", token["op"]), at + 1
    while at < len(tokens) and (tokens[at]["op"] in _RAISED or tokens[at]["op"] == "^"):
        raised = tokens[at]["op"]
        if raised == "^":
            above, at = _factor(tokens, at + 1)
            above = _bare(above)
        else:
            sign = _RAISED[raised]
            above, at = Node("number" if sign.isdigit() else "op", sign), at + 1
        made = Node("sup", parts=[made, above])
    return made, at


def _name(token: re.Match[str]) -> Node:
    below = token["sub"] or token["digits"]
    name = Node("name", token["name"])
    return Node("sub", parts=[name, Node("number" if below.isdigit() else "name", below)]) if below else name


def _bare(node: Node) -> Node:
    """Brackets that a fraction bar or a root makes needless."""
    return node.parts[0] if node.kind == "group" and node.text == "(" else node


# -- writing ----------------------------------------------------------------------------------------------------------


def _mathml(node: Node) -> str:
    parts = [_mathml(part) for part in node.parts]
    if node.kind in ("number", "name", "op"):
        tag = {"number": "mn", "name": "mi", "op": "mo"}[node.kind]
        return f"<{tag}>{html.escape(node.text)}</{tag}>"
    if node.kind == "group":
        return f"<mrow><mo>{node.text}</mo>{parts[0]}<mo>{_CLOSE[node.text]}</mo></mrow>"
    tag = {"row": "mrow", "frac": "mfrac", "sup": "msup", "sub": "msub", "root": "msqrt"}[node.kind]
    return f"<{tag}>{''.join(parts)}</{tag}>"


_LATEX = {"·": r"\cdot", "×": r"\times", "−": "-", "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "Σ": r"\sum", "∞": r"\infty",
          "→": r"\to", "±": r"\pm", "…": r"\dots", "%": r"\%"}  # fmt: skip


def _latex(node: Node) -> str:
    parts = [_latex(part) for part in node.parts]
    if node.kind == "number":
        return node.text.replace(",", "{,}")
    if node.kind == "name":
        return _latex_name(node.text)
    if node.kind == "op":
        return _LATEX.get(node.text, node.text)
    if node.kind == "group":
        return rf"\left{node.text} {parts[0]} \right{_CLOSE[node.text]}"
    if node.kind == "row":
        return " ".join(parts)
    if node.kind == "frac":
        return rf"\frac{{{parts[0]}}}{{{parts[1]}}}"
    if node.kind == "root":
        return rf"\sqrt{{{parts[0]}}}"
    mark = "^" if node.kind == "sup" else "_"
    return f"{{{parts[0]}}}{mark}{{{parts[1]}}}"


def _latex_name(name: str) -> str:
    bare = name.replace("\u0304", "")
    made = bare if len(bare) == 1 else rf"\mathrm{{{bare}}}"
    return rf"\bar{{{made}}}" if bare != name else made
