"""Evidence cut into slices: every slice with the models and measures of the whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bakeoff.evidence import Predictions, Rows
from bakeoff.intervals import cut as cut_rows
from bakeoff.intervals import names_of


def cut(evidence: Predictions, by: Any) -> tuple[str, dict[str, Predictions]]:
    """The name of the cut, and slice → its evidence; several columns are crossed (``"f × old"``)."""
    parts: dict[str, dict[str, Rows]] = {}
    for rows in evidence:
        whole = cut_rows(rows, by)
        for label, part in zip(whole.names, whole.pieces(rows), strict=True):
            parts.setdefault(label, {})[rows.name] = part
    return " × ".join(names_of(by)), {
        label: replace(evidence, tables=tables) for label, tables in sorted(parts.items())
    }
