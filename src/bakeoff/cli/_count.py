"""`bakeoff count`: what suffices for the answers, without rows, to be sent and added up."""

from __future__ import annotations

from functools import reduce
from operator import add
from pathlib import Path
from typing import Annotated, Any

import typer

from bakeoff.cli import _options as opt

_EXAMPLE = """Example:

  bakeoff count preds.parquet --truth y --score rf --score nb --positive yes -o here.counts
  bakeoff compare here.counts there.counts
"""
_ALONE = 0.01  # share of rows alone at their score above which exact scores are rounded


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("count", epilog=_EXAMPLE)(count)


@opt.takes_source()
def count(
    source: opt.Source,
    output: Annotated[Path, typer.Option("--output", "-o", help="The counts file to write.")],
    measure: Annotated[
        list[str] | None, typer.Option("--measure", "-m", help="What the counts must answer; by default all.")
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Keep scores as they are; one may show a row.")] = False,
    score_bits: Annotated[
        int | None, typer.Option("--score-bits", help="Round scores to so many bits, the same at every site.")
    ] = None,
    min_cell: Annotated[int, typer.Option("--min-cell", help="Join scores until a bin holds so many rows.")] = 0,
    by: opt.By = None,
    merged: Annotated[
        list[Path] | None,
        typer.Option("--with", help="Second round, for AUC of rows in groups: the counts of all sites, once for each."),
    ] = None,
    steps: opt.Steps = False,
) -> None:
    """Count predictions where they are: no rows, no features, no identifiers leave; counts of sites add up."""
    from bakeoff.cli._inputs import listed, read_evidence
    from bakeoff.cli._output import print_steps
    from bakeoff.evidence import Counts, Predictions

    evidence = read_evidence(source, by=by)
    if not isinstance(evidence, Predictions):
        raise typer.BadParameter("a table of scores holds nothing to count; give predictions (--truth)")
    if isinstance(evidence, Counts):
        evidence.save(output)
        return
    how: dict[str, Any] = {"measures": listed(measure), "by": by, "min_cell": min_cell}
    if merged:
        how = {"merged": reduce(add, map(Counts.load, merged))}
    made = evidence.counts(**how, score_bits=score_bits)
    if not (exact or merged) and score_bits is None and made.alone >= _ALONE:
        made = evidence.counts(**how, score_bits=16)
    made.save(output)
    if steps:
        print_steps(made)
