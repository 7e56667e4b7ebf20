"""Small plain-text and HTML tables for results, without importing a terminal or web library."""

from __future__ import annotations

import html
import math
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from bakeoff._core.language import Text, heading, translate

_STYLE = (
    "border-collapse:collapse;font:13px/1.4 system-ui,sans-serif;margin:.3em 0",
    "padding:.25em .7em;border-bottom:2px solid #8884;text-align:{align};font-weight:600",
    "padding:.2em .7em;border-bottom:1px solid #8883;text-align:{align};font-variant-numeric:tabular-nums",
)


def format_value(value: Any, *, digits: int = 4) -> str:
    """Write one value for a person: numbers to `digits` decimals, None and NaN as a dash, words in their language."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return translate("yes") if value else translate("no")
    if isinstance(value, (int, str, Text)):
        return str(value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    return format_number(number, digits=digits)


def format_number(number: float, *, digits: int = 4) -> str:
    """Fixed decimals for everyday magnitudes, scientific notation for the very small and very large."""
    if math.isnan(number):
        return "–"
    if math.isinf(number):
        return "∞" if number > 0 else "-∞"
    if number == 0:
        return f"{0:.{digits}f}"
    if abs(number) < 10.0**-digits or abs(number) >= 1e7:
        return f"{number:.{max(digits - 2, 1)}e}"
    return f"{number:.{digits}f}" if abs(number) < 1000 else f"{number:.{max(digits - 3, 1)}f}"


def format_pvalue(pvalue: float) -> str:
    """Write a p-value: never '0', three decimals down to 0.001, then '< 0.001'."""
    if math.isnan(pvalue):
        return "–"
    return "< 0.001" if pvalue < 0.001 else f"{pvalue:.3f}"


def pvalue_phrase(pvalue: float) -> str:
    """Write what follows the letter p: '= 0.031' or '< 0.001'."""
    text = format_pvalue(pvalue)
    return text if text.startswith(("<", "–")) else f"= {text}"


def display_width(text: str) -> int:
    """Columns the text takes in a terminal (wide East Asian characters and emoji take two)."""
    return sum(0 if unicodedata.combining(ch) else 1 + (unicodedata.east_asian_width(ch) in "WF") for ch in text)


def _pad(text: str, width: int, right: bool) -> str:
    fill = " " * (width - display_width(text))
    return fill + text if right else text + fill


def _is_numeric(column: Sequence[Any]) -> bool:
    kinds = [v for v in column if v is not None]
    return bool(kinds) and all(isinstance(v, (int, float)) or hasattr(v, "dtype") for v in kinds)


def shorten(text: str, width: int = 40) -> str:
    """Cut a long name in the middle, keeping both ends."""
    text = " ".join(text.split())
    if len(text) <= width:
        return text
    head = (width - 1) // 2
    return f"{text[:head]}…{text[-(width - 1 - head) :]}"


def text_table(columns: Mapping[str, Sequence[Any]], *, max_rows: int = 40, digits: int = 4) -> str:
    """Align columns under their names; numbers to the right."""
    names = list(columns)
    heads = {n: heading(n) for n in names}
    n_rows = max((len(c) for c in columns.values()), default=0)
    shown = min(n_rows, max_rows)
    cells = {n: [shorten(format_value(v, digits=digits)) for v in list(columns[n])[:shown]] for n in names}
    right = {n: _is_numeric(columns[n]) for n in names}
    width = {n: max([display_width(heads[n]), *(display_width(c) for c in cells[n])]) for n in names}
    lines = ["  ".join(_pad(heads[n], width[n], right[n]) for n in names).rstrip()]
    lines += ["  ".join(_pad(cells[n][i], width[n], right[n]) for n in names).rstrip() for i in range(shown)]
    if shown < n_rows:
        lines.append(translate("… and {n} more rows", n=n_rows - shown))
    return "\n".join(lines)


def html_table(columns: Mapping[str, Sequence[Any]], *, caption: str = "", max_rows: int = 200) -> str:
    """Write a self-contained HTML table; every value is escaped."""
    table, head, cell = _STYLE
    right = {n: _is_numeric(columns[n]) for n in columns}
    align = {n: "right" if right[n] else "left" for n in columns}
    n_rows = max((len(c) for c in columns.values()), default=0)
    parts = [f'<table class="bakeoff" style="{table}">']
    if caption:
        parts.append(f'<caption style="text-align:left;padding:.2em .7em">{html.escape(caption)}</caption>')
    heads = "".join(
        f'<th scope="col" style="{head.format(align=align[n])}">{html.escape(heading(n))}</th>' for n in columns
    )
    parts.append(f"<thead><tr>{heads}</tr></thead><tbody>")
    for i in range(min(n_rows, max_rows)):
        row = "".join(
            f'<td style="{cell.format(align=align[n])}">{html.escape(shorten(format_value(columns[n][i]), 80))}</td>'
            for n in columns
        )
        parts.append(f"<tr>{row}</tr>")
    parts.append("</tbody></table>")
    if n_rows > max_rows:
        parts.append(f"<p>{html.escape(translate('… and {n} more rows', n=n_rows - max_rows))}</p>")
    return "".join(parts)
