"""Evaluation: every measure of every model, each with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bakeoff._core.errors import EvidenceError, unknown_choice
from bakeoff._core.language import Text, joined, translate
from bakeoff._core.notes import Note
from bakeoff._core.result import Interval, Result, jsonable, late
from bakeoff._core.text import format_number, text_table
from bakeoff.evidence import Design


@dataclass(frozen=True, repr=False)
class Entry(Result):
    """One cell of an evaluation.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_arrays([0, 1] * 50, y_pred={"a": [0, 1] * 40 + [1, 0] * 5 + [0, 1] * 5})
    >>> entry = bakeoff.evaluate(p, "accuracy").entries[0]
    >>> entry.model, entry.measure, entry.n, entry.interval.method
    ('a', 'accuracy', 100, 'wilson')
    """

    dataset: str
    model: str
    measure: str
    interval: Interval
    n: int
    n_units: int = 0
    standard_error: float = float("nan")

    @property
    def note(self) -> str:
        """The notes of the interval as one text, in the language of the reader."""
        return str(self._note())

    def _note(self) -> Text:
        return joined(n.text for n in self.interval.notes)


@dataclass(frozen=True, repr=False)
class Evaluation(Result):
    """The measures of every model on every data set, with confidence intervals.

    ``evaluation[model, measure]`` is an `Interval`; with several data sets, ``evaluation[dataset, model, measure]``.

    Attributes
    ----------
    entries
        One per data set, model and measure.
    confidence_level
        Nominal coverage of every interval.
    design
        How the evidence was made.
    baselines
        Names of the trivial models among the models.
    notes
        Choices that concern the whole table.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_arrays([0, 1] * 50, y_pred={"a": [0, 1] * 40 + [1, 0] * 5 + [0, 1] * 5})
    >>> evaluation = bakeoff.evaluate(p, ["accuracy", "kappa"], rng=0)
    >>> print(evaluation["a", "kappa"])
    0.8000 [0.6382, 0.8945] (95 %, rule)
    >>> list(evaluation.to_frame().columns)
    ['dataset', 'model', 'measure', 'estimate', 'low', 'high', 'method', 'n', 'note', 'standard_error', 'n_units']
    """

    entries: tuple[Entry, ...]
    confidence_level: float
    design: Design
    baselines: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """Models, in order."""
        return tuple(dict.fromkeys(e.model for e in self.entries))

    @property
    def measures(self) -> tuple[str, ...]:
        """Measures, in order."""
        return tuple(dict.fromkeys(e.measure for e in self.entries))

    @property
    def datasets(self) -> tuple[str, ...]:
        """Data sets, in order."""
        return tuple(dict.fromkeys(e.dataset for e in self.entries))

    def __getitem__(self, key: tuple[str, str] | tuple[str, str, str]) -> Interval:
        if not isinstance(key, tuple) or len(key) not in (2, 3):
            raise EvidenceError("ask as evaluation[model, measure] or evaluation[dataset, model, measure].")
        if len(key) == 2 and len(self.datasets) > 1:
            raise EvidenceError(
                f"there are {len(self.datasets)} data sets.", hint="ask as evaluation[dataset, model, measure]"
            )
        dataset, model, measure = key if len(key) == 3 else (self.datasets[0], *key)
        measure = _canonical(measure)
        for wanted, known, what in (
            (dataset, self.datasets, "dataset"),
            (model, self.models, "model"),
            (measure, self.measures, "measure"),
        ):
            if wanted not in known:
                raise unknown_choice(what, wanted, known)
        for entry in self.entries:
            if (entry.dataset, entry.model, entry.measure) == (dataset, model, measure):
                return entry.interval
        raise EvidenceError(f"{measure} of {model!r} on {dataset!r} was not computed.")

    def _columns(self) -> dict[str, Sequence[Any]]:
        return {
            "dataset": [e.dataset for e in self.entries],
            "model": [e.model for e in self.entries],
            "measure": [e.measure for e in self.entries],
            "estimate": [e.interval.estimate for e in self.entries],
            "low": [e.interval.low for e in self.entries],
            "high": [e.interval.high for e in self.entries],
            "method": [e.interval.method for e in self.entries],
            "n": [e.n for e in self.entries],
            "note": [e._note() for e in self.entries],
            "standard_error": [e.standard_error for e in self.entries],
            "n_units": [e.n_units for e in self.entries],
        }

    def table(self, dataset: str | None = None) -> dict[str, list[str]]:
        """Rows measures, columns models, cells ``estimate [low, high]``: what people look at first."""
        chosen = dataset or self.datasets[0]
        cells = {(e.model, e.measure): e.interval for e in self.entries if e.dataset == chosen}
        columns: dict[str, list[str]] = {"measure": list(self.measures)}
        for model in self.models:
            columns[model] = [_cell(cells.get((model, measure))) for measure in self.measures]
        return columns

    def __str__(self) -> str:
        parts = [self.design.describe()]
        for dataset in self.datasets:
            head = [f"\n{dataset}"] if len(self.datasets) > 1 else []
            parts += [*head, text_table(self.table(dataset))]
        level = translate("{level} % confidence intervals", level=f"{100 * self.confidence_level:g}")
        return "\n".join([*parts, level, *(str(n) for n in self._notes())])

    def _notes(self) -> tuple[Note, ...]:
        from bakeoff._core.notes import unique

        # What is odd about a trivial baseline (no spread, nothing called positive) is no news.
        owners: dict[Note, dict[str, None]] = {}
        for entry in self.entries:
            for note in entry.interval.notes:
                if note.level == "warning" and entry.model not in self.baselines:
                    owners.setdefault(note, {})[entry.model] = None
        if not self.notes and not owners:
            return ()
        everyone = set(self.models) - set(self.baselines)
        return unique([*self.notes, *(_named(n, list(m), everyone) for n, m in owners.items())])

    def _headline(self) -> str:
        return f"{len(self.models)} models × {len(self.measures)} measures × {len(self.datasets)} data sets"

    def _repr_html_(self) -> str:
        from html import escape

        from bakeoff._core.text import html_table

        tables = "".join(html_table(self.table(d), caption=d) for d in self.datasets)
        notes = "".join(f'<p style="margin:.2em .7em;font:13px system-ui">{escape(str(n))}</p>' for n in self._notes())
        return tables + notes

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-able values."""
        columns = self._columns()
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return {
            "kind": "Evaluation",
            "schema_version": 1,
            "confidence_level": self.confidence_level,
            "design": jsonable(self.design),
            "baselines": list(self.baselines),
            "entries": jsonable(rows),
            "notes": jsonable(self._notes()),
        }

    def report(self, **options: Any) -> Any:
        """Make the HTML report of this evaluation."""
        return late("bakeoff.report", "report")(self, **options)


def _named(note: Note, models: list[str], everyone: set[str]) -> Note:
    """Put whose note it is before it, unless it is everybody's."""
    if set(models) == everyone:
        return note
    shown = ", ".join(map(repr, models[:4])) + (" …" if len(models) > 4 else "")
    return Note(note.code, Text("{models}: {note}", models=shown, note=note.text), note.level)


def _canonical(measure: str) -> str:
    from bakeoff.measures import find

    known = find(measure)
    return measure if known is None else known.name


def _cell(interval: Interval | None) -> str:
    if interval is None:
        return "–"
    estimate = format_number(interval.estimate)
    if interval.low != interval.low:
        return estimate
    return f"{estimate} [{format_number(interval.low)}, {format_number(interval.high)}]"
