"""Errors that were not seen: a rule without a miss among 96 positives is not a rule that never misses."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bakeoff._core.validation import FloatArray
from bakeoff.decision._rules import Judged

Rates = tuple[FloatArray, FloatArray]


def unseen_errors(
    replicates: Mapping[str, Rates], observed: Mapping[str, Rates], rows: Judged, rng: np.random.Generator
) -> dict[str, Rates]:
    """Give resampled rates of exactly 0 or 1 the doubt of one more case whose answer is a coin's.

    Every resample of a rule that never missed never misses, which would make it certain to be the best however dear
    a miss is. One fresh case of each class, called right or wrong with equal chance, joins the rows that are drawn
    (Jeffreys' half a miss and half a hit, as a bootstrap). The fresh case is the same for all models, so that models
    which agree stay tied.
    """
    n_resamples = next(iter(replicates.values()))[0].shape[0]
    flips = [_coin_errors(n, n_resamples, rng) for n in _sizes(rows)]
    found = {}
    for name, rates in replicates.items():
        seen = observed[name]
        constant = (seen[0] == seen[1]) & ((seen[0] == 0) | (seen[0] == 1))  # calls nobody or everybody: no doubt there
        moved = [
            np.where(((own == 0) | (own == 1)) & ~constant, np.abs(rate - flip), rate)
            for rate, own, flip in zip(rates, seen, flips, strict=True)
        ]
        found[name] = (moved[0], moved[1])
    return found


def _coin_errors(n: int, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Share of a resample of `n` cases that are copies of the fresh case and were called wrong, ``[B, 1]``."""
    copies = rng.binomial(n, 1 / (n + 1), size=n_resamples)
    return np.asarray(rng.binomial(copies, 0.5) / n)[:, None]


def _sizes(rows: Judged) -> tuple[int, int]:
    """Independent negatives and positives: rows, instances where each was predicted often, or clusters."""
    counted = []
    for kind in (False, True):
        member = rows.positive == kind
        n = int(np.count_nonzero(member)) / rows.n_repeats
        counted.append(round(n) if rows.groups is None else int(np.unique(rows.groups[member]).size))
    return max(counted[0], 1), max(counted[1], 1)
