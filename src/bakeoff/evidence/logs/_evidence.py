"""From records to evidence: which task, metric and filter, which lines are attempts, and what does not fit together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.frames import make_frame
from bakeoff._core.language import Text
from bakeoff._core.result import Note, warning_note
from bakeoff._core.validation import check_choice
from bakeoff.evidence import hooks
from bakeoff.evidence._columns import names_among
from bakeoff.evidence._direction import direction_assumed
from bakeoff.evidence._predictions import Predictions
from bakeoff.evidence._rows import Rows
from bakeoff.evidence.logs._find import Found
from bakeoff.evidence.logs._record import Asked, Record, Source

BY_FILE = "file"
_RATING = ("inspect", "promptfoo", "deepeval")  # their scores rate success: more is better
# No field of a log begins with a space.
_MODEL, _ITEM, _ATTEMPT, _OUTCOME, _GROUP = " model", " item", " attempt", " outcome", " group"


def evidence_of(found: Found, asked: Asked) -> Predictions:
    """Make evidence of logs: each task a data set, items paired by what identifies them."""
    check_choice("errors", asked.errors, ("missing", "wrong"))
    records = _records(found, asked)
    known = list(dict.fromkeys(r.task for r in records))
    tasks = names_among(asked.task, known, "task")
    told_of = {pair: greater for log in found.logs for pair, greater in log.greater.items()}
    tables: dict[str, Rows] = {}
    notes, metrics, less, assumed = list[Note](), dict[str, None](), set[bool](), False
    chosen = _choices(records, tasks, asked)
    if not chosen:
        raise _unknown_metric([r for r in records if r.task in tasks], asked)
    for task, (metric, own, said) in chosen.items():
        metrics |= dict.fromkeys(name for r in own for name in r.values)
        notes += said
        made = _table(own, metric, asked)
        rows = made.table()
        greater = _more_is_better(metric, told_of.get((task, metric)), asked.greater_is_better)
        tables |= {task: replace(rows, name=task, less_is_better=greater is False and rows.task == "outcomes")}
        less.add(tables[task].less_is_better)
        assumed |= greater is None and found.format not in _RATING and _no_shares(rows)
        notes += made.notes
    notes += [direction_assumed()] * assumed
    notes += [warning_note("log", text) for log in found.logs for text in log.told]
    notes += _skipped(found.skipped)
    versions = dict.fromkeys(log.version for log in found.logs if log.version)
    source = Source(
        format=found.format, version=", ".join(versions), files=tuple(log.file for log in found.logs),
        skipped=found.skipped, tasks=tuple(known), metrics=tuple(metrics),
        notes=tuple(note.message for note in notes),
    )  # fmt: skip
    if len({rows.task for rows in tables.values()}) > 1:
        raise EvidenceError("some tasks hold outcomes, others sums that add up.", hint="choose with task= (--task)")
    if len(less) > 1:
        raise EvidenceError("of some tasks more is better, of others less.", hint="choose with task= (--task)")
    return Predictions(tables, tuple(notes), source=source)


# -- which lines ------------------------------------------------------------------------------------------------------


def _records(found: Found, asked: Asked) -> list[Record]:
    """The records of the models that are wanted, with the file and place where they stand."""
    records = []
    for log in found.logs:
        places = Counter[Any]()
        for record in log.records:
            one = _keyed(record, asked)
            key = (one.task, one.model, one.item, one.filter)
            places[key] += 1
            records.append(replace(one, file=log.file, place=places[key]))
    if isinstance(asked.model, str) and records and asked.model in records[0].about:  # a field, not a name
        return records
    names = names_among(asked.model, list(dict.fromkeys(r.model for r in records)), "model")
    return [r for r in records if r.model in names]


def _keyed(record: Record, asked: Asked) -> Record:
    """The record with the fields that were named as its item, attempt or model."""
    changed: dict[str, Any] = {}
    if asked.item is not None:
        changed |= {"item": str(_field(record, asked.item, "item")), "shown": None}
    if asked.attempt not in (None, BY_FILE):
        changed["attempt"] = _field(record, str(asked.attempt), "attempt")
    if isinstance(asked.model, str) and asked.model in record.about:
        changed["model"] = str(record.about[asked.model])
    return replace(record, **changed) if changed else record


def _field(record: Record, name: str, role: str) -> Any:
    if name not in record.about:
        raise unknown_choice(f"{role}= (a field of the log)", name, record.about)
    return record.about[name]


# -- metric and filter ------------------------------------------------------------------------------------------------

_Choice = tuple[str, list[Record], list[Note]]


def _choices(records: Sequence[Record], tasks: Iterable[str], asked: Asked) -> dict[str, _Choice]:
    """Of every task its metric and the answers read by one filter: those asked for, else the tool's first.

    Tasks without them are left out, and models without such a score.
    """
    found: dict[str, _Choice] = {}
    for task in tasks:
        own = [r for r in records if r.task == task]
        filters = _common((r.filter, r.model, True) for r in own)
        if asked.filter is not None and asked.filter not in filters:
            continue
        filter = filters[0] if asked.filter is None else asked.filter
        mine = [r for r in own if r.filter == filter]
        metrics = _common((m, r.model, value is not None) for r in mine for m, value in r.values.items())
        metric = _metric(metrics, asked.metric)
        if metric is None:
            continue
        scored = {r.model for r in mine if asked.errors == "wrong" or r.values.get(metric) is not None}
        without = [m for m in dict.fromkeys(r.model for r in own) if m not in scored]
        said = [_left_out(task, metric, filter, without)] if without else []
        if asked.metric is None and len(metrics) > 1:
            said.append(_first("metric-taken", task, metric, [m for m in metrics if m != metric]))
        if asked.filter is None and len(filters) > 1:
            said.append(_first("filter-taken", task, str(filter), [str(f) for f in filters if f != filter]))
        found[task] = metric, [r for r in mine if r.model in scored], said
    return found


def _common(found: Iterable[tuple[Any, str, bool]]) -> list[Any]:
    """What the log has, first what all models have: the tool's first of those is what they can be compared by."""
    models: dict[Any, set[str]] = {}
    for name, model, there in found:
        models.setdefault(name, set()).update((model,) * there)
    every = len(set().union(*models.values()))
    return sorted((name for name in models if models[name]), key=lambda name: len(models[name]) < every)


def _left_out(task: str, metric: str, filter: str | None, models: Sequence[str]) -> Note:
    text = Text(
        "{task}: no answer of {models} has a score {metric}, and they are left out.",
        task=task, models=", ".join(models), metric=metric if filter is None else f"{metric} ({filter})",
    )  # fmt: skip
    return warning_note("models-without-score", text)


def _metric(known: Sequence[str], wanted: str | None) -> str | None:
    """The metric asked for, by its whole name or its last part; the first one where none was."""
    if wanted is None or wanted in known:
        return wanted or next(iter(known), None)
    ends = [name for name in known if name.endswith(f"/{wanted}") or name.startswith(f"{wanted} [")]
    return ends[0] if len(ends) == 1 else None


def _first(code: str, task: str, taken: str, others: Sequence[str]) -> Note:
    text = Text(
        "{task}: {taken} was read; the log also has {others}.", task=task, taken=taken, others=", ".join(others)
    )
    return Note(code, text)


def _more_is_better(metric: str, told: bool | None, asked: bool | None) -> bool | None:
    """Direction of a metric: as the tool tells, else as it was asked for, else that of its name; None: not known."""
    if told is None:
        known = hooks.known_quantity(metric.split(" [")[0].rpartition("/")[2])
        told = None if known is None or asked is not None else known.greater_is_better or known.negated
    if None not in (told, asked) and told is not asked:
        raise ParameterError(
            f"of {metric} {'more' if told else 'less'} is better, as the log tells.",
            hint="leave greater_is_better= (--lower-is-better, --greater-is-better) out",
        )
    return asked if told is None else told


def _no_shares(rows: Rows) -> bool:
    """Whether outcomes pass 0 and 1: of shares of success more is better, of other numbers nobody knows."""
    if rows.task != "outcomes":
        return False
    values = [rows.values(m)[rows.has(m)] for m in rows.models]
    return any(v.min() < 0 or v.max() > 1 for v in values)


def _unknown_metric(records: Sequence[Record], asked: Asked) -> Exception:
    if asked.filter is not None and asked.filter not in {r.filter for r in records}:
        return unknown_choice("filter", asked.filter, dict.fromkeys(str(r.filter) for r in records if r.filter))
    known = dict.fromkeys(m for r in records for m in r.values)
    if asked.metric is not None and known:
        return unknown_choice("metric", asked.metric, known)
    return EvidenceError("no metric of the log is a number for each item.", hint="log a score for each item")


# -- the long table ---------------------------------------------------------------------------------------------------


def _table(records: Sequence[Record], metric: str, asked: Asked) -> Predictions:
    """One line per item, model and attempt of one task, made evidence: the one place that does so."""
    _refuse_other_texts(records)
    attempts = _attempts(records, asked)
    names = _names(records)
    slices = _slices(records)
    columns: dict[str, list[Any]] = {
        _MODEL: [r.model for r in records],
        _ITEM: [names[r.item] for r in records],
        **{name: [values.get(r.item) for r in records] for name, values in slices.items()},
    }
    options: dict[str, Any] = {"model": _MODEL, "item": _ITEM, "slices": list(slices)}
    if attempts is not None:
        columns[_ATTEMPT], options["attempt"] = attempts, _ATTEMPT
    copies = [r.copy_of or r.item for r in records]
    if asked.groups is not None:
        if asked.groups not in slices:
            raise unknown_choice("groups", asked.groups, slices)
        options["groups"] = asked.groups
    elif len(set(copies)) < len(names):
        columns[_GROUP], options["groups"] = copies, _GROUP
    values = [r.values.get(metric) for r in records]
    sums = next((v for v in values if isinstance(v, Mapping)), None)
    if sums is None:
        wrong = 0.0 if asked.errors == "wrong" else None
        columns[_OUTCOME] = [wrong if v is None else v for v in values]
        options |= {"outcome": _OUTCOME, "drop_missing": asked.drop_missing}
        return Predictions.from_outcomes(make_frame(columns, "polars"), **options)
    added = list(sums)
    columns |= {name: [v.get(name) if isinstance(v, Mapping) else None for v in values] for name in added}
    return Predictions.from_sums(make_frame(columns, "polars"), columns=added, **options)


def _refuse_other_texts(records: Sequence[Record]) -> None:
    """An item that asks one thing here and another there is not the same item: pairing would be nonsense."""
    seen: dict[str, Record] = {}
    for r in records:
        first = seen.setdefault(r.item, r)
        if None not in (first.text, r.text) and first.text != r.text:
            where = f"in {first.file!r} and in {r.file!r}" if first.file != r.file else f"within {r.file!r}"
            raise EvidenceError(
                f"the item {r.name!r} asks one thing and another {where}: these are not the same items.",
                hint="read logs of the same version of the task, or one of them alone",
            )


def _attempts(records: Sequence[Record], asked: Asked) -> list[str] | None:
    """Which attempt each record is; None where every model answered every item once."""
    files: dict[tuple[str, str], str] = {}
    for r in records:
        other = files.setdefault((r.model, r.item), r.file)
        if other != r.file and asked.attempt != BY_FILE:
            raise EvidenceError(
                f"two logs hold answers of the model {r.model!r} to the item {r.name!r}: {other!r} and {r.file!r}.",
                hint="give attempt='file' (--attempt file) to take them as attempts, or read one of them alone",
            )
    if len(files) == len(records):
        return None
    found = [str(r.place if r.attempt is None else r.attempt) for r in records]
    return [f"{r.file} {a}" for r, a in zip(records, found, strict=True)] if asked.attempt == BY_FILE else found


def _names(records: Sequence[Record]) -> dict[str, str]:
    """What each item is called: its short name where that tells it from all others."""
    shown: dict[str, set[str]] = {}
    for r in records:
        shown.setdefault(r.name, set()).add(r.item)
    names: dict[str, str] = {}
    for r in records:
        names.setdefault(r.item, r.name if len(shown[r.name]) == 1 else f"{r.name} ({r.item[:12]})")
    return names if len(set(names.values())) == len(names) else {item: item for item in names}


def _slices(records: Sequence[Record]) -> dict[str, dict[str, Any]]:
    """What the log keeps about items: field → item → value, for fields on which all records of an item agree."""
    found: dict[str, dict[str, Any]] = {}
    varies: set[str] = set()
    for r in records:
        for name, value in r.about.items():
            if found.setdefault(name, {}).setdefault(r.item, str(value)) != str(value):
                varies.add(name)
    return {name: values for name, values in found.items() if name not in varies}


def _skipped(skipped: Mapping[str, str]) -> list[Note]:
    if not skipped:
        return []
    listed = ", ".join(list(skipped)[:6]) + (", …" if len(skipped) > 6 else "")
    return [Note("files-skipped", Text("{n} files were not read: {names}.", n=len(skipped), names=listed))]
