"""The decision guide as a tree of questions, for pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bakeoff._core.language import translate
from bakeoff.comparison import Guide, Leaf, Question
from bakeoff.figures._base import FigureData


@dataclass(frozen=True, repr=False)
class AdviceTreeFigure(FigureData):
    """Questions with their answers, down to the advice; `open` shows all of it, else the path taken."""

    kind: ClassVar[str] = "advice-tree"

    _guide: Guide
    _taken: Mapping[str, str] = field(default_factory=dict)
    open: bool = False

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("Which test for which evidence?"),
            "caption": translate("Answer the questions from the top."),
            "root": _branch(self._guide.root, self._taken),
        }


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


def _branch(node: Question | Leaf, taken: Mapping[str, str]) -> dict[str, Any]:
    if isinstance(node, Leaf):
        return {"advice": f"{node.title}", "why": f"{node.reason} {node.then}".strip()}
    options = [
        {"answer": f"{a.text}", "taken": taken.get(node.code) == a.code, "next": _branch(a.leads_to, taken)}
        for a in node.answers
    ]
    return {"question": f"{node.text}", "options": options}
