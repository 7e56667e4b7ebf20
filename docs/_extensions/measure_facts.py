"""The directive ``measure-facts``: what the catalogue says of a measure, so that the guide cannot contradict it."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive

from bakeoff.measures import get


def bounds_text(bounds: tuple[float, float]) -> str:
    """Write the range of a measure, such as ``0 … 1`` or ``-∞ … 1``."""
    low, high = (f"{b:g}".replace("inf", "∞").replace("-", "−") for b in bounds)
    return f"{low} … {high}"


def facts(name: str) -> list[tuple[str, str]]:
    """Return the rows of a measure's box: meaning, range, direction, needs, when it is undefined."""
    measure = get(name)
    positive = ", and a positive class" if measure.needs_positive else ""
    return [
        ("Says", measure.meaning),
        ("Range", f"{bounds_text(measure.bounds)}; {'greater' if measure.greater_is_better else 'less'} is better"),
        ("Needs", f"{measure.needs}{positive} ({', '.join(measure.tasks)})"),
        ("Undefined when", measure.undefined_when),
    ]


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
