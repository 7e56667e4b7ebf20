"""From command-line options to evidence: every command reads what `bakeoff.read` reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import translate
from bakeoff.evidence import Predictions, Run, Scores, direction_assumed, is_counts, read, refuse_absent

if TYPE_CHECKING:
    from pathlib import Path

    from bakeoff._core.result import Note
    from bakeoff.cli._options import Source


def named_columns(given: Sequence[str] | None) -> dict[str, str | list[str]] | None:
    """Turn ``rf``, ``rf=column`` and ``rf=p_a,p_b,p_c`` into model → column (or class columns)."""
    if not given:
        return None
    named: dict[str, str | list[str]] = {}
    for text in given:
        model, mark, column = text.partition("=")
        source = column or model
        if "," in source and not mark:
            raise EvidenceError(
                f"{text!r} names several columns.",
                hint="give the option once per model; for probabilities of several classes MODEL=COLUMN,COLUMN,…",
            )
        if not model:
            raise EvidenceError(f"{text!r} names no model.", hint="give COLUMN, or MODEL=COLUMN")
        if model in named:
            raise EvidenceError(f"the model {model!r} was given twice.", hint="model names must differ")
        named[model] = source.split(",") if "," in source else source
    return named


def listed(given: Sequence[str] | None) -> list[str] | None:
    """Turn ``a,b`` and repeated options into one list of names."""
    return [part.strip() for text in given for part in text.split(",") if part.strip()] if given else None


def only_one(measures: Sequence[str] | None) -> str | None:
    """The one measure of a command that takes one."""
    found = listed(measures)
    if found is not None and len(found) > 1:
        raise ParameterError(
            f"this command takes one measure. Got {', '.join(found)}.", hint="call it once for each measure"
        )
    return found[0] if found else None


def run_or_evidence(source: Source, *, measure: str | None = None, by: Sequence[str] | None = None) -> Any:
    """A run of which models lack splits answers itself, so that each keeps its own; else as `read_evidence`."""
    from bakeoff.evidence import hooks, is_store

    if is_store(source.path) and not any((source.truth, source.models, source.datasets, source.positive)):
        run = hooks.run_in_store(source.path)
        if run is not None and set(run.models) != set(run.complete):
            return run
    return read_evidence(source, measure=measure, by=by)


def read_evidence(
    source: Source, *, measure: str | None = None, by: Sequence[str] | None = None
) -> Predictions | Scores:
    """Read predictions where a truth is named (or the path is a store), outcomes or sums where asked, else scores.

    The columns that the answer is cut by are kept with the evidence.
    """
    from bakeoff.cli._output import working

    with working(translate("Reading {path} ...", path=source.path)):
        found = _read(source, measure, by)
    return found if source.datasets is None else found.select(datasets=listed(source.datasets))


def _read(source: Source, measure: str | None, by: Sequence[str] | None) -> Predictions | Scores:
    path, value = source.path, source.value
    refuse_absent(path)
    if source.more:
        _refuse_stray_words([path, *source.more])
        return added_up([path, *source.more])
    shared: dict[str, Any] = {name: getattr(source, name) for name in _SHARED}
    kept = list(dict.fromkeys([*(listed(source.slice) or ()), *(by or ())]))
    shared |= {"slices": kept or None, "sample_weight": source.weight, "pos_label": source.positive}
    if source.truth is not None:
        return _predictions(source, shared)
    if source.pred or source.score:
        raise EvidenceError(
            f"{str(path)!r}: no predictions without the column of the truth.", hint="name it with --truth"
        )
    if value and len(value) > 1:
        raise EvidenceError("a long table of scores has one column of scores.", hint="--model COLUMN --value COLUMN")
    shared |= {"n_test": source.n_test, "value": value[0] if value else None}
    shared |= {"models": listed(source.models), "classes": listed(source.classes)}
    if source.sums:
        return read(path, **{**shared, "format": "sums"})
    if source.outcomes:
        return _outcomes(source, shared, stated=measure is not None or source.lower is not None)
    return read(path, **shared, measure=measure, greater_is_better=_greater(source.lower))


# Options that have the name of the argument of `read`.
_SHARED = (
    "model", "dataset", "repeat", "fold", "groups", "instance", "frequency", "attempt", "n_train", "mixed_scales",
    "drop_missing", "skip_bad", "format", "task", "metric", "filter", "errors", "item", "table", "sql",
)  # fmt: skip


def _refuse_stray_words(paths: list[Path]) -> None:
    """`--score a b` gives the option one column; the next word is taken for a further file."""
    stray = next((p for p in paths if not p.exists()), None)
    if stray is not None and paths[0].suffix != ".counts":
        raise EvidenceError(
            f"{str(stray)!r} is no file, and only counts files can be several.",
            hint="for several columns or measures give the option once for each: --score a --score b",
        )


def _outcomes(source: Source, shared: dict[str, Any], *, stated: bool) -> Predictions | Scores:
    """Outcomes; of numbers that are no shares of success nobody knows whether more is better, unless it is stated."""
    found = read(source.path, **{**shared, "format": "outcomes"})
    assert isinstance(found, Predictions)
    values = [output.values for rows in found for output in rows.outputs.values() if output.values is not None]
    if stated or all(v.min() >= 0 and v.max() <= 1 for v in values):
        return found
    return replace(found, notes=(*found.notes, direction_assumed()))


def added_up(paths: Sequence[Path]) -> Predictions:
    """Counts files of several sites as one."""
    from functools import reduce
    from operator import add

    from bakeoff.evidence import Counts

    return reduce(add, [Counts.load(path) for path in paths])


def _greater(lower: bool | None) -> bool | None:
    return None if lower is None else not lower


def _predictions(source: Source, shared: dict[str, Any]) -> Predictions | Scores:
    if source.outcomes:
        raise ParameterError("--outcomes is for tables without a truth.", hint="leave --truth or --outcomes out")
    if not (source.pred or source.score or source.value):
        raise EvidenceError(
            "no column was named as a model's predictions.", hint="--pred, --score or --value, once per model"
        )
    found = read(
        source.path, **shared, y_true=source.truth, y_pred=named_columns(source.pred),
        y_score=named_columns(source.score), y_value=named_columns(source.value),
        classes=_as_numbers(listed(source.classes)), greater_is_better=_greater(source.lower),
    )  # fmt: skip
    chosen = listed(source.models)
    return found if chosen is None else found.select(models=chosen)


def _as_numbers(labels: list[str] | None) -> list[Any] | None:
    """Classes typed as 0,1,2 are the numbers of the file."""
    try:
        return None if labels is None else [int(label) for label in labels]
    except ValueError:
        return list(labels or ())


def read_predictions(source: Source, *, by: Sequence[str] | None = None) -> Predictions:
    """Read predictions; a table of scores is refused with what is missing."""
    path = source.path
    if source.truth is None and not path.is_dir() and not is_counts(path):
        raise EvidenceError(
            f"the column of the truth in {str(path)!r} must be named.", hint="y_true=… (--truth on the command line)"
        )
    found = read_evidence(source, by=by)
    if not isinstance(found, Predictions):
        raise EvidenceError(f"{str(path)!r} holds no predictions.", hint="name the column of the truth with --truth")
    return found


def measure_for(evidence: Predictions | Scores | Run, measure: str | None, lower: bool | None) -> Any:
    """The measure to ask for: outcomes may be of something of which less is better (seconds, costs, edits)."""
    if isinstance(evidence, Scores):
        return None  # they carry it
    if isinstance(evidence, Run):
        return measure
    from bakeoff._core.language import label
    from bakeoff.evidence import hooks
    from bakeoff.measures import find, get

    mean = get("mean_outcome")
    if next(iter(evidence)).task not in mean.tasks or (measure is None and lower is None):
        return measure
    known = hooks.known_quantity(measure) if measure is not None else None
    if measure is not None and find(measure) is not None and lower is None:
        return measure
    if lower is None and known is None:
        get(str(measure))  # says what measures there are
    if known is not None and lower is not None and known.greater_is_better is lower:
        raise ParameterError(
            f"of {measure} {'more' if lower else 'less'} is better.", hint="leave --lower-is-better out"
        )
    greater = known.greater_is_better if lower is None and known is not None else not lower
    name = measure or mean.name
    shown = mean.label if measure is None else label(measure.replace("_", " "))
    return replace(mean, name=name, label=shown, greater_is_better=greater, bounds=(-float("inf"), float("inf")))


def shares_of(given: Sequence[str] | None) -> dict[str, float] | None:
    """Shares as typed: SLICE=0.4, once for every slice."""
    found = {}
    for text in given or ():
        name, mark, number = text.rpartition("=")
        try:
            found[name] = float(number if mark else "")
        except ValueError:
            raise ParameterError(f"--share must be SLICE=SHARE, such as north=0.4. Got {text!r}.") from None
    return found or None


def margin_of(text: str | None) -> float | None:
    """A margin as typed: 0.05, or 5%."""
    if text is None:
        return None
    number, percent = text.strip().removesuffix("%"), text.strip().endswith("%")
    try:
        return float(number) / 100 if percent else float(number)
    except ValueError:
        raise ParameterError(f"--margin must be a number, or a percentage such as 5%. Got {text!r} instead.") from None


def evidence_notes(evidence: Any, told: Sequence[Note]) -> list[Note]:
    """What was decided when the evidence was read, unless the result tells it already."""
    return [note for note in getattr(evidence, "notes", ()) if note.code not in {t.code for t in told}]
