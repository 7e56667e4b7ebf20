"""Scores: one number per data set, model, repeat and fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.frames import columns_of, from_capsule, is_frame, make_frame
from bakeoff._core.language import Own, Text, translate
from bakeoff._core.result import Note, Result, warning_note
from bakeoff._core.validation import FloatArray, IntArray, check_count
from bakeoff._core.view import Table, View
from bakeoff.evidence import hooks
from bakeoff.evidence._columns import column, names_among
from bakeoff.evidence._design import Design
from bakeoff.evidence._direction import ASSUMED, name_of, refuse_losses_of_scorers, scored_by, settle
from bakeoff.evidence._door import codes_of, rows_by_code
from bakeoff.evidence._roles import refuse_cells, refuse_rows_of_measures
from bakeoff.evidence._rows import Split, mean_sizes, split_kind
from bakeoff.evidence._wide import cv_arrays, is_of_scorers, vector, wide_table

if TYPE_CHECKING:
    from bakeoff.evidence.logs._record import Source


@dataclass(frozen=True, repr=False)
class Scores(Result):
    """How well each model did on each data set (and in each repeat and fold of it).

    Make it with `from_wide`, `from_frame`, `from_cv_results` or `Predictions.scores`.

    Attributes
    ----------
    models
        Model names, in the order of the columns.
    cells
        Data set name → scores ``[J, k]``, one row per train/test split; NaN where a score is missing.
    splits
        Data set name → its splits.
    measure, greater_is_better
        What the numbers are, and whether more is better.
    source
        Where they were read from, or None.

    Examples
    --------
    >>> from bakeoff import Scores
    >>> s = Scores.from_wide([[0.8, 0.7], [0.9, 0.85], [0.6, 0.65]], models=["rf", "nb"])
    >>> s
    Scores(3 data sets, 2 models (rf, nb), measure 'score')
    """

    models: tuple[str, ...]
    cells: Mapping[str, FloatArray]
    splits: Mapping[str, tuple[Split, ...]]
    measure: str = "score"
    greater_is_better: bool = True
    protocol: str | None = None
    task: str = ""
    notes: tuple[Note, ...] = ()
    source: Source | None = None

    # -- making -----------------------------------------------------------------------------------------------------

    @classmethod
    def from_wide(
        cls,
        table: Any,
        *,
        models: Sequence[str] | None = None,
        datasets: Sequence[str] | None = None,
        dataset: str | None = None,
        repeat: str | None = None,
        fold: str | None = None,
        measure: str | None = None,
        greater_is_better: bool | None = None,
        mixed_scales: bool = False,
        n_train: int | None = None,
        n_test: int | None = None,
    ) -> Scores:
        """Take a table whose rows are data sets (or folds) and whose columns are models.

        Parameters
        ----------
        table
            A frame (a text column or the pandas index names the data sets), a mapping model → scores, or an array with
            `models=`.
        models, datasets
            Names; for a frame, `models` selects columns. Columns that by their names are no models (an id, a seed, a
            number of rows) are left out, and a note says so.
        dataset, repeat, fold
            Columns of a frame: which data set, repeat and fold a row is about, where rows are not simply data sets.
        n_train, n_test
            Sizes of the training and test sets of folds.
        measure, greater_is_better
            What the numbers are. The direction follows from the measure; of a quantity that is not known it must be
            given. With neither, more is taken as better, and a note says so.
        mixed_scales
            Take the scores as they are, though those of one model look like percentages of another's; a direction
            alone does not say that.

        Examples
        --------
        >>> import bakeoff
        >>> table = [[0.81, 0.78], [0.92, 0.90], [0.75, 0.76]]
        >>> scores = bakeoff.Scores.from_wide(table, models=["new", "old"], measure="auc")
        >>> scores.models, scores.design.n_datasets
        (('new', 'old'), 3)
        """
        keys = {"dataset": dataset, "repeat": repeat, "fold": fold}
        wide = wide_table(from_capsule(table), _named(models, "models"), _named(datasets, "datasets"), keys)
        rows = len(wide.values)
        names = wide.datasets or (["data"] * rows if wide.splits else [f"{i + 1}" for i in range(rows)])
        if not wide.splits:
            if n_train is not None or n_test is not None:
                raise ParameterError("n_train= and n_test= are sizes of folds, but the rows are data sets.")
            _refuse_repeated(wide.models, "model")
            _refuse_repeated(names, "data set")
        if len(names) != rows:
            raise EvidenceError(f"the table has {rows} rows, but {len(names)} data set names were given.")
        if not rows:
            raise EvidenceError("the table has no rows.", hint="is the file empty?")
        cells = {name: row[None, :] for name, row in zip(names, wide.values, strict=True)}
        splits: dict[str, tuple[Split, ...]] = dict.fromkeys(names, ())
        if wide.splits:
            place = {name: i for i, name in enumerate(cells)}
            keyed = {k: codes_of(k, wide.splits[k], rows)[0] for k in ("repeat", "fold")}
            keyed["dataset"] = np.array([place[name] for name in names])
            lines = {k: np.repeat(codes, len(wide.models)) for k, codes in keyed.items()}
            lines["model"] = np.tile(np.arange(len(wide.models)), rows)
            cells, splits = _in_cells(list(place), wide.models, lines, wide.values.ravel(), n_train, n_test)
        return cls._settled(wide.models, cells, splits, measure, greater_is_better, mixed_scales, notes=wide.notes)

    @classmethod
    def from_frame(
        cls,
        df: Any,
        *,
        model: str,
        value: str,
        dataset: str | None = None,
        repeat: str | None = None,
        fold: str | None = None,
        measure: str | None = None,
        greater_is_better: bool | None = None,
        mixed_scales: bool = False,
        n_train: int | None = None,
        n_test: int | None = None,
    ) -> Scores:
        """Take a long frame: one row per model, data set, repeat and fold; arguments name its columns.

        `n_train` and `n_test` are the sizes of the training and test sets, which the corrected t-test needs.

        Examples
        --------
        >>> import polars as pl
        >>> import bakeoff
        >>> frame = pl.DataFrame({"data": ["x", "x", "y", "y"], "model": ["a", "b"] * 2, "auc": [0.8, 0.7, 0.9, 0.8]})
        >>> bakeoff.Scores.from_frame(frame, model="model", value="auc", dataset="data").models
        ('a', 'b')
        """
        table = columns_of(df)
        values = vector(column(table, value, "value"), value)
        if not values.size:
            raise EvidenceError("the table has no rows.", hint="is the file empty?")
        keys = {"dataset": dataset, "repeat": repeat, "fold": fold, "model": model}
        coded = {k: codes_of(k, None if c is None else column(table, c, k), values.size) for k, c in keys.items()}
        models = [str(m) for m in coded["model"][1]]
        labels = [str(d) for d in coded["dataset"][1]] if dataset else ["data"]
        cells, splits = _in_cells(labels, models, {k: c for k, (c, _) in coded.items()}, values, n_train, n_test)
        return cls._settled(models, cells, splits, measure, greater_is_better, mixed_scales, heading=value)

    @classmethod
    def from_cv_results(
        cls,
        results: Any,
        *,
        measure: str | None = None,
        score: str | None = None,
        greater_is_better: bool | None = None,
        mixed_scales: bool = False,
        repeats: int | None = None,
        cv: Any = None,
        n_train: int | None = None,
        n_test: int | None = None,
    ) -> Scores:
        """Take what scikit-learn's `cross_validate` or a search's ``cv_results_`` returned.

        Parameters
        ----------
        results
            Model name → the dict (or array) of `cross_validate` / `cross_val_score`, all on the same splits; or a
            fitted search such as `GridSearchCV` (or its ``cv_results_``), whose candidates become the models.
        score
            Key of the scores, such as ``"test_roc_auc"``; may be left out where there is only one.
        repeats
            Number of repeats, when the splits came from a repeated splitter.
        cv
            The splitter itself, which knows its repeats.

        Examples
        --------
        >>> import bakeoff
        >>> folds = {"a": [0.81, 0.84, 0.79], "b": [0.80, 0.81, 0.80]}
        >>> bakeoff.Scores.from_cv_results(folds, measure="accuracy", n_train=80, n_test=40).design.kind
        'k-fold'
        """
        if hasattr(results, "cv_results_"):
            cv = getattr(results, "cv", None) if cv is None else cv
            measure = scored_by(getattr(results, "scoring", None), measure)
            results = results.cv_results_
        elif isinstance(results, Mapping):  # people put what `cross_validate` returned into frames
            results = {m: columns_of(given) if is_frame(given) else given for m, given in results.items()}
        score, named = cv_arrays(results, score)
        lengths = {m: len(v) for m, v in named.items()}
        if len(set(lengths.values())) != 1:
            raise EvidenceError(f"all models need the same splits, but they have {lengths}.")
        j = next(iter(lengths.values()))
        times, notes = _repeats(repeats, cv, j)
        folds = j // times
        splits = tuple(Split(i // folds, i % folds, n_test or 0, n_train) for i in range(j))
        matrix = np.stack(list(named.values()), axis=1)
        label = name_of(measure) or score.removeprefix("test_")
        if greater_is_better is None and is_of_scorers(results):
            refuse_losses_of_scorers(label, {"data": matrix})
        if label == "score" and greater_is_better is None:
            greater_is_better = True  # so are all scorers of scikit-learn
        return cls._settled(
            list(named), {"data": matrix}, {"data": splits}, label, greater_is_better, mixed_scales, notes=notes
        )

    @classmethod
    def _settled(
        cls, models: Sequence[str], cells: dict[str, FloatArray], splits: dict[str, tuple[Split, ...]],
        measure: Any, greater_is_better: Any, mixed_scales: bool, *, heading: str | None = None,
        notes: tuple[Note, ...] = (),
    ) -> Scores:  # fmt: skip
        """Scores whose measure and direction are known, or were asked for."""
        refuse_cells(cells)
        refuse_cells(models)
        refuse_rows_of_measures(cells)
        found = settle(measure, greater_is_better, cells, models, heading=heading, mixed_scales=mixed_scales)
        return cls(
            tuple(models), found.cells, splits, found.measure, found.greater_is_better, notes=(*notes, *found.notes)
        )

    # -- looking ----------------------------------------------------------------------------------------------------

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the data sets."""
        return tuple(self.cells)

    @property
    def design(self) -> Design:
        """How the scores were made, as far as inference needs to know."""
        smallest = min(self.datasets, key=lambda d: len(self.cells[d]))
        splits, once = self.splits[smallest], len(self.cells[smallest]) == 1
        n_splits, repeats = max(len(splits), 1), len({s.repeat for s in splits}) or 1
        n_train, n_test = mean_sizes(splits)
        return Design(
            unit="data sets" if len(self.cells) > 1 or once else "folds",
            kind="scores" if once else split_kind(splits, self.protocol), task=self.task,
            n_models=len(self.models), n_datasets=len(self.cells), n_repeats=repeats, n_folds=n_splits // repeats,
            n_splits=n_splits, n_train=n_train, n_test=n_test,
        )  # fmt: skip

    def matrix(self) -> FloatArray:
        """Mean score of each model on each data set, ``[N, k]``; a mean over splits leaves out missing scores."""
        rows = []
        for cells in self.cells.values():
            known = np.isfinite(cells)
            total = np.where(known, cells, 0.0).sum(axis=0)
            count = known.sum(axis=0)
            rows.append(np.divide(total, count, out=np.full(len(self.models), np.nan), where=count > 0))
        return np.array(rows)

    def folds(self, dataset: str | None = None) -> FloatArray:
        """Scores of every split of one data set, ``[J, k]``."""
        if dataset is None and len(self.cells) == 1:
            return next(iter(self.cells.values()))
        if dataset is None or dataset not in self.cells:
            raise unknown_choice("dataset", dataset, self.cells)
        return self.cells[dataset]

    def named(self, measure: Any, greater_is_better: bool | None = None) -> Scores:
        """The same scores under the name of a measure: its direction is taken, and its bounds are checked.

        Examples
        --------
        >>> import bakeoff
        >>> scores = bakeoff.Scores.from_wide([[0.1, 0.2], [0.3, 0.5]], models=["new", "old"])
        >>> scores.named("RMSE").measure, scores.named("RMSE").greater_is_better
        ('rmse', False)
        """
        found = settle(measure, greater_is_better, self.cells, self.models, mixed_scales=True)  # asked already
        kept = tuple(note for note in self.notes if note.code != ASSUMED)
        return replace(
            self, cells=found.cells, measure=found.measure, greater_is_better=found.greater_is_better,
            notes=(*kept, *found.notes),
        )  # fmt: skip

    def missing(self) -> list[tuple[str, str]]:
        """List the (data set, model) cells that have no score at all."""
        gaps = np.argwhere(np.isnan(self.matrix()))
        return [(self.datasets[i], self.models[j]) for i, j in gaps]

    def select(
        self, *, models: Sequence[str] | str | None = None, datasets: Sequence[str] | str | None = None
    ) -> Scores:
        """Keep some models, some data sets, or both."""
        wanted = names_among(datasets, self.datasets, "datasets")
        kept = names_among(models, self.models, "models")
        index = [self.models.index(m) for m in kept]
        cells = {d: self.cells[d][:, index] for d in wanted}
        return replace(self, models=tuple(kept), cells=cells, splits={d: self.splits[d] for d in wanted})

    def wide(self, *, backend: str | None = None) -> Any:
        """Return a frame with one row per data set and one column per model.

        Examples
        --------
        >>> import bakeoff
        >>> scores = bakeoff.Scores.from_wide([[0.81, 0.78], [0.92, 0.90]], models=["new", "old"], measure="auc")
        >>> list(scores.wide().columns)
        ['dataset', 'new', 'old']
        """
        matrix = self.matrix()
        columns = {"dataset": list(self.datasets), **{m: list(matrix[:, i]) for i, m in enumerate(self.models)}}
        return make_frame(columns, backend)

    # -- printing ---------------------------------------------------------------------------------------------------

    def _headline(self) -> str:
        names = ", ".join(self.models[:4]) + (", …" if len(self.models) > 4 else "")
        k, d = len(self.models), len(self.cells)
        j = self.design.n_splits
        splits = f" × {j} splits" if j > 1 else ""
        return f"{d} data set{'s' * (d != 1)}{splits}, {k} model{'s' * (k != 1)} ({names}), measure {self.measure!r}"

    def _view(self) -> View:
        matrix, heads = self.matrix(), [*self.datasets]
        if len(heads) > 1:
            matrix, heads = np.vstack([matrix.mean(axis=0), matrix]), [translate("mean"), *heads]
        columns: dict[str, Any] = {
            translate("data set"): heads,
            **{Own(m): matrix[:, i].tolist() for i, m in enumerate(self.models)},
        }
        known = hooks.known_quantity(self.measure)
        name = known.label if known is not None and known.label else self.measure.replace("_", " ")
        what = Text("{measure}: {design}.", measure=name, design=self.design.description)
        return View((what,), (Table(columns),), (), self.notes)

    def _columns(self) -> dict[str, Sequence[Any]]:
        out: dict[str, list[Any]] = {k: [] for k in ("dataset", "model", "repeat", "fold", "value")}
        for dataset, cells in self.cells.items():
            splits = self.splits[dataset] or (Split(0, 0, 0),) * len(cells)
            for split, row in zip(splits, cells, strict=True):
                for model, value in zip(self.models, row.tolist(), strict=True):
                    for key, item in zip(out, (dataset, model, split.repeat, split.fold, value), strict=True):
                        out[key].append(item)
        return dict(out)


def _refuse_repeated(names: Sequence[str], what: str) -> None:
    twice = [n for n in dict.fromkeys(names) if list(names).count(n) > 1] if len(set(names)) != len(names) else []
    if twice:
        raise EvidenceError(f"two {what}s are named {twice[0]!r}.", hint=f"{what} names must differ")


def _in_cells(
    labels: Sequence[str], models: Sequence[str], codes: Mapping[str, IntArray], values: FloatArray,
    n_train: int | None, n_test: int | None,
) -> tuple[dict[str, FloatArray], dict[str, tuple[Split, ...]]]:  # fmt: skip
    """Lines, each of a data set, split and model, as the cells and splits of each data set."""
    cells, splits = {}, {}
    for label, lines in zip(labels, rows_by_code(codes["dataset"], len(labels)), strict=True):
        repeat, fold, model = (codes[role][lines] for role in ("repeat", "fold", "model"))
        folds = int(fold.max()) + 1
        distinct, row = np.unique(repeat * folds + fold, return_inverse=True)
        again = np.bincount(row * len(models) + model) > 1
        if again.any():
            twice = models[int(again.argmax()) % len(models)]
            raise EvidenceError(
                f"model {twice!r} has two scores in the same split of {label!r}.",
                hint="name the columns that tell the rows apart with dataset=, repeat= and fold=",
            )
        cells[label] = np.full((distinct.size, len(models)), np.nan)
        cells[label][row, model] = values[lines]
        made = tuple(Split(int(s // folds), int(s % folds), n_test or 0, n_train) for s in distinct)
        splits[label] = made if len(made) > 1 else ()
    return cells, splits


def _named(names: Any, what: str) -> list[str] | None:
    if names is None:
        return None
    if isinstance(names, str) or not hasattr(names, "__iter__"):
        raise ParameterError(f"{what} must be a list of names. Got {names!r} instead.")
    if not len(listed := [str(n) for n in names]):
        raise ParameterError(f"{what} must name at least one.")
    return listed


_CUSTOMARY_FOLDS = 10


def _repeats(repeats: Any, cv: Any, j: int) -> tuple[int, tuple[Note, ...]]:
    """How often the data were split anew: as given, or as the splitter tells; of many splits it is asked."""
    told = getattr(cv, "n_repeats", None) if cv is not None else None
    times = check_count("repeats", repeats) if repeats is not None else int(told or 1)
    if j % times:
        raise ParameterError(f"repeats must divide the number of splits ({j}). Got {times}.")
    if repeats is not None or cv is not None or j <= _CUSTOMARY_FOLDS:
        return times, ()
    text = Text(
        "The {n} splits were taken as folds of one cross-validation; if they are of a repeated one, give repeats= or "
        "cv=, or the interval is too narrow.",
        n=j,
    )
    return times, (warning_note("repeats-not-told", text),)
