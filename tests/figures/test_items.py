"""Which items separate the models."""

from __future__ import annotations

import pytest

from bakeoff import EvidenceError
from bakeoff.evidence import Predictions
from bakeoff.figures import items_figure


def test_alike_items_stand_together_the_easiest_first(items: Predictions) -> None:
    figure = items_figure(items)
    assert figure.models == ("a", "b", "c")
    assert (figure.right, figure.wrong, figure.n_items) == (1, 2, 6)
    assert figure.solved == (3, 2, 2)
    assert figure.runs == (((0, 3),), ((0, 1), (3, 4)), ((0, 2),))
    assert items_figure(items, ["b"]).runs == (((0, 2),),)


def test_graded_answers_are_refused() -> None:
    with pytest.raises(EvidenceError, match="right or wrong"):
        items_figure(Predictions.from_outcomes({"a": [0.5, 1, 0], "b": [0, 1, 1]}))
