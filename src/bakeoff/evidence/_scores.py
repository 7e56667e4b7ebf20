"""Scores: one number per data set, model, repeat and fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.frames import column_array, columns_of, is_frame, make_frame
from bakeoff._core.notes import Note
from bakeoff._core.result import Result
from bakeoff._core.validation import FloatArray
from bakeoff.evidence import hooks
from bakeoff.evidence._columns import column
from bakeoff.evidence._design import Design, mean_sizes, split_kind
from bakeoff.evidence._door import codes_of
from bakeoff.evidence._rows import Split


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

    # -- making -----------------------------------------------------------------------------------------------------

    @classmethod
    def from_wide(
        cls,
        table: Any,
        *,
        models: Sequence[str] | None = None,
        datasets: Sequence[str] | None = None,
        measure: str | None = None,
        greater_is_better: bool | None = None,
    ) -> Scores:
        """Take a table whose rows are data sets and whose columns are models.

        Parameters
        ----------
        table
            A frame (a text column or the pandas index names the data sets), a mapping model → scores, or an array with
            `models=`.
        models, datasets
            Names; for a frame, `models` selects columns.
        measure, greater_is_better
            What the numbers are. More is better unless the named measure says otherwise.

        Examples
        --------
        >>> import bakeoff
        >>> table = [[0.81, 0.78], [0.92, 0.90], [0.75, 0.76]]
        >>> scores = bakeoff.Scores.from_wide(table, models=["new", "old"], measure="auc")
        >>> scores.models, scores.design.n_datasets
        (('new', 'old'), 3)
        """
        if isinstance(table, Mapping):
            table, models = _wide_mapping(table, models)
        if is_frame(table):
            values, models, datasets = _wide_frame(table, models, datasets)
        else:
            values = _numbers(table)
            models = [f"model {i + 1}" for i in range(values.shape[1])] if models is None else list(models)
            if len(models) != values.shape[1]:
                raise EvidenceError(
                    f"the table has {values.shape[1]} columns, but {len(models)} model names were given."
                )
        names = [f"{i + 1}" for i in range(len(values))] if datasets is None else [str(d) for d in datasets]
        _refuse_repeated([str(m) for m in models], "model")
        _refuse_repeated(names, "data set")
        if len(names) != len(values):
            raise EvidenceError(f"the table has {len(values)} rows, but {len(names)} data set names were given.")
        if not len(values):
            raise EvidenceError("the table has no rows.", hint="is the file empty?")
        cells = {name: row[None, :] for name, row in zip(names, values, strict=True)}
        name, greater = _direction(measure, greater_is_better)
        return cls(tuple(map(str, models)), cells, dict.fromkeys(names, ()), name, greater)

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
        values = _vector(column(table, value, "value"), value)
        n = values.size
        if n == 0:
            raise EvidenceError("the table has no rows.", hint="is the file empty?")
        keys = {"dataset": dataset, "repeat": repeat, "fold": fold}
        coded = {k: _codes(k, None if c is None else column(table, c, k), n) for k, c in keys.items()}
        model_codes, model_names = _codes("model", column(table, model, "model"), n)
        cells, splits = {}, {}
        for d, dataset_name in enumerate(coded["dataset"][1]):
            rows = coded["dataset"][0] == d
            label = str(dataset_name) if dataset else "data"
            cells[label], splits[label] = _fill(
                label, values[rows], model_codes[rows], [str(m) for m in model_names],
                coded["repeat"][0][rows], coded["fold"][0][rows], n_train, n_test,
            )  # fmt: skip
        name, greater = _direction(measure or value, greater_is_better)
        return cls(tuple(str(m) for m in model_names), cells, splits, name, greater)

    @classmethod
    def from_cv_results(
        cls,
        results: Mapping[str, Any],
        *,
        measure: str | None = None,
        score: str = "test_score",
        greater_is_better: bool | None = None,
        repeats: int = 1,
        n_train: int | None = None,
        n_test: int | None = None,
    ) -> Scores:
        """Take what scikit-learn's `cross_validate` or a search's ``cv_results_`` returned.

        Parameters
        ----------
        results
            Model name → the dict (or array) of `cross_validate` / `cross_val_score`, all on the same splits; or one
            ``cv_results_`` dict, whose candidates become the models.
        score
            Key of the scores, such as ``"test_roc_auc"``.
        repeats
            Number of repeats, when the splits came from a repeated splitter.

        Examples
        --------
        >>> import bakeoff
        >>> folds = {"a": [0.81, 0.84, 0.79], "b": [0.80, 0.81, 0.80]}
        >>> bakeoff.Scores.from_cv_results(folds, measure="accuracy", n_train=80, n_test=40).design.kind
        'k-fold'
        """
        named = _cv_arrays(results, score)
        lengths = {m: len(v) for m, v in named.items()}
        if len(set(lengths.values())) != 1:
            raise EvidenceError(f"all models need the same splits, but they have {lengths}.")
        j = next(iter(lengths.values()))
        if j % repeats:
            raise ParameterError(f"repeats must divide the number of splits ({j}). Got {repeats}.")
        folds = j // repeats
        splits = tuple(Split(i // folds, i % folds, n_test or 0, n_train) for i in range(j))
        matrix = np.stack(list(named.values()), axis=1)
        label = measure or score.removeprefix("test_")
        name, greater = _direction(None if label == "score" else label, greater_is_better)
        return cls(tuple(named), {"data": matrix}, {"data": splits}, name, greater)

    # -- looking ----------------------------------------------------------------------------------------------------

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the data sets."""
        return tuple(self.cells)

    @property
    def design(self) -> Design:
        """How the scores were made, as far as inference needs to know."""
        smallest = min(self.datasets, key=lambda d: len(self.cells[d]))
        splits = self.splits[smallest]
        j = len(self.cells[smallest])
        n_train, n_test = mean_sizes(splits)
        repeats = len({s.repeat for s in splits}) or 1
        kind = split_kind(splits, self.protocol) if j > 1 else "scores"
        return Design(
            unit="data sets" if len(self.cells) > 1 or j == 1 else "folds",
            kind=kind,
            task=self.task,
            n_models=len(self.models),
            n_datasets=len(self.cells),
            n_repeats=repeats,
            n_folds=j // repeats,
            n_splits=j,
            n_train=n_train,
            n_test=n_test,
        )

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

    def missing(self) -> list[tuple[str, str]]:
        """List the (data set, model) cells that have no score at all."""
        gaps = np.argwhere(np.isnan(self.matrix()))
        return [(self.datasets[i], self.models[j]) for i, j in gaps]

    def select(
        self, *, models: Sequence[str] | str | None = None, datasets: Sequence[str] | str | None = None
    ) -> Scores:
        """Keep some models, some data sets, or both."""
        from dataclasses import replace

        wanted = self.datasets if datasets is None else ([datasets] if isinstance(datasets, str) else list(datasets))
        kept = self.models if models is None else ([models] if isinstance(models, str) else list(models))
        for name in kept:
            if name not in self.models:
                raise unknown_choice("models", name, self.models)
        for name in wanted:
            if name not in self.cells:
                raise unknown_choice("datasets", name, self.cells)
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

    def _columns(self) -> dict[str, Sequence[Any]]:
        out: dict[str, list[Any]] = {k: [] for k in ("dataset", "model", "repeat", "fold", "value")}
        for dataset, cells in self.cells.items():
            splits = self.splits[dataset] or (Split(0, 0, 0),) * len(cells)
            for split, row in zip(splits, cells, strict=True):
                for model, value in zip(self.models, row.tolist(), strict=True):
                    for key, item in zip(out, (dataset, model, split.repeat, split.fold, value), strict=True):
                        out[key].append(item)
        return dict(out)


def _numbers(table: Any) -> FloatArray:
    try:
        values = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError):
        raise EvidenceError("the table of scores must hold numbers, rows data sets and columns models.") from None
    if values.ndim != 2 or values.shape[1] < 1:
        raise EvidenceError(f"scores must be a table, rows data sets and columns models. Got shape {values.shape}.")
    return _not_infinite(values)


def _vector(values: NDArray[Any], name: str) -> FloatArray:
    try:
        return _not_infinite(np.asarray(values, dtype=np.float64))
    except (TypeError, ValueError):
        raise EvidenceError(f"the column {name!r} must hold numbers.") from None


def _not_infinite(values: FloatArray) -> FloatArray:
    if np.isinf(values).any():
        place = np.argwhere(np.isinf(values))[0].tolist()
        raise EvidenceError(f"scores must be finite, but one is infinite at {place} (row, column).")
    return values


def _wide_mapping(table: Mapping[Any, Any], models: Sequence[str] | None) -> tuple[Any, list[str]]:
    """Return the scores of a mapping model → one score per data set as a table, and its models."""
    named = {str(m): _vector(column_array(v), str(m)) for m, v in table.items()}
    kept = list(named) if models is None else list(models)
    columns = [column(named, m, "model") for m in kept]
    lengths = {m: c.size for m, c in zip(kept, columns, strict=True)}
    if len(set(lengths.values())) != 1:
        raise EvidenceError(
            f"every model needs one score per data set, but they have {lengths or 'no'} scores.",
            hint="give the scores of all models on the same data sets, in the same order",
        )
    return np.stack(columns, axis=1), kept


def _wide_frame(
    table: Any, models: Sequence[str] | None, datasets: Sequence[str] | None
) -> tuple[FloatArray, list[str], list[str] | None]:
    import narwhals as nw

    columns = columns_of(table)
    numeric = {n: v for n, v in columns.items() if v.dtype.kind in "iufb"}
    texts = [n for n in columns if n not in numeric]
    if "dataset" in numeric:  # data sets may be numbered
        numeric.pop("dataset")
        texts.insert(0, "dataset")
    if models is not None:
        numeric = {m: _vector(column(columns, m, "model"), m) for m in models}
    if not numeric:
        raise EvidenceError("the table has no column of numbers.", hint="columns are models, rows are data sets")
    if len(texts) > 1 and models is None:
        raise EvidenceError(
            f"the table has several columns that are not numbers: {', '.join(map(repr, texts))}.",
            hint="keep one to name the data sets, or list the model columns with models=",
        )
    names = None if datasets is None else [str(d) for d in datasets]
    if names is None and texts:
        names = [str(v) for v in columns[texts[0]].tolist()]
    index = nw.maybe_get_index(nw.from_native(table))
    if names is None and index is not None and not _is_default_index(index):
        names = [str(v) for v in column_array(list(index)).tolist()]
    return _numbers(np.stack(list(numeric.values()), axis=1)), list(numeric), names


def _is_default_index(index: Any) -> bool:
    return list(index) == list(range(len(index)))


def _refuse_repeated(names: Sequence[str], what: str) -> None:
    twice = [n for n in dict.fromkeys(names) if list(names).count(n) > 1] if len(set(names)) != len(names) else []
    if twice:
        raise EvidenceError(f"two {what}s are named {twice[0]!r}.", hint=f"{what} names must differ")


def _codes(name: str, values: Any, n: int) -> tuple[NDArray[np.int64], list[Any]]:
    if values is None:
        return np.zeros(n, dtype=np.int64), [0]
    coded = codes_of(name, values, n)
    assert coded is not None
    return coded


def _fill(
    label: str,
    values: FloatArray,
    model: NDArray[np.int64],
    models: list[str],
    repeat: NDArray[np.int64],
    fold: NDArray[np.int64],
    n_train: int | None,
    n_test: int | None,
) -> tuple[FloatArray, tuple[Split, ...]]:
    key = repeat * (int(fold.max()) + 1) + fold
    distinct, row = np.unique(key, return_inverse=True)
    cell = row * len(models) + model
    if np.unique(cell).size != cell.size:
        twice = int(np.flatnonzero(np.bincount(cell) > 1)[0])
        raise EvidenceError(
            f"model {models[twice % len(models)]!r} has two scores in the same split of {label!r}.",
            hint="name the columns that tell the rows apart with dataset=, repeat= and fold=",
        )
    cells = np.full((distinct.size, len(models)), np.nan)
    cells[row, model] = values
    per_repeat = int(fold.max()) + 1
    splits = tuple(Split(int(k // per_repeat), int(k % per_repeat), n_test or 0, n_train) for k in distinct)
    return cells, (splits if distinct.size > 1 else ())


def _cv_arrays(results: Mapping[str, Any], score: str) -> dict[str, FloatArray]:
    if "params" in results:  # a search's cv_results_: one row per candidate
        keys = sorted((k for k in results if k.startswith("split") and k.endswith(score)), key=_split_number)
        if not keys:
            raise EvidenceError(f"cv_results_ has no columns 'split…_{score}'.", hint="name the score with score=")
        table = np.stack([_vector(np.asarray(results[k]), k) for k in keys], axis=0)
        names = [", ".join(f"{k}={v}" for k, v in p.items()) or "default" for p in results["params"]]
        return {n: table[:, i] for i, n in enumerate(names)}
    named = {}
    for model, given in results.items():
        if isinstance(given, Mapping):
            if score not in given:
                raise unknown_choice(
                    f"score of model {model!r}", score, [k for k in given if "score" in k or "test" in k]
                )
            given = given[score]
        named[str(model)] = _vector(np.asarray(given), str(model))
    if not named:
        raise EvidenceError("no cross-validation results were given.")
    return named


def _split_number(key: str) -> int:
    digits = key.removeprefix("split").split("_")[0]
    return int(digits)


def _direction(measure: str | None, greater_is_better: bool | None) -> tuple[str, bool]:
    """More is better, unless the named measure of the catalogue says otherwise."""
    if greater_is_better is not None:
        return measure or "score", bool(greater_is_better)
    if measure is None:
        return "score", True
    known = hooks.greater_is_better(measure)
    return measure, True if known is None else known
