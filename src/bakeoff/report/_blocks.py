"""What a report is made of: sections of paragraphs, tables, figures, notes and code. Nothing here knows HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bakeoff._core.notes import Note
from bakeoff.figures import FigureData


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of plain text."""

    text: str
    muted: bool = False


@dataclass(frozen=True)
class Verdict:
    """The answer in sentences; the first is the headline."""

    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Cards:
    """A few numbers to look at first: (number, what it is)."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Table:
    """A table; `columns` hold raw values, `shown` what is printed where that differs."""

    name: str
    caption: str
    columns: Mapping[str, Sequence[Any]]
    shown: Mapping[str, Sequence[str]] = field(default_factory=dict)
    trivial_rows: frozenset[int] = frozenset()
    best_rows: frozenset[int] = frozenset()
    wrap: frozenset[str] = frozenset()

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return max((len(c) for c in self.columns.values()), default=0)


@dataclass(frozen=True)
class Figure:
    """A figure by its data."""

    data: FigureData
    wide: bool = False


@dataclass(frozen=True)
class Figures:
    """Figures side by side."""

    items: tuple[Figure, ...]


@dataclass(frozen=True)
class Notes:
    """Notes and warnings."""

    notes: tuple[Note, ...]


@dataclass(frozen=True)
class Code:
    """Something to copy."""

    text: str


@dataclass(frozen=True)
class Folded:
    """Blocks behind a summary line."""

    summary: str
    blocks: tuple[Any, ...]


Block = Paragraph | Verdict | Cards | Table | Figure | Figures | Notes | Code | Folded


@dataclass(frozen=True)
class Section:
    """A titled part of the report."""

    name: str
    title: str
    blocks: tuple[Block, ...]


def tables_of(sections: Sequence[Section]) -> list[Table]:
    """All tables of a report, in order."""
    return [b for s in sections for b in _walk(s.blocks) if isinstance(b, Table)]


def figures_of(sections: Sequence[Section]) -> list[FigureData]:
    """All figures of a report, in order."""
    return [b.data for s in sections for b in _walk(s.blocks) if isinstance(b, Figure)]


def notes_of(section: Section) -> list[Notes]:
    """All notes of a section, the folded ones too."""
    return [b for b in _walk(section.blocks) if isinstance(b, Notes)]


def _walk(blocks: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for block in blocks:
        if isinstance(block, Folded):
            found += _walk(block.blocks)
        elif isinstance(block, Figures):
            found += block.items
        else:
            found.append(block)
    return found
