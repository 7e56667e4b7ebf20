"""DesignFacts: what a comparison has to work with; all that the choice of a test may look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff._core.validation import FloatArray
from bakeoff.counts import CELLS, Sums
from bakeoff.evidence import Design, Predictions, Rows, Scores
from bakeoff.intervals import FEW_GROUPS, HIGH_AREA, fourth_moment_df, has_slope
from bakeoff.measures import Measure, Trait, unavailable

INSTANCES, ITEMS, FOLDS, DATASETS = "instances", "items", "folds", "data sets"

RIGHT_OR_WRONG, AUC, MEAN, COUNTS, OTHER = "right or wrong", "auc", "mean", "counts", "other"
"""How a measure is built: right or wrong per instance, AUC, mean of values per instance, confusion counts, or other."""


@dataclass(frozen=True)
class DesignFacts:
    """The design of the evidence and the kind of measure, without any result: choosing a test cannot peek.

    Attributes
    ----------
    unit
        ``"instances"``, ``"items"``, ``"folds"`` or ``"data sets"``: what the test counts.
    kind
        How the evidence was made, see `bakeoff.Design`.
    rows
        Whether there are predictions row by row (else only scores).
    measure, measure_kind
        The measure's name, and how it is built.
    n_models, n_datasets, n_rows, n_repeats, n_folds, n_splits, n_groups
        Sizes; see `bakeoff.Design`.
    weighted
        Whether rows carry weights.
    within
        For a share of right or wrong answers: among ``"all"`` rows, the ``"positive"`` or the ``"negative"`` ones.
    smooth
        Whether influence values describe the measure.
    rarer, near_end
        Rows of the rarer of two classes, and whether some model's AUC is near its end; what DeLong's variance needs.
    carriers
        About how many rows carry the variance of the paired differences of a mean, in the pair that has fewest.
    margin
        Whether a margin was asked for.
    paired_repeats
        Whether it is known which rows of several repeats are about one case.
    few_groups
        Whether the groups are worth fewer than five of equal size: too few for a conclusion.

    Examples
    --------
    >>> from bakeoff.comparison import DesignFacts, choose
    >>> choice, notes = choose(DesignFacts("data sets", rows=False, n_models=2, n_datasets=12))
    >>> choice.chosen
    'wilcoxon'
    """

    unit: str
    kind: str = "test set"
    rows: bool = True
    measure: str = "accuracy"
    measure_kind: str = RIGHT_OR_WRONG
    n_models: int = 2
    n_datasets: int = 1
    n_rows: int | None = None
    n_repeats: int = 1
    n_folds: int = 1
    n_splits: int = 1
    n_groups: int = 0
    weighted: bool = False
    within: str = ""
    smooth: bool = True
    rarer: float = np.inf
    near_end: bool = False
    carriers: float = np.inf
    margin: bool = False
    few_groups: bool = False
    paired_repeats: bool = True

    @property
    def one_test_set(self) -> bool:
        """Whether independent instances (or items) of one test set are what is counted."""
        return self.unit in (INSTANCES, ITEMS)

    @property
    def several_datasets(self) -> bool:
        """Whether the unit is the data set, and there are at least two."""
        return self.unit == DATASETS and self.n_datasets > 1

    @property
    def grouped(self) -> bool:
        """Whether rows come in clusters."""
        return self.n_groups > 0


def facts_of(evidence: Predictions | Scores, measure: Measure | None, *, name: str) -> DesignFacts:
    """Read the facts from the evidence; `measure` is None where its numbers were given."""
    design: Design = evidence.design
    tables = list(evidence) if isinstance(evidence, Predictions) else []
    return DesignFacts(
        unit=design.unit,
        kind=design.kind,
        rows=bool(tables),
        measure=name,
        measure_kind=OTHER if measure is None else measure_kind(measure, tables[0] if tables else None),
        n_models=design.n_models,
        n_datasets=design.n_datasets,
        n_rows=design.n_rows,
        n_repeats=1 if tables and tables[0].attempt is not None else design.n_repeats,
        n_folds=design.n_folds,
        n_splits=design.n_splits,
        n_groups=_clusters(design, tables),
        weighted=any(rows.weight is not None for rows in tables),
        within="" if measure is None else measure.within or "",
        smooth=measure is not None and has_slope(measure),
        **(_sample_facts(measure, tables[0]) if measure is not None and len(tables) == 1 else {}),
    )


def _sample_facts(measure: Measure, rows: Rows) -> dict[str, Any]:
    """What the sample tells about whether a known procedure holds; nothing about which model is better."""
    units = rows.units
    facts: dict[str, Any] = {"paired_repeats": units.answers == 1}
    if units.kind == "group":
        facts["few_groups"] = bool(1 / float((units.leverage() ** 2).sum()) < FEW_GROUPS)
    able = all(unavailable(measure, rows, m) is None for m in rows.models)
    if measure.has(Trait.AREA) and able:
        tallies = [rows.tally(m) for m in rows.models]
        areas = [float(measure.value(t.scores, t.positive, t.negative)) for t in tallies]
        facts["rarer"] = min(tallies[0].n_positive, tallies[0].n_negative)
        facts["near_end"] = any(not 1 - HIGH_AREA <= area <= HIGH_AREA for area in areas)
    elif measure.has(Trait.MEAN) and able and units.plain:
        form = measure.form.of(rows, rows.models, measure.needs)
        if isinstance(form, Sums):
            facts["carriers"] = _fewest_carriers(form.terms[:, :, 0], units.once)
    return facts


def _fewest_carriers(values: FloatArray, copies: FloatArray) -> float:
    """Degrees of freedom of the variance of the paired differences, in the pair that has fewest."""
    k = values.shape[1]
    found = np.inf
    for a in range(min(k, 30)):
        for b in range(a + 1, min(k, 30)):
            moved = values[:, a] - values[:, b]
            moved = moved - copies @ moved / copies.sum()
            if np.abs(moved).max() > 0:
                found = min(found, fourth_moment_df(moved, copies))
    return found


def _clusters(design: Design, tables: list[Rows]) -> int:
    """Units that hold several rows: groups, or cases that were answered several times."""
    if len(tables) == 1 and tables[0].attempt is not None:
        return tables[0].units.records
    return design.n_groups


def measure_kind(measure: Measure, rows: Rows | None = None) -> str:
    """Tell how a measure is built, which decides what tests apply to it."""
    if measure.has(Trait.RIGHT_OR_WRONG):
        return RIGHT_OR_WRONG
    if measure.needs == "outcomes":
        return RIGHT_OR_WRONG if rows is not None and outcomes_are_binary(rows) else MEAN
    if measure.has(Trait.AREA):
        return AUC
    if measure.has(Trait.MEAN):
        return MEAN
    return COUNTS if measure.form is CELLS else OTHER


def outcomes_are_binary(rows: Rows) -> bool:
    """Tell whether every per-item outcome is 0 or 1."""
    return rows.task == "outcomes" and all(bool(np.isin(rows.values(m), (0, 1)).all()) for m in rows.models)
