"""LaTeX: names made harmless, and tables that fit the page."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

TEXT_WIDTH = 452.0  # points: A4 with margins of 25 mm, rounded down
_LETTER = 4.75  # points of an average letter at \small; figures are 4.6
_BOLD = 1.13  # how much wider a bold letter is
_GAP = 8.0  # points between two columns: 2\tabcolsep as set below
_MOST_ROWS = 45  # rows of a page
_FOOTNOTE = 0.85  # how much narrower a table is at footnotesize with columns closer together

_COMMANDS = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "−": "$-$", "±": r"$\pm$", "×": r"$\times$", "↑": r"$\uparrow$",
    "↓": r"$\downarrow$", "≤": r"$\leq$", "≥": r"$\geq$", "≠": r"$\neq$", "∞": r"$\infty$", "·": r"$\cdot$",
    "χ": r"$\chi$", "α": r"$\alpha$", "β": r"$\beta$", "γ": r"$\gamma$", "δ": r"$\delta$", "ε": r"$\varepsilon$",
    "λ": r"$\lambda$", "μ": r"$\mu$", "π": r"$\pi$", "ρ": r"$\rho$", "σ": r"$\sigma$", "τ": r"$\tau$",
    "Δ": r"$\Delta$", "²": r"$^2$", "³": r"$^3$", "→": r"$\rightarrow$", "€": r"\texteuro{}", "…": r"\ldots{}",
    "–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''", "\u00a0": "~", "\u202f": r"\,",
}  # fmt: skip


def tex(text: str) -> str:
    """Escape what LaTeX would read as a command; signs become those of its mathematics."""
    plain = "".join(ch for ch in str(text) if unicodedata.category(ch)[0] != "C" or ch.isspace())
    spaced = "".join(ch if ch in _COMMANDS else " " if ch.isspace() else ch for ch in plain)
    return "".join(_COMMANDS.get(ch, ch) for ch in " ".join(spaced.split(" ")).strip())


def unknown_letters(text: str) -> list[str]:
    """The letters that pdfLaTeX has no glyph for with its usual fonts: everything beyond Latin."""
    return sorted({ch for ch in text if ord(ch) > 0x17F})


@dataclass(frozen=True)
class Cell:
    """What stands in a table: text as people read it, and how it is set."""

    text: str
    bold: bool = False
    italic: bool = False

    @property
    def width(self) -> float:
        """About how many points it takes at \\small."""
        return len(self.text) * _LETTER * (_BOLD if self.bold else 1.0)

    def __str__(self) -> str:
        inner = tex(self.text)
        inner = rf"\textit{{{inner}}}" if self.italic else inner
        return rf"\textbf{{{inner}}}" if self.bold else inner


def _packed(widths: Sequence[float], room: float) -> list[list[int]]:
    """Fill part after part; a column wider than the page stands alone."""
    made: list[list[int]] = [[]]
    left = room
    for j, width in enumerate(widths):
        if made[-1] and width > left:
            made.append([])
            left = room
        made[-1].append(j)
        left -= width
    return made


@dataclass(frozen=True)
class PaperTable:
    """A table of a paper.

    Attributes
    ----------
    name
        Of the file and of the label.
    caption, notes
        What stands above it, and below.
    head, rows
        Its cells; the first column names the row.
    last
        How many rows at the end are set apart by a rule: means, mean ranks.
    upright
        Whether the heads of the columns stay as they are; else they are turned by 90 degrees.
    """

    name: str
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: str = ""
    last: int = 0
    upright: bool = True
    size: str = "small"

    def parts(self) -> list[PaperTable]:
        """The table as parts that fit on a page: smaller letters first, then some of the columns each, then rows."""
        small = replace(self, size="footnotesize")
        table = small if len(self._columns()) > 1 and len(small._columns()) == 1 else self
        whole = [part for columns in table._columns() for part in table._pages(columns)]
        if len(whole) == 1:
            return whole
        return [replace(part, name=f"{self.name}-{i}") for i, part in enumerate(whole, start=1)]

    def _columns(self) -> list[list[int]]:
        """Columns of each part: as few parts as can be, about equally wide."""
        widths = [self._width(j) for j in range(1, len(self.head))]
        room = TEXT_WIDTH - self._width(0)
        packed = _packed(widths, room)
        share = -(-len(widths) // len(packed))
        even = [list(range(i, min(i + share, len(widths)))) for i in range(0, len(widths), share)]
        fits = all(sum(widths[j] for j in columns) <= room for columns in even)
        return [[0, *(j + 1 for j in columns)] for columns in (even if fits else packed)]

    def _width(self, j: int) -> float:
        head = len(self.head[j]) * _LETTER if self.upright or j == 0 else 12.0
        width = max([head, *(row[j].width for row in self.rows)]) + _GAP
        return width * (_FOOTNOTE if self.size == "footnotesize" else 1.0)

    def _pages(self, columns: Sequence[int]) -> list[PaperTable]:
        head = tuple(self.head[j] for j in columns)
        rows = tuple(tuple(row[j] for j in columns) for row in self.rows)
        body, last = rows[: len(rows) - self.last], rows[len(rows) - self.last :]
        pages = [body[i : i + _MOST_ROWS] for i in range(0, len(body), _MOST_ROWS)] or [()]
        made = [replace(self, head=head, rows=page, last=0) for page in pages]
        made[-1] = replace(made[-1], rows=(*pages[-1], *last), last=self.last)
        return made

    def __str__(self) -> str:
        layout = "l" + "r" * (len(self.head) - 1)
        heads = [tex(h) for h in self.head]
        if not self.upright:
            heads[1:] = [rf"\rotatebox{{90}}{{{h}~}}" for h in heads[1:]]
        lines = [
            r"\begin{table}[tbp]", r"\centering", rf"\{self.size}",
            rf"\setlength{{\tabcolsep}}{{{4 if self.size == 'small' else 3}pt}}",
            rf"\caption{{{tex(self.caption)}}}", r"\vspace{4pt}", rf"\label{{tab:{self.name}}}",
            rf"\begin{{tabular}}{{@{{}}{layout}@{{}}}}", r"\toprule", " & ".join(heads) + r" \\", r"\midrule",
        ]  # fmt: skip
        for i, row in enumerate(self.rows):
            if self.last and i == len(self.rows) - self.last:
                lines.append(r"\midrule")
            lines.append(" & ".join(map(str, row)) + r" \\")
        lines += [r"\bottomrule", r"\end{tabular}"]
        if self.notes:
            lines += [r"\par\smallskip", rf"\parbox{{\linewidth}}{{\footnotesize {tex(self.notes)}}}"]
        return "\n".join([*lines, r"\end{table}", ""])
