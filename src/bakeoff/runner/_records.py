"""Records: what a store keeps of each unit of work, as classes here and as flat JSON objects on disk.

A record has parts that are known at different times: which unit it is (when work is planned), where it came from (the
same for all units of a data set and model), and what came of it (a fit, or a failure). Field names are the keys of the
JSON.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeAlias

from bakeoff._core.result import jsonable

Json: TypeAlias = dict[str, Any]  # a JSON object, as it is read or about to be written
NOT_STORED = "file"


@dataclass(frozen=True, kw_only=True)
class Record:
    """A flat JSON object with known keys."""

    @classmethod
    def of(cls, *parts: Record) -> Self:
        """Put the parts together."""
        return cls(**{name: value for part in parts for name, value in vars(part).items()})

    def to_json(self) -> Json:
        """Return plain values by key."""
        plain: Json = {name: jsonable(getattr(self, name)) for name in self.__dataclass_fields__ if name != NOT_STORED}
        return plain

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote; keys of other records are passed over."""
        found = {name: body[name] for name in cls.__dataclass_fields__ if name in body}
        return cls(**{name: tuple(value) if isinstance(value, list) else value for name, value in found.items()})


@dataclass(frozen=True, kw_only=True)
class UnitFacts(Record):
    """Which unit it is: one model on one train/test pair of a data set."""

    key: str
    dataset: str
    model: str
    repeat: int
    fold: int
    role: str
    seed: int
    n_train: int
    n_test: int

    @property
    def pair(self) -> tuple[str, str]:
        """Data set and model."""
        return self.dataset, self.model

    @property
    def place(self) -> tuple[int, int]:
        """Repeat and fold."""
        return self.repeat, self.fold


@dataclass(frozen=True, kw_only=True)
class Provenance(Record):
    """Where a unit came from: what was to be predicted, by which protocol, and hashes of data set and model."""

    task: str
    classes: tuple[Hashable, ...] = ()
    pos_label: Hashable | None = None
    protocol: str
    protocol_description: Mapping[str, Any] | None = None
    data_fingerprint: str = ""
    model_fingerprint: str = ""
    run_seed: int | None = None


@dataclass(frozen=True, kw_only=True)
class FitFacts(Record):
    """How a fit went. Times are seconds, memory is bytes (None where the system does not tell).

    Attributes
    ----------
    chosen
        The parameters that a tuned model chose.
    weighted_fit
        Whether the model took the weights of a data set that has them; None for a data set without.
    """

    fit_time: float
    predict_time: float
    score_time: float
    peak_memory: int | None = None
    chosen: Mapping[str, Any] | None = None
    warnings: tuple[str, ...] = ()
    weighted_fit: bool | None = None

    @property
    def seconds(self) -> float:
        """Seconds the unit took in all."""
        return self.fit_time + self.predict_time + self.score_time


@dataclass(frozen=True, kw_only=True)
class FailureFacts(Record):
    """What went wrong; see `_unit.Failed` for the kinds."""

    kind: str
    message: str
    traceback: str = ""
    seconds: float = 0.0
    attempts: int = 1


@dataclass(frozen=True, kw_only=True)
class UnitRecord(UnitFacts, Provenance, FitFacts):
    """A finished unit, as its file's footer has it; `file` is where it was read from, None in memory."""

    file: Path | None = None

    def to_json(self) -> Json:
        """Return plain values by key; ``weighted_fit`` is there for data sets with weights only."""
        body = super().to_json()
        if self.weighted_fit is None:
            del body["weighted_fit"]
        return body


@dataclass(frozen=True, kw_only=True)
class FailureRecord(UnitFacts, Provenance, FailureFacts):
    """A unit that failed, as its file has it."""


@dataclass(frozen=True, kw_only=True)
class DatasetEntry(Record):
    """A data set, as a manifest has it."""

    fingerprint: str
    n_rows: int
    n_features: int
    n_splits: int
    grouped: bool
    task: str
    classes: tuple[Hashable, ...] = ()
    pos_label: Hashable | None = None

    def difference(self, before: DatasetEntry) -> str:
        """Say how it differs from an earlier one of the same name."""
        old, new = f"{before.n_rows} × {before.n_features}", f"{self.n_rows} × {self.n_features}"
        return f"stored: {old}; now: {new}" if old != new else "same size, other content"


@dataclass(frozen=True, kw_only=True)
class ModelEntry(Record):
    """A model, as a manifest has it.

    Attributes
    ----------
    scheme
        How the fingerprint was made; entries of before the second scheme do not say.
    packages
        Package → version, of the installed code that the model is made of.
    unseen
        What could not be seen of the model; then it has no fingerprint.
    """

    fingerprint: str
    description: str
    scheme: int = 1
    packages: Mapping[str, str] | None = None
    unseen: str = ""

    def difference(self, before: ModelEntry) -> str:
        """Say how it differs from an earlier one of the same name."""
        old, new = before.description, self.description
        if old != new:
            return f"stored: {old}; now: {new}"
        if before.scheme < self.scheme:
            return "an earlier bakeoff made its results, and did not keep enough to tell whether the model is the same"
        stored, now = before.packages or {}, self.packages or {}
        others = [f"{p} {stored[p]}, now {now[p]}" for p in now if stored.get(p, now[p]) != now[p]]
        return f"stored with {'; '.join(others)}" if others else "same description, other content"


@dataclass(frozen=True, kw_only=True)
class Environment(Record):
    """What a run was made with: versions of Python, system and packages, and the number of cores."""

    python: str = ""
    platform: str = ""
    cores: int | None = None
    packages: Mapping[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class StoreHeader(Record):
    """What binds a store from its first run on: the part of the protocol that must not change, and the seed."""

    family: Json
    seed: int
