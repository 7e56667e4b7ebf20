"""Experiments as TOML files: every key is checked, and an error names file, key and fix.

::

    seed = 0
    store = "runs/churn"                   # where results are kept (the command line may name another)
    measures = ["auc", "accuracy"]         # what is shown after the run

    [protocol]
    name = "KFold"                         # HoldOut, NestedKFold, FiveByTwo, LeaveOneOut, LeaveGroupOut, Bootstrap
    n_splits = 10
    repeats = 3

    [datasets.churn]
    source = "churn.csv"                   # CSV, TSV, Parquet or ARFF next to this file; or "sklearn:breast_cancer"
    target = "churned"
    positive = "yes"
    drop = ["id"]
    groups = "household"                   # optional, as are weight and task

    [models.forest]
    class = "sklearn.ensemble.RandomForestClassifier"
    params = { n_estimators = 200 }
    steps = ["encode", "impute"]           # encode, impute, scale, an import path, or {class = …, params = …}

    [models.svm]
    class = "sklearn.svm.SVC"
    steps = ["encode", "impute", "scale"]
    tune = { grid = { C = [0.1, 1, 10] }, inner = 5, measure = "auc" }
    version = "2"                          # answers for what cannot be seen of the model; another one is another model

    [models.calibrated]                    # a model inside a model: a table with its class, as any parameter
    class = "sklearn.calibration.CalibratedClassifierCV"
    params = { cv = 3, estimator = { class = "sklearn.svm.SVC", params = { C = 10 } } }

    [run]                                  # all optional
    jobs = 2
    time_limit = 600
    memory_limit = 4000                    # megabytes
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff import protocols
from bakeoff._core.errors import BakeoffError, EvidenceError, did_you_mean
from bakeoff._core.validation import check_choice
from bakeoff.evidence import Predictions
from bakeoff.runner._dataset import Dataset
from bakeoff.runner._engines import Limits, choose_engine, count_jobs
from bakeoff.runner._experiment import ON_ERROR, Experiment
from bakeoff.runner._import_path import make_from_path
from bakeoff.runner._models import Model
from bakeoff.runner._sources import load_dataset
from bakeoff.runner._steps import STEPS, named_step

PROTOCOLS = ("HoldOut", "KFold", "NestedKFold", "FiveByTwo", "LeaveOneOut", "LeaveGroupOut", "Bootstrap")
_LARGEST_FILE = 2**24
_DEEPEST = 2_000  # brackets and dots in one line: more of them are no experiment
_KINDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false", list: "a list", dict: "a table"}


@dataclass(frozen=True)
class ExperimentFile:
    """What an experiment file says: the experiment, and how to run and show it."""

    experiment: Experiment
    store: Path | None = None
    measures: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)


@dataclass
class TomlTable:
    """A table of the file: keys are taken from it one by one, and what is left over is a mistake."""

    file: str
    name: str
    values: dict[str, Any]
    known: list[str] = field(default_factory=list)

    @property
    def where(self) -> str:
        """File and table, for messages."""
        return f"{self.file}, [{self.name}]" if self.name else self.file

    def take(self, key: str, kind: type | tuple[type, ...], default: Any = None, *, required: bool = False) -> Any:
        """Return the value of a key after checking its kind."""
        self.known.append(key)
        if key not in self.values:
            if required:
                close = difflib.get_close_matches(key, [k for k in self.values if k not in self.known], n=1, cutoff=0.5)
                hint = f"is it written '{close[0]}' by mistake?" if close else None
                raise self.problem(f"the key '{key}' is missing", hint=hint)
            return default
        value = self.values[key]
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            wanted = " or ".join(_KINDS[k] for k in kinds)
            raise self.problem(f"'{key}' must be {wanted}. Got {value!r}")
        return value

    def texts(self, key: str) -> list[str]:
        """Return a list of texts; one text may stand alone."""
        value = self.take(key, (list, str), [])
        values = [value] if isinstance(value, str) else value
        if not all(isinstance(v, str) for v in values):
            raise self.problem(f"'{key}' must be a list of texts. Got {value!r}")
        return list(values)

    def tables(self, key: str) -> Iterable[TomlTable]:
        """Return the tables below a key, which must have at least one."""
        below = self.take(key, dict, required=True)
        if not below:
            raise self.problem(f"[{key}] must have at least one entry")
        for name, body in below.items():
            if not isinstance(body, dict):
                raise self.problem(f"[{key}.{name}] must be a table. Got {body!r}")
            yield TomlTable(self.file, f"{key}.{name}", body)

    def sub(self, key: str, *, required: bool = False) -> TomlTable:
        """Return one table below this one."""
        name = f"{self.name}.{key}" if self.name else key
        return TomlTable(self.file, name, self.take(key, dict, {}, required=required))

    def finish(self) -> None:
        """Raise for the first key that nobody took."""
        for key in self.values:
            if key not in self.known:
                hint = did_you_mean(key, self.known, 0.5) or f"known keys are {', '.join(self.known)}"
                raise self.problem(f"unknown key '{key}'", hint=hint)

    def problem(self, text: str, hint: str | None = None) -> EvidenceError:
        """Make an error that names file and table."""
        return EvidenceError(f"{self.where}: {text}.", hint=hint)


def read_experiment(path: str | Path) -> ExperimentFile:
    """Read an experiment file; everything in it is checked before any work starts."""
    path = Path(path)
    root = TomlTable(path.name, "", _parse(path))
    seed = root.take("seed", int, 0)
    store = root.take("store", str)
    measures = root.texts("measures")
    protocol = _protocol(root.sub("protocol", required=True))
    datasets = [_dataset(section, path.parent) for section in root.tables("datasets")]
    models = [Model(s.name.partition(".")[2], version=s.take("version", str), estimator=_model(s))
              for s in root.tables("models")]  # fmt: skip
    options = _options(root.sub("run"))
    root.finish()
    _check_measures(root, measures)
    try:
        experiment = Experiment(models, datasets, protocol, seed=seed)
    except BakeoffError as problem:
        raise type(problem)(f"{path.name}: {problem.message}", hint=problem.hint) from None
    _check_positive(root, measures, datasets)
    _check_can_be_had(root, measures, experiment)
    return ExperimentFile(experiment, None if store is None else path.parent / store, tuple(measures), options)


def _parse(path: Path) -> dict[str, Any]:
    if not path.is_file():
        if path.is_dir():
            raise EvidenceError(
                f"{str(path)!r} is a folder, not an experiment file.", hint="give the TOML file that says what to run"
            )
        raise EvidenceError(f"there is no file {str(path)!r}.", hint="check the spelling and the current folder")
    if path.stat().st_size > _LARGEST_FILE:
        raise EvidenceError(f"{path.name} is far too large for an experiment file.")
    try:
        text = path.read_text(encoding="utf-8")
        if any(line.count(".") + line.count("[") + line.count("{") > _DEEPEST for line in text.splitlines()):
            raise RecursionError
        return tomllib.loads(text)
    except RecursionError:
        raise EvidenceError(f"{path.name} is nested too deeply for an experiment file.") from None
    except tomllib.TOMLDecodeError as problem:
        raise EvidenceError(f"{path.name} is not valid TOML: {problem}.") from None
    except UnicodeDecodeError:
        raise EvidenceError(f"{path.name} is not text in UTF-8.") from None


def _protocol(section: TomlTable) -> Any:
    name = section.take("name", str, required=True)
    if name not in PROTOCOLS:
        text = f"'name' must be one of {', '.join(PROTOCOLS)}. Got {name!r}"
        raise section.problem(text, hint=did_you_mean(name, PROTOCOLS, 0.4))
    cls = getattr(protocols, name)
    fields = [f for f in cls.__dataclass_fields__ if f != "_"]
    given = {f: section.values[f] for f in fields if f in section.values}
    section.known.extend(fields)
    section.finish()
    try:
        return cls(**given)
    except (BakeoffError, TypeError) as problem:
        raise section.problem(str(problem).rstrip(".")) from None


def _dataset(section: TomlTable, folder: Path) -> Dataset:
    source = section.take("source", str, required=True)
    options = {name: section.take(name, str) for name in ("target", "groups", "weight", "task")}
    options["pos_label"] = section.take("positive", (str, int, bool))
    options["drop"] = section.texts("drop") if "drop" in section.values else None
    options["drop_missing"] = section.take("drop_missing", bool, False)
    section.finish()
    file = folder / source if ":" not in source else source
    if isinstance(file, Path) and not file.exists():
        raise section.problem(f"there is no file {str(file)!r}", hint="paths are relative to the experiment file")
    try:
        return load_dataset(file, name=section.name.partition(".")[2], **options)
    except BakeoffError as problem:
        raise type(problem)(f"{section.where}: {problem.message}", hint=problem.hint) from None


def _model(section: TomlTable) -> Any:
    make = _maker(section)
    parameters = _parameters(section)
    steps = [_step(section, step) for step in section.take("steps", list, [])]
    tune = section.sub("tune") if "tune" in section.values else None
    section.finish()
    model = make(parameters)
    grid, settings = ({}, {}) if tune is None else _tuning(tune, model)
    if steps:
        from sklearn.pipeline import make_pipeline

        model = make_pipeline(*steps, model)
        grid = {f"{model.steps[-1][0]}__{name}": values for name, values in grid.items()}
    # Preprocessing is part of what is tuned: its statistics must not see the rows that the parameters are tested on.
    return model if tune is None else protocols.Tuned(model, grid, **settings)


def _maker(section: TomlTable, where: str | None = None, *, method: str = "fit") -> Callable[[dict[str, Any]], Any]:
    """Return how a table's object is made: by its ``class``, or by a ``function`` that is called because it says so."""
    function = section.take("function", str)
    path = section.take("class", str, required=function is None)
    if function is not None and path is not None:
        raise section.problem("has both 'class' and 'function'", hint="keep one of them")
    key = "class" if function is None else "function"
    place = where or f"{section.where}: '{key}'"

    def make(parameters: dict[str, Any]) -> Any:
        return make_from_path(path or function, parameters, place, method=method, function=function is not None)

    return make


def _parameters(section: TomlTable) -> dict[str, Any]:
    """Return a model's parameters; a table with a class in it is a model inside the model (what a wrapper wraps)."""
    given = section.take("params", dict, {})
    return {name: _inner_model(section, name, value) for name, value in given.items()}


def _inner_model(section: TomlTable, name: str, value: Any) -> Any:
    if not isinstance(value, dict) or not ({"class", "function"} & set(value)):
        return value
    inner = TomlTable(section.file, f"{section.name}.params.{name}", value)
    make, parameters = _maker(inner), _parameters(inner)
    inner.finish()
    return make(parameters)


def _step(section: TomlTable, step: Any) -> Any:
    where = f"{section.where}: 'steps'"
    if isinstance(step, str) and "." not in step:
        if step not in STEPS:
            text = f"a step must be {', '.join(STEPS)} or an import path. Got {step!r}"
            raise section.problem(text, hint=did_you_mean(step, STEPS))
        return named_step(step)
    if isinstance(step, str):
        return make_from_path(step, {}, where, method="transform")
    if not isinstance(step, dict):
        raise section.problem(f"a step must be a text or a table. Got {step!r}")
    table = TomlTable(section.file, f"{section.name}.steps", step)
    make, parameters = _maker(table, where, method="transform"), table.take("params", dict, {})
    table.finish()
    return make(parameters)


def _tuning(section: TomlTable, model: Any) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """Return the grid of the model's own parameters, and the other settings of `Tuned`."""
    grid = section.take("grid", dict, required=True)
    inner = section.take("inner", (int, dict), 5)
    measure = section.take("measure", str)
    section.finish()
    if isinstance(inner, dict):
        inner = _protocol(TomlTable(section.file, f"{section.name}.inner", dict(inner)))
    known = model.get_params() if hasattr(model, "get_params") else {}
    for name, values in grid.items():
        if known and name not in known:
            text = f"{type(model).__name__} has no parameter {name!r} to tune"
            raise section.problem(text, hint=did_you_mean(name, known))
        if not isinstance(values, list) or not values:
            raise section.problem(f"grid.{name} must be a list of values to try. Got {values!r}")
    if measure is not None:
        _check_measures(section, [measure])
    return grid, {"inner": inner, "measure": measure}


# Key of the table [run] → the argument of `Experiment.run`, its kind, and what checks it as the run itself would.
_RUN: dict[str, tuple[str, Any, Callable[[Any], Any]]] = {
    "jobs": ("n_jobs", int, count_jobs),
    "time_limit": ("time_limit", (int, float), lambda v: Limits.checked(v, None)),
    "memory_limit": ("memory_limit", (int, float), lambda v: Limits.checked(None, v)),
    "on_error": ("on_error", str, lambda v: check_choice("on_error", v, ON_ERROR)),
    "engine": ("engine", str, lambda v: choose_engine(v, None)),
    "threads": ("threads", int, lambda v: Limits.checked(None, None, v)),
}


def _options(section: TomlTable) -> dict[str, Any]:
    """Read how to run, checked so that an error names the key."""
    given = {key: section.take(key, kind) for key, (_, kind, _) in _RUN.items()}
    section.finish()
    options = {}
    for key, (name, _, check) in _RUN.items():
        if given[key] is not None:
            try:
                check(given[key])
            except BakeoffError as problem:
                raise section.problem(problem.message.rstrip(".").replace(name, key), hint=problem.hint) from None
            options[name] = given[key]
    return options


def _check_measures(section: TomlTable, names: Iterable[str]) -> None:
    from bakeoff.measures import get

    for name in names:
        try:
            get(name)
        except BakeoffError as problem:
            raise section.problem(f"unknown measure '{name}'", hint=problem.hint) from None


def _check_positive(section: TomlTable, names: Iterable[str], datasets: Iterable[Dataset]) -> None:
    """Raise, before any work, if a measure needs a positive class and a data set of two classes does not name one."""
    from bakeoff.measures import get

    needing = [name for name in names if get(name).needs_positive or get(name).needs == "scores"]
    for data in datasets if needing else ():
        if data.resolved_task() == "classification":
            target = data.prepared().target
            if target.task == "binary" and target.pos_label is None:
                first, second = target.classes
                raise TomlTable(section.file, f"datasets.{data.name}", {}).problem(
                    f"the measure '{needing[0]}' needs a positive class, and '{data.name}' does not name one",
                    hint=f"add a line such as: positive = {_toml_value(second)} (the classes are {first} and {second})",
                )


def _check_can_be_had(section: TomlTable, names: Iterable[str], experiment: Experiment) -> None:
    """Raise, before any work, if a measure cannot be had of some model on some data set: asked of made-up answers."""
    from bakeoff.measures import get, require

    for dataset in experiment.datasets.values():
        rows = _made_up(dataset.name, dataset.target, experiment.models)
        for measure in (get(name) for name in names):
            for model in experiment.models if measure.needs != "times" else ():
                try:
                    require(measure, rows, model)
                except EvidenceError as problem:
                    raise section.problem(f"measures: {problem.message.rstrip('.')}", hint=problem.hint) from None


def _made_up(name: str, target: Any, models: Mapping[str, Model]) -> Any:
    """Rows as a run will leave them: a row of each class, with the kinds of answers that each model can give."""
    if target.task == "regression":
        return Predictions.from_arrays([0.0, 1.0], y_value={m: [0.0, 1.0] for m in models}, dataset=name).table()
    classes = list(target.classes)
    sure = np.eye(len(classes)) * 0.5 + 0.5 / len(classes)
    scores: dict[str, Any] = {}
    one_column = len(classes) == 2 and target.pos_label is not None
    for m, model in models.items():
        if hasattr(model.estimator, "predict_proba"):
            scores[m] = sure[:, 1] if one_column else sure
        elif hasattr(model.estimator, "decision_function") and one_column:
            scores[m] = [-2.0, 2.0]
    made = Predictions.from_arrays(
        classes, y_pred=dict.fromkeys(models, classes), y_score=scores or None, classes=classes,
        pos_label=target.pos_label, dataset=name,
    )  # fmt: skip
    return made.table()


def _toml_value(label: Any) -> str:
    return f'"{label}"' if isinstance(label, str) else str(label).lower()
