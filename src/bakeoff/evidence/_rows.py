"""Rows: what was observed on one data set, checked once and encoded; every model on the same rows."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.evidence._counts import ConfusionCounts, FineTallies, ScoreTally
from bakeoff.evidence._labels import Codes
from bakeoff.evidence._slicing import Slicing
from bakeoff.evidence._units import Units

LABELS, SCORES, PROBABILITIES, VALUES, OUTCOMES = "labels", "scores", "probabilities", "values", "outcomes"
_KEPT_BYTES = 1 << 28  # tallies kept for the next measure that asks
SUMS, ATTEMPTS = "sums", "attempts"
_PER_ROW = ("truth", "split_index", "groups", "weight", "instance", "frequency", "attempt")


@dataclass(frozen=True)
class Split:
    """One train/test split: which repeat and fold it is, and its sizes (None when not known).

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_arrays([0, 1, 0, 1], y_pred={"a": [0, 1, 1, 1]}, fold=[0, 0, 1, 1])
    >>> [(s.repeat, s.fold, s.n_test) for s in p.table().splits]
    [(0, 0, 2), (0, 1, 2)]
    """

    repeat: int
    fold: int
    n_test: int
    n_train: int | None = None


BOOTSTRAP = "bootstrap"
RESAMPLED = ("hold-out", "k-fold", "5x2cv", "leave-one-out", BOOTSTRAP)  # training sets overlap


def split_kind(splits: Sequence[Split], protocol: str | None = None) -> str:
    """Name the resampling from its splits (or take the protocol's own word for it)."""
    if protocol in (*RESAMPLED, "test set", "scores"):
        return str(protocol)
    if len(splits) < 2:
        return "test set"
    repeats = {s.repeat for s in splits}
    folds_per_repeat = len(splits) / len(repeats)
    if folds_per_repeat == 1:
        return "hold-out"
    if all(s.n_test == 1 for s in splits) and len(repeats) == 1:
        return "leave-one-out"
    if len(repeats) == 5 and folds_per_repeat == 2:
        return "5x2cv"
    return "k-fold"


def mean_sizes(splits: Sequence[Split]) -> tuple[float | None, float | None]:
    """Mean training and test sizes; None where a size is not known."""
    if not splits:
        return None, None
    train = [s.n_train for s in splits]
    test = sum(s.n_test for s in splits) / len(splits)
    known = [t for t in train if t is not None]
    return (sum(known) / len(known) if len(known) == len(train) else None), (test or None)


@dataclass(frozen=True)
class ModelOutput:
    """What one model said on every row; any of the kinds may be absent.

    Numbers that add up are ``sums [n, C]``; `attempts` ``[n]`` is how many attempts they are over, where not one: a row
    without any is an item that this model lacks.

    Examples
    --------
    >>> import bakeoff
    >>> rows = bakeoff.Predictions.from_arrays([0, 1, 1, 0], y_score={"a": [0.1, 0.8, 0.5, 0.5]}).table()
    >>> rows.outputs["a"].scores.tolist()
    [0.1, 0.8, 0.5, 0.5]
    """

    labels: Codes | None = None
    scores: FloatArray | None = None
    probabilities: FloatArray | None = None
    values: FloatArray | None = None
    sums: FloatArray | None = None
    attempts: IntArray | None = None

    def take(self, rows: NDArray[Any]) -> ModelOutput:
        """Keep some rows."""
        return ModelOutput(*(None if part is None else part[rows] for part in self._parts()))

    def _parts(self) -> tuple[Any, ...]:
        return self.labels, self.scores, self.probabilities, self.values, self.sums, self.attempts


@dataclass(frozen=True)
class Rows:
    """The evidence of one data set, in memory.

    Attributes
    ----------
    name
        The data set's name.
    task
        ``"binary"``, ``"multiclass"``, ``"regression"``, ``"outcomes"`` (per-item scores without a truth) or ``"sums"``
        (per-item numbers that add up).
    classes, positive
        Classes in order and the index of the positive one (None where there is none).
    truth
        Class codes ``[n]``, or true values ``[n]`` for regression; zeros for outcomes.
    outputs
        Model name → its answers.
    splits, split_index
        The train/test splits, and for each row the index of its split.
    groups, weight, instance
        Cluster codes, importance weights and instance identifiers, each ``[n]`` or None.
    frequency
        How many whole cases a row stands for, ``[n]``; None where each is one.
    attempt
        Which answer to its instance a row is, ``[n]``, where one test set was answered several times.
    fine
        Where scores are coarse, since counts of several models together would be too many: each model's own tally.
    less_is_better
        Whether less of an outcome is better, where what was read tells so.
    times
        (model, split index) → (fit seconds, predict seconds), where known.
    inner
        Answers of models trained without two folds, where there are any (nested cross-validation).
    slices
        Name → the slice of each row.
    columns
        Names of the numbers that add up, for sums.
    missing
        Model → cells that the source could not score.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_arrays(["no", "yes", "yes"], y_pred={"a": ["no", "yes", "no"]}, pos_label="yes")
    >>> rows = p.table()
    >>> rows.n, rows.task, rows.classes, rows.labels("a").tolist()
    (3, 'binary', ('no', 'yes'), [0, 1, 0])
    """

    name: str
    task: str
    truth: NDArray[Any]
    outputs: Mapping[str, ModelOutput]
    classes: tuple[Hashable, ...] = ()
    positive: int | None = None
    splits: tuple[Split, ...] = ()
    split_index: NDArray[np.int32] | None = None
    groups: NDArray[np.int32] | None = None
    weight: FloatArray | None = None
    instance: NDArray[Any] | None = None
    times: Mapping[tuple[str, int], tuple[float, float]] = field(default_factory=dict)
    protocol: str | None = None
    frequency: IntArray | None = None
    attempt: IntArray | None = None
    less_is_better: bool = False
    slices: Mapping[str, Slicing] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    missing: Mapping[str, int] = field(default_factory=dict)
    fine: FineTallies | None = None
    inner: Rows | None = field(default=None, repr=False)

    counted: ClassVar[bool] = False  # whether rows stay where they are and only counts come

    def hidden(self, model: str, measure: str) -> tuple[float, float] | None:
        """What rounding of scores can hide of a measure; None where they are exact."""
        return None

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.truth.shape[0])

    @cached_property
    def units(self) -> Units:
        """What is independent, decided once; nothing that reads the rows asks about weights or repeats again."""
        return Units.of(
            self.n,
            groups=self.groups,
            instance=self.instance if self.n_repeats > 1 or self.attempt is not None else None,
            weight=self.weight,
            frequency=self.frequency,
            answers=1 if self.instance is not None else self.n_repeats,
        )

    @property
    def n_repeats(self) -> int:
        """How many times the whole data set was split and predicted."""
        return len({s.repeat for s in self.splits}) or 1

    @property
    def row_weight(self) -> FloatArray | None:
        """What each row adds to a count: importance times frequency, ``[n]``; None where each adds one."""
        if self.frequency is None:
            return self.weight
        return self.frequency.astype(np.float64) if self.weight is None else self.weight * self.frequency

    @cached_property
    def cases(self) -> int:
        """Number of cases: frequencies counted, repeats and attempts of one case once."""
        if self.instance is not None and (self.n_repeats > 1 or self.attempt is not None):
            first = np.unique(self.instance, return_index=True)[1]
            return int(first.size if self.frequency is None else self.frequency[first].sum())
        return self.n_written // self.n_repeats if _same_rows_in_all_repeats(self.splits) else self.n_written

    @property
    def n_written(self) -> int:
        """Number of rows if every case were a row of its own."""
        return self.n if self.frequency is None else int(self.frequency.sum())

    @property
    def models(self) -> tuple[str, ...]:
        """Model names, in the order given."""
        return tuple(self.outputs)

    @property
    def pos_label(self) -> Hashable | None:
        """The positive class, or None."""
        return None if self.positive is None else self.classes[self.positive]

    @property
    def n_groups(self) -> int:
        """Number of clusters of rows; 0 when the rows are not grouped."""
        return 0 if self.groups is None else int(self.groups.max()) + 1

    # -- what a model said ------------------------------------------------------------------------------------------

    def output(self, model: str) -> ModelOutput:
        """Return all that one model said."""
        if model not in self.outputs:
            known = ", ".join(map(repr, self.models))
            raise EvidenceError(f"data set {self.name!r} has no model {model!r}. The models are {known}.")
        return self.outputs[model]

    def provides(self, model: str, need: str) -> bool:
        """Tell whether the model's output can serve a measure that needs labels, scores, probabilities or values."""
        output = self.output(model)
        if need == LABELS:
            return output.labels is not None or self.provides(model, PROBABILITIES)
        if need == SCORES:
            known = output.scores is not None or output.probabilities is not None
            return self.positive is not None and (known or (self.fine is not None and self.fine.placed is not None))
        if need == PROBABILITIES:
            return output.probabilities is not None or (
                self.task == "binary" and self.positive is not None and self._scores_are_probabilities(model)
            )
        if need == VALUES:
            return self.task == "regression" and output.values is not None
        return self.right_or_wrong if need == ATTEMPTS else self.task == ("sums" if need == SUMS else "outcomes")

    def _scores_are_probabilities(self, model: str) -> bool:
        scores = self.outputs[model].scores
        return scores is not None and bool(scores.size) and bool(scores.min() >= 0) and bool(scores.max() <= 1)

    def labels_are_derived(self, model: str) -> bool:
        """Tell whether the labels come from probabilities (the likeliest class; binary: p >= 0.5)."""
        return self.output(model).labels is None

    def labels(self, model: str) -> Codes:
        """Predicted class codes ``[n]``; where none were given, the likeliest class (binary: p >= 0.5)."""
        output = self.output(model)
        if output.labels is not None:
            return output.labels
        if not self.provides(model, LABELS):
            raise self._cannot(model, LABELS)
        if output.probabilities is not None and len(self.classes) != 2:
            return np.asarray(output.probabilities.argmax(axis=1), dtype=np.int32)
        positive = 1 if self.positive is None else self.positive
        scores = output.probabilities[:, positive] if output.scores is None else output.scores  # type: ignore[index]
        return np.where(scores >= 0.5, positive, 1 - positive).astype(np.int32)

    def scores(self, model: str) -> FloatArray:
        """Scores ``[n]``, higher means more likely positive; several classes: the positive class against the rest."""
        output = self.output(model)
        scores = output.scores
        if scores is None and output.probabilities is not None and self.positive is not None:
            scores = output.probabilities[:, self.positive]
        return self._given(model, SCORES, scores if self.positive is not None else None)

    def probabilities(self, model: str) -> FloatArray:
        """Class probabilities ``[n, K]``."""
        output = self.output(model)
        if output.probabilities is not None:
            return output.probabilities
        scores = self._given(model, PROBABILITIES, output.scores if self.provides(model, PROBABILITIES) else None)
        both = np.stack([1 - scores, scores], axis=1)
        return both if self.positive == 1 else both[:, ::-1]

    def values(self, model: str) -> FloatArray:
        """Predicted values ``[n]`` (regression), or per-item outcomes ``[n]``."""
        return self._given(model, VALUES, self.output(model).values)

    def sums(self, model: str) -> FloatArray:
        """Numbers that add up, ``[n, C]``, in the order of `columns`."""
        return self._given(model, SUMS, self.output(model).sums)

    def attempts(self, model: str) -> FloatArray:
        """Attempts of each item, their outcomes added up, and the squares of their outcomes added up, ``[n, 3]``."""
        output, values = self.output(model), self.values(model)
        if output.attempts is None or output.sums is None:
            return np.stack([np.ones(self.n), values, values**2], axis=1)
        return np.column_stack([output.attempts, output.sums])

    @cached_property
    def right_or_wrong(self) -> bool:
        """Whether every outcome, of every attempt, is 0 or 1."""
        if self.task != "outcomes":
            return False
        counts = (self.attempts(m)[self.has(m)].T for m in self.models)
        return all(
            bool(((right == squares) & (right >= 0) & (right <= tried) & (right == np.rint(right))).all())
            for tried, right, squares in counts
        )

    def solved_or_not(self, *models: str) -> bool:
        """Whether each item that one of these models (by default any) answered counts 1 or 0, over all its attempts."""
        asked = (self.values(m)[self.has(m)] for m in models or self.models) if self.task == "outcomes" else ()
        return self.task == "outcomes" and all(bool(np.isin(values, (0.0, 1.0)).all()) for values in asked)

    def has(self, model: str) -> BoolArray:
        """Which items the model answered, ``[n]``."""
        attempts = self.output(model).attempts
        return np.ones(self.n, dtype=bool) if attempts is None else np.asarray(attempts > 0)

    def attempted_again(self, model: str) -> bool:
        """Whether the model attempted some item more than once."""
        given = self.outputs[model].attempts if self.task == "outcomes" else None
        return given is not None and bool(given.max() > 1)

    @property
    def unequal(self) -> bool:
        """Whether a model lacks items that another has."""
        return self.task in ("outcomes", "sums") and not all(self.has(m).all() for m in self.models)

    def answered(self, models: Sequence[str]) -> Rows:
        """The rows that all of these models answered; all rows where none lacks any."""
        if self.task not in ("outcomes", "sums") or all(self.output(m).attempts is None for m in models):
            return self
        shared = np.logical_and.reduce([self.has(m) for m in models])
        return self if shared.all() else self.take(shared)

    def correct(self, model: str, threshold: float | None = None) -> BoolArray:
        """Whether the model was right on each row, ``[n]``: its label, its outcome (1, or from the threshold on).

        Of outcomes of which less is better: 0, or up to the threshold.
        """
        if self.task == "outcomes":
            if threshold is None and not self.solved_or_not(model):
                raise EvidenceError(
                    f"the outcomes of {model!r} are graded, neither right nor wrong.",
                    hint="say from which grade on an item is right: threshold=",
                )
            values = self.values(model)
            if self.less_is_better:
                return np.asarray(values <= (0.0 if threshold is None else threshold))
            return np.asarray(values >= (1.0 if threshold is None else threshold))
        if not self.classes:
            raise EvidenceError(f"answers are needed that are right or wrong; on {self.name!r} there are none.")
        if threshold is not None:
            return np.asarray((self.scores(model) >= threshold) == self.positives())
        return np.asarray(self.labels(model) == self.truth)

    def positives(self) -> BoolArray:
        """Which rows are of the positive class, ``[n]``."""
        if self.positive is None:
            raise self._unclear()
        return np.asarray(self.truth == self.positive)

    def _given(self, model: str, need: str, found: FloatArray | None) -> FloatArray:
        if found is None:
            raise self._cannot(model, need)
        return found

    def _unclear(self) -> EvidenceError:
        return EvidenceError(
            f"the positive class of {self.name!r} is not clear: the classes are "
            f"{', '.join(map(repr, self.classes[:6]))}.",
            hint="name it with pos_label= (--positive on the command line)",
        )

    def _cannot(self, model: str, need: str) -> EvidenceError:
        if need == SCORES and self.positive is None and self.task in ("binary", "multiclass"):
            return self._unclear()
        kinds = (LABELS, SCORES, PROBABILITIES, VALUES, SUMS, ATTEMPTS)
        given = [k for k, v in zip(kinds, self.outputs[model]._parts(), strict=True) if v is not None]
        return EvidenceError(
            f"{need} of model {model!r} are needed on {self.name!r}, but only {' and '.join(given) or 'nothing'} "
            f"{'was' if given == [] else 'were'} given.",
            hint=_HINTS[need],
        )

    # -- counts -----------------------------------------------------------------------------------------------------

    @cached_property
    def _tables(self) -> dict[str, FloatArray]:
        """Confusion cells that were counted, by model."""
        return {}

    def confusion(self, model: str) -> ConfusionCounts:
        """Confusion counts of one model over all rows."""
        return ConfusionCounts(self.classes, self.confusion_by_split(model).sum(axis=0))

    def confusion_by_split(self, model: str) -> FloatArray:
        """Confusion cells of each split, ``[J, K, K]``."""
        if model not in self._tables:
            self._tables[model] = self._count_cells(model)
        return self._tables[model].copy()

    def _count_cells(self, model: str) -> FloatArray:
        k = len(self.classes)
        j = max(len(self.splits), 1)
        key = self.truth.astype(np.int64) * k + self.labels(model)
        if j > 1 and self.split_index is not None:
            key += self.split_index.astype(np.int64) * (k * k)
        flat = np.bincount(key, weights=self.row_weight, minlength=j * k * k)
        return flat.reshape(j, k, k).astype(np.float64)

    def tally(self, model: str) -> ScoreTally:
        """Positives and negatives at each distinct score of one model."""
        if self.fine is not None:
            return self.fine.of[model]
        if model not in self._tallies:
            made = self._tallied(model)
            while self._tallies and len(self._tallies) * made.scores.nbytes > _KEPT_BYTES // 3:
                self._tallies.pop(next(iter(self._tallies)))
            self._tallies[model] = made
        return self._tallies[model]

    def _tallied(self, model: str) -> ScoreTally:
        from bakeoff.stats import tally_scores

        return ScoreTally(*tally_scores(self.positives(), self.scores(model), self.row_weight))

    @cached_property
    def kept(self) -> dict[str, Any]:
        """What other packages made of these rows and need not make twice, by their own names for it."""
        return {}

    @cached_property
    def _tallies(self) -> dict[str, ScoreTally]:
        """Tallies that were made, the last ones within a bound: every measure of scores asks for them."""
        return {}

    def about(self, models: Sequence[str], need: str) -> Rows:
        """Rows that suffice for a measure with this need, of these models: where rows are at hand, those answered."""
        return self.answered(models)

    # -- parts ------------------------------------------------------------------------------------------------------

    def split(self, index: int) -> Rows:
        """Return the rows of one split."""
        if self.split_index is None:
            return self
        rows = np.flatnonzero(self.split_index == index)
        part = self.take(rows)
        times = {(m, 0): t for (m, s), t in self.times.items() if s == index}
        return replace(part, splits=(self.splits[index],), split_index=np.zeros(rows.size, np.int32), times=times)

    def take(self, rows: NDArray[Any]) -> Rows:
        """Keep some rows (indices or a mask)."""
        per_row = {name: getattr(self, name) for name in _PER_ROW}
        kept: dict[str, Any] = {name: None if values is None else values[rows] for name, values in per_row.items()}
        outputs = {m: o.take(rows) for m, o in self.outputs.items()}
        slices = {name: Slicing(one.code[rows], one.names) for name, one in self.slices.items()}
        return replace(self, outputs=outputs, slices=slices, inner=None, **kept)

    def written_out(self) -> Rows:
        """The same with every whole case as a row of its own: for formulas that read rows, not counts."""
        if self.frequency is None:
            return self
        take, units = np.repeat(np.arange(self.n), self.frequency), self.units
        if units.kind == "instance":  # copies of an instance are other instances
            take, units = units.written_out()
            return replace(self.take(take), frequency=None, instance=units.of_row)
        return replace(self.take(take), frequency=None, instance=None)

    def with_outputs(self, added: Mapping[str, ModelOutput]) -> Rows:
        """Add models that answered the same rows."""
        return replace(self, outputs={**self.outputs, **added})

    def select(self, models: Sequence[str]) -> Rows:
        """Keep some models."""
        return replace(self, outputs={m: self.output(m) for m in models})

    def in_memory(self, models: Sequence[str] | None = None) -> Rows:
        """Load these models' rows, where they live in files."""
        return self if models is None else self.select(models)


PRIOR = "prior"


def always(label: object) -> str:
    """Name the baseline that always answers `label`.

    Examples
    --------
    >>> from bakeoff.evidence import always
    >>> always("yes")
    'always yes'
    """
    return f"always {label}"


def is_baseline(model: str, classes: tuple[object, ...] = ()) -> bool:
    """Tell whether a model name is that of a trivial baseline of these classes.

    Examples
    --------
    >>> from bakeoff.evidence import is_baseline
    >>> is_baseline("always yes", ("no", "yes")), is_baseline("forest", ("no", "yes"))
    (True, False)
    """
    return model == PRIOR or model in {always(c) for c in classes}


def _same_rows_in_all_repeats(splits: Sequence[Split]) -> bool:
    """Whether every repeat tests as many rows over several folds: cross-validation, not repeated hold-out."""
    sizes: dict[int, list[int]] = {}
    for split in splits:
        sizes.setdefault(split.repeat, []).append(split.n_test)
    return len({sum(parts) for parts in sizes.values()}) == 1 and all(len(parts) > 1 for parts in sizes.values())


_HINTS = {
    LABELS: "give y_pred, or y_score as probabilities between 0 and 1",
    SCORES: "give y_score (any number that is higher for the positive class)",
    PROBABILITIES: "give y_score as probabilities: between 0 and 1, or one column per class that sum to 1",
    VALUES: "give y_value, the predicted numbers",
    SUMS: "make the evidence with Predictions.from_sums",
}
