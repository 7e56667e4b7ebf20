"""What a store's metadata must have said, from what is left: manifests from units, the header from either."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bakeoff import protocols
from bakeoff._core.errors import BakeoffError, EvidenceError
from bakeoff._core.result import jsonable
from bakeoff.runner._manifest import Manifest
from bakeoff.runner._records import DatasetEntry, Json, ModelEntry, StoreHeader, UnitRecord

if TYPE_CHECKING:
    from bakeoff.runner._store import Store


def rebuilt_header(store: Store) -> StoreHeader | None:
    """Return what binds the store, from its manifests or else its units; None where there are neither."""
    whole, _ = store.manifests()
    if whole:
        return StoreHeader(family=whole[-1].family, seed=whole[-1].seed)
    for record in _readable(store):
        family = _family(record)
        if family is not None and record.run_seed is not None:
            return StoreHeader(family=family, seed=record.run_seed)
    return None


def rebuilt_manifest(store: Store, known: Manifest | None) -> Manifest | None:
    """Add to what manifests say the data sets and models that only units name; None where there are no units."""
    header = store.header() or rebuilt_header(store)
    records = _readable(store)
    if header is None or not records:
        return known
    some = records[-1]
    datasets = {name: _dataset_entry(mine) for name, mine in _by(records, "dataset").items()}
    models = {
        name: ModelEntry(fingerprint=mine[0].model_fingerprint, description=name, scheme=2)
        for name, mine in _by(records, "model").items()
    }
    if known is None:
        protocol = dict(some.protocol_description or {})
        return Manifest(datasets, models, protocol, header.family, some.protocol, header.seed)
    return replace(known, datasets={**datasets, **known.datasets}, models={**models, **known.models})


def _readable(store: Store) -> list[UnitRecord]:
    found = []
    for path in store.files(["test"]):
        try:
            found += store.footer(path)
        except EvidenceError:  # damaged, and said where the unit itself is asked for
            continue
    return found


def _by(records: list[UnitRecord], name: str) -> dict[str, list[UnitRecord]]:
    groups: dict[str, list[UnitRecord]] = {}
    for record in records:
        groups.setdefault(getattr(record, name), []).append(record)
    return groups


def _dataset_entry(records: list[UnitRecord]) -> DatasetEntry:
    """Describe a data set by its units; the number of features is not in them."""
    some = records[0]
    places = {r.place: r.n_test for r in records}
    return DatasetEntry(
        fingerprint=some.data_fingerprint,
        n_rows=some.n_train + some.n_test,
        n_features=0,
        n_splits=len(places),
        grouped=False,
        task=some.task,
        classes=some.classes,
        pos_label=some.pos_label,
    )


def _family(record: UnitRecord) -> Json | None:
    described = dict(record.protocol_description or {})
    name = described.pop("protocol", "")
    try:
        family: Json = jsonable(getattr(protocols, str(name))(**described).family())
    except (AttributeError, TypeError, BakeoffError):  # a splitter of others, which bakeoff cannot make again
        return None
    return family
