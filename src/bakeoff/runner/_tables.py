"""The small tables a run shows: its plan, its failures, its costs, and what tuning chose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from bakeoff._core.language import Text
from bakeoff._core.result import Note, Result, attribute_columns
from bakeoff._core.view import Table, View

_FOLDED = ("dataset", "model", "kind", "message")


@dataclass(frozen=True, repr=False)
class RunTable(Result):
    """Named columns of equal length."""

    columns: Mapping[str, Sequence[Any]]
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Sequence[Any]]:
        return dict(self.columns)

    @classmethod
    def of(cls, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Self:
        """Make a table of its rows."""
        lines = list(rows)
        return cls({name: [line[i] for line in lines] for i, name in enumerate(names)})

    @classmethod
    def of_records(cls, names: Sequence[str], records: Iterable[Any]) -> Self:
        """Make a table with a row for each record: its attributes of these names."""
        return cls(attribute_columns(records, *names))

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def _headline(self) -> str:
        return f"{len(self)} rows"


@dataclass(frozen=True, repr=False)
class Failures(RunTable):
    """Units that failed: data set, model, repeat, fold, kind, message, seconds, attempts, seed, traceback.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.protocols import HoldOut
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> results = bakeoff.run({"greedy": KNeighborsClassifier(1000)}, "sklearn:iris", HoldOut(), progress=False)
    >>> len(results.failures), results.failures.columns["kind"]
    (1, ['error'])
    """

    def _headline(self) -> str:
        if not len(self):
            return "none"
        kinds = self.columns["kind"]
        return ", ".join(f"{list(kinds).count(k)} × {k}" for k in dict.fromkeys(kinds))

    def folded(self) -> RunTable:
        """Equal failures of a model in one line, with their number."""
        counts = Counter(zip(*(self.columns[name] for name in _FOLDED), strict=True))
        lines = ((*kind[:2], n, *kind[2:]) for kind, n in counts.items())
        return RunTable.of((*_FOLDED[:2], "units", *_FOLDED[2:]), lines)

    def _view(self) -> View:
        if not len(self):
            return View((Text("no failures"),))
        return View((), (Table(self.folded().columns),), (), self.notes)


@dataclass(frozen=True, repr=False)
class RunPlan(RunTable):
    """What a run will do: per data set and model, how many units there are, are done, have failed, are to do.

    ``seconds`` estimates the time still to go on one core, from the units already done; None before the first.

    Examples
    --------
    >>> from bakeoff import Experiment
    >>> from bakeoff.protocols import KFold
    >>> from sklearn.naive_bayes import GaussianNB
    >>> plan = Experiment({"nb": GaussianNB()}, ["sklearn:iris"], KFold(5)).plan()
    >>> plan.total("units"), plan.total("todo")
    (5, 5)
    """

    description: str = field(default="", kw_only=True)

    def total(self, column: str) -> int:
        """Sum a column."""
        return int(sum(self.columns[column]))

    @property
    def seconds(self) -> float | None:
        """Seconds of work still to go on one core; None where a model has not been tried yet."""
        left = [s for s, todo in zip(self.columns["seconds"], self.columns["todo"], strict=True) if todo]
        return None if any(s is None for s in left) else float(sum(left))

    def _headline(self) -> str:
        words = f"{self.total('units')} units, {self.total('done')} done, {self.total('todo')} to do"
        return words if not self.total("failed") else f"{words}, {self.total('failed')} failed"

    def __str__(self) -> str:
        seconds = self.seconds
        time = "" if seconds is None or not self.total("todo") else f"; about {duration(seconds)} on one core"
        return f"{self.description}\n{RunTable(self.columns)}\n{self._headline()}{time}"


def duration(seconds: float) -> str:
    """Write a time for a person: 0.4 s, 35 s, 12 min, 3 h 20 min."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02d} min"
