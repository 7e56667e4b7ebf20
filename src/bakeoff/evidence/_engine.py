"""All that asks an engine: rows stay where they live, and their distinct kinds come back with how many there are.

One query serves every measure: group the rows by the truth, the answers (scores exact, or rounded) and the keys (fold,
group, slice), and count. It is written on narwhals' lazy frames and runs on Polars, DuckDB, Ibis, Dask and PySpark.
What the engines disagree about is kept out of it: columns are made first and bare columns aggregated, booleans become
0 and 1 by when/then, numbers are cast to float64, and `check` asks for values that are not finite.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.frames import column_array
from bakeoff.evidence._columns import output_columns
from bakeoff.evidence._databases import as_frame
from bakeoff.evidence._labels import is_missing

Table = dict[str, NDArray[Any]]
"""Columns of one answer; ``n`` counts the rows of each line, ``w`` and ``ww`` sum their weights and squared weights."""

SIZES = ("n", "w", "ww")
SIZED = ("weight", "frequency")
_LARGEST = 1.7976931348623157e308
_WHOLE = 2.0**52  # added, and taken away again: a number below it loses what it has after the point
_NUMBERS = ("score", "value", "sum", "attempts", "weight", "frequency")


def rounded(scores: NDArray[Any], bits: int | None) -> NDArray[np.float64]:
    """Round scores to so many significant bits of the distance to the nearer of 0 and 1; None leaves them as they are.

    Veltkamp's splitting is plain arithmetic, which every engine does alike; it keeps the order, so bins are intervals.
    """
    s = np.asarray(scores, dtype=np.float64) + 0.0
    return s if bits is None else np.where(s < 0.5, _cut(s, bits), 1.0 - _cut(1.0 - s, bits)) + 0.0


def _cut(x: Any, bits: int) -> Any:
    scaled = x * (2.0 ** (53 - bits) + 1.0)
    return scaled - (scaled - x)


@dataclass(frozen=True)
class Items:
    """What evidence without a truth is: ``"outcomes"`` of items, or their ``"sums"`` of named `columns`.

    `less_is_better` is its direction, where what was read tells so.
    """

    task: str
    columns: tuple[str, ...] = ()
    less_is_better: bool = False


@dataclass(frozen=True)
class Roles:
    """Which column plays which part.

    Attributes
    ----------
    truth
        The column of true labels or values.
    answers
        Model → part (``"label"``, ``"score"``, ``"value"``, ``"sum"``, ``"attempts"``) → its columns (several for class
        probabilities and sums).
    keys
        ``repeat``, ``fold``, ``instance``, ``group``, ``weight``, ``frequency``, ``dataset`` → column.
    slices
        Name of a slice → its column.
    model, named
        For a long table: the column that names the model, and the value it has for each.
    items
        What the rows are where there is no truth; `truth` is then a column of zeros.
    """

    truth: str
    answers: Mapping[str, Mapping[str, tuple[str, ...]]]
    keys: Mapping[str, str] = field(default_factory=dict)
    slices: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None
    items: Items | None = None
    named: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, y_true: str, outputs: Mapping[str, Any], keys: Mapping[str, Any], slices: Any, model: Any) -> Roles:
        """Read them from the arguments of `Predictions.scan`."""
        answers: dict[str, dict[str, tuple[str, ...]]] = {}
        for part, wanted in outputs.items():
            for name, source in output_columns(wanted).items():
                columns = (source,) if isinstance(source, str) else tuple(source)
                answers.setdefault(name, {})[part] = columns
        if not answers:
            raise ParameterError("no column was named as a model's predictions.", hint="y_pred=, y_score= or y_value=")
        named = slices if isinstance(slices, Mapping) else {s: s for s in slices or ()}
        return cls(y_true, answers, {k: v for k, v in keys.items() if v is not None}, named, model)

    @property
    def columns(self) -> list[str]:
        """Every column that is read."""
        own = [c for parts in self.answers.values() for columns in parts.values() for c in columns]
        return [self.truth, *own, *self.keys.values(), *self.slices.values(), *([self.model] if self.model else [])]


def column_name(part: str, model: int, place: int = 0) -> str:
    """Name a model's column inside a query: models are numbered, since their names may be anything."""
    return f"{part}{model}" if place == 0 else f"{part}{model}_{place}"


class Engine:
    """A lazy frame whose columns have the names of their parts; `of_files`: what cannot be read are Parquet files."""

    def __init__(self, source: Any, roles: Roles, where: str = "data", *, of_files: bool = False) -> None:
        self.where, self.of_files = where, of_files
        self.roles = roles
        self.models = tuple(roles.answers)
        self.rows = 0  # known once they were checked, as are the scores that are no probabilities
        self.outside: frozenset[str] = frozenset()
        self._seen: NDArray[Any] | None = None  # truths of a former answer
        self._source = source
        frame = lazy(source)
        present = self._asked(frame.collect_schema)
        for name in roles.columns:
            if name not in present.names():
                raise EvidenceError(f"{where!r} has no column {name!r}.", hint=f"it has {present.names()[:20]}")
        self._check_types(present)
        self._schema = present
        self.frame = self._wide(frame) if roles.model else frame.select(*self._renamed(range(len(self.models))))

    # -- the frame ------------------------------------------------------------------------------------------------

    def _renamed(self, models: Sequence[int], *, keys: bool = True) -> list[Any]:
        import narwhals as nw

        made = [self._typed(self.roles.truth, "truth").alias("y_true")] if keys else []
        for i in models:
            for part, columns in self.roles.answers[self.models[i]].items():
                for j, column in enumerate(columns):
                    made.append(self._typed(column, part).alias(column_name(part, i, j)))
        if keys:
            made += [self._typed(c, k).alias(k) for k, c in self.roles.keys.items() if k != "dataset"]
            made += [nw.col(c).alias(f"slice:{s}") for s, c in self.roles.slices.items()]
        return made

    def _typed(self, column: str, part: str) -> Any:
        """Numbers are float64 before anything is asked of them, decimals too; −0.0 is 0.0."""
        import narwhals as nw

        if part in ("score", "value", "sum", "weight") or self._schema[column].is_decimal():
            return nw.col(column).cast(nw.Float64) + 0.0
        return nw.col(column)

    def _wide(self, frame: Any) -> Any:
        """Join the models of a long table on what identifies a row; `check` sees to it that they have the same rows."""
        import narwhals as nw

        if "instance" not in self.roles.keys:
            raise EvidenceError(
                "a long table needs to know which case each row is about, to pair the models.",
                hint="give instance= (--instance on the command line)",
            )
        on, column = self._identity, nw.col(str(self.roles.model))
        parts = [frame.filter(column == self.roles.named[m]) for m in self.models]
        made = [part.select(*self._renamed([i])) for i, part in enumerate(parts)]
        joined = made[0]
        for i, part in enumerate(made[1:], 1):
            renamed = part.rename({k: f"{k}_{i}" for k in (*on, *self._shared)})
            joined = joined.join(renamed, left_on=on, right_on=[f"{k}_{i}" for k in on], how="inner")
        return joined

    @property
    def _identity(self) -> list[str]:
        """What identifies a row of a long table, for each model."""
        return [k for k in ("repeat", "fold", "instance") if k in self.roles.keys]

    @property
    def _shared(self) -> list[str]:
        """What a row of a long table tells of its case: every model must tell the same."""
        keys = [k for k in self.roles.keys if k not in (*self._identity, "dataset")]
        return ["y_true", *keys, *(f"slice:{s}" for s in self.roles.slices)]

    def _check_types(self, schema: Mapping[str, Any]) -> None:
        wanted = [c for parts in self.roles.answers.values() for p, cs in parts.items() if p != "label" for c in cs]
        wanted += [self.roles.keys[k] for k in ("weight", "frequency") if k in self.roles.keys]
        if self.roles.items is None and any("value" in parts for parts in self.roles.answers.values()):
            wanted.append(self.roles.truth)
        for name in wanted:
            kind = schema[name]
            if not kind.is_numeric():
                raise EvidenceError(f"the column {name!r} holds {kind}, not numbers.", hint="cast it, or name another")

    @property
    def columns(self) -> list[str]:
        """Names of the parts that there are."""
        answers = [
            column_name(part, i, j)
            for i, model in enumerate(self.models)
            for part, columns in self.roles.answers[model].items()
            for j in range(len(columns))
        ]
        keys = [k for k in self.roles.keys if k != "dataset"]
        return ["y_true", *answers, *keys, *(f"slice:{s}" for s in self.roles.slices)]

    # -- queries --------------------------------------------------------------------------------------------------

    def check(self) -> int:
        """One pass: refuse missing and infinite values, naming the column; returns the number of rows."""
        import narwhals as nw

        if self.roles.model is not None:
            self._check_pairs()
        schema = self.frame.collect_schema()
        names = [c for c in schema.names() if not c.startswith("slice:")]
        made = {}
        for c in names:  # what is null is not finite either
            numeric = schema[c].is_float() or c.startswith(_NUMBERS)
            made[f"u_{c}"] = nw.when(_usable(c, numeric)).then(0).otherwise(1)
            if c in SIZED:
                made[f"m_{c}"] = nw.when(nw.col(c) < 0).then(1).otherwise(0)
                made[f"p_{c}"] = nw.when(nw.col(c) > 0).then(1).otherwise(0)
            if c.startswith("score"):
                made[f"o_{c}"] = nw.when((nw.col(c) < 0) | (nw.col(c) > 1)).then(1).otherwise(0)
            if c == "frequency" and not schema[c].is_integer():
                whole = (nw.col(c) + _WHOLE) - _WHOLE == nw.col(c)  # casts of what is not finite raise
                made[f"h_{c}"] = nw.when(whole).then(0).otherwise(1)
        asked = self.frame.with_columns(**made).select(nw.len().alias("n"), *[nw.col(s).sum().alias(s) for s in made])
        row = {name: float(values[0] or 0) for name, values in self.table(asked).items()}
        if row["n"] == 0:
            raise EvidenceError(f"{self.where!r} has no rows.", hint="is the table or the selection empty?")
        for c in names:  # NaN and null are one value on Dask and SQLite, so they get one sentence everywhere
            name, odd = self._source_name(c), int(row[f"u_{c}"])
            if odd:
                raise _no_value(odd, name)
            if row.get(f"m_{c}"):
                raise EvidenceError(f"{int(row[f'm_{c}'])} rows have a negative value in {name!r}.")
            if row.get(f"h_{c}"):
                raise EvidenceError(
                    f"{int(row[f'h_{c}'])} rows have no whole number of cases in {name!r}.",
                    hint="for weights that are not numbers of cases use sample_weight",
                )
            if c in SIZED and not row[f"p_{c}"]:
                raise EvidenceError(f"{name!r} is zero everywhere.", hint="give at least one row more than 0")
        self.rows = int(row["n"])
        self.outside = frozenset(c for c in names if row.get(f"o_{c}"))
        for c in set(SIZED) & set(names):  # what counts for nothing is no unit
            self.frame = self.frame.filter(nw.col(c) > 0)
        return self.rows

    def checked(self) -> Engine:
        """The same, checked once."""
        if not self.rows:
            self.check()
        return self

    def settle_sizes(self) -> None:
        """Check importance and frequency; equal importance, and frequencies of one, are none."""
        for role in (k for k in SIZED if k in self.roles.keys):
            only = self.checked().distinct((role,), {}, 1)
            if only is not None and (role == "weight" or only[role][0] == 1):
                self.roles = replace(self.roles, keys={k: c for k, c in self.roles.keys.items() if k != role})
                self.frame = self.frame.drop(role)

    def _check_pairs(self) -> None:
        """Models of a long table have the same cases, once each, with the same truth and keys; nothing is left out."""
        import narwhals as nw

        column, on = str(self.roles.model), [self.roles.keys[k] for k in self._identity]
        long = lazy(self._source).filter(nw.col(column).is_in(list(self.roles.named.values())))
        kinds = long.collect_schema()
        gaps = {f"u{i}": nw.when(_usable(k, kinds[k].is_float())).then(0).otherwise(1) for i, k in enumerate(on)}
        missing = self.table(long.with_columns(**gaps).select(*[nw.col(u).sum().alias(u) for u in gaps]))
        for i, k in enumerate(on):
            if odd := int(missing[f"u{i}"][0] or 0):
                raise _no_value(odd, k)
        lines = long.group_by(column, *on).agg(nw.len().alias("n"))
        again = self.table(lines.filter(nw.col("n") > 1).head(1))
        if again["n"].size:
            case = ", ".join(repr(again[k].tolist()[0]) for k in on)
            raise EvidenceError(f"case {case} comes more than once for model {again[column].tolist()[0]!r}.")
        sizes = self.table(lines.group_by(column).agg(nw.len().alias("n")))
        rows = dict(zip(map(str, sizes[column].tolist()), map(int, sizes["n"]), strict=True))
        other = {f"d{i}_{k}": (k, i) for k in self._shared for i in range(1, len(self.models))}
        made = {}
        for name, (k, i) in other.items():
            mine, theirs = nw.col(k), nw.col(f"{k}_{i}")
            same = (mine == theirs) | (mine.is_null() & theirs.is_null())
            made[name] = nw.when(same).then(0).otherwise(1)
        asked = self.frame.with_columns(**made).select(nw.len().alias("n"), *[nw.col(d).sum().alias(d) for d in made])
        row = {name: int(values[0] or 0) for name, values in self.table(asked).items()}
        lacking = [m for m in self.models if rows.get(m, 0) != row["n"]]
        if lacking:
            told = ", ".join(f"{m!r} {rows.get(m, 0)}" for m in self.models)
            raise EvidenceError(
                f"all models need the same rows, but of {self.where!r} they share {row['n']} and have: {told}.",
                hint="keep only the instances that every model was scored on",
            )
        for name, (k, i) in other.items():
            if row[name]:
                raise EvidenceError(
                    f"all models need the same rows, but {self._source_name(k)!r} differs between {self.models[0]!r} "
                    f"and {self.models[i]!r} in {row[name]} rows.",
                    hint="name the column that identifies an instance with instance=",
                )
        self.frame = self.frame.select(*[c for c in self.frame.collect_schema().names() if not _extra(c, self._shared)])

    def distinct(self, keys: Sequence[str], bits: Mapping[str, int | None], most: int | None = None) -> Table | None:
        """Distinct values of the keys with their sizes; None where there are more than `most`, the truth left aside."""
        if tuple(keys) == ("y_true",):
            return self._truth
        frame = self._with_called_and_rounded(keys, bits)
        if most is not None and self._has_more(frame, keys, most):
            return None
        if "y_true" in keys and any(k.startswith("score") for k in keys) and len(self.classes) == 2:
            return self._by_class(frame, [k for k in keys if k != "y_true"], most)
        table = self._counted(frame, keys, {"": None}, most)
        if most is not None and table["n"].size > most:
            return None
        if "y_true" in keys:
            self._seen = table["y_true"]
        return table

    @cached_property
    def _truth(self) -> Table:
        return self._counted(self.frame, ("y_true",), {"": None}, None)

    @cached_property
    def classes(self) -> list[Any]:
        """The engine's own values of the true classes; none where the truth is a number."""
        if self.roles.items is not None or any("value" in parts for parts in self.roles.answers.values()):
            return []
        seen = self._truth["y_true"] if self._seen is None else self._seen
        return sorted(set(seen.tolist()), key=str)

    def _by_class(self, frame: Any, keys: list[str], most: int | None) -> Table | None:
        """Count two classes side by side: one line for each score is half the work of one for each score and class."""
        import narwhals as nw

        second = nw.when(nw.col("y_true") == self.classes[1])
        frame = frame.with_columns(second_=second.then(1).otherwise(0))
        if "weight" in frame.collect_schema().names() and "weight" not in keys:
            frame = frame.with_columns(first_=second.then(0).otherwise(1))
            sides = self._counted(frame, keys, {"0": "first_", "1": "second_"}, most)
        else:  # whole numbers: what is not of the second class is of the first
            sides = self._counted(frame, keys, {"0": None, "1": "second_"}, most)
            sides["n0"] = sides["n0"] - sides["n1"]
        if most is not None and sides["n0"].size > most:
            return None
        if sides["n1"].sum() != self._truth["n"][self._truth["y_true"] == self.classes[1]].sum():
            return self._counted(frame, ("y_true", *keys), {"": None}, most)  # SQLite does not find a time it returned
        if len(keys) == 1:  # in order: sorting is then quick for whoever reads them
            order = np.argsort(sides[keys[0]])
            sides = {name: values[order] for name, values in sides.items()}
        seen = [sides[f"n{i}"] > 0 for i in (0, 1)]
        truth = np.repeat(_labels(self.classes), [int(s.sum()) for s in seen])
        lines = {k: np.concatenate([sides[k][s] for s in seen]) for k in keys}
        sizes = {
            k: np.concatenate([sides[f"{k}{i}"][s] for i, s in enumerate(seen)]) for k in SIZES if f"{k}0" in sides
        }
        return {"y_true": truth} | lines | sizes

    def by_class(self, positive: Any, column: str, most: int) -> Iterator[Table]:
        """A column of all rows, at most so many at a time, with their sizes and whether they are of a class (`hit`)."""
        import narwhals as nw

        sizes = [k for k in SIZED if k in self.roles.keys]
        narrow = self.frame.with_columns(hit=nw.col("y_true") == positive).select("hit", column, *sizes)
        for start in range(0, self.rows, most):
            piece = narrow if self.rows <= most else nw.from_native(nw.to_native(narrow).slice(start, most))
            yield self.table(piece)

    def _counted(self, frame: Any, keys: Sequence[str], sides: Mapping[str, str | None], most: int | None) -> Table:
        """Group by the keys; count rows, weights and squared weights of each side, an indicator column (None: all)."""
        import narwhals as nw

        names = frame.collect_schema().names()
        copies = nw.col("frequency") if "frequency" in names else None
        made, sizes = {}, []
        for side, indicator in sides.items():
            shares = [c for c in (copies, None if indicator is None else nw.col(indicator)) if c is not None]
            wanted: dict[str, list[Any]] = {"n": shares}
            if "weight" in names and "weight" not in keys:
                w = nw.col("weight")
                wanted |= {"w": [w, *shares], "ww": [w, w, *shares]}
            for size, factors in wanted.items():
                if factors:
                    made[f"{size}{side}_"] = reduce(operator.mul, factors)
                    sizes.append(nw.col(f"{size}{side}_").sum().alias(f"{size}{side}"))
                else:
                    sizes.append(nw.len().alias(f"{size}{side}"))
        counted = (frame.with_columns(**made) if made else frame).group_by(*keys).agg(*sizes)
        order = (*keys, *(f"{size}{side}" for side in sides for size in SIZES))
        return self.table(counted if most is None else counted.head(most + 1), order)

    def _with_called_and_rounded(self, keys: Sequence[str], bits: Mapping[str, int | None]) -> Any:
        import narwhals as nw

        frame, called = self.frame, [k for k in keys if k.startswith("called")]
        if called:  # labels that come from probabilities: 1 where the positive class is at least as likely
            made = [nw.when(nw.col(k.replace("called", "score")) >= 0.5).then(1).otherwise(0).alias(k) for k in called]
            frame = frame.with_columns(*made)
        cut = {k: b for k in keys if (b := bits.get(k)) is not None}
        return frame.with_columns(*[_rounded(nw.col(k), b).alias(k) for k, b in cut.items()]) if cut else frame

    def _has_more(self, frame: Any, keys: Sequence[str], most: int) -> bool:
        """Whether a few rows have more kinds already, so that all of them need not be asked."""
        if self.roles.model is not None or self.rows < 8 * most:
            return False
        kinds = [k for k in keys if k != "y_true"]
        some = frame.select(*kinds).head(2 * most)
        return bool(self._counted(some, kinds, {"": None}, most)["n"].size > most)

    def explain(self, keys: Sequence[str]) -> str:
        """The query as the engine would run it, where it can tell."""
        import narwhals as nw

        asked = self._with_called_and_rounded(keys, {}).group_by(*keys).agg(nw.len().alias("n"))
        native = nw.to_native(asked)
        if asked.implementation.is_duckdb():
            return str(native.sql_query())
        if asked.implementation.is_ibis():
            import ibis

            return str(ibis.to_sql(native))
        return str(native.explain()) if asked.implementation.is_polars() else f"count by {', '.join(keys)}"

    def datasets(self) -> list[Any]:
        """Distinct data sets."""
        return distinct_values(self._source, self.roles.keys["dataset"])

    def only(self, dataset: Any) -> Engine:
        """The same for one data set."""
        import narwhals as nw

        own = replace(self.roles, keys={k: v for k, v in self.roles.keys.items() if k != "dataset"})
        part = lazy(self._source).filter(nw.col(self.roles.keys["dataset"]) == dataset)
        return Engine(part, own, str(dataset))

    # -- answers --------------------------------------------------------------------------------------------------

    def table(self, asked: Any, order: Sequence[str] = ()) -> Table:
        """Collect an answer; sums that come back as decimals or Python objects become numbers."""
        names = asked.collect_schema().names()
        collected = self._asked(lambda: _collect(asked))
        table = {name: _as_array(collected, name) for name in names}
        for size in table:
            if size.rstrip("01") in SIZES:
                table[size] = table[size].astype(np.float64)
        return {k: table[k] for k in order if k in table} if order else table

    def lines(self, keys: Sequence[str]) -> int:
        """How many kinds of rows there are: lines that an answer has."""
        import narwhals as nw

        return self.size(self._with_called_and_rounded(keys, {}).group_by(*keys).agg(nw.len().alias("n")))

    def size(self, asked: Any) -> int:
        """How many lines an answer has."""
        import narwhals as nw

        return int(self.table(asked.select(nw.len().alias("n")))["n"][0])

    def _asked(self, question: Callable[[], Any]) -> Any:
        return asked(question, self.where, of_files=self.of_files)

    def _source_name(self, name: str) -> str:
        if name == "y_true":
            return self.roles.truth
        for i, model in enumerate(self.models):
            for part, columns in self.roles.answers[model].items():
                for j, column in enumerate(columns):
                    if name == column_name(part, i, j):
                        return column
        return self.roles.keys.get(name) or self.roles.slices.get(name.removeprefix("slice:"), name)


def asked(question: Callable[[], Any], where: object, *, of_files: bool = False) -> Any:
    """Ask an engine, or files; whatever is raised is told in one sentence, with its own words."""
    try:
        return question()
    except EvidenceError:
        raise
    except BaseException as problem:
        if not isinstance(problem, Exception) and type(problem).__name__ != "PanicException":  # a damaged file
            raise
        reason = (str(problem).strip().splitlines() or [type(problem).__name__])[0][:200]
        if not of_files:
            raise EvidenceError(f"the engine could not answer for {str(where)!r}: {reason}") from problem
        raise EvidenceError(
            f"the Parquet files of {str(where)!r} could not be read: {reason}.", hint="is a file damaged or foreign?"
        ) from None


def distinct_values(source: Any, column: str) -> list[Any]:
    """Distinct values of a column, in order; rows without one are refused."""
    import narwhals as nw

    found = _collect(lazy(source).group_by(column).agg(nw.len().alias("n")))
    values, sizes = _as_array(found, column).tolist(), _as_array(found, "n").tolist()
    if odd := sum(int(n) for v, n in zip(values, sizes, strict=True) if is_missing(v)):
        raise _no_value(odd, column)
    return sorted(values, key=str)


def _no_value(rows: int, column: str) -> EvidenceError:
    return EvidenceError(
        f"{rows} rows have no usable value in {column!r} (missing, NaN or infinite).", hint="filter them out first"
    )


def lazy(source: Any) -> Any:
    """Any lazy frame that narwhals knows; eager frames are made lazy."""
    import narwhals as nw

    if isinstance(source, nw.LazyFrame):
        return source
    try:
        frame = nw.from_native(as_frame(source))
    except TypeError:
        raise ParameterError(
            f"scan needs a lazy frame: Polars, DuckDB, Ibis, Dask or PySpark. Got {type(source).__name__} instead.",
            hint="for files use bakeoff.read, for arrays Predictions.from_arrays",
        ) from None
    return frame.lazy() if isinstance(frame, nw.DataFrame) else frame


def _labels(values: Sequence[Any]) -> NDArray[Any]:
    found = np.array(values)
    kept = found.dtype.kind in "biufU" and found.tolist() == list(values)  # large whole numbers become others
    return found if kept else np.array(values, dtype=object)


def _rounded(column: Any, bits: int) -> Any:
    import narwhals as nw

    return nw.when(column < 0.5).then(_cut(column, bits)).otherwise(1.0 - _cut(1.0 - column, bits)) + 0.0


def _usable(column: str, numeric: bool) -> Any:
    """is_finite is missing on SQLite; NaN is outside every range on all engines."""
    import narwhals as nw

    if numeric:
        return nw.col(column).cast(nw.Float64).is_between(-_LARGEST, _LARGEST)
    return ~nw.col(column).is_null()


def _extra(column: str, shared: Sequence[str]) -> bool:
    """Whether a column is a further model's copy of what belongs to the case."""
    base, _, number = column.rpartition("_")
    return base in shared and number.isdigit()


def _collect(asked: Any) -> Any:
    if asked.implementation.is_polars():
        return asked.collect("polars", engine="streaming")
    return asked.collect("pyarrow")


def _as_array(collected: Any, name: str) -> NDArray[Any]:
    native = collected[name].to_native()
    decimal = str(getattr(native, "type", "")).startswith("decimal")  # Arrow: sums of integers may come back so
    return column_array(native.cast("float64") if decimal else native)
