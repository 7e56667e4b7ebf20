"""Of many warnings of one kind only the first few are shown."""

from __future__ import annotations

import warnings

from bakeoff._core.result import Note, emit, warning_note


def warnings_of(notes):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        emit(notes)
    return [str(w.message) for w in caught]


def test_of_many_warnings_of_a_kind_the_first_few_are_shown():
    shown = warnings_of([warning_note("undefined", f"fold {i}.") for i in range(40)] + [warning_note("other", "once.")])
    assert shown[:3] == [f"fold {i}. [undefined]" for i in range(3)]
    assert shown[3].startswith("37 more of this kind")
    assert shown[4:] == ["once. [other]"]


def test_plain_notes_are_no_warnings():
    assert warnings_of([Note("choice", "a choice was made.")]) == []
