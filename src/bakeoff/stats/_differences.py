"""Differences of paired scores, with the noise of binary arithmetic separated from variation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray, as_paired

IDENTICAL = note("identical-models")


@dataclass(frozen=True)
class Differences:
    """Paired differences a − b and what is degenerate about them.

    Attributes
    ----------
    values
        The differences; a difference below the rounding error of its two scores is 0 exactly.
    all_zero
        Every difference is 0.
    constant
        Every difference is the same number (0 included), up to rounding error: a spread cannot be estimated.
    """

    values: FloatArray
    all_zero: bool
    constant: bool

    @property
    def mean(self) -> float:
        """The mean difference."""
        return float(self.values.mean())

    @property
    def variance(self) -> float:
        """The variance with n − 1 in the denominator; 0 exactly when the differences are constant."""
        return 0.0 if self.constant else float(self.values.var(ddof=1))

    @property
    def spread(self) -> float:
        """Its root, also where squares would be too large or too small for a float."""
        return 0.0 if self.constant else root_of_variance(self.values)


def paired_differences(a: ArrayLike, b: ArrayLike | None = None, *, minimum: int = 2) -> Differences:
    """Check two paired vectors (or one vector of differences) and subtract them.

    Decimal scores such as 0.811 and 0.801 differ by 0.010000000000000009: two differences that are equal in decimal
    may differ in the last bits, and a test that divides by their spread would then return nonsense.
    """
    first, second = as_paired(a, b, minimum=minimum)
    values = first - second
    # Scores are decimals rounded to binary: each carries up to half a unit in the last place of its size, and means of
    # folds a few more. 64 units (1.4e-14 of the score) cover that and are far below any difference of real scores.
    # Differences that were given as such are taken at their word.
    noise = 64 * np.finfo(np.float64).eps * np.maximum(np.abs(first), np.abs(second)) * (b is not None)
    values[np.abs(values) <= noise] = 0.0
    tolerance = max(float(noise.max()), 1e-12 * float(np.abs(values).max()))
    return Differences(values, all_zero=not values.any(), constant=float(np.ptp(values)) <= tolerance)


def root_of_variance(values: FloatArray) -> float:
    """Standard deviation, n − 1; divided by a power of two first, which no digit but an overflow can tell."""
    unit = 2.0 ** int(np.frexp(np.abs(values).max())[1])
    return unit * float((values / unit).std(ddof=1))


def constant_note(mean: float, n: int) -> Note:
    """Explain why a test that divides by the spread of the differences has no answer."""
    return note("constant-difference", n=n, mean=mean)
