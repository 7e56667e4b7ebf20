"""The serial engine: one unit after another, in this process, or in one that may die."""

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
            work.begun(unit, "here")
            yield perform(unit, work.datasets[unit.dataset], work.models[unit.model], threads=work.limits.threads)


class ApartEngine:
    """Do the units in order in one worker process: a model that ends its process ends a unit and not the run.

    Models that cannot be sent to another process are worked on here.
    """

    name = "serial"

    def outcomes(self, units: Iterable[Unit], work: Work) -> Iterator[Outcome]:
        """See `Engine.outcomes`."""
        from bakeoff.runner._engines._pool import NotSent, ProcessEngine

        waiting = iter(units)
        try:
            yield from ProcessEngine(1).outcomes(waiting, work)
        except NotSent:  # found out before any unit is taken
            yield from SerialEngine().outcomes(waiting, work)
