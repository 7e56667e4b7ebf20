"""Notes: the choices made and the weaknesses seen on the way to an answer, with stable codes."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bakeoff._core.errors import BakeoffWarning
from bakeoff._core.language import Text, english, render, translate


@dataclass(frozen=True, slots=True)
class Note:
    """One remark that travels with a result.

    Attributes
    ----------
    code
        Stable kebab-case identifier, such as ``"identical-models"``; tests, translations and the guide key on it.
    text
        The sentence shown to the user: a `Text`, which follows the language of the reader, or a plain string.
    message
        The same in English, whatever the language: for programs and tests.
    level
        ``"note"`` (a choice was made) or ``"warning"`` (the answer is weak).

    Examples
    --------
    >>> from bakeoff import Note
    >>> print(Note("few-rows", "the test set has 12 rows only.", "warning"))
    warning [few-rows]: the test set has 12 rows only.
    """

    code: str
    text: Text | str
    level: Literal["note", "warning"] = "note"

    @property
    def message(self) -> str:
        """The sentence in English."""
        return english(self.text)

    def _plain(self) -> dict[str, str]:
        """What is written of it to JSON."""
        return {"code": self.code, "message": self.message, "level": self.level}

    def __str__(self) -> str:
        mark = translate("warning") if self.level == "warning" else translate("note")
        return f"{mark} [{self.code}]: {render(self.text)}"


def warning_note(code: str, text: Text | str) -> Note:
    """Make a note of level ``"warning"``."""
    return Note(code, text, "warning")


def unique(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Drop repeated notes, keeping the first of each."""
    return tuple(dict.fromkeys(notes))


_MOST_OF_A_KIND = 3


def emit(notes: Iterable[Note], *, stacklevel: int = 3) -> None:
    """Issue a `BakeoffWarning` for notes of level ``"warning"``; the verbs call this once, at the end.

    Of many notes with one code the first few are shown, and how many more there are: a wall of warnings is not read.
    """
    kinds: dict[str, list[Note]] = {}
    for note in notes:
        if note.level == "warning":
            kinds.setdefault(note.code, []).append(note)
    for code, found in kinds.items():
        for note in found[:_MOST_OF_A_KIND]:
            warnings.warn(f"{render(note.text)} [{code}]", BakeoffWarning, stacklevel=stacklevel)
        rest = len(found) - _MOST_OF_A_KIND
        if rest > 0:
            text = translate("{n} more of this kind are in the notes of the result.", n=rest)
            warnings.warn(f"{text} [{code}]", BakeoffWarning, stacklevel=stacklevel)
