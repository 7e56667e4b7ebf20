"""`bakeoff plan`: how much data does a difference need, and what can be seen with what there is?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from bakeoff.cli import _options as opt

EXAMPLE = """Examples:

  bakeoff plan --measure auc --difference 0.01 --baseline 0.9 --prevalence 0.1

  bakeoff plan --difference 0.01 --datasets 14 --sd 0.02

  bakeoff plan pilot.csv --truth y --score old --score new --positive yes --difference 0.02
"""


Pilot = Annotated[Path | None, Argument(help="A pilot: predictions or scores of two models.", metavar="[FILE]")]


@opt.takes(without=["by", "min_n", "share", "resamples", "seed"], path=Pilot)
def plan(
    source: opt.Source | None,
    answer: opt.Answer,
    measure: Annotated[str | None, Option("--measure", "-m", help="accuracy, auc, or a mean loss.")] = None,
    difference: Annotated[float | None, Option("--difference", help="The true difference to be shown.")] = None,
    power: Annotated[float, Option("--power", help="The chance of showing it.")] = 0.8,
    rows: Annotated[int | None, Option("--rows", help="Test instances at hand.")] = None,
    splits: Annotated[int | None, Option("--splits", help="Train/test splits at hand.")] = None,
    datasets: Annotated[int | None, Option("--datasets", help="Data sets at hand.")] = None,
    models: Annotated[int | None, Option("--models", help="How many models are compared.")] = None,
    with_control: Annotated[bool, Option("--with-control", help="Each with one control, not all pairs.")] = False,
    test: Annotated[str | None, Option("--test", help="Test to plan for: {plannable}.")] = None,
    baseline: Annotated[float | None, Option("--baseline", help="Accuracy or AUC of the model to beat.")] = None,
    prevalence: Annotated[float | None, Option("--prevalence", help="Share of positives.")] = None,
    correlation: Annotated[float | None, Option("--correlation", help="Correlation of the two models.")] = None,
    discordant: Annotated[
        float | None, Option("--discordant", help="Share of instances where exactly one model is right.")
    ] = None,
    sd: Annotated[float | None, Option("--sd", help="Standard deviation of the differences.")] = None,
    n_train: Annotated[int | None, Option("--n-train", help="Rows in a training part.")] = None,
    n_test: Annotated[int | None, Option("--n-test", help="Rows in a test part.")] = None,
) -> None:
    """How many instances, splits or data sets does a difference need; or what is the smallest one I can see?"""
    from bakeoff.cli._inputs import read_evidence
    from bakeoff.cli._output import show
    from bakeoff.comparison import plan as run

    evidence = None if source is None else read_evidence(source, measure=measure)
    result = run(
        evidence, measure=measure, difference=difference, power=power, confidence_level=answer.level, n_rows=rows,
        n_splits=splits, n_datasets=datasets, n_models=models, control=with_control, test=test, baseline=baseline,
        prevalence=prevalence, correlation=correlation, discordant=discordant, sd=sd, n_train=n_train, n_test=n_test,
    )  # fmt: skip
    show(result, answer)
