"""Evidence cut into slices: every slice with the models and measures of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from bakeoff._core.errors import EvidenceError, unknown_choice
from bakeoff.evidence import Predictions, Rows


def cut(evidence: Predictions, by: str | Sequence[str]) -> tuple[str, dict[str, Predictions]]:
    """The name of the cut, and slice → its evidence; several columns are crossed (``"f × old"``)."""
    columns = [by] if isinstance(by, str) else list(dict.fromkeys(map(str, by)))
    parts: dict[str, dict[str, Rows]] = {}
    for rows in evidence:
        for name in columns:
            if name not in rows.slices:
                if not rows.slices:
                    raise EvidenceError("the evidence carries no slices.", hint="give slices= where it is made or read")
                raise unknown_choice("by", name, rows.slices)
        kept = [rows.slices[name] for name in columns]
        for places in product(*(range(len(one.names)) for one in kept)):
            of_slice = np.logical_and.reduce([one.code == p for one, p in zip(kept, places, strict=True)])
            if of_slice.any():
                label = " × ".join(one.names[p] for one, p in zip(kept, places, strict=True))
                parts.setdefault(label, {})[rows.name] = rows.take(of_slice)
    return " × ".join(columns), {label: replace(evidence, tables=tables) for label, tables in sorted(parts.items())}
