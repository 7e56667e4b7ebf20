"""Manifests: what each run on a store was made of, and whether a new plan fits it."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from bakeoff._core.errors import EvidenceError
from bakeoff._core.result import jsonable
from bakeoff.protocols import Protocol
from bakeoff.runner._dataset import PreparedDataset
from bakeoff.runner._models import Model
from bakeoff.runner._schema import SCHEMA_VERSION

_PACKAGES = ("bakeoff", "numpy", "scipy", "scikit-learn", "polars", "pandas", "imbalanced-learn", "distributed")


@dataclass(frozen=True)
class Manifest:
    """What a run works on: data sets and models by name with their fingerprints, protocol and seed."""

    datasets: Mapping[str, dict[str, Any]]
    models: Mapping[str, dict[str, Any]]
    protocol: dict[str, Any]
    family: dict[str, Any]
    kind: str
    seed: int
    environment: dict[str, Any] = field(default_factory=dict)

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
            {d.name: _about_data(d, n_splits[d.name]) for d in datasets},
            {m.name: {"fingerprint": m.fingerprint, "description": m.describe()} for m in models},
            jsonable(protocol.describe()),
            jsonable(protocol.family()),
            protocol.kind,
            seed,
            environment(),
        )

    def to_json(self) -> dict[str, Any]:
        """Return plain values, with time and schema version."""
        body = {name: getattr(self, name) for name in self.__dataclass_fields__}
        stamp = datetime.now(UTC).isoformat(timespec="seconds")
        plain: dict[str, Any] = jsonable({"schema_version": SCHEMA_VERSION, "started": stamp, **body})
        return plain

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Manifest:
        """Read what `to_json` wrote."""
        return cls(**{name: body[name] for name in cls.__dataclass_fields__})


def _about_data(dataset: PreparedDataset, n_splits: int) -> dict[str, Any]:
    source = dataset.source
    return {
        "fingerprint": dataset.fingerprint,
        "n_rows": source.n,
        "n_features": source.n_features,
        "n_splits": n_splits,
        "grouped": source.groups is not None,
        **dataset.facts(),
    }


def environment() -> dict[str, Any]:
    """Record Python, system and library versions."""
    versions = {}
    for name in _PACKAGES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return {
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "cores": os.cpu_count(),
        "packages": versions,
    }


def merge(manifests: Iterable[Manifest]) -> Manifest | None:
    """Put the manifests of all runs together; the last one's protocol stands."""
    merged: Manifest | None = None
    for one in manifests:
        if merged is None:
            merged = one
        else:
            merged = Manifest(
                {**merged.datasets, **one.datasets},
                {**merged.models, **one.models},
                one.protocol,
                one.family,
                one.kind,
                one.seed,
                one.environment,
            )
    return merged


def check_same_plan(where: str, old: Mapping[str, Any], new: Manifest) -> None:
    """Raise if the store was made with another protocol or seed."""
    if old.get("family") != jsonable(new.family):
        raise EvidenceError(
            f"the store {where} was made with the protocol {_listed(old.get('family', {}))}, "
            f"but this run has {_listed(new.family)}.",
            hint="use another store for another protocol; more repeats of the same protocol may share one",
        )
    if old.get("seed") != new.seed:
        raise EvidenceError(
            f"the store {where} was made with seed {old.get('seed')}, but this run has seed {new.seed}.",
            hint=f"give seed={old.get('seed')} to go on, or use another store",
        )


def check_same_things(
    where: str, what: str, old: Mapping[str, dict[str, Any]], new: Mapping[str, dict[str, Any]], used: set[str]
) -> None:
    """Raise if a name stands for something else than in the work already stored."""
    for name, about in new.items():
        before = old.get(name)
        if before is None or name not in used or before["fingerprint"] == about["fingerprint"]:
            continue
        raise EvidenceError(
            f"the store {where} already has results of a {what} named {name!r} that is not this one"
            f"{_difference(before, about)}.",
            hint=f"give the new {what} another name, use another store, or remove the old results with "
            f"Results.open(store).drop({what.replace(' ', '')}s={name!r})",
        )


def _difference(before: Mapping[str, Any], about: Mapping[str, Any]) -> str:
    old, new = before.get("description"), about.get("description")
    if old and new and old != new:
        return f" (stored: {old}; now: {new})"
    if "n_rows" in before and (before["n_rows"], before["n_features"]) != (about["n_rows"], about["n_features"]):
        return f" (stored: {before['n_rows']} × {before['n_features']}; now: {about['n_rows']} × {about['n_features']})"
    return " (same size, other content)"


def _listed(family: Mapping[str, Any]) -> str:
    rest = ", ".join(f"{k}={v!r}" for k, v in family.items() if k != "protocol")
    return f"{family.get('protocol')}({rest})"
