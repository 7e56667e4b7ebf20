"""A store that is not on disk: for runs without ``store=``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from bakeoff.runner._manifest import Manifest, merge
from bakeoff.runner._records import FailureRecord, UnitRecord
from bakeoff.runner._store import Pair, Store
from bakeoff.runner._unit import Done, Unit


class MemoryStore:
    """Keeps finished units in memory; answers as `Store` does."""

    def __init__(self) -> None:
        self._done: dict[str, tuple[Done, UnitRecord]] = {}
        self._failed: dict[str, FailureRecord] = {}
        self._manifests: list[Manifest] = []

    def __repr__(self) -> str:
        return f"MemoryStore({len(self._done)} units)"

    def register(self, manifest: Manifest) -> None:
        """Remember the plan."""
        self._manifests.append(manifest)

    def manifest(self) -> Manifest | None:
        """Return all plans put together."""
        return merge(self._manifests)

    def has(self, unit: Unit) -> bool:
        """Tell whether the unit is finished."""
        return unit.key in self._done

    def finished(self) -> set[str]:
        """Keys of the finished units."""
        return set(self._done)

    def failed(self) -> set[str]:
        """Keys of the units that failed."""
        return set(self._failed)

    def tally(self) -> tuple[Counter[Pair], Counter[Pair]]:
        """Count the units done and failed of each data set and model."""
        return Counter(r.pair for r in self.records()), Counter(r.pair for r in self.failures())

    def save(self, done: Done, record: UnitRecord) -> None:
        """Keep the predictions of a unit."""
        self._done[record.key] = done, record

    def save_failure(self, record: FailureRecord) -> None:
        """Keep what went wrong with a unit."""
        self._failed[record.key] = record

    def records(self, role: str = "test") -> list[UnitRecord]:
        """Return all units of a role."""
        return [record for _, record in self._done.values() if record.role == role]

    def sample(self) -> list[UnitRecord]:
        """Return the units to guess from what a unit takes; here all of them."""
        return self.records()

    def failures(self) -> list[FailureRecord]:
        """Return all recorded failures."""
        return list(self._failed.values())

    def scan(self, records: Iterable[UnitRecord]) -> Any:
        """Return a lazy frame of exactly these units of one data set and model."""
        import polars as pl

        return pl.concat([pl.DataFrame(self._done[r.key][0].columns) for r in records]).lazy()

    def copy_to(self, store: Store) -> None:
        """Write everything to a store on disk."""
        for manifest in self._manifests:
            store.register(manifest)
        for done, record in self._done.values():
            store.save(done, record)
        for failure in self._failed.values():
            store.save_failure(failure)
        store.flush()

    def flush(self) -> None:
        """Nothing waits to be written here."""
