"""Cochran's Q: are several models right equally often on the same instances?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray, as_correctness
from bakeoff.stats._tested import Tested
from bakeoff.stats.distributions import chi2_pvalue

ENOUGH = 24
"""The chi-square approximation needs about this many informative cells (Tate and Brown 1970)."""


@dataclass(frozen=True, repr=False)
class CochranQResult(Tested):
    """Answer of Cochran's Q test.

    Attributes
    ----------
    statistic, df, pvalue
        Q, k − 1, and the chi-square p-value.
    accuracies
        Share right of each model, ``[k]``.
    n_informative
        Instances on which the models are not all right or all wrong; the others do not count.
    notes
        Choices made and weaknesses seen.
    """

    statistic: float
    df: int
    pvalue: float
    accuracies: FloatArray
    n_informative: int
    notes: tuple[Note, ...] = ()


def cochran_q(correct: ArrayLike) -> CochranQResult:
    """Are several models right equally often on the same instances?

    Parameters
    ----------
    correct
        Right (True, 1) or wrong (False, 0); rows = instances, columns = models, ``[n, k]``.

    Notes
    -----
    Q = k (k − 1) Σ (C_j − C̄)² / Σ R_i (k − R_i), with C_j the models' and R_i the instances' totals; chi-square with
    k − 1 degrees of freedom for large n. For two models it is McNemar's chi-square. Assumes independent instances.

    References
    ----------
    W. Cochran (1950), "The comparison of percentages in matched samples", Biometrika 37,
    https://doi.org/10.1093/biomet/37.3-4.256

    Examples
    --------
    >>> result = cochran_q([[1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 0, 1], [1, 1, 1], [1, 0, 0]])
    >>> round(result.statistic, 3), result.df, round(result.pvalue, 3)
    (2.8, 2, 0.247)
    """
    right = as_correctness("correct", correct)
    if right.ndim != 2 or right.shape[0] < 1 or right.shape[1] < 2:
        raise EvidenceError(
            f"correct must be a table, rows = instances and columns = at least 2 models. Got shape {right.shape}."
        )
    n_models = right.shape[1]
    by_model, by_instance = right.sum(axis=0), right.sum(axis=1)
    spread = int((by_instance * (n_models - by_instance)).sum())
    informative = int(((by_instance > 0) & (by_instance < n_models)).sum())
    notes: tuple[Note, ...]
    statistic, notes = 0.0, (note("identical-models:right-answers"),)
    if spread > 0:
        totals = by_model.astype(np.float64)
        statistic = n_models * (n_models - 1) * float(((totals - totals.mean()) ** 2).sum()) / spread
        few = informative * n_models < ENOUGH
        notes = (note("few-informative-instances", informative=informative),) if few else ()
    pvalue, accuracies = chi2_pvalue(statistic, n_models - 1), by_model / right.shape[0]
    made = CochranQResult(statistic, n_models - 1, pvalue, accuracies, informative, notes)
    return made._keeping(by_model=by_model, by_instance=by_instance)
