"""`bakeoff count`: what suffices for the answers, without rows, to be sent and added up."""

from __future__ import annotations

from functools import reduce
from operator import add
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from bakeoff.cli import _options as opt

EXAMPLE = """Example:

  bakeoff count preds.parquet --truth y --score rf --score nb --positive yes -o here.counts
  bakeoff compare here.counts there.counts
"""
_ALONE = 0.01  # share of rows alone at their score above which exact scores are rounded


@opt.takes(without=["min_n", "share", "level", "resamples", "seed", "as_json"])
def count(
    source: opt.Source,
    answer: opt.Answer,
    output: Annotated[Path, Option("--output", "-o", help="The counts file to write.")],
    measure: Annotated[
        list[str] | None, Option("--measure", "-m", help="What the counts must answer; by default all.")
    ] = None,
    exact: Annotated[bool, Option("--exact", help="Keep scores as they are; one may show a row.")] = False,
    score_bits: Annotated[
        int | None, Option("--score-bits", help="Round scores to so many bits, the same at every site.")
    ] = None,
    min_cell: Annotated[int, Option("--min-cell", help="Join scores until a bin holds so many rows.")] = 0,
    merged: Annotated[
        list[Path] | None,
        Option("--with", help="Second round, for AUC of rows in groups: the counts of all sites, once for each."),
    ] = None,
) -> None:
    """Count predictions where they are: no rows, no features, no identifiers leave; counts of sites add up."""
    from bakeoff.cli._inputs import listed, read_evidence
    from bakeoff.cli._output import print_steps
    from bakeoff.evidence import Counts, Predictions

    evidence = read_evidence(source, by=answer.by)
    if not isinstance(evidence, Predictions):
        raise typer.BadParameter("a table of scores holds nothing to count; give predictions (--truth)")
    if isinstance(evidence, Counts):
        evidence.save(output)
        return
    how: dict[str, Any] = {"measures": listed(measure), "by": answer.by, "min_cell": min_cell}
    if merged:
        how = {"merged": reduce(add, map(Counts.load, merged))}
    made = evidence.counts(**how, score_bits=score_bits)
    if not (exact or merged) and score_bits is None and made.alone >= _ALONE:
        made = evidence.counts(**how, score_bits=16)
    made.save(output)
    if answer.steps:
        print_steps(made)
