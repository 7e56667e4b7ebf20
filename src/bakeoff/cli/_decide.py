"""`bakeoff decide`: which model, at which threshold, for these costs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import translate
from bakeoff.cli import _options as opt

if TYPE_CHECKING:
    from bakeoff.decision import Decision
    from bakeoff.evidence import Predictions

EXAMPLE = """Examples:

  bakeoff decide preds.csv --truth y --score rf --score nb --positive yes --prevalence 0.01 --cost-fp 10 --cost-fn 10000

  bakeoff decide preds.csv --truth y --score rf --positive yes --prevalence 0.005:0.02 --cost-fn 5000:20000 --ranges
"""


Costs = Annotated[
    Path | None,
    Option(
        "--costs",
        help="CSV with a cost matrix for several classes: true class first, then a column per predicted class.",
    ),
]


@opt.takes(without=["value", "outcomes", "sums", "attempt", "lower", "n_train", "n_test", "share"])
def decide(
    source: opt.Source,
    answer: opt.Answer,
    prevalence: Annotated[
        str | None,
        Option(
            "--prevalence",
            help="Share of positives where the model will work, or a range low:high; by default as in the file.",
        ),
    ] = None,
    cost_fp: Annotated[str | None, Option("--cost-fp", help="Cost of a false alarm (or low:high).")] = None,
    cost_fn: Annotated[str | None, Option("--cost-fn", help="Cost of a miss (or low:high).")] = None,
    cost_tp: Annotated[str | None, Option("--cost-tp", help="Cost of a hit; negative is a gain.")] = None,
    cost_tn: Annotated[str | None, Option("--cost-tn", help="Cost of a correct rejection; negative is a gain.")] = None,
    costs: Costs = None,
    priors: Annotated[str | None, Option("--priors", help="Class priors for --costs: a=0.2,b=0.8.")] = None,
    ranges: Annotated[bool, Option("--ranges", help="Also list who is cheapest in which contexts.")] = False,
) -> None:
    """Choose the model and the threshold that cost least in your context, or none at all."""
    from bakeoff.cli._context import context_of, read_cost_matrix
    from bakeoff.cli._inputs import read_predictions
    from bakeoff.cli._output import show, working
    from bakeoff.decision import decide as run

    given = opt.given(prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn, cost_tp=cost_tp, cost_tn=cost_tn)
    if costs is not None and given:
        raise ParameterError("give either --costs with --priors, or --prevalence and --cost-..., not both.")
    context = context_of(given) if costs is None else read_cost_matrix(costs, priors)
    predictions = read_predictions(source, by=answer.by)
    with working():
        result = run(predictions, context, by=answer.by, min_n=answer.min_n, **answer.drawn)
    show(result, answer, more=partial(_show_ranges, predictions, result) if ranges and costs is None else None)


def _show_ranges(predictions: Predictions, result: Decision) -> None:
    """Print who is cheapest on which interval of contexts."""
    from bakeoff.cli._output import print_table, say
    from bakeoff.decision import UncertainContext, cost_curves

    context: Any = result.context.mean() if isinstance(result.context, UncertainContext) else result.context
    found = cost_curves(predictions).ranges(by="model")
    prevalences = [r.prevalences(context) for r in found]
    columns: dict[str, list[Any]] = {
        translate("cheapest"): [r.model for r in found],
        translate("PC(+) from"): [r.pc_low for r in found],
        translate("PC(+) to"): [r.pc_high for r in found],
        translate("prevalence from"): [low for low, _ in prevalences],
        translate("prevalence to"): [high for _, high in prevalences],
    }
    say()
    print_table(columns, title=translate("Who is cheapest where (prevalences at the costs given)"))
