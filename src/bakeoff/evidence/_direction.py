"""What a table of scores holds: which measure, whether more is better, and whether its values can be that measure's.

The direction is known, or asked for; it is never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray
from bakeoff.evidence import hooks

ASSUMED = "direction-assumed"  # code of the note: neither a measure nor a direction was named
UNNAMED = "score"
_SAY_NOTHING = ("score", "scores", "value", "values", "result", "results", "metric", "performance", "test_score")
_TIMES = 20  # a model in percent over one in fractions is 100 times the ratio of the two
_SLACK = 1e-9  # rounding in the last digits is no fault

Cells = Mapping[str, FloatArray]


class Settled(NamedTuple):
    """A table of scores whose meaning is settled."""

    measure: str
    greater_is_better: bool
    cells: dict[str, FloatArray]
    notes: tuple[Note, ...]


def settle(
    measure: Any, greater_is_better: Any, cells: Cells, models: Sequence[str], *, heading: str | None = None,
    mixed_scales: bool = False,
) -> Settled:  # fmt: skip
    """Settle name and direction of the scores (data set → ``[J, k]``) and check the values against both.

    `heading` is the name of the column they stand in: it is the measure's where it is known as one. A direction says
    nothing of the scale: models on different ones are asked about unless `mixed_scales` says that they are meant.
    """
    name, greater = name_of(measure) or heading, _direction_of(greater_is_better)
    known = None if name is None else hooks.known_quantity(name)
    if known is None:
        says_nothing = name is None or name.strip().casefold() in _SAY_NOTHING
        if greater is None and not says_nothing and measure is not None:
            raise ParameterError(
                f"it is not known whether more or less of {name!r} is better.",
                hint="say it with greater_is_better=True or False (--greater-is-better, --lower-is-better)",
            )
        if not mixed_scales:
            _refuse_two_scales(cells, models)
        notes = (direction_assumed(),) if greater is None else ()
        return Settled(UNNAMED if says_nothing else str(name), greater is not False, dict(cells), notes)
    assert name is not None
    if known.negated and not known.greater_is_better:
        turned = _un_negated(name, known, greater, cells)
        if not mixed_scales:
            _refuse_two_scales(turned.cells, models)
        return turned
    if greater is not None and greater != known.greater_is_better:
        right = "more" if known.greater_is_better else "less"
        raise ParameterError(
            f"of {known.name} {right} is better, but greater_is_better={greater} was given.",
            hint="leave greater_is_better out, or give the measure the name of what the numbers are",
        )
    _refuse_out_of_bounds(known, cells)
    below_zero = _finite(cells) < 0
    if not known.greater_is_better and greater is None and 2 * below_zero.sum() > below_zero.size:
        raise EvidenceError(
            f"of {known.name} less is better, but most scores are negative: are the scores negated?",
            hint=f"then the name is 'neg_{known.name}'; if not, say greater_is_better=False (--lower-is-better)",
        )
    if known.bounds[1] > 1 and not mixed_scales:  # else no value is a percentage
        _refuse_two_scales(cells, models)
    return Settled(known.name, known.greater_is_better, dict(cells), ())


def scored_by(scoring: Any, measure: Any) -> Any:
    """The measure of a search that tells what it was scored by, negated or not; another one is a contradiction."""
    known = hooks.known_quantity(scoring) if isinstance(scoring, str) else None
    if known is None or measure is None:
        return measure if known is None else scoring
    given = hooks.known_quantity(str(name_of(measure)))
    if given is not None and given.name != known.name:
        raise ParameterError(
            f"the search was scored by {scoring!r}, but the measure given is {given.name!r}.",
            hint="leave the measure out, or give results that were scored by it",
        )
    return scoring


def refuse_losses_of_scorers(measure: Any, cells: Cells) -> None:
    """Of what scikit-learn's scorers return more is better: a loss is negated there, and never positive."""
    known = None if measure is None else hooks.known_quantity(str(name_of(measure)))
    if known is None or known.greater_is_better or known.negated or _largest(cells) <= _SLACK:
        return
    raise EvidenceError(
        f"of scikit-learn's scores more is better, so that {known.name} is negated there, but one of the scores is "
        f"{_largest(cells):.6g}.",
        hint="give the measure that the models were scored by; if the numbers are losses, say greater_is_better=False "
        "(--lower-is-better)",
    )


def name_of(measure: Any) -> str | None:
    """The name of a measure given as one, or as an object; None where nothing is given."""
    name = getattr(measure, "name", measure)
    if name is None or isinstance(name, str):
        return name or None
    raise ParameterError(f"measure must be a name. Got {type(measure).__name__} instead.")


def _direction_of(greater_is_better: Any) -> bool | None:
    if greater_is_better is None or isinstance(greater_is_better, (bool, np.bool_)):
        return None if greater_is_better is None else bool(greater_is_better)
    raise ParameterError(
        f"greater_is_better must be True, False or None. Got {type(greater_is_better).__name__} instead."
    )


def direction_assumed() -> Note:
    """Nobody said whether more is better."""
    return Note(ASSUMED, Text("More was taken as better: neither a measure nor a direction was named."))


def _un_negated(name: str, known: hooks.Quantity, greater: bool | None, cells: Cells) -> Settled:
    """scikit-learn negates losses so that more is better; here a loss is a loss again."""
    if greater is False:
        raise ParameterError(
            f"of {name} more is better, but greater_is_better=False was given.",
            hint=f"for values that are not negated the name is {known.name!r}",
        )
    if _largest(cells) > _SLACK:
        raise EvidenceError(
            f"{name} is never positive, but one of the scores is {_largest(cells):.6g}.",
            hint=f"for values that are not negated the name is {known.name!r}",
        )
    turned = {dataset: 0.0 - values for dataset, values in cells.items()}
    text = Text("The scores were negated ({given}); they are shown as {name}.", given=name, name=known.name)
    return Settled(known.name, known.greater_is_better, turned, (Note("un-negated", text),))


def _refuse_out_of_bounds(known: hooks.Quantity, cells: Cells) -> None:
    low, high = known.bounds
    smallest, largest = float(_finite(cells).min(initial=np.inf)), _largest(cells)
    if smallest < low - _SLACK:
        hint = "check what the numbers are"
        if low == 0 and largest <= 0 and not known.greater_is_better:
            hint = f"are these scikit-learn's negated scores? Then the measure is 'neg_{known.name}'"
        raise EvidenceError(f"{known.name} is never below {low:g}, but one of the scores is {smallest:.6g}.", hint=hint)
    if largest > high + _SLACK:
        percent = high == 1 and largest <= 100
        hint = "are they percentages? Divide them by 100" if percent else "check what the numbers are"
        raise EvidenceError(f"{known.name} is never above {high:g}, but one of the scores is {largest:.6g}.", hint=hint)


def _finite(cells: Cells) -> FloatArray:
    return np.concatenate([np.empty(0), *(values[np.isfinite(values)] for values in cells.values())])


def _largest(cells: Cells) -> float:
    return float(_finite(cells).max(initial=-np.inf))


def _refuse_two_scales(cells: Cells, models: Sequence[str]) -> None:
    if cells:
        refuse_two_scales(dict(zip(models, np.concatenate(list(cells.values())).T, strict=True)))


def refuse_two_scales(columns: Mapping[str, FloatArray]) -> None:
    """Refuse columns within 0 … 1 (or -1 … 0) beside others in percent, or counts: typically many times as large."""
    for sign in (1, -1):
        sizes = {m: sign * values[np.isfinite(values) & (values != 0)] for m, values in columns.items()}
        sizes = {m: v for m, v in sizes.items() if v.size and v.min() > 0}
        shares = {m: float(np.median(v)) for m, v in sizes.items() if v.max() <= 1}
        share = float(np.median([*shares.values()])) if shares else np.inf
        larger = (m for m, v in sizes.items() if m not in shares and np.median(v) > 1)
        percent = next((m for m in larger if np.median(sizes[m]) >= _TIMES * share), None)
        if percent is not None:
            raise _two_scales(next(iter(shares)), percent, columns)


def _two_scales(share: str, percent: str, columns: Mapping[str, FloatArray]) -> EvidenceError:
    (a, b), (low, high) = ((float(np.nanmin(columns[m])), float(np.nanmax(columns[m]))) for m in (share, percent))
    return EvidenceError(
        f"{share!r} is between {a:.4g} and {b:.4g} and {percent!r} between {low:.4g} and {high:.4g}: they are on "
        "different scales.",
        hint="is one a percentage, or no model? Bring all to one scale, or list the columns of the models with "
        "models= (--models); if they are right as they are, give mixed_scales=True (--mixed-scales)",
    )
