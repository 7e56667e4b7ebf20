"""Manifests: what each run on a store was made of, and whether a new plan fits it."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from bakeoff._core.errors import EvidenceError
from bakeoff._core.result import jsonable
from bakeoff.protocols import Protocol
from bakeoff.runner._dataset import PreparedDataset
from bakeoff.runner._fingerprint import SCHEME, unseen_error
from bakeoff.runner._models import Model
from bakeoff.runner._records import DatasetEntry, Environment, Json, ModelEntry, StoreHeader
from bakeoff.runner._schema import SCHEMA_VERSION

E = TypeVar("E", DatasetEntry, ModelEntry)
_PACKAGES = ("bakeoff", "numpy", "scipy", "scikit-learn", "polars", "pandas", "imbalanced-learn", "distributed")


@dataclass(frozen=True)
class Manifest:
    """What a run works on: data sets and models by name with their fingerprints, protocol and seed.

    `protocol` and `family` are the protocol's parameters, all of them and those that a store is bound to.
    """

    datasets: Mapping[str, DatasetEntry]
    models: Mapping[str, ModelEntry]
    protocol: Json
    family: Json
    kind: str
    seed: int
    environment: Environment = field(default_factory=Environment)

    @classmethod
    def of(
        cls,
        datasets: Iterable[PreparedDataset],
        models: Iterable[Model],
        protocol: Protocol,
        seed: int,
        n_splits: Mapping[str, int],
    ) -> Manifest:
        """Describe a plan."""
        return cls(
            {d.name: _dataset_entry(d, n_splits[d.name]) for d in datasets},
            {m.name: _model_entry(m) for m in models},
            jsonable(protocol.describe()),
            jsonable(protocol.family()),
            protocol.kind,
            seed,
            environment(),
        )

    def to_json(self) -> Json:
        """Return plain values, with time and schema version."""
        return {
            "schema_version": SCHEMA_VERSION,
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            **jsonable(self),
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Manifest:
        """Read what `to_json` wrote."""
        return cls(
            datasets={name: DatasetEntry.from_json(entry) for name, entry in body["datasets"].items()},
            models={name: ModelEntry.from_json(entry) for name, entry in body["models"].items()},
            environment=Environment.from_json(body["environment"]),
            **{name: body[name] for name in ("protocol", "family", "kind", "seed")},
        )


def _dataset_entry(dataset: PreparedDataset, n_splits: int) -> DatasetEntry:
    source, target = dataset.source, dataset.target
    return DatasetEntry(
        fingerprint=dataset.fingerprint,
        n_rows=source.n,
        n_features=source.n_features,
        n_splits=n_splits,
        grouped=source.groups is not None,
        task=target.task,
        classes=target.classes,
        pos_label=target.pos_label,
    )


def _model_entry(model: Model) -> ModelEntry:
    identity = model.identity
    return ModelEntry(
        fingerprint=identity.text,
        description=model.describe(),
        scheme=SCHEME,
        packages=identity.packages,
        unseen=identity.unseen,
    )


def environment() -> Environment:
    """Record Python, system and library versions."""
    versions = {}
    for name in _PACKAGES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return Environment(
        python=sys.version.split()[0], platform=platform.platform(), cores=os.cpu_count(), packages=versions
    )


def merge(manifests: Iterable[Manifest]) -> Manifest | None:
    """Put the manifests of all runs together; the last one's protocol stands."""
    merged: Manifest | None = None
    for one in manifests:
        known = merged or one
        merged = replace(one, datasets={**known.datasets, **one.datasets}, models={**known.models, **one.models})
    return merged


def check_same_plan(where: str, old: StoreHeader, new: Manifest) -> None:
    """Raise if the store was made with another protocol or seed."""
    if old.family != jsonable(new.family):
        raise EvidenceError(
            f"the store {where} was made with the protocol {_listed(old.family)}, "
            f"but this run has {_listed(new.family)}.",
            hint="use another store for another protocol; more repeats of the same protocol may share one",
        )
    if old.seed != new.seed:
        raise EvidenceError(
            f"the store {where} was made with seed {old.seed}, but this run has seed {new.seed}.",
            hint=f"give seed={old.seed} to go on, or use another store",
        )


def check_seen(manifest: Manifest) -> None:
    """Raise if not everything that decides a model's answers is known: it could get the answers of another one."""
    for name, entry in manifest.models.items():
        if entry.unseen:
            raise unseen_error(name, entry.unseen)


def check_same_things(where: str, what: str, old: Mapping[str, E], new: Mapping[str, E], used: set[str]) -> None:
    """Raise if a name stands for something else than in the work already stored."""
    for name, entry in new.items():
        before = old.get(name)
        if before is None or name not in used or before.fingerprint == entry.fingerprint:
            continue
        raise another_meaning(where, what, name, before, entry)


def another_meaning(where: str, what: str, name: str, before: E, entry: E, *, running: bool = False) -> EvidenceError:
    """Make the error for a name that stands for something else in the store."""
    has = "is being filled by another run with" if running else "already has"
    return EvidenceError(
        f"the store {where} {has} results of a {what} named {name!r} that is not this one "
        f"({entry.difference(before)}; fingerprints {before.fingerprint[:12]} and {entry.fingerprint[:12]}).",
        hint=f"give the new {what} another name, use another store, or remove the old results with "
        f"Results.open(store).drop({what.replace(' ', '')}s={name!r})",
    )


def _listed(family: Mapping[str, Any]) -> str:
    rest = ", ".join(f"{k}={v!r}" for k, v in family.items() if k != "protocol")
    return f"{family.get('protocol')}({rest})"
