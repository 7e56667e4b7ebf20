"""Random words that NumPy and C make alike: SFC64 streams for the bytes, a SplitMix64 hash for single positions.

A block's streams depend on the seed and the block's number only, never on the thread or the path that runs it.
References: C. Doty-Humphrey, PractRand (SFC64, also NumPy's); G. Steele, D. Lea and C. Flood (2014), "Fast splittable
pseudorandom number generators", OOPSLA, doi:10.1145/2660193.2660195 (the finalizer of SplitMix64).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

UInt64Array = NDArray[np.uint64]

GOLDEN = 0x9E3779B97F4A7C15
N_STREAMS = 8
_MASK = (1 << 64) - 1
_WARM_UP = 12  # rounds of SFC64 thrown away after seeding, as its author does


def mix_int(x: int) -> int:
    """Hash one 64-bit word (SplitMix64's finalizer)."""
    x &= _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def mix(x: UInt64Array) -> UInt64Array:
    """Hash 64-bit words in place and return them (SplitMix64's finalizer)."""
    x ^= x >> np.uint64(30)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return x


def hashed(key: int, index: NDArray[np.int64]) -> UInt64Array:
    """Return the random word of each position under a key."""
    words = index.astype(np.uint64)
    words += np.uint64(1)
    words *= np.uint64(GOLDEN)
    words += np.uint64(key)
    return mix(words)


def block_words(seed: int, block: int, count: int) -> list[int]:
    """Return the words that seed a block: three for each stream, then its hash keys."""
    base = mix_int(seed ^ mix_int(block + 1))
    return [mix_int(base + (i + 1) * GOLDEN) for i in range(count)]


def uniform_below(words: UInt64Array, bound: NDArray[np.uint64] | np.uint64) -> NDArray[np.int64]:
    """Return ⌊word · bound / 2⁶⁴⌋, uniform on 0 … bound − 1 (bound < 2³²)."""
    high, low = words >> np.uint64(32), words & np.uint64(0xFFFFFFFF)
    result: NDArray[np.uint64] = (high * bound + ((low * bound) >> np.uint64(32))) >> np.uint64(32)
    return result.astype(np.int64)


class ByteStreams:
    """Eight SFC64 streams side by side: each step gives 64 random bytes, one per lane."""

    def __init__(self, words: list[int]) -> None:
        self._streams = [_sfc64(words[3 * j : 3 * j + 3]) for j in range(N_STREAMS)]

    def fill(self, words: UInt64Array) -> None:
        """Fill ``[rows, 8]`` words, stream j in column j."""
        rows = words.shape[0]
        for j, stream in enumerate(self._streams):
            words[:, j] = stream.random_raw(rows)


def _sfc64(words: list[int]) -> Any:
    stream = np.random.SFC64(0)
    state = stream.state
    state["state"]["state"] = np.array([*words, 1], dtype=np.uint64)
    stream.state = state
    stream.random_raw(_WARM_UP)
    return stream
