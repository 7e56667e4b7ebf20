"""Predictions: paired evidence of one or more models on one or more data sets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.frames import columns_of, from_capsule, is_frame, is_lazy
from bakeoff._core.language import Text, listed, spoken
from bakeoff._core.result import Note, Result
from bakeoff._core.view import Table, View
from bakeoff.evidence import hooks
from bakeoff.evidence._arrays import check_labels, tables_of
from bakeoff.evidence._baselines import with_baselines
from bakeoff.evidence._columns import names_among
from bakeoff.evidence._design import Design
from bakeoff.evidence._direction import refuse_two_scales
from bakeoff.evidence._items import OUTCOME, build_items, read_items
from bakeoff.evidence._outcomes import wide_outcomes
from bakeoff.evidence._pairing import Pairing, pairing_of
from bakeoff.evidence._rows import Rows, mean_sizes, split_kind

if TYPE_CHECKING:
    from bakeoff.evidence._scores import Scores
    from bakeoff.evidence._travel import Counts
    from bakeoff.evidence.logs._record import Source

Columns = str | Sequence[str] | Mapping[str, str | Sequence[str]] | None


@dataclass(frozen=True, repr=False)
class Predictions(Result):
    """What was true and what each model said, row by row, on the same rows for all models.

    Make it with `from_arrays`, `from_frame`, `read` or `from_outcomes`; they check everything once.

    Attributes
    ----------
    tables
        Data set name → its `Rows`.
    notes
        What was decided when the evidence was read: rows left out, repeats seen, columns that are no models.
    source
        Where it was read from: format, files, what was skipped; None for what was not read.

    Examples
    --------
    >>> from bakeoff import Predictions
    >>> p = Predictions.from_arrays([0, 1, 1, 0], y_score={"a": [0.1, 0.9, 0.4, 0.3], "b": [0.2, 0.6, 0.7, 0.8]})
    >>> p
    Predictions(4 rows, 2 models (a, b), 1 data set, binary)
    >>> p.design.describe()
    'one test set of 2 models on 1 data set (4 rows)'
    """

    tables: Mapping[str, Rows]
    notes: tuple[Note, ...] = ()
    source: Source | None = None

    def __post_init__(self) -> None:
        """Refuse arrays: they are checked by `from_arrays`."""
        if not isinstance(self.tables, Mapping) or not all(isinstance(rows, Rows) for rows in self.tables.values()):
            raise ParameterError(
                "Predictions is made by its constructors, which check what they are given.",
                hint="Predictions.from_arrays(y_true, y_pred={model: labels}), from_frame, read, from_outcomes",
            )

    # -- making -----------------------------------------------------------------------------------------------------

    @classmethod
    def from_arrays(
        cls,
        y_true: Any,
        *,
        y_pred: Any = None,
        y_score: Any = None,
        y_value: Any = None,
        classes: Sequence[Hashable] | None = None,
        pos_label: Hashable | None = None,
        dataset: Any = "data",
        repeat: Any = None,
        fold: Any = None,
        groups: Any = None,
        sample_weight: Any = None,
        frequency: Any = None,
        instance: Any = None,
        slices: Any = None,
        n_train: int | None = None,
    ) -> Predictions:
        """Take arrays, lists or series.

        Parameters
        ----------
        y_true
            True labels or values ``[n]``.
        y_pred, y_score, y_value
            Model name → predicted labels ``[n]``; scores ``[n]`` or class probabilities ``[n, K]``; values ``[n]``.
        classes
            All classes in order; by default those found in `y_true`, sorted.
        pos_label
            The positive class; may be left out for {0, 1}, {-1, 1} and {False, True}.
        dataset, repeat, fold, groups
            One value for all rows, or one per row.
        sample_weight
            Importance of the rows: how much each counts in a measure. Only their proportions matter.
        frequency
            How many whole cases each row stands for: the same as writing the row down so many times.
        instance
            Which case each row is about. A case that recurs (repeats, several answers) is one unit of evidence.
        slices
            Name → value of each row, for ``by=``: what is then answered for every slice too.
        n_train
            Size of the training sets, for hold-out evidence, where it cannot be derived.

        Examples
        --------
        >>> import bakeoff
        >>> scores = {"rf": [0.9, 0.2, 0.6], "nb": [0.7, 0.4, 0.1]}
        >>> p = bakeoff.Predictions.from_arrays(["yes", "no", "yes"], y_score=scores, pos_label="yes")
        >>> p.models, p.n
        (('rf', 'nb'), 3)
        """
        outputs = {"y_pred": y_pred, "y_score": y_score, "y_value": y_value}
        keys = {"dataset": dataset, "repeat": repeat, "fold": fold, "groups": groups, "sample_weight": sample_weight,
                "frequency": frequency, "instance": instance}  # fmt: skip
        return cls(*tables_of(y_true, outputs, keys, slices, classes=classes, pos_label=pos_label, n_train=n_train))

    @classmethod
    def from_frame(
        cls,
        df: Any,
        *,
        y_true: str,
        y_pred: Columns = None,
        y_score: Columns = None,
        y_value: Columns = None,
        model: str | None = None,
        dataset: str | None = None,
        repeat: str | None = None,
        fold: str | None = None,
        groups: str | None = None,
        sample_weight: str | None = None,
        frequency: str | None = None,
        instance: str | None = None,
        slices: str | Sequence[str] | None = None,
        classes: Sequence[Hashable] | None = None,
        pos_label: Hashable | None = None,
        n_train: int | None = None,
        drop_missing: bool = False,
    ) -> Predictions:
        """Take a pandas, Polars or Arrow frame, or a mapping of columns; arguments name its columns.

        `y_pred`, `y_score` and `y_value` are a column, a list of columns (each a model named after it), or a mapping
        model name → column, or → list of columns of class probabilities, each named after its class (or in the order
        of `classes`). A name of `dataset` that is no column is the data set's name. With `model=`, the frame is long:
        one row per instance and model. `drop_missing` leaves out, for all models alike, the rows in which a value of
        these columns is missing.

        Examples
        --------
        >>> import polars as pl
        >>> import bakeoff
        >>> frame = pl.DataFrame({"y": ["yes", "no", "yes"], "rf": [0.9, 0.2, 0.6], "nb": [0.7, 0.4, 0.1]})
        >>> bakeoff.Predictions.from_frame(frame, y_true="y", y_score=["rf", "nb"], pos_label="yes").models
        ('rf', 'nb')
        """
        from bakeoff.evidence._columns import arrays_from_columns, refuse_columns_of_other_class

        df = from_capsule(df)
        if not is_frame(df) and not isinstance(df, Mapping):
            raise ParameterError(f"from_frame needs a data frame. Got {type(df).__name__} instead.")
        keys = {"dataset": dataset, "repeat": repeat, "fold": fold, "groups": groups, "sample_weight": sample_weight,
                "frequency": frequency, "instance": instance}  # fmt: skip
        outputs = {"y_pred": y_pred, "y_score": y_score, "y_value": y_value}
        arrays, notes = arrays_from_columns(
            columns_of(df), y_true=y_true, outputs=outputs, model=model,
            keys=keys, slices=slices, classes=classes, drop_missing=drop_missing,
        )  # fmt: skip
        made = cls.from_arrays(**arrays, classes=classes, pos_label=pos_label, n_train=n_train)
        refuse_columns_of_other_class(made, y_score, long=model is not None)
        return replace(made, notes=(*notes, *made.notes))

    @classmethod
    def scan(
        cls,
        source: Any,
        *,
        y_true: str,
        y_pred: Columns = None,
        y_score: Columns = None,
        y_value: Columns = None,
        model: str | None = None,
        models: Sequence[str] | None = None,
        dataset: str | None = None,
        repeat: str | None = None,
        fold: str | None = None,
        groups: str | None = None,
        sample_weight: str | None = None,
        frequency: str | None = None,
        instance: str | None = None,
        slices: Any = None,
        classes: Sequence[Hashable] | None = None,
        pos_label: Hashable | None = None,
        max_scores: int = 2**20,
        score_bits: int | None = None,
    ) -> Predictions:
        """Take a lazy frame of Polars, DuckDB, Ibis, Dask or PySpark; rows stay there, and counts come back.

        The columns are named as in `from_frame`. Scores are counted exactly up to `max_scores` distinct ones, else
        rounded to 16 significant bits (`score_bits`). In a long table `model` names the column, and `models` those to
        read (by default all).

        Examples
        --------
        >>> import polars as pl
        >>> import bakeoff
        >>> frame = pl.LazyFrame({"y": [1, 0, 1, 0], "rf": [0.9, 0.2, 0.6, 0.6], "nb": [0.7, 0.4, 0.1, 0.2]})
        >>> p = bakeoff.Predictions.scan(frame, y_true="y", y_score=["rf", "nb"])
        >>> p.models, p.n
        (('rf', 'nb'), 4)
        """
        from bakeoff.evidence._counted import scan

        check_labels(classes, pos_label)
        outputs = {"label": y_pred, "score": y_score, "value": y_value}
        keys = {"repeat": repeat, "fold": fold, "instance": instance, "group": groups, "weight": sample_weight,
                "frequency": frequency, "dataset": dataset}  # fmt: skip
        return scan(
            source, y_true, outputs, keys, slices=slices, model=model, models=models, classes=classes,
            pos_label=pos_label, max_scores=max_scores, score_bits=score_bits,
        )  # fmt: skip

    @classmethod
    def read(cls, path: str | Path, *, drop_missing: bool = False, **columns: Any) -> Predictions:
        """Read a file (CSV, TSV, JSON lines, Parquet …), or scan a folder of Parquet files without loading it.

        Takes the arguments of `from_frame`; a folder laid out as bakeoff's store (``dataset=…/model=…``) needs none.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import polars as pl
        >>> import bakeoff
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder) / "preds.csv"
        ...     pl.DataFrame({"y": ["yes", "no", "yes"], "rf": [0.9, 0.2, 0.6]}).write_csv(file)
        ...     print(bakeoff.Predictions.read(file, y_true="y", y_score=["rf"], pos_label="yes").models)
        ...
        ('rf',)
        """
        from bakeoff.evidence._read import as_path, read_predictions

        return read_predictions(as_path(path), columns, drop_missing=drop_missing)

    @classmethod
    def from_outcomes(
        cls,
        table: Any,
        *,
        item: Any = None,
        model: str | None = None,
        outcome: str | None = None,
        attempt: Any = None,
        groups: Any = None,
        slices: Any = None,
        dataset: Any = None,
        models: Sequence[str] | None = None,
        sample_weight: Any = None,
        frequency: Any = None,
        instance: str | None = None,
        drop_missing: bool = False,
        mixed_scales: bool = False,
    ) -> Predictions:
        """Take per-item outcomes without a truth: rows items, columns models, cells 0/1 or a graded score.

        Long, one row per item and model (and attempt), when `model` and `outcome` name columns. A model may then lack
        items: it is measured on its own, and compared on those that it shares.

        Parameters
        ----------
        table
            A frame, a mapping model → outcomes, or an array ``[items, models]`` with `models=`. Cells may say pass and
            fail, or right and wrong.
        item, attempt
            Which item a row is about, and which attempt at it; values, or the name of a column. Attempts at one item
            belong together: the item is the unit.
        model, outcome
            Columns of a long table.
        models
            Names of the models; for a frame, its columns that are models (by default all that can be).
        groups
            Cluster of each item (document, task), as values, or the name of a column of the frame.
        slices
            Name → value of each item, or names of columns; kept for ``by=``.
        dataset
            Data set of each row (a column, or values), or one name for all.
        sample_weight, frequency
            Importance of the items, and how many whole items a row stands for; values, or the name of a column.
        instance
            Another name for `item`.
        drop_missing
            Leave out, for all models alike, the items without an outcome of some model.
        mixed_scales
            Take outcomes as they are, though those of one model look like percentages of another's.

        Examples
        --------
        >>> import bakeoff
        >>> solved = {"small": [1, 0, 0, 1], "large": [1, 1, 0, 1]}
        >>> p = bakeoff.Predictions.from_outcomes(solved, groups=["a", "a", "b", "b"])
        >>> p.models, p.n
        (('small', 'large'), 4)
        """
        keys = {"item": instance if item is None else item, "attempt": attempt, "dataset": dataset, "groups": groups,
                "sample_weight": sample_weight, "frequency": frequency}  # fmt: skip
        notes: tuple[Note, ...] = ()
        table = from_capsule(table)
        if model is not None or outcome is not None:
            if model is None or outcome is None:
                raise ParameterError("a long table of outcomes needs model= and outcome=, the names of two columns.")
            if keys["item"] is None:
                raise EvidenceError("a long table needs the column that identifies an item.", hint="name it with item=")
            if is_lazy(table):
                return _scan_items(table, "outcomes", model, outcome, slices, keys)
            long = read_items(table, model=model, columns=outcome, slices=slices, keys=keys)
            if models is not None:
                long = long.of_models(models)
            if drop_missing:
                long, notes = long.without_gaps()
        else:
            columns, keys, slices, notes = wide_outcomes(table, models, keys, slices, drop_missing=drop_missing)
            named = {m: {OUTCOME: v} for m, v in columns.items()}
            long = read_items(named, model=None, columns=OUTCOME, slices=slices, keys=keys)
        if not mixed_scales:
            refuse_two_scales(long.of_each_model())
        return cls(build_items(long.squared(), "outcomes"), notes)

    @classmethod
    def from_sums(
        cls,
        table: Any,
        *,
        item: Any = None,
        model: str | None = None,
        columns: str | Sequence[str] | None = None,
        attempt: Any = None,
        groups: Any = None,
        slices: Any = None,
        dataset: Any = None,
        sample_weight: Any = None,
        frequency: Any = None,
    ) -> Predictions:
        """Take per-item numbers that add up: edits and lengths, matches and totals, costs and successes.

        Parameters
        ----------
        table
            Long: a frame with one row per item and model (and attempt); of a lazy frame (Polars, DuckDB, Ibis, Dask,
            PySpark) the rows stay where they are. Or a mapping model → {column → array}, items by position or by
            `item`.
        item, model, attempt
            Columns of the long table; for a mapping `item` and `attempt` may be values.
        columns
            Those that add up; by default every other column of numbers.
        groups, slices, dataset, sample_weight, frequency
            As in `from_outcomes`; each must be the same on all rows of an item.

        Examples
        --------
        >>> import bakeoff
        >>> small = {"edits": [1, 0, 3] * 20, "ref_length": [5, 4, 6] * 20}
        >>> large = {"edits": [0, 0, 2] * 20, "ref_length": [5, 4, 6] * 20}
        >>> p = bakeoff.Predictions.from_sums({"small": small, "large": large})
        >>> round(bakeoff.evaluate(p, "wer")["large", "wer"].estimate, 4)
        0.1333
        """
        keys = {"item": item, "attempt": attempt, "dataset": dataset, "groups": groups,
                "sample_weight": sample_weight, "frequency": frequency}  # fmt: skip
        table = from_capsule(table)
        if is_lazy(table):
            return _scan_items(table, "sums", model, columns, slices, keys)
        long = read_items(table, model=model, columns=columns, slices=slices, keys=keys)
        return cls(build_items(long, "sums"))

    # -- looking ----------------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Rows]:
        return iter(self.tables.values())

    @property
    def models(self) -> tuple[str, ...]:
        """Names of all models, in the order given."""
        return tuple(dict.fromkeys(m for rows in self for m in rows.models))

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the data sets."""
        return tuple(self.tables)

    @property
    def n(self) -> int:
        """Number of cases over all data sets: frequencies counted, repeated answers to one case once."""
        return sum(rows.cases for rows in self)

    @property
    def pairing(self) -> Pairing:
        """Which items the models share: counts, in all and by model.

        Examples
        --------
        >>> import bakeoff
        >>> long = {"id": [1, 2, 3, 1, 2], "who": ["a", "a", "a", "b", "b"], "right": [1, 0, 1, 1, 1]}
        >>> pairing = bakeoff.Predictions.from_outcomes(long, item="id", model="who", outcome="right").pairing
        >>> pairing.items, pairing.paired, pairing.unpaired
        (3, 2, {'a': 1, 'b': 0})
        """
        return pairing_of(list(self), self.models)

    @property
    def design(self) -> Design:
        """How the evidence was made, as far as inference needs to know."""
        per_table = [(rows, split_kind(rows.splits, rows.protocol)) for rows in self]
        rows, kind = min(per_table, key=lambda pair: max(len(pair[0].splits), 1))
        repeats = rows.n_repeats if rows.attempt is None else int(rows.attempt.max()) + 1
        if len(self.tables) > 1:
            unit = "data sets"
        elif len(rows.splits) > 1 and kind != "leave-one-out":
            unit = "folds"
        else:
            unit = "items" if rows.task in ("outcomes", "sums") else "instances"
        n_splits, (n_train, n_test) = max(len(rows.splits), 1), mean_sizes(rows.splits)
        return Design(
            unit, kind, rows.task, n_models=len(self.models), n_datasets=len(self.tables),
            n_rows=min(_rows_once(r) for r in self), n_repeats=repeats, n_folds=max(n_splits // repeats, 1),
            n_splits=n_splits, n_train=n_train, n_test=n_test, n_groups=min(r.n_groups for r in self),
        )  # fmt: skip

    def table(self, dataset: str | None = None) -> Rows:
        """Return the rows of one data set; the name may be left out when there is only one."""
        if dataset is None:
            if len(self.tables) != 1:
                raise EvidenceError(
                    f"there are {len(self.tables)} data sets: {', '.join(map(repr, list(self.tables)[:6]))}.",
                    hint="say which with dataset= or .select(datasets=[…])",
                )
            return next(iter(self.tables.values()))
        if dataset not in self.tables:
            raise unknown_choice("dataset", dataset, self.tables)
        return self.tables[dataset]

    def select(
        self, *, models: Sequence[str] | str | None = None, datasets: Sequence[str] | str | None = None
    ) -> Predictions:
        """Keep some models, some data sets, or both.

        Examples
        --------
        >>> import bakeoff
        >>> p = bakeoff.Predictions.from_arrays([0, 1, 0, 1], y_pred={"a": [0, 1, 1, 1], "b": [0, 0, 0, 1]})
        >>> p.select(models=["b"]).models
        ('b',)
        """
        wanted = names_among(datasets, self.datasets, "datasets")
        kept = names_among(models, self.models, "models")
        tables = {d: self.tables[d].select([m for m in kept if m in self.tables[d].models]) for d in wanted}
        return replace(self, tables=tables)

    def about(self, need: str) -> Predictions:
        """Evidence that suffices for measures with this need: itself, unless rows are counted where they live."""
        tables = {name: rows.about(rows.models, need) for name, rows in self.tables.items()}
        return self if all(tables[d] is self.tables[d] for d in tables) else Predictions(tables, self.notes)

    def with_baselines(self) -> Predictions:
        """Add the trivial models: ``always <class>`` for each class, and ``prior``."""
        return replace(self, tables={name: with_baselines(rows) for name, rows in self.tables.items()})

    def counts(
        self,
        *,
        measures: Any = None,
        by: Any = None,
        max_scores: int = 2**20,
        score_bits: int | None = None,
        min_cell: int = 0,
        merged: Counts | None = None,
    ) -> Counts:
        """Count what suffices for the measures (by default all that can be had), to be saved, sent and added up.

        Parameters
        ----------
        by
            Slices to keep; by default all that the evidence has.
        max_scores, score_bits
            Scores stay exact up to so many distinct ones, else they are rounded to 16 significant bits; `score_bits`
            fixes it, so that sites agree.
        min_cell
            Join neighbouring scores until every bin holds so many rows.
        merged
            The counts of all sites, for a second round: rows in groups then send sums of placements against them and
            no scores by group, which is what areas under the curve need (``bakeoff count --with``).

        Examples
        --------
        >>> import bakeoff
        >>> p = bakeoff.Predictions.from_arrays([0, 1, 1, 0], y_score={"a": [0.1, 0.8, 0.5, 0.5]})
        >>> p.counts().bounds("a", "auc")
        (0.875, 0.875)
        """
        from bakeoff.evidence._travel import count

        return count(self, measures, by, max_scores, score_bits, min_cell, merged)

    def scores(self, measure: Any) -> Scores:
        """Compute one number per data set, model, repeat and fold.

        Parameters
        ----------
        measure
            A measure's name or a `bakeoff.Measure`.

        Examples
        --------
        >>> import bakeoff
        >>> p = bakeoff.Predictions.from_arrays([0, 1, 0, 1], y_pred={"a": [0, 1, 1, 1]}, fold=[0, 0, 1, 1])
        >>> p.scores("accuracy").cells["data"].ravel().tolist()
        [1.0, 0.5]
        """
        return hooks.score_predictions(self, measure)

    # -- printing ---------------------------------------------------------------------------------------------------

    def _headline(self) -> str:
        names = ", ".join(self.models[:4]) + (", …" if len(self.models) > 4 else "")
        tasks = "/".join(dict.fromkeys(rows.task for rows in self))
        k, d = len(self.models), len(self.datasets)
        return f"{self.n} rows, {k} model{'s' * (k != 1)} ({names}), {d} data set{'s' * (d != 1)}, {tasks}"

    def _columns(self) -> dict[str, Sequence[Any]]:
        rows = list(self)
        return {
            "dataset": [r.name for r in rows],
            "task": [r.task for r in rows],
            "rows": [_rows_once(r) for r in rows],
            "models": [len(r.models) for r in rows],
            "classes": [len(r.classes) for r in rows],
            "splits": [max(len(r.splits), 1) for r in rows],
            "groups": [r.n_groups for r in rows],
        }

    def _view(self) -> View:
        what = Text("Predictions of {models}: {design}.", models=listed(self.models), design=self.design.description)
        return View((what,), (Table(spoken(self._columns())),), (), self.notes)

    def to_dict(self) -> dict[str, Any]:
        """Describe the evidence (not the rows themselves) as JSON-able values."""
        return {
            "kind": "Predictions",
            "schema_version": 1,
            "models": list(self.models),
            "datasets": {r.name: {"n": r.n, "task": r.task, "classes": [str(c) for c in r.classes]} for r in self},
            "design": self.design.to_dict(),
        }


def _scan_items(table: Any, task: str, model: str | None, columns: Any, slices: Any, keys: Any) -> Predictions:
    from bakeoff.evidence._lazy_items import scan_items

    return scan_items(table, task, model=model, columns=columns, slices=slices, keys=keys)


def _rows_once(rows: Rows) -> int:
    """Cases of one data set as the design counts them."""
    if rows.attempt is not None:
        return rows.cases
    return rows.n_written // rows.n_repeats


class Run(ABC):
    """Results of a run: `compare` and `evaluate` leave every model its splits, `predictions` pairs the shared ones."""

    @property
    @abstractmethod
    def models(self) -> tuple[str, ...]:
        """Names of the models, in the order they were given."""

    @property
    @abstractmethod
    def complete(self) -> tuple[str, ...]:
        """Models that have results wherever any model has."""

    @abstractmethod
    def predictions(self, dataset: str | None = None, *, models: Sequence[str] | None = None) -> Predictions:
        """Return the rows that all of these models answered."""

    @abstractmethod
    def compare(self, measure: Any = None, **options: Any) -> Any:
        """Compare the models; each pair on the splits it shares."""

    @abstractmethod
    def evaluate(self, measures: Any = None, **options: Any) -> Any:
        """Evaluate the models, each on its own splits."""


def paired_rows(evidence: Any, models: Sequence[str] | None = None) -> Any:
    """Of a run the rows that these models share; other evidence as it is."""
    return evidence.predictions(models=models) if isinstance(evidence, Run) else evidence
