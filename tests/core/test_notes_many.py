"""Many warnings of one kind are told shortly."""

from __future__ import annotations

import warnings

from bakeoff._core.notes import Note, emit, warning_note


def said_for(notes):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        emit(notes)
    return [str(w.message) for w in caught]


def test_of_many_warnings_of_a_kind_the_first_few_are_said():
    told = said_for([warning_note("undefined", f"fold {i}.") for i in range(40)] + [warning_note("other", "once.")])
    assert told[:3] == [f"fold {i}. [undefined]" for i in range(3)]
    assert told[3].startswith("37 more of this kind")
    assert told[4:] == ["once. [other]"]


def test_plain_notes_are_no_warnings():
    assert said_for([Note("choice", "a choice was made.")]) == []
