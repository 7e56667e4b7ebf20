"""What a person sees of a result: the answer, tables that fit, notes; one layout for text, notebooks and commands."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bakeoff._core.language import Text, current_language, heading, label, render, translate
from bakeoff._core.text import display_width, format_number, format_value, shorten

if TYPE_CHECKING:
    from bakeoff._core.result import Note

COLUMNS = 80  # of a terminal that does not tell
_HTML_COLUMNS = 112  # characters of 13 px that a notebook's cell holds
_TIED = "\N{NO-BREAK SPACE}"  # keeps the two limits of an interval on one line
_TIED_WORDS = re.compile(r"\bp [=<] \d|\d %")  # no line ends within these
_LINE_ENDS = re.compile(r"[\t\r\n\v\f]+")
_LONGEST_NAME = 40
_SHORT_NAME = 18

_FONT = "font:13px/1.45 system-ui,sans-serif"
_SMALL = "margin:.25em 0;font-size:12px;opacity:.8"
_TABLE = "border-collapse:collapse;margin:.4em 0;font-size:13px"
_HEAD = "padding:.25em .7em;border-bottom:2px solid #8884;text-align:{align};font-weight:600;vertical-align:bottom"
_CELL = (
    "padding:.2em .7em;border-bottom:1px solid #8883;text-align:{align};font-variant-numeric:tabular-nums;"
    "vertical-align:top"
)


def word(name: str) -> Text:
    """The word of a table by its name in code; a symbol is its own."""
    return Text("degrees of freedom") if name == "df" else label(name)


@dataclass(frozen=True)
class Table:
    """Named columns of cells; the first column says what a row is about.

    Where it is too wide, cells are broken at spaces, then names are shortened, then the last columns are folded into a
    line that names them; a single row that is too wide stands upright, one field per line.
    """

    columns: Mapping[Any, Sequence[Any]]
    title: Text | str = ""
    max_rows: int = 40
    last_rows: int = 0  # of those shown where there are too many rows, how many are the last


@dataclass(frozen=True)
class View:
    """What is shown of a result, in this order: the answer in sentences, tables, remarks on them, notes, code.

    Examples
    --------
    >>> from bakeoff._core.view import Table, View
    >>> print(View(("a is better than b.",), (Table({"model": ["a", "b"], "AUC": [0.9, 0.8]}),)).text())
    a is better than b.
    <BLANKLINE>
    model     AUC
    a      0.9000
    b      0.8000
    """

    sentences: Sequence[Text | str] = ()
    tables: Sequence[Table] = ()
    below: Sequence[Text | str] = ()
    notes: Sequence[Note] = ()
    code: str = ""

    def text(self, width: int | None = COLUMNS) -> str:
        """Write it as plain text of at most `width` columns (None: nothing is wrapped or folded)."""
        blocks = ["\n".join(line for s in self.sentences for line in wrapped(render(s), width))]
        blocks += [text_table(table, width) for table in self.tables]
        last = [*map(render, self.below), *map(str, self._untold())]
        blocks += ["\n".join(line for s in last for line in wrapped(s, width)), self.code]
        return "\n\n".join(block for block in blocks if block)

    def html(self) -> str:
        """Write it as self-contained HTML; every value is escaped."""
        parts = self._paragraphs()
        parts += [html_table(table) for table in self.tables]
        last = [*map(render, self.below), *map(str, self._untold())]
        parts += [f'<p style="{_SMALL}">{html.escape(line)}</p>' for line in last]
        parts += [f'<pre style="font-size:12px">{html.escape(self.code)}</pre>'] if self.code else []
        return f'<div class="bakeoff" style="{_FONT};max-width:860px">{"".join(parts)}</div>'

    def _paragraphs(self) -> list[str]:
        """The sentences: the answer in bold, what follows from it after it, each caution for itself."""
        found: list[list[str]] = []
        for place, sentence in enumerate(self.sentences):
            role = sentence.role if isinstance(sentence, Text) else "plain"
            text = html.escape(render(sentence))
            if place == 0 or role in ("caution", "headline"):
                found.append([])
            found[-1].append(f"<strong>{text}</strong>" if place == 0 or role == "headline" else text)
        return [f'<p style="margin:.3em 0">{" ".join(texts)}</p>' for texts in found]

    def _untold(self) -> list[Note]:
        """The notes that the sentences do not tell already, warnings first, each once."""
        told = " ".join(map(render, self.sentences))
        left = [note for note in dict.fromkeys(self.notes) if render(note.text) not in told]
        return sorted(left, key=lambda note: note.level != "warning")


def limits(low: float, high: float, *, digits: int = 4) -> str:
    """Write an interval's limits; nothing where they tell nothing: from −∞ to ∞, or of an exact value."""
    if math.isnan(low) or math.isnan(high) or low == high or (math.isinf(low) and math.isinf(high)):
        return ""
    if math.isinf(high):
        return f"≥{_TIED}{format_number(low, digits=digits)}"
    if math.isinf(low):
        return f"≤{_TIED}{format_number(high, digits=digits)}"
    between = "," if current_language() == "en" else ";"  # a comma is a decimal mark elsewhere
    return f"[{format_number(low, digits=digits)}{between}{_TIED}{format_number(high, digits=digits)}]"


def estimate_cell(estimate: float, low: float, high: float, *, digits: int = 4) -> str:
    """Write an estimate and its limits as one cell."""
    return f"{format_number(estimate, digits=digits)} {limits(low, high, digits=digits)}".rstrip()


def wrapped(text: str, width: int | None) -> list[str]:
    """Break a text at spaces into lines of at most `width` columns; a longer word stands alone."""
    if width is None or display_width(text) <= width:
        return text.replace(_TIED, " ").split("\n")
    lines: list[str] = []
    for paragraph in _TIED_WORDS.sub(lambda found: found[0].replace(" ", _TIED), text).split("\n"):
        line = ""
        for word in paragraph.split(" "):
            if line and display_width(line) + 1 + display_width(word) > width:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        lines.append(line)
    return [line.replace(_TIED, " ") for line in lines]


# -- fitting a table --------------------------------------------------------------------------------------------------


@dataclass
class _Column:
    """One column as it will be shown: its cells as texts, and how wide it may be."""

    name: str
    cells: list[str]
    right: bool
    width: int = 0

    @property
    def natural(self) -> int:
        return max(map(display_width, [self.name, *self.cells]))

    @property
    def least(self) -> int:
        return max(display_width(word) for text in [self.name, *self.cells] for word in text.split(" "))

    def lines(self, row: int | None) -> list[str]:
        return wrapped(self.name if row is None else self.cells[row], self.width)


@dataclass(frozen=True)
class _Fitted:
    """The columns that fit, and what is to be said about the rest."""

    columns: list[_Column]
    remarks: list[str]


def _fitted(table: Table, width: int | None, *, gap: int = 2) -> _Fitted:
    n_rows = max((len(c) for c in table.columns.values()), default=0)
    shown = n_rows if width is None else min(n_rows, table.max_rows)
    longest = None if width is None else _LONGEST_NAME
    last = table.last_rows if shown < n_rows else 0
    columns = [_column(name, values, shown, longest, last) for name, values in table.columns.items()]
    left_out: list[str] = []
    if width is not None and sum(c.natural for c in columns) + gap * (len(columns) - 1) > width:
        for column in columns[1:]:
            column.name = _cut(column.name, _SHORT_NAME)
        if sum(c.least for c in columns) + gap * (len(columns) - 1) > width:
            for column in columns:
                column.cells = [_cut_words(cell, _SHORT_NAME) for cell in column.cells]
        if shown == n_rows == 1 and sum(c.least for c in columns) + gap * (len(columns) - 1) > width:
            columns = _upright(columns)
        columns, left_out = _that_fit(columns, width, gap)
        _narrow(columns, width, gap)
    remarks = []
    if left_out:
        names = ", ".join(left_out[:6]) + (" …" if len(left_out) > 6 else "")
        remarks.append(translate("… and {n} more: {names}", n=len(left_out), names=names))
    if shown < n_rows:
        more = n_rows - shown
        remarks.append(translate("… and 1 more row") if more == 1 else translate("… and {n} more rows", n=more))
    return _Fitted(columns, remarks)


def _column(name: Text | str, values: Sequence[Any], shown: int, longest: int | None, last: int = 0) -> _Column:
    every = list(values)
    kept = [*every[: shown - last], *every[len(every) - last :]]
    cells = [_LINE_ENDS.sub(" ", format_value(v)) for v in kept]
    if last:
        cells.insert(shown - last, "…")
    column = _Column(heading(name), [_cut(c, longest) for c in cells], _is_numeric(values))
    column.width = column.natural
    return column


def _cut(name: str, longest: int | None) -> str:
    """A name without spaces cannot be broken, so it is cut; sentences and numbers are left whole."""
    return name if longest is None or " " in name else shorten(name, longest)


def _cut_words(text: str, longest: int) -> str:
    """Names within a cell are cut, numbers and their limits are not."""
    words = text.split(" ")
    return " ".join(shorten(w, longest) if w[:1].isalpha() and _TIED not in w else w for w in words)


def _upright(columns: Sequence[_Column]) -> list[_Column]:
    """One row as a list of fields."""
    names, values = [c.name for c in columns], [c.cells[0] for c in columns]
    made = [_Column("", names, False), _Column("", values, False)]
    for column in made:
        column.width = column.natural
    return made


def _that_fit(columns: list[_Column], width: int, gap: int) -> tuple[list[_Column], list[str]]:
    """Fold columns from the right until the rest fits at its narrowest; the first two always stay."""
    kept = list(columns)
    while len(kept) > 2 and sum(c.least for c in kept) + gap * (len(kept) - 1) > width:
        kept.pop()
    return kept, [c.name for c in columns[len(kept) :]]


def _narrow(columns: Sequence[_Column], width: int, gap: int) -> None:
    """Take columns from the widest ones, cell by cell broken at spaces, until the table fits."""
    for column in columns:
        column.width = column.natural
    free = width - gap * (len(columns) - 1)
    while sum(c.width for c in columns) > free:
        breakable = [c for c in columns if c.width > c.least]
        if not breakable:
            return
        max(breakable, key=lambda c: c.width).width -= 1
    for column in columns:  # what breaking left unused
        rows = [None, *range(len(column.cells))]
        column.width = max(display_width(line) for row in rows for line in column.lines(row))


def _is_numeric(column: Sequence[Any]) -> bool:
    kinds = [v for v in column if v is not None]
    return bool(kinds) and all(isinstance(v, (int, float)) or hasattr(v, "dtype") for v in kinds)


def _pad(text: str, width: int, right: bool) -> str:
    fill = " " * (width - display_width(text))
    return fill + text if right else text + fill


def text_table(table: Table, width: int | None = COLUMNS) -> str:
    """Align columns under their names, numbers to the right, in at most `width` columns."""
    fitted = _fitted(table, width)
    rows: list[int | None] = [None] if any(c.name for c in fitted.columns) else []
    rows += range(max((len(c.cells) for c in fitted.columns), default=0))
    lines = [render(table.title)] if table.title else []
    for row in rows:
        cells = [column.lines(row) for column in fitted.columns]
        for part in range(max(map(len, cells), default=0)):
            texts = (c[part] if part < len(c) else "" for c in cells)
            line = "  ".join(_pad(t, c.width, c.right) for t, c in zip(texts, fitted.columns, strict=True))
            lines.append(line.rstrip())
    return "\n".join([*lines, *(line for remark in fitted.remarks for line in wrapped(remark, width))])


def html_table(table: Table) -> str:
    """Write a self-contained HTML table that a notebook shows without scrolling; every value is escaped."""
    fitted = _fitted(table, _HTML_COLUMNS, gap=3)
    n_rows = max((len(c.cells) for c in fitted.columns), default=0)
    parts = [f'<div style="overflow-x:auto"><table style="{_TABLE}">']
    if table.title:
        parts.append(f'<caption style="text-align:left;padding:.2em .7em">{html.escape(render(table.title))}</caption>')
    if any(c.name for c in fitted.columns):
        heads = (_html_cell("th scope=col", _HEAD, c.lines(None), c.right) for c in fitted.columns)
        parts.append(f"<thead><tr>{''.join(heads)}</tr></thead>")
    body = ("".join(_html_cell("td", _CELL, c.lines(i), c.right) for c in fitted.columns) for i in range(n_rows))
    parts.append(f"<tbody>{''.join(f'<tr>{row}</tr>' for row in body)}</tbody></table></div>")
    parts += [f'<p style="{_SMALL}">{html.escape(remark)}</p>' for remark in fitted.remarks]
    return "".join(parts)


def _html_cell(tag: str, style: str, lines: Iterable[str], right: bool) -> str:
    align = "right" if right else "left"
    text = "<br>".join(map(html.escape, lines))
    return f'<{tag} style="{style.format(align=align)}">{text}</{tag.split(" ")[0]}>'
