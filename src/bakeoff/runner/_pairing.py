"""From stored units to paired evidence: every model on the same splits, and a note for every hole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from bakeoff._core.errors import EvidenceError
from bakeoff._core.language import Text
from bakeoff._core.result import Note, warning_note
from bakeoff.evidence import Rows, Split, asked, stored_rows
from bakeoff.runner._records import UnitRecord

if TYPE_CHECKING:
    from bakeoff.runner._memory import MemoryStore
    from bakeoff.runner._store import Store

IN_MEMORY = 5_000_000  # rows × models up to which a data set is read rather than scanned

Place: TypeAlias = tuple[int, int]  # repeat and fold
UnitsByModel: TypeAlias = dict[str, dict[Place, UnitRecord]]


@dataclass(frozen=True)
class Paired:
    """The units that pair: data set → model → (repeat, fold) → record, and what was left out and why."""

    tables: dict[str, UnitsByModel]
    notes: tuple[Note, ...] = ()


def by_dataset(records: Iterable[UnitRecord]) -> dict[str, UnitsByModel]:
    """Arrange records by data set, model and place in the protocol."""
    tables: dict[str, UnitsByModel] = {}
    for record in records:
        tables.setdefault(record.dataset, {}).setdefault(record.model, {})[record.place] = record
    return tables


def pair(tables: dict[str, UnitsByModel], models: Sequence[str]) -> Paired:
    """Keep the splits that every model finished.

    A model without any result is left out; a data set on which one of the remaining models has none is left out; of
    the rest, only the splits all of them have are kept. Each of these is noted.
    """
    present = [m for m in models if any(m in table for table in tables.values())]
    if not present:
        raise _nothing_in_common()
    notes = [
        warning_note("model-left-out", Text("model {m!r} has no result at all and is left out.", m=m))
        for m in models
        if m not in present
    ]
    kept: dict[str, UnitsByModel] = {}
    for dataset, table in tables.items():
        missing = [m for m in present if m not in table]
        if missing and len(tables) > 1:
            text = Text(
                "data set {dataset!r} is left out: no result of {models} on it.",
                dataset=dataset,
                models=", ".join(map(repr, missing)),
            )
            notes.append(warning_note("data-set-left-out", text))
            continue
        kept[dataset], holes = _common_splits(dataset, {m: table[m] for m in present if m in table})
        notes += holes
    kept = {d: t for d, t in kept.items() if t and all(t.values())}
    if not kept:
        raise _nothing_in_common()
    return Paired(kept, tuple(notes))


def incomplete(tables: dict[str, UnitsByModel], models: Sequence[str]) -> dict[str, Note]:
    """Return the models that lack splits which others have, each with a note that says how many; not those without any.

    They are shown with their own numbers, and the others keep all their splits.
    """
    lacking: dict[str, Note] = {}
    everywhere = {d: set().union(*(places for m, places in t.items() if m in models)) for d, t in tables.items()}
    planned = sum(map(len, everywhere.values()))
    for model in models:
        has = sum(len(table.get(model, ())) for table in tables.values())
        if 0 < has < planned:
            text = Text(
                "model {model!r} has results on {has} of {n} splits; its numbers are from these alone, and it is "
                "compared with each other model on the splits they share.",
                model=model,
                has=has,
                n=planned,
            )
            lacking[model] = warning_note("some-splits-failed", text)
    return lacking


def _nothing_in_common() -> EvidenceError:
    return EvidenceError(
        "there is no split that every model finished, so there is no paired evidence.",
        hint="look at .failures; select the models that finished with models=[…]",
    )


def _common_splits(dataset: str, table: UnitsByModel) -> tuple[UnitsByModel, list[Note]]:
    everywhere = set.union(*(set(places) for places in table.values()))
    common = set.intersection(*(set(places) for places in table.values()))
    notes = []
    for model, places in table.items():
        holes = len(everywhere) - len(places)
        if holes:
            text = Text(
                "model {model!r} has no result on {holes} of {n} splits of {dataset!r}; these splits are left out "
                "for every model, so that the comparison stays paired.",
                model=model,
                holes=holes,
                n=len(everywhere),
                dataset=dataset,
            )
            notes.append(warning_note("splits-left-out", text))
    return {m: {p: r for p, r in places.items() if p in common} for m, places in table.items()}, notes


def rows_of(store: Store | MemoryStore, dataset: str, table: UnitsByModel) -> Rows:
    """Make the evidence of one data set: read where it is small, scanned where it is large."""
    small = sum(s.n_test for s in _splits(table)) * len(table) <= IN_MEMORY
    rows = scanned(store, dataset, table, read=small)
    return rows.in_memory() if small else rows


def scanned(store: Store | MemoryStore, dataset: str, table: UnitsByModel, *, read: bool = False) -> Rows:
    """Make the evidence of one data set without loading rows; `read`: its files are read, once."""
    splits = _splits(table)
    scans = {m: store.scan(_ordered(places)) for m, places in table.items()}
    frames = {m: asked(scan.collect, dataset, of_files=True).lazy() for m, scan in scans.items()} if read else scans
    some = next(iter(next(iter(table.values())).values()))
    index = {(s.repeat, s.fold): i for i, s in enumerate(splits)}
    times = {
        (m, index[place]): (r.fit_time, r.predict_time) for m, places in table.items() for place, r in places.items()
    }
    return stored_rows(
        dataset, frames, classes=some.classes, pos_label=some.pos_label, splits=splits, times=times,
        protocol=some.protocol,
    )  # fmt: skip


def _ordered(places: dict[Place, UnitRecord]) -> list[UnitRecord]:
    return [places[p] for p in sorted(places)]


def _splits(table: UnitsByModel) -> tuple[Split, ...]:
    places = next(iter(table.values()))
    return tuple(Split(*p, places[p].n_test, places[p].n_train) for p in sorted(places))
