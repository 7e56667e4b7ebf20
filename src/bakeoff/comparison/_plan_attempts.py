"""Planning from a pilot with several attempts at an item: what items and attempts each add to the variance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import check_count
from bakeoff.comparison._pilot import Pilot
from bakeoff.evidence import Predictions, Rows
from bakeoff.intervals import components
from bakeoff.measures import Measure, Trait, for_rows


@dataclass(frozen=True)
class Attempts:
    """The difference of two models over items attempted several times.

    Attributes
    ----------
    items, attempts
        Items, and attempts at each (their mean).
    variance, of_attempts
        Variance of the difference on one item, and the part of it that attempts make.
    """

    items: int
    attempts: float
    variance: float
    of_attempts: float


def with_attempts(
    pilot: Pilot, evidence: Any, measure: Measure | None, n_attempts: int | None
) -> tuple[Pilot, Attempts | None]:
    """What a pilot with attempts tells; its spread is that of so many attempts as are planned for."""
    found = None
    if isinstance(evidence, Predictions) and measure is not None and len(evidence.datasets) == 1:
        found = _again(evidence.table(), measure)
    if n_attempts is None or found is None:
        if n_attempts is not None:
            raise ParameterError(
                "n_attempts= needs a pilot of outcomes with several attempts at an item.",
                hint="Predictions.from_outcomes(…, attempt=…)",
            )
        return pilot, found
    planned = check_count("n_attempts", n_attempts, minimum=1)
    scaled = found.of_attempts * found.attempts / planned
    planned_for = Attempts(found.items, planned, found.variance - found.of_attempts + scaled, scaled)
    error = pilot.facts.pilot
    if error is not None and found.variance > 0:
        error = replace(error, se=error.se * float(np.sqrt(planned_for.variance / found.variance)))
    facts = replace(pilot.facts, sd=float(np.sqrt(planned_for.variance)), pilot=error, discordant=None)
    return replace(pilot, facts=facts), planned_for


def _again(rows: Rows, measure: Measure) -> Attempts | None:
    """Differences by item of the first two models, and what attempts add to their variance."""
    if len(rows.models) < 2 or not any(rows.attempted_again(m) for m in rows.models[:2]):
        return None
    if not for_rows(measure, rows).has(Trait.OF_ITEMS):
        return None
    rows = rows.answered(rows.models[:2])
    counts = [rows.attempts(m) for m in rows.models[:2]]
    parts = [components(rows.name, m, measure.name, c, 0.0) for m, c in zip(rows.models[:2], counts, strict=True)]
    inverse = [float((1 / c[:, 0]).mean()) for c in counts]
    of_attempts = sum(p.var_attempts * i for p, i in zip(parts, inverse, strict=True) if np.isfinite(p.var_attempts))
    means = [c[:, 1] / c[:, 0] for c in counts]
    variance = float((means[0] - means[1]).var(ddof=1))
    attempts = float(np.mean([c[:, 0].mean() for c in counts]))
    return Attempts(rows.n, attempts, variance, min(float(of_attempts), variance))
