"""What is shown of a comparison: the verdict, the models best first, the pairs, the test, and what was not told yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bakeoff._core.language import Text, percent, render, translate
from bakeoff._core.text import format_number, format_pvalue
from bakeoff._core.view import Table, View, estimate_cell, limits
from bakeoff.comparison._catalogue import catalogue
from bakeoff.measures import label_of

if TYPE_CHECKING:
    from bakeoff.comparison._comparison import Comparison, PairComparison

_MOST_PAIRS = 15
# Told by the line on intervals, and of columns that are not shown.
_OF_THE_FRAME = frozenset({"intervals-individual", "intervals-simultaneous"})


def comparison_view(comparison: Comparison, told: frozenset[str]) -> View:
    """Arrange it; `told` are the codes of notes that the verdict puts in its own words."""
    several = len(comparison.pairs) > 1
    tables = [Table(_models(comparison))] if several else []
    tables.append(Table(_pairs(comparison), max_rows=_MOST_PAIRS))
    notes = [note for note in comparison.notes if note.code not in told | _OF_THE_FRAME]
    return View(comparison.sentences, tables, _below(comparison), notes)


def _below(comparison: Comparison) -> list[Text]:
    level = percent(comparison.confidence_level)
    intervals = Text("{level} % confidence intervals", level=level)
    if len(comparison.pairs) > 1:
        intervals = Text("{level} % confidence intervals, each alone; a difference is shown by its p", level=level)
    choice = comparison.choice
    test = Text("Test: {test} ({reason}).", test=catalogue()[choice.chosen].label, reason=choice._because)
    known = any(limits(pair.low, pair.high) for pair in comparison.pairs)
    return [*([intervals] if known else ()), Text("Evidence: {design}.", design=comparison.design.description), test]


def _models(comparison: Comparison) -> dict[str, Sequence[Any]]:
    """Models, best first, with value, mean rank and the letters of their groups."""
    order = list(comparison.ranks or comparison.values)
    columns: dict[str, Sequence[Any]] = {"model": order}
    columns[str(label_of(comparison.measure))] = [comparison.values[m] for m in order]
    if comparison.ranks is not None:
        columns[translate("mean rank")] = [comparison.ranks[m] for m in order]
    if comparison.letters:
        columns[translate("not told apart")] = [comparison.letters[m] for m in order]
    return columns


def _pairs(comparison: Comparison) -> dict[str, Sequence[Any]]:
    """The pair table that a person reads: the difference and its limits, p, the effect, and who is better."""
    # Those of the best model first: of many pairs the last are not shown.
    pairs = sorted(comparison.pairs, key=lambda p: comparison.best not in (p.model_a, p.model_b))
    adjusted = len(pairs) > 1
    measure = str(label_of(comparison.measure))
    columns: dict[str, Sequence[Any]] = {
        translate("difference"): [f"{p.model_a} − {p.model_b}" for p in pairs],
        measure: [estimate_cell(p.estimate, p.low, p.high) for p in pairs],
        translate("p adjusted") if adjusted else "p": [
            format_pvalue(p.pvalue_adjusted if adjusted else p.pvalue).replace(" ", "\N{NO-BREAK SPACE}") for p in pairs
        ],
    }
    if comparison.margin is not None:
        return columns | {translate("within the margin"): [render(p.closeness) for p in pairs]}
    return columns | {"better": [p.better or "–" for p in pairs], **_effects(pairs)}


def _effects(pairs: Sequence[PairComparison]) -> dict[str, Sequence[Any]]:
    """The effect sizes under their name; with pairs of several kinds each tells its own."""
    kinds = {p.effect for p in pairs if p.effect}
    if not kinds:
        return {}
    if len(kinds) == 1:
        return {render(next(iter(kinds))): [p.effect_size for p in pairs]}
    return {"effect_size": [f"{format_number(p.effect_size)} ({render(p.effect)})" for p in pairs]}
