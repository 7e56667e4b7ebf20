"""What an engine is given, and what it gives back."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from bakeoff.runner._dataset import PreparedDataset
from bakeoff.runner._models import Model
from bakeoff.runner._unit import Outcome, Unit


@dataclass(frozen=True, eq=False)
class Work:
    """Everything the units of a run refer to.

    Attributes
    ----------
    datasets, models
        By name.
    n_units
        How many units will come at most.
    threads
        Threads inside a unit; None leaves them alone.
    time_limit
        Seconds a unit may take; None for no limit.
    memory_limit
        Megabytes that a unit may take besides what its process has; None for no limit.
    begun
        Told of every unit that is begun, and where.
    """

    datasets: Mapping[str, PreparedDataset]
    models: Mapping[str, Model]
    n_units: int
    threads: int | None = 1
    time_limit: float | None = None
    memory_limit: float | None = None
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
