"""The serial engine: one unit after another, in this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bakeoff.runner._engines._work import Work
from bakeoff.runner._unit import Outcome, Unit, perform


class SerialEngine:
    """Do the units here, in order."""

    name = "serial"

    def outcomes(self, units: Iterable[Unit], work: Work) -> Iterator[Outcome]:
        """See `Engine.outcomes`."""
        for unit in units:
            yield perform(unit, work.datasets[unit.dataset], work.models[unit.model], threads=work.threads)
