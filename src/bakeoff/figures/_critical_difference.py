"""The critical-difference diagram: mean ranks over data sets, and the groups that cannot be told apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bakeoff._core.errors import EvidenceError
from bakeoff._core.language import numeral, translate
from bakeoff.comparison import Comparison
from bakeoff.figures._base import DrawnFigure, Style, Texts, plain, styles_of
from bakeoff.figures._plot import shows


@dataclass(frozen=True, repr=False)
class CriticalDifferenceFigure(DrawnFigure):
    """Mean ranks, best first; a bar joins models of which no two were shown to differ."""

    kind: ClassVar[str] = "critical-difference"
    size: ClassVar[tuple[float, float]] = (7.0, 3.0)

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

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        k = len(self.ranks)
        ax.plot([1, k], [0, 0], color="black")
        for r in range(1, k + 1):
            ax.plot([r, r], [0, 0.12], color="black")
            ax.text(r, 0.2, str(r), ha="center", va="bottom", fontsize=8)
        self._draw_models(ax)
        artists = self._draw_bars(ax)
        if self.cd:
            ax.plot([1, 1 + self.cd], [0.75, 0.75], color="black", linewidth=1.5)
            ax.text(1 + self.cd / 2, 0.82, f"CD = {numeral(self.cd, '.2f')}", ha="center", fontsize=8)
        ax.set_xlim(1 - 0.55 * (k - 1), k + 0.55 * (k - 1))
        ax.axis("off")
        return artists

    def _draw_models(self, ax: Any) -> None:
        """The better half is named on the left, the other on the right."""
        ranks = sorted(self.ranks, key=lambda r: r["rank"])
        k, floor = len(ranks), -0.35 - 0.25 * len(self._bars)
        for i, entry in enumerate(ranks):
            left = i < (k + 1) // 2
            depth = floor - 0.45 * (i if left else k - 1 - i)
            end = 1 - 0.15 * (k - 1) if left else k + 0.15 * (k - 1)
            colour = self.styles[entry["model"]].colour
            ax.plot([entry["rank"], entry["rank"], end], [0, depth, depth], color=colour, linewidth=1.2)
            name = f"{plain(entry['model'], 30)} ({entry['rank']:.2f})"
            text, side = (f"{name} ", "right") if left else (f" {name}", "left")
            ax.text(end, depth, text, ha=side, va="center", fontsize=8)

    def _draw_bars(self, ax: Any) -> dict[str, Any]:
        rank_of = {e["model"]: e["rank"] for e in sorted(self.ranks, key=lambda r: r["rank"])}
        line = {"color": "black", "linewidth": 4, "solid_capstyle": "round"}
        ring = {"marker": "o", "s": 28, "color": "white", "edgecolor": "black", "linewidth": 0.9, "zorder": 3}
        bars, rings = [], []
        for i, group in enumerate(self._bars):
            y = -0.18 - 0.25 * i
            best, worst = min(rank_of[m] for m in group), max(rank_of[m] for m in group)
            bars += ax.plot([best - 0.04, worst + 0.04], [y, y], **line)
            outside = [r for m, r in rank_of.items() if m not in group and best < r < worst]
            rings.append(ax.scatter(outside, [y] * len(outside), **ring))
        return {"bars_": bars, "rings_": rings}


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
