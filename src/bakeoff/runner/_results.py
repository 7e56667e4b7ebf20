"""Results: what a run left in its store, and everything that can be asked of it."""

from __future__ import annotations

import dataclasses
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from bakeoff._core.errors import BakeoffWarning, EvidenceError, unknown_choice
from bakeoff._core.language import Text
from bakeoff._core.result import Note, emit, late, unique, warning_note
from bakeoff._core.view import Table, View
from bakeoff.evidence import BOOTSTRAP, Predictions, Run, Scores, hooks
from bakeoff.runner._manifest import Manifest
from bakeoff.runner._memory import MemoryStore
from bakeoff.runner._pairing import IN_MEMORY, Paired, UnitsByModel, by_dataset, incomplete, pair, rows_of
from bakeoff.runner._records import Json, UnitRecord
from bakeoff.runner._store import Store
from bakeoff.runner._tables import Failures, RunTable

if TYPE_CHECKING:
    from bakeoff.comparison import Comparison
    from bakeoff.intervals import Evaluation

_UNIT = ("dataset", "model", "repeat", "fold")
_FAILURE_COLUMNS = (*_UNIT, "kind", "message", "seconds", "attempts", "seed", "traceback")
R = TypeVar("R")
_COST_COLUMNS = ("fit_time", "predict_time", "score_time", "peak_memory")


class Results(Run):
    """Predictions, failures and costs of a run, in a store on disk or in memory.

    Made by `Experiment.run` and `Results.open`. Nothing is computed until it is asked for, and rows are read only as
    far as an answer needs.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from bakeoff import run
    >>> from bakeoff.protocols import KFold
    >>> results = run([GaussianNB(), DecisionTreeClassifier(max_depth=2)], "sklearn:iris", KFold(5))
    >>> results.predictions().design.describe()
    '5-fold cross-validation of 2 models on 1 data set (150 rows)'
    >>> len(results.failures)
    0
    """

    def __init__(self, store: Store | MemoryStore) -> None:
        self.store = store
        manifest = store.manifest()
        if manifest is None:
            raise EvidenceError(f"{store!r} has no manifest: no run was ever started on it.")
        self.manifest: Manifest = manifest

    @classmethod
    def open(cls, store: str | os.PathLike[str]) -> Results:
        """Open the store of an earlier run; rows stay on disk until they are needed.

        Examples
        --------
        >>> import tempfile
        >>> from sklearn.naive_bayes import GaussianNB
        >>> import bakeoff
        >>> from bakeoff.protocols import KFold
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = bakeoff.run({"nb": GaussianNB()}, "sklearn:iris", KFold(5), store=folder, progress=False)
        ...     print(bakeoff.Results.open(folder))
        ...
        Results(1 model × 1 data set, 5 units done)
        dataset  model  planned  done  failed  missing
        iris     nb           5     5       0        0
        """
        folder = Store(store)
        folder.check_is_store()
        from bakeoff.runner._compaction import finish

        finish(folder)
        return cls(folder)

    # -- looking ----------------------------------------------------------------------------------------------------

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models, in the order they were given."""
        return tuple(self.manifest.models)

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the data sets, in the order they were given."""
        return tuple(self.manifest.datasets)

    @property
    def protocol(self) -> Json:
        """The protocol's name and parameters."""
        return dict(self.manifest.protocol)

    @property
    def failures(self) -> Failures:
        """Everything that went wrong, one row per unit, with traceback and seed."""
        return Failures.of_records(_FAILURE_COLUMNS, self.store.failures())

    @property
    def costs(self) -> RunTable:
        """Seconds to fit and predict and peak memory in bytes, one row per unit."""
        return RunTable.of_records((*_UNIT, *_COST_COLUMNS), self._in_order(self.store.records()))

    @property
    def chosen(self) -> RunTable:
        """Parameters that tuned models chose, one row per unit that was tuned."""
        return RunTable.of_records((*_UNIT, "chosen"), self._in_order(r for r in self.store.records() if r.chosen))

    @property
    def warnings(self) -> RunTable:
        """Warnings that models gave while they were fitted, one row per warning."""
        records = self._in_order(self.store.records())
        return RunTable.of((*_UNIT, "warning"), ((*r.pair, *r.place, text) for r in records for text in r.warnings))

    def _in_order(self, records: Iterable[UnitRecord]) -> list[UnitRecord]:
        """Sort by data set and model, as they were given, then by repeat and fold."""
        datasets, models = ({n: i for i, n in enumerate(names)} for names in (self.datasets, self.models))
        return sorted(records, key=lambda r: (datasets.get(r.dataset, -1), models.get(r.model, -1), r.place))

    @property
    def status(self) -> RunTable:
        """Per data set and model: units planned, done, failed and missing."""
        done, failed = self.store.tally()
        rows = []
        for dataset, entry in self.manifest.datasets.items():
            for model in self.models:
                n_done, n_failed = done[dataset, model], failed[dataset, model]
                planned = max(entry.n_splits - self._beyond_tests(), n_done + n_failed)
                rows.append((dataset, model, planned, n_done, n_failed, planned - n_done - n_failed))
        return RunTable.of(("dataset", "model", "planned", "done", "failed", "missing"), rows)

    def _beyond_tests(self) -> int:
        """Fits of a model on a data set that are not part of the paired evidence."""
        protocol = self.manifest.protocol
        if self._nested:
            return int(protocol["repeats"] * protocol["n_splits"] * (protocol["n_splits"] - 1) // 2)
        return int(protocol.get("estimator") in ("632", "632+"))

    @property
    def _nested(self) -> bool:
        return self.manifest.protocol.get("protocol") == "NestedKFold"

    def __repr__(self) -> str:
        status = self.status
        done, failed, missing = (sum(status.columns[k]) for k in ("done", "failed", "missing"))
        k, d = len(self.models), len(self.datasets)
        words = f"{k} model{'s' * (k != 1)} × {d} data set{'s' * (d != 1)}, {done} units done"
        words += f", {failed} failed" * bool(failed) + f", {missing} missing" * bool(missing)
        return f"Results({words})"

    def __str__(self) -> str:
        return f"{self!r}\n{self.status}"

    def _repr_html_(self) -> str:
        return View((repr(self),), (Table(self.status._columns()),)).html()

    # -- evidence ---------------------------------------------------------------------------------------------------

    def predictions(self, dataset: str | None = None, *, models: Sequence[str] | None = None) -> Predictions:
        """Return paired evidence: all models on the same rows of the same splits.

        Splits that some model did not finish are left out for all of them, with a warning that says so.

        Parameters
        ----------
        dataset
            One data set; by default all of them.
        models
            Some of the models; by default all of them.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> import bakeoff
        >>> from bakeoff.protocols import KFold
        >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
        >>> results = bakeoff.run(models, "sklearn:iris", KFold(5), progress=False)
        >>> results.predictions().design.describe()
        '5-fold cross-validation of 2 models on 1 data set (150 rows)'
        """
        paired = self._paired(dataset, models)
        told = (*paired.notes, *self._unfinished(self._tables(dataset), self._check_models(models)))
        emit(told)
        return dataclasses.replace(self._evidence(paired), notes=told)

    def _paired(self, datasets: Sequence[str] | str | None, models: Sequence[str] | None) -> Paired:
        return pair(self._tables(datasets), self._check_models(models))

    def _tables(self, datasets: Sequence[str] | str | None) -> dict[str, UnitsByModel]:
        tables = by_dataset(self.store.records())
        chosen = self.datasets if datasets is None else _names(datasets, self.datasets, "datasets")
        return {d: tables[d] for d in chosen if d in tables}

    @property
    def complete(self) -> tuple[str, ...]:
        """Models that have results wherever any model has; all of them where nothing failed or is missing."""
        tables = self._tables(None)
        lacking = incomplete(tables, self.models)
        return tuple(m for m in self.models if m not in lacking and _of(tables, [m]))

    def _unfinished(self, tables: Mapping[str, UnitsByModel], models: Sequence[str]) -> tuple[Note, ...]:
        """A note for every data set on which planned splits have no result of any model."""
        notes = []
        for dataset, table in tables.items():
            has = len(set().union(*(places for m, places in table.items() if m in models)))
            planned = self.manifest.datasets[dataset].n_splits - self._beyond_tests()
            if 0 < has < planned:
                text = Text(
                    "data set {dataset!r} has results on {has} of {n} planned splits; what is shown is from these "
                    "alone.",
                    dataset=dataset,
                    has=has,
                    n=planned,
                )
                notes.append(warning_note("unfinished", text))
        return tuple(notes)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What every answer about all models must tell: models that lack splits, and those without any result."""
        tables = self._tables(None)
        lacking = incomplete(tables, self.models)
        never = [n for n in pair(tables, self.models).notes if n.code == "model-left-out"] if tables else []
        return (*lacking.values(), *never, *self._unfinished(tables, self.models))

    def _check_models(self, models: Sequence[str] | None) -> list[str]:
        return list(self.models) if models is None else _names(models, self.models, "models")

    def _evidence(self, paired: Paired) -> Predictions:
        tables = {d: rows_of(self.store, d, table) for d, table in paired.tables.items()}
        inner = by_dataset(self.store.records("inner")) if self._nested else {}
        for d in inner.keys() & tables.keys():
            tables[d] = dataclasses.replace(tables[d], inner=rows_of(self.store, d, inner[d]))
        return Predictions(tables)

    def counts(self, kind: str = "confusion", *, engine: Any = None) -> dict[tuple[str, str], Any]:
        """Return the counts of each data set and model over all units, without holding more than one file's rows.

        Parameters
        ----------
        kind
            ``"confusion"``: a `ConfusionCounts`; ``"tally"``: a `ScoreTally`.
        engine
            A Dask client or scheduler address counts where the files are, and merges there; its workers must see the
            store's folder. None counts here.
        """
        from bakeoff.runner._counting import merged_counts

        return dict(merged_counts(self, kind, engine))

    def scores(self, measure: Any, *, engine: Any = None) -> Scores:
        """Return one number per data set, model, repeat and fold; NaN where a unit failed.

        Parameters
        ----------
        measure
            A measure's name (``fit_time`` and ``predict_time`` too) or a `bakeoff.Measure`.
        engine
            A Dask client or scheduler address: each unit's number is computed from its counts, where its file is.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> import bakeoff
        >>> from bakeoff.protocols import KFold
        >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
        >>> results = bakeoff.run(models, "sklearn:iris", KFold(5), progress=False)
        >>> results.scores("accuracy").matrix().round(3).tolist()
        [[0.953, 0.913]]
        """
        from bakeoff.runner._counting import by_counts, scores_by_counting

        records = self.store.records()
        large = sum(r.n_test for r in records) > IN_MEMORY
        if engine is not None or (large and by_counts(measure)):
            return scores_by_counting(self, measure, engine)
        tables = by_dataset(records)
        paired = pair(tables, self.models)
        if not paired.notes:
            return self._evidence(paired).scores(measure)
        return self._scores_with_holes(tables, measure)

    def _scores_with_holes(self, tables: Mapping[str, UnitsByModel], measure: Any) -> Scores:
        """Score each model on the splits it has, and put the numbers in one table."""
        whole: dict[str, dict[str, Scores]] = {}
        for dataset, table in tables.items():
            for model, places in table.items():
                alone = Predictions({dataset: rows_of(self.store, dataset, {model: places})})
                whole.setdefault(dataset, {})[model] = alone.scores(measure)
        first = next(iter(next(iter(whole.values())).values()))
        cells, splits = {}, {}
        for dataset, by_model in whole.items():
            known = {(s.repeat, s.fold): s for one in by_model.values() for s in one.splits[dataset]}
            order = sorted(known)
            values = np.full((max(len(order), 1), len(self.models)), np.nan)
            for model, one in by_model.items():
                rows = [order.index((s.repeat, s.fold)) for s in one.splits[dataset]] or [0]
                values[rows, self.models.index(model)] = one.cells[dataset][:, 0]
            cells[dataset], splits[dataset] = values, tuple(known[p] for p in order)
        notes = unique(n for by_model in whole.values() for one in by_model.values() for n in one.notes)
        return dataclasses.replace(first, models=self.models, cells=cells, splits=splits, notes=notes)

    # -- answers ----------------------------------------------------------------------------------------------------

    def evaluate(self, measures: Any = None, **options: Any) -> Evaluation:
        """Measure every model with intervals; see `bakeoff.evaluate`. After a bootstrap, mean losses are .632+ ones.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> import bakeoff
        >>> from bakeoff.protocols import KFold
        >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
        >>> results = bakeoff.run(models, "sklearn:iris", KFold(5), progress=False)
        >>> print(results.evaluate("accuracy")["nb", "accuracy"])
        0.9533 [0.8873, 0.9815] (95 %, cv-rows)
        ...
        """
        tables, wanted, lacking = self._asked(options)
        whole = [m for m in wanted if m not in lacking]
        apart = [[m] for m in lacking]
        groups = apart if apart and not _of(tables, whole) else [whole, *apart]
        parts = [self._evaluated(pair(_of(tables, some), some), measures, options) for some in groups]
        emit(tuple(lacking.values()))
        return _with_notes(_together(parts, self.models, lacking), self._unfinished(tables, wanted))

    def _asked(self, options: dict[str, Any]) -> tuple[dict[str, UnitsByModel], list[str], dict[str, Note]]:
        """The units of the data sets asked for (by either name), the models asked for, and those that lack splits."""
        one = options.pop("dataset", None)
        tables, wanted = self._tables(options.pop("datasets", one)), self._check_models(options.pop("models", None))
        return tables, wanted, incomplete(tables, wanted)

    def _evaluated(self, paired: Paired, measures: Any, options: Mapping[str, Any]) -> Evaluation:
        if self.manifest.kind == BOOTSTRAP:
            from bakeoff.runner._point632 import evaluate_bootstrap

            return _with_notes(evaluate_bootstrap(self, paired, measures, **options), paired.notes)
        from bakeoff.intervals import evaluate

        return _with_notes(evaluate(self._evidence(paired), measures, **options), paired.notes)

    def compare(self, measure: Any = None, **options: Any) -> Comparison:
        """Compare the models, of some ``datasets=``; see `bakeoff.compare`. Notes tell what failed units have done.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> import bakeoff
        >>> from bakeoff.protocols import KFold
        >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
        >>> results = bakeoff.run(models, "sklearn:iris", KFold(5), progress=False)
        >>> results.compare("accuracy", rng=0).choice.chosen
        'cv-rows'
        """
        from bakeoff.comparison import add_pairs, compare

        tables, wanted, lacking = self._asked(options)
        whole = [m for m in wanted if m not in lacking and _of(tables, [m])]
        control = options.get("control")
        if not lacking or len(whole) < 2 or control in lacking:  # what all share is all that can be compared
            paired = pair(tables, wanted)
            notes = (*paired.notes, *self._unfinished(tables, wanted))
            return _with_notes(compare(self._evidence(paired), measure, **options), notes)
        paired = pair(tables, [m for m in wanted if m not in lacking])
        comparison = compare(self._evidence(paired), measure, **options)
        options |= {"measure": comparison.measure if measure is None else measure}
        more = []
        for model in lacking:
            for other in (m for m in wanted if m in whole or (m in lacking and wanted.index(m) > wanted.index(model))):
                if control is None or other == control:
                    found = self._compared_apart(tables, [model, other], options)
                    more += [] if found is None else [found]
        notes = (*paired.notes, *lacking.values(), *self._unfinished(tables, wanted))
        return _with_notes(add_pairs(comparison, more, self.models), notes)

    def _compared_apart(self, tables: dict[str, UnitsByModel], two: list[str], options: Mapping[str, Any]) -> Any:
        """Compare two models on the splits they share; None where they share none, or too little."""
        from bakeoff.comparison import compare

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", BakeoffWarning)  # the note of the whole says it
                return compare(self._evidence(pair(tables, sorted(two, key=self.models.index))), **options)
        except EvidenceError:
            return None

    def report(self, **options: Any) -> Any:
        """Make the HTML report of this run; see `bakeoff.report`."""
        return late("bakeoff.report", "report")(self, **options)

    # -- housekeeping -----------------------------------------------------------------------------------------------

    def verify(self) -> RunTable:
        """Check every file of the store against its checksum: one row per file, with status and reason.

        A file is ``"sound"``, ``"damaged"`` or ``"unverified"`` (written before there were checksums: it is read as it
        is). Damaged units are set aside and done again by the next run.

        Examples
        --------
        >>> import tempfile
        >>> from sklearn.naive_bayes import GaussianNB
        >>> import bakeoff
        >>> from bakeoff.protocols import KFold
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     results = bakeoff.run({"nb": GaussianNB()}, "sklearn:iris", KFold(5), store=folder, progress=False)
        ...     set(results.verify().columns["status"])
        ...
        {'sound'}
        """
        from bakeoff.runner._integrity import verify_store

        return verify_store(self._folder("verify"))

    def compact(self) -> int:
        """Merge the many small files of the store into one per data set and model; return how many became fewer."""
        from bakeoff.runner._compaction import compact

        return compact(self._folder("compact"))

    def drop(self, *, models: Sequence[str] | str = (), datasets: Sequence[str] | str = ()) -> Results:
        """Remove the results of some models or data sets from the store, and return what is left."""
        store = self._folder("drop")
        gone = _names(models, self.models, "models"), _names(datasets, self.datasets, "datasets")
        store.drop(models=gone[0], datasets=gone[1])
        return Results(store)

    def save(self, folder: str | os.PathLike[str]) -> Results:
        """Write results that are in memory to a store on disk, and return them from there."""
        if not isinstance(self.store, MemoryStore):
            raise EvidenceError(f"these results are already on disk, in {str(self.store.root)!r}.")
        target = Store(Path(folder))
        self.store.copy_to(target)
        return Results(target)

    def _folder(self, action: str) -> Store:
        if isinstance(self.store, Store):
            return self.store
        raise EvidenceError(
            f"{action} needs a store on disk, but these results are in memory.", hint="use .save(folder)"
        )


def _run_in_store(folder: Path) -> Results | None:
    """The results in a folder, where its store has the record of a run; looking changes nothing in it."""
    recorded = (folder / "store.json").is_file() and any((folder / "runs").glob("*.json"))
    if not recorded:
        return None
    store = Store(folder)
    store.check_is_store()
    return Results(store)


hooks.run_in_store.fill(_run_in_store)


def _names(given: Sequence[str] | str, known: Sequence[str], what: str) -> list[str]:
    """Return names as a list, after checking that each is known."""
    names = [given] if isinstance(given, str) else list(given)
    for name in names:
        if name not in known:
            raise unknown_choice(what, name, known)
    return names


def _of(tables: Mapping[str, UnitsByModel], models: Sequence[str]) -> dict[str, UnitsByModel]:
    """The data sets on which some of these models have results."""
    return {d: table for d, table in tables.items() if any(m in table for m in models)}


def _together(parts: Sequence[Evaluation], models: Sequence[str], lacking: Mapping[str, Note]) -> Evaluation:
    """Put evaluations of several groups of models into one table, as the models were given; the first has the rest."""
    first, *others = parts
    if not lacking:
        return first
    entries = [*first.entries, *(e for part in others for e in part.entries if e.model in lacking)]
    places = {name: i for i, name in enumerate(models)}
    order = {d: i for i, d in enumerate(dict.fromkeys(e.dataset for e in entries))}
    entries.sort(key=lambda e: (order[e.dataset], places.get(e.model, len(places))))
    marked = [
        dataclasses.replace(e, interval=dataclasses.replace(e.interval, notes=(lacking[e.model], *e.interval.notes)))
        if e.model in lacking
        else e
        for e in entries
    ]
    return dataclasses.replace(first, entries=tuple(marked))


def _with_notes(result: R, notes: tuple[Note, ...]) -> R:
    if not notes:
        return result
    emit(notes, stacklevel=4)
    before: tuple[Note, ...] = getattr(result, "notes", ())
    return dataclasses.replace(result, notes=unique([*notes, *before]))  # type: ignore[type-var]
