"""Units: what is independent, and so drawn, left out and summed as a whole. Decided here, once, and nowhere else.

The rule: the group if groups are given; else the instance where one was answered several times (repeats, attempts);
else the row. Folds, slices and data sets are axes, never units.

Two kinds of weights are kept apart, because they say different things about how much was observed:

- *importance* (``sample_weight=``) says how much a row counts in a measure. Measures do not depend on its scale, and
  the number of units does not depend on it at all. Equal importance is none.
- *frequency* (``frequency=``) says that a row stands for so many whole cases. It is the same as writing the row down
  so many times: it adds to n. Inside a group it only weighs the row, since copies in one group are not independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import FloatArray, IntArray, dot

UnitKind = Literal["row", "instance", "group"]


@dataclass(frozen=True, eq=False)
class Units:
    """What is independent in the rows of one data set.

    Attributes
    ----------
    kind
        ``"row"``, ``"instance"`` (a case with all its answers) or ``"group"``.
    rows, records
        Numbers of rows and of stored units.
    n
        Number of units, whole copies included: the n of every sentence.
    of_row
        The record of each row, ``[rows]``; None where every row is its own.
    copies
        How many whole cases each record stands for, ``[records]``; None where each stands for one.
    weight
        What a row counts for where its record occurs once, ``[rows]``: importance, inside a group times frequency; None
        where all are equal.
    importance
        Importance of each row alone, ``[rows]``; None where all are equal.
    cases
        Number of whole cases among the rows: copies counted, also those that inside a group are weight.
    answers
        How often each case was answered where it is not known which rows belong together: n is rows / answers.
    """

    kind: UnitKind
    rows: int
    records: int
    n: int
    of_row: IntArray | None = None
    copies: IntArray | None = None
    weight: FloatArray | None = None
    answers: int = 1
    cases: int = 0
    importance: FloatArray | None = None

    @classmethod
    def of(
        cls,
        rows: int,
        *,
        groups: NDArray[np.integer] | None = None,
        instance: NDArray[np.generic] | None = None,
        weight: FloatArray | None = None,
        frequency: IntArray | None = None,
        answers: int = 1,
    ) -> Units:
        """Decide the unit from what is known of the rows."""
        if groups is not None:
            codes = np.unique(groups, return_inverse=True)[1].astype(np.int64)
            n = int(codes.max()) + 1
            cases = rows if frequency is None else int(frequency.sum())
            return cls("group", rows, n, n, codes, None, _product(weight, frequency), 1, cases, weight)
        if instance is not None:
            _, first, codes = np.unique(instance, return_index=True, return_inverse=True)
            if first.size < rows:
                copies = None if frequency is None else _copies_of_instances(frequency, first, codes)
                n = int(first.size if copies is None else copies.sum())
                cases = rows if frequency is None else int(frequency.sum())
                return cls("instance", rows, first.size, n, codes.astype(np.int64), copies, weight, 1, cases, weight)
        n = rows if frequency is None else int(frequency.sum())
        return cls("row", rows, rows, max(n // answers, 1), None, frequency, weight, answers, n, weight)

    @property
    def plain(self) -> bool:
        """Whether every row is one independent case that counts as much as any other (whole copies aside)."""
        return self.of_row is None and self.weight is None

    @property
    def once(self) -> FloatArray:
        """How often each record occurs in the data as they are, ``[records]``."""
        return np.ones(self.records) if self.copies is None else self.copies.astype(np.float64)

    @property
    def copies_of_rows(self) -> IntArray | None:
        """How often each row occurs in the data as they are, ``[rows]``; None where each occurs once."""
        if self.copies is None or self.of_row is None:
            return self.copies
        return self.copies[self.of_row]

    @property
    def row_weight(self) -> FloatArray | None:
        """What each row adds to a count: its importance times its copies, ``[rows]``; None where each adds one."""
        return _product(self.weight, self.copies_of_rows)

    @property
    def n_effective(self) -> float:
        """(Σw)²/Σw² over the cases: how many equally important cases would tell as much (Kish)."""
        weight = self.row_weight
        if self.importance is None or weight is None:
            return float(self.cases)
        return float(weight.sum() ** 2 / dot(weight, self.importance))

    def worth(self, rows: NDArray[Any] | slice = slice(None)) -> float:
        """How many units of equal weight these rows are worth (Kish): their number where all weigh the same."""
        weight = np.zeros(self.rows)
        weight[rows] = 1.0 if self.weight is None else self.weight[rows]
        each = self.sum_rows(weight)
        square = dot(self.once, each**2)
        return float(dot(self.once, each) ** 2 / square / self.answers) if square > 0 else 0.0

    @property
    def effective_groups(self) -> float:
        """How many groups of equal weight tell as much; infinite where groups are not the units."""
        return round(self.worth(), 9) if self.kind == "group" else float("inf")

    def sum_rows(self, values: FloatArray) -> FloatArray:
        """Add up the rows of each record, ``[rows, ...]`` → ``[records, ...]``."""
        if self.of_row is None:
            return values
        flat = values.reshape(self.rows, -1)
        columns = [np.bincount(self.of_row, column, minlength=self.records) for column in flat.T]
        return np.stack(columns, axis=1).astype(np.float64).reshape(self.records, *values.shape[1:])

    def spread(self, multipliers: FloatArray) -> FloatArray:
        """Turn how often each record occurs ``[b, records]`` into weights of rows ``[b, rows]``."""
        of_rows = multipliers if self.of_row is None else multipliers[:, self.of_row]
        return of_rows if self.weight is None else of_rows * self.weight

    def as_they_are(self) -> FloatArray:
        """Weights of the rows of the data as they are, ``[1, rows]``."""
        return self.spread(self.once[None])

    def leverage(self) -> FloatArray:
        """Share of all weight that one copy of each record has, ``[records]``."""
        each = self.sum_rows(np.ones(self.rows) if self.weight is None else self.weight)
        return np.asarray(each / dot(self.once, each))

    def written_out(self) -> tuple[IntArray, Units]:
        """Write every copy down as a row of its own: the rows to take, and their units without copies."""
        times = self.copies_of_rows
        if self.copies is None or times is None:
            return np.arange(self.rows), self
        take = np.repeat(np.arange(self.rows), times)
        weight = None if self.weight is None else self.weight[take]
        if self.of_row is None:
            return take, Units("row", take.size, take.size, self.n, None, None, weight, self.answers, take.size, weight)
        # Copies of an instance are other instances: number them (instance, how manieth copy).
        nth = np.arange(take.size) - np.repeat(np.cumsum(times) - times, times)
        start = np.cumsum(self.copies) - self.copies
        of_row = start[self.of_row[take]] + nth
        return take, Units("instance", take.size, self.n, self.n, of_row, None, weight, 1, take.size, weight)


def _product(weight: FloatArray | None, frequency: IntArray | None) -> FloatArray | None:
    if frequency is None:
        return weight
    return frequency.astype(np.float64) if weight is None else weight * frequency


def _copies_of_instances(frequency: IntArray, first: IntArray, codes: IntArray) -> IntArray:
    """An instance with several answers has one frequency."""
    copies = frequency[first]
    if not np.array_equal(copies[codes], frequency):
        row = int((copies[codes] != frequency).argmax())
        raise EvidenceError(
            f"frequency must be the same on all rows of an instance, but row {row} has {int(frequency[row])} where "
            f"the first row of its instance has {int(copies[codes][row])}.",
            hint="frequency says how many whole cases an instance stands for; for importance use sample_weight",
        )
    return copies


def answers_again(
    repeat: NDArray[np.generic], instance: NDArray[np.generic] | None, truth: NDArray[np.generic]
) -> tuple[IntArray, NDArray[np.generic] | None]:
    """Which answer each row is, and which case it is about, where one test set was answered in every repeat.

    That is so where every repeat holds the same instances; without instances, where every repeat shows the same
    sequence of true values. A sequence sorted by class shows nothing, since different cases of a stratified hold-out
    would give it too. Where it is not so the repeats are other test sets, and no case is returned.
    """
    attempt = np.unique(repeat, return_inverse=True)[1].astype(np.int64)
    sizes = np.bincount(attempt)
    if sizes.size < 2 or np.unique(sizes).size > 1:
        return attempt, None
    order = np.argsort(attempt, kind="stable")
    if instance is not None:
        codes = np.unique(instance, return_inverse=True)[1]
        sets = np.sort(codes[order].reshape(sizes.size, -1), axis=1)
        return attempt, instance if (sets == sets[:1]).all() and np.unique(sets[0]).size == sets.shape[1] else None
    table = truth[order].reshape(sizes.size, -1)
    runs = 1 + int((table[0, 1:] != table[0, :-1]).sum())
    if not (table == table[:1]).all() or (truth.dtype.kind != "f" and runs <= np.unique(table[0]).size):
        return attempt, None
    case = np.empty(truth.size, dtype=np.int64)
    case[order] = np.tile(np.arange(table.shape[1]), sizes.size)
    return attempt, case
