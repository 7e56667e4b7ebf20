"""Counts that travel: what suffices for the answers, saved without rows, added up over sites, read as evidence.

A counts file is a zip with a manifest that a person can read before sending it, and one Parquet file for each table.
The same tables give the same bytes; the manifest holds a hash of every member and the last member a hash of the
manifest, and a file is read only if packing it again gives the same bytes, so that every edit is seen.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
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
    Placed,
    added_up,
    row_keys,
    sums_of_weights,
)
from bakeoff.evidence._engine import SIZES, Engine, Items, Roles, Table, column_name
from bakeoff.evidence._predictions import Predictions
from bakeoff.evidence._rows import Rows
from bakeoff.evidence._second_round import PLACED, check_against, mark, own_tallies, placed_table, pooled
from bakeoff.evidence._slicing import slicing

FORMAT, VERSION = "bakeoff.counts", 1


@dataclass(frozen=True)
class Stored:
    """Tables of counts of one data set; `CountedRows` asks them as it asks an engine.

    Attributes
    ----------
    models, parts_of, keys, weighted
        As of an engine.
    tables
        ``labels``, ``tally0`` …, ``joint``, ``values`` → columns.
    bits
        Model → bits its scores are rounded to; None where exact. `joint_bits` the same for several models together.
    classes, pos_label
        As of the evidence that was counted.
    min_cell
        Rows that a bin of scores has at least.
    sites
        Fingerprints of the pieces that were added up.
    items
        What the rows are where there is no truth: outcomes, or numbers that add up.
    against
        Of a second round: fingerprint of the counts of all sites that the placements were taken against.
    """

    models: tuple[str, ...]
    parts_of: Mapping[str, Mapping[str, int]]
    keys: tuple[str, ...]
    weighted: bool
    tables: Mapping[str, Table]
    bits: Mapping[str, int | None]
    joint_bits: int | None
    classes: tuple[Any, ...]
    pos_label: Any
    min_cell: int
    sites: tuple[str, ...]
    items: Items | None = None
    against: str | None = None
    whole_rows: bool = False

    def parts(self, model: str) -> Mapping[str, int]:
        """Kinds of answers and their columns."""
        return self.parts_of[model]

    @property
    def n(self) -> int:
        """Number of rows, copies counted."""
        return round(float(next(iter(self.tables.values()))["n"].sum()))

    def score_rule(self, model: str) -> int | None:
        """Bits of a model's scores."""
        return self.bits.get(model)

    def binned(self, model: str) -> tuple[Table, str, bool] | None:
        """The tally of a model, its column of scores, and whether they are exact."""
        i, key = self.models.index(model), column_name("score", self.models.index(model))
        table = self.tables.get(f"tally{i}")
        if table is None or key not in table or self.parts_of[model].get("score") != 1:
            return None
        return table, key, self.bits.get(model) is None and "low" not in table

    def in_unit(self, model: str) -> bool:
        """Labels were taken from scores only where these were probabilities."""
        i = self.models.index(model)
        held, labels = self.tables.get(f"tally{i}"), self.tables.get("labels", {})
        if held is None or ("label" not in self.parts_of[model] and labels):
            return column_name("called", i) in labels
        scores = held[column_name("score", i)]
        return bool(held.get("low", scores).min() >= 0 and held.get("high", scores).max() <= 1)

    @cached_property
    def placed(self) -> Placed | None:
        """Placements by group and class, where these are counts of a second round."""
        if self.against is None:
            return None
        tallies = {m: pooled(self, m) for m in self.bits}
        return Placed(self.tables[PLACED], tallies, mark(self) == self.against)

    def distinct(self, keys: Sequence[str], bits: Mapping[str, int | None], most: int | None = None) -> Table | None:
        """Add up the table that has these columns over those that were not asked for."""
        scored = [k for k in keys if k.startswith("score")]
        for name, table in self.tables.items():
            if all(k in table for k in keys):
                wanted = {k: bits.get(k) for k in scored}
                if name == "joint" and any(_finer(b, self.joint_bits) for b in wanted.values()):
                    continue
                return added_up([table], keys, wanted)
        if most is not None:
            return None
        raise EvidenceError(
            f"these counts do not hold {', '.join(k for k in keys if k != 'y_true')} together.",
            hint="count with the measures you ask for, or from rows",
        )


def _finer(wanted: int | None, held: int | None) -> bool:
    return held is not None and (wanted is None or wanted > held)


# -- counts as evidence -----------------------------------------------------------------------------------------------


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
        return Counts.of({d: _merged(mine[d], theirs[d]) for d in mine})

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
        place.write_bytes(_packed(self.stored))
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
        return cls.of(_unpacked(content, place.name))


def is_counts(path: Path) -> bool:
    """Whether a file is a counts file, by its content; a damaged one by its name."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(64)
    return path.suffix == ".counts" or (head.startswith(b"PK") and b"manifest.json" in head)


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
    return replace(held, sites=(_fingerprint(held),), against=mark(merged))


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
    return replace(made, sites=(_fingerprint(made),))


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


def _fingerprint(stored: Stored) -> str:
    """Of all that is held, by its content: the same whichever version of Polars or Parquet wrote it."""
    digest = hashlib.sha256(json.dumps(_told(stored), sort_keys=True).encode())
    for name, table in sorted(stored.tables.items()):
        for column in _sorted_frame(table):
            digest.update(json.dumps([name, column.name]).encode())
            numeric = column.dtype.is_float() or column.dtype.is_integer()
            plain = column.to_numpy().astype("<f8" if column.dtype.is_float() else "<i8") if numeric else None
            digest.update(json.dumps(column.to_list()).encode() if plain is None else plain.tobytes())
    return digest.hexdigest()


def _in_order_of(models: Sequence[str], held: Stored) -> Stored:
    """The same with its models, which number the columns, in another order."""
    if held.models == tuple(models) or set(held.models) != set(models):
        return held
    place = {str(i): str(list(models).index(m)) for i, m in enumerate(held.models)}

    def renamed(name: str) -> str:
        found = _NUMBERED.fullmatch(name)
        return name if found is None else f"{found[1]}{place[found[2]]}{found[3]}"

    tables = {renamed(t): {renamed(c): v for c, v in columns.items()} for t, columns in held.tables.items()}
    parts = {m: held.parts_of[m] for m in models}
    return replace(held, models=tuple(models), parts_of=parts, tables=tables)


_NUMBERED = re.compile(r"(label|called|score|value|sum|attempts|placed|tally)(\d+)((?:_\d+)?)")


def _merged(a: Stored, b: Stored) -> Stored:
    """Counts of two pieces of evidence as those of both."""
    b = _in_order_of(a.models, b)
    a, b = _labels_of_both(a, b)
    for what, mine, theirs in (
        ("models", a.models, b.models), ("answers", a.parts_of, b.parts_of), ("classes", a.classes, b.classes),
        ("positive class", a.pos_label, b.pos_label), ("keys", sorted(a.keys), sorted(b.keys)),
        ("tables", sorted(a.tables), sorted(b.tables)), ("weights", a.weighted, b.weighted),
        ("min_cell", a.min_cell, b.min_cell), ("numbers of items", a.items, b.items),
        ("first round", a.against, b.against),
    ):  # fmt: skip
        if mine != theirs:
            raise EvidenceError(f"counts add up only with the same {what}. Got {mine} and {theirs}.")
    if twice := set(a.sites) & set(b.sites):
        raise EvidenceError(f"the same counts were given twice (fingerprint {min(twice)[:12]}).", hint="leave one out")
    bits = {m: _common(a.bits[m], b.bits[m], m) for m in a.bits}
    joint = _common(a.joint_bits, b.joint_bits, "several models together") if "joint" in a.tables else None
    tables, differ = {}, a.bits == b.bits
    for name in a.tables:
        parts = [a.tables[name], _after(b.tables[name], a.tables[name])]
        keys = [k for k in parts[0] if k not in SIZES]
        own = {column_name("score", i, j): joint if name == "joint" and joint is not None else bits.get(m)
               for i, m in enumerate(a.models) for j in range(a.parts_of[m].get("score", 0))}  # fmt: skip
        rule = {k: v for k, v in own.items() if k in keys}
        tables[name] = added_up(parts, keys, rule)
        differ = differ or not _same(*(added_up([held.tables[name]], keys, rule) for held in (a, b)))
    if not differ:
        raise EvidenceError("the same counts were given twice, once rounded more than the other.", hint="leave one out")
    return replace(a, tables=tables, bits=bits, joint_bits=joint, sites=(*a.sites, *b.sites))


def _labels_of_both(a: Stored, b: Stored) -> tuple[Stored, Stored]:
    """Labels taken from scores that are probabilities at one site only are given up: they are none."""
    called = [{c for c in held.tables.get("labels", {}) if c.startswith("called")} for held in (a, b)]
    given_up = called[0] ^ called[1]
    return (a, b) if not given_up else (_without(a, given_up), _without(b, given_up))


def _without(held: Stored, columns: set[str]) -> Stored:
    if "labels" not in held.tables:
        return held
    keys = [k for k in held.tables["labels"] if k not in columns | set(SIZES)]
    tables = {**held.tables, "labels": added_up([held.tables["labels"]], keys, {})}
    if not any(k.startswith(("label", "called")) for k in keys):
        del tables["labels"]
    return replace(held, tables=tables)


def _same(a: Table, b: Table) -> bool:
    return bool(_sorted_frame(a).equals(_sorted_frame(b)))


def _common(a: int | None, b: int | None, what: str) -> int | None:
    """Exact scores are rounded as the others are; scores rounded differently cannot be brought together."""
    if a is None or b is None or a == b:
        return b if a is None else a
    raise EvidenceError(
        f"the scores of {what} are rounded to {a} bits here and to {b} there.", hint="count again with one --score-bits"
    )


def _after(table: Table, before: Table) -> Table:
    """Groups and cases of another site are other groups: number them on."""
    return table | {k: table[k] + int(before[k].max()) + 1 for k in ("group", "instance") if k in table}


# -- the file ---------------------------------------------------------------------------------------------------------


def _sorted_frame(table: Table) -> Any:
    import polars as pl

    frame = pl.DataFrame({k: v.tolist() if v.dtype.kind == "O" else v for k, v in table.items()}, strict=False)
    return frame.sort([c for c in frame.columns if c not in SIZES])


def _parquet(table: Table) -> bytes:
    out = io.BytesIO()
    _sorted_frame(table).write_parquet(out, compression="zstd", statistics=False)
    return out.getvalue()


def _told(held: Stored) -> dict[str, Any]:
    """What a manifest tells of the counts of one data set, next to their tables."""
    return {
        "models": list(held.models),
        "answers": {m: dict(p) for m, p in held.parts_of.items()},
        "keys": list(held.keys),
        "weighted": held.weighted,
        "classes": [_plain(c) for c in held.classes],
        "pos_label": _plain(held.pos_label),
        "n": held.n,
        "score_bits": dict(held.bits),
        "joint_bits": held.joint_bits,
        "min_cell": held.min_cell,
        "sites": list(held.sites),
        "items": None if held.items is None else asdict(held.items),
        "against": held.against,
    }


def _packed(stored: Mapping[str, Stored]) -> bytes:
    from bakeoff import __version__

    members: dict[str, bytes] = {}
    facts: dict[str, Any] = {}
    for d, (name, held) in enumerate(stored.items()):
        own = {f"{d}-{table}.parquet": _parquet(columns) for table, columns in held.tables.items()}
        members |= own
        tables = {t: f"{d}-{t}.parquet" for t in held.tables}
        facts[name] = _told(held) | {"tables": tables, "content": _fingerprint(held)}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "bakeoff": __version__,
        "datasets": facts,
        "members": {k: {"sha256": hashlib.sha256(v).hexdigest(), "bytes": len(v)} for k, v in members.items()},
    }
    return _zipped(json.dumps(manifest, indent=1, ensure_ascii=False).encode(), members)


def _zipped(manifest: bytes, members: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
        ends = {"manifest.json": manifest, **members, "manifest.sha256": hashlib.sha256(manifest).hexdigest().encode()}
        for name, content in ends.items():
            file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return out.getvalue()


def _unpacked(content: bytes, where: str) -> dict[str, Stored]:
    damaged = EvidenceError(
        f"{where!r} is damaged or was edited: it is not as bakeoff wrote it.", hint="ask for the file again"
    )
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            members = {name: file.read(name) for name in file.namelist()}
        manifest = json.loads(members["manifest.json"])
        known = manifest["format"] == FORMAT
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, EOFError, OSError, NotImplementedError, RuntimeError):
        known = False
        if content[:2] == b"PK" and b"manifest.json" in content[:200]:
            raise damaged from None
    if not known:
        raise EvidenceError(
            f"{where!r} is no counts file.", hint="counts files are written by `bakeoff count`"
        ) from None
    own = {k: v for k, v in members.items() if k not in ("manifest.json", "manifest.sha256")}
    if _zipped(members["manifest.json"], own) != content:
        raise damaged
    version = manifest.get("version")
    if isinstance(version, int) and version > VERSION:
        raise EvidenceError(f"{where!r} was written by a newer bakeoff (format {version}).", hint="update")
    try:
        hashes = {k: facts["sha256"] for k, facts in manifest["members"].items()}
        if version != VERSION or hashes != {k: hashlib.sha256(v).hexdigest() for k, v in own.items()}:
            raise damaged
        return {name: _stored(facts, own) for name, facts in _some(manifest["datasets"]).items()}
    except EvidenceError:
        raise
    except Exception:  # whoever edits a manifest and signs it again may have written anything
        raise damaged from None


def _stored(facts: Mapping[str, Any], members: Mapping[str, bytes]) -> Stored:
    import polars as pl

    from bakeoff._core.frames import column_array

    tables = {}
    for name, member in facts["tables"].items():
        frame = pl.read_parquet(io.BytesIO(members[member]))
        tables[name] = {c: column_array(frame[c]) for c in frame.columns}
    held = Stored(
        tuple(facts["models"]), facts["answers"], tuple(facts["keys"]), facts["weighted"], tables, facts["score_bits"],
        facts["joint_bits"], tuple(facts["classes"]), facts["pos_label"], facts["min_cell"], tuple(facts["sites"]),
        Items(**facts["items"] | {"columns": tuple(facts["items"]["columns"])}) if facts.get("items") else None,
        facts.get("against"),
    )  # fmt: skip
    told = json.loads(json.dumps(_told(held)))
    if {k: facts[k] for k in told} != told or _fingerprint(held) != facts["content"]:
        raise ValueError("what the manifest tells is not what the tables hold")
    return held


def _some(datasets: Mapping[str, Any]) -> Mapping[str, Any]:
    if not datasets:
        raise ValueError("no data set")
    return datasets


def _plain(value: Any) -> Any:
    plain = value.item() if isinstance(value, np.generic) else value
    if not isinstance(plain, (str, int, float, bool, type(None))):
        raise EvidenceError(
            f"counts can be kept of classes that are text, numbers or booleans. Got {plain!r}.",
            hint="write the classes as text",
        )
    return plain
