"""Few data sets: no test over them can show much, so each is also answered alone, from its own rows or folds."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bakeoff._core.errors import BakeoffError, BakeoffWarning
from bakeoff._core.language import Text
from bakeoff._core.result import Note
from bakeoff.comparison._comparison import Comparison

FEW = 5  # the signed-rank test of two models cannot reach 0.05 with so few


def with_each_dataset(comparison: Comparison, evidence: Any, ask: Callable[[Any], Comparison]) -> Comparison:
    """Add the answer of each data set alone; one without rows or folds of its own has none."""
    alone: dict[str, Comparison] = {}
    for name in evidence.datasets:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BakeoffWarning)  # they are among the notes of that answer
            try:
                alone[name] = ask(evidence.select(datasets=[name]))
            except BakeoffError:  # a single score, or rows that this measure or test has no use for
                continue
    return replace(comparison, by_dataset=alone, notes=(*comparison.notes, *map(_note, alone, alone.values())))


def _note(name: str, alone: Comparison) -> Note:
    text = Text("{dataset} alone, from its own rows and splits: {answer}", dataset=name, answer=alone.sentences[0])
    return Note("data-set-alone", text)
