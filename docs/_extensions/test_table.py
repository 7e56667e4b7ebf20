"""The directive ``test-table``: every test of the catalogue in a table, so that the guide cannot contradict it."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive

from bakeoff.comparison import FoldJob, InstanceJob, Job, catalogue, plannable

HEADINGS = ("test=", "name", "compares over", "with it or after it", "plan", "reference")
_READS = {InstanceJob: "instances", FoldJob: "splits", Job: "instances, splits or data sets"}


def rows() -> list[tuple[str, ...]]:
    """Return a row for every test, in the order in which ``test="auto"`` tries them."""
    return [
        (
            name,
            entry.label.english,
            _READS.get(entry.reads, "data sets"),
            ", ".join(filter(None, (*entry.companions, *entry.includes, entry.pairs_by, *entry.after))),
            "yes" if name in plannable() else "",
            "; ".join(map(str, entry.references)),
        )
        for name, entry in catalogue().items()
    ]


class TestTable(Directive):
    """``{test-table}``."""

    __test__ = False  # not a test class, whatever pytest makes of its name

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in HEADINGS), cols=len(HEADINGS))
        group += nodes.thead("", _row(HEADINGS))
        group += nodes.tbody("", *map(_row, rows()))
        return [nodes.table("", group)]


def _row(cells: tuple[str, ...]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph(text=cell)) for cell in cells))


def setup(app: Any) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("test-table", TestTable)
    return {"parallel_read_safe": True}
