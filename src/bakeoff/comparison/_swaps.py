"""P-values of the paired permutation test."""

from __future__ import annotations

import numpy as np

from bakeoff._core.language import Text
from bakeoff._core.result import Note, warning_note
from bakeoff._core.validation import FloatArray


def swap_pvalue(observed: float, replicates: FloatArray, alternative: str) -> tuple[float, tuple[Note, ...]]:
    """The p-value, at least 1/(B + 1), and a note where some swaps gave no value."""
    from bakeoff.stats.resample import permutation_pvalue

    defined = replicates[np.isfinite(replicates)]
    if defined.size == 0:
        note = warning_note(
            "undefined-replicates", Text("The measure was undefined after every swap: there is no p-value.")
        )
        return float("nan"), (note,)
    lost = replicates.size - defined.size
    message = Text(
        "The measure was undefined in {lost} of {size} swaps, which were left out.", lost=lost, size=replicates.size
    )
    notes = (warning_note("undefined-replicates", message),) if lost else ()
    return permutation_pvalue(observed, defined, alternative), notes
