"""Evidence larger than memory: folders of Parquet files, of which one model's columns are loaded at a time.

`ScannedRows` answers everything `Rows` does. Its counts are asked of the engine, as any other table's are, and never
load the rows; what needs rows (a bootstrap of a loss, a paired test on scores) loads one or two models.
"""

from __future__ import annotations

import json
import operator
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property, partial, reduce
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.frames import column_array
from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.evidence._columns import output_columns, refuse_columns_of_other_class
from bakeoff.evidence._counts import ScoreTally
from bakeoff.evidence._door import build_rows, class_order, classes_of
from bakeoff.evidence._engine import Engine, Roles, Table
from bakeoff.evidence._labels import encode
from bakeoff.evidence._predictions import Predictions
from bakeoff.evidence._rows import ModelOutput, Rows, Split
from bakeoff.evidence._units import answers_again
from bakeoff.evidence.seals import DAMAGED, examine, require_sound

COMPACT = "compact-"  # how the names of a store's files of many units begin
_ROW_KEYS = ("repeat", "fold", "instance")
_PROBA = "proba:"
_TALLY_ROWS = 20_000_000  # rows tallied at a time
_COUNTED = {"label": "y_pred", "score": "y_score"}  # part of an engine's answers → part here
_FEW_ROWS = 10  # so few may well have the same truth by chance
_MODELS_KEPT = 2  # loaded models held at a time: enough for a pair


class Source:
    """Where the columns of one data set are: a lazy frame per model, with the parts that its columns play.

    Parameters
    ----------
    frames
        Model → lazy frame.
    named
        Model → part → column; the parts are ``y_true`` and any of ``y_pred``, ``y_score``, ``proba:<class>``,
        ``y_value``, ``repeat``, ``fold``, ``instance``, ``group``, ``weight``, ``frequency``. By default each column
        has its part's name.
    """

    def __init__(
        self, name: str, frames: Mapping[str, Any], named: Mapping[str, Mapping[str, str]] | None = None
    ) -> None:
        self.name = name
        self.frames = {m: _without_decimals(f, name) for m, f in frames.items()}
        self.columns = {
            m: {c: c for c in asked(f.collect_schema, name).names()} if named is None else dict(named[m])
            for m, f in frames.items()
        }
        self._engines: dict[str, Engine] = {}
        self._sorted: dict[str, bool] = {}
        for model in frames:
            self._keep_plain_weights(model)

    def collect(self, model: str, wanted: Sequence[str]) -> dict[str, NDArray[Any]]:
        """Load some columns of one model, in the common row order."""
        frame, columns = self.frames[model], self.columns[model]
        keys = [columns[k] for k in _ROW_KEYS if k in columns]
        present = [c for c in wanted if c in columns]
        if "instance" in columns and not self._is_sorted(model, keys):
            frame = frame.sort(keys)
        table = collected(frame.select(list(dict.fromkeys(columns[c] for c in present))), self.name)
        return {c: column_array(table[columns[c]]) for c in present}

    def _is_sorted(self, model: str, keys: Sequence[str]) -> bool:
        """Tell whether the files already hold the common row order, as the runner writes it: then no sort is needed."""
        if model not in self._sorted:
            table = collected(self.frames[model].select(keys), self.name)
            later, equal = np.zeros(max(len(table) - 1, 0), bool), np.ones(max(len(table) - 1, 0), bool)
            for key in keys:
                values = column_array(table[key])
                later |= equal & (values[1:] > values[:-1])
                equal &= values[1:] == values[:-1]
            self._sorted[model] = bool((later | equal).all())
        return self._sorted[model]

    def engine(self, model: str) -> Engine:
        """What counts the rows of one model, checked once."""
        if model not in self._engines:
            columns = self.columns[model]
            answers = {part: (columns[c],) for part, c in _COUNTED.items() if c in columns}
            keys = {k: columns[k] for k in ("repeat", "fold", "weight", "frequency") if k in columns}
            self._engines[model] = self._checked(model, Roles(columns["y_true"], {model: answers}, keys))
        return self._engines[model]

    def _checked(self, model: str, roles: Roles) -> Engine:
        engine = Engine(self.frames[model], roles, self.name)
        engine.check()
        return engine

    def count(self, model: str, by: Sequence[str]) -> tuple[Table, NDArray[Any]]:
        """Kinds of rows of one model, and how many there are of each, or how much they weigh."""
        table = self.engine(model).distinct(by, {})
        assert table is not None
        return table, table["w"] if "w" in table else table["n"].astype(np.int64)

    def _keep_plain_weights(self, model: str) -> None:
        """Check importance and frequency; equal importance, and frequencies of one, are none."""
        import polars as pl

        columns = self.columns[model]
        for role in ("weight", "frequency"):
            if role in columns:
                engine = self._checked(model, Roles(columns["y_true"], {}, {role: columns[role]}))
                only = engine.distinct((role,), {}, 1)
                self.frames[model] = self.frames[model].filter(pl.col(columns[role]) > 0)  # no row weighs nothing
                if only is not None and (role == "weight" or only[role][0] == 1):
                    del columns[role]


def _without_decimals(frame: Any, name: str) -> Any:
    """Decimals are float64 to the engine, so they are when they are loaded."""
    import polars as pl

    decimal = [c for c, kind in asked(frame.collect_schema, name).items() if kind.is_decimal()]
    return frame.with_columns(pl.col(decimal).cast(pl.Float64)) if decimal else frame


class LazyOutputs(Mapping[str, ModelOutput]):
    """Model → output, loaded when asked for; only the last few are kept."""

    def __init__(self, owner: ScannedRows) -> None:
        self._owner = owner
        self._kept: OrderedDict[str, ModelOutput] = OrderedDict()

    def __getitem__(self, model: str) -> ModelOutput:
        if model in self._owner.added:
            return self._owner.added[model]
        if model not in self._owner.source.frames:
            raise KeyError(model)
        if model not in self._kept:
            self._kept[model] = self._owner.load(model)
            while len(self._kept) > _MODELS_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(model)
        return self._kept[model]

    def __contains__(self, model: object) -> bool:  # a Mapping's own would load the model to find out
        return model in self._owner.source.frames or model in self._owner.added

    def __iter__(self) -> Iterator[str]:
        return iter([*self._owner.source.frames, *self._owner.added])

    def __len__(self) -> int:
        return len(self._owner.source.frames) + len(self._owner.added)


class ScannedRows(Rows):
    """The evidence of one data set in Parquet files, read only as far as an answer needs.

    `added` holds models that are in memory, not in the files: the trivial baselines.
    """

    source: Source
    added: Mapping[str, ModelOutput]

    def __init__(
        self,
        source: Source,
        *,
        pos_label: Hashable | None = None,
        classes: Sequence[Hashable] | None = None,
        facts: Mapping[str, Any] | None = None,
        added: Mapping[str, ModelOutput] | None = None,
    ) -> None:
        facts = facts or {}
        first = next(iter(source.frames))
        columns = source.columns[first]
        known: tuple[Hashable, ...] = ()
        positive = None
        if not (regression := "y_value" in columns):
            stated = classes or facts.get("classes")
            seen = {} if stated else source.count(first, ["y_true"])[0]
            known, positive = classes_of(
                source.name, seen.get("y_true", np.empty(0)), stated or None,
                pos_label if pos_label is not None else facts.get("pos_label"),
                scored_only="y_pred" not in columns, n=seen.get("n"),
            )  # fmt: skip
        task = "regression" if regression else ("binary" if len(known) == 2 else "multiclass")
        fields: dict[str, Any] = {
            "name": source.name,
            "task": task,
            "source": source,
            "added": dict(added or {}),
            "classes": known,
            "positive": positive,
            "splits": facts.get("splits") or _scan_splits(source, first),
            "times": facts.get("times", {}),
            "protocol": facts.get("protocol"),
            "slices": {},
            "missing": {},
            "_first": first,
        }
        for key, value in fields.items():
            object.__setattr__(self, key, value)
        object.__setattr__(self, "outputs", LazyOutputs(self))

    _first: str

    # The columns shared by all models, loaded on first use.

    @cached_property
    def truth(self) -> NDArray[Any]:
        """True class codes or values, loaded on first use."""
        return self._truth(self._first)

    def _truth(self, model: str) -> NDArray[Any]:
        raw = self.source.collect(model, ["y_true"])["y_true"]
        if self.task == "regression":
            return raw.astype(np.float64)
        return encode(raw, self.classes, where=f"y_true of {self.name!r}")

    @cached_property
    def split_index(self) -> NDArray[np.int32] | None:
        """Split of each row, loaded on first use."""
        if len(self.splits) < 2:
            return None
        return self._split_of(self.source.collect(self._first, ["repeat", "fold"]), self.n)

    @cached_property
    def groups(self) -> NDArray[np.int32] | None:
        """Cluster codes, loaded on first use."""
        if "group" not in self.source.columns[self._first]:
            return None
        values = self.source.collect(self._first, ["group"])["group"]
        return np.unique(values.astype(str), return_inverse=True)[1].astype(np.int32)

    @cached_property
    def weight(self) -> FloatArray | None:
        """Weights, loaded on first use."""
        return self.source.collect(self._first, ["weight"]).get("weight")

    @cached_property
    def frequency(self) -> IntArray | None:
        """Whole cases a row stands for, loaded on first use."""
        counts = self.source.collect(self._first, ["frequency"]).get("frequency")
        return None if counts is None else counts.astype(np.int64)

    @property
    def attempt(self) -> IntArray | None:
        """Files keep train/test splits; several answers to one test set are read into memory."""
        return None

    @cached_property
    def instance(self) -> NDArray[Any] | None:
        """Which case each row is about, loaded on first use; by its place where every repeat lists the same cases."""
        keys = self.source.collect(self._first, ["instance", "repeat"])
        if "instance" in keys or "repeat" not in keys or self.n_repeats == 1:
            return keys.get("instance")
        return answers_again(keys["repeat"], None, self.truth)[1]

    @cached_property
    def _row_count(self) -> int:
        import polars as pl

        frame = self.source.frames[self._first]
        return int(asked(lambda: frame.select(pl.len()).collect().item(), self.name))

    @property
    def n(self) -> int:
        """Number of rows, from the files' footers."""
        return self._row_count

    @property
    def n_groups(self) -> int:
        """Number of clusters; 0 when the rows are not grouped."""
        return 0 if self.groups is None else int(self.groups.max()) + 1

    def load(self, model: str) -> ModelOutput:
        """Load and check one model's rows; they must be the rows of the first model."""
        names = self.source.columns[model]
        probabilities = [c for c in names if c.startswith(_PROBA)]
        wanted = ["y_true", "instance", "y_pred", "y_score", "y_value", *probabilities]
        got = self.source.collect(model, wanted)
        if model != self._first:
            self._check_pairing(model, got)
        scored = got.get("y_score")
        if probabilities:
            order = [f"{_PROBA}{c}" for c in self.classes]
            scored = np.stack([got[c] for c in order], axis=1)
        as_named = {k: {} if v is None else {model: v} for k, v in
                    {"p": got.get("y_pred"), "s": scored, "v": got.get("y_value")}.items()}  # fmt: skip
        rows = build_rows(
            self.name,
            got["y_true"],
            as_named["p"],
            as_named["s"],
            as_named["v"],
            classes=self.classes or None,
            pos_label=self.pos_label,
        )
        return rows.outputs[model]

    def _check_pairing(self, model: str, got: Mapping[str, NDArray[Any]]) -> None:
        if got["y_true"].shape[0] != self.n:
            raise EvidenceError(
                f"all models need the same rows, but {self._first!r} and {model!r} have different numbers of rows of "
                f"{self.name!r} ({self.n} and {got['y_true'].shape[0]}).",
                hint="a run that is not finished, or a model that failed on some folds; select the complete models",
            )
        if self.instance is not None and "instance" in got and not np.array_equal(self.instance, got["instance"]):
            raise EvidenceError(
                f"all models need the same rows, but {self._first!r} and {model!r} were scored on different instances "
                f"of {self.name!r}.",
                hint="models compared must share their splits",
            )

    # Counts, without loading rows.

    def provides(self, model: str, need: str) -> bool:
        """Tell from the schema what a model offers; whether scores are probabilities is looked up in the files."""
        if model in self.added:
            return super().provides(model, need)
        names = self.source.columns[model]
        if need == "labels":
            return "y_pred" in names or self.provides(model, "probabilities")
        if need == "scores":
            return self.positive is not None and ("y_score" in names or any(c.startswith(_PROBA) for c in names))
        if need == "probabilities":
            return any(c.startswith(_PROBA) for c in names) or (
                self.task == "binary" and self.positive is not None and "y_score" in names and self._unit_range(model)
            )
        return need == "values" and "y_value" in names

    def _unit_range(self, model: str) -> bool:
        return "score0" not in self.source.engine(model).outside

    def labels_are_derived(self, model: str) -> bool:
        """Tell whether the labels come from probabilities."""
        return model not in self.added and "y_pred" not in self.source.columns[model]

    def _count_cells(self, model: str) -> FloatArray:
        names = self.source.columns.get(model, ())
        if model in self.added or not {"y_pred", "y_score"} & set(names) or not self.provides(model, "labels"):
            return super()._count_cells(model)
        keys = [k for k in ("repeat", "fold") if len(self.splits) > 1 and k in names]
        label = "label0" if "y_pred" in names else "called0"
        table, size = self.source.count(model, ["y_true", label, *keys])
        true = encode(table["y_true"], self.classes, where=f"y_true of {self.name!r}")
        if label == "label0":
            called = encode(table[label], self.classes, where=f"y_pred of model {model!r}")
        else:
            positive = 1 if self.positive is None else self.positive
            called = np.where(table[label] == 1, positive, 1 - positive)
        k, j = len(self.classes), max(len(self.splits), 1)
        split = self._split_of(table, size.size) if j > 1 else 0
        counts = np.bincount((split * k + true) * k + called, weights=size, minlength=j * k * k)
        return np.asarray(counts, dtype=np.float64).reshape(j, k, k)

    def _split_of(self, keys: Mapping[str, NDArray[Any]], n: int) -> NDArray[np.int32]:
        """Number of the split of each row, or kind of rows, by its repeat and fold."""
        lookup = {(s.repeat, s.fold): i for i, s in enumerate(self.splits)}
        repeat, fold = (keys.get(k, np.zeros(n, np.int64)).tolist() for k in ("repeat", "fold"))
        return np.fromiter((lookup[key] for key in zip(repeat, fold, strict=True)), dtype=np.int32, count=n)

    def tally(self, model: str) -> ScoreTally:
        """Exact tally of positives and negatives at each distinct score."""
        import polars as pl

        if model in self.added or "y_score" not in (columns := self.source.columns[model]):
            return super().tally(model)
        self.positives_known()
        self.source.engine(model)  # is checked
        wanted = [pl.col(columns["y_score"]).cast(pl.Float64).alias("score")]
        wanted.append((pl.col(columns["y_true"]) == pl.lit(self.classes[self.positive])).alias("hit"))  # type: ignore[index]
        if sizes := [pl.col(columns[c]).cast(pl.Float64) for c in ("weight", "frequency") if c in columns]:
            wanted.append(reduce(operator.mul, sizes).alias("size"))
        narrow = self.source.frames[model].select(wanted)
        # Where all scores differ, sorting two bare columns takes a fifth of what an engine takes to group by them;
        # pieces bound the memory.
        starts = range(0, self.n, _TALLY_ROWS)
        pieces = (narrow if len(starts) == 1 else narrow.slice(start, _TALLY_ROWS) for start in starts)
        return reduce(operator.add, (_tally_of(collected(piece, self.name)) for piece in pieces))

    def positives_known(self) -> None:
        """Raise unless the positive class is known."""
        if self.positive is None:
            Rows.positives(self)

    # Parts are read into memory.

    def in_memory(self, models: Sequence[str] | None = None) -> Rows:
        """Load these models' rows."""
        chosen = self.models if models is None else tuple(models)
        return Rows(
            self.name, self.task, self.truth, {m: self.outputs[m] for m in chosen}, self.classes, self.positive,
            self.splits, self.split_index, self.groups, self.weight, self.instance, self.times, self.protocol,
            self.frequency,
        )  # fmt: skip

    def split(self, index: int) -> Rows:
        """Return the rows of one split, in memory."""
        return self.in_memory().split(index)

    def take(self, rows: NDArray[Any]) -> Rows:
        """Return some rows, in memory."""
        return self.in_memory().take(rows)

    def select(self, models: Sequence[str]) -> Rows:
        """Keep some models, still unread."""
        frames = {m: self.source.frames[m] for m in models if m not in self.added}
        added = {m: self.added[m] for m in models if m in self.added}
        return self._made(Source(self.name, frames, self.source.columns), added) if frames else self.in_memory(models)

    def with_outputs(self, added: Mapping[str, ModelOutput]) -> Rows:
        """Add models that live in memory."""
        return self._made(self.source, {**self.added, **added})

    def _made(self, source: Source, added: Mapping[str, ModelOutput]) -> ScannedRows:
        facts = {"splits": self.splits, "times": self.times, "protocol": self.protocol}
        return ScannedRows(source, pos_label=self.pos_label, classes=self.classes, facts=facts, added=added)


def _tally_of(table: Any) -> ScoreTally:
    from bakeoff.stats import tally_scores

    size = table["size"].to_numpy() if "size" in table.columns else None
    return ScoreTally(*tally_scores(table["hit"].to_numpy(), table["score"].to_numpy(), size))


def _scan_splits(source: Source, model: str) -> tuple[Split, ...]:
    keys = [k for k in ("repeat", "fold") if k in source.columns[model]]
    if not keys:
        return ()
    table, _ = source.count(model, keys)
    of = [table.get(k, np.zeros(table["n"].size)).tolist() for k in ("repeat", "fold")]
    found = sorted(zip(*of, table["n"].astype(np.int64).tolist(), strict=True))
    if len(found) < 2:
        return ()
    in_repeat: dict[int, list[int]] = {}
    for repeat, _, n in found:
        in_repeat.setdefault(repeat, []).append(n)
    return tuple(
        Split(int(r), int(f), int(n), sum(in_repeat[r]) - int(n) if len(in_repeat[r]) > 1 else None)
        for r, f, n in found
    )


def scan_store(folder: Path, *, pos_label: Hashable | None = None) -> Predictions:
    """Open a folder laid out ``dataset=<name>/model=<name>/*.parquet`` (names percent-encoded) without reading rows."""
    import polars as pl

    root = folder / "predictions" if (folder / "predictions").is_dir() else folder
    tables: dict[str, Rows] = {}
    for dataset in sorted(root.glob("dataset=*")):
        frames, files = {}, []
        for model in sorted(dataset.glob("model=*")):
            parts = sorted(p for p in model.glob("*.parquet") if not p.name.startswith("."))
            parts = sorted(set(parts) - superseded(parts, _keys_noted))
            for part in parts:
                require_sound(part)
            if parts:
                frames[unquote(model.name.removeprefix("model="))] = pl.scan_parquet(parts, hive_partitioning=False)
                files.append((unquote(model.name.removeprefix("model=")), parts))
        if frames:
            name = unquote(dataset.name.removeprefix("dataset="))
            tables[name] = ScannedRows(Source(name, frames), pos_label=pos_label, facts=_footer_facts(files))
    if not tables:
        raise EvidenceError(
            f"the folder {str(folder)!r} holds no predictions (dataset=…/model=…/*.parquet).",
            hint="for a folder of wide Parquet files name the columns: y_true=, y_score= …",
        )
    return Predictions(tables)


def superseded(files: Sequence[Path], keys_of: Callable[[Path], set[str]]) -> set[Path]:
    """Return the files whose units are all in a larger file too: a compaction that was cut off leaves them twice."""
    larger = {f: keys_of(f) for f in files if f.name.startswith(COMPACT)}
    gone = set()
    for file in files if larger else ():
        keys = larger.get(file) or {file.stem}
        if any(keys < others or (keys <= others and file.stem in keys) for others in larger.values()):
            gone.add(file)
    return gone


def _keys_noted(part: Path) -> set[str]:
    """The keys of a compacted file's units; none of a damaged one, which is named when its rows are asked for."""
    import polars as pl

    if examine(part)[0] == DAMAGED:
        return set()
    text = asked(partial(pl.read_parquet_metadata, part), part).get("bakeoff") or ""
    return {str(unit.get("key")) for unit in _units_noted(text, part)} if text else set()


def _footer_facts(files: Sequence[tuple[str, Sequence[Path]]]) -> dict[str, Any]:
    """What the writer noted in the Parquet footers of one data set: classes, sizes and times."""
    import polars as pl

    facts: dict[str, Any] = {}
    splits: dict[tuple[int, int], Split] = {}
    times: dict[tuple[str, tuple[int, int]], tuple[float, float]] = {}
    for model, parts in files:
        for part in parts:
            text = asked(partial(pl.read_parquet_metadata, part), part).get("bakeoff")
            if not text:
                return {}
            for note in _units_noted(text, part):
                key = (int(note["repeat"]), int(note["fold"]))
                splits[key] = Split(*key, int(note["n_test"]), note.get("n_train"))
                times[model, key] = (float(note.get("fit_time", np.nan)), float(note.get("predict_time", np.nan)))
                facts.update({k: note[k] for k in ("classes", "pos_label", "protocol") if note.get(k) is not None})
    ordered = tuple(splits[k] for k in sorted(splits))
    index = {(s.repeat, s.fold): i for i, s in enumerate(ordered)}
    facts["splits"] = ordered
    facts["times"] = {(m, index[k]): t for (m, k), t in times.items()}
    return facts


def _units_noted(text: str, part: Path) -> list[dict[str, Any]]:
    """The units of work that a footer tells of, each with what is needed of it."""
    try:
        units = json.loads(text).get("units", [])
        for unit in units:
            int(unit["repeat"]), int(unit["fold"]), int(unit["n_test"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise EvidenceError(f"the footer of the file {str(part)!r} is damaged.", hint="run that unit again") from None
    return list(units)


def _parquet_files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*.parquet") if not p.name.startswith((".", "_")))


def can_be_scanned(folder: Path, columns: Mapping[str, Any]) -> bool:
    """Whether the files are wide Parquet of one data set and one set of columns; anything else is read into memory.

    Several answers to one test set, or several test sets: only the rows themselves tell.
    """
    from bakeoff.evidence._read import table_files

    parts = _parquet_files(folder)
    if set(table_files(folder)) != set(parts) or columns.get("model") is not None:
        return False
    if columns.get("repeat") is not None and columns.get("fold") is None:
        return False
    if columns.get("instance") is not None and columns.get("repeat") is None:  # do cases come again?
        return False
    several = any(not isinstance(s, str) for s in output_columns(columns.get("y_score")).values())
    if several and columns.get("classes") is None:  # which column is of which class?
        return False
    if any("=" in part for p in parts for part in p.relative_to(folder).parts[:-1]):
        return False
    schemas = [_schema(p) for p in parts]
    if any(schema != schemas[0] for schema in schemas) or columns.get("dataset") in schemas[0]:
        return False
    _refuse_one_file_per_model(parts, str(columns["y_true"]))
    return True


def _schema(part: Path) -> dict[str, Any]:
    import polars as pl

    return dict(asked(lambda: pl.read_parquet_schema(part), part))


def _refuse_one_file_per_model(parts: Sequence[Path], y_true: str) -> None:
    """Files with the very same truth hold the same rows: each is a model, not a further part."""
    import polars as pl

    if len(parts) < 2 or y_true not in _schema(parts[0]):
        return
    truths = [collected(pl.scan_parquet(p, hive_partitioning=False).select(y_true), p) for p in parts[:2]]
    if len(truths[0]) >= _FEW_ROWS and truths[0].equals(truths[1]) and truths[0][y_true].n_unique() > 1:
        raise EvidenceError(
            f"{parts[0].name!r} and {parts[1].name!r} have the same truth in every row: is each file a model?",
            hint="put each file into a folder named model=NAME and give model='model' (--model model)",
        )


def asked(question: Callable[[], Any], where: object) -> Any:
    """Ask files something; what cannot be read is told with the name of the file or data set."""
    import polars as pl

    try:
        return question()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as problem:  # a panic: a damaged file
        reason = (str(problem).strip().splitlines() or [type(problem).__name__])[0][:200]
        raise EvidenceError(
            f"the Parquet files of {str(where)!r} could not be read: {reason}.", hint="is a file damaged or foreign?"
        ) from None


def collected(frame: Any, where: object) -> Any:
    """Compute a lazy frame by the streaming engine."""
    return asked(partial(frame.collect, engine="streaming"), where)


def _lazy_folder(folder: Path) -> Any:
    import polars as pl

    parts = _parquet_files(folder)
    if not parts:
        raise EvidenceError(f"the folder {str(folder)!r} holds no Parquet files.")
    return pl.scan_parquet(parts, hive_partitioning=False)


def scan_wide(folder: Path, columns: Mapping[str, Any]) -> Predictions:
    """Scan a folder of wide Parquet files (one column per model) as one data set."""
    lazy = _lazy_folder(folder)
    present = asked(lambda: lazy.collect_schema().names(), folder)
    base = {role: columns[key] for role, key in _SHARED_ROLES.items() if columns.get(key) is not None}
    per_model = _model_roles(columns)
    for name in [*base.values(), *(s for roles in per_model.values() for s in roles.values())]:
        if name not in present:
            raise EvidenceError(
                f"the files of {str(folder)!r} have no column {name!r}.", hint=f"they have {present[:20]}"
            )
    named = {m: {**base, **roles} for m, roles in per_model.items()}
    name = columns.get("dataset") or folder.name
    rows = ScannedRows(
        Source(name, dict.fromkeys(named, lazy), named),
        pos_label=columns.get("pos_label"),
        classes=columns.get("classes"),
    )
    refuse_columns_of_other_class([rows], columns.get("y_score"))
    return Predictions({name: rows})


_SHARED_ROLES = {
    "y_true": "y_true",
    "repeat": "repeat",
    "fold": "fold",
    "instance": "instance",
    "group": "groups",
    "weight": "sample_weight",
    "frequency": "frequency",
}


def _model_roles(columns: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Model → role of each of its columns → the column's name in the files."""
    classes = columns.get("classes")
    per_model: dict[str, dict[str, str]] = {}
    for kind in ("y_pred", "y_score", "y_value"):
        for model, source in output_columns(columns.get(kind)).items():
            if isinstance(source, str):
                roles = {kind: source}
            elif classes is None:
                raise EvidenceError(
                    "class probabilities in a Parquet folder need the classes in order.", hint="classes=[…]"
                )
            else:
                order = class_order(source, classes, stated=True)
                roles = {f"{_PROBA}{c}": source[i] for c, i in zip(classes, order, strict=True)}
            per_model.setdefault(model, {}).update(roles)
    if not per_model:
        raise EvidenceError("no column was named as a model's predictions.", hint="y_pred=, y_score= or y_value=")
    return per_model
