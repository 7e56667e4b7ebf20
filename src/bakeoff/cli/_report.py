"""`bakeoff report`: the whole story in one HTML file."""

from __future__ import annotations

import shlex
import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from typer import Option

from bakeoff._core.language import translate
from bakeoff.cli import _options as opt
from bakeoff.cli._compare import Control, Margin

EXAMPLE = """Examples:

  bakeoff report runs/churn -o report.html

  bakeoff report preds.csv --truth y --score rf --score nb --positive yes -o report.html

  bakeoff report runs/churn --paper paper/
"""

_LEVEL = 0.95


@opt.takes(without=["by", "min_n", "share", "resamples"])
def report(
    source: opt.Source,
    answer: opt.Answer,
    output: Annotated[Path, Option("--output", "-o", help="The HTML file to write.")] = Path("report.html"),
    measure: opt.Measures = None,
    title: Annotated[str | None, Option("--title", help="Title of the page.")] = None,
    measures: Annotated[list[str] | None, Option("--measures", help="The measures of the table: auc,brier,f1.")] = None,
    control: Control = None,
    margin: Margin = None,
    prevalence: Annotated[float | None, Option("--prevalence", help="Prevalence where the model will work.")] = None,
    cost_fp: Annotated[float | None, Option("--cost-fp", help="Cost of a false alarm.")] = None,
    cost_fn: Annotated[float | None, Option("--cost-fn", help="Cost of a miss.")] = None,
    exports: Annotated[
        Path | None, Option("--exports", help="Folder for CSV, LaTeX, Markdown, SVG, PNG and JSON of everything.")
    ] = None,
    paper: Annotated[
        Path | None,
        Option("--paper", help="Folder for a paper: LaTeX tables, PDF and SVG figures, methods, BibTeX."),
    ] = None,
) -> None:
    """Write the report of a run, of predictions, or of scores."""
    from bakeoff.cli._inputs import listed, margin_of, measure_for, only_one
    from bakeoff.cli._output import print_json, print_notes, say, width, working
    from bakeoff.report import report as make

    asked = only_one(measure)
    evidence = _evidence(source, asked)
    given: list[Any] = [evidence]
    if context := opt.given(prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn):
        from bakeoff.decision import OperatingContext

        given.append(OperatingContext(**context))
    named = measure_for(evidence, asked, source.lower)
    with working():
        if control is not None or margin is not None or answer.level != _LEVEL:
            given.append(_asked(evidence, "compare")(
                named, control=control, margin=margin_of(margin), confidence_level=answer.level, rng=answer.seed
            ))  # fmt: skip
        if measures is not None or answer.level != _LEVEL:
            given.append(_asked(evidence, "evaluate")(listed(measures), confidence_level=answer.level, rng=answer.seed))
        made = make(
            *given, title=title or source.path.stem or None, measure=named, rng=answer.seed, sources=[source.path],
            command=_command(sys.argv[1:]), paper=paper, steps=answer.steps,
        )  # fmt: skip
    made.save(output)
    if exports is not None:
        made.export(exports)
    if answer.as_json:
        found = made.to_dict()
        print_json({**found, "steps": [w._plain() for w in made.workings]} if answer.steps else found)
    else:
        shown = made.to_dict()["verdict"]
        for sentence in shown:
            say(sentence)
        print_notes([note for note in getattr(evidence, "notes", ()) if str(note.text) not in shown])
        for working_out in made.workings if answer.steps else ():
            say()
            say(working_out.text(width()))
        say(translate("Report: {path}", path=output))
        if paper is not None:
            say(translate("Paper: {path}", path=paper / "paper.tex"))


def _asked(evidence: Any, verb: str) -> Any:
    """`compare` or `evaluate` of this evidence; the results of a run answer themselves."""
    import bakeoff

    return getattr(evidence, verb, None) or partial(getattr(bakeoff, verb), evidence)


def _command(arguments: list[str]) -> str:
    """The command that made the page, without the name of the page: the same report is the same file."""
    kept, skip = ["bakeoff"], False
    for argument in arguments:
        if not skip and not argument.startswith("--output=") and argument not in ("-o", "--output"):
            kept.append(argument)
        skip = argument in ("-o", "--output")
    return shlex.join(kept)


def _evidence(source: opt.Source, measure: str | None) -> Any:
    """A store, a predictions file, outcomes, logs, or (with no truth named) a table of scores."""
    from bakeoff.cli._inputs import read_evidence
    from bakeoff.evidence import is_store

    if is_store(source.path) and not any((source.truth, source.models, source.datasets)):
        from bakeoff.runner import Results

        return Results.open(source.path)
    return read_evidence(source, measure=measure)
