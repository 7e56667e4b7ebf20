"""The directive ``measure-facts``: what the catalogue says of a measure, so that the guide cannot contradict it."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from facts import facts


class MeasureFacts(Directive):
    """``{measure-facts} auc``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Build one paragraph: a fact after the other, each led by its name."""
        paragraph = nodes.paragraph(classes=["measure-facts"])
        for name, text in facts(self.arguments[0]):
            paragraph += [nodes.strong("", name), nodes.Text(f" {text}. ")]
        return [paragraph]


def setup(app: Any) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("measure-facts", MeasureFacts)
    return {"parallel_read_safe": True}
