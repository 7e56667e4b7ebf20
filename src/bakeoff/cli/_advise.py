"""`bakeoff advise`: which protocol and which test, why, and what to avoid."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from bakeoff.cli import _options as opt

EXAMPLE = """Examples:

  bakeoff advise --models 2 --datasets 1 --rows 800 --task binary

  bakeoff advise --models 5 --datasets 14

  bakeoff advise --guide
"""


def advise(
    models: Annotated[int, Option("--models", help="How many models are compared.")] = 2,
    datasets: Annotated[int, Option("--datasets", help="On how many data sets.")] = 1,
    rows: Annotated[int | None, Option("--rows", help="Rows of a data set.")] = None,
    evidence: Annotated[
        str | None,
        Option(
            "--evidence",
            help="What there is already: predictions, folds, 5x2cv, hold-outs, scores, outcomes, 'graded outcomes'.",
        ),
    ] = None,
    task: Annotated[str | None, Option("--task", help="binary, multiclass, regression or outcomes.")] = None,
    measure: Annotated[str | None, Option("--measure", "-m", help="The measure of interest.")] = None,
    groups: Annotated[bool, Option("--groups", help="Rows come in clusters (patients, users).")] = False,
    weighted: Annotated[bool, Option("--weighted", help="Rows carry weights.")] = False,
    control: Annotated[str | None, Option("--control", help="A model the others are compared with.")] = None,
    whole: Annotated[bool, Option("--guide", help="Show the whole decision guide.")] = False,
    steps: opt.Steps = False,
    as_json: opt.Json = False,
) -> None:
    """Which protocol and which test should I use, and what should I avoid?"""
    from bakeoff.cli._output import print_json, say, show
    from bakeoff.comparison import advise as run
    from bakeoff.comparison import guide

    if whole:
        tree = guide()
        if as_json:
            print_json(tree)
        else:
            say(tree.text())
        return
    result = run(
        evidence, n_models=models, n_datasets=datasets, n_rows=rows, task=task, measure=measure, groups=groups,
        weighted=weighted, control=control,
    )  # fmt: skip
    show(result, opt.Answer(steps=steps, as_json=as_json))
