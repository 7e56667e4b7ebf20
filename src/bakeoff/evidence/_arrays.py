"""From arrays to rows: what was given is brought into one order, checked, and cut into data sets."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.frames import from_capsule, in_order_of
from bakeoff._core.language import Text
from bakeoff._core.result import Note, unique
from bakeoff._core.validation import IntArray
from bakeoff.evidence import _door as door
from bakeoff.evidence._rows import Rows
from bakeoff.evidence._slicing import Slicing, slice_columns, slicings
from bakeoff.evidence._units import answers_again

_AXES = ("repeat", "fold", "instance")


def tables_of(
    y_true: Any, outputs: Mapping[str, Any], keys: Mapping[str, Any], slices: Any, *,
    classes: Sequence[Hashable] | None, pos_label: Hashable | None, n_train: int | None,
) -> tuple[dict[str, Rows], tuple[Note, ...]]:  # fmt: skip
    """Data set → its rows, and what was decided on the way; `outputs` and `keys` are those of `from_arrays`."""
    check_labels(classes, pos_label)
    outputs = {kind: from_capsule(given) for kind, given in outputs.items()}
    index = door.common_index(y_true=y_true, **outputs, **keys)
    truth = door.check_truth(in_order_of(index, y_true, "y_true"))
    n = truth.size
    outputs["y_score"] = door.by_class(outputs["y_score"], truth, classes)
    named = {kind: door.named_outputs(kind, door.in_order(index, given, kind)) for kind, given in outputs.items()}
    keys = {role: in_order_of(index, values, role) for role, values in keys.items()}
    for kind, of in named.items():
        door.check_lengths(n, of, kind)
    weight, cases = door.check_weight(keys["sample_weight"], n), door.check_frequency(keys["frequency"], n)
    group = None if keys["groups"] is None else door.codes_of("groups", keys["groups"], n)[0]
    sliced = slicings({k: in_order_of(index, v, f"slice {k!r}") for k, v in slice_columns(slices).items()}, n)
    data = _data_sets(keys["dataset"], n)
    axes = {k: None if keys[k] is None else door.per_row(k, keys[k], n) for k in _AXES}
    tables, notes = {}, list[Note]()
    for name, part in data.items():
        rows = door.rows_that_count(name, part, weight, cases)
        own = {k: None if v is None else v[rows] for k, v in axes.items()}
        own["repeat"], seen = _repeats_seen(name, own)
        notes += seen
        counted = None if cases is None else cases[rows]
        tables[name] = door.build_rows(
            name, truth[rows], *({m: v[rows] for m, v in of.items()} for of in named.values()),
            classes=classes, pos_label=pos_label, frequency=counted,
            groups=None if group is None else np.unique(group[rows], return_inverse=True)[1].astype(np.int32),
            weight=None if weight is None else door.unequal(weight[rows]),
            slices={k: Slicing(one.code[rows], one.names) for k, one in sliced.items()},
            **_places(own, truth[rows], counted, n_train),
        )  # fmt: skip
    return tables, unique(notes)


def check_labels(classes: Any, pos_label: Any) -> None:
    """Classes are a list, and the positive class is one label."""
    if classes is not None and (isinstance(classes, (str, bytes)) or not hasattr(classes, "__len__")):
        raise ParameterError(f"classes must be a list of labels. Got {type(classes).__name__} instead.")
    if classes is not None and not all(isinstance(c, Hashable) for c in classes):
        raise ParameterError("classes must be labels such as strings or integers.")
    if pos_label is not None and not isinstance(pos_label, Hashable):
        raise ParameterError(f"pos_label must be one label. Got {type(pos_label).__name__} instead.")


def _data_sets(dataset: Any, n: int) -> dict[str, IntArray | None]:
    """The rows of each data set; None for all."""
    if isinstance(dataset, str):
        return {dataset: None}
    codes, names = door.codes_of("dataset", dataset, n)
    if len(names) == 1:
        return {str(names[0]): None}
    return dict(zip(map(str, names), door.rows_by_code(codes, len(names)), strict=True))


def _repeats_seen(name: str, own: Mapping[str, NDArray[Any] | None]) -> tuple[NDArray[Any] | None, list[Note]]:
    """The repeat of each row; where none is given, folds whose cases come again are of another repeat."""
    repeat, fold, instance = own["repeat"], own["fold"], own["instance"]
    if repeat is not None or instance is None:
        return repeat, []
    case, cases = door.codes_of("instance", instance, instance.size)
    of_row, folds = door.codes_of("fold", fold, instance.size)
    if len(cases) == instance.size:
        return None, []
    if np.unique(of_row * len(cases) + case).size < instance.size:
        twice = cases[int(np.flatnonzero(np.bincount(case) > 1)[0])]
        raise EvidenceError(
            f"the case {twice!r} comes more than once {'in a fold of' if fold is not None else 'in'} {name!r}.",
            hint="tell its rows apart with repeat= or fold= (--repeat, --fold), or drop the copies",
        )
    of_fold, current, seen = np.zeros(len(folds), np.int64), 0, np.zeros(len(cases), bool)
    for f, rows in enumerate(door.rows_by_code(of_row, len(folds))):
        if seen[case[rows]].any():
            current, seen = current + 1, np.zeros(len(cases), bool)
        seen[case[rows]] = True
        of_fold[f] = current
    text = Text("Cases come again in other folds: the {n} folds are of {r} repeats.", n=len(folds), r=current + 1)
    return of_fold[of_row], [Note("repeats-seen", text)]


def _places(
    own: Mapping[str, NDArray[Any] | None], truth: NDArray[Any], cases: IntArray | None, n_train: int | None
) -> dict[str, Any]:
    """Where each row stands: its split, its instance, and which answer it is where one test set was answered again."""
    instance = own["instance"]
    if own["repeat"] is not None and n_train is None:
        for name in ("repeat", "instance"):
            door.codes_of(name, own[name], truth.size)  # gaps are told
        attempt, case = answers_again(own["repeat"], instance, truth)
        if case is not None and own["fold"] is None:
            return {"splits": (), "split_index": None, "instance": case, "attempt": attempt}
        instance = case if instance is None else instance
    splits, index = door.find_splits(own["repeat"], own["fold"], truth.size, n_train, cases)
    return {"splits": splits, "split_index": index, "instance": instance}
