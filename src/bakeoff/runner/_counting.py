"""Counts of a store, file by file: asked of the engine where the files are, and merged by addition.

A unit's file is counted on its own, so the work splits over the workers of a Dask cluster (which must see the store's
folder); only counts travel: K×K cells, or the positives and negatives at each distinct score.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text
from bakeoff._core.result import warning_note
from bakeoff._core.validation import check_choice
from bakeoff.counts import CELLS, TALLY
from bakeoff.evidence import Rows, Scores, Split
from bakeoff.measures import Measure, compute, get, undefined_reason
from bakeoff.runner._pairing import by_dataset, scanned
from bakeoff.runner._records import UnitRecord
from bakeoff.runner._store import Pair

if TYPE_CHECKING:
    from bakeoff.runner._results import Results

KINDS = ("confusion", "tally")
_MERGED_AT_ONCE = 8
_TASKS_PER_WORKER = 4


def merged_counts(results: Results, kind: str, engine: Any = None) -> dict[Pair, Any]:
    """Return the counts of each data set and model over all its units: ``"confusion"`` cells or score ``"tally"``.

    Parameters
    ----------
    engine
        None to count here, file by file; or a Dask client or scheduler address to count where the files are.
    """
    check_choice("kind", kind, KINDS)
    tables = by_dataset(results.store.records())
    pairs = {(d, m): list(places.values()) for d, table in tables.items() for m, places in table.items()}
    if engine is None:
        return {pair: _counted(results.store, records, kind) for pair, records in pairs.items()}
    with _client(engine) as client:
        return {pair: _merge_there(client, results, records, kind) for pair, records in pairs.items()}


def scores_by_counting(results: Results, measure: str | Measure, engine: Any = None) -> Scores:
    """Return one number per data set, model, repeat and fold, each computed from the counts of its own file.

    The measure must be a function of counts: every label measure, and for two classes AUC, average precision, log loss,
    Brier score and the like.
    """
    chosen = get(measure)
    if not by_counts(chosen):
        raise ParameterError(
            f"{chosen.name} is not a function of counts, so it cannot be computed by counting.",
            hint="use Results.scores without engine=",
        )
    records = results.store.records()
    if engine is None:
        values = _values(results.store, records, chosen.name)
    else:
        with _client(engine) as client:
            parts = client.gather(_there(client, _values, results.store, records, chosen.name))
        values = [v for part in parts for v in part]
    return _as_scores(results, chosen, records, values)


def by_counts(measure: str | Measure) -> bool:
    """Tell whether a measure is a function of counts."""
    return get(measure).form in (CELLS, TALLY)


def _opened(store: Any, records: Sequence[UnitRecord]) -> Iterator[tuple[UnitRecord, Rows]]:
    """Open units one at a time: never more than one file's counts in memory."""
    for record in records:
        if record.file is not None and not record.file.exists():
            raise EvidenceError(
                f"the file {str(record.file)!r} is not there.",
                hint="the workers of a cluster must see the store's folder at the same path",
            )
        yield record, scanned(store, record.dataset, {record.model: {record.place: record}})


def _values(store: Any, records: Sequence[UnitRecord], name: str) -> list[tuple[str, float]]:
    """Return (unit key, value) of each unit."""
    return [(r.key, float(compute(get(name), rows, r.model).value)) for r, rows in _opened(store, records)]


def _counted(store: Any, records: Sequence[UnitRecord], kind: str) -> Any:
    """Count units, and add them up."""
    return _merged(rows.confusion(r.model) if kind == "confusion" else rows.tally(r.model)
                   for r, rows in _opened(store, records))  # fmt: skip


def _merged(parts: Iterable[Any]) -> Any:
    return reduce(operator.add, parts)


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


def _there(client: Any, work: Callable[..., Any], store: Any, records: Sequence[UnitRecord], what: str) -> list[Any]:
    """Send units to the workers, in some chunks for each."""
    n = _TASKS_PER_WORKER * max(len(client.scheduler_info(n_workers=-1)["workers"]), 1)
    chunks = [records[i::n] for i in range(min(n, len(records)))]
    return [client.submit(work, store, chunk, what, pure=False) for chunk in chunks]


def _merge_there(client: Any, results: Results, records: list[UnitRecord], kind: str) -> Any:
    """Count chunks of files on the workers and merge them there, eight at a time; one result comes back."""
    futures = _there(client, _counted, results.store, records, kind)
    while len(futures) > 1:
        groups = [futures[i : i + _MERGED_AT_ONCE] for i in range(0, len(futures), _MERGED_AT_ONCE)]
        futures = [client.submit(_merged, g, pure=False) for g in groups]
    return futures[0].result()


def _client(engine: Any) -> Any:
    from contextlib import closing, nullcontext

    from bakeoff.runner._engines._dask import connect

    client, own = connect(engine)
    return closing(client) if own else nullcontext(client)
