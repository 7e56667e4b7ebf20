"""Evidence as counts: distinct kinds of rows with how many there are of each, asked for when an answer needs them.

``frequency=`` says that a row stands for many, and every measure, interval and test reads it as if the row were written
down so often. So counts made by an engine, or added up over sites, are rows with frequencies, and there is no second
implementation of anything: `about` makes them, and the rest of the package goes on as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, unknown_choice
from bakeoff._core.language import Text
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray
from bakeoff.evidence import hooks
from bakeoff.evidence._baselines import with_baselines
from bakeoff.evidence._columns import output_columns
from bakeoff.evidence._counts import FineTallies, ScoreTally
from bakeoff.evidence._door import class_order, classes_of, unequal
from bakeoff.evidence._engine import SIZES, Engine, Items, Roles, Table, column_name, distinct_values, lazy, rounded
from bakeoff.evidence._items import item_output
from bakeoff.evidence._labels import distinct_labels, sorted_classes
from bakeoff.evidence._predictions import Predictions
from bakeoff.evidence._rows import PRIOR, ModelOutput, Rows, Split, always
from bakeoff.evidence._slicing import Slicing, slicing

MAX_SCORES = 2**20  # distinct scores, or kinds of rows, up to which they are counted exactly
MAX_CELLS = 2**14  # kinds of labels of all models together that are worth one query
SCORE_BITS, JOINT_BITS = 16, 6
WRITTEN = 2**20  # rows up to which kinds are written out again, so that every test can read them

_SAME = 1e-6  # weights closer than this are equal: their spread is the root of a difference of rounded sums
ROW_KEYS = ("repeat", "fold", "instance", "group")


class Placed(NamedTuple):
    """Mean placements by group and class (`placed0` …, one column a model), and each model's tally of all rows.

    `whole` tells whether those are all the rows that the placements were taken against.
    """

    table: Table
    tallies: Mapping[str, ScoreTally]
    whole: bool


class Tables(Protocol):
    """Where counts come from: an engine that is asked, or tables that were saved."""

    @property
    def models(self) -> tuple[str, ...]:
        """Models in order."""

    def parts(self, model: str) -> Mapping[str, int]:
        """Kinds of answers a model has (label, score, value) and in how many columns."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys that rows have: fold, group, slices …"""

    @property
    def n(self) -> int:
        """Number of rows, copies counted."""

    @property
    def weighted(self) -> bool:
        """Whether rows have weights."""

    @property
    def whole_rows(self) -> bool:
        """Whether all answers can be had together."""

    @property
    def items(self) -> Items | None:
        """What the rows are where there is no truth."""

    @property
    def placed(self) -> Placed | None:
        """Placements by group and class, where only they are known of rows in groups."""

    def distinct(self, keys: Sequence[str], bits: Mapping[str, int | None], most: int | None = None) -> Table | None:
        """Kinds of rows with their sizes; None where there are more than `most`."""

    def score_rule(self, model: str) -> int | None:
        """Bits to which a model's scores are rounded; None where they are exact."""

    def in_unit(self, model: str) -> bool:
        """Whether all scores of a model are between 0 and 1."""

    def binned(self, model: str) -> tuple[Table, str, bool] | None:
        """The tally of a model with one column of scores, that column, and whether its scores are exact."""


class Asked:
    """Counts of an engine: asked for once each, and remembered."""

    placed: Placed | None = None

    def __init__(self, engine: Engine, *, max_scores: int = MAX_SCORES, score_bits: int | None = None) -> None:
        self.engine, self.models = engine, engine.models
        self.max_scores, self.score_bits, self.items = max_scores, score_bits, engine.roles.items
        self.keys = tuple(k for k in engine.frame.collect_schema().names() if k in ROW_KEYS or k.startswith("slice:"))
        self.weighted, self.whole_rows = "weight" in engine.frame.collect_schema().names(), True
        self._answers: dict[tuple[tuple[str, ...], tuple[int | None, ...]], Table | None] = {}

    def parts(self, model: str) -> dict[str, int]:
        """Kinds of answers and their columns."""
        return {part: len(columns) for part, columns in self.engine.roles.answers[model].items()}

    @cached_property
    def n(self) -> int:
        """Number of rows, copies counted."""
        table = self.distinct(("y_true",), {})
        assert table is not None
        return round(float(table["n"].sum()))

    def distinct(self, keys: Sequence[str], bits: Mapping[str, int | None], most: int | None = None) -> Table | None:
        """Ask, unless it was asked before."""
        key = tuple(keys), tuple(bits.get(k) for k in keys)
        if key not in self._answers and self._cells is not None and set(keys) <= set(self._cells):
            self._answers[key] = added_up([self._cells], keys, {})
        if key not in self._answers or (self._answers[key] is None and most is None):
            self._answers[key] = self.engine.distinct(keys, bits, most)
        return self._answers[key]

    @cached_property
    def _cells(self) -> Table | None:
        """The labels of all models together, by one query, where that is a small table."""
        labels = [column_name("label", i) for i, m in enumerate(self.models) if "label" in self.parts(m)]
        valued = any("value" in self.parts(m) for m in self.models)
        if self.keys or valued or self.items or not 1 <= len(labels) <= 4:
            return None
        return self.engine.distinct(("y_true", *labels), {}, MAX_CELLS)

    def binned(self, model: str) -> tuple[Table, str, bool] | None:
        """Scores rounded as they are asked for."""
        key, bits = column_name("score", self.models.index(model)), self.score_rule(model)
        if self.parts(model).get("score") != 1:
            return None
        table = self.distinct(("y_true", key), {key: bits})
        assert table is not None
        return table, key, bits is None

    def in_unit(self, model: str) -> bool:
        """As the check found."""
        return column_name("score", self.models.index(model)) not in self.engine.outside

    def score_rule(self, model: str) -> int | None:
        """As asked; else exact up to `max_scores` distinct scores."""
        if self.score_bits is not None:
            return self.score_bits
        i = self.models.index(model)
        columns = [column_name("score", i, j) for j in range(self.parts(model).get("score", 0))]
        keys = ("y_true", *columns, *row_keys(self.keys))
        return None if not columns or self.distinct(keys, {}, self.max_scores) is not None else SCORE_BITS


def added_up(tables: Sequence[Table], keys: Sequence[str], bits: Mapping[str, int | None]) -> Table:
    """Sum the sizes of equal keys over several tables, scores rounded."""
    joined = {k: np.concatenate([t[k] for t in tables]) for k in (*keys, *(s for s in SIZES if s in tables[0]))}
    joined |= {k: rounded(joined[k], b) for k, b in bits.items() if b is not None}
    code = np.zeros(joined["n"].size, dtype=np.int64)
    for k in keys:
        values = joined[k] if joined[k].dtype.kind in "iufbU" else joined[k].astype(str)
        part = np.unique(values, return_inverse=True)[1]
        code = np.unique(code * (int(part.max(initial=0)) + 1) + part, return_inverse=True)[1]
    _, first = np.unique(code, return_index=True)
    sizes = {s: np.bincount(code, joined[s]) for s in SIZES if s in joined}
    return {k: joined[k][first] for k in keys} | sizes


def row_keys(known: Sequence[str]) -> tuple[str, ...]:
    """The keys by which rows are told apart; a case only where it may recur."""
    return tuple(k for k in known if k != "instance" or "repeat" in known)


def offers(parts: Mapping[str, int], need: str, task: str, positive: int | None, in_unit: Callable[[], bool]) -> bool:
    """Tell from the kinds of answers of a model, and in how many columns they are, whether they serve a need."""
    scores = parts.get("score", 0)
    if need == "scores":
        return bool(scores) and positive is not None
    likely = scores > 1 or (scores == 1 and task == "binary" and positive is not None)
    if need == "labels":
        return "label" in parts or (likely and (scores > 1 or in_unit()))
    if need == "probabilities":
        return likely and (scores > 1 or in_unit())
    return need == "values" and "value" in parts


class CountedRows(Rows):
    """The evidence of one data set as counts; it answers what `Rows` does, from kinds of rows with frequencies."""

    counted: ClassVar[bool] = True
    tables: Tables
    baselines: bool

    def __init__(
        self,
        name: str,
        tables: Tables,
        *,
        classes: Sequence[Hashable] | None = None,
        pos_label: Hashable | None = None,
        models: Sequence[str] | None = None,
        baselines: bool = False,
    ) -> None:
        parts = {m: tables.parts(m) for m in tables.models}
        items = tables.items
        regression = items is None and any("value" in p for p in parts.values())
        known: tuple[Hashable, ...] = ()
        positive = None
        if not regression and items is None:
            found = tables.distinct(("y_true",), {})
            assert found is not None
            scored_only = not any("label" in p for p in parts.values())
            truth = found["y_true"]
            known, positive = classes_of(name, truth, classes, pos_label, scored_only=scored_only, n=found["n"])
        task = "regression" if regression else ("binary" if len(known) == 2 else "multiclass")
        task = task if items is None else items.task
        fields: dict[str, Any] = {
            "name": name,
            "tables": tables,
            "task": task,
            "classes": known,
            "positive": positive,
            "columns": () if items is None else items.columns,
            "less_is_better": items is not None and items.less_is_better,
            "baselines": baselines,
            "times": {},
            "protocol": None,
            "missing": {},
            "fine": None,
            "_chosen": tuple(tables.models if models is None else models),
            "_made": {},
        }
        for key, value in fields.items():
            object.__setattr__(self, key, value)

    _chosen: tuple[str, ...]
    _made: dict[tuple[tuple[str, ...], str], Rows]

    # -- what is known without rows -------------------------------------------------------------------------------

    @property
    def models(self) -> tuple[str, ...]:
        """Models, and the trivial ones where they were asked for."""
        trivial = [*(always(c) for c in self.classes if len(self.classes) <= 20), PRIOR] if self.baselines else []
        return (*self._chosen, *(m for m in trivial if m not in self._chosen))

    @property
    def n(self) -> int:
        """Number of rows, copies counted."""
        return self.tables.n

    @property
    def n_written(self) -> int:
        """Number of rows if every case were a row of its own."""
        return self.tables.n

    @property
    def cases(self) -> int:
        """Number of cases."""
        return self._sample.cases if self._keyed else self.tables.n

    @property
    def n_groups(self) -> int:
        """Number of groups; 0 where rows are not grouped."""
        return self._sample.n_groups if "group" in self.tables.keys else 0

    @property
    def _keyed(self) -> bool:
        return any(k in self.tables.keys for k in ROW_KEYS)

    @cached_property
    def _sample(self) -> Rows:
        """The rows as one model has them: for what is the same for all."""
        model = self._chosen[0]
        part = next(iter(self.tables.parts(model)))
        if self.tables.placed is not None:
            return self._placed_lines((model,), self.tables.placed)
        return self.about((model,), {"label": "labels", "score": "scores"}.get(part, "values"))

    @property
    def splits(self) -> tuple[Split, ...]:
        """Train/test splits."""
        return self._sample.splits if self._keyed else ()

    def provides(self, model: str, need: str) -> bool:
        """Tell from the columns what a model offers."""
        if self.tables.items is not None:
            return need not in ("labels", "scores", "probabilities") and super().provides(model, need)
        if model not in self._chosen:
            return self._sample_with_baselines.provides(model, need)
        return offers(self.tables.parts(model), need, self.task, self.positive, lambda: self.tables.in_unit(model))

    @property
    def _sample_with_baselines(self) -> Rows:
        return with_baselines(self._sample)

    def hidden(self, model: str, measure: str) -> tuple[float, float] | None:
        """What rounded or joined scores can hide of AUC and the like."""
        from bakeoff.evidence._bounds import BOUNDED, bounds_of

        if measure not in BOUNDED or model not in self._chosen or self.positive is None:
            return None
        found = self.tables.binned(model)
        return None if found is None or found[2] else bounds_of(measure, *found, self.pos_label)

    def labels_are_derived(self, model: str) -> bool:
        """Tell whether labels come from probabilities."""
        return model in self._chosen and "label" not in self.tables.parts(model)

    # -- rows with frequencies --------------------------------------------------------------------------------------

    def about(self, models: Sequence[str], need: str) -> Rows:
        """Rows that suffice for a measure with this need, of these models together."""
        key = tuple(models), need
        if key not in self._made:
            self._made[key] = self._make(tuple(models), need)
        return self._made[key]

    def _make(self, models: tuple[str, ...], need: str) -> Rows:
        own = tuple(m for m in models if m in self._chosen) or self._chosen[:1]  # trivial models need the truth only
        if self.tables.whole_rows and self.tables.n <= WRITTEN:  # few: all answers together, as if rows were given
            need = "all"
        columns = [c for m in own for c in self._columns_of(m, need)]
        if need == "scores" and self.tables.placed is not None and all(c.startswith("score") for c in columns):
            return self._placed(own, models, self.tables.placed)
        scored = [c for c in columns if c.startswith("score")]
        keys = ("y_true", *columns, *row_keys(self.tables.keys))
        if need == "all" and self.tables.weighted:
            keys = (*keys, "weight")
        bits, exact = self._bits(own, keys, scored)
        if not exact and {"fold", "repeat"} & set(
            keys
        ):  # own tallies are of all rows: a fold would be told by its bins
            raise EvidenceError(
                f"the scores of {', '.join(map(repr, own))} are too many to be counted together fold by fold.",
                hint="evaluate each model; or leave the folds out, or give scores with fewer digits (score_bits=)",
            )
        table = self.tables.distinct(keys, bits)
        assert table is not None
        rows = self._as_rows(own, table)
        if not exact and self.positive is not None:
            fine = {m: self.about((m,), need).tally(m) for m in own if "score" in self.tables.parts(m)}
            rows = replace(rows, fine=FineTallies(fine, max(b for b in bits.values() if b is not None)))
        if rows.cases <= WRITTEN and rows.fine is None:
            rows = rows.written_out()
        return rows if own == models else with_baselines(rows).select(models)

    def _columns_of(self, model: str, need: str) -> list[str]:
        i, parts = self.tables.models.index(model), self.tables.parts(model)
        wanted = {"labels": ["label"], "values": ["value"]}.get(need, ["score"])
        if need == "all" or self.tables.items is not None:
            wanted = list(parts)
        elif wanted[0] not in parts:
            if need == "labels" and parts.get("score") == 1 and self.tables.in_unit(model):
                return [column_name("called", i)]
            wanted = ["score"] if "score" in parts else list(parts)
        return [column_name(p, i, j) for p in wanted for j in range(parts[p])]

    def _bits(
        self, models: tuple[str, ...], keys: tuple[str, ...], scored: list[str]
    ) -> tuple[dict[str, int | None], bool]:
        """To how many bits each score is rounded, and whether that is as exact as each model alone."""
        alone = {column_name("score", self.tables.models.index(m), j): self.tables.score_rule(m)
                 for m in models for j in range(self.tables.parts(m).get("score", 0))}  # fmt: skip
        if not scored or self.tables.distinct(keys, alone, MAX_SCORES) is not None:
            return alone, True
        if len(models) == 1:
            return alone, True
        for bits in range(JOINT_BITS, 1, -1):
            coarse: dict[str, int | None] = dict.fromkeys(scored, bits)
            if self.tables.distinct(keys, coarse, MAX_SCORES) is not None:
                return coarse, False
        if not self.tables.whole_rows:
            raise EvidenceError(
                f"these counts hold no scores of {', '.join(map(repr, models))} together, which comparing them needs.",
                hint="count without min_cell; or evaluate each model, or compare labels",
            )
        raise EvidenceError(
            f"{len(models)} models have too many combinations of scores to be counted together.",
            hint="compare fewer models at a time (.select(models=[…]))",
        )

    def _as_rows(self, models: tuple[str, ...], table: Table) -> Rows:
        table = _in_order(_by_weight(table))
        if self.tables.items is not None:
            return self._as_items(models, table)
        outputs: dict[str, dict[str, Any]] = {"y_pred": {}, "y_score": {}, "y_value": {}}
        for m in models:
            i, parts = self.tables.models.index(m), self.tables.parts(m)
            if (called := table.get(column_name("called", i))) is not None:
                positive = 1 if self.positive is None else self.positive
                labels = np.array(self.classes, dtype=object)
                outputs["y_pred"][m] = labels[np.where(called == 1, positive, 1 - positive)]
            for part, kind in (("label", "y_pred"), ("score", "y_score"), ("value", "y_value")):
                columns = [table[c] for j in range(parts.get(part, 0)) if (c := column_name(part, i, j)) in table]
                if columns:
                    outputs[kind][m] = columns[0] if len(columns) == 1 else np.stack(columns, axis=1)
        given: dict[str, Any] = {kind: named or None for kind, named in outputs.items()}
        given |= {k: table.get(k) for k in ("repeat", "fold", "instance")} | {"groups": table.get("group")}
        slices = {k.removeprefix("slice:"): v for k, v in table.items() if k.startswith("slice:")}
        if slices:
            given["slices"] = slices
        try:
            made = Predictions.from_arrays(
                table["y_true"],
                **given,
                classes=self.classes or None,
                pos_label=self.pos_label,
                dataset=self.name,
                sample_weight=table.get("weight"),
                frequency=table["n"].astype(np.int64),
            )
        except EvidenceError as problem:
            hint = "rows are numbered here as they were counted, not as in the table"
            hint = f"{problem.hint}; {hint}" if problem.hint else hint
            raise type(problem)(problem.message, hint=hint if " row" in problem.message else problem.hint) from None
        return made.table()

    def _placed_lines(self, own: tuple[str, ...], placed: Placed) -> Rows:
        """Lines of groups and classes, with placements for scores."""
        places = {column_name("score", i): f"placed{i}" for i, m in enumerate(self.tables.models) if m in own}
        kept = ("y_true", "group", *(k for k in SIZES if k in placed.table))
        return self._as_rows(own, {k: placed.table[k] for k in kept} | {k: placed.table[p] for k, p in places.items()})

    def _placed(self, own: tuple[str, ...], models: tuple[str, ...], placed: Placed) -> Rows:
        """The same as evidence: each model's tally, what each line moves in an area, and no scores."""
        if not placed.whole:
            raise EvidenceError(
                "these are counts of a second round, but not of all the sites of the first.",
                hint="add up the second files of exactly those sites",
            )
        rows = self._placed_lines(own, placed)
        fine = FineTallies(placed.tallies, 0, {m: rows.scores(m) for m in own})
        rows = replace(rows, outputs=dict.fromkeys(own, ModelOutput()), fine=fine)
        if own == models:
            return rows
        if set(own) & set(models):
            raise EvidenceError("counts of a second round hold no trivial models next to others.")
        return with_baselines(replace(rows, fine=None)).select(models)

    def _as_items(self, models: tuple[str, ...], table: Table) -> Rows:
        """Items have no truth, and a model may lack some: rows as `from_sums` and `from_outcomes` make them."""
        outputs = {}
        for m in models:
            i, parts = self.tables.models.index(m), self.tables.parts(m)
            of = {p: [table[column_name(p, i, j)] for j in range(n)] for p, n in parts.items()}
            outputs[m] = item_output(self.task, np.stack(of["sum"], axis=1), of["attempts"][0].astype(np.int64))
        group, weight = table.get("group"), table.get("weight")
        cut = {k.removeprefix("slice:"): v for k, v in table.items() if k.startswith("slice:")}
        return Rows(
            self.name, self.task, np.zeros(table["n"].size), outputs, columns=self.columns,
            groups=None if group is None else np.unique(group, return_inverse=True)[1].astype(np.int32),
            weight=None if weight is None else unequal(weight), frequency=table["n"].astype(np.int64),
            slices={k: slicing(k, v) for k, v in cut.items()}, less_is_better=self.less_is_better,
        )  # fmt: skip

    # -- everything else asks for all models together ---------------------------------------------------------------

    @cached_property
    def whole(self) -> Rows:
        """All models and all their answers together; scores rounded where there are too many."""
        together = all("score" in self.tables.parts(m) for m in self._chosen)
        return self.about(self.models, "all" if self.tables.whole_rows else "scores" if together else "labels")

    @property
    def truth(self) -> NDArray[Any]:
        """Truth of each kind of row."""
        return self.whole.truth

    @property
    def outputs(self) -> Mapping[str, ModelOutput]:
        """Answers on each kind of row."""
        return self.whole.outputs

    @property
    def split_index(self) -> Any:
        """Split of each kind of row."""
        return self.whole.split_index

    @property
    def groups(self) -> Any:
        """Group of each kind of row."""
        return self.whole.groups

    @property
    def weight(self) -> FloatArray | None:
        """Weight of each kind of row."""
        return self.whole.weight

    @property
    def instance(self) -> Any:
        """Case of each kind of row."""
        return self.whole.instance

    @property
    def slices(self) -> Mapping[str, Slicing]:
        """Slice of each kind of row."""
        return self.whole.slices if any(k.startswith("slice:") for k in self.tables.keys) else {}

    @property
    def frequency(self) -> Any:
        """Copies of each kind of row."""
        return self.whole.frequency

    @property
    def attempt(self) -> Any:
        """Which answer each kind of row is."""
        return self._sample.attempt if self._keyed else None

    def tally(self, model: str) -> ScoreTally:
        """Positives and negatives at each score of one model."""
        return self.about((model,), "scores").tally(model)

    def confusion_by_split(self, model: str) -> FloatArray:
        """Confusion cells of each split."""
        return self.about((model,), "labels").confusion_by_split(model)

    def select(self, models: Sequence[str]) -> Rows:
        """Keep some models."""
        return self._again(models=[m for m in models if m in self._chosen])

    def with_outputs(self, added: Mapping[str, ModelOutput]) -> Rows:
        """Only the trivial models can be added to counts."""
        return self._again(baselines=True)

    def take(self, rows: NDArray[Any]) -> Rows:
        """Some kinds of rows, of all models together."""
        return self.whole.take(rows)

    def written_out(self) -> Rows:
        """All models together, every case a row of its own."""
        return self.whole.written_out()

    def _again(self, *, models: Sequence[str] | None = None, baselines: bool | None = None) -> CountedRows:
        return CountedRows(
            self.name,
            self.tables,
            classes=self.classes or None,
            pos_label=self.pos_label,
            models=self._chosen if models is None else models,
            baselines=self.baselines if baselines is None else baselines,
        )


def _by_weight(table: Table) -> Table:
    """Give each line one weight: where rows of several weights met, two lines with the same Σw and Σw²."""
    if "w" not in table:
        return table
    n, w, ww = table["n"], table["w"], table["ww"]
    mean = w / n
    spread = np.sqrt(np.maximum(ww / n - mean**2, 0.0))
    mixed = (n > 1) & (spread > _SAME * mean)
    if not mixed.any() and np.ptp(mean) <= _SAME * mean.max():  # equal importance is none, as of arrays
        return {k: v for k, v in table.items() if k not in ("w", "ww")}
    # Rows of the upper weight: few enough that the lower one is not negative, (Σw)²/Σw² at most.
    upper = np.where(mixed, np.clip(np.floor(w**2 / np.where(ww > 0, ww, 1.0)), 1, np.maximum(np.floor(n / 2), 1)), n)
    lower = n - upper
    up = np.where(mixed, mean + spread * np.sqrt(lower / upper), mean)
    down = np.where(mixed, mean - spread * np.sqrt(upper / np.maximum(lower, 1)), mean)
    both = {k: np.concatenate([v, v[mixed]]) for k, v in table.items() if k not in ("n", "w", "ww")}
    return both | {"n": np.concatenate([upper, lower[mixed]]), "weight": np.concatenate([up, down[mixed]])}


def _in_order(table: Table) -> Table:
    """Sort the lines, so that the same rows give the same evidence whatever the engine."""
    told = [v for k, v in table.items() if k != "n"]
    keys = [v if v.dtype.kind in "iufb" else np.unique(v.astype(str), return_inverse=True)[1] for v in told]
    order = np.lexsort(keys[::-1])
    return {k: v[order] for k, v in table.items()}


def sums_of_weights() -> Note:
    """What counts do not know of weights."""
    return Note("sums-of-weights", Text(
        "Of the weights of rows that look alike, the sum and the sum of squares are known: standard errors are those "
        "of the rows, and how well they are known (the degrees of freedom of an interval) is nearly so."
    ))  # fmt: skip


# -- scanning ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Scanned(Predictions):
    """Predictions that stay where they live."""

    def explain(self, measures: Any = None) -> str:
        """The queries that measures ask for, the lines they return, and what cannot be had; by default every answer's.

        Where there are several models, the last query of a kind is the one that compares them. The lines are counted
        by the engine; where they are too many, scores are rounded before they come back.
        """
        needs, never = (["labels", "scores", "values"], []) if measures is None else hooks.needs_of(measures)
        lines = [f"-- not a function of counts, needs rows: {name}" for name in never]
        for rows in self:
            if not (isinstance(rows, CountedRows) and isinstance(rows.tables, Asked)):
                continue
            for need in needs:
                models = [m for m in rows.models if rows.provides(m, need)]
                engine = rows.tables.engine
                for some in [[m] for m in models] + [models] * (len(models) > 1):
                    columns = dict.fromkeys(c for m in some for c in rows._columns_of(m, need))
                    keys = ("y_true", *columns, *row_keys(rows.tables.keys))
                    told = f"{rows.name}: {need} of {', '.join(some)}, {engine.lines(keys)} lines"
                    lines.append(f"-- {told}\n{engine.explain(keys)}")
        return "\n\n".join(lines)


def scan(
    source: Any,
    y_true: str,
    outputs: Mapping[str, Any],
    keys: Mapping[str, Any],
    *,
    slices: Any,
    model: str | None,
    models: Sequence[str] | None,
    classes: Any,
    pos_label: Any,
    **limits: Any,
) -> Predictions:
    """Make evidence of a lazy frame; see `Predictions.scan`."""
    names = lazy(source).collect_schema().names()
    dataset = keys["dataset"] or "data"
    keys = {k: v for k, v in keys.items() if k != "dataset" or v in names}
    named: dict[str, Any] = {}
    if model is not None:
        known = {str(v): v for v in distinct_values(source, model)}
        for name in map(str, models or known):
            if name not in known:
                raise unknown_choice("model", name, tuple(known))
            named[name] = known[name]
        outputs = {part: None if c is None else dict.fromkeys(named, c) for part, c in outputs.items()}
    outputs = {**outputs, "score": by_class_names(source, y_true, outputs.get("score"), classes)}
    roles = replace(Roles.of(y_true, outputs, keys, slices, model), named=named)
    engine = Engine(source, roles, dataset)
    parts = {str(d): engine.only(d) for d in engine.datasets()} if "dataset" in roles.keys else {dataset: engine}
    for part in parts.values():
        part.check()
    tables = {
        name: CountedRows(name, Asked(part, **limits), classes=classes, pos_label=pos_label)
        for name, part in parts.items()
    }
    summed = any(rows.tables.weighted and rows.tables.n > WRITTEN for rows in tables.values())
    return Scanned(tables, (sums_of_weights(),) if summed else ())


def by_class_names(source: Any, y_true: str, wanted: Any, classes: Any) -> Any:
    """Bring each model's columns of class probabilities into the order of the classes, as for a file."""
    named = output_columns(wanted)
    if (
        all(isinstance(columns, str) for columns in named.values())
        or y_true not in lazy(source).collect_schema().names()
    ):
        return wanted
    known = sorted_classes(distinct_labels(np.array(distinct_values(source, y_true)))) if classes is None else classes
    return {
        m: s if isinstance(s, str) else [s[i] for i in class_order(s, known, stated=classes is not None)]
        for m, s in named.items()
    }
