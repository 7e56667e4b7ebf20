"""Who is cheapest in which contexts: ranges of PC(+), and how they are shown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff._core.language import Text, joined, numeral, translate
from bakeoff._core.result import Note, Result, attribute_columns
from bakeoff._core.validation import check_number
from bakeoff._core.view import Table
from bakeoff.decision._context import OperatingContext, cost_ratio_of_pc, prevalences_of_pc, slope_of_pc


@dataclass(frozen=True)
class ContextRange:
    """One interval of PC(+) on which one model (at one threshold, or at any) is the cheapest.

    Attributes
    ----------
    model, threshold
        Who wins; NaN when several thresholds of the model share the interval.
    pc_low, pc_high
        The interval of PC(+) = P·cost_fn / (P·cost_fn + N·cost_fp).

    Examples
    --------
    >>> from bakeoff.decision import RocHull
    >>> hull = RocHull.from_points({"A": (0.4, 0.9), "B": (0.1, 0.6)})
    >>> test_a = hull.ranges()[2]
    >>> test_a.model, round(test_a.pc_low, 3), round(test_a.pc_high, 3)
    ('A', 0.5, 0.857)
    >>> [round(ratio) for ratio in test_a.cost_ratios(prevalence=0.01)]
    [99, 594]
    """

    model: str
    threshold: float
    pc_low: float
    pc_high: float

    def __contains__(self, context: object) -> bool:
        pc = context.pc if isinstance(context, OperatingContext) else context
        return isinstance(pc, (int, float)) and self.pc_low <= pc <= self.pc_high

    @property
    def slopes(self) -> tuple[float, float]:
        """The same interval as slopes of isocost lines, low to high."""
        return slope_of_pc(self.pc_high), slope_of_pc(self.pc_low)

    def cost_ratios(self, prevalence: float) -> tuple[float, float]:
        """The same interval as ratios cost_fn / cost_fp at a given prevalence, low to high."""
        return cost_ratio_of_pc(self.pc_low, prevalence), cost_ratio_of_pc(self.pc_high, prevalence)

    def prevalences(self, context: OperatingContext) -> tuple[float, float]:
        """The same interval as prevalences at the costs of `context`, low to high."""
        return prevalences_of_pc(self.pc_low, self.pc_high, context)


@dataclass(frozen=True, repr=False)
class ContextRanges(Result):
    """Who is cheapest on which interval of PC(+), from 0 to 1 without gaps.

    Iterate over it for `ContextRange` objects; `to_frame` has one row per interval.
    """

    ranges: tuple[ContextRange, ...]
    prevalence: float | None = None
    notes: tuple[Note, ...] = ()

    def __iter__(self) -> Iterator[ContextRange]:
        return iter(self.ranges)

    def __len__(self) -> int:
        return len(self.ranges)

    def __getitem__(self, index: int) -> ContextRange:
        return self.ranges[index]

    @property
    def models(self) -> tuple[str, ...]:
        """The winners in order of PC(+)."""
        return tuple(r.model for r in self.ranges)

    def at(self, pc: float) -> ContextRange:
        """Return the interval that holds this PC(+); at a boundary, the upper one."""
        wanted = check_number("pc", pc, low=0.0, high=1.0)
        lows = [r.pc_low for r in self.ranges]
        return self.ranges[max(int(np.searchsorted(lows, wanted, side="right")) - 1, 0)]

    def by_model(self) -> ContextRanges:
        """Join neighbouring intervals of the same model, whatever the threshold."""
        joined: list[ContextRange] = []
        for r in self.ranges:
            if joined and joined[-1].model == r.model:
                joined[-1] = ContextRange(r.model, np.nan, joined[-1].pc_low, r.pc_high)
            else:
                joined.append(r)
        return ContextRanges(tuple(joined), self.prevalence, self.notes)

    def _columns(self) -> dict[str, Sequence[Any]]:
        columns = attribute_columns(self.ranges, "model", "threshold", "pc_low", "pc_high")
        columns |= {"slope_low": [r.slopes[0] for r in self.ranges], "slope_high": [r.slopes[1] for r in self.ranges]}
        if self.prevalence is not None:
            ratios = [r.cost_ratios(self.prevalence) for r in self.ranges]
            columns |= {"cost_ratio_low": [low for low, _ in ratios], "cost_ratio_high": [high for _, high in ratios]}
        return columns

    def _headline(self) -> str:
        return ", ".join(f"{r.model} [{r.pc_low:.3g}, {r.pc_high:.3g}]" for r in self.ranges[:6])


def ranges_table(columns: Mapping[str, Sequence[Any]]) -> Table:
    """The columns that a person reads, under printed names; a trivial rule has no threshold."""
    names = {"pc_low": translate("PC(+) from"), "pc_high": translate("PC(+) to")}
    shown = ("model", "threshold", "fpr", "tpr", "pc_low", "pc_high")
    found = {names.get(name, name): columns[name] for name in shown if name in columns}
    return Table(found | {"threshold": [t if math.isfinite(t) else None for t in columns["threshold"]]}, max_rows=12)


def ranges_text(ranges: Iterable[ContextRange]) -> Text:
    """Who is cheapest from where to where."""
    parts = [
        Text(
            "{model} from {low} to {high}", model=r.model, low=numeral(r.pc_low, ".3g"), high=numeral(r.pc_high, ".3g")
        )
        for r in ranges
    ]
    return joined(parts, ", ")
