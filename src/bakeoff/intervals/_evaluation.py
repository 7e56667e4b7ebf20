"""Evaluation: every measure of every model, each with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from bakeoff._core.errors import EvidenceError, unknown_choice
from bakeoff._core.language import Text
from bakeoff._core.result import Interval, Note, Result, jsonable, late, records, unique
from bakeoff._core.view import View
from bakeoff.evidence import Design
from bakeoff.intervals._attempts import Variance
from bakeoff.intervals._entry import Entry, columns_of_entries
from bakeoff.intervals._evaluation_view import evaluation_view
from bakeoff.intervals._per_class import Confusion, PerClass
from bakeoff.intervals._slices import Slices


class ClassQuestion(Protocol):
    """What can still be asked of the rows that were evaluated."""

    def confusion(self) -> Confusion: ...
    def per_class(self) -> PerClass: ...


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
    greater_is_better
        Measure → whether more of it is better, where that is known.
    confusion, per_class
        Of a classification: counts of true and predicted classes, and measures of each class against the rest.
    slices
        The same by slice, where ``by=`` was asked for; else None.
    variance
        Where items were attempted several times: how much items vary and how much attempts; else None.

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
    slices: Slices | None = None
    variance: Variance | None = None
    greater_is_better: Mapping[str, bool] = field(default_factory=dict)
    _asked: ClassQuestion | None = field(default=None, compare=False)
    _first: str = ""

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

    @cached_property
    def confusion(self) -> Confusion:
        """Confusion counts of every model whose labels are known."""
        return self._question().confusion()

    @cached_property
    def per_class(self) -> PerClass:
        """Precision, recall, F1 (and AUC) of each class against the rest, with their intervals."""
        return self._question().per_class()

    def _question(self) -> ClassQuestion:
        if self._asked is None:
            raise EvidenceError(
                "there are no classes here: the evidence is scores, outcomes or values.",
                hint="evaluate Predictions of a classification",
            )
        return self._asked

    def _columns(self) -> dict[str, Sequence[Any]]:
        return columns_of_entries(self.entries)

    def _view(self) -> View:
        return evaluation_view(self)

    def _notes(self) -> tuple[Note, ...]:
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

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-able values."""
        return {
            "kind": "Evaluation",
            "schema_version": 1,
            "confidence_level": self.confidence_level,
            "design": jsonable(self.design),
            "baselines": list(self.baselines),
            "greater_is_better": dict(self.greater_is_better),
            "entries": jsonable(records(self._columns())),
            "notes": jsonable(self._notes()),
            "slices": jsonable(self.slices),
            "variance": jsonable(self.variance),
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
