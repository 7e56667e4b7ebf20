"""The arithmetic of a formula, done again from what is printed: every equality between numbers must hold."""

from __future__ import annotations

import math
import re

from bakeoff.steps._formula import Node, parse


def sides(line: str) -> list[float]:
    """The values of the pieces between the equality signs of a line that have numbers only."""
    pieces = re.split(r" = | → ", line)
    return [value for value in (value_of(parse(piece)) for piece in pieces) if not math.isnan(value)]


def value_of(node: Node) -> float:
    """Compute a piece that has numbers only; NaN where it has a name or an unknown sign."""
    source = _python(node)
    if source is None:
        return math.nan
    try:
        return float(eval(source, {"__builtins__": {}}, {"sqrt": math.sqrt, "abs": abs}))
    except (SyntaxError, TypeError, ValueError, ZeroDivisionError):
        return math.nan


def _python(node: Node) -> str | None:
    parts = [_python(part) for part in node.parts]
    if any(part is None for part in parts):
        return None
    if node.kind == "number":
        return node.text.replace(",", ".")
    if node.kind == "op":
        return {"·": "*", "×": "*", "−": "-", "+": "+"}.get(node.text)
    if node.kind == "row":
        return f"({' '.join(map(str, parts))})"
    if node.kind == "group":
        return f"abs({parts[0]})" if node.text == "|" else f"({parts[0]})"
    if node.kind == "frac":
        return f"({parts[0]} / {parts[1]})"
    if node.kind == "sup":
        return f"({parts[0]} ** {parts[1]})"
    return f"sqrt({parts[0]})" if node.kind == "root" else None
