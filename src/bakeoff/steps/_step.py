"""Steps: a computation told in order; each with a title, words, a formula and a table."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, overload

from bakeoff._core.language import Text, current_language, heading, language, render
from bakeoff._core.text import format_value, markdown_table
from bakeoff._core.view import COLUMNS, Table, html_table, text_table, wrapped
from bakeoff.steps._formula import Formula

_INDENT = "   "
_FONT = "font:13px/1.45 system-ui,sans-serif;max-width:860px"


@dataclass(frozen=True)
class Step:
    """One step of a computation.

    Attributes
    ----------
    title, text
        What is done, and what there is to say about it.
    formula
        With the data's own numbers; None where there is none.
    table
        What the step looks at or makes; None where there is none.

    Examples
    --------
    >>> from bakeoff.steps import Formula, Step
    >>> step = Step("Mean", formula=Formula("x̄ = ({a} + {b}) / 2 = {mean}", a=1, b=4, mean=2.5))
    >>> print(step.formula)
    x̄ = (1 + 4) / 2 = 2.5
    """

    title: Text | str
    text: Text | str = ""
    formula: Formula | None = None
    table: Table | None = None

    def _plain(self) -> dict[str, Any]:
        """What is written of it to JSON: English, whatever the language."""
        with language("en"):
            columns = {} if self.table is None else self.table.columns
            return {
                "title": render(self.title),
                "text": render(self.text),
                "formula": "" if self.formula is None else str(self.formula),
                "table": {str(name): [format_value(cell) for cell in cells] for name, cells in columns.items()},
            }


class Steps(Sequence[Step]):
    """The working of a result, in order; printed, shown in a notebook, or written as Markdown.

    Examples
    --------
    >>> from bakeoff import stats
    >>> steps = stats.mcnemar_from_table([[145, 10], [25, 20]], method="chi2_corrected").steps()
    >>> [str(step.title) for step in steps][:3]
    ['Hypotheses', 'Contingency table', 'The test statistic']
    """

    def __init__(
        self, title: Text | str, steps: Iterable[Step] | Callable[[], Iterable[Step]], lang: str | None = None
    ) -> None:
        self.title, self.lang, self._make = title, lang, steps if callable(steps) else partial(tuple, steps)
        self._told: dict[str, tuple[Step, ...]] = {}

    @property
    def _steps(self) -> tuple[Step, ...]:
        """The steps in the language they are read in: formulas and cells hold numbers in its marks."""
        with self._speaking():
            name = current_language()
            if name not in self._told:
                self._told[name] = tuple(self._make())
            return self._told[name]

    @overload
    def __getitem__(self, place: int) -> Step: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Step, ...]: ...
    def __getitem__(self, place: int | slice) -> Step | tuple[Step, ...]:
        return self._steps[place]

    def __len__(self) -> int:
        return len(self._steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self._steps)

    def __repr__(self) -> str:
        return f"Steps({render(self.title)!r}, {len(self)} steps)"

    def _speaking(self) -> AbstractContextManager[None]:
        return nullcontext() if self.lang is None else language(self.lang)

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int | None = COLUMNS) -> str:
        """Write the steps as plain text of at most `width` columns (None: as wide as they come)."""
        with self._speaking():
            blocks = ["\n".join(wrapped(render(self.title), width))]
            return "\n\n".join([*blocks, *(_text(n, step, width) for n, step in enumerate(self, 1))])

    def _repr_html_(self) -> str:
        with self._speaking():
            items = "".join(f'<li style="margin:.6em 0">{_html(step)}</li>' for step in self)
            title = html.escape(render(self.title))
            body = f"<p><strong>{title}</strong></p><ol>{items}</ol>"
            return f'<div class="bakeoff bakeoff-steps" style="{_FONT}">{body}</div>'

    def to_markdown(self) -> str:
        """Write the steps as Markdown; formulas are LaTeX between dollars."""
        with self._speaking():
            blocks = [f"**{render(self.title)}**"]
            for n, step in enumerate(self, 1):
                blocks += [f"### {n}. {render(step.title)}", render(step.text)]
                blocks += [] if step.formula is None else [step.formula.latex()]
                blocks += [] if step.table is None else [_markdown(step.table)]
            return "\n\n".join(block for block in blocks if block) + "\n"

    def _plain(self) -> list[dict[str, Any]]:
        """What is written of it to JSON: English, whatever the language."""
        with language("en"):
            return [step._plain() for step in self._make()]


def _text(n: int, step: Step, width: int | None) -> str:
    inner = None if width is None else width - len(_INDENT)
    lines = wrapped(f"{n}. {render(step.title)}", width)
    lines += [_INDENT + line for line in wrapped(render(step.text), inner) if line]
    if step.formula is not None:
        lines += [_INDENT + line for one in step.formula.lines for line in _broken(one, inner)]
    if step.table is not None:
        lines += [_INDENT + line for line in text_table(step.table, inner).split("\n")]
    return "\n".join(line.rstrip() for line in lines)


def _broken(line: str, width: int | None) -> list[str]:
    """A long formula goes on below, each further line set in."""
    first, *rest = wrapped(line, width)
    return [first, *(f"  {more}" for part in rest for more in wrapped(part, None if width is None else width - 2))]


def _html(step: Step) -> str:
    parts = [f"<strong>{html.escape(render(step.title))}</strong>"]
    parts += [f'<p style="margin:.3em 0">{html.escape(line)}</p>' for line in render(step.text).split("\n") if line]
    parts += [] if step.formula is None else [step.formula.mathml()]
    parts += [] if step.table is None else [html_table(step.table)]
    return "".join(parts)


def _markdown(table: Table) -> str:
    columns = {heading(name) or " ": list(cells) for name, cells in table.columns.items()}
    most, last = table.max_rows, table.last_rows
    n_rows = max((len(cells) for cells in columns.values()), default=0)
    if n_rows > most:
        columns = {name: [*c[: most - last], "…", *c[len(c) - last :]] for name, c in columns.items()}
    return markdown_table(columns)
