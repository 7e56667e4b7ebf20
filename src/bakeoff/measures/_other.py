"""Measures that are not about truth and prediction: outcomes per item, and time."""

from __future__ import annotations

import numpy as np

from bakeoff._core.validation import FloatArray
from bakeoff.measures._measure import Measure
from bakeoff.measures._probability import first_mean
from bakeoff.measures._sample import Sample


def _outcome(sample: Sample) -> FloatArray:
    return np.asarray(sample.output, dtype=np.float64)[:, None]


MEASURES: tuple[Measure, ...] = (
    Measure(
        "mean_outcome", True, (-np.inf, np.inf), "outcomes", "mean of the per-item scores (share solved, for 0/1)",
        "there are no items", tasks=("outcomes",), terms=_outcome, combine=first_mean,
    ),
    Measure(
        "fit_time", False, (0.0, np.inf), "times", "seconds to train", "it was not recorded",
        tasks=("binary", "multiclass", "regression"),
    ),
    Measure(
        "predict_time", False, (0.0, np.inf), "times", "seconds to predict the test rows", "it was not recorded",
        tasks=("binary", "multiclass", "regression"),
    ),
)  # fmt: skip
