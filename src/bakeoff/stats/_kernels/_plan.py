"""What a block of replicates draws from: strata of units, and the coded Poisson law of each stratum.

A *unit* is what is drawn with replacement: a row, or a cluster of rows. A *block* is 64 replicates side by side, one
byte lane each; a block's table of counts has one line of 64 bytes per unit.

How a lane gets an exact multinomial
------------------------------------
Let a stratum have n units and let c₁ … cₙ be independent Poisson(λ) with total T. Given T, the counts are
Multinomial(T; 1/n, …, 1/n): that is Fisher's classical property of Poisson counts. Whether a lane is kept depends on T
alone (it is dropped when T > n in some stratum), so for a kept lane the counts given T are still Multinomial(T). Adding
n − T units drawn uniformly and independently to a Multinomial(T) gives a Multinomial(n), whatever T was. Hence every
kept lane is a Multinomial(n; 1/n, …, 1/n), exactly a bootstrap sample. λ = 1 − z/√n with z ≈ 2 makes drops rare (about
2 % of lanes) and the number of added units about z√n, small beside n.

How a Poisson count takes eight random bits
-------------------------------------------
With p_k the Poisson probabilities, q_k = ⌊256 p_k⌋ of the 256 byte values mean "k"; the few values left over
(about 3 of 256) mean "draw from what is left", the residual law proportional to 256 p_k − q_k, by a 64-bit hash of the
position. The mixture is p_k to within 2⁻⁶⁴.

Reference: L. Devroye, Non-Uniform Random Variate Generation (1986), ch. III (table look-up with residual).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

LANES = 64
MAX_COUNT = 31  # a unit drawn 32 times or more has probability below 1e-35; the kernels' sums rely on this cap
N_CUTS = 5  # bytes coding 0 … 4 and the residual; a Poisson(λ ≤ 1) count of 5 has no byte of its own
N_RESIDUAL = 24  # P(count > 24) < 2⁻⁶⁴
SMALLEST_CODED = 64  # smaller strata are drawn unit by unit
DROP_RATE = 0.0228  # chance that a lane is dropped: one-sided 2 sigma, shared among the strata


@dataclass(frozen=True)
class CountPlan:
    """Strata and their coded Poisson laws, ready for either kernel path.

    Attributes
    ----------
    starts
        First unit of each stratum and the total, ``[S + 1]``.
    law
        Index of each stratum's law, −1 where units are drawn one by one, ``[S]``.
    cuts
        Byte cut-offs, ``[laws, 5]``: a signed random byte above ``cuts[k]`` has a count of at least k + 1; above the
        last it is residual.
    residual
        64-bit cut-offs of the residual law, ``[laws, 24]``.
    """

    starts: NDArray[np.int64]
    law: NDArray[np.int64]
    cuts: NDArray[np.int8]
    residual: NDArray[np.uint64]

    @property
    def n_units(self) -> int:
        """Number of units over all strata."""
        return int(self.starts[-1])

    @cached_property
    def guide(self) -> NDArray[np.uint8]:
        """Residual count by the first byte of a 64-bit word, 255 where more of the word is needed, ``[laws, 256]``."""
        first = np.arange(256, dtype=np.uint64) << np.uint64(56)
        last = first | np.uint64(2**56 - 1)
        low, high = (
            np.stack([np.searchsorted(cuts, w, side="right") for cuts in self.residual]) for w in (first, last)
        )
        return np.where(low == high, low, 255).astype(np.uint8)


def count_plan(sizes: NDArray[np.int64]) -> CountPlan:
    """Plan the draw of `sizes[s]` units with replacement within each stratum s."""
    from statistics import NormalDist

    coded = sizes >= SMALLEST_CODED
    z = -NormalDist().inv_cdf(DROP_RATE / max(int(coded.sum()), 1))
    distinct, index = np.unique(sizes[coded], return_inverse=True)
    laws = [poisson_code(1.0 - z / math.sqrt(size)) for size in distinct.tolist()] or [poisson_code(1.0)]
    law = np.full(sizes.size, -1, dtype=np.int64)
    law[coded] = index
    return CountPlan(
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        law=law,
        cuts=np.array([cuts for cuts, _ in laws], dtype=np.int8),
        residual=np.array([residual for _, residual in laws], dtype=np.uint64),
    )


@lru_cache(maxsize=4096)
def poisson_code(rate: float) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the byte cut-offs and the residual's 64-bit cut-offs of Poisson(rate), rate in [0, 1]."""
    from decimal import Decimal, localcontext

    rate = max(rate, 0.0)
    with localcontext() as context:
        context.prec = 60
        probability = [(-Decimal(rate)).exp()]
        for k in range(1, N_RESIDUAL + 1):
            probability.append(probability[-1] * Decimal(rate) / k)
        whole = [int(256 * p) for p in probability]
        left = 256 - sum(whole)
        rest = [256 * p - q for p, q in zip(probability, whole, strict=True)]
        below = [sum(rest[: k + 1]) / left if left else Decimal(1) for k in range(N_RESIDUAL)]
        residual = tuple(min(int(b * 2**64), 2**64 - 1) for b in below)
    cuts = tuple(sum(whole[: k + 1]) - 129 for k in range(N_CUTS))  # signed byte r > cut  <=>  r + 128 >= codes so far
    return cuts, residual
