"""A second round: sites whose rows are in groups send sums of placements against everybody's counts, and no scores.

The area under the curve is the mean of the *placements*: of a positive, the share of the negatives ranked below it
(ties ½); of a negative, the share of the positives above it. What a group moves in it is linear in the placements of
its rows, so their sums by group and class are all that a paired comparison needs (DeLong 1988, Obuchowski 1997). They
are taken against the counts of all sites, which is why a first round is needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import FloatArray
from bakeoff.evidence._counts import ScoreTally
from bakeoff.evidence._engine import SIZES, Table, column_name, rounded

if TYPE_CHECKING:
    from bakeoff.evidence._counted import Asked
    from bakeoff.evidence._stored import Stored

PLACED = "placed"


def check_against(asked: Asked, merged: Stored) -> None:
    """Refuse what cannot be brought together with the counts of all sites."""
    scored = [m for m in asked.models if asked.parts(m).get("score") == 1]
    if not scored or tuple(merged.models) != tuple(asked.models):
        raise EvidenceError(
            f"the second round needs scores of the models of the first. Got {list(asked.models)} and "
            f"{list(merged.models)}."
        )
    if missing := [m for m in scored if f"tally{merged.models.index(m)}" not in merged.tables]:
        raise EvidenceError(f"the counts of the first round hold no scores of {missing[0]!r}.")
    if merged.min_cell > 1:
        raise EvidenceError("scores of the first round were joined (min_cell): count it again without.")
    if "group" not in asked.keys:
        raise EvidenceError(
            "a second round is for rows in groups: without groups, the counts of the first round are enough.",
            hint="name the column of the groups (groups=, --groups)",
        )
    if odd := [k for k in asked.keys if k in ("repeat", "fold", "instance")]:
        raise EvidenceError(f"a second round is for one test set: the rows have a {odd[0]}.", hint="leave it out")


def pooled(merged: Stored, model: str) -> ScoreTally:
    """Positives and negatives at each score of one model, over all sites."""
    i = merged.models.index(model)
    table, key = merged.tables[f"tally{i}"], column_name("score", i)
    scores, place = np.unique(table[key], return_inverse=True)
    positive, worth = np.asarray(table["y_true"] == merged.pos_label), table.get("w", table["n"])
    sides = [np.bincount(place, worth * side, scores.size)[::-1] for side in (positive, ~positive)]
    return ScoreTally(scores[::-1], sides[0].astype(np.float64), sides[1].astype(np.float64))


def placements(tally: ScoreTally, scores: FloatArray, positive: FloatArray) -> FloatArray:
    """Share of the other class that each score is ranked rightly against; ties count half."""
    rising, up, down = tally.scores[::-1], tally.positive[::-1], tally.negative[::-1]
    at = np.searchsorted(rising, scores)
    if (at >= rising.size).any() or (rising[np.minimum(at, rising.size - 1)] != scores).any():
        raise EvidenceError(
            "these rows have scores that the counts of the first round do not hold.",
            hint="were they among the sites that were added up, and rounded alike?",
        )
    below = (np.cumsum(down) - down / 2) / down.sum()
    above = 1 - (np.cumsum(up) - up / 2) / up.sum()
    return np.asarray(np.where(positive, below[at], above[at]))


def placed_table(asked: Asked, merged: Stored) -> Table:
    """Mean placement of each model by group and class, with the sizes."""
    found: Table = {}
    for i, model in enumerate(asked.models):
        if asked.parts(model).get("score") != 1:
            continue
        bits, key = merged.bits.get(model), column_name("score", i)
        lines = asked.distinct(("y_true", key, "group"), {key: bits})
        assert lines is not None
        positive = np.asarray(lines["y_true"] == merged.pos_label)
        place = placements(pooled(merged, model), rounded(lines[key], bits), positive)
        group = np.unique(lines["group"], return_inverse=True)[1]
        cell = 2 * group + positive
        known, first, code = np.unique(cell, return_index=True, return_inverse=True)
        sizes = {s: np.bincount(code, lines[s], known.size) for s in SIZES if s in lines}
        worth = lines.get("w", lines["n"])
        mean = np.bincount(code, worth * place, known.size) / sizes.get("w", sizes["n"])
        found = {"y_true": lines["y_true"][first], "group": known // 2, **found, f"{PLACED}{i}": mean, **sizes}
    return found


def own_tallies(asked: Asked, merged: Stored) -> dict[str, Table]:
    """Scores of this site, without groups, rounded as in the first round."""
    tables = {}
    for i, model in enumerate(asked.models):
        if asked.parts(model).get("score") == 1:
            key = column_name("score", i)
            table = asked.distinct(("y_true", key), {key: merged.bits.get(model)})
            assert table is not None
            tables[f"tally{i}"] = table
    return tables


def mark(held: Stored) -> str:
    """Fingerprint of the pooled scores: what the placements were taken against."""
    digest = hashlib.sha256()
    for i, model in enumerate(held.models):
        if f"tally{i}" in held.tables:
            tally = pooled(replace(held, tables=_without_weights(held.tables)), model)
            for part in (tally.scores, tally.positive, tally.negative):
                digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()


def _without_weights(tables: Mapping[str, Table]) -> dict[str, Table]:
    """Sums of weights differ in their last digits from one order of the sites to another; numbers of rows do not."""
    return {name: {k: v for k, v in table.items() if k not in ("w", "ww")} for name, table in tables.items()}
