"""Dominance: which of two models is cheaper, in which contexts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff._core.result import Note, Result
from bakeoff._core.validation import FloatArray
from bakeoff.decision._curve import TIE, Envelope, RocCurve
from bakeoff.decision._ranges import ContextRange, ContextRanges


@dataclass(frozen=True, repr=False)
class Dominance(Result):
    """Which of two models is cheaper, in which contexts.

    Attributes
    ----------
    model_a, model_b
        The two models.
    winner
        The model that is never costs more and somewhere less; ``"equal"`` when they cost the same everywhere,
        ``"neither"`` when each is cheaper somewhere.
    ranges
        Intervals of PC(+) and the cheaper model on each (``"equal"`` where they cost the same).
    """

    model_a: str
    model_b: str
    winner: str
    ranges: ContextRanges
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Sequence[Any]]:
        return self.ranges._columns()


def dominance(curve_a: RocCurve, curve_b: RocCurve, *, trivial: bool = True) -> Dominance:
    """Tell whether one model beats another in every context, or where each is cheaper.

    Both are taken at their best threshold for each context. With `trivial`, either may be replaced by a trivial rule
    where that is cheaper (so that two models are equal where neither is worth using); this is dominance of the hulls.
    Without, the models' own points are compared.

    Examples
    --------
    >>> from bakeoff.decision import RocCurve, dominance
    >>> dominance(RocCurve.from_point(0.4, 0.9, model="A"), RocCurve.from_point(0.1, 0.6, model="B")).winner
    'neither'
    """
    own = {curve.model: curve.envelope for curve in (curve_a, curve_b)}
    pair = {model: envelope.with_ends() for model, envelope in own.items()} if trivial else own
    ranges = cheaper_of(curve_a.model, curve_b.model, pair)
    seen = {r.model for r in ranges} - {"equal"}
    winner = "equal" if not seen else seen.pop() if len(seen) == 1 else "neither"
    return Dominance(curve_a.model, curve_b.model, winner, ranges)


def cheaper_of(a: str, b: str, envelopes: Mapping[str, Envelope]) -> ContextRanges:
    """Return the intervals of PC(+) with the cheaper of two models on each; exact, from the crossings of the lines."""
    x = crossings(envelopes[a], envelopes[b])
    middle = (x[1:] + x[:-1]) / 2
    gap = envelopes[a].at(middle) - envelopes[b].at(middle)
    names = np.where(np.abs(gap) <= TIE, "equal", np.where(gap < 0, a, b))
    pieces = [ContextRange(str(n), np.nan, float(lo), float(hi)) for n, lo, hi in zip(names, x, x[1:], strict=False)]
    return ContextRanges(tuple(pieces)).by_model()


def crossings(a: Envelope, b: Envelope) -> FloatArray:
    """Return every PC(+) where either envelope bends or the two cross, with 0 and 1."""
    bends = np.unique(np.concatenate((a.breaks, b.breaks)))
    gap = a.at(bends) - b.at(bends)
    cross = np.flatnonzero(gap[:-1] * gap[1:] < 0)
    part = gap[cross] / (gap[cross] - gap[cross + 1])
    return np.unique(np.concatenate((bends, bends[cross] + part * (bends[cross + 1] - bends[cross]))))


@dataclass(frozen=True)
class Dominated:
    """A model that is the cheapest in no context.

    Attributes
    ----------
    model
        Its name.
    by
        The models or trivial rules that beat it, in order of PC(+).
    alone
        Those that, on their own or replaced by a trivial rule, never cost more than it.
    ranges
        Who is cheapest on which interval of PC(+), and so beats it there.
    """

    model: str
    by: tuple[str, ...]
    alone: tuple[str, ...]
    ranges: ContextRanges


def dominated_by(model: str, envelopes: Mapping[str, Envelope], ranges: ContextRanges) -> Dominated:
    """Find who beats a model that has no corner of the hull."""
    ended = {name: envelope.with_ends() for name, envelope in envelopes.items()}
    alone = tuple(o for o in ended if o != model and {r.model for r in cheaper_of(o, model, ended)} <= {o, "equal"})
    return Dominated(model, tuple(dict.fromkeys(ranges.models)), alone, ranges)
