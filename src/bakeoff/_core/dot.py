"""Products over rows, on one thread of BLAS.

Its threads wait busily for each other: 500 times the processor time of a sum over 100,000 rows on a loaded machine, and
the last digits depend on how many there are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_AT_ONCE = 8192  # numbers: OpenBLAS wakes its threads for about 10,000


def dot(left: NDArray[Any], right: NDArray[Any]) -> Any:
    """``left.T @ right`` of ``[n]`` or ``[n, k]`` each, a piece of the rows at a time."""
    n = len(left)
    step = max(_AT_ONCE * n // max(left.size, right.size, 1), 1)
    if n <= step:
        return left.T @ right
    return np.sum([left[at : at + step].T @ right[at : at + step] for at in range(0, n, step)], axis=0)


def combine(columns: NDArray[Any], times: NDArray[Any]) -> NDArray[np.float64]:
    """``columns @ times`` of ``[n, k]`` and ``[k]``, a column at a time."""
    return np.asarray(sum(time * columns[:, k] for k, time in enumerate(times.tolist())))
