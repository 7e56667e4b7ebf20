"""What an engine is given, and what it gives back."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from bakeoff._core.validation import check_count, check_number
from bakeoff.runner._dataset import PreparedDataset
from bakeoff.runner._models import Model
from bakeoff.runner._unit import Outcome, Unit


@dataclass(frozen=True)
class Limits:
    """What a unit may take.

    Attributes
    ----------
    threads
        Threads inside a unit; None leaves them alone.
    seconds
        Time for a unit; None for no limit.
    megabytes
        Memory for a unit besides what its process has; None for no limit.
    """

    threads: int | None = 1
    seconds: float | None = None
    megabytes: float | None = None

    @classmethod
    def checked(cls, time_limit: float | None, memory_limit: float | None, threads: int | None = 1) -> Limits:
        """Check what a user gave."""
        given = {"time_limit": time_limit, "memory_limit": memory_limit}
        numbers = [None if v is None else check_number(name, v, low=0, closed="right") for name, v in given.items()]
        return cls(None if threads is None else check_count("threads", threads), *numbers)

    @property
    def any(self) -> bool:
        """Whether a unit may have to be stopped."""
        return self.seconds is not None or self.megabytes is not None


@dataclass(frozen=True, eq=False)
class Work:
    """Everything the units of a run refer to.

    Attributes
    ----------
    datasets, models
        By name.
    n_units
        How many units will come at most.
    limits
        What a unit may take.
    begun
        Told of every unit that is begun, and where.
    """

    datasets: Mapping[str, PreparedDataset]
    models: Mapping[str, Model]
    n_units: int
    limits: Limits = Limits()
    begun: Callable[[Unit, str], None] = lambda unit, where: None

    @property
    def is_installed(self) -> bool:
        """Whether all models are code of installed packages."""
        return all(m.is_installed for m in self.models.values())


@runtime_checkable
class Engine(Protocol):
    """Does units of work somewhere. Every unit given comes back once, as `Done` or `Failed`, in any order."""

    name: str

    def outcomes(self, units: Iterable[Unit], work: Work) -> Iterator[Outcome]:
        """Do the units; closing the generator stops the work and leaves nothing running."""
        ...


def dumps(value: Any) -> bytes:
    """Pickle for our own worker processes, objects defined in a script or notebook included."""
    import joblib  # every joblib brings cloudpickle, older ones inside themselves

    name = "cloudpickle" if importlib.util.find_spec("cloudpickle") else f"{joblib.__name__}.externals.cloudpickle"
    raw: bytes = importlib.import_module(name).dumps(value, protocol=5)
    return raw
