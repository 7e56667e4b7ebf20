"""From command-line options to an operating context."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bakeoff._core.errors import ParameterError
from bakeoff.decision import MulticlassContext, OperatingContext, UncertainContext, as_context
from bakeoff.evidence import Predictions, content_of

NAMES = ("prevalence", "cost_fp", "cost_fn", "cost_tp", "cost_tn")


def number_or_range(name: str, text: str) -> float | tuple[float, float]:
    """Read ``0.01``, or a range ``0.005:0.02``."""
    low, colon, high = text.partition(":")
    try:
        return (float(low), float(high)) if colon else float(low)
    except ValueError:
        option = name.replace("_", "-")
        raise ParameterError(
            f"--{option} must be a number or a range low:high. Got {text!r} instead.", hint=f"--{option} 0.5 or 0.2:0.8"
        ) from None


def context_of(given: Mapping[str, str]) -> OperatingContext | UncertainContext:
    """Make a context of the options that were given."""
    return as_context({name: number_or_range(name, text) for name, text in given.items()})


def parse_context(text: str) -> OperatingContext:
    """Read ``prevalence=0.01,cost-fp=10,cost-fn=10000``."""
    found: dict[str, str] = {}
    for part in text.replace(";", ",").split(","):
        name, equals, value = part.partition("=")
        key = name.strip().replace("-", "_")
        if not equals or key not in NAMES:
            raise ParameterError(
                f"--context must be like 'prevalence=0.01,cost-fp=10,cost-fn=10000'. Got {part.strip()!r} in it."
            )
        found[key] = value.strip()
    context = context_of(found)
    if isinstance(context, UncertainContext):
        raise ParameterError("--context takes numbers, no ranges.", hint="ranges are for `bakeoff decide`")
    return context


def cost_measure(predictions: Predictions, context: OperatingContext) -> Any:
    """Return the measure "expected cost" of a context, in the class order of the data."""
    from bakeoff.measures import expected_cost

    rows = next(iter(predictions))
    rows.positives()
    order = [1, 0] if rows.positive == 0 else [0, 1]
    matrix = context.cost_matrix[order][:, order]
    if context.prevalence is None:
        return expected_cost(matrix)
    priors = [1 - context.prevalence, context.prevalence]
    return expected_cost(matrix, [priors[i] for i in order])


def read_cost_matrix(path: Path, priors: str | None) -> MulticlassContext:
    """Read a labelled cost matrix (CSV: true class in the first column, predicted classes as header) and priors."""
    import csv

    content = content_of(path)
    text = (path.read_bytes() if content is None else content).decode("utf-8-sig")
    lines = [line for line in csv.reader(text.splitlines()) if any(cell.strip() for cell in line)]
    if len(lines) < 3 or any(len(line) != len(lines[0]) for line in lines):
        raise ParameterError(
            f"{str(path)!r} must be a cost matrix with a header: true class first, then one column per predicted class."
        )
    header = [cell.strip() for cell in lines[0][1:]]
    table = {line[0].strip(): dict(zip(header, map(_cost, line[1:]), strict=True)) for line in lines[1:]}
    return OperatingContext.multiclass(table, _priors(priors))


def _cost(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParameterError(f"a cost must be a number. Got {text!r} in the cost matrix.") from None


def _priors(text: str | None) -> Any:
    if text is None:
        return None
    pairs = [part.partition("=") for part in text.split(",")]
    try:
        return {name.strip(): float(value) for name, _, value in pairs}
    except ValueError:
        raise ParameterError(f"--priors must be like 'a=0.2,b=0.8'. Got {text!r} instead.") from None
