"""Answers that nobody named: labels, scores or values, by a rule that asks where two readings are possible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.frames import column_array, is_frame
from bakeoff.evidence._door import check_truth, named_outputs
from bakeoff.evidence._labels import distinct_labels
from bakeoff.evidence._predictions import Predictions
from bakeoff.evidence._target import REGRESSION, guess_task

_NUMBERS = "iufb"


def kind_of_answers(truth: NDArray[Any], answers: Mapping[str, NDArray[Any]]) -> str:
    """Say what some answers to a truth are: ``y_pred``, ``y_score`` or ``y_value``.

    Text, and answers that are all among the true labels, are labels. Other numbers are values where the truth is
    numbers on a scale, and scores where it has two classes; a column per class holds probabilities. Numbers that are
    not among several true whole numbers could be either: that is refused.

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.evidence import kind_of_answers
    >>> truth = np.array([0, 1, 1])
    >>> kind_of_answers(truth, {"a": np.array([0, 1, 0])}), kind_of_answers(truth, {"a": np.array([0.2, 0.9, 0.4])})
    ('y_pred', 'y_score')
    """
    arrays = list(answers.values())
    if any(a.ndim == 2 for a in arrays):
        return "y_score"
    numbers = all(a.dtype.kind in _NUMBERS for a in arrays)
    if truth.dtype.kind in "iuf" and guess_task(truth) == REGRESSION and numbers:
        return "y_value"
    labels = set(distinct_labels(truth))
    if not numbers or all(set(a.tolist()) <= labels for a in arrays):
        return "y_pred"
    if len(labels) <= 2:
        return "y_score"
    model, odd = next((m, v) for m, a in answers.items() for v in a.tolist() if v not in labels)
    raise EvidenceError(
        f"it is not clear what the answers of {model!r} are: {odd!r} is none of the {len(labels)} true labels.",
        hint="give y_pred= for labels, y_value= for numbers on a scale, or y_score= with one column per class",
    )


def paired(y_true: Any, answers: Any, **more: Any) -> Predictions:
    """Take a truth and one array of answers, or model → answers, as predictions of the kind they are.

    Examples
    --------
    >>> from bakeoff.evidence import paired
    >>> paired([0, 1, 1], {"a": [0.2, 0.9, 0.4]}).models
    ('a',)
    """
    if answers is None:
        return Predictions.from_arrays(y_true, **more)
    truth = check_truth(y_true)
    plain = answers if isinstance(answers, Mapping) or is_frame(answers) else {"model": column_array(answers)}
    return Predictions.from_arrays(y_true, **{kind_of_answers(truth, named_outputs("y_pred", plain)): answers}, **more)


def is_array_like(value: Any) -> bool:
    """Whether it can be a truth: a list, an array or a column, and no text."""
    sized = hasattr(value, "__len__") and not isinstance(value, (str, bytes, Mapping))
    return sized and not is_frame(value) and np.ndim(column_array(value)) in (1, 2)
