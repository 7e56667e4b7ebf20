"""Which items separate the models: right and wrong answers, item by item, alike items next to each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.language import numeral, translate
from bakeoff._core.validation import BoolArray
from bakeoff.evidence import Predictions
from bakeoff.figures._base import BLUE, DrawnFigure, Texts, letters_for, plain


@dataclass(frozen=True, repr=False)
class ItemsFigure(DrawnFigure):
    """A line for each model; along it, in the same order for all, the items it answered right.

    Attributes
    ----------
    models
        The best first.
    runs
        For each model, where its stretches of right answers begin and end, in items.
    right, wrong
        Items that all models answered right, and wrong.
    solved
        Items each model answered right.
    """

    kind: ClassVar[str] = "items"
    size: ClassVar[tuple[float, float]] = (6.4, 2.0)
    row_height: ClassVar[float] = 0.26
    grid: ClassVar[str] = ""

    models: tuple[str, ...]
    runs: tuple[tuple[tuple[int, int], ...], ...]
    solved: tuple[int, ...]
    n_items: int
    right: int
    wrong: int

    def _texts(self) -> dict[str, Any]:
        left = self.n_items - self.right - self.wrong
        return {
            "title": translate("Which items separate the models"),
            "caption": translate(
                "Items, easiest first: {right} all right, {wrong} all wrong, {left} separate them.",
                right=numeral(self.right), wrong=numeral(self.wrong), left=numeral(left),
            ),
        }  # fmt: skip

    def _n_rows(self) -> int:
        return len(self.models)

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        bars = []
        for place, stretches in enumerate(self.runs):
            colour = BLUE if place == 0 else "#3b444e"
            bars.append(
                ax.broken_barh([(a, b - a) for a, b in stretches], (place - 0.4, 0.8), color=colour, linewidth=0)
            )
        ax.set_xlim(0, self.n_items)
        most = letters_for(ax)
        ax.set_yticks(range(len(self.models)), [plain(m, most) for m in self.models], fontsize=8)
        ax.invert_yaxis()
        ax.spines[["top", "right", "left"]].set_visible(False)
        return {"bars_": bars}


def items_figure(
    predictions: Predictions, models: Sequence[str] | None = None, *, dataset: str | None = None
) -> ItemsFigure:
    """Collect which items each model got right; outcomes must be 0 and 1."""
    names, solved = solved_items(predictions, dataset)
    if models is not None:
        names = [m for m in models if m in names]
    order = sorted(names, key=lambda m: -int(solved[m].sum()))
    table = np.array([solved[m] for m in order])
    # Items in the order of how many models are right; among those, items that the same models got right stand together.
    keys = [*(~table[::-1]), -table.sum(axis=0)]
    table = table[:, np.lexsort(keys)]
    whole = table.sum(axis=0)
    return ItemsFigure(
        models=tuple(order),
        runs=tuple(tuple(_runs(row)) for row in table),
        solved=tuple(int(row.sum()) for row in table),
        n_items=int(table.shape[1]),
        right=int((whole == len(order)).sum()),
        wrong=int((whole == 0).sum()),
    )


def solved_items(predictions: Predictions, dataset: str | None = None) -> tuple[list[str], Mapping[str, BoolArray]]:
    """Models, and which items each got right."""
    rows = predictions.table(dataset)
    if not rows.solved_or_not():
        raise EvidenceError("the items are drawn for answers that are right or wrong, 1 or 0.")
    return list(rows.models), {m: rows.correct(m) for m in rows.models}


def _runs(right: BoolArray) -> list[tuple[int, int]]:
    """Begin and end of the stretches of right answers."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], right.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
