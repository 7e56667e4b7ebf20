"""Measures by name: aliases, suggestions, and measures of one's own."""

from __future__ import annotations

import pytest

from bakeoff import Measure, ParameterError, measures
from bakeoff.measures._catalogue import _ALIASES


def test_an_alias_is_the_measure_itself():
    assert all(measures.get(alias) is measures.get(name) for alias, name in _ALIASES.items())
    assert [m.name for m in measures.get_all(["auc", "roc_auc", "tpr"])] == ["auc", "recall"]


def test_a_name_that_is_nearly_right_is_suggested():
    with pytest.raises(ParameterError, match="did you mean 'accuracy'"):
        measures.get("acuracy")
    with pytest.raises(ParameterError, match="at least one measure"):
        measures.get_all([])


def test_a_name_or_an_alias_is_taken_once():
    for taken in ("auc", "roc_auc"):
        mine = Measure.from_function(taken, lambda truth, score: 0.0, needs="scores")
        with pytest.raises(ParameterError, match=f"there is a measure named '{taken}' already"):
            measures.register(mine)


@pytest.mark.parametrize("name", measures.catalogue())
def test_an_entry_is_complete(name):
    entry = measures.get(name)
    assert entry.name == name
    assert entry.meaning
    assert entry.undefined_when
    assert entry.bounds[0] < entry.bounds[1]
    assert entry.tasks
    assert entry.label.in_("es")


def test_the_printed_name_of_an_unknown_measure_is_its_name_in_words():
    assert str(measures.label_of("auc")) == "AUC"
    assert str(measures.label_of("my_own_score")) == "my own score"
