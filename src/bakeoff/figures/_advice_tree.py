"""The decision guide as a tree of questions, for pages."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bakeoff._core.language import translate
from bakeoff.comparison import Advice, Guide, Leaf, Question, guide
from bakeoff.figures._base import DrawnFigure, Texts
from bakeoff.figures._plot import shows

_LINE, _COLUMN, _SHORT = 0.3, 27, 12  # inches of a line; letters of an answer, and of one that needs its question


@dataclass(frozen=True, repr=False)
class AdviceTreeFigure(DrawnFigure):
    """Questions with their answers, down to the advice; `open` shows all of it, else the path taken."""

    kind: ClassVar[str] = "advice-tree"
    grid: ClassVar[str] = ""

    _guide: Guide
    _taken: Mapping[str, str] = field(default_factory=dict)
    open: bool = False

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("Which test for which evidence?"),
            "caption": translate("Answer the questions from the top."),
            "root": _branch(self._guide.root, self._taken),
        }

    def inches(self, width: float | None = None) -> tuple[float, float]:
        """As high as there are leaves."""
        return width or 12.0, 1.0 + _LINE * sum(1 for _ in _leaves(self._texts()["root"], ()))

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        paths = list(_leaves(texts["root"], ()))
        middle: dict[tuple[tuple[str, bool], ...], list[int]] = {}
        for row, (path, _) in enumerate(paths):
            for depth in range(len(path) + 1):
                middle.setdefault(path[:depth], []).append(row)
        place = {path: -sum(rows) / len(rows) for path, rows in middle.items()}
        deepest = max(len(path) for path, _ in paths)
        for path, y in place.items():
            if not path:
                continue
            x, (answer, taken) = len(path) - 1, path[-1]
            look = {"color": "#d55e00", "linewidth": 2.0} if taken else {"color": "0.7", "linewidth": 0.8}
            ax.plot([x - 0.06, x - 0.03, x - 0.03, x], [place[path[:-1]]] * 2 + [y] * 2, **look)
            ax.text(x + 0.01, y, "\n".join(textwrap.wrap(answer, _COLUMN)), va="center", fontsize=6.5)
        for row, (path, advice) in enumerate(paths):
            ax.plot([len(path) - 0.06, deepest - 0.02], [-row, -row], color="0.88", linewidth=0.7, zorder=0)
            ax.text(deepest, -row, "\n".join(textwrap.wrap(advice, 54)), va="center", fontsize=6.5, color="#0072b2")
        ax.set_xlim(-0.1, deepest + 1.9)
        ax.set_ylim(-len(paths) + 0.3, 0.7)
        ax.axis("off")
        return {}


def advice_tree_figure(
    guide: Guide, *, taken: Mapping[str, str] | None = None, open_all: bool = False
) -> AdviceTreeFigure:
    """Turn the guide of `advise` into nested data; `taken` (question code → answer code) opens that path.

    Examples
    --------
    >>> from bakeoff.comparison import guide
    >>> from bakeoff.figures import advice_tree_figure
    >>> root = advice_tree_figure(guide()).to_dict()["root"]
    >>> root["question"], [option["answer"] for option in root["options"]]
    ('How many data sets?', ['one', 'several'])
    """
    return AdviceTreeFigure(guide, taken or {}, open_all)


@shows(Guide, name="tree")
def _guide_figure(shown: Guide) -> AdviceTreeFigure:
    return advice_tree_figure(shown, open_all=True)


@shows(Advice, name="tree")
def _advice_figure(advice: Advice) -> AdviceTreeFigure:
    """The whole tree, with the path of this advice."""
    return advice_tree_figure(guide(), taken=advice._answers, open_all=True)


Path = tuple[tuple[str, bool], ...]


def _leaves(node: Mapping[str, Any], path: Path, *, reached: bool = True) -> Iterator[tuple[Path, str]]:
    """Every path of answers, with whether it was taken, and the advice at its end."""
    if "advice" in node:
        yield path, f"{node['advice']}, {node['then']}" if node["then"] else node["advice"]
        return
    for option in node["options"]:
        bare = len(option["answer"]) <= _SHORT  # "yes", "one": nothing without the question
        answer = f"{node['question']} {option['answer']}" if bare else option["answer"]
        here = reached and option["taken"]
        yield from _leaves(option["next"], (*path, (answer, here)), reached=here)


def _branch(node: Question | Leaf, taken: Mapping[str, str]) -> dict[str, Any]:
    if isinstance(node, Leaf):
        return {
            "advice": f"{node.title}",
            "why": f"{node.reason} {node.then}".strip(),
            "then": node.then,
            "by_name": node.by_name,
        }
    options = [
        {"answer": f"{a.text}", "taken": taken.get(node.code) == a.code, "next": _branch(a.leads_to, taken)}
        for a in node.answers
    ]
    return {"question": f"{node.text}", "options": options}
