"""Experiments: models × data sets × protocol, planned, run, interrupted and resumed."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import replace

from bakeoff._core.errors import BakeoffError, EvidenceError, ParameterError
from bakeoff._core.language import Text
from bakeoff._core.result import emit, warning_note
from bakeoff._core.validation import check_choice, check_count
from bakeoff.comparison import protocol_for
from bakeoff.evidence import common_task
from bakeoff.protocols import HoldOut, KFold, LeaveGroupOut, Protocol, TrainTestSplit, as_protocol
from bakeoff.runner._dataset import PreparedDataset, as_datasets
from bakeoff.runner._engines import Engine, Limits, Work, choose_engine
from bakeoff.runner._fingerprint import unseen_error
from bakeoff.runner._integrity import repair_store
from bakeoff.runner._manifest import Manifest
from bakeoff.runner._memory import MemoryStore
from bakeoff.runner._meter import forced_by_second_ctrl_c
from bakeoff.runner._models import as_models, check_fits
from bakeoff.runner._progress import Progress
from bakeoff.runner._records import FailureRecord, Provenance, UnitRecord
from bakeoff.runner._results import Results
from bakeoff.runner._schema import encode_name
from bakeoff.runner._store import Store, StoreError
from bakeoff.runner._tables import RunPlan
from bakeoff.runner._unit import Done, Outcome, Unit, make_units

Keeper = Store | MemoryStore
ON_ERROR = ("record", "raise")
_REMEMBERED_BYTES = 64 * 2**20
_MOST_UNITS = 2_000_000  # of one data set; more than anybody waits for


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run: what is done is kept, and the message says how to go on.

    Attributes
    ----------
    n, total
        Units finished by this run, and units it had to do.
    """

    def __init__(self, message: str, n: int = 0, total: int = 0) -> None:
        super().__init__(message)
        self.n, self.total = n, total


class Experiment:
    """Models, data sets, and the protocol that turns them into paired predictions.

    Everything is checked here, before any work: names, tasks, classes, missing values, and that every data set can be
    split as the protocol wants.

    Parameters
    ----------
    models
        Name → estimator, a list of estimators, or (name, estimator) pairs; anything with ``fit`` and ``predict``.
    datasets
        Name → (X, y), (X, y, groups), a `Dataset`, or a name such as ``"sklearn:breast_cancer"``; or a list of those.
    protocol
        One of `bakeoff.protocols`, a number of folds, or a scikit-learn splitter. None: what `bakeoff.advise` advises
        for data of this size.
    seed
        The seed of all splits and of every model that leaves its ``random_state`` open.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from bakeoff import Experiment
    >>> from bakeoff.protocols import KFold
    >>> experiment = Experiment({"nb": GaussianNB(), "tree": DecisionTreeClassifier()}, ["sklearn:iris"], KFold(5))
    >>> experiment
    Experiment(2 models × 1 data set, KFold, 10 units)
    >>> experiment.run()
    Results(2 models × 1 data set, 10 units done)
    """

    def __init__(self, models: object, datasets: object, protocol: object = None, *, seed: int = 0) -> None:
        self.seed = check_count("seed", seed, minimum=0)
        self.models = {m.name: m for m in as_models(models)}
        task = common_task({name: model.estimator for name, model in self.models.items()})
        self.datasets = {d.name: d.prepared(task) for d in as_datasets(datasets)}
        self.protocol = as_protocol(advised_protocol(self.datasets.values()) if protocol is None else protocol)
        for dataset in self.datasets.values():
            for model in self.models.values():
                check_fits(model, dataset)
        self._remembered: dict[str, list[Unit]] = {}
        self._keys = {name: [u.key for u in self._units(data)] for name, data in self.datasets.items()}

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str]) -> Experiment:
        """Read an experiment file (``bakeoff run`` takes the same); see `bakeoff.runner._toml` for its keys.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> from bakeoff import Experiment
        >>> lines = ["[protocol]", 'name = "KFold"', "[datasets.iris]", 'source = "sklearn:iris"']
        >>> lines += ["[models.nb]", 'class = "sklearn.naive_bayes.GaussianNB"']
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder) / "experiment.toml"
        ...     _ = file.write_text(chr(10).join(lines))
        ...     print(Experiment.from_toml(file))
        ...
        Experiment(1 model × 1 data set, KFold, 10 units)
        """
        from bakeoff.runner._toml import read_experiment

        return read_experiment(os.fspath(path)).experiment

    def __repr__(self) -> str:
        k, d = len(self.models), len(self.datasets)
        sizes = f"{k} model{'s' * (k != 1)} × {d} data set{'s' * (d != 1)}"
        return f"Experiment({sizes}, {self.protocol.describe()['protocol']}, {self.n_units} units)"

    @property
    def n_units(self) -> int:
        """Number of units of work: fits, in all."""
        return sum(map(len, self._keys.values()))

    @property
    def fingerprints(self) -> dict[str, str]:
        """Each model's fingerprint: a hash of everything that decides its answers.

        Parameters of any kind, code of your own with the helpers, constants and base classes that it uses, and the
        versions of the packages behind it. A model of which something cannot be seen is an error that says what.

        Examples
        --------
        >>> from sklearn.svm import SVC
        >>> from bakeoff import Experiment
        >>> marks = Experiment({"a": SVC(), "b": SVC(C=1.0), "c": SVC(C=2.0)}, ["sklearn:iris"], 5).fingerprints
        >>> marks["a"] == marks["b"], marks["a"] == marks["c"]
        (True, False)
        """
        for model in self.models.values():
            if model.identity.unseen:
                raise unseen_error(model.name, model.identity.unseen)
        return {name: model.fingerprint for name, model in self.models.items()}

    # -- planning ---------------------------------------------------------------------------------------------------

    def _splits(self, dataset: PreparedDataset) -> Iterator[TrainTestSplit]:
        """Split a data set; an error of the protocol names the data set."""
        for name in ("repeats", "n_resamples"):
            if getattr(self.protocol, name, 1) > _MOST_UNITS:
                raise ParameterError(
                    f"{name} must be at most {_MOST_UNITS}. Got {getattr(self.protocol, name)}.",
                    hint="ask for fewer repeats or resamples",
                )
        source = dataset.source
        y = None if dataset.target.task == "regression" else dataset.target.y
        try:
            apparent = self.protocol.apparent(source.X)
            if apparent is not None:
                yield apparent
            yield from self.protocol.splits(source.X, y, source.groups, seed=self.seed)
        except EvidenceError as problem:
            raise EvidenceError(f"data set {dataset.name!r}: {problem.message}", hint=problem.hint) from None

    def _units(self, dataset: PreparedDataset) -> Iterator[Unit]:
        """Split by split, all models: stopped early, the evidence is still paired.

        Units are remembered while their row numbers are small, and made again where they are not.
        """
        if dataset.name in self._remembered:
            yield from self._remembered[dataset.name]
            return
        kept: list[Unit] = []
        size = made = 0
        for split in self._splits(dataset):
            size += split.train.nbytes + split.test.nbytes
            made += len(self.models)
            if made > _MOST_UNITS:
                raise ParameterError(
                    f"data set {dataset.name!r} would have more than {_MOST_UNITS} units of work.",
                    hint="ask for fewer repeats or resamples",
                )
            units = list(make_units(dataset, self.models.values(), split, self.seed))
            kept += units if size <= _REMEMBERED_BYTES else []
            yield from units
        if size <= _REMEMBERED_BYTES:
            self._remembered[dataset.name] = kept

    def units(self) -> Iterator[Unit]:
        """Yield every unit of work, data set by data set, split by split, model by model."""
        for dataset in self.datasets.values():
            yield from self._units(dataset)

    def manifest(self) -> Manifest:
        """Describe the experiment for the store."""
        k = len(self.models)
        n_splits = {name: len(keys) // k for name, keys in self._keys.items()}
        return Manifest.of(self.datasets.values(), self.models.values(), self.protocol, self.seed, n_splits)

    def plan(self, store: str | os.PathLike[str] | None = None, *, probe: bool = False) -> RunPlan:
        """Return the plan as a table: what there is to do, what the store has already, and how long the rest may take.

        Parameters
        ----------
        store
            The store the run will use; what is in it counts as done.
        probe
            Do the first split of every data set and model now, to estimate the time. With a store the work is kept.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from bakeoff import Experiment
        >>> from bakeoff.protocols import KFold
        >>> print(Experiment({"nb": GaussianNB()}, ["sklearn:iris"], KFold(5)).plan())
        KFold(n_splits=5, repeats=1, stratify=True), seed=0
        dataset  model  units  done  failed  todo  seconds
        iris     nb         5     0       0     5  –
        5 units, 0 done, 5 to do
        """
        keeper = _open_keeper(store)
        if isinstance(keeper, Store):
            keeper.check_plan(self.manifest())
        if probe:
            keeper.register(self.manifest())
            first = self._first_units(keeper)
            work, bar = Work(self.datasets, self.models, len(first)), Progress(len(first), 0, show=False)
            self._work(keeper, choose_engine(None, None), first, work, bar, "record")
        return self._table(keeper)

    def _first_units(self, keeper: Keeper) -> list[Unit]:
        k, done = len(self.models), keeper.finished() | keeper.failed()
        tried = {record.pair for record in keeper.sample()}
        first: list[Unit] = []
        for dataset in self.datasets.values():
            units = (u for u in self._units(dataset) if u.split.role == "test")
            first += [u for u, _ in zip(units, range(k), strict=False)]
        return [u for u in first if u.key not in done and (u.dataset, u.model) not in tried]

    def _table(self, keeper: Keeper) -> RunPlan:
        done, failed = keeper.finished(), keeper.failed()
        seconds = _mean_seconds(keeper)
        rows = []
        k = len(self.models)
        for dataset, keys in self._keys.items():
            for place, model in enumerate(self.models):
                mine = set(keys[place::k])
                n_done, n_failed = len(mine & done), len(mine & (failed - done))
                todo = len(mine) - n_done - n_failed
                mean = seconds.get((dataset, model))
                rows.append((dataset, model, len(mine), n_done, n_failed, todo, None if mean is None else mean * todo))
        protocol = self.protocol.describe()
        words = ", ".join(f"{k}={v!r}" for k, v in protocol.items() if k != "protocol" and v is not None)
        plan = RunPlan.of(("dataset", "model", "units", "done", "failed", "todo", "seconds"), rows)
        return replace(plan, description=f"{protocol['protocol']}({words}), seed={self.seed}")

    # -- running ----------------------------------------------------------------------------------------------------

    def run(
        self,
        store: str | os.PathLike[str] | None = None,
        *,
        n_jobs: int | None = None,
        engine: object = None,
        on_error: str = "record",
        progress: bool = True,
        time_limit: float | None = None,
        memory_limit: float | None = None,
        threads: int | None = 1,
        retry_failures: bool = False,
        watch: bool = False,
    ) -> Results:
        """Do what is not done yet.

        Parameters
        ----------
        store
            Folder to keep the results in, and to resume from. Without one they live in memory.
        n_jobs
            Worker processes on this machine; -1 for one per core. None: one unit after another, in this process; with
            a store and models of your own code in a second one, which a model may crash without ending the run.
        engine
            ``"serial"``, ``"processes"``, the address of a Dask scheduler, or a ``distributed.Client``.
        on_error
            ``"record"``: a unit that fails is recorded with its traceback, everything else goes on. ``"raise"``: stop
            at the first failure.
        progress
            Show a progress bar (in a terminal or notebook).
        time_limit
            Seconds a unit may take; then it is stopped and recorded as failed.
        memory_limit
            Megabytes a unit may take besides what its process has; one that needs more is recorded as failed (Linux).
        threads
            Threads inside a unit: 1, so that they do not multiply and every engine gives the same bits. None leaves
            the models' own parallelism (``n_jobs``, BLAS) alone.
        retry_failures
            Try again what failed in an earlier run on this store.
        watch
            Show also which units are running, where, and for how long.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from bakeoff import Experiment
        >>> from bakeoff.protocols import KFold
        >>> experiment = Experiment({"nb": GaussianNB()}, ["sklearn:iris", "sklearn:wine"], KFold(5), seed=1)
        >>> experiment.run(progress=False)
        Results(1 model × 2 data sets, 10 units done)
        """
        check_choice("on_error", on_error, ON_ERROR)
        limits = Limits.checked(time_limit, memory_limit, threads)
        keeper = _open_keeper(store)
        # Code that is not, or not only, of installed packages may crash; with a store the run can outlive it.
        apart = isinstance(keeper, Store) and not all(m.is_installed for m in self.models.values())
        chosen = choose_engine(engine, n_jobs, limited=limits.any, apart=apart)
        if isinstance(keeper, Store):
            for name in (*self.datasets, *self.models):  # each must be a folder of the store
                encode_name(name)
            self._set_damaged_aside(keeper)
        skip = keeper.finished() | (set() if retry_failures else keeper.failed())
        todo = [key for keys in self._keys.values() for key in keys if key not in skip]
        try:
            keeper.register(self.manifest())
        except StoreError:  # a disk that can only be read has all that is wanted where nothing is to do
            if todo:
                raise
        if todo:
            wanted = set(todo)
            units = (u for u in self.units() if u.key in wanted and not keeper.has(u))
            bar = Progress(self.n_units, self.n_units - len(todo), show=progress or watch, watch=watch)
            self._work(
                keeper, chosen, units, Work(self.datasets, self.models, len(todo), limits, bar.begin), bar, on_error
            )
        return Results(keeper)

    def _set_damaged_aside(self, store: Store) -> None:
        """Take damaged units out of the way, so that they are done again; say so."""
        store.check_plan(self.manifest())
        begun = store.root.is_dir() and any(p.name != "tmp" for p in store.root.iterdir())
        moved = repair_store(store).total("damaged") if begun else 0
        if moved:
            text = Text("{n} damaged files of the store were set aside; their units are done again.", n=moved)
            emit([warning_note("damaged-files", text)], stacklevel=4)

    def _work(
        self, keeper: Keeper, engine: Engine, units: Iterable[Unit], work: Work, bar: Progress, on_error: str
    ) -> None:
        finished = 0
        try:
            with (
                forced_by_second_ctrl_c() as pressed,
                closing(engine.outcomes(units, work)) as outcomes,  # type: ignore[type-var]
            ):
                for outcome in outcomes:
                    self._keep(keeper, outcome, on_error)
                    finished += 1
                    bar.advance(outcome)
                    if pressed:  # and the model went on all the same
                        raise KeyboardInterrupt
        except KeyboardInterrupt:
            raise Interrupted(_how_to_resume(keeper, finished, work.n_units), finished, work.n_units) from None
        finally:
            keeper.flush()
            bar.close()

    def _keep(self, keeper: Keeper, outcome: Outcome, on_error: str) -> None:
        known = outcome.unit.facts(), self._provenance(outcome.unit)
        if isinstance(outcome, Done):
            keeper.save(outcome, UnitRecord.of(*known, outcome.fit))
            return
        keeper.save_failure(FailureRecord.of(*known, outcome.facts()))
        if on_error == "raise":
            raise BakeoffError(
                f"{outcome.unit.label} failed: {outcome.message}",
                hint=f"on_error='record' goes on without it.\n{outcome.traceback}".rstrip(),
            )

    def _provenance(self, unit: Unit) -> Provenance:
        dataset, model = self.datasets[unit.dataset], self.models[unit.model]
        return Provenance(
            task=dataset.target.task,
            classes=dataset.target.classes,
            pos_label=dataset.target.pos_label,
            protocol=self.protocol.kind,
            protocol_description=self.protocol.describe(),
            data_fingerprint=dataset.fingerprint,
            model_fingerprint=model.fingerprint,
            run_seed=self.seed,
        )


def _open_keeper(store: str | os.PathLike[str] | None) -> Keeper:
    return MemoryStore() if store is None else Store(store)


def _mean_seconds(keeper: Keeper) -> dict[tuple[str, str], float]:
    spent: dict[tuple[str, str], list[float]] = {}
    for record in keeper.sample():
        spent.setdefault(record.pair, []).append(record.seconds)
    return {pair: sum(times) / len(times) for pair, times in spent.items()}


def _how_to_resume(keeper: Keeper, finished: int, n_units: int) -> str:
    counts = f"stopped after {finished} of {n_units} units"
    if isinstance(keeper, Store):
        return f"{counts}; they are kept. Run the same again with store={str(keeper.root)!r} to go on from there."
    return f"{counts}; they are lost. Give store='a folder' to be able to resume."


def advised_protocol(datasets: Collection[PreparedDataset]) -> Protocol:
    """Make the protocol that is advised for the smallest of some data sets."""
    rows = min(d.source.n for d in datasets)
    grouped = any(d.source.groups is not None for d in datasets)
    advice = protocol_for(rows, n_datasets=len(datasets), groups=grouped)
    if grouped:
        return LeaveGroupOut()
    return HoldOut() if advice.n_folds == 1 else KFold(advice.n_folds, repeats=advice.n_repeats)


def run(
    models: object,
    datasets: object,
    protocol: object = None,
    *,
    store: str | os.PathLike[str] | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    engine: object = None,
    on_error: str = "record",
    progress: bool = True,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    threads: int | None = 1,
    retry_failures: bool = False,
    watch: bool = False,
) -> Results:
    """Run models on data sets under a protocol, and keep every prediction.

    The same as ``Experiment(models, datasets, protocol, seed=seed).run(store, …)``; see `Experiment` for the arguments
    and `Experiment.run` for the options.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from bakeoff import run
    >>> from bakeoff.protocols import HoldOut
    >>> run({"guess": DummyClassifier()}, "sklearn:iris", HoldOut(repeats=3))
    Results(1 model × 1 data set, 3 units done)
    """
    return Experiment(models, datasets, protocol, seed=seed).run(
        store, n_jobs=n_jobs, engine=engine, on_error=on_error, progress=progress, time_limit=time_limit,
        memory_limit=memory_limit, threads=threads, retry_failures=retry_failures, watch=watch,
    )  # fmt: skip
