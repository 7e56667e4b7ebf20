"""Draw the decision guide of `advise` with matplotlib: questions left, tests right, one line a situation."""

from __future__ import annotations

import textwrap
from typing import Any

from bakeoff.comparison import guide
from bakeoff.figures import advice_tree_figure


def branches(node: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Answers and where they lead; a bare yes or no is written with its question."""
    written = {
        "one": "one data set",
        "several": "several data sets",
        "no": "rows are independent",
        "yes": "rows in clusters",
    }
    return [(written.get(option["answer"], option["answer"]), option["next"]) for option in node["options"]]


def situations(node: dict[str, Any], path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], list[tuple[str, str]]]]:
    """Paths to the last question (how many models?) with its two answers, which share a line of the figure."""
    if all("advice" in child for _, child in branches(node)):
        return [(path, [(answer, child["advice"]) for answer, child in branches(node)])]
    return [found for answer, child in branches(node) for found in situations(child, (*path, answer))]


def draw() -> Any:
    import matplotlib.pyplot as plt

    lines = situations(advice_tree_figure(guide(), open_all=True).to_dict()["root"])
    depth = max(len(path) for path, _ in lines)
    figure, ax = plt.subplots(figsize=(9.6, 0.62 * len(lines) + 0.6))
    ax.axis("off")
    place: dict[tuple[str, ...], list[int]] = {}
    for row, (path, _) in enumerate(lines):
        for level in range(len(path) + 1):
            place.setdefault(path[:level], []).append(row)
    x = [0.0, 1.75, 4.5, 6.9, 9.2][: depth + 1]
    middle = {path: -sum(rows) / len(rows) for path, rows in place.items()}
    for path, y in middle.items():
        if not path:
            continue
        parent = middle[path[:-1]]
        ax.plot([x[len(path) - 1] - 0.25, x[len(path) - 1] - 0.1, x[len(path) - 1] - 0.1, x[len(path) - 1]],
                [parent, parent, y, y], color="0.6", lw=0.8)  # fmt: skip
        text = "\n".join(textwrap.wrap(path[-1], 26))
        ax.text(x[len(path) - 1] + 0.03, y, text, va="center", fontsize=7.5, color="#0072b2")
    for row, (path, tests) in enumerate(lines):
        ax.plot([x[len(path)] - 0.25, 9.35], [-row, -row], color="0.88", lw=0.8, zorder=0)
        two, more = (test for _, test in tests)
        then = "every pair, adjusted by Holm" if two == more else f"{more}, then the pairs with Holm"
        ax.text(9.4, -row, f"{two}\n≥ 3 models: {then}", va="center", fontsize=7.5)
    ax.set_xlim(-0.4, 15.6)
    ax.set_ylim(-len(lines) + 0.4, 0.6)
    return figure
