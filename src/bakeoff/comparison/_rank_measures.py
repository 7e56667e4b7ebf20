"""Several measures in one ranking: ranks need no common scale, so those of AUC and of a time can be averaged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text, listed, numeral, p_text
from bakeoff._core.result import Note, Result
from bakeoff._core.validation import FloatArray, check_number
from bakeoff._core.view import Table, View
from bakeoff.evidence import Scores
from bakeoff.measures import label_of
from bakeoff.stats import friedman
from bakeoff.stats.ranks import average_ranks

_TIED = 1e-9


@dataclass(frozen=True, repr=False)
class RankedMeasures(Result):
    """Mean ranks of models in several measures, and over them all.

    Attributes
    ----------
    models, measures, weights
        What was ranked; the weights add up to 1.
    ranks
        Mean rank of each model in each measure, ``[models, measures]``; 1 is best.
    combined
        Weighted mean over the measures, ``[models]``.
    statistic, pvalue
        Friedman's test of the combined ranks of the data sets.
    n
        Data sets.
    """

    models: tuple[str, ...]
    measures: tuple[str, ...]
    weights: tuple[float, ...]
    ranks: FloatArray
    combined: FloatArray
    statistic: float
    pvalue: float
    n: int
    notes: tuple[Note, ...] = ()

    @property
    def sentences(self) -> tuple[Text, ...]:
        """Who ranks best, and whether the models differ."""
        best = self.combined.min()
        leaders = [m for m, rank in zip(self.models, self.combined, strict=True) if rank - best < _TIED]
        values = {
            "models": listed(leaders), "rank": numeral(float(best), ".2f"), "n": self.n,
            "measures": listed([label_of(m) for m in self.measures]), "p": p_text(self.pvalue),
        }  # fmt: skip
        one = Text(
            "{models} ranks best over {measures} on {n} data sets: mean rank {rank} (Friedman's test, {p}).", **values
        )
        many = Text(
            "{models} share the best mean rank over {measures} on {n} data sets: {rank} (Friedman's test, {p}).",
            **values,
        )
        return ((one if len(leaders) == 1 else many).as_role("headline"),)

    def _view(self) -> View:
        named: dict[Any, Any] = {Text("model"): list(self.models)}
        named |= {label_of(measure): self.ranks[:, j].tolist() for j, measure in enumerate(self.measures)}
        return View(self.sentences, (Table({**named, Text("mean rank"): self.combined.tolist()}),), (), self.notes)

    def _columns(self) -> dict[str, Any]:
        columns = {measure: self.ranks[:, j].tolist() for j, measure in enumerate(self.measures)}
        return {"model": list(self.models), **columns, "mean rank": self.combined.tolist()}


def rank_measures(scores: Sequence[Scores], *, weights: Mapping[str, float] | None = None) -> RankedMeasures:
    """Rank models by several measures at once: within each data set and measure, then averaged.

    Parameters
    ----------
    scores
        One `Scores` for each measure, with the same models and data sets: ``results.scores("auc")``,
        ``results.scores("fit_time")``. Where less is better, less gets the better rank.
    weights
        Measure → how much it counts; equal where left out.

    Notes
    -----
    The weights are a choice, and another choice may rank otherwise. A rank forgets by how much: a thousandth of a
    second counts as much as a minute. Where the trade can be priced, `bakeoff.decide` says more.

    Examples
    --------
    >>> from bakeoff import Scores
    >>> from bakeoff.comparison import rank_measures
    >>> auc = Scores.from_wide([[0.9, 0.8, 0.7]] * 6, models=["a", "b", "c"], measure="auc")
    >>> time = Scores.from_wide([[9.0, 1.0, 2.0]] * 6, models=["a", "b", "c"], measure="fit_time")
    >>> rank_measures([auc, time]).combined.tolist()
    [2.0, 1.5, 2.5]
    """
    if len(scores) < 2:
        raise ParameterError("rank_measures needs the scores of two or more measures.")
    first = scores[0]
    for other in scores[1:]:
        if set(other.models) != set(first.models) or set(other.datasets) != set(first.datasets):
            raise EvidenceError("the measures are not of the same models on the same data sets.")
    measures = tuple(each.measure for each in scores)
    if len(set(measures)) < len(measures):
        raise ParameterError("each measure can be given once.")
    share = _shares(measures, weights)
    tables = np.array([_ranks(each, first) for each in scores])  # [measures, data sets, models]
    combined = np.tensordot(share, tables, axes=1)
    test = friedman(np.round(combined, 12), greater_is_better=False)
    caution = Text(
        "The weights of the measures are a choice ({weights}); another one may rank otherwise, and ranks forget by how "
        "much the models differ.",
        weights=", ".join(f"{m} {w:.2g}" for m, w in zip(measures, share, strict=True)),
    )
    return RankedMeasures(
        models=tuple(first.models),
        measures=measures,
        weights=tuple(share.tolist()),
        ranks=tables.mean(axis=1).T,
        combined=combined.mean(axis=0),
        statistic=test.statistic,
        pvalue=test.pvalue,
        n=len(first.datasets),
        notes=(Note("weights-of-measures", caution), *test.notes),
    )


def _shares(measures: tuple[str, ...], weights: Mapping[str, float] | None) -> FloatArray:
    given = {} if weights is None else dict(weights)
    unknown = [name for name in given if name not in measures]
    if unknown:
        raise ParameterError(f"weights names {unknown[0]!r}, which is none of the measures.")
    made = np.array([check_number("weights", given.get(m, 1.0), low=0.0) for m in measures])
    if not made.sum() > 0:
        raise ParameterError("the weights must not all be 0.")
    return np.asarray(made / made.sum())


def _ranks(scores: Scores, like: Scores) -> FloatArray:
    """Ranks within each data set, 1 for the best, in the order of `like`."""
    wanted = scores.select(models=list(like.models), datasets=list(like.datasets))
    values = wanted.matrix()
    if np.isnan(values).any():
        raise EvidenceError("a score is missing: every model needs every measure on every data set.")
    return average_ranks(np.round(-values if scores.greater_is_better else values, 12))
