"""The trivial models that every real model must beat: always one class, and the class prior."""

from __future__ import annotations

import numpy as np

from bakeoff._core.validation import FloatArray
from bakeoff.evidence._rows import PRIOR, ModelOutput, Rows, always


def with_baselines(rows: Rows) -> Rows:
    """Add ``always <class>`` for each class and ``prior``; a model of the user's with that name is kept instead.

    ``prior`` knows only how frequent each class is (regression: the mean): it answers the commonest class, with the
    class frequencies as probabilities. A constant ranks nothing, so its AUC is 0.5.
    """
    if rows.task in ("outcomes", "sums"):
        return rows
    if rows.counted:  # they are made with the counts that an answer asks for
        return rows.with_outputs({})
    added = _regression_baselines(rows) if rows.task == "regression" else _class_baselines(rows)
    return rows.with_outputs({m: o for m, o in added.items() if m not in rows.outputs})


def _regression_baselines(rows: Rows) -> dict[str, ModelOutput]:
    mean = float(np.average(rows.truth, weights=rows.row_weight))
    return {PRIOR: ModelOutput(values=np.full(rows.n, mean))}


def _class_baselines(rows: Rows) -> dict[str, ModelOutput]:
    frequency = np.bincount(rows.truth, weights=rows.row_weight, minlength=len(rows.classes))
    prior = frequency / frequency.sum()
    baselines = {}
    if len(rows.classes) <= 20:  # with more classes the list would bury the models
        for code, label in enumerate(rows.classes):
            certain = np.zeros(len(rows.classes))
            certain[code] = 1.0
            baselines[always(label)] = _constant(rows.n, code, certain)
    baselines[PRIOR] = _constant(rows.n, int(prior.argmax()), prior)
    return baselines


def _constant(n: int, code: int, probabilities: FloatArray) -> ModelOutput:
    table = np.broadcast_to(probabilities, (n, probabilities.size))
    return ModelOutput(labels=np.full(n, code, dtype=np.int32), probabilities=table)
