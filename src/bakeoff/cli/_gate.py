"""`bakeoff gate`: let a candidate pass only if it is shown to be not worse than the baseline by a margin."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.cli import _options as opt
from bakeoff.cli._compare import Over, Test
from bakeoff.cli._names import NamingCommand

if TYPE_CHECKING:
    from bakeoff.comparison import Gate
    from bakeoff.evidence import Predictions, Scores

EXAMPLE = """Examples:

  bakeoff gate preds.csv --truth y --baseline old --candidate new --measure auc --margin 0.01

  bakeoff gate preds.csv --truth y --baseline old --candidate new --measure accuracy --superior

  bakeoff gate preds.csv --truth y --baseline old --candidate new --margin 1% --markdown summary.md

  bakeoff gate long.csv --truth y --model model --instance id --score p --baseline old --candidate new --margin 0.01

Exit status: 0 the candidate passes, 1 it does not, 2 bad usage or input, 3 an unexpected error.
"""

FAILED = 1
STDOUT = "-"
CI_SUMMARY = "GITHUB_STEP_SUMMARY"  # the file a CI run shows as its summary page
_KINDS = {"labels": "pred", "scores": "score", "probabilities": "score", "values": "value"}


class Command(NamingCommand):
    """A command whose ``--markdown`` may stand without a file."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; where no file follows ``--markdown``, standard output does."""
        filled: list[str] = []
        for word, following in zip(args, [*args[1:], "--"], strict=True):
            filled += [word, STDOUT] if word == "--markdown" and following.startswith("--") else [word]
        return super().parse_args(ctx, filled)


@opt.takes(without=["models", "min_n", "share", "output"])
def gate(
    source: opt.Source,
    answer: opt.Answer,
    baseline: Annotated[str, Option("--baseline", help="Column (or model) in use now.")],
    candidate: Annotated[str, Option("--candidate", help="Column (or model) to be let in.")],
    measure: opt.Measures = None,
    margin: Annotated[
        str | None, Option("--margin", help="Largest loss that is acceptable, in the measure's units: 0.05, or 5%.")
    ] = None,
    superior: Annotated[bool, Option("--superior", help="Demand that the candidate is shown to be better.")] = False,
    identical_passes: Annotated[
        bool,
        Option("--identical-passes", help="Pass a candidate whose answers are all the same (builds of one model)."),
    ] = False,
    by: Annotated[
        list[str] | None, Option("--by", help="Column of slices that must hold as well; again for a crossing.")
    ] = None,
    slice_margin: Annotated[
        str | None, Option("--slice-margin", help="Largest loss that a slice may have; by default --margin.")
    ] = None,
    test: Test = "auto",
    over: Over = "mean",
    markdown: Annotated[
        str | None,
        Option(
            "--markdown",
            help="Write a summary in Markdown to FILE (or standard output), and append it to the summary of a CI run.",
            metavar="[FILE]",
        ),
    ] = None,
) -> None:
    """Pass (exit 0) only if the candidate is shown to be not inferior to the baseline by the margin."""
    from bakeoff.cli._inputs import margin_of, measure_for, only_one
    from bakeoff.cli._output import print_json, print_steps, working
    from bakeoff.comparison import gate as run

    asked = only_one(measure)
    if margin is None and not superior:
        raise ParameterError("gate needs --margin, the largest loss that is acceptable, or --superior.")
    evidence = _read(source, baseline, candidate, asked)
    with working():
        found = run(
            evidence, baseline=baseline, candidate=candidate, measure=measure_for(evidence, asked, source.lower),
            margin=margin_of(margin) or 0.0, superior=superior, by=by or None, slice_margin=margin_of(slice_margin),
            identical_passes=identical_passes, over=over, test=test, **answer.drawn,
        )  # fmt: skip
    if markdown is not None:
        write_markdown(found, markdown)
    if answer.as_json:
        print_json(found, steps=answer.steps)
    elif markdown != STDOUT:
        _show(found, evidence)
        if answer.steps:
            print_steps(found)
    if not found:
        raise typer.Exit(FAILED)


def _show(found: Gate, evidence: Predictions | Scores) -> None:
    from bakeoff.cli._inputs import evidence_notes
    from bakeoff.cli._output import print_notes, print_table, say

    for line in found.sentences:
        say(line)
    if found.slices is not None:
        print_table(found.slices._columns())
    print_notes([*evidence_notes(evidence, found.notes), *(n for n in found.notes if n.level == "warning")])


def write_markdown(found: Gate, place: str) -> None:
    """Write the summary to a file or standard output, and append it to the summary page of a CI run, if there is one.

    A job that prints it does not have it twice: where the CI's file is named by `place`, it is appended once.
    """
    from bakeoff.cli._output import say

    text, page = found.to_markdown(), os.environ.get(CI_SUMMARY)
    if place == STDOUT:
        say(text)
    elif place != page:
        Path(place).write_text(text, encoding="utf-8")
    if page:
        with Path(page).open("a", encoding="utf-8") as file:
            file.write(text + "\n")


def _read(source: opt.Source, baseline: str, candidate: str, measure: str | None) -> Predictions | Scores:
    """Predictions of the two columns (their kind follows from the measure), or any evidence with the two models.

    A long file of predictions (one row per model and instance) names its models in --model and its one column of
    predictions with --pred, --score or --value.
    """
    from bakeoff.cli._inputs import run_or_evidence
    from bakeoff.evidence import paired_rows

    if baseline == candidate:
        raise ParameterError(f"--baseline and --candidate must differ. Both are {baseline!r}.")
    if source.truth is not None and not (source.pred or source.score or source.value):
        if source.model is not None:
            raise EvidenceError(
                "a long file of predictions (--model) needs the column that holds them.",
                hint="name it with --pred, --score or --value",
            )
        kind = _kind(source.path, measure, source.truth, baseline)
        source = replace(source, **{kind: [candidate, baseline]})  # type: ignore[arg-type]  # pred, score or value
    found: Predictions | Scores = paired_rows(run_or_evidence(source, measure=measure), [candidate, baseline])
    return found


def _kind(path: Path, measure: str | None, truth: str, column: str) -> str:
    """What kind of predictions a column holds: by the measure's needs, and where these leave it open by its values."""
    from bakeoff._core.frames import columns_of
    from bakeoff.evidence import column as find_column
    from bakeoff.evidence import kind_of_answers, read_table
    from bakeoff.measures import get

    needs = None if measure is None else get(measure).needs
    if needs not in (None, "labels") or path.is_dir() or str(path) == "-":
        return _KINDS.get(needs or "scores", "score")
    table = columns_of(read_table(path))
    true, found = find_column(table, truth, "--truth"), find_column(table, column, "--baseline")
    kind = kind_of_answers(true, {column: found}).removeprefix("y_")
    return "pred" if kind == "value" and needs == "labels" else kind
