from __future__ import annotations

from typing import Any

from bakeoff.comparison import guide
from bakeoff.figures import advice_tree_figure


def leaves(node: dict[str, Any]) -> list[dict[str, Any]]:
    if "advice" in node:
        return [node]
    return [leaf for option in node["options"] for leaf in leaves(option["next"])]


def test_every_path_ends_in_advice_with_a_reason() -> None:
    found = leaves(advice_tree_figure(guide()).to_dict()["root"])
    assert len(found) > 5
    assert all(leaf["advice"] and leaf["why"] == leaf["why"].strip() for leaf in found)


def test_the_path_taken_is_marked() -> None:
    root = guide().root
    answer = root.answers[1]
    data = advice_tree_figure(guide(), taken={root.code: answer.code}).to_dict()["root"]
    assert [option["taken"] for option in data["options"]] == [False, True]
