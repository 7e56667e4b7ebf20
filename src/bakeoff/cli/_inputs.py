"""From command-line options to evidence: every command reads what `bakeoff.read` reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.evidence import Predictions, Scores, read

if TYPE_CHECKING:
    from bakeoff._core.notes import Note


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


def read_evidence(
    path: Path,
    *,
    truth: str | None = None,
    pred: Sequence[str] | None = None,
    score: Sequence[str] | None = None,
    value: Sequence[str] | None = None,
    positive: str | None = None,
    classes: Sequence[str] | None = None,
    models: Sequence[str] | None = None,
    model: str | None = None,
    outcomes: bool = False,
    measure: str | None = None,
    lower: bool | None = None,
    drop_missing: bool = False,
    file_format: str | None = None,
    **keys: Any,
) -> Predictions | Scores:
    """Read predictions where a truth is named (or the path is a store), outcomes where asked, else scores."""
    if str(path) != "-" and not path.exists():
        raise EvidenceError(f"there is no file {str(path)!r}.", hint="check the spelling and the current folder")
    shared: dict[str, Any] = {**keys, "drop_missing": drop_missing, "format": file_format}
    if truth is not None:
        if not (pred or score or value):
            raise EvidenceError(
                "no column was named as a model's predictions.", hint="--pred, --score or --value, once per model"
            )
        return _predictions(
            path, shared, y_true=truth, y_pred=named_columns(pred), y_score=named_columns(score),
            y_value=named_columns(value), pos_label=positive, classes=listed(classes), model=model,
            chosen=listed(models), greater_is_better=_greater(lower), outcomes=outcomes,
        )  # fmt: skip
    if pred or score:
        raise EvidenceError(
            f"{str(path)!r}: no predictions without the column of the truth.", hint="name it with --truth"
        )
    if value and len(value) > 1:
        raise EvidenceError("a long table of scores has one column of scores.", hint="--model COLUMN --value COLUMN")
    long: dict[str, Any] = {"model": model, "value": value[0] if value else None, "models": listed(models)}
    stated: dict[str, Any] = {"pos_label": positive, "classes": listed(classes)}
    if outcomes:
        return read(path, **{**shared, "format": "outcomes"}, **long, **stated)
    return read(path, **shared, **long, **stated, measure=measure, greater_is_better=_greater(lower))


def _greater(lower: bool | None) -> bool | None:
    return None if lower is None else not lower


def _predictions(
    path: Path, shared: dict[str, Any], *, chosen: Any, outcomes: bool, **columns: Any
) -> Predictions | Scores:
    if outcomes:
        raise ParameterError("--outcomes is for tables without a truth.", hint="leave --truth or --outcomes out")
    shared.pop("n_test", None)  # seen in the predictions
    labels = columns.pop("classes")
    found = read(path, **shared, **columns, classes=None if labels is None else _as_numbers(labels))
    return found if chosen is None else found.select(models=chosen)


def _as_numbers(labels: list[str]) -> list[Any]:
    """Classes typed as 0,1,2 are the numbers of the file."""
    try:
        return [int(label) for label in labels]
    except ValueError:
        return list(labels)


def read_predictions(path: Path, **options: Any) -> Predictions:
    """Read predictions; a table of scores is refused with what is missing."""
    if options.get("truth") is None and not (path.is_dir()):
        raise EvidenceError(
            f"the column of the truth in {str(path)!r} must be named.", hint="y_true=… (--truth on the command line)"
        )
    found = read_evidence(path, **options)
    if not isinstance(found, Predictions):
        raise EvidenceError(f"{str(path)!r} holds no predictions.", hint="name the column of the truth with --truth")
    return found


def measure_for(evidence: Predictions | Scores, measure: str | None, lower: bool | None) -> Any:
    """The measure to ask for: outcomes may be of something of which less is better (seconds, costs, edits)."""
    if isinstance(evidence, Scores):
        return None  # they carry it
    if next(iter(evidence)).task != "outcomes" or (measure is None and lower is None):
        return measure
    from dataclasses import replace

    from bakeoff._core.language import label
    from bakeoff.evidence import hooks
    from bakeoff.measures import find, get

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
    mean = get("mean_outcome")
    name = measure or mean.name
    shown = mean.label if measure is None else label(measure.replace("_", " "))
    return replace(mean, name=name, label=shown, greater_is_better=greater, bounds=(-float("inf"), float("inf")))


def margin_of(text: str | None) -> float | None:
    """A margin as typed: 0.05, or 5%."""
    if text is None:
        return None
    number, percent = text.strip().removesuffix("%"), text.strip().endswith("%")
    try:
        return float(number) / 100 if percent else float(number)
    except ValueError:
        raise ParameterError(f"--margin must be a number, or a percentage such as 5%. Got {text!r} instead.") from None


def refuse_wide_margin(margin: float | None, measure: str) -> None:
    """No candidate can fail by a margin that is half of all that the measure can take."""
    from bakeoff.measures import find

    known = find(measure)
    if margin is None or known is None:
        return
    low, high = known.bounds
    if high - low < float("inf") and margin >= (high - low) / 2:
        guess = f"did you mean {margin / 100:g}?" if 1 <= margin <= 100 else None
        raise ParameterError(
            f"--margin must be less than half of what {known.name} can take ({low:g} to {high:g}). Got {margin:g}.",
            hint=guess,
        )


def below_chance(evidence: Predictions | Scores, measure: str, values: dict[str, float]) -> list[Note]:
    """Warn where every model's AUC is shown to be below one half: is the positive class, or a sign, swapped?"""
    from bakeoff._core.language import Text
    from bakeoff._core.notes import warning_note
    from bakeoff.intervals import evaluate
    from bakeoff.measures import Trait, find

    known = find(measure)
    if known is None or Trait.AREA not in known.traits or not isinstance(evidence, Predictions):
        return []
    if not values or max(values.values()) >= 0.5:
        return []
    found = evaluate(evidence.select(models=list(values)), known, rng=0, baselines=False)
    if any(entry.interval.high >= 0.5 for entry in found.entries):
        return []
    text = Text(
        "Every AUC is shown to be below 0.5: is the other class the positive one, or the sign of a score wrong?"
    )
    return [warning_note("below-chance", text)]


def evidence_notes(evidence: Any, told: Sequence[Note]) -> list[Note]:
    """What was decided when the evidence was read, unless the result tells it already."""
    return [note for note in getattr(evidence, "notes", ()) if note.code not in {t.code for t in told}]
