"""`bakeoff compare`: is the difference between models real, and how large is it?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bakeoff._core.language import translate
from bakeoff.cli import _options as opt
from bakeoff.cli._names import NamingCommand

if TYPE_CHECKING:
    from bakeoff.comparison import Comparison
    from bakeoff.evidence import Predictions, Scores

_EXAMPLE = """Examples:

  bakeoff compare preds.csv --truth y --score rf --score nb --positive yes --measure auc

  bakeoff compare scores.csv --control baseline

  bakeoff compare folds.csv --model model --value accuracy --fold fold
"""

Test = Annotated[str, typer.Option("--test", help="auto chooses by the design of the evidence; or {tests}.")]
Control = Annotated[str | None, typer.Option("--control", help="Compare every model with this one only.")]
Margin = Annotated[str | None, typer.Option("--margin", help="Largest difference that does not matter: 0.05, or 5%.")]
Claim = Annotated[
    Literal["kind", "fitted"],
    typer.Option("--claim", help="Over folds, about training models of this kind (kind) or about these (fitted)."),
]
Over = Annotated[
    Literal["mean", "median"],
    typer.Option("--over", help="A margin over data sets is about their mean or their median."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare", epilog=_EXAMPLE, cls=NamingCommand)(compare)


@opt.takes_source()
def compare(
    source: opt.Source,
    measure: opt.Measures = None,
    control: Control = None,
    test: Test = "auto",
    adjust: Annotated[str, typer.Option("--adjust", help="For the number of pairs: holm, hochberg, bh, …")] = "auto",
    posthoc: Annotated[str, typer.Option("--posthoc", help="After a test of all: {posthocs}.")] = "auto",
    alternative: Annotated[str, typer.Option("--alternative", help="two-sided, greater or less.")] = "two-sided",
    margin: Margin = None,
    rope: Annotated[
        float | None, typer.Option("--rope", help="Differences up to this count as equal in the Bayesian answer.")
    ] = None,
    claim: Claim = "kind",
    over: Over = "mean",
    by: opt.By = None,
    min_n: opt.MinN = 30,
    share: opt.Share = None,
    why: Annotated[bool, typer.Option("--why", help="Say why every other test was not taken.")] = False,
    level: opt.Level = 0.95,
    resamples: opt.Resamples = 2000,
    seed: opt.Seed = 0,
    output: opt.Output = None,
    steps: opt.Steps = False,
    as_json: opt.Json = False,
) -> None:
    """Is the difference real? Predictions (--truth …), a table of scores (data sets × models, or long), or outcomes."""
    from bakeoff.cli._inputs import margin_of, measure_for, only_one, run_or_evidence, shares_of
    from bakeoff.cli._output import print_json, print_steps, working, write_csv
    from bakeoff.comparison import compare as run
    from bakeoff.comparison import refuse_wide_margin

    asked = only_one(measure)
    evidence = run_or_evidence(source, measure=asked, by=by)
    with working():
        result = run(
            evidence, measure_for(evidence, asked, source.lower), control=control, test=test, adjust=adjust,
            posthoc=posthoc, alternative=alternative, margin=margin_of(margin), rope=rope, claim=claim, over=over,
            confidence_level=level, n_resamples=resamples, rng=seed, by=by, shares=shares_of(share), min_n=min_n,
        )  # fmt: skip
    refuse_wide_margin(result.margin, result.measure)
    if output is not None:
        write_csv(result, output)
    if as_json:
        print_json(result, steps=steps)
    else:
        show(result, why=why, evidence=evidence)
        if steps:
            print_steps(result)


def show(result: Comparison, *, why: bool = False, evidence: Predictions | Scores | None = None) -> None:
    """Print a comparison, and why every other test was not taken."""
    from bakeoff.cli._output import print_table, print_view, say, show_slices

    print_view(result)
    if result.slices is not None:
        show_slices(result.slices)
    if why:
        say()
        rejected = result.choice.rejected
        print_table({translate("test not taken"): list(rejected), translate("why"): list(rejected.values())})
