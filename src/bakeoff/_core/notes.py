"""Notes: the choices made and the weaknesses seen on the way to an answer, with stable codes."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bakeoff._core.errors import BakeoffWarning
from bakeoff._core.language import spoken, tr


@dataclass(frozen=True, slots=True)
class Note:
    """One remark that travels with a result.

    Attributes
    ----------
    code
        Stable kebab-case identifier, such as ``"identical-models"``; tests, translations and the guide key on it.
    message
        The sentence shown to the user, in English; made by `said`, it is shown in the language of the reader.
    level
        ``"note"`` (a choice was made) or ``"warning"`` (the answer is weak).

    Examples
    --------
    >>> from bakeoff import Note
    >>> print(Note("few-rows", "the test set has 12 rows only.", "warning"))
    warning [few-rows]: the test set has 12 rows only.
    """

    code: str
    message: str
    level: Literal["note", "warning"] = "note"

    def __str__(self) -> str:
        mark = tr("warning") if self.level == "warning" else tr("note")
        return f"{mark} [{self.code}]: {spoken(self.message)}"


def warning_note(code: str, message: str) -> Note:
    """Make a note of level ``"warning"``."""
    return Note(code, message, "warning")


def unique(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Drop repeated notes, keeping the first of each."""
    return tuple(dict.fromkeys(notes))


_MOST_OF_A_KIND = 3


def emit(notes: Iterable[Note], *, stacklevel: int = 3) -> None:
    """Issue a `BakeoffWarning` for notes of level ``"warning"``; the verbs call this once, at the end.

    Of many notes with one code the first few are said, and how many more there are: a wall of warnings is not read.
    """
    kinds: dict[str, list[Note]] = {}
    for note in notes:
        if note.level == "warning":
            kinds.setdefault(note.code, []).append(note)
    for code, found in kinds.items():
        for note in found[:_MOST_OF_A_KIND]:
            warnings.warn(f"{note.message} [{code}]", BakeoffWarning, stacklevel=stacklevel)
        rest = len(found) - _MOST_OF_A_KIND
        if rest > 0:
            text = f"{rest} more of this kind are in the notes of the result. [{code}]"
            warnings.warn(text, BakeoffWarning, stacklevel=stacklevel)
