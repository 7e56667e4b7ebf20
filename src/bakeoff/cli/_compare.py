"""`bakeoff compare`: is the difference between models real, and how large is it?"""

from __future__ import annotations

from typing import Annotated, Literal

from typer import Option

from bakeoff._core.language import translate
from bakeoff.cli import _options as opt

EXAMPLE = """Examples:

  bakeoff compare preds.csv --truth y --score rf --score nb --positive yes --measure auc

  bakeoff compare scores.csv --control baseline

  bakeoff compare folds.csv --model model --value accuracy --fold fold
"""

Test = Annotated[str, Option("--test", help="auto chooses by the design of the evidence; or {tests}.")]
Control = Annotated[str | None, Option("--control", help="Compare every model with this one only.")]
Margin = Annotated[str | None, Option("--margin", help="Largest difference that does not matter: 0.05, or 5%.")]
Over = Annotated[
    Literal["mean", "median"], Option("--over", help="A margin over data sets is about their mean or their median.")
]


@opt.takes()
def compare(
    source: opt.Source,
    answer: opt.Answer,
    measure: opt.Measures = None,
    control: Control = None,
    test: Test = "auto",
    adjust: Annotated[str, Option("--adjust", help="For the number of pairs: holm, hochberg, bh, …")] = "auto",
    posthoc: Annotated[str, Option("--posthoc", help="After a test of all: {posthocs}.")] = "auto",
    alternative: Annotated[str, Option("--alternative", help="two-sided, greater or less.")] = "two-sided",
    margin: Margin = None,
    rope: Annotated[
        float | None, Option("--rope", help="Differences up to this count as equal in the Bayesian answer.")
    ] = None,
    claim: Annotated[
        Literal["kind", "fitted"],
        Option("--claim", help="Over folds, about training models of this kind (kind) or about these (fitted)."),
    ] = "kind",
    over: Over = "mean",
    why: Annotated[bool, Option("--why", help="Say why every other test was not taken.")] = False,
) -> None:
    """Is the difference real? Predictions (--truth …), a table of scores (data sets × models, or long), or outcomes."""
    from bakeoff.cli._inputs import margin_of, measure_for, only_one, run_or_evidence, shares_of
    from bakeoff.cli._output import print_table, say, show, working
    from bakeoff.comparison import compare as run
    from bakeoff.comparison import refuse_wide_margin

    asked = only_one(measure)
    evidence = run_or_evidence(source, measure=asked, by=answer.by)
    with working():
        result = run(
            evidence, measure_for(evidence, asked, source.lower), control=control, test=test, adjust=adjust,
            posthoc=posthoc, alternative=alternative, margin=margin_of(margin), rope=rope, claim=claim, over=over,
            by=answer.by, shares=shares_of(answer.share), min_n=answer.min_n, **answer.drawn,
        )  # fmt: skip
    refuse_wide_margin(result.margin, result.measure)

    def reasons() -> None:
        say()
        rejected = result.choice.rejected
        print_table({translate("test not taken"): list(rejected), translate("why"): list(rejected.values())})

    show(result, answer, more=reasons if why else None)
