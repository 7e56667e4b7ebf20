"""Measures that are not about truth and prediction: outcomes per item, and time."""

from __future__ import annotations

import numpy as np

from bakeoff._core.validation import FloatArray
from bakeoff.counts import Sample, SumsKind, TimesKind
from bakeoff.measures._measure import Measure, Trait


def first_mean(means: FloatArray) -> FloatArray:
    """The measure is the mean of its one term."""
    return means[..., 0]


def _outcome(sample: Sample) -> FloatArray:
    return np.asarray(sample.output, dtype=np.float64)[:, None]


def _missed(sample: Sample) -> FloatArray:
    return 1.0 - _outcome(sample)


def outcome_share(name: str, meaning: str, *, greater: bool) -> Measure:
    """Accuracy or error of 0/1 outcomes: right and wrong answers whose truth is not needed any more."""
    return Measure(
        name, greater, (0.0, 1.0), "outcomes", meaning, "there are no items", tasks=("outcomes",),
        form=SumsKind(_outcome if greater else _missed), value=first_mean, link="logit",
        traits=frozenset({Trait.MEAN}), limits=("wilson",),
    )  # fmt: skip


_TIMED = ("binary", "multiclass", "regression")


def _no_formula(*counts: object) -> float:
    raise TypeError("a time is recorded, not computed from counts")


MEASURES: tuple[Measure, ...] = (
    Measure(
        "mean_outcome", True, (-np.inf, np.inf), "outcomes", "mean of the per-item scores (share solved, for 0/1)",
        "there are no items", tasks=("outcomes",), form=SumsKind(_outcome), value=first_mean,
        traits=frozenset({Trait.MEAN}),
    ),
    Measure(
        "fit_time", False, (0.0, np.inf), "times", "seconds to train", "it was not recorded",
        tasks=_TIMED, form=TimesKind(0), value=_no_formula,
    ),
    Measure(
        "predict_time", False, (0.0, np.inf), "times", "seconds to predict the test rows", "it was not recorded",
        tasks=_TIMED, form=TimesKind(1), value=_no_formula,
    ),
)  # fmt: skip
