"""Rules: a few thresholds of each model, counted together, and their counts under resampling.

A rule is "call positive what model m scores at least t". A row falls into the bin of the first of a model's rules
that calls it positive, so the counts of all rules are running sums over bins; and rows of the same class and bins are
one cell. Resampling rows is a multinomial draw over those cells, whatever the number of rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.decision._curve import RocCurve
from bakeoff.decision._draws import draw_cells, draw_rows
from bakeoff.evidence import Rows


@dataclass(frozen=True)
class Judged:
    """Rows of a two-class problem as the decision room sees them.

    Attributes
    ----------
    positive
        True for rows of the positive class, ``[n]``.
    outputs
        Model → scores ``[n]`` (float), or called positive ``[n]`` (bool) for a model that answers labels.
    weight, groups
        Weights and cluster codes ``[n]``, or None.
    part
        Index of the fold of each row within its repeat, ``[n]``, or None for one test set.
    repeat
        Repeat of each row, ``[n]``; zeros when there is one.
    negative_name, positive_name
        Labels of the two classes.

    Examples
    --------
    >>> import bakeoff
    >>> scores = {"a": [9, 8, 7, 6, 5, 4], "b": [6, 9, 4, 2, 5, 1]}
    >>> p = bakeoff.Predictions.from_arrays([1, 1, 0, 1, 0, 0], y_score=scores)
    >>> from bakeoff.decision import judged_rows
    >>> rows = judged_rows(p.table())
    >>> rows.n, rows.positive.tolist()
    (6, [True, True, False, True, False, False])
    """

    positive: BoolArray
    outputs: Mapping[str, NDArray[Any]]
    weight: FloatArray | None = None
    groups: IntArray | None = None
    part: IntArray | None = None
    repeat: IntArray | None = None
    negative_name: object = "negative"
    positive_name: object = "positive"

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.positive.size)

    @cached_property
    def n_repeats(self) -> int:
        """How often each instance was predicted."""
        return 1 if self.repeat is None else int(np.unique(self.repeat).size)

    @cached_property
    def n_classes(self) -> tuple[float, float]:
        """Number (or weight) of positives and negatives."""
        if self.weight is None:
            n_positive = int(np.count_nonzero(self.positive))
            return float(n_positive), float(self.n - n_positive)
        return float(self.weight[self.positive].sum()), float(self.weight[~self.positive].sum())

    @property
    def prevalence(self) -> float:
        """Share of positives."""
        positive, negative = self.n_classes
        return positive / (positive + negative)

    @property
    def simple(self) -> bool:
        """Whether rows are independent and unweighted, each instance once: counts are binomial."""
        return self.weight is None and self.groups is None and self.n_repeats == 1

    def take(self, member: IntArray) -> Judged:
        """Keep some rows, as one test set."""
        outputs = {m: o[member] for m, o in self.outputs.items()}
        weight = None if self.weight is None else self.weight[member]
        groups = None if self.groups is None else self.groups[member]
        return Judged(self.positive[member], outputs, weight, groups, None, None, *self.names)

    @property
    def names(self) -> tuple[object, object]:
        """Labels of the negative and the positive class."""
        return self.negative_name, self.positive_name

    def curve(self, model: str) -> RocCurve:
        """Return the curve of all rows together."""
        output = self.outputs[model]
        if output.dtype == bool:
            return RocCurve.from_labels(self.positive, output, model=model, sample_weight=self.weight)
        return RocCurve.from_arrays(self.positive, output, model=model, sample_weight=self.weight)


def judged_rows(rows: Rows, models: Sequence[str] | None = None) -> Judged:
    """Take from the evidence what decisions need: scores where a model has them, else its labels.

    Examples
    --------
    >>> import bakeoff
    >>> scores = {"a": [9, 8, 7, 6, 5, 4], "b": [6, 9, 4, 2, 5, 1]}
    >>> p = bakeoff.Predictions.from_arrays([1, 1, 0, 1, 0, 0], y_score=scores)
    >>> from bakeoff.decision import judged_rows
    >>> sorted(judged_rows(p.table()).outputs)
    ['a', 'b']
    """
    if rows.task not in ("binary", "multiclass"):
        kind = "numbers to be predicted (regression)" if rows.task == "regression" else "outcomes without a truth"
        raise EvidenceError(
            f"ROC curves and decisions need two classes, but {rows.name!r} holds {kind}.",
            hint="give the true classes as y_true, and scores (y_score) or predicted classes (y_pred)",
        )
    if rows.positive is None and len(rows.classes) > 2:
        listed = ", ".join(map(repr, rows.classes[:6]))
        raise EvidenceError(
            f"ROC curves and decisions need two classes, but {rows.name!r} has {len(rows.classes)} ({listed}).",
            hint="name one class, against the rest, with pos_label= (--positive); or give the costs of all classes: "
            "OperatingContext.multiclass(cost_matrix) (--costs)",
        )
    positive = rows.positives()
    outputs = {m: _output(rows, m) for m in models or rows.models}
    if positive.all() or not positive.any():
        missing = "negative" if positive.all() else "positive"
        raise EvidenceError(
            f"{rows.name!r} has no {missing} rows: costs of both kinds of error cannot be estimated.",
            hint="give rows of both classes; is the positive class the one that is meant?",
        )
    part, repeat = _parts(rows)
    groups = rows.groups
    if groups is None and repeat is not None and np.unique(repeat).size > 1 and rows.instance is not None:
        groups = np.unique(rows.instance, return_inverse=True)[1].astype(np.int32)
    others = [c for i, c in enumerate(rows.classes) if i != rows.positive]
    negative = others[0] if len(others) == 1 else f"not {rows.pos_label}"
    codes = None if groups is None else groups.astype(np.int64)
    return Judged(positive, outputs, rows.weight, codes, part, repeat, negative, rows.pos_label)


def _output(rows: Rows, model: str) -> NDArray[Any]:
    if rows.provides(model, "scores"):
        return rows.scores(model)
    return np.asarray(rows.labels(model) == rows.positive)


def _parts(rows: Rows) -> tuple[IntArray | None, IntArray | None]:
    if len(rows.splits) < 2 or rows.split_index is None:
        return None, None
    fold = np.array([s.fold for s in rows.splits])
    repeat = np.array([s.repeat for s in rows.splits])
    return fold[rows.split_index], np.unique(repeat, return_inverse=True)[1][rows.split_index]


@dataclass(frozen=True)
class RuleTable:
    """Rules of several models and the cells of rows they tell apart.

    Attributes
    ----------
    thresholds
        Model → falling thresholds ``[m]``; a model that answers labels has the one rule NaN.
    bins
        Model → bin of each cell ``[C]``: the first rule that calls it positive, ``m`` when none does.
    positive, counts
        Class and number of rows of each cell, ``[C]``.
    cell
        Cell of each row, ``[n]``.
    rows
        The rows, for weighted or clustered resampling.

    Examples
    --------
    >>> import bakeoff
    >>> scores = {"a": [9, 8, 7, 6, 5, 4], "b": [6, 9, 4, 2, 5, 1]}
    >>> p = bakeoff.Predictions.from_arrays([1, 1, 0, 1, 0, 0], y_score=scores)
    >>> import numpy as np
    >>> from bakeoff.decision import RuleTable, judged_rows
    >>> table = RuleTable.of(judged_rows(p.table()), {"a": np.array([7.5, 5.5])})
    >>> table.counts.tolist()
    [1.0, 2.0, 2.0, 1.0]
    """

    thresholds: Mapping[str, FloatArray]
    bins: Mapping[str, IntArray]
    positive: BoolArray
    counts: FloatArray
    cell: IntArray
    rows: Judged

    @classmethod
    def of(cls, rows: Judged, thresholds: Mapping[str, FloatArray]) -> RuleTable:
        """Sort the rows into cells."""
        per_row = {m: _bins(rows.outputs[m], t) for m, t in thresholds.items()}
        weight = rows.weight
        key = rows.positive.astype(np.int64)
        for model, bins in per_row.items():
            key = key * (thresholds[model].size + 1) + bins
            if key.max(initial=0) > 2**40:  # relabel before the key overflows
                key = np.unique(key, return_inverse=True)[1].astype(np.int64)
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        counts = np.bincount(inverse, weights=weight).astype(np.float64)
        of_cell = {m: b[first] for m, b in per_row.items()}
        return cls(thresholds, of_cell, rows.positive[first], counts, inverse.ravel(), rows)

    def rates(self) -> dict[str, tuple[FloatArray, FloatArray]]:
        """Return (fpr ``[m]``, tpr ``[m]``) of each model's rules, as observed."""
        return {m: (fpr[0], tpr[0]) for m, (fpr, tpr) in self._rates(self.counts[None, :]).items()}

    def replicates(
        self, n_resamples: int, rng: np.random.Generator, *, stratified: bool = True
    ) -> Iterator[tuple[dict[str, tuple[FloatArray, FloatArray]], FloatArray]]:
        """Yield chunk after chunk of replicates: (fpr, tpr) ``[b, m]`` by model, and the prevalence ``[b]``."""
        rows = self.rows
        if rows.weight is None and rows.groups is None:
            stratum = self.positive.astype(np.int64) if stratified else np.zeros(self.positive.size, dtype=np.int64)
            draws = draw_cells(self.counts, stratum, n_resamples, rng, n_repeats=rows.n_repeats)
        else:
            by_class = rows.positive.astype(np.int64) if stratified else None
            draws = draw_rows(
                self.cell, self.counts.size, n_resamples, rng, weight=rows.weight, groups=rows.groups, stratum=by_class
            )
        for counts in draws:
            share = counts[:, self.positive].sum(axis=1) / counts.sum(axis=1)
            yield self._rates(counts), share

    def _rates(self, counts: FloatArray) -> dict[str, tuple[FloatArray, FloatArray]]:
        found = {}
        for model, bins in self.bins.items():
            size = self.thresholds[model].size
            rates = []
            for positive in (False, True):
                mine = self.positive == positive
                called = _running_sums(counts[:, mine], bins[mine], size + 1)
                # A resample without this class has no such rate, and nothing at stake on it either.
                total = np.where(called[:, -1:] > 0, called[:, -1:], 1.0)
                rates.append(called[:, :-1] / total)
            found[model] = (rates[0], rates[1])
        return found


def _bins(output: NDArray[Any], thresholds: FloatArray) -> IntArray:
    if output.dtype == bool:
        return np.where(output, 0, 1).astype(np.int64)
    # Falling thresholds: the first one that the score reaches.
    return np.searchsorted(-thresholds, -output, side="left").astype(np.int64)


def _running_sums(counts: FloatArray, bins: IntArray, n_bins: int) -> FloatArray:
    """Sum the cells of each bin and run the sums over bins, ``[b, C]`` → ``[b, n_bins]``."""
    from scipy.sparse import csr_array

    if counts.shape[1] == 0:
        return np.zeros((counts.shape[0], n_bins))
    ones = np.ones(bins.size)
    membership = csr_array((ones, (bins, np.arange(bins.size))), shape=(n_bins, bins.size))
    summed: FloatArray = np.cumsum((membership @ counts.T).T, axis=1)
    return summed
