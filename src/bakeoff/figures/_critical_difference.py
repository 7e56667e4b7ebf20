"""The critical-difference diagram: mean ranks over data sets, and the groups that cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bakeoff._core.errors import EvidenceError
from bakeoff._core.language import numeral, translate
from bakeoff.comparison import Comparison
from bakeoff.figures._base import DrawnFigure, Style, Texts, plain, styles_of
from bakeoff.figures._plot import shows

_LETTER = 0.062  # inches of an average letter of a name
_TICK = 0.25  # inches between two ranks below which lines from the axis to the names are too close
_BAR = 0.1  # inches between two bars of groups
_RING = {"marker": "o", "s": 24, "color": "white", "edgecolor": "black", "linewidth": 0.9, "zorder": 3}


@dataclass(frozen=True, repr=False)
class CriticalDifferenceFigure(DrawnFigure):
    """Mean ranks, best first; a bar joins models of which no two were shown to differ."""

    kind: ClassVar[str] = "critical-difference"
    size: ClassVar[tuple[float, float]] = (7.0, 3.0)
    grid: ClassVar[str] = ""

    styles: Mapping[str, Style]
    ranks: tuple[Mapping[str, Any], ...]
    cliques: tuple[tuple[str, ...], ...]
    cd: float | None
    n_datasets: int

    def _texts(self) -> dict[str, Any]:
        return {"title": translate("Mean ranks over {n} data sets", n=self.n_datasets), "caption": self._caption()}

    def _caption(self) -> str:
        text = translate("1 is best. A bar joins models of which no two were shown to differ.")
        # Pairs tested one by one need not follow the ranks: a group may leave out a model between its members.
        order = [r["model"] for r in self.ranks]
        places = [sorted(order.index(m) for m in group) for group in self._bars]
        if all(p[-1] - p[0] == len(p) - 1 for p in places):
            return text
        return text + " " + translate("A ring on a bar marks a model above it that does not belong to the group.")

    @property
    def _bars(self) -> list[tuple[str, ...]]:
        return [group for group in self.cliques if len(group) > 1]

    def inches(self, width: float | None = None) -> tuple[float, float]:
        """Width and height: names below the axis on both sides, or where that is too narrow one below the other."""
        wide, k = width or self.size[0], len(self.ranks)
        if self._listed(wide):
            return wide, 0.75 + 0.19 * k
        return wide, 0.75 + 0.2 * ((k + 1) // 2) + _BAR * len(self._bars)

    def _listed(self, width: float) -> bool:
        """Whether the axis between the names would be too short to tell the models' lines apart."""
        return width - 2 * self._name_width < _TICK * (len(self.ranks) - 1)

    @property
    def _name_width(self) -> float:
        return 0.15 + _LETTER * max(len(_named(r)) for r in self.ranks)

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        ax.axis("off")
        width = ax.get_figure(root=True).get_size_inches()[0] * ax.get_subplotspec().get_position(ax.figure).width
        return self._draw_list(ax) if self._listed(width) else self._draw_classic(ax, width)

    def _draw_classic(self, ax: Any, width: float) -> dict[str, Any]:
        """Demšar's diagram, drawn in inches downwards so that no two lines of text meet."""
        k = len(self.ranks)
        _axis(ax, range(1, k + 1), k)
        self._draw_models(ax)
        floor = -0.15 - _BAR * len(self._bars) - 0.2 * ((k + 1) // 2)
        artists = self._draw_bars(ax)
        self._draw_cd(ax)
        margin = self._name_width * (k - 1) / max(width - 2 * self._name_width, 0.5)
        ax.set_xlim(1 - margin, k + margin)
        ax.set_ylim(floor, 0.55 if self.cd else 0.3)
        return artists

    def _draw_cd(self, ax: Any) -> None:
        if self.cd:
            ax.plot([1, 1 + self.cd], [0.34, 0.34], color="black", linewidth=1.5)
            ax.text(1, 0.37, f"CD = {numeral(self.cd, '.2f')}", ha="left", va="bottom", fontsize=8)

    def _draw_models(self, ax: Any) -> None:
        """The better half is named on the left, the other on the right."""
        ranks = sorted(self.ranks, key=lambda r: r["rank"])
        k, floor = len(ranks), -0.15 - _BAR * len(self._bars)
        for i, entry in enumerate(ranks):
            left = i < (k + 1) // 2
            depth = floor - 0.2 * (i if left else k - 1 - i)
            end = 1 - 0.03 * (k - 1) if left else k + 0.03 * (k - 1)
            colour = self.styles[entry["model"]].colour
            ax.plot([entry["rank"], entry["rank"], end], [0, depth, depth], color=colour, linewidth=1.1)
            text, side = (f"{_named(entry)} ", "right") if left else (f" {_named(entry)}", "left")
            ax.text(end, depth, text, ha=side, va="center", fontsize=8)

    def _draw_bars(self, ax: Any) -> dict[str, Any]:
        rank_of = self._rank_of
        line = {"color": "black", "linewidth": 3, "solid_capstyle": "round"}
        bars, rings = [], []
        for i, group in enumerate(self._bars):
            y = -0.1 - _BAR * i
            best, worst = min(rank_of[m] for m in group), max(rank_of[m] for m in group)
            bars += ax.plot([best - 0.04, worst + 0.04], [y, y], **line)
            outside = [r for m, r in rank_of.items() if m not in group and best < r < worst]
            rings.append(ax.scatter(outside, [y] * len(outside), **_RING))
        return {"bars_": bars, "rings_": rings}

    @property
    def _rank_of(self) -> dict[str, float]:
        return {e["model"]: e["rank"] for e in sorted(self.ranks, key=lambda r: r["rank"])}

    def _draw_list(self, ax: Any) -> dict[str, Any]:
        """One model a line, its mean rank as a dot; an upright bar at the right joins those not told apart."""
        rank_of = self._rank_of
        places, k = {m: -0.15 - 0.19 * i for i, m in enumerate(rank_of)}, len(rank_of)
        every = 1 if k < 10 else 2 if k < 20 else 5
        _axis(ax, [r for r in range(1, k + 1) if r == 1 or r % every == every // 2 % 2], k)
        for entry in sorted(self.ranks, key=lambda r: r["rank"]):
            model, y = entry["model"], places[entry["model"]]
            ax.plot([1, k], [y, y], color="#dddddd", linewidth=0.6, zorder=0)
            ax.plot([entry["rank"]], [y], marker="o", markersize=4, color=self.styles[model].colour)
            ax.text(1 - 0.04 * (k - 1), y, _named(entry), ha="right", va="center", fontsize=7)
        bars, rings, step = [], [], 0.045 * (k - 1)
        for i, group in enumerate(self._bars):
            x, ends = k + step * (i + 1), sorted(places[m] for m in group)
            bars += ax.plot([x, x], [ends[0] - 0.04, ends[-1] + 0.04], color="black", linewidth=2.2)
            outside = [y for m, y in places.items() if m not in group and ends[0] < y < ends[-1]]
            rings.append(ax.scatter([x] * len(outside), outside, **_RING))
        width = self._name_width * 0.9
        inside = max(ax.get_figure(root=True).get_size_inches()[0] - width, 1.0)
        right = k + step * (len(self._bars) + 1)
        ax.set_xlim(1 - width * (right - 1) / inside, right)
        ax.set_ylim(min(places.values()) - 0.12, 0.55 if self.cd else 0.3)
        self._draw_cd(ax)
        return {"bars_": bars, "rings_": rings}


def _named(entry: Mapping[str, Any]) -> str:
    return f"{plain(entry['model'], 30)} ({numeral(entry['rank'], '.2f')})"


def _axis(ax: Any, ticks: Iterable[int], k: int) -> None:
    ax.plot([1, k], [0, 0], color="black", linewidth=1)
    for r in ticks:
        ax.plot([r, r], [0, 0.05], color="black", linewidth=1)
        ax.text(r, 0.08, str(r), ha="center", va="bottom", fontsize=7)


def _has_ranks_of_many(comparison: Comparison) -> bool:
    return comparison.ranks is not None and len(comparison.models) > 2


@shows(Comparison, name="ranks", where=_has_ranks_of_many)
def critical_difference_figure(comparison: Comparison) -> CriticalDifferenceFigure:
    """Collect the ranks and groups; a bar joins models only if every pair among them was not shown to differ.

    Examples
    --------
    >>> import bakeoff
    >>> table = [[0.81, 0.78, 0.70], [0.92, 0.90, 0.85], [0.75, 0.76, 0.71], [0.88, 0.84, 0.80], [0.67, 0.60, 0.62]] * 3
    >>> comparison = bakeoff.compare(bakeoff.Scores.from_wide(table, models=["a", "b", "c"], measure="auc"), rng=0)
    >>> figure = bakeoff.figures.critical_difference_figure(comparison)
    >>> {r["model"]: round(r["rank"], 2) for r in figure.ranks}
    {'a': 1.2, 'b': 2.0, 'c': 2.8}
    """
    if comparison.ranks is None:
        raise EvidenceError("ranks need several data sets.", hint="compare scores over data sets")
    return CriticalDifferenceFigure(
        styles=styles_of(comparison.models),
        ranks=tuple({"model": m, "rank": float(r)} for m, r in comparison.ranks.items()),
        cliques=comparison.groups,
        cd=comparison.critical_difference,
        n_datasets=comparison.design.n_datasets,
    )
