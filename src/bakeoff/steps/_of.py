"""Which working belongs to a result."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

from bakeoff._core.language import Text, joined, language, render
from bakeoff.steps._common import Around, table
from bakeoff.steps._step import Step, Steps

_SUBJECTS = ("_tables", "_means", "_ranks", "_estimates", "_costs", "_measures", "_answers")


@cache
def _known() -> dict[str, tuple[Text, Callable[[Any, Around], Iterator[Step]]]]:
    """The title and the working of each kind of result, by the name of its class."""
    modules = [importlib.import_module(f"bakeoff.steps.{name}") for name in _SUBJECTS]
    return {kind: known for module in modules for kind, known in module.WORKING.items()}


def _kind(result: Any) -> str:
    return next((kind.__name__ for kind in type(result).__mro__ if kind.__name__ in _known()), "")


def steps_of(result: Any, lang: str | None = None, *, models: Sequence[str] = ()) -> Steps:
    """Tell how a result came about; a kind without a working of its own shows what it holds, and its notes.

    `models` names the columns of a table of numbers, which a result of arrays does not know.
    """
    if lang is not None:
        with language(lang):  # an unknown one is told of at once
            pass
    title, _ = _known().get(_kind(result), (Text("What the result holds"), _held))
    return Steps(title, partial(_whole, result, tuple(models)), lang)


def _whole(result: Any, models: tuple[str, ...]) -> list[Step]:
    a, b = models if len(models) == 2 else ("a", "b")
    around = Around(getattr(result, "confidence_level", 0.95), a=a, b=b, models=models)
    return [*working_of(result, around), *_notes(result)]


def working_of(result: Any, around: Around) -> Iterator[Step]:
    """The steps of a result, told with the names and the level of `around`."""
    kind = _kind(result)
    found = list(_known()[kind][1](result, around)) if kind and (result._inputs or kind not in _KEEPING) else []
    yield from found or _held(result)


# told from what they kept; a degenerate answer (one class only, no spread) kept nothing, and shows what it holds
_KEEPING = frozenset({
    "KappaResult", "CochranQResult", "SymmetryResult", "BinomialIntervalResult", "FiveByTwoTResult", "FiveByTwoFResult",
    "AnovaResult", "WilcoxonResult", "FriedmanResult", "AlignedFriedmanResult", "BootstrapIntervalResult",
    "OutliersResult",
})  # fmt: skip


_WORDY = ("meaning", "needs", "task", "undefined_when")  # columns whose cells are words of the package


def _held(result: Any) -> Iterator[Step]:
    """What the result says and holds."""
    sentences = getattr(result, "sentences", ())
    if sentences:
        yield Step(Text("What was found"), joined(sentences))
    columns = {
        name: [render(cell) if name in _WORDY and isinstance(cell, str) else cell for cell in cells]
        for name, cells in result._shown().items()
    }
    yield Step(Text("The numbers"), table=table(columns))


def _notes(result: Any) -> list[Step]:
    notes = result._notes()
    return [Step(Text("Notes"), table=table({Text("note"): [note.text for note in notes]}))] if notes else []
