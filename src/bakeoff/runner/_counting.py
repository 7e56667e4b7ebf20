"""Counting at scale: counts of a store's files, computed where the files are and merged by addition.

A unit's file is counted on its own, so the work splits over the workers of a Dask cluster (which must see the store's
folder); only counts travel: K×K cells, or the positives and negatives at each distinct score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text
from bakeoff._core.result import warning_note
from bakeoff._core.validation import check_choice
from bakeoff.counts import CELLS, TALLY
from bakeoff.evidence import ConfusionCounts, ScannedRows, Scores, ScoreTally, Source, Split
from bakeoff.measures import Measure, get, require, undefined_reason
from bakeoff.runner._pairing import by_dataset
from bakeoff.runner._records import UnitRecord
from bakeoff.runner._store import Pair

if TYPE_CHECKING:
    from bakeoff.runner._results import Results

KINDS = ("confusion", "tally")
_MERGED_AT_ONCE = 8
_TASKS_PER_WORKER = 4

UnitCounts: TypeAlias = ConfusionCounts | ScoreTally


def merged_counts(results: Results, kind: str, engine: Any = None) -> dict[Pair, UnitCounts]:
    """Return the counts of each data set and model over all its units: ``"confusion"`` cells or score ``"tally"``.

    Parameters
    ----------
    engine
        None to count here, file by file; or a Dask client or scheduler address to count where the files are.
    """
    check_choice("kind", kind, KINDS)
    pairs = _by_pair(results.store.records())
    if engine is None:
        return {pair: _merge(c for _, c in _count(results.store, records, kind)) for pair, records in pairs.items()}
    with _client(engine) as client:
        return {pair: _merge_there(client, results, records, kind) for pair, records in pairs.items()}


def scores_by_counting(results: Results, measure: str | Measure, engine: Any = None) -> Scores:
    """Return one number per data set, model, repeat and fold, each computed from the counts of its own file.

    The measure must be a function of counts: every label measure, and for two classes AUC, average precision, log loss,
    Brier score and the like.
    """
    chosen = get(measure)
    kind = _kind_of(chosen)
    records = results.store.records()
    if engine is None:
        values = _values(results.store, records, chosen.name, kind)
    else:
        with _client(engine) as client:
            chunks = _chunks(records, _TASKS_PER_WORKER * _n_workers(client))
            futures = [client.submit(_values, results.store, c, chosen.name, kind, pure=False) for c in chunks]
            values = [v for part in client.gather(futures) for v in part]
    return _as_scores(results, chosen, records, values)


def _kind_of(measure: Measure) -> str:
    if measure.of_cells:
        return "confusion"
    if measure.of_tally:
        return "tally"
    raise ParameterError(
        f"{measure.name} is not a function of counts, so it cannot be computed by counting.",
        hint="use Results.scores without engine=",
    )


def _by_pair(records: Iterable[UnitRecord]) -> dict[Pair, list[UnitRecord]]:
    return {(d, m): list(places.values()) for d, table in by_dataset(records).items() for m, places in table.items()}


def by_counts(measure: str | Measure) -> bool:
    """Tell whether a measure is a function of counts."""
    return get(measure).form in (CELLS, TALLY)


def _count(
    store: Any, records: Sequence[UnitRecord], kind: str, measure: Measure | None = None
) -> Iterator[tuple[UnitRecord, UnitCounts]]:
    """Count units one at a time: never more than one file in memory. The measure, if given, must be available."""
    for record in records:
        if record.file is not None and not record.file.exists():
            raise EvidenceError(
                f"the file {str(record.file)!r} is not there.",
                hint="the workers of a cluster must see the store's folder at the same path",
            )
        source = Source(record.dataset, {record.model: store.scan([record])})
        splits = (Split(0, 0, record.n_test),)
        rows = ScannedRows(source, facts={"classes": record.classes, "pos_label": record.pos_label, "splits": splits})
        if measure is not None:
            require(measure, rows, record.model)
        yield record, rows.confusion(record.model) if kind == "confusion" else rows.tally(record.model)


def _values(store: Any, records: Sequence[UnitRecord], name: str, kind: str) -> list[tuple[str, float]]:
    """Return (unit key, value) of each unit."""
    measure, found = get(name), []
    for record, counts in _count(store, records, kind, measure):
        if isinstance(counts, ConfusionCounts):
            value = float(measure.value(counts.cells, _positive(record)))
        else:
            value = float(measure.value(counts.scores, counts.positive, counts.negative))
        found.append((record.key, value))
    return found


def _positive(record: UnitRecord) -> int | None:
    return None if record.pos_label is None else record.classes.index(record.pos_label)


def _as_scores(
    results: Results, measure: Measure, records: list[UnitRecord], values: list[tuple[str, float]]
) -> Scores:
    lookup = dict(values)
    cells, splits = {}, {}
    undefined = [r for r in records if np.isnan(lookup.get(r.key, 0.0))]
    notes = [warning_note("undefined", _why_undefined(measure, r)) for r in undefined]
    for dataset, table in by_dataset(records).items():
        known = {place: r for places in table.values() for place, r in places.items()}
        order = sorted(known)
        cells[dataset] = np.array([[_value_at(table.get(m, {}).get(p), lookup) for m in results.models] for p in order])
        splits[dataset] = tuple(Split(*p, known[p].n_test, known[p].n_train) for p in order)
    return Scores(
        results.models, cells, splits, measure.name, measure.greater_is_better, protocol=results.manifest.kind,
        task=records[0].task, notes=tuple(notes),
    )  # fmt: skip


def _value_at(record: UnitRecord | None, values: Mapping[str, float]) -> float:
    return np.nan if record is None else values.get(record.key, np.nan)


def _why_undefined(measure: Measure, record: UnitRecord) -> Text:
    split = Split(record.repeat, record.fold, record.n_test, record.n_train)
    reason = undefined_reason(measure, record.dataset, split)
    return Text("model {model!r}: {reason}.", model=record.model, reason=reason)


def _merge(parts: Iterable[UnitCounts]) -> UnitCounts:
    total: Any = None
    for part in parts:
        total = part if total is None else total + part
    assert total is not None
    merged: UnitCounts = total
    return merged


def _count_and_merge(store: Any, records: Sequence[UnitRecord], kind: str) -> UnitCounts:
    return _merge(counts for _, counts in _count(store, records, kind))


def _merge_list(parts: list[UnitCounts]) -> UnitCounts:
    return _merge(parts)


def _merge_there(client: Any, results: Results, records: list[UnitRecord], kind: str) -> UnitCounts:
    """Count chunks of files on the workers and merge them there, eight at a time; one result comes back."""
    chunks = _chunks(records, _TASKS_PER_WORKER * _n_workers(client))
    futures = [client.submit(_count_and_merge, results.store, c, kind, pure=False) for c in chunks]
    while len(futures) > 1:
        groups = [futures[i : i + _MERGED_AT_ONCE] for i in range(0, len(futures), _MERGED_AT_ONCE)]
        futures = [client.submit(_merge_list, g, pure=False) for g in groups]
    merged: UnitCounts = futures[0].result()
    return merged


def _chunks(records: list[UnitRecord], n: int) -> list[list[UnitRecord]]:
    return [records[i::n] for i in range(min(n, len(records)))]


def _n_workers(client: Any) -> int:
    return max(len(client.scheduler_info(n_workers=-1)["workers"]), 1)


def _client(engine: Any) -> Any:
    from contextlib import closing, nullcontext

    from bakeoff.runner._engines._dask import connect

    client, own = connect(engine)
    return closing(client) if own else nullcontext(client)
