"""Rows of files larger than memory: counted where they lie and, where an answer needs rows, loaded model by model."""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cached_property, lru_cache, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.evidence._counted import offers
from bakeoff.evidence._counts import ScoreTally
from bakeoff.evidence._door import build_rows, check_frequency, check_weight, classes_of, codes_of, find_splits
from bakeoff.evidence._engine import SIZED, Engine, Table
from bakeoff.evidence._labels import encode
from bakeoff.evidence._rows import ModelOutput, Rows, Split
from bakeoff.evidence._units import answers_again

_ROW_KEYS = ("repeat", "fold", "instance")
_TALLY_ROWS = 20_000_000  # rows tallied at a time
_MODELS_KEPT = 2  # loaded models held at a time: enough for a pair


class RowsOnDemand(Rows):
    """The evidence of one data set in files, with an engine for each model; it answers everything `Rows` does.

    `added` holds models that are in memory, not in the files: the trivial baselines.
    """

    engines: Mapping[str, Engine]
    added: Mapping[str, ModelOutput]

    def __init__(
        self,
        name: str,
        engines: Mapping[str, Engine],
        *,
        classes: Sequence[Hashable] | None = None,
        pos_label: Hashable | None = None,
        splits: tuple[Split, ...] = (),
        times: Mapping[tuple[str, int], tuple[float, float]] | None = None,
        protocol: str | None = None,
        added: Mapping[str, ModelOutput] | None = None,
    ) -> None:
        for engine in engines.values():
            engine.settle_sizes()
        first = next(iter(engines))
        answers = engines[first].roles.answers[first]
        known: tuple[Hashable, ...] = ()
        positive = None
        if "value" not in answers:
            seen = {} if classes else _counted(engines[first], ("y_true",))
            known, positive = classes_of(
                name, seen.get("y_true", np.empty(0)), classes or None, pos_label, scored_only="label" not in answers,
                n=seen.get("n"),
            )  # fmt: skip
        task = "regression" if "value" in answers else ("binary" if len(known) == 2 else "multiclass")
        given: dict[str, Any] = {
            "name": name, "engines": engines, "added": dict(added or {}), "task": task, "classes": known,
            "positive": positive, "splits": splits or _splits_counted(engines[first]), "times": times or {},
            "protocol": protocol, "slices": {}, "missing": {}, "_first": first, "_noted": splits,
        }  # fmt: skip
        for key, value in given.items():
            object.__setattr__(self, key, value)
        object.__setattr__(self, "outputs", _Outputs(self))

    _first: str
    _noted: tuple[Split, ...]  # by whoever wrote the files

    # -- loading ----------------------------------------------------------------------------------------------------

    def _columns(self, model: str, wanted: Sequence[str]) -> Table:
        """Those columns of a model that there are, in the common order of the rows."""
        engine, order = self.engines[model], self._order(model)
        present = [c for c in wanted if c in engine.columns]
        table = engine.table(engine.frame.select(*present)) if present else {}
        return table if order is None else {c: values[order] for c, values in table.items()}

    def _order(self, model: str) -> NDArray[np.intp] | None:
        """Places of the rows by repeat, fold and case; None where they lie so, as the runner writes them."""
        engine = self.engines[model]
        if "instance" not in engine.columns:
            return None
        if model not in self._orders:
            keys = engine.table(engine.frame.select(*(k for k in _ROW_KEYS if k in engine.columns)))
            order = np.lexsort(list(keys.values())[::-1])
            self._orders[model] = None if (order[1:] > order[:-1]).all() else order
        return self._orders[model]

    @cached_property
    def _orders(self) -> dict[str, NDArray[np.intp] | None]:
        return {}

    def load(self, model: str) -> ModelOutput:
        """Load and check what one model answered; its rows must be those of the first model."""
        answers = [c for c in self.engines[model].columns if c.startswith(("label", "score", "value"))]
        got = self._columns(model, ["y_true", "instance", *answers])
        if model != self._first:
            self._check_pairing(model, got)
        scores = [got[c] for c in answers if c.startswith("score")]
        predicted, valued = ({model: got[c]} if (c := f"{part}0") in got else {} for part in ("label", "value"))
        scored = {model: scores[0] if len(scores) == 1 else np.stack(scores, axis=1)} if scores else {}
        rows = build_rows(self.name, got["y_true"], predicted, scored, valued,
                          classes=self.classes or None, pos_label=self.pos_label)  # fmt: skip
        return rows.outputs[model]

    def _check_pairing(self, model: str, got: Table) -> None:
        if got["y_true"].size != self.n:
            raise EvidenceError(
                f"all models need the same rows, but {self._first!r} and {model!r} have different numbers of rows of "
                f"{self.name!r} ({self.n} and {got['y_true'].size}).",
                hint="a run that is not finished, or a model that failed on some folds; select the complete models",
            )
        cases = self.instance if "instance" in got else None
        truth = self._coded(got["y_true"])
        if (cases is not None and not np.array_equal(cases, got["instance"])) or not np.array_equal(truth, self.truth):
            raise self._other_rows(model)

    def _other_rows(self, model: str) -> EvidenceError:
        return EvidenceError(
            f"all models need the same rows, but {self._first!r} and {model!r} were scored on different instances of "
            f"{self.name!r}.",
            hint="models compared must share their splits",
        )

    def _coded(self, truth: NDArray[Any]) -> NDArray[Any]:
        if self.task == "regression":
            return truth.astype(np.float64)
        return encode(truth, self.classes, where=f"y_true of {self.name!r}")

    # -- what all models share, loaded when first asked for ---------------------------------------------------------

    def _shared(self, key: str) -> NDArray[Any] | None:
        return self._columns(self._first, [key]).get(key)

    @cached_property
    def n(self) -> int:
        """Number of rows, from the files' footers."""
        engine = self.engines[self._first]
        return engine.size(engine.frame)

    @cached_property
    def truth(self) -> NDArray[Any]:
        """True class codes or values."""
        return self._coded(self._columns(self._first, ["y_true"])["y_true"])

    @cached_property
    def split_index(self) -> NDArray[np.int32] | None:
        """Split of each row."""
        keys = self._columns(self._first, ["repeat", "fold"])
        return self._split_of(self._first, keys) if keys and len(self.splits) > 1 else None

    def _split_of(self, model: str, keys: Table) -> NDArray[np.int32]:
        """Number of the split of each row, or kind of rows, by its repeat and fold."""
        n = next(iter(keys.values())).size
        found, index = find_splits(keys.get("repeat"), keys.get("fold"), n, n_train=0)
        known = {(s.repeat, s.fold): i for i, s in enumerate(self.splits)}
        if any((s.repeat, s.fold) not in known for s in found):
            raise self._other_rows(model)
        return np.array([known[s.repeat, s.fold] for s in found], np.int32)[index]

    @cached_property
    def groups(self) -> NDArray[np.int32] | None:
        """Cluster codes."""
        given = self._shared("group")
        return None if given is None else codes_of("groups", given, self.n)[0].astype(np.int32)

    @cached_property
    def weight(self) -> FloatArray | None:
        """Importance weights."""
        return check_weight(self._shared("weight"), self.n)

    @cached_property
    def frequency(self) -> IntArray | None:
        """Whole cases a row stands for."""
        return check_frequency(self._shared("frequency"), self.n)

    @cached_property
    def instance(self) -> NDArray[Any] | None:
        """Which case each row is about; by its place where every repeat lists the same cases."""
        given, repeat = self._shared("instance"), self._shared("repeat")
        again = given is None and repeat is not None and self.n_repeats > 1
        return answers_again(repeat, None, self.truth)[1] if again else given  # type: ignore[arg-type]

    # -- counts, without loading rows -------------------------------------------------------------------------------

    def provides(self, model: str, need: str) -> bool:
        """Tell from the columns what a model offers; whether scores are probabilities is asked of the engine."""
        if model not in self.engines:
            return super().provides(model, need)
        engine = self.engines[model]
        parts = {part: len(columns) for part, columns in engine.roles.answers[model].items()}
        return offers(parts, need, self.task, self.positive, lambda: "score0" not in engine.checked().outside)

    def labels_are_derived(self, model: str) -> bool:
        """Tell whether the labels come from probabilities."""
        return model in self.engines and "label" not in self.engines[model].roles.answers[model]

    def _count_cells(self, model: str) -> FloatArray:
        columns = self.engines[model].columns if model in self.engines else ()
        label = "label0" if "label0" in columns else "called0"
        likely = "score0" in columns and "score0_1" not in columns and self.provides(model, "labels")
        if label == "called0" and not likely:
            return super()._count_cells(model)
        keys = [k for k in ("repeat", "fold") if len(self.splits) > 1 and k in columns]
        kinds = _counted(self.engines[model], ("y_true", label, *keys))
        if label == "label0":
            called = encode(kinds[label], self.classes, where=f"y_pred of model {model!r}")
        else:
            positive = 1 if self.positive is None else self.positive
            called = np.where(kinds[label] == 1, positive, 1 - positive).astype(np.int32)
        split = self._split_of(model, kinds) if keys else None
        rows = Rows(self.name, self.task, self._coded(kinds["y_true"]), {model: ModelOutput(called)}, self.classes,
                    self.positive, self.splits, split, weight=kinds.get("w", kinds["n"]))  # fmt: skip
        return rows.confusion_by_split(model)

    def _tallied(self, model: str) -> ScoreTally:
        """Exact tally of positives and negatives at each distinct score.

        Where all scores differ, a tally is nearly the rows, and sorting two bare columns takes a fifth of what an
        engine takes to group by them; pieces bound the memory.
        """
        if model not in self.engines or "score0_1" in self.engines[model].columns:
            return super()._tallied(model)
        if self.positive is None:
            self.positives()  # tells that it is not known
        pieces = self.engines[model].checked().by_class(self.pos_label, "score0", _TALLY_ROWS)
        return reduce(operator.add, map(_tally_of, pieces))

    # -- parts are read into memory ---------------------------------------------------------------------------------

    def in_memory(self, models: Sequence[str] | None = None) -> Rows:
        """Load these models' rows."""
        chosen = self.models if models is None else tuple(models)
        given = {f.name: getattr(self, f.name) for f in fields(Rows)}
        return Rows(**given | {"outputs": {m: self.outputs[m] for m in chosen}})

    def split(self, index: int) -> Rows:
        """Return the rows of one split, in memory."""
        return self.in_memory().split(index)

    def take(self, rows: NDArray[Any]) -> Rows:
        """Return some rows, in memory."""
        return self.in_memory().take(rows)

    def select(self, models: Sequence[str]) -> Rows:
        """Keep some models, still unread."""
        engines = {m: self.engines[m] for m in models if m in self.engines}
        added = {m: self.added[m] for m in models if m in self.added}
        return self._with(engines, added) if engines else self.in_memory(models)

    def with_outputs(self, added: Mapping[str, ModelOutput]) -> Rows:
        """Add models that live in memory."""
        return self._with(self.engines, {**self.added, **added})

    def _with(self, engines: Mapping[str, Engine], added: Mapping[str, ModelOutput]) -> RowsOnDemand:
        splits = self.splits if next(iter(engines)) == self._first else self._noted
        return RowsOnDemand(
            self.name, engines, classes=self.classes or None, pos_label=self.pos_label, splits=splits,
            times=self.times, protocol=self.protocol, added=added,
        )  # fmt: skip


class _Outputs(Mapping[str, ModelOutput]):
    """Model → output, loaded when asked for; only the last few are kept."""

    def __init__(self, owner: RowsOnDemand) -> None:
        self._added, self._names = owner.added, dict.fromkeys([*owner.engines, *owner.added])
        self._load = lru_cache(_MODELS_KEPT)(owner.load)

    def __getitem__(self, model: str) -> ModelOutput:
        if model not in self._names:
            raise KeyError(model)
        return self._added[model] if model in self._added else self._load(model)

    def __contains__(self, model: object) -> bool:  # a Mapping's own would load the model to find out
        return model in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _tally_of(piece: Table) -> ScoreTally:
    from bakeoff.stats import tally_scores

    sizes = [piece[s].astype(np.float64) for s in SIZED if s in piece]
    return ScoreTally(*tally_scores(piece["hit"], piece["score0"], reduce(operator.mul, sizes) if sizes else None))


def _counted(engine: Engine, keys: Sequence[str]) -> Table:
    table = engine.checked().distinct(keys, {})
    assert table is not None
    return table


def _splits_counted(engine: Engine) -> tuple[Split, ...]:
    keys = [k for k in ("repeat", "fold") if k in engine.columns]
    if not keys:
        return ()
    kinds = _counted(engine, keys)
    splits, _ = find_splits(kinds.get("repeat"), kinds.get("fold"), kinds["n"].size, cases=kinds["n"].astype(np.int64))
    return splits
