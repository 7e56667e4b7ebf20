"""What a counts file holds of one data set, and how the counts of two pieces of evidence add up."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence._counted import Placed, added_up
from bakeoff.evidence._engine import SIZES, Items, Table, column_name
from bakeoff.evidence._second_round import PLACED, mark, pooled


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


# -- adding up --------------------------------------------------------------------------------------------------------


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


def merge(a: Stored, b: Stored) -> Stored:
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
    return bool(sorted_frame(a).equals(sorted_frame(b)))


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


def sorted_frame(table: Table) -> Any:
    import polars as pl

    frame = pl.DataFrame({k: v.tolist() if v.dtype.kind == "O" else v for k, v in table.items()}, strict=False)
    return frame.sort([c for c in frame.columns if c not in SIZES])
