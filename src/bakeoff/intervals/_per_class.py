"""What an evaluation tells of each class: confusion counts, and each class against the rest with its intervals."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bakeoff._core.language import Own, Text, translate
from bakeoff._core.result import Result, columns_of
from bakeoff._core.view import Table, View, estimate_cell
from bakeoff.evidence import ConfusionCounts, ModelOutput, Rows
from bakeoff.intervals._entry import Entry, level_text
from bakeoff.measures import label_of

OF_A_CLASS = ("precision", "recall", "f1", "auc")


@dataclass(frozen=True, repr=False)
class Confusion(Result):
    """How often each true class was called each class, for every model.

    Attributes
    ----------
    counts
        (Data set, model) → its `ConfusionCounts`, true classes in rows.

    Examples
    --------
    >>> import bakeoff
    >>> e = bakeoff.evaluate(["a", "b", "c", "a"] * 40, ["a", "b", "c", "c"] * 40)
    >>> print(e.confusion)
    model: true classes in rows, predicted ones in columns
    true \\ predicted   a   b   c
    a                40   0  40
    b                 0  40   0
    c                 0   0  40
    """

    counts: dict[tuple[str, str], ConfusionCounts]

    def __getitem__(self, model: str) -> ConfusionCounts:
        """The counts of one model (of its first data set)."""
        return next(found for (_, name), found in self.counts.items() if name == model)

    def _cells(self) -> Iterator[tuple[str, str, Hashable, Hashable, float]]:
        for (dataset, model), found in self.counts.items():
            for i, true in enumerate(found.classes):
                for j, predicted in enumerate(found.classes):
                    yield dataset, model, true, predicted, found.cells[i, j]

    def _columns(self) -> dict[str, Sequence[Any]]:
        rows = list(self._cells())
        whole = all(float(row[-1]).is_integer() for row in rows)
        columns: dict[str, Sequence[Any]] = {
            name: [row[i] for row in rows] for i, name in enumerate(("dataset", "model", "true", "predicted"))
        }
        return columns | {"n": [int(row[-1]) if whole else float(row[-1]) for row in rows]}

    def _headline(self) -> str:
        return f"{len(self.counts)} confusion matrices"

    def _view(self) -> View:
        several = len({dataset for dataset, _ in self.counts}) > 1
        return View(tables=[_matrix(found, _name(*key, several)) for key, found in self.counts.items()])


def _matrix(found: ConfusionCounts, name: str) -> Table:
    whole = bool((found.cells == np.rint(found.cells)).all())
    columns: dict[str, Sequence[Any]] = {translate("true \\ predicted"): [str(c) for c in found.classes]}
    for j, predicted in enumerate(found.classes):
        column = found.cells[:, j].tolist()
        columns[Own(predicted)] = [int(v) for v in column] if whole else column
    return Table(columns, Text("{name}: true classes in rows, predicted ones in columns", name=name))


def _name(dataset: str, model: str, several: bool) -> str:
    return f"{dataset}, {model}" if several else model


@dataclass(frozen=True)
class ClassEntry:
    """One measure of one model, of one class against the rest; `n` counts the cases of the class."""

    label: Hashable
    entry: Entry
    n: int


@dataclass(frozen=True, repr=False)
class PerClass(Result):
    """Precision, recall, F1 and AUC of each class against the rest, with confidence intervals.

    Attributes
    ----------
    entries
        One per data set, model, class and measure.
    confidence_level
        Nominal coverage of every interval.

    Examples
    --------
    >>> import bakeoff
    >>> e = bakeoff.evaluate(["a", "b", "c", "a"] * 40, ["a", "b", "c", "c"] * 40)
    >>> list(e.per_class.to_frame().columns)
    ['dataset', 'model', 'class', 'measure', 'estimate', 'low', 'high', 'n', 'method', 'note']
    """

    entries: tuple[ClassEntry, ...]
    confidence_level: float

    def _columns(self) -> dict[str, Sequence[Any]]:
        names = ("dataset", "model", "class", "measure", "estimate", "low", "high", "n", "method", "note")
        places = {"class": "label", "n": "n", "method": "entry.interval.method", "note": "entry._note"}
        return columns_of(self.entries, names, **{name: places.get(name, f"entry.{name}") for name in names})

    def _headline(self) -> str:
        return f"{len(self.entries)} measures of classes"

    def _view(self) -> View:
        keys = dict.fromkeys((e.entry.dataset, e.entry.model) for e in self.entries)
        several = len({dataset for dataset, _ in keys}) > 1
        tables = [self._report(key, _name(*key, several)) for key in keys]
        return View((), tables, (level_text(self.confidence_level),))

    def _report(self, key: tuple[str, str], name: str) -> Table:
        """One model's table: classes in rows, measures in columns, as people know it from elsewhere."""
        own = [e for e in self.entries if (e.entry.dataset, e.entry.model) == key]
        cells = {(e.label, e.entry.measure): e.entry.interval for e in own}
        support = {e.label: e.n for e in own}
        columns: dict[str, Sequence[Any]] = {translate("class"): [str(label) for label in support]}
        columns["n"] = list(support.values())
        for measure in dict.fromkeys(e.entry.measure for e in own):
            found = [cells[label, measure] for label in support]
            columns[str(label_of(measure))] = [estimate_cell(i.estimate, i.low, i.high, digits=3) for i in found]
        return Table(columns, Text("{name}: each class against the rest", name=name))


def one_class(rows: Rows, model: str, index: int, need: str) -> Rows:
    """The rows of one model with a class as the positive one: labels and probabilities as they were."""
    rows = rows.about((model,), need).in_memory((model,))
    probabilities = rows.probabilities(model) if rows.provides(model, "probabilities") else None
    output = ModelOutput(labels=rows.labels(model), probabilities=probabilities)
    return replace(rows, outputs={model: output}, positive=index)


def cases_of(rows: Rows, index: int) -> int:
    """Cases of a class: frequencies counted, repeats once."""
    own = np.asarray(rows.truth == index)
    return rows.take(own).cases if own.any() and rows.instance is not None else _counted(rows, own)


def _counted(rows: Rows, own: Any) -> int:
    total = int(own.sum() if rows.frequency is None else rows.frequency[own].sum())
    return total * rows.cases // max(rows.n if rows.frequency is None else int(rows.frequency.sum()), 1)
