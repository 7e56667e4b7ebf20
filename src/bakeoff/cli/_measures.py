"""`bakeoff measures`: the catalogue."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from bakeoff._core.language import numeral
from bakeoff.cli import _options as opt

EXAMPLE = """Example:

  bakeoff measures --needs scores
"""


def measures(
    needs: Annotated[
        str | None, Option("--needs", help="Only measures of labels, scores, probabilities or values.")
    ] = None,
    steps: opt.Steps = False,
    as_json: opt.Json = False,
) -> None:
    """List every measure with its direction, bounds, needs and meaning."""
    from bakeoff._core.language import render, translate
    from bakeoff._core.validation import check_choice
    from bakeoff.cli._output import print_json, print_steps, print_table
    from bakeoff.measures import NEEDS, Catalogue, catalogue

    found = catalogue()
    if needs is not None:
        check_choice("--needs", needs, NEEDS)
        found = Catalogue(tuple(m for m in found.measures if m.needs == needs))
    if as_json:
        print_json(found, steps=steps)
        return
    bounds = [f"{_bound(m.bounds[0])} … {_bound(m.bounds[1])}" for m in found.measures]
    print_table(
        {
            "measure": [m.name for m in found.measures],
            "better": [translate("greater") if m.greater_is_better else translate("less") for m in found.measures],
            "bounds": bounds,
            "needs": [render(m.needs) for m in found.measures],
            "meaning": [render(m.meaning) for m in found.measures],
        }
    )
    if steps:
        print_steps(found)


def _bound(value: float) -> str:
    return {float("inf"): "∞", float("-inf"): "-∞"}.get(value, str(numeral(value)))
