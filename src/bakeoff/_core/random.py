"""Random streams: one argument `rng` everywhere, and independent named streams below it."""

from __future__ import annotations

import zlib
from typing import TypeAlias

import numpy as np

from bakeoff._core.errors import ParameterError

RngLike: TypeAlias = "int | np.integer | np.random.Generator | np.random.SeedSequence | None"


def as_generator(rng: RngLike = None) -> np.random.Generator:
    """Turn None (fresh entropy), a seed, a SeedSequence or a Generator into a Generator."""
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is None or isinstance(rng, np.random.SeedSequence):
        return np.random.default_rng(rng)
    if isinstance(rng, (int, np.integer)) and not isinstance(rng, bool):
        if rng < 0:
            raise ParameterError(f"rng must be a non-negative seed, a numpy Generator or None. Got {rng!r} instead.")
        return np.random.default_rng(int(rng))
    raise ParameterError(
        f"rng must be a non-negative seed, a numpy Generator or None. Got {type(rng).__name__} instead.",
        hint="scikit-learn's RandomState is not accepted; pass the seed it was made from",
    )


def named_stream(seed: int, *names: object) -> np.random.Generator:
    """Return the stream that belongs to these names under this seed, whatever else was drawn before or elsewhere.

    The names enter the seed sequence's spawn key by a fixed hash, so the stream of ("credit", "rf", 3) is the same
    in every process, on every machine and in every order of work.
    """
    key = tuple(zlib.crc32(repr(name).encode()) for name in names)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
