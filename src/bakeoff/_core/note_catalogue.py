"""The sentences of the notes of the statistics: a code and its values come in, a sentence for people goes out.

A statistic knows that something happened and with which numbers; it knows no words. The words are data, one
template per key in ``locales/notes.json``, and are looked up for translation by the template. A code that can mean
several situations (models are identical in their scores, their labels or their rankings) has one key for each: what
follows the colon tells them apart and is not part of the code.
"""

from __future__ import annotations

from typing import Any, Literal

from bakeoff._core.language import Text, data_of
from bakeoff._core.result import Note

# Of a choice that was made, or something worth knowing; and of an answer that is weak or undefined.
NOTES, WARNINGS = data_of("notes")["notes"], data_of("notes")["warnings"]


def note(key: str, /, **values: Any) -> Note:
    """Make the note of a key of `NOTES` or `WARNINGS`; `values` fill the fields of its template."""
    level: Literal["note", "warning"] = "warning" if key in WARNINGS else "note"
    template = WARNINGS[key] if level == "warning" else NOTES[key]
    return Note(key.partition(":")[0], Text(template, **values), level)
