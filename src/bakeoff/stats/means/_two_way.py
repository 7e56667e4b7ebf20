"""The two-way layout data sets × models without replication: what analysis of variance, Tukey and Dunnett share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray


class TwoWay(NamedTuple):
    """Sums of squares of a table of scores: models, and what neither data sets nor models explain.

    Attributes
    ----------
    n, k
        Number of data sets and of models.
    means
        Mean score of each model.
    ss_models, ss_error
        Sums of squares; 0 exactly when below the rounding error of the scores.
    """

    n: int
    k: int
    means: FloatArray
    ss_models: float
    ss_error: float

    @property
    def df_error(self) -> int:
        """Degrees of freedom of the error: (n − 1)(k − 1)."""
        return (self.n - 1) * (self.k - 1)

    @property
    def standard_error(self) -> float:
        """Standard error of the difference of two models' means."""
        return float(np.sqrt(2 * self.ss_error / (self.df_error * self.n)))


def two_way(table: FloatArray) -> TwoWay:
    """Split the variation of scores [n, k] into data sets, models and error."""
    n, k = table.shape
    means = table.mean(axis=0)
    effects = means - means.mean()
    residuals = table - table.mean(axis=1, keepdims=True) - effects
    # Sums of squares that are only rounding of the scores are zero: F must not be a ratio of two rounding errors.
    noise = (64 * np.finfo(np.float64).eps * float(np.abs(table).max())) ** 2 * table.size
    ss_models, ss_error = n * float((effects**2).sum()), float((residuals**2).sum())
    return TwoWay(n, k, means, ss_models if ss_models > noise else 0.0, ss_error if ss_error > noise else 0.0)


def studentized(differences: FloatArray, layout: TwoWay) -> tuple[FloatArray, tuple[Note, ...]]:
    """Return differences of means over their standard error, and a note if the error is zero.

    Without any error a difference of zero gives 0, another one infinity.
    """
    if layout.ss_error > 0:
        return differences / layout.standard_error, ()
    if layout.ss_models == 0:
        return np.zeros_like(differences), (IDENTICAL_MODELS,)
    zero = np.abs(differences) <= 1e-12 * max(float(np.abs(layout.means).max()), 1e-300)
    return np.where(zero, 0.0, np.copysign(np.inf, differences)), (NO_ERROR,)


def simultaneous(
    estimate: FloatArray,
    layout: TwoWay,
    level: float,
    tail: Callable[[FloatArray, int, float], FloatArray],
    quantile: Callable[[float, int, float], float],
    size: int,
    scale: float = 1.0,
) -> dict[str, Any]:
    """Return the fields of a family of differences of means whose law has `size` members, its unit the SE / scale."""
    ratio, notes = studentized(estimate, layout)
    defined = np.isfinite(ratio)
    pvalue = np.full(ratio.size, np.nan)
    pvalue[defined] = tail(scale * np.abs(ratio[defined]), size, layout.df_error)
    half = np.nan
    if layout.ss_error > 0:
        half = quantile(level, size, layout.df_error) / scale * layout.standard_error
    return {
        "statistic": ratio, "pvalue": pvalue, "estimate": estimate, "estimate_kind": "difference of means",
        "adjusted": True, "df": layout.df_error, "low": estimate - half, "high": estimate + half,
        "confidence_level": level, "notes": notes,
    }  # fmt: skip


IDENTICAL_MODELS = note("identical-models:means")
NO_ERROR = note("constant-difference:models")
