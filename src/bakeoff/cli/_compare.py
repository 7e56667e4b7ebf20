"""`bakeoff compare`: is the difference between models real, and how large is it?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

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
Outcomes = Annotated[
    bool, typer.Option("--outcomes", help="The file holds outcomes: rows items, columns models, cells 0/1 or graded.")
]
NTrain = Annotated[int | None, typer.Option("--n-train", help="Size of the training sets, where not derivable.")]
NTest = Annotated[int | None, typer.Option("--n-test", help="Size of the test sets, where not derivable.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare", epilog=_EXAMPLE, cls=NamingCommand)(compare)


def compare(
    path: opt.PredictionsPath,
    truth: opt.Truth = None,
    pred: opt.Pred = None,
    score: opt.Score = None,
    value: opt.Value = None,
    positive: opt.Positive = None,
    measure: opt.Measures = None,
    control: Annotated[str | None, typer.Option("--control", help="Compare every model with this one only.")] = None,
    test: Test = "auto",
    adjust: Annotated[str, typer.Option("--adjust", help="For the number of pairs: holm, hochberg, bh, …")] = "auto",
    posthoc: Annotated[str, typer.Option("--posthoc", help="After a test of all: {posthocs}.")] = "auto",
    alternative: Annotated[str, typer.Option("--alternative", help="two-sided, greater or less.")] = "two-sided",
    margin: Annotated[
        str | None, typer.Option("--margin", help="Largest difference that does not matter: 0.05, or 5%.")
    ] = None,
    model: opt.ModelColumn = None,
    dataset: opt.Dataset = None,
    repeat: opt.Repeat = None,
    fold: opt.Fold = None,
    groups: opt.Groups = None,
    weight: opt.Weight = None,
    instance: opt.Instance = None,
    outcomes: Outcomes = False,
    models: opt.Models = None,
    classes: opt.Classes = None,
    lower: opt.Lower = None,
    drop_missing: opt.DropMissing = False,
    file_format: opt.Format = None,
    n_train: NTrain = None,
    n_test: NTest = None,
    why: Annotated[bool, typer.Option("--why", help="Say why every other test was not taken.")] = False,
    level: opt.Level = 0.95,
    resamples: opt.Resamples = 2000,
    seed: opt.Seed = 0,
    output: opt.Output = None,
    as_json: opt.Json = False,
) -> None:
    """Is the difference real? Predictions (--truth …), a table of scores (data sets × models, or long), or outcomes."""
    from bakeoff.cli._inputs import margin_of, measure_for, only_one, read_evidence, refuse_wide_margin
    from bakeoff.cli._output import print_json, write_csv
    from bakeoff.comparison import compare as run

    asked = only_one(measure)
    evidence = read_evidence(
        path, truth=truth, pred=pred, score=score, value=value, positive=positive, model=model, dataset=dataset,
        repeat=repeat, fold=fold, groups=groups, sample_weight=weight, instance=instance, outcomes=outcomes,
        measure=asked, n_train=n_train, n_test=n_test, models=models, classes=classes, lower=lower,
        drop_missing=drop_missing, file_format=file_format,
    )  # fmt: skip
    result = run(
        evidence, measure_for(evidence, asked, lower), control=control, test=test, adjust=adjust, posthoc=posthoc,
        alternative=alternative, margin=margin_of(margin), confidence_level=level, n_resamples=resamples, rng=seed,
    )  # fmt: skip
    refuse_wide_margin(result.margin, result.measure)
    if output is not None:
        write_csv(result, output)
    if as_json:
        print_json(result)
    else:
        show(result, why=why, evidence=evidence)


def show(result: Comparison, *, why: bool = False, evidence: Predictions | Scores | None = None) -> None:
    """Print a comparison: design, verdict, pair table, groups, the choice, notes."""
    from bakeoff.cli._inputs import below_chance, evidence_notes
    from bakeoff.cli._output import print_notes, print_table, say

    say(result.design.describe())
    say()
    for sentence in result.sentences:
        say(sentence)
    first = [note for note in result.notes if note.code == "direction-assumed"]
    for note in first:
        say(note.text)
    say()
    print_table(pair_columns(result))
    if result.letters and len(result.models) > 2:
        say()
        print_table(model_columns(result))
    say()
    say(translate("Test: {test} ({reason}).", test=result.choice.chosen, reason=result.choice.reason))
    if why:
        rejected = result.choice.rejected
        print_table({translate("test not taken"): list(rejected), translate("why"): list(rejected.values())})
    told = [note for note in result.notes if note not in first]
    extra = [] if evidence is None else evidence_notes(evidence, result.notes)
    swapped = [] if evidence is None else below_chance(evidence, result.measure, dict(result.values))
    print_notes([*swapped, *extra, *told])


def pair_columns(result: Comparison) -> dict[str, list[object]]:
    """The columns of the pair table that a person reads."""
    frame = result._columns()
    names = ["model_a", "model_b", "estimate", "low", "high", "pvalue", "pvalue_adjusted", "effect_size", "effect"]
    if len(result.pairs) == 1:
        names.remove("pvalue_adjusted")
    names += ["closeness"] if result.margin is not None else ["better"]
    return {name: list(frame[name]) for name in names}


def model_columns(result: Comparison) -> dict[str, list[object]]:
    """Models, best first, with value, mean rank and the letters of their groups."""
    order = list(result.ranks or result.values)
    columns: dict[str, list[object]] = {"model": list(order), result.measure: [result.values[m] for m in order]}
    if result.ranks is not None:
        columns[translate("mean rank")] = [result.ranks[m] for m in order]
    columns[translate("not told apart")] = [result.letters[m] for m in order]
    return columns
