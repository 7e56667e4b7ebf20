"""Slices, as a result: an answer for every part of the evidence, the widest gap, and whether the parts are alike."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bakeoff._core.errors import unknown_choice
from bakeoff._core.language import Text, heading, joined, label, translate
from bakeoff._core.result import Interval, Note, Result, columns_of, records, unique
from bakeoff._core.view import Table, View, estimate_cell
from bakeoff.measures import label_of


@dataclass(frozen=True, repr=False)
class SliceEntry(Result):
    """One slice of one model, or of one pair.

    Attributes
    ----------
    slice, dataset, subject, measure
        What it is about; `subject` is a model, or the two of a pair.
    estimate, low, high
        The value, and limits that hold for all slices at once.
    n, n_units
        Rows, and units among them.
    pointwise
        The interval of this slice alone.
    pvalue_adjusted
        Of a pair: that there is no difference in this slice, allowing for all slices.
    closeness
        Of a pair with a margin: what this slice alone shows.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_outcomes({"a": [1, 0, 1, 1] * 20}, slices={"half": ["x", "y"] * 40})
    >>> entry = bakeoff.evaluate(p, by="half").slices.entries[0]
    >>> entry.slice, entry.estimate, entry.n
    ('x', 1.0, 40)
    """

    slice: str
    dataset: str
    subject: tuple[Any, ...]
    measure: str
    estimate: float
    low: float
    high: float
    n: int
    n_units: int
    pointwise: Interval
    pvalue_adjusted: float = float("nan")
    closeness: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def note(self) -> str:
        """Its notes as one text, in the language of the reader."""
        return str(self._note)

    @property
    def _note(self) -> Text:
        return joined(note.text for note in (*self.pointwise.notes, *self.notes))


@dataclass(frozen=True, repr=False)
class Gap(Result):
    """The two slices that are farthest apart, and their difference; the interval allows for having looked for them.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_outcomes({"a": [1, 0, 1, 1] * 20}, slices={"half": ["x", "y"] * 40})
    >>> gap = bakeoff.evaluate(p, by="half").slices.gap
    >>> gap.best, gap.worst, gap.estimate
    ('x', 'y', 0.5)
    """

    best: str
    worst: str
    estimate: float
    low: float
    high: float
    pvalue: float


@dataclass(frozen=True, repr=False)
class Heterogeneity(Result):
    """Are the slices equal? Cochran's Q on χ², or Welch's F where a slice has few units.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_outcomes({"a": [1, 0, 1, 1] * 20}, slices={"third": [*"xyz"] * 26 + [*"xy"]})
    >>> bakeoff.evaluate(p, by="third").slices.heterogeneity.method
    "Cochran's Q, pooled variance"
    """

    statistic: float
    df: float | tuple[float, float]
    pvalue: float
    method: str
    winner_changes: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class Worst(Result):
    """The slice with the worst value, in the measure's own direction.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_outcomes({"a": [1, 0, 1, 1] * 20}, slices={"half": ["x", "y"] * 40})
    >>> bakeoff.evaluate(p, by="half").slices.worst.slice
    'y'
    """

    slice: str
    estimate: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, repr=False)
class Each(Result):
    """One answer for each model or pair; where there is only one, its fields are here too.

    Examples
    --------
    >>> import bakeoff
    >>> halves = {"half": ["x"] * 30 + ["y"] * 30}
    >>> p = bakeoff.Predictions.from_outcomes({"a": [1, 0] * 30, "b": [1, 1] * 30}, slices=halves)
    >>> bakeoff.evaluate(p, by="half").slices.gap["b"].estimate
    0.0
    """

    answers: Mapping[tuple[str, ...], Any]
    names: tuple[str, ...]

    def __getitem__(self, key: str | tuple[str, ...]) -> Any:
        parts = (key,) if isinstance(key, str) else tuple(key)
        found = [answer for labels, answer in self.answers.items() if _among(parts, labels)]
        if len(found) != 1:
            raise unknown_choice("slices", " – ".join(parts), [" – ".join(labels) for labels in self.answers])
        return found[0]

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)

    def __getattr__(self, name: str) -> Any:
        answers = self.__dict__.get("answers", {})
        if name.startswith("_") or len(answers) != 1:
            raise AttributeError(f"there are {len(answers)} answers: ask for one by its model, as in [model].{name}")
        return getattr(next(iter(answers.values())), name)

    def _headline(self) -> str:
        return ", ".join(f"{' – '.join(labels)}: {answer!r}" for labels, answer in list(self.answers.items())[:3])

    def _columns(self) -> dict[str, Sequence[Any]]:
        columns: dict[str, list[Any]] = {
            name: [labels[j] for labels in self.answers] for j, name in enumerate(self.names)
        }
        for answer in self.answers.values():
            for name, values in answer._columns().items():
                columns.setdefault(name, []).append(values[0])
        return dict(columns)

    def _plain(self) -> Any:
        """What is written of it to JSON."""
        return records(self._columns())


def _among(parts: tuple[str, ...], labels: tuple[str, ...]) -> bool:
    """Whether the parts stand in the labels in their order."""
    rest = iter(labels)
    return all(part in rest for part in parts)


@dataclass(frozen=True, repr=False)
class Slices(Result):
    """The answers by slice.

    Attributes
    ----------
    by
        The column, or columns joined by ×.
    entries
        One `SliceEntry` per slice, data set, measure and model or pair.
    gap, heterogeneity, worst, total
        For each model or pair: the widest gap, whether slices differ, the worst slice, and the whole (post-stratified
        where shares were given). With one model or pair their fields are at hand directly.
    small
        Slices with fewer units than asked for: shown and marked, never dropped.
    winner_changes
        Slices whose interval contradicts the winner of the whole.
    trivial
        Names of the trivial models, which are not shown.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_outcomes({"a": [1, 0, 1, 1] * 20}, slices={"half": ["x", "y"] * 40})
    >>> list(bakeoff.evaluate(p, by="half").slices.to_frame().columns)[:5]
    ['by', 'slice', 'dataset', 'model', 'measure']
    """

    by: str
    entries: tuple[SliceEntry, ...]
    subject: tuple[str, ...]
    gap: Each
    heterogeneity: Each
    worst: Each
    total: Each
    small: tuple[str, ...]
    winner_changes: tuple[str, ...] = ()
    confidence_level: float = 0.95
    notes: tuple[Note, ...] = ()
    trivial: tuple[str, ...] = ()

    def _headline(self) -> str:
        names = dict.fromkeys(entry.slice for entry in self.entries)
        return f"{len(names)} slices by {self.by!r}, {len(self.entries)} intervals"

    def _columns(self) -> dict[str, Sequence[Any]]:
        e = self.entries
        subjects = {name: [x.subject[j] for x in e] for j, name in enumerate(self.subject)}
        more = ("measure", "estimate", "low", "high", "n", "n_units", "pointwise_low", "pointwise_high")
        limits = {"pointwise_low": "pointwise.low", "pointwise_high": "pointwise.high"}
        return {
            "by": [self.by] * len(e), **columns_of(e, ("slice", "dataset")), **subjects,
            **columns_of(e, (*more, "pvalue_adjusted", "note"), **limits),
        }  # fmt: skip

    def _view(self) -> View:
        e = [x for x in self.entries if x.subject[0] not in self.trivial] or self.entries
        subjects = {x.subject for x in e}
        columns: dict[str, Sequence[Any]] = {translate("slice"): [x.slice for x in e]}
        if len({x.dataset for x in e}) > 1:
            columns[translate("data set")] = [x.dataset for x in e]
        if self.subject[-2:] == ("model_a", "model_b"):
            columns[translate("difference")] = [" − ".join(map(str, x.subject[-2:])) for x in e]
        else:
            columns |= {heading(name): [x.subject[j] for x in e] for j, name in enumerate(self.subject)}
        if len({x.measure for x in e}) > 1:
            columns[translate("measure")] = [str(label_of(x.measure)) for x in e]
        columns[translate("estimate")] = [estimate_cell(x.estimate, x.low, x.high) for x in e]
        columns[translate("units")] = [x.n_units for x in e]
        notes = unique(note for x in e for note in x.notes if note.code != "simultaneous")
        below = [Text("The limits hold for all slices at once."), *self._gaps(subjects)]
        return View((), [Table(columns, self.by)], below, notes)

    def _gaps(self, subjects: Collection[tuple[Any, ...]]) -> Iterator[Text]:
        """How far the slices lie apart, for each of these models or pairs, and whether they differ."""
        for labels, test in self.heterogeneity.answers.items():
            if len(labels) > 2 and labels[1:-1] not in subjects:
                continue
            gap = self.gap.answers[labels]
            names = (str(n) if i + 2 < len(labels) else str(label_of(n)) for i, n in enumerate(labels[1:]))
            yield Text(
                "{who}: widest gap between {best} and {worst}, {gap}; that slices are equal: p {p:.2g} ({how}).",
                who=" – ".join(names), best=gap.best, worst=gap.worst, p=test.pvalue, how=label(test.method),
                gap=estimate_cell(gap.estimate, gap.low, gap.high),
            )  # fmt: skip

    def _plain(self) -> dict[str, Any]:
        """What is written of it to JSON."""
        columns = {**self._columns(), "note": [entry._note.english for entry in self.entries]}
        named = ("by", "gap", "heterogeneity", "worst", "total", "small", "winner_changes", "confidence_level")
        return {"slices": records(columns), **{name: getattr(self, name) for name in named}}
