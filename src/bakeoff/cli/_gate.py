"""`bakeoff gate`: let a candidate pass only if it is shown to be not worse than the baseline by a margin."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text
from bakeoff.cli import _options as opt
from bakeoff.cli._compare import NTest, NTrain, Outcomes, Test
from bakeoff.cli._names import NamingCommand

if TYPE_CHECKING:
    from bakeoff.comparison import Comparison
    from bakeoff.evidence import Predictions, Scores

_EXAMPLE = """Examples:

  bakeoff gate preds.csv --truth y --baseline old --candidate new --measure auc --margin 0.01

  bakeoff gate preds.csv --truth y --baseline old --candidate new --measure accuracy --superior

  bakeoff gate long.csv --truth y --model model --instance id --score p --baseline old --candidate new --margin 0.01

Exit status: 0 the candidate passes, 1 it does not, 2 bad usage or input.
"""

FAILED = 1
_KINDS = {"labels": "pred", "scores": "score", "probabilities": "score", "values": "value"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("gate", epilog=_EXAMPLE, cls=NamingCommand)(gate)


def gate(
    path: opt.PredictionsPath,
    baseline: Annotated[str, typer.Option("--baseline", help="Column (or model) in use now.")],
    candidate: Annotated[str, typer.Option("--candidate", help="Column (or model) to be let in.")],
    measure: opt.Measures = None,
    margin: Annotated[
        str | None,
        typer.Option("--margin", help="Largest loss that is acceptable, in the measure's units: 0.05, or 5%."),
    ] = None,
    superior: Annotated[
        bool, typer.Option("--superior", help="Demand that the candidate is shown to be better.")
    ] = False,
    identical_passes: Annotated[
        bool,
        typer.Option(
            "--identical-passes", help="Pass a candidate whose answers are all the same (builds of one model)."
        ),
    ] = False,
    truth: opt.Truth = None,
    pred: opt.Pred = None,
    score: opt.Score = None,
    positive: opt.Positive = None,
    model: opt.ModelColumn = None,
    value: opt.Value = None,
    dataset: opt.Dataset = None,
    repeat: opt.Repeat = None,
    fold: opt.Fold = None,
    groups: opt.Groups = None,
    weight: opt.Weight = None,
    instance: opt.Instance = None,
    outcomes: Outcomes = False,
    classes: opt.Classes = None,
    lower: opt.Lower = None,
    drop_missing: opt.DropMissing = False,
    file_format: opt.Format = None,
    n_train: NTrain = None,
    n_test: NTest = None,
    test: Test = "auto",
    level: opt.Level = 0.95,
    resamples: opt.Resamples = 2000,
    seed: opt.Seed = 0,
    as_json: opt.Json = False,
) -> None:
    """Pass (exit 0) only if the candidate is shown to be not inferior to the baseline by the margin."""
    from bakeoff.cli._inputs import evidence_notes, margin_of, measure_for, only_one, refuse_wide_margin
    from bakeoff.cli._output import print_json, print_notes, say
    from bakeoff.comparison import compare

    asked = only_one(measure)
    if margin is None and not superior:
        raise ParameterError("gate needs --margin, the largest loss that is acceptable, or --superior.")
    keys = {
        "dataset": dataset, "repeat": repeat, "fold": fold, "groups": groups, "sample_weight": weight,
        "instance": instance,
    }  # fmt: skip
    evidence = _read(
        path, baseline, candidate, asked, truth=truth, pred=pred, score=score, value=value, positive=positive,
        model=model, outcomes=outcomes, n_train=n_train, n_test=n_test, classes=classes, lower=lower,
        drop_missing=drop_missing, file_format=file_format, **keys,
    )  # fmt: skip
    both = evidence.select(models=[candidate, baseline])
    _refuse_assumed_direction(both)
    result = compare(
        both, measure_for(evidence, asked, lower), control=baseline, margin=margin_of(margin), test=test,
        confidence_level=level, n_resamples=resamples, rng=seed,
    )  # fmt: skip
    refuse_wide_margin(result.margin, result.measure)
    _refuse_below_chance(both, result)
    passed, sentence = decide(result, candidate, baseline, superior=superior, identical_passes=identical_passes)
    if as_json:
        print_json(_document(result, passed, sentence, superior))
    else:
        say(sentence)
        for line in result.sentences:
            say(line)
        print_notes([*evidence_notes(evidence, result.notes), *(n for n in result.notes if n.level == "warning")])
    if not passed:
        raise typer.Exit(FAILED)


def _refuse_assumed_direction(evidence: Predictions | Scores) -> None:
    """A gate does not guess whether more is better."""
    if any(note.code == "direction-assumed" for note in getattr(evidence, "notes", ())):
        raise ParameterError(
            "gate needs to know whether more or less of these scores is better.",
            hint="name the measure with --measure, or give --lower-is-better or --greater-is-better",
        )


def _refuse_below_chance(evidence: Predictions | Scores, result: Comparison) -> None:
    from bakeoff.cli._inputs import below_chance

    for note in below_chance(evidence, result.measure, dict(result.values)):
        raise EvidenceError(note.message, hint="check --positive; a gate is not decided on models worse than chance")


def decide(
    result: Comparison, candidate: str, baseline: str, *, superior: bool, identical_passes: bool = False
) -> tuple[bool, Text]:
    """Whether the candidate passes, and the sentence that says so.

    The interval decides. A candidate that is worse by the margin answers n rows alike with probability (1 − margin)ⁿ,
    so models that answered alike pass only where the rows are many enough, or where that was asked for.
    """
    pair = result.pair(candidate, baseline)
    names: dict[str, Any] = {"candidate": candidate, "baseline": baseline}
    same = any(note.code in ("identical-models", "no-discordant-pairs") for note in pair.notes)
    if superior:
        if pair.better == candidate:
            return True, Text("PASSED: {candidate} was shown to be better than {baseline}.", **names)
        return False, Text("FAILED: {candidate} was not shown to be better than {baseline}.", **names)
    names["margin"] = f"{result.margin:g}"
    if identical_passes and same and pair.estimate == 0:
        return True, Text("PASSED: {candidate} and {baseline} did the same throughout.", **names)
    if pair.closeness in ("equivalent", "not inferior"):
        return True, Text("PASSED: {candidate} is not inferior to {baseline} by a margin of {margin}.", **names)
    if pair.closeness == "inferior":
        return False, Text("FAILED: {candidate} is worse than {baseline} by more than {margin}.", **names)
    return False, Text(
        "FAILED: it was not shown that {candidate} is not inferior to {baseline} by a margin of {margin}.", **names
    )


def _document(result: Comparison, passed: bool, sentence: Text, superior: bool) -> dict[str, Any]:
    body = result.to_dict()
    return {
        "kind": "Gate", "schema_version": body["schema_version"], "passed": passed, "superior": superior,
        "sentence": sentence.english, "pair": body["pairs"][0], "comparison": body,
    }  # fmt: skip


def _read(
    path: Path, baseline: str, candidate: str, measure: str | None, *,
    truth: str | None, pred: Any, score: Any, value: Any, **options: Any,
) -> Predictions | Scores:  # fmt: skip
    """Predictions of the two columns (their kind follows from the measure), or any evidence with the two models.

    A long file of predictions (one row per model and instance) names its models in --model and its one column of
    predictions with --pred, --score or --value.
    """
    from bakeoff.cli._inputs import read_evidence

    if baseline == candidate:
        raise ParameterError(f"--baseline and --candidate must differ. Both are {baseline!r}.")
    given = {"pred": pred, "score": score, "value": value}
    if truth is not None and not any(given.values()):
        if options["model"] is not None:
            raise EvidenceError(
                "a long file of predictions (--model) needs the column that holds them.",
                hint="name it with --pred, --score or --value",
            )
        given[_kind(path, measure, truth, baseline)] = [candidate, baseline]
    return read_evidence(path, truth=truth, measure=measure, **given, **options)


def _kind(path: Path, measure: str | None, truth: str, column: str) -> str:
    """What kind of predictions a column holds: by the measure's needs, and where these leave it open by its values."""
    from bakeoff._core.frames import columns_of
    from bakeoff.evidence import column as find_column
    from bakeoff.evidence import guess_task, read_table
    from bakeoff.measures import get

    needs = None if measure is None else get(measure).needs
    if needs not in (None, "labels") or path.is_dir() or str(path) == "-":
        return _KINDS.get(needs or "scores", "score")
    table = columns_of(read_table(path))
    true, said = find_column(table, truth, "--truth"), find_column(table, column, "--baseline")
    if needs is None and true.dtype.kind in "iuf" and guess_task(true) == "regression":
        return "value"
    if set(map(str, said.tolist())) <= set(map(str, true.tolist())):
        return "pred"
    return "score" if said.dtype.kind == "f" else "pred"
