"""What a report is made of: sections of paragraphs, tables, figures, notes and code. Nothing here knows HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bakeoff._core.result import Note
from bakeoff.figures import FigureData


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of plain text."""

    text: str
    muted: bool = False


@dataclass(frozen=True)
class Verdict:
    """The sentences of the results, as they are, for the exports and for those who want to know.

    The first `on_card` of them stand on the card, in its words, and are exported only.
    """

    sentences: tuple[str, ...]
    on_card: int = 0


@dataclass(frozen=True)
class Card:
    """The answer on the first screen.

    Attributes
    ----------
    light
        ``"settled"``, ``"leaning"``, ``"open"``, or nothing where there is no rival.
    headline
        What to do, in one sentence.
    answer
        The same as values, for the exports.
    asides
        What must be read with it.
    picture, second
        The lead picture, and another that belongs to the task.
    numbers
        (number, its interval, what it is).
    explorer
        Where costs can be typed; with costs given it draws the card's pictures.
    names
        Names of models, wherever they stand in the sentences.
    """

    light: str
    headline: str
    answer: Mapping[str, Any]
    asides: tuple[str, ...] = ()
    picture: Figure | None = None
    second: Figure | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    explorer: Figure | None = None
    names: tuple[str, ...] = ()


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
    on_page: int | None = None  # rows written on the page; the exports have them all

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
    """Something to copy; `reading` is how a command reads the same evidence."""

    text: str
    reading: str = ""


@dataclass(frozen=True)
class Working:
    """The steps from the data to an answer."""

    steps: Any


@dataclass(frozen=True)
class Folded:
    """Blocks behind a summary line."""

    summary: str
    blocks: tuple[Any, ...]


Block = Paragraph | Verdict | Card | Table | Figure | Figures | Notes | Code | Working | Folded


@dataclass(frozen=True)
class Section:
    """A titled part of the report; all but the answer are folded."""

    name: str
    title: str
    blocks: tuple[Block, ...]


def tables_of(sections: Sequence[Section]) -> list[Table]:
    """All tables of a report, in order."""
    return [b for s in sections for b in _walk(s.blocks) if isinstance(b, Table)]


def figures_of(sections: Sequence[Section]) -> list[FigureData]:
    """All figures of a report, in order."""
    return [b.data for s in sections for b in _walk(s.blocks) if isinstance(b, Figure)]


def workings_of(sections: Sequence[Section]) -> list[Working]:
    """All workings of a report, in order."""
    return [b for s in sections for b in _walk(s.blocks) if isinstance(b, Working)]


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
        elif isinstance(block, Card):
            found += [
                block,
                *(figure for figure in (block.picture, block.second, block.explorer) if figure is not None),
            ]
        else:
            found.append(block)
    return found


def headline_of(sections: Sequence[Section]) -> str:
    """The sentence of the card."""
    return next((x.headline for s in sections for x in s.blocks if isinstance(x, Card)), "")
