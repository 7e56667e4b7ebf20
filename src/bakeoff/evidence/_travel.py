"""Counts that travel: what suffices for the answers, saved without rows, added up over sites, read as evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.language import Text
from bakeoff._core.result import Note
from bakeoff._core.validation import check_count
from bakeoff.evidence import hooks
from bakeoff.evidence._bounds import BOUNDED, bounds_of
from bakeoff.evidence._counted import (
    JOINT_BITS,
    Asked,
    CountedRows,
    added_up,
    row_keys,
    sums_of_weights,
)
from bakeoff.evidence._counts_file import fingerprint, packed, unpacked
from bakeoff.evidence._engine import SIZES, Engine, Items, Roles, Table, column_name
from bakeoff.evidence._predictions import Predictions
from bakeoff.evidence._rows import Rows
from bakeoff.evidence._second_round import PLACED, check_against, mark, own_tallies, placed_table
from bakeoff.evidence._slicing import slicing
from bakeoff.evidence._stored import Stored, merge


@dataclass(frozen=True, repr=False)
class Counts(Predictions):
    """Counts of predictions: evidence for `evaluate`, `compare`, `decide`, `gate` and `report`; counts of sites add up.

    Examples
    --------
    >>> import bakeoff
    >>> here = bakeoff.Predictions.from_arrays([0, 1, 1, 0], y_score={"a": [0.1, 0.8, 0.5, 0.5]}).counts()
    >>> there = bakeoff.Predictions.from_arrays([1, 0, 1, 0], y_score={"a": [0.9, 0.7, 0.4, 0.2]}).counts()
    >>> both = here + there
    >>> both.n, both.bounds("a", "auc")
    (8, (0.78125, 0.78125))
    """

    @classmethod
    def of(cls, stored: Mapping[str, Stored]) -> Counts:
        """Make evidence of tables."""
        tables = {d: CountedRows(d, s, classes=s.classes or None, pos_label=s.pos_label) for d, s in stored.items()}
        notes = []
        if any(s.against for s in stored.values()):
            told = Text(
                "AUC comes from sums by group: groups cannot be left out one by one, so its standard error is the "
                "cluster-robust one (CR2) however few they are."
            )
            notes.append(Note("sums-by-group", told))
        if any(s.weighted for s in stored.values()):
            notes.append(sums_of_weights())
        return cls(tables, tuple(notes))

    @property
    def stored(self) -> dict[str, Stored]:
        """Data set → its tables."""
        found = {}
        for name, rows in self.tables.items():
            assert isinstance(rows, CountedRows)
            assert isinstance(rows.tables, Stored)
            found[name] = rows.tables
        return found

    @property
    def alone(self) -> float:
        """Share of rows that stand alone in a cell: whoever knows such a row's scores can read its class."""
        shares = [float((t["n"] == 1).sum()) / s.n for s in self.stored.values() for t in s.tables.values()]
        return max(shares, default=0.0)

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        mine, theirs = self.stored, other.stored
        if set(mine) != set(theirs):
            raise EvidenceError(f"counts add up over the same data sets. Got {sorted(mine)} and {sorted(theirs)}.")
        return Counts.of({d: merge(mine[d], theirs[d]) for d in mine})

    def bounds(self, model: str, measure: Any, dataset: str | None = None) -> tuple[float, float]:
        """What rounded scores can hide: the least and greatest value of auc, gini, ks or average precision.

        Equal where the tally is exact.
        """
        rows = self.table(dataset)
        assert isinstance(rows, CountedRows)
        held = self.stored[rows.name]
        if model not in held.models:
            raise unknown_choice("model", model, held.models)
        known = hooks.known_quantity(getattr(measure, "name", measure))
        name = getattr(measure, "name", measure) if known is None else known.name
        if name not in BOUNDED:
            raise unknown_choice("measure", name, tuple(BOUNDED))
        found = held.binned(model)
        if found is None:
            raise EvidenceError(f"these counts hold no scores of {model!r}.")
        return bounds_of(name, *found, rows.pos_label)

    # -- files --------------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> Path:
        """Write a counts file, and print which share of the rows stands alone in its cell."""
        place = Path(path)
        place.write_bytes(packed(self.stored))
        said = Text("{file}: {n} rows counted; {share:.3g} % of them stand alone in a cell.",
                    file=place.name, n=self.n, share=100 * self.alone)  # fmt: skip
        print(said)  # noqa: T201
        return place

    @classmethod
    def load(cls, path: str | Path) -> Counts:
        """Read a counts file; a damaged, edited or foreign one is refused."""
        place = Path(path)
        try:
            content = place.read_bytes()
        except OSError as problem:
            raise EvidenceError(f"{str(path)!r} cannot be read: {problem.strerror}.") from None
        return cls.of(unpacked(content, place.name))


def count(
    predictions: Predictions,
    measures: Any,
    by: Any,
    max_scores: int,
    score_bits: int | None,
    min_cell: int,
    merged: Counts | None,
) -> Counts:
    """Count evidence; see `Predictions.counts`."""
    if merged is not None and set(merged.stored) != set(predictions.datasets):
        raise EvidenceError(
            f"the second round is about the data sets of the first. Got {list(predictions.datasets)} and "
            f"{list(merged.stored)}."
        )
    check_count("max_scores", max_scores, minimum=1)
    check_count("min_cell", min_cell, minimum=0)
    if score_bits is not None:
        check_count("score_bits", score_bits, minimum=2)
        if score_bits > 52:
            raise ParameterError(f"score_bits must be between 2 and 52. Got {score_bits}.")
    needs = ["labels", "scores", "values"] if measures is None else hooks.needs_of(measures)[0]
    stored = {}
    for rows in predictions:
        if isinstance(rows, CountedRows) and isinstance(rows.tables, Asked):
            engine = rows.tables.engine
        else:
            engine = _engine_of(rows)
        asked = Asked(engine, max_scores=max_scores, score_bits=score_bits)
        if merged is None:
            stored[rows.name] = _count(rows, asked, needs, by, min_cell)
        else:
            stored[rows.name] = _second_round(rows, asked, merged.stored[rows.name])
    return Counts.of(stored)


def _second_round(rows: Rows, asked: Asked, merged: Stored) -> Stored:
    """Sums of placements by group against the counts of all sites, the labels by group, and the scores without it."""
    check_against(asked, merged)
    labelled = [m for m in asked.models if rows.provides(m, "labels")]
    tables = {PLACED: placed_table(asked, merged)} | own_tallies(asked, merged)
    if labelled:
        made = _count(rows, Asked(asked.engine), ["labels"], [], 0)
        tables = {"labels": made.tables["labels"]} | tables
    held = replace(merged, tables=tables, keys=("group",), weighted=asked.weighted, joint_bits=None, sites=())
    return replace(held, sites=(fingerprint(held),), against=mark(merged))


def _engine_of(rows: Rows) -> Engine:
    """An engine over rows in memory, so that there is one way of counting."""
    import polars as pl

    labels, items = np.array(rows.classes, dtype=object), None
    if rows.task in ("outcomes", "sums"):
        items = Items(rows.task, rows.columns, rows.less_is_better)
    columns: dict[str, Any] = {"y": labels[rows.truth].tolist() if rows.classes else rows.truth}
    outputs: dict[str, dict[str, Any]] = {"label": {}, "score": {}, "value": {}, "sum": {}, "attempts": {}}
    for i, model in enumerate(rows.models):
        said = rows.output(model)
        given = {"label": None if said.labels is None else labels[said.labels].tolist(), "score": said.scores,
                 "value": said.values if items is None else None}  # fmt: skip
        if items is not None:
            given["attempts"] = np.ones(rows.n) if said.attempts is None else said.attempts
        for part, values in given.items():
            if values is not None:
                columns[f"{part}{i}"], outputs[part][model] = values, f"{part}{i}"
        if said.probabilities is not None:
            names = [f"p{i}_{k}" for k in range(said.probabilities.shape[1])]
            columns |= dict(zip(names, said.probabilities.T, strict=True))
            outputs["score"][model] = names
        if items is not None:
            sums = rows.attempts(model)[:, 1:] if rows.task == "outcomes" else rows.sums(model)
            names = [f"s{i}_{k}" for k in range(sums.shape[1])]
            columns |= dict(zip(names, sums.T, strict=True))
            outputs["sum"][model] = names
    keys: dict[str, Any] = {"weight": rows.weight, "frequency": rows.frequency, "group": rows.groups}
    if rows.split_index is not None:  # one repeat is none, as where only folds were named
        own = ("repeat", "fold") if rows.n_repeats > 1 else ("fold",)
        keys |= {k: np.array([getattr(s, k) for s in rows.splits])[rows.split_index] for k in own}
    if rows.instance is not None and (rows.n_repeats > 1 or rows.attempt is not None):
        keys |= {"instance": np.unique(rows.instance, return_inverse=True)[1]}
        keys |= {} if rows.attempt is None else {"repeat": rows.attempt}
    keys = {k: v for k, v in keys.items() if v is not None}
    slices = {name: np.array(one.names, dtype=object)[one.code].tolist() for name, one in rows.slices.items()}
    columns |= {f"key_{k}": v for k, v in keys.items()} | {f"slice_{k}": v for k, v in slices.items()}
    roles = Roles.of("y", outputs, {k: f"key_{k}" for k in keys}, {k: f"slice_{k}" for k in slices}, None)
    return Engine(pl.DataFrame(columns, strict=False).lazy(), replace(roles, items=items), rows.name)


def _count(rows: Rows, asked: Asked, needs: Sequence[str], by: Any, min_cell: int) -> Stored:
    wanted = None if by is None else {f"slice:{s}" for s in ([by] if isinstance(by, str) else by)}
    keys = tuple(k for k in asked.keys if not k.startswith("slice:") or wanted is None or k in wanted)
    kept = row_keys(keys)
    parts = {m: asked.parts(m) for m in asked.models}
    tables: dict[str, Table] = {}

    def ask(name: str, columns: list[str], bits: Mapping[str, int | None]) -> None:
        found = asked.distinct(("y_true", *columns, *kept), bits)
        assert found is not None
        tables[name] = _without_ids(found)

    labels = [column_name("label" if "label" in p else "called", i) for i, (m, p) in enumerate(parts.items())
              if "label" in p or (p.get("score") == 1 and rows.provides(m, "labels"))]  # fmt: skip
    if "labels" in needs and labels:
        ask("labels", labels, {})
    bits: dict[str, int | None] = {}
    scored: list[list[str]] = []
    if {"scores", "probabilities"} & set(needs):
        for i, (model, p) in enumerate(parts.items()):
            columns = [column_name("score", i, j) for j in range(p.get("score", 0))]
            if columns:
                bits[model] = asked.score_rule(model)
                ask(f"tally{i}", columns, dict.fromkeys(columns, bits[model]))
                if min_cell > 1 and len(columns) == 1:
                    tables[f"tally{i}"] = _bins_joined(tables[f"tally{i}"], columns[0], min_cell)
                scored.append(columns)
    joint = None
    if len(scored) > 1 and min_cell <= 1:
        every = [c for columns in scored for c in columns]
        own = {c: b for columns, b in zip(scored, bits.values(), strict=True) for c in columns}
        coarse = [(dict.fromkeys(every, b), b) for b in range(JOINT_BITS, 1, -1)]
        tries: list[tuple[Mapping[str, int | None], int | None]] = [(own, None), *coarse]
        for rule, held in tries:
            if asked.distinct(("y_true", *every, *kept), rule, asked.max_scores) is not None:
                ask("joint", every, rule)
                joint = held if held is not None else max((b for b in bits.values() if b is not None), default=None)
                break
    of_items = asked.items is not None
    if of_items and min_cell > 1:
        raise EvidenceError("min_cell joins neighbouring scores; outcomes and sums of items have none to join.")
    valued = [column_name(part, i, j) for i, p in enumerate(parts.values()) for part, n in p.items()
              if of_items or part == "value" for j in range(n)]  # fmt: skip
    if valued and (of_items or "values" in needs):
        ask("values", valued, {})
    if not tables:
        raise EvidenceError("nothing of this evidence can be counted for those measures.")
    made = Stored(
        asked.models, parts, tuple(k for k in keys if k in kept), asked.weighted, tables, bits, joint, rows.classes,
        rows.pos_label, min_cell, (), asked.items,
    )  # fmt: skip
    return replace(made, sites=(fingerprint(made),))


def _without_ids(table: Table) -> Table:
    """Groups and cases are numbered: what they were called stays where it was. Slices have names, as of rows."""
    hidden = {k: np.unique(table[k], return_inverse=True)[1] for k in ("group", "instance") if k in table}
    cut = {k: slicing(k, v) for k, v in table.items() if k.startswith("slice:")}
    return table | hidden | {k: np.array(one.names)[one.code] for k, one in cut.items()}


def _bins_joined(table: Table, key: str, least: int) -> Table:
    """Join neighbouring scores, from the top, until every bin holds at least so many rows."""
    scores, place = np.unique(table[key], return_inverse=True)
    rows, bin_of, number, held = np.bincount(place, table["n"]), np.zeros(scores.size, np.int64), 0, 0.0
    for i in range(scores.size - 1, -1, -1):
        bin_of[i] = number
        held += rows[i]
        if held >= least:
            number, held = number + 1, 0.0
    if held and number:
        bin_of[bin_of == number] = number - 1
    bins = int(bin_of.max()) + 1
    low, high = np.full(bins, np.inf), np.full(bins, -np.inf)
    np.minimum.at(low, bin_of, scores)
    np.maximum.at(high, bin_of, scores)
    mine = bin_of[place]
    moved = table | {key: ((low + high) / 2)[mine], "low": low[mine], "high": high[mine]}
    return added_up([moved], [k for k in moved if k not in SIZES], {})
