"""What the catalogue says of a measure, as rows of its box in the guide."""

from __future__ import annotations

from bakeoff.measures import get


def bounds_text(bounds: tuple[float, float]) -> str:
    """Write the range of a measure, such as ``0 … 1`` or ``-∞ … 1``."""
    low, high = (f"{b:g}".replace("inf", "∞").replace("-", "−") for b in bounds)
    return f"{low} … {high}"


def facts(name: str) -> list[tuple[str, str]]:
    """Return the rows of a measure's box: meaning, range, direction, needs, when it is undefined."""
    measure = get(name)
    positive = ", and a positive class" if measure.needs_positive else ""
    return [
        ("Says", measure.meaning),
        ("Range", f"{bounds_text(measure.bounds)}; {'greater' if measure.greater_is_better else 'less'} is better"),
        ("Needs", f"{measure.needs}{positive} ({', '.join(measure.tasks)})"),
        ("Undefined when", measure.undefined_when),
    ]
